"""SQL in DuckDB and SQLite: a database file, or what comes with the query, in killable workers.

A DuckDB file of sample tables is made once from CSV files as a definition in TOML says. The
definition is the administrator's own, or ours: its SQL runs as it stands, here and never at a call.
Like a store the file is named by the hash of what went into it, built aside and renamed into place;
so a changed CSV makes another file, and who has the old one open is not disturbed.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from groundwire.errors import ConfigurationError, DeadlineError, InputError, UnavailableError
from groundwire.graph.pool import Call
from groundwire.private_files import NoRoomError, kept_or_scratch, private_folder
from groundwire.sparql.label_file import ASIDE, Progress
from groundwire.sparql.outcome import Language, Outcome, Request
from groundwire.sparql.sql.relations import Relation, encode
from groundwire.sparql.sql.reporting import Report
from groundwire.tables.duckdb.engine import duckdb_workers
from groundwire.tables.duckdb.values import read
from groundwire.tables.engine import Table, unpacked
from groundwire.tables.file_engine import FileWorkers
from groundwire.tables.sqlite.engine import sqlite_workers
from groundwire.tables.worker_life import DESCRIBE

FILE = "sample.duckdb"
_VERSION = 1
_UNUSED_DAYS = 30.0


class FileRunner:
    """The parts that runners over one file share.

    Usable from any event loop, and from several at once.

    Args:
        workers: what answers.
        name: name of the endpoint in the registry.
        scheme: what the URL of the audit begins with.
    """

    languages: frozenset[Language] = frozenset(("sql",))

    def __init__(self, workers: FileWorkers, name: str, *, scheme: str) -> None:
        self._workers = workers
        self._name = name
        self._scheme = scheme

    @property
    def url(self) -> str:
        """Return what audits show: the file's name without its folder."""
        return f"{self._scheme}:{self._workers.path.name}"

    async def ask(self, request: Request, besides: Callable[[], Any]) -> Outcome:
        """Have a worker run one query.

        Args:
            request: the query.
            besides: makes what the engine needs besides; its InputError is a refusal.
        """
        from anyio import get_cancelled_exc_class
        from anyio.to_thread import run_sync

        report = Report(request, self._name, self.url)
        unfit = report.unfit()
        if unfit is not None:
            return unfit
        deadline = time.monotonic() + request.timeout
        call = Call()
        try:
            return await run_sync(
                self._run, report, besides, deadline, call, abandon_on_cancel=True
            )
        except get_cancelled_exc_class():
            self._workers.cancel(call)
            raise

    async def tables(self, seconds: float) -> Sequence[Table]:
        """Tables and views, sorted by name.

        Raises:
            DeadlineError: they were not listed in time.
            UnavailableError: the file cannot be read.
        """
        from anyio.to_thread import run_sync

        deadline = time.monotonic() + seconds
        asking = partial(self._workers.ask, DESCRIBE, deadline)
        kind, *reply = await run_sync(asking, abandon_on_cancel=True)
        if kind != "tables":
            raise UnavailableError(str(reply[0]) if reply else "The tables could not be listed.")
        return unpacked(reply[0])

    async def close(self) -> None:
        """End the worker processes."""
        from anyio.to_thread import run_sync

        await run_sync(self.close_now)

    def close_now(self) -> None:
        """`close` where no event loop runs."""
        self._workers.close()

    def _run(
        self, report: Report, besides: Callable[[], Any], deadline: float, call: Call
    ) -> Outcome:
        request = report.request
        try:
            message = (request.text, max(0, request.limit) + 1, besides())
        except InputError as error:
            return report.refused(str(error))
        try:
            kind, *reply = self._workers.ask(message, deadline, call)
        except DeadlineError:
            return report.timed_out()
        except (InputError, UnavailableError) as error:
            return report.failed(str(error))
        if kind == "refused":
            return report.refused(reply[0])
        if kind == "failed":
            return report.failed(reply[0])
        if kind == "late":
            return report.timed_out()
        columns, kinds, rows, more, cut = reply[:5]
        return report.answered(columns, self.shown(rows, kinds), more=more, cut=cut)

    def shown(self, rows: list[tuple[Any, ...]], kinds: list[str]) -> list[tuple[Any, ...]]:
        """The rows of a reply as an answer shows them."""
        return read(rows, kinds)


