"""The label index of a store: written once beside it, opened ever after.

Like a store it is named by the hash of what went into it, so a changed store has another index.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from groundwire.errors import UnavailableError
from groundwire.graph.pool import Child, EndedError
from groundwire.graph.stores import HASHED_BYTES, UNUSED_DAYS
from groundwire.private_files import NoRoomError, kept_or_scratch
from groundwire.sparql.label_file import ASIDE, VERSION, Progress
from groundwire.sparql.labels import LabelIndex

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
    """Remove label indexes that nobody opened for `unused_days`, and left-over builds."""
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
