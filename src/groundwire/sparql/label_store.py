"""Label indexes beside a store, and beside an endpoint that has no text index of its own.

Like a store it is named by the hash of what went into it, so a changed store has another index.

The labels are read page by page, once, and written to a file of the state folder; whoever asks
meanwhile is answered by regular expressions. The file says when it was made. One that is older than
the registry allows is made anew while it goes on answering. What could not be read whole is not
used: an index that lacks labels would say that there is nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import DeadlineError, GroundwireError, LimitError, UnavailableError
from groundwire.graph.pool import Child, EndedError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.stores import HASHED_BYTES, UNUSED_DAYS
from groundwire.graph.terms import iri
from groundwire.private_files import NoRoomError, kept_or_scratch
from groundwire.sparql.label_file import ASIDE, VERSION, Label, Progress, write_labels
from groundwire.sparql.labels import LabelIndex

if TYPE_CHECKING:
    from groundwire.graph.remote import RemoteGraph


_BUILDER = "groundwire.sparql.label_builder"
MEMORY = 2 << 30

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
LABEL_PROPERTIES = (
    f"{_RDFS}label",
    f"{_SKOS}prefLabel",
    f"{_SKOS}altLabel",
    f"{_SKOS}hiddenLabel",
    *(
        f"{scheme}://schema.org/{name}"
        for scheme in ("http", "https")
        for name in ("name", "alternateName", "headline", "text")
    ),
    "http://purl.org/dc/elements/1.1/title",
    "http://purl.org/dc/terms/title",
    "http://xmlns.com/foaf/0.1/name",
)
"""What is taken for a label; of schema:text, that of questions only."""


def open_labels(
    store: Path,
    root: Path,
    *,
    properties: Sequence[str] = LABEL_PROPERTIES,
    progress: Progress | None = None,
) -> LabelIndex:
    """The label index of a store, written if it is not there yet. It may take minutes.

    Args:
        store: folder of the store, named by the hash of its content.
        root: folder of all label indexes.
        properties: IRIs of the properties whose values are labels.
        progress: told the kind of work, how many labels are done, and how many there are (0
            while they are counted).

    Raises:
        UnavailableError: the index cannot be written.
    """
    names = tuple(dict.fromkeys(properties))
    digest = hashlib.sha256(repr((VERSION, store.name, names)).encode()).hexdigest()[:32]

    def opened(below: Path) -> LabelIndex:
        path = below / f"{digest}.sqlite"
        if _is_sealed(path):
            with contextlib.suppress(UnavailableError):
                # One that is damaged is written anew.
                return _opened(path)
        _write(store, path, names, progress)
        return _opened(path)

    return kept_or_scratch(opened, root)


def prune_labels(root: Path, *, unused_days: float = UNUSED_DAYS) -> list[Path]:
    """Remove label indexes that were not opened for `unused_days`, and left-over builds."""
    removed: list[Path] = []
    now = time.time()
    for path in list(root.iterdir()) if root.is_dir() else []:
        days = 1.0 if path.name.startswith(ASIDE) else unused_days
        with contextlib.suppress(OSError):
            if now - path.stat().st_mtime < days * 86_400:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
            removed.append(path)
    return removed


def _opened(path: Path) -> LabelIndex:
    index = LabelIndex(path)
    for file in (path, _seal_file(path)):
        with contextlib.suppress(OSError):
            os.utime(file)
    return index


def _seal_file(path: Path) -> Path:
    return path.with_suffix(".sha256")


def _seal(path: Path) -> str:
    """Return a mark of the file of an index: its hash, or its size where it is large."""
    size = path.stat().st_size
    if size > HASHED_BYTES:
        return f"{size} bytes"
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_sealed(path: Path) -> bool:
    """Whether an index is there, as it was written."""
    try:
        return _seal_file(path).read_text("ascii") == _seal(path)
    except (OSError, ValueError):
        return False


def _write(store: Path, path: Path, properties: Sequence[str], progress: Progress | None) -> None:
    child = Child(_BUILDER)
    try:
        child.send((str(store.absolute()), str(path.absolute()), list(properties), MEMORY))
        while True:
            kind, *reply = child.receive()
            if kind == "built":
                _seal_file(path).write_text(_seal(path), "ascii")
                return
            if kind == "failed":
                raise NoRoomError(f"The labels cannot be indexed: {reply[0]}.")
            if progress is not None:
                progress(*reply)
    except OSError as error:
        raise NoRoomError(f"The labels cannot be indexed ({error.strerror}).") from error
    except EndedError as error:
        raise UnavailableError(
            f"The process that indexes labels ended (status {error.status}), most likely for want "
            "of memory or disk: free some and start again."
        ) from error
    finally:
        child.close()


MOST_LABELS = 500_000
"""An endpoint with more labels gets no index: it is too much to ask of a server."""

PAGE = 50_000
"""Labels that are asked for at a time: servers skip what stands before a page anew each time."""

MAX_BYTES = 64 << 20
"""Bytes of one page; one that is larger, or takes too long, is asked for in halves."""

_LEAST_PAGE = 1_000

# Seconds that one page may take, and the whole of it.
_PAGE_SECONDS, _SECONDS = 120.0, 900.0
# Seconds until an endpoint whose labels could not be read is tried again.
_AGAIN = 3_600.0
_MOST_TYPES = 4
# Of schema:text only that of questions is a label; a mirror leaves it out.
_PROPERTIES = tuple(one for one in LABEL_PROPERTIES if not one.endswith("schema.org/text"))


@dataclass(frozen=True, slots=True)
class Made:
    """An index as it was made.

    Attributes:
        labels: how many there are.
        at: when their reading began, in ISO 8601.
        seconds: that it took.
    """

    labels: int
    at: str
    seconds: float

    @property
    def age(self) -> float:
        """Seconds since it was made."""
        return (datetime.now(UTC) - datetime.fromisoformat(self.at)).total_seconds()


class LabelMirror:
    """The label index beside one endpoint. Threads may share it.

    Args:
        url: the endpoint, which names the file.
        folder: where the indexes beside endpoints are.
        connect: makes a connection for the thread that reads the labels.
        refresh: seconds after which an index is made anew.
        most: labels beyond which no index is built.
    """

    def __init__(
        self,
        url: str,
        folder: Path,
        connect: Callable[[], RemoteGraph],
        *,
        refresh: float = 86_400.0,
        most: int = MOST_LABELS,
    ) -> None:
        digest = hashlib.sha256(repr((VERSION, url, _PROPERTIES)).encode()).hexdigest()[:32]
        self._path = folder / f"{digest}.sqlite"
        self._connect = connect
        self._refresh = refresh
        self._most = most
        self._lock = threading.Lock()
        self._index: LabelIndex | None = None
        self._made: Made | None = None
        self._building: threading.Thread | None = None
        self._failed_at = 0.0
        self.problem = ""

    @property
    def made(self) -> Made | None:
        """Return how the index in use was made, or None without one."""
        return self._made

    def current(self) -> LabelIndex | None:
        """The index, if it is there; where it is not, or is old, its making begins."""
        with self._lock:
            if self._index is None:
                self._open()
            if self._made is None or self._made.age > self._refresh:
                self._begin()
            return self._index

    def wait(self, seconds: float) -> LabelIndex | None:
        """The index, for whose making `seconds` are waited at most."""
        self.current()
        with self._lock:
            building = self._building
        if building is not None:
            building.join(seconds)
        return self.current()

    def close(self) -> None:
        """Close the index; what is being made is left to itself."""
        with self._lock:
            index, self._index, self._made = self._index, None, None
        if index is not None:
            index.close()

    def _begin(self) -> None:
        if self._building is not None and self._building.is_alive():
            return
        if self._failed_at and time.monotonic() - self._failed_at < _AGAIN:
            return
        self._building = threading.Thread(target=self._build, daemon=True)
        self._building.start()

    def _open(self) -> None:
        """Open the file, where it is there and says when it was made."""
        with contextlib.suppress(OSError, ValueError, TypeError, GroundwireError):
            made = Made(**json.loads(self._note.read_text("utf-8")))
            datetime.fromisoformat(made.at)
            self._index, self._made = LabelIndex(self._path), made

    @property
    def _note(self) -> Path:
        return self._path.with_suffix(".json")

    def _build(self) -> None:
        try:
            self._write()
        except Exception as error:
            # The thread has nobody to tell; the next search goes on without an index.
            self.problem = " ".join(str(error).split())[:300]
            self._failed_at = time.monotonic()
            return
        self.problem = ""
        self._failed_at = 0.0
        with self._lock:
            old, self._index = self._index, None
            self._open()
        if old is not None:
            old.close()

    def _write(self) -> None:
        import anyio

        at, began = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        found = anyio.run(self._read)
        # Without the note nobody opens a file that is being replaced.
        self._note.unlink(missing_ok=True)
        count = write_labels(self._path, found)
        made = {"labels": count, "at": at, "seconds": round(time.monotonic() - began, 1)}
        self._note.write_text(json.dumps(made), "utf-8")

    async def _read(self) -> list[Label]:
        graph = self._connect()
        try:
            reader = _Reader(graph, self._most)
            return [*await reader.labels()]
        finally:
            await graph.close()


class _Reader:
    """Reads all labels of an endpoint, and whether those are all."""

    def __init__(self, graph: RemoteGraph, most: int) -> None:
        self._graph = graph
        self._most = most
        self._end = time.monotonic() + _SECONDS

    async def labels(self) -> Iterator[Label]:
        """The labels with the types of their entities.

        Raises:
            UnavailableError: there are too many, or they could not be read whole.
        """
        names = " ".join(iri(name).n3() for name in _PROPERTIES)
        labelled = f"VALUES ?p {{ {names} }} ?s ?p ?v . FILTER(isIRI(?s) && isLITERAL(?v))"
        expected = await self._count(f"SELECT (COUNT(*) AS ?n) WHERE {{ {labelled} }}")
        if expected is not None and expected > self._most:
            raise UnavailableError(
                f"The endpoint has {expected:,} labels, more than the {self._most:,} that an index "
                "beside it may hold."
            )
        found = await self._pages(f"SELECT ?s ?p ?v WHERE {{ {labelled} }}", 3)
        if expected is not None and len(found) < expected:
            raise UnavailableError(
                f"Of {expected:,} labels {len(found):,} could be read: the pages are not whole."
            )
        types: dict[str, list[str]] = {}
        # The types only order what is found, so those that cannot be read are done without.
        with contextlib.suppress(GroundwireError):
            typed = f"{labelled} ?s a ?t . FILTER(isIRI(?t))"
            for entity, kind in await self._pages(f"SELECT ?s ?t WHERE {{ {typed} }}", 2):
                kinds = types.setdefault(entity.value, [])
                if len(kinds) < _MOST_TYPES and kind.value not in kinds:
                    kinds.append(kind.value)
        return (
            Label(one.value, name.value, text.value, text.language, tuple(types.get(one.value, ())))
            for one, name, text in found
        )

    async def _count(self, query: str) -> int | None:
        """How many there are; None where the endpoint cannot count."""
        try:
            rows = await self._graph.select(CompiledQuery(query), timeout=self._left())
            ((cell,),) = rows.rows
            return int(cell.value) if cell is not None else None
        except (GroundwireError, ValueError):
            return None

    async def _pages(self, query: str, width: int) -> set[tuple[Any, ...]]:
        """All rows, page by page, until one is empty.

        Raises:
            UnavailableError: there are too many, or a row comes twice, which tells that the pages
                are no parts of one answer.
        """
        found: set[tuple[Any, ...]] = set()
        offset, most = 0, PAGE
        while True:
            page = CompiledQuery(f"{query} LIMIT {most} OFFSET {offset}")
            try:
                rows = (await self._graph.select(page, timeout=self._left())).rows
            except (DeadlineError, LimitError, UnavailableError):
                # It is too large to hold, or for the server's own limit of time.
                most //= 2
                if most < _LEAST_PAGE:
                    raise
                continue
            if not rows:
                break
            found.update(row for row in rows if None not in row and len(row) == width)
            offset += len(rows)
            if offset > self._most * _MOST_TYPES:
                raise UnavailableError("There are more rows than an index may hold.")
        if width == 3 and len(found) < offset:
            raise UnavailableError(
                f"{offset - len(found):,} labels came twice: the pages are no parts of one answer."
            )
        return found

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise UnavailableError(f"The labels took longer than {_SECONDS:g} s.")
        return min(_PAGE_SECONDS, left)