_NOWHERE = Path(":memory:")


class DuckRunner(FileRunner):
    """Runs SQL over one DuckDB database, which is opened read-only; a `Runner`.

    Args:
        path: the database; None for an empty one in memory, for queries that bring relations.
        name: name of the endpoint in the registry.
        workers: most processes at a time.
        memory: bytes that the buffers of one worker may take; the whole of it at most twice that.
    """

    def __init__(
        self, path: Path | None, name: str, *, workers: int = 2, memory: int = 1 << 30
    ) -> None:
        super().__init__(
            duckdb_workers(
                _NOWHERE if path is None else path.absolute(), workers=workers, memory=memory
            ),
            name,
            scheme="duckdb",
        )

    async def run(
        self,
        request: Request,
        relations: Mapping[str, Relation | tuple[Sequence[str], Any]] | None = None,
    ) -> Outcome:
        """Run one SELECT.

        Args:
            request: the query.
            relations: tables that the query may name besides those of the database, by name.
                They hide a table of the same name.

        Returns:
            What became of it; a query that failed or was stopped leaves the next one unharmed.
        """
        return await self.ask(request, lambda: encode(relations or {}))


class SqliteRunner(FileRunner):
    """Runs SQL over one SQLite database, which is opened read-only; a `Runner`.

    `sqlite_master` may be read: it is how a caller learns what tables there are.

    Args:
        place: a path, or a URL of the form `sqlite:///PATH` or `file:PATH`; parameters of a URL are
            left out, the file is always opened with `mode=ro`.
        name: name of the endpoint in the registry.

    Raises:
        ConfigurationError: the URL is of another kind.
    """

    def __init__(self, place: str | Path, name: str) -> None:
        super().__init__(sqlite_workers(_path(place)), name, scheme="sqlite")

    async def run(self, request: Request) -> Outcome:
        """Run one SELECT; a query that failed or was stopped leaves the next one unharmed."""
        return await self.ask(request, lambda: request.timeout)

    def shown(self, rows: list[tuple[Any, ...]], kinds: list[str]) -> list[tuple[Any, ...]]:
        """Return the rows of a reply, with words in place of infinite numbers and NaN."""
        return [tuple(map(_shown, row)) for row in rows]


def _shown(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _path(place: str | Path) -> Path:
    if isinstance(place, Path):
        return place.absolute()
    scheme, separator, _ = place.partition(":")
    if not separator or len(scheme) == 1:
        return Path(place).absolute()
    if scheme not in ("file", "sqlite"):
        raise ConfigurationError(f"{scheme}: is no URL of SQLite: write sqlite:///PATH or a path.")
    parts = urlsplit(place)
    if parts.netloc not in ("", "localhost"):
        raise ConfigurationError(
            f"{scheme}://{parts.netloc} names another machine: write {scheme}:///PATH."
        )
    path = unquote(parts.path)
    # sqlite:///a/b is the relative path a/b to some and absolute to others: absolute here.
    return Path(path).absolute()


@dataclass(frozen=True, slots=True)
class SampleTable:
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
class SampleDefinition:
    """The files and statements that a sample is made of.

    Attributes:
        files: CSV files with a header, by the name that the SQL knows them by.
        prepare: statements that run first, such as macros.
        tables: what is made, in order.
        digest: hash of the definition and of every file.
    """

    files: Mapping[str, Path]
    prepare: tuple[str, ...]
    tables: tuple[SampleTable, ...]
    digest: str


def _read_definition(path: Path) -> SampleDefinition:
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
            SampleTable(_text(row["name"]), _text(row["description"]), _text(row["sql"]))
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
    return SampleDefinition(files, prepare, tables, whole.hexdigest()[:32])


def build_sample(definition: Path, root: Path, progress: Progress | None = None) -> Path:
    """The DuckDB file of a definition below `root`, made if it is not there yet.

    Raises:
        ConfigurationError: duckdb is not installed, or the definition cannot be used.
        UnavailableError: the file cannot be written.
    """
    wanted = _read_definition(definition)
    return kept_or_scratch(lambda below: _made(wanted, definition, below, progress), root)


def _made(
    wanted: SampleDefinition, definition: Path, root: Path, progress: Progress | None
) -> Path:
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


def _write(
    wanted: SampleDefinition, definition: Path, path: Path, progress: Progress | None
) -> None:
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
