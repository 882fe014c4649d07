"""Stores: RDF files turned once into a folder that workers open read-only.

A store is named by the hash of what went into it, built aside and renamed into place, so two
processes that build the same one both end well, and a changed file makes another store.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, cast

from groundwire.errors import ConfigurationError, DeadlineError, UnavailableError
from groundwire.graph.child import hold_lock
from groundwire.graph.engine import LocalGraph
from groundwire.graph.formats import Problem, Source, find_files, format_name
from groundwire.graph.layout import DATABASE, META
from groundwire.graph.pool import Child, EndedError
from groundwire.private_files import NoRoomError, kept_or_scratch, private_folder

_BUILDER = "groundwire.graph.builder"
# Raised whenever the same files would give another folder.
_VERSION = 6
# A larger file is known by its size only: to hash it would take seconds of every start.
HASHED_BYTES = 64 << 20
_ENGINE_NOTES = ("LOG", "LOCK")
_log = logging.getLogger(__name__)
_ASIDE = ".building-"
BUILD_MEMORY = 8 << 30
UNUSED_DAYS = 30.0


class Store(NamedTuple):
    """A store on disk.

    Attributes:
        path: its folder.
        digest: the hash of the files' contents, names and graphs, which names the folder.
        triples: how many quads it holds.
        problems: files that could not be read and were left out, with the reason.
    """

    path: Path
    digest: str
    triples: int
    problems: tuple[Problem, ...]

    @property
    def ordered(self) -> bool:
        """Whether every worker reads the statements in one order: a database on disk is sorted."""
        return (self.path / DATABASE).is_dir()


class Loading(NamedTuple):
    """How far a build is.

    Attributes:
        done: bytes read.
        total: bytes to read.
        file: name of the file that is read.
    """

    done: int
    total: int
    file: str


Progress = Callable[[Loading], None]


def build_store(
    sources: Sequence[Path | Source],
    root: Path,
    *,
    graph: str | None = None,
    progress: Progress | None = None,
    timeout: float | None = None,
) -> Store:
    """The store of `sources` below `root`, built if it is missing.

    Args:
        sources: RDF files and folders of them; `.ttl .nt .nq .trig .n3 .rdf .owl .xml .jsonld
            .json`, each also with `.gz`.
        root: folder of all stores.
        graph: graph that bare paths are put into, as in `Source.graph`.
        progress: called now and then while files are read.
        timeout: seconds until the building process is killed; None for no limit.

    Raises:
        ConfigurationError: a path does not exist, holds other files than RDF, or none can be read.
        DeadlineError: `timeout` passed.
        UnavailableError: the store cannot be written, neither there nor in a temporary folder.
    """
    files = find_files(sources, graph)
    digest = _digest(files)

    def opened(below: Path) -> Store:
        found = _existing(below / digest, files)
        return found or _build(files, below, digest, progress, timeout)

    store = kept_or_scratch(opened, root)
    _touch(store.path)
    if not store.triples and len(store.problems) == len(files):
        raise ConfigurationError(f"No RDF file can be read; the first: {store.problems[0]}")
    return store


async def open_graph(
    sources: Sequence[Path | Source],
    root: Path,
    *,
    workers: int = 2,
) -> tuple[LocalGraph, Store]:
    """The store of `sources` as a graph to query; arguments and errors as for `build_store`."""
    from anyio.to_thread import run_sync

    store = await run_sync(build_store, sources, root)
    return LocalGraph(store.path, workers=workers), store


def _digest(files: Sequence[Source]) -> str:
    """Hash of everything that decides what a store holds; the files' folders do not."""
    whole = hashlib.sha256(f"store {_VERSION}".encode())
    for path, graph, lenient in files:
        try:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            content = "unreadable"
        whole.update(json.dumps([path.name, format_name(path), graph, lenient, content]).encode())
    return whole.hexdigest()[:32]


def _existing(folder: Path, files: Sequence[Source]) -> Store | None:
    try:
        meta = json.loads((folder / META).read_text("utf-8"))
        if meta["parts"] != _parts(folder):
            raise ValueError("a part is not the one that was built")
        # The same contents may stand in another folder today: problems name files by position.
        problems = tuple(
            Problem(str(files[int(position)].path), *rest)
            for position, *rest in cast("list[list[Any]]", meta["problems"])
        )
        return Store(folder, folder.name, meta["triples"], problems)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        # Damaged, or changed since it was built: built anew.
        _log.warning("the store %s is built anew: %s", folder.name, error)
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _parts(folder: Path) -> dict[str, str]:
    """Return a mark for each file of a store: its hash, or its size where it is large."""
    parts: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        # The engine writes its log whenever a database is opened.
        if not path.is_file() or path.name == META or path.name.startswith(_ENGINE_NOTES):
            continue
        size = path.stat().st_size
        if size > HASHED_BYTES:
            stamp = f"{size} bytes"
        else:
            with path.open("rb") as file:
                stamp = hashlib.file_digest(file, "sha256").hexdigest()
        parts[path.relative_to(folder).as_posix()] = stamp
    return parts


