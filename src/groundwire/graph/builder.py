"""The process that builds a store: it reads the files, counts what they hold, and ends.

A file with an error is left out whole, whatever stood before the error: half a file would
answer as if it were all of it. Blank nodes are renamed for each file, so that those of two
files never meet. JSON-LD contexts are never fetched, since no loader is installed for them.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox

from groundwire.graph.child import Message, Parent, limit_memory, refuse_sockets
from groundwire.graph.formats import (
    DEFAULT_GRAPH,
    Problem,
    Source,
    base_iri,
    check_xml,
    is_compressed,
    rdf_format,
    reason,
)
from groundwire.graph.layout import DATABASE, QUADS
from groundwire.graph.statistics import Statistics, collect, write_statistics

# Sources up to this many bytes are kept as quads that each worker reads into memory, where
# queries are three times as fast; larger ones as a database on disk, which opens at once.
IN_MEMORY = 16 << 20
# What a compressed file may grow to.
MAX_EXPANDED = 8 << 30
_REPORT_EVERY = 0.1
_CHUNK = 1 << 20

Report = Callable[[int, str], None]


class _Reader(io.RawIOBase):
    """A file that knows how far it was read, and ends where a bomb would go on."""

    def __init__(self, path: Path, report: Callable[[int], None]) -> None:
        self._raw = path.open("rb")
        self._file = gzip.GzipFile(fileobj=self._raw) if is_compressed(path) else self._raw
        self._report = report
        self._read = 0

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(_CHUNK if size < 0 else size)
        if not self._read:
            data = data.removeprefix(codecs.BOM_UTF8)
        self._read += len(data)
        if self._read > MAX_EXPANDED:
            raise OSError(f"it grows to more than {MAX_EXPANDED >> 30} GB")
        self._report(self._raw.tell())
        return data

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            self._file.close()
            self._raw.close()
        super().close()


class _Progress:
    """Bytes read so far, reported ten times a second at most."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._last = 0.0
        self.before = 0

    def reader(self, path: Path) -> _Reader:
        def moved(position: int) -> None:
            if time.monotonic() - self._last > _REPORT_EVERY:
                self._last = time.monotonic()
                self._report(self.before + position, path.name)

        return _Reader(path, moved)


def _parse(source: Source, reader: _Reader) -> Iterator[ox.Quad]:
    """The quads of one file, in the graph that its source says."""
    if rdf_format(source.path) == ox.RdfFormat.RDF_XML:
        with _Reader(source.path, lambda _: None) as document:
            check_xml(iter(lambda: document.read(_CHUNK), b""))
    quads = ox.parse(
        reader,  # type: ignore[arg-type]  # it is read from, and no more
        rdf_format(source.path),
        base_iri=base_iri(source.path),
        rename_blank_nodes=True,
        lenient=source.lenient,
    )
    if source.graph is None:
        yield from quads
        return
    graph = ox.NamedNode(source.graph) if source.graph else ox.DefaultGraph()
    for quad in quads:
        yield ox.Quad(quad.subject, quad.predicate, quad.object, graph)


def _problem(path: Path, error: Exception) -> Problem:
    """Where and why `path` cannot be read."""
    line = column = None
    if isinstance(error, SyntaxError):
        line, column = error.lineno, error.offset
    return Problem(str(path), line or 0, column, reason(error))


_UNREADABLE = (SyntaxError, OSError, ValueError, EOFError)


def build(folder: Path, sources: list[Source], report: Report) -> tuple[int, list[Problem]]:
    """Build a store of `sources` in `folder`: (number of quads, problems)."""
    size = sum(source.path.stat().st_size for source in sources if source.path.exists())
    compressed = any(is_compressed(source.path) for source in sources)
    if size <= IN_MEMORY and not compressed:
        store, problems = _in_memory(sources, report)
        with (folder / QUADS).open("wb") as file:
            store.dump(file, ox.RdfFormat.N_QUADS)
            file.flush()
            os.fsync(file.fileno())
    else:
        store, problems = _on_disk(folder / DATABASE, sources, report)
    report(size, "statistics")
    write_statistics(folder, _statistics(store, sources))
    return len(store), problems


def _statistics(store: ox.Store, sources: list[Source]) -> dict[str, Statistics]:
    """Of the default graph and of every graph that a source was put into, by name."""
    found = {DEFAULT_GRAPH: collect(store, ox.DefaultGraph())}
    for name in sorted({source.graph for source in sources if source.graph}):
        found[name] = collect(store, ox.NamedNode(name))
    return found


def _in_memory(sources: list[Source], report: Report) -> tuple[ox.Store, list[Problem]]:
    store = ox.Store()
    problems: list[Problem] = []
    progress = _Progress(report)
    for source in sources:
        try:
            with progress.reader(source.path) as reader:
                store.extend(_parse(source, reader))
                progress.before += source.path.stat().st_size
        except _UNREADABLE as error:
            problems.append(_problem(source.path, error))
    return store, problems


def _on_disk(folder: Path, sources: list[Source], report: Report) -> tuple[ox.Store, list[Problem]]:
    """Load in bulk; when a file turns out broken, find every broken one and load again."""
    problems: list[Problem] = []
    good = [source for source in sources if source.path.exists()]
    problems += [
        Problem(str(source.path), 0, None, "it is gone") for source in sources if source not in good
    ]
    while True:
        store = ox.Store(str(folder))
        try:
            _bulk_load(store, good, report)
            store.flush()
            store.optimize()
            return store, problems
        except _UNREADABLE:
            del store
            shutil.rmtree(folder)
            broken = _broken(good, report)
            if not broken:
                raise
            problems += broken.values()
            good = [source for source in good if source not in broken]


def _bulk_load(store: ox.Store, sources: list[Source], report: Report) -> None:
    progress = _Progress(report)
    for source in sources:
        with progress.reader(source.path) as reader:
            file_format = rdf_format(source.path)
            named = file_format.supports_datasets and source.graph is not None
            if named or source.lenient or file_format == ox.RdfFormat.RDF_XML:
                store.bulk_extend(_parse(source, reader))
            else:
                store.bulk_load(
                    reader,  # type: ignore[arg-type]  # it is read from, and no more
                    file_format,
                    base_iri=base_iri(source.path),
                    to_graph=ox.NamedNode(source.graph) if source.graph else None,
                )
        progress.before += source.path.stat().st_size


def _broken(sources: list[Source], report: Report) -> dict[Source, Problem]:
    """Every source that cannot be read to its end."""
    found: dict[Source, Problem] = {}
    progress = _Progress(report)
    for source in sources:
        try:
            with progress.reader(source.path) as reader:
                for _ in _parse(source, reader):
                    pass
        except _UNREADABLE as error:
            found[source] = _problem(source.path, error)
    return found


def main() -> None:
    """Build what the first message says, reporting progress, and end."""
    parent = Parent()
    request = parent.hear()
    if request is None:
        return
    folder, sources, memory = request
    limit_memory(memory)
    refuse_sockets()

    def report(done: int, name: str) -> None:
        parent.tell("progress", done, name)

    def work() -> Message:
        found = [Source(Path(path), *rest) for path, *rest in sources]
        triples, problems = build(Path(folder), found, report)
        return ("built", triples, [tuple(problem) for problem in problems])

    parent.tell_outcome(work)
