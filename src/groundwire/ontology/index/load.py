"""Shape indexes from files, or from the cache when no file has changed."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from groundwire.ontology.index.files import digest_of, shape_files
from groundwire.ontology.index.model import ShapeIndex
from groundwire.ontology.index.stored import read_stored, write_stored


def load_index(
    sources: Sequence[Path],
    cache: Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> ShapeIndex:
    """The index of all shape and ontology files in `sources`.

    Args:
        sources: folders (read whole) and files of SHACL and OWL, as Turtle, JSON-LD, RDF/XML or
            N-Triples.
        cache: a folder for finished indexes, by the hash of the files' contents.
        progress: told the name of each file and domain while an index is built.

    Raises:
        InputError: a source does not exist, or no source holds a shape file.
    """
    files = shape_files(sources)
    digest = digest_of(files)
    known = read_stored(cache, digest) if cache else None
    if known is not None:
        return known
    from groundwire.ontology.index.build import build_index
    from groundwire.ontology.index.triples import read_graph

    with _no_collection():
        index = build_index(read_graph(files, progress), digest, progress)
        if cache:
            write_stored(cache, index)
    return index


@contextmanager
def _no_collection() -> Generator[None]:
    """No garbage collection meanwhile: of what a build makes, next to nothing is garbage.

    What is left of it lives long, so it is counted among the old objects, not the young ones.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
