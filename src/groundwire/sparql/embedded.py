"""The endpoint `default`: a local graph with the index of its labels, and sample tables.

All of it is made from files on the first opening, and opened in no time ever after.

A DuckDB file of sample tables, made once from CSV files as a definition in TOML says. The
definition is the administrator's own, or ours: its SQL runs as it stands, here and never at a call.
Like a store the file is named by the hash of what went into it, built aside and renamed into place;
so a changed CSV makes another file, and who has the old one open is not disturbed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from groundwire.errors import ConfigurationError
from groundwire.private_files import NoRoomError, kept_or_scratch, private_folder
from groundwire.sparql.label_file import ASIDE, Progress

if TYPE_CHECKING:
    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.stores import Store
    from groundwire.sparql.label_file import Progress
    from groundwire.sparql.labels import LabelIndex


FILE = "sample.duckdb"
_VERSION = 1
_UNUSED_DAYS = 30.0


@dataclass(frozen=True, slots=True)
class Table:
    """One table to be made.

    Attributes:
        name: what it is called.
        description: what it holds, for who asks it.
        sql: the SELECT that makes it, over tables named as the files are, all of text.
    """

    name: str
    description: str
    sql: str


@dataclass(frozen=True, slots=True)
class Definition:
    """The files and statements that a sample is made of.

    Attributes:
        files: CSV files with a header, by the name that the SQL knows them by.
        prepare: statements that run first, such as macros.
        tables: what is made, in order.
        digest: hash of the definition and of every file.
    """

    files: Mapping[str, Path]
    prepare: tuple[str, ...]
    tables: tuple[Table, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Embedded:
    """The data of one home, open.

    Attributes:
        graph: to ask.
        store: where the graph is, with files that could not be read.
        labels: the index of its labels.
        sample: the DuckDB file, named `sample`; None where none was asked for or made.
        problems: what could not be read or made, one line each.
    """

    graph: LocalGraph
    store: Store
    labels: LabelIndex
    sample: Path | None
    problems: tuple[str, ...]

    async def close(self) -> None:
        """End the worker processes and close the index."""
        self.labels.close()
        await self.graph.close()

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        self.labels.close()
        self.graph.close_now()


async def open_embedded(
    home: Path,
    progress: Progress | None = None,
    *,
    files: Sequence[Path],
    sample: Path | None = None,
    label_properties: Sequence[str] = (),
) -> Embedded:
    """Open the graph of some files, with its label index and the sample tables.

    Args:
        home: folder of stores, label indexes and samples.
        progress: told the kind of work, how much is done and how much there is; from any thread.
        files: RDF files and folders of them.
        sample: the definition of the sample tables.
        label_properties: IRIs of properties that are labels beside the usual ones.

    Raises:
        ConfigurationError: a file cannot be read.
        UnavailableError: what is made of them cannot be written.
    """
    from anyio.to_thread import run_sync

    from groundwire.graph.engine import LocalGraph
    from groundwire.graph.stores import Loading, build_store, prune
    from groundwire.sparql.label_store import LABEL_PROPERTIES, open_labels, prune_labels

    def told(loading: Loading) -> None:
        if progress is not None:
            progress(f"loading {loading.file}", loading.done, loading.total)

    store = await run_sync(partial(build_store, files, home / "stores", progress=told))
    problems = [str(problem) for problem in store.problems]
    made: Path | None = None
    if sample is not None:
        try:
            made = await run_sync(build_sample, sample, home / "samples", progress)
        except ConfigurationError as error:
            # The graph answers without the tables.
            problems.append(str(error))
    wanted = (*LABEL_PROPERTIES, *label_properties)
    opening = partial(
        open_labels, store.path, home / "labels", properties=wanted, progress=progress
    )
    labels = await run_sync(opening)
    for work, folder in (
        (prune, home / "stores"),
        (prune_labels, home / "labels"),
        (prune_samples, home / "samples"),
    ):
        await run_sync(work, folder)
    return Embedded(LocalGraph(store.path), store, labels, made, tuple(problems))


def _read_definition(path: Path) -> Definition:
    """Read a definition; its files stand beside it.

    Raises:
        ConfigurationError: it, or a file that it names, cannot be read or used.
    """
    try:
        text = path.read_bytes()
        found = tomllib.loads(text.decode("utf-8"))
        names = [_text(name) for name in cast("list[object]", found["files"])]
        files = {Path(name).stem: path.parent / name for name in names}
        tables = tuple(
            Table(_text(row["name"]), _text(row["description"]), _text(row["sql"]))
            for row in cast("list[dict[str, object]]", found["tables"])
        )
        prepare = tuple(_text(one) for one in cast("list[object]", found.get("prepare", [])))
        whole = hashlib.sha256(repr((_VERSION, hashlib.sha256(text).hexdigest())).encode())
        for name, file in files.items():
            whole.update(f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}".encode())
    except OSError as error:
        raise ConfigurationError(
            f"The sample {path} needs {error.filename}, which cannot be read ({error.strerror}): "
            "put it there, or leave it out of `files`."
        ) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigurationError(
            f"The sample {path} cannot be used ({error}): it needs `files`, and `tables` with "
            "name, description and sql, all of them text."
        ) from error
    return Definition(files, prepare, tables, whole.hexdigest()[:32])


def build_sample(definition: Path, root: Path, progress: Progress | None = None) -> Path:
    """The DuckDB file of a definition below `root`, made if it is not there yet.

    Raises:
        ConfigurationError: duckdb is not installed, or the definition cannot be used.
        UnavailableError: the file cannot be written.
    """
    wanted = _read_definition(definition)
    return kept_or_scratch(lambda below: _made(wanted, definition, below, progress), root)


def _made(wanted: Definition, definition: Path, root: Path, progress: Progress | None) -> Path:
    """The file of a definition below `root`."""
    made = root / wanted.digest / FILE
    if not made.is_file():
        aside: Path | None = None
        try:
            private_folder(root)
            aside = Path(tempfile.mkdtemp(prefix=ASIDE, dir=root))
            _write(wanted, definition, aside / FILE, progress)
            # Another process may have been faster; its file is the same.
            with contextlib.suppress(OSError):
                aside.rename(made.parent)
        except OSError as error:
            raise NoRoomError(_unwritten(root, str(error.strerror))) from error
        finally:
            if aside is not None:
                shutil.rmtree(aside, ignore_errors=True)
    if not made.is_file():
        raise NoRoomError(f"The sample cannot be moved to {made.parent}: delete that folder.")
    with contextlib.suppress(OSError):
        os.utime(made.parent)
    return made


def _unwritten(root: Path, said: str) -> str:
    return (
        f"The sample cannot be written below {root} ({' '.join(said.split())}): set "
        "GROUNDWIRE_HOME to a folder that can be written to."
    )


def prune_samples(root: Path, *, unused_days: float = _UNUSED_DAYS) -> None:
    """Remove samples that were not opened for `unused_days`, and left-over builds."""
    now = time.time()
    for folder in list(root.iterdir()) if root.is_dir() else []:
        days = 1.0 if folder.name.startswith(ASIDE) else unused_days
        with contextlib.suppress(OSError):
            if now - folder.stat().st_mtime >= days * 86_400:
                shutil.rmtree(folder)


def _write(wanted: Definition, definition: Path, path: Path, progress: Progress | None) -> None:
    try:
        import duckdb
    except ImportError as error:
        raise ConfigurationError(
            "The sample tables need duckdb: run `pip install duckdb`."
        ) from error
    try:
        connection = cast("Any", duckdb.connect(str(path)))
    except duckdb.IOException as error:
        raise NoRoomError(_unwritten(path.parents[1], str(error))) from error
    try:
        for name, file in wanted.files.items():
            read = connection.read_csv(str(file), header=True, all_varchar=True)
            read.create_view(f"read_{name}")
            connection.execute(
                f"CREATE TEMP TABLE {_quoted(name)} AS FROM {_quoted(f'read_{name}')}"
            )
            connection.execute(f"DROP VIEW {_quoted(f'read_{name}')}")
        for statement in wanted.prepare:
            connection.execute(statement)
        for done, table in enumerate(wanted.tables, start=1):
            connection.execute(f"CREATE TABLE main.{_quoted(table.name)} AS {table.sql}")
            said = table.description.replace("'", "''")
            connection.execute(f"COMMENT ON TABLE main.{_quoted(table.name)} IS '{said}'")
            if progress is not None:
                progress(f"sample table {table.name}", done, len(wanted.tables))
        connection.execute("CHECKPOINT")
    except duckdb.IOException as error:
        raise NoRoomError(_unwritten(path.parents[1], str(error))) from error
    except duckdb.Error as error:
        raise ConfigurationError(
            f"The sample {definition} cannot be made ({' '.join(str(error).split())}): mend it."
        ) from error
    finally:
        connection.close()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{value!r} is no text")
    return value