def _build(
    files: Sequence[Source],
    root: Path,
    digest: str,
    progress: Progress | None,
    timeout: float | None,
) -> Store:
    try:
        private_folder(root)
        aside = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=root))
    except OSError as error:
        raise _no_room(root, error) from error
    try:
        triples, problems = _run_builder(aside, files, progress, timeout)
        positions = {str(path.absolute()): place for place, (path, *_) in enumerate(files)}
        placed = [(positions[file], *rest) for file, *rest in problems]
        meta = {"triples": triples, "problems": placed, "parts": _parts(aside)}
        with (aside / META).open("w", encoding="utf-8") as file:
            json.dump(meta, file)
            file.flush()
            os.fsync(file.fileno())
        folder = root / digest
        # Another process may have been faster; its store is the same.
        with contextlib.suppress(OSError):
            aside.rename(folder)
        if (store := _existing(folder, files)) is None:
            raise NoRoomError(f"The store cannot be moved to {folder}: delete that folder.")
        return store
    except OSError as error:
        raise _no_room(root, error) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _no_room(root: Path, error: OSError) -> NoRoomError:
    return NoRoomError(
        f"No store can be written below {root} ({error.strerror}): set GROUNDWIRE_HOME to a "
        "folder that can be written to."
    )


def _run_builder(
    aside: Path, files: Sequence[Source], progress: Progress | None, timeout: float | None
) -> tuple[int, list[tuple[str, int, int | None, str]]]:
    total = sum(path.stat().st_size for path, *_ in files if path.exists())
    deadline = None if timeout is None else time.monotonic() + timeout
    child = Child(_BUILDER)
    try:
        named = [(str(path.absolute()), *rest) for path, *rest in files]
        child.send((str(aside), named, BUILD_MEMORY))
        while True:
            kind, *reply = child.receive(deadline)
            if kind == "built":
                return reply[0], reply[1]
            if kind == "failed":
                raise NoRoomError(f"The store cannot be built: {reply[0]}.")
            if progress is not None:
                progress(Loading(reply[0], total, reply[1]))
    except DeadlineError as error:
        raise DeadlineError(f"Loading took longer than {timeout} s: load fewer files.") from error
    except EndedError as error:
        raise UnavailableError(
            f"The process that loads files ended (status {error.status}), most likely for want "
            "of memory or disk: load fewer files."
        ) from error
    finally:
        child.close()


def _touch(folder: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(folder)


def prune(root: Path, *, unused_days: float = UNUSED_DAYS) -> list[Path]:
    """Remove stores below `root` that were not opened for `unused_days`, and left-over builds.

    A store that a worker has open is locked, and stays.

    Returns:
        the folders that were removed.
    """
    removed: list[Path] = []
    now = time.time()
    folders = list(root.iterdir()) if root.is_dir() else []
    for folder in folders:
        days = 1.0 if folder.name.startswith(_ASIDE) else unused_days
        with contextlib.suppress(OSError):
            if not folder.is_dir() or now - folder.stat().st_mtime < days * 86_400:
                continue
            meta = folder / META
            lock = hold_lock(meta, exclusive=True)
            if lock is None and meta.exists():
                continue
            shutil.rmtree(folder)
            removed.append(folder)
            if lock is not None:
                os.close(lock)
    return removed


_Seen = TypeVar("_Seen")


class Build(Generic[_Seen]):
    """One build of a store, begun at once and waited for by any number of calls.

    A call that ends early leaves the build going, so that the next one finds it further on.
    """

    def __init__(
        self,
        sources: Sequence[Path],
        root: Path,
        told: Callable[[Loading], None],
        look: Callable[[Store], Awaitable[_Seen]],
    ) -> None:
        """Begin to build the store of `sources` below `root`.

        Args:
            sources: files and folders.
            root: folder of all stores.
            told: hears how far it is.
            look: reads in the finished store what a search must know of it.
        """
        self._sources = sources
        self._root = root
        self._told = told
        self._look = look
        self._latest: Loading | None = None
        self._store: Future[tuple[Store, _Seen]] = Future()
        threading.Thread(target=self._run, name="loading", daemon=True).start()

    @property
    def failed(self) -> bool:
        """Whether it ended without a store."""
        return self._store.done() and self._store.exception() is not None

    def abandon(self, end: Callable[[_Seen], None]) -> None:
        """Have what is being read ended as soon as it is there; nobody will use it."""

        def done(built: Future[tuple[Store, _Seen]]) -> None:
            if not built.cancelled() and built.exception() is None:
                end(built.result()[1])

        self._store.add_done_callback(done)

    async def store(self, patience: float | None) -> tuple[Store, _Seen]:
        """The store and what was read in it, once it is built.

        Args:
            patience: seconds to wait for it; None for as long as it takes.

        Raises:
            UnavailableError: it was not built in time; says how far it is. Or it cannot be
                written.
            ConfigurationError: the sources cannot be read.
        """
        import asyncio

        built = asyncio.shield(asyncio.wrap_future(self._store))
        try:
            return await asyncio.wait_for(built, patience)
        except TimeoutError:
            raise UnavailableError(
                f"The assets are being read for the first time{self._how_far()}, which is done "
                "once: ask again in a minute."
            ) from None

    def _how_far(self) -> str:
        latest = self._latest
        if latest is None or not latest.total:
            return ""
        return f" ({100 * latest.done // latest.total} % of {latest.total / 1e6:,.0f} MB)"

    def _run(self) -> None:
        import anyio

        try:
            store = build_store(self._sources, self._root, progress=self._hear)
            self._store.set_result((store, anyio.run(self._look, store)))
        except BaseException as error:
            self._store.set_exception(error)

    def _hear(self, loading: Loading) -> None:
        self._latest = loading
        self._told(loading)
