"""Documents as sources: their passages, with offsets in their text and places for a reader."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from groundwire.documents.blocks import Progress, tidy
from groundwire.documents.bounds import read_bytes
from groundwire.documents.chunks import chunks
from groundwire.documents.reading import read
from groundwire.errors import LimitError
from groundwire.evidence.handle import new_handle
from groundwire.learning.cards import store
from groundwire.statefile import StateFile

LONGEST_PASSAGE = 1_200
"""Characters of a passage; a longer paragraph is cut at the ends of sentences."""

MOST_PASSAGES = 200_000
"""Passages that one source may have."""

LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class SourceReport:
    """The result of taking in a document.

    Attributes:
        source_id: its id.
        title: its title.
        passages: passages that were added; 0 where the same file was there already.
        characters: characters of its text.
        notes: what could not be read of it, for people.
    """

    source_id: str
    title: str
    passages: int
    characters: int
    notes: tuple[str, ...]


def import_source(
    state: StateFile,
    owner: str,
    path: Path,
    *,
    now_ms: int,
    title: str = "",
    progress: Progress | None = None,
) -> SourceReport:
    """Read a document and keep its passages, all of them or nothing.

    The same file is taken once. One that changed is another source: cards go on quoting the
    passages that proved them.

    Args:
        state: the file of learning.
        owner: whose source.
        path: text, Markdown, HTML, DOCX or PDF.
        now_ms: the present, milliseconds since 1970 in UTC.
        title: its title; "" takes that of its front matter, else the file's name.
        progress: told of the name of the file, pages read, of how many.

    Raises:
        InputError: it is not there, broken, without text, or of no known format.
        LimitError: it is too large.
        ConfigurationError: the package that reads its format is not installed.
        UnavailableError: the file of learning cannot be written.
    """
    digest = hashlib.sha256(read_bytes(path)).hexdigest()
    with state.reading() as connection:
        row = (
            connection
            and connection.execute(
                "SELECT source_id, title FROM sources WHERE owner = ? AND hash = ?", (owner, digest)
            ).fetchone()
        )
    if row:
        return SourceReport(row[0], row[1], 0, 0, ("the same file is held already",))
    reading = read(path, progress)
    front = dict(reading.front)
    named = " ".join(tidy(title or front.get("title", "") or path.name).split())
    text = "\n".join(block.text for block in reading.blocks)
    passages = list(chunks(reading.blocks, LONGEST_PASSAGE))
    if len(passages) > MOST_PASSAGES:
        raise LimitError(f"The document {path.name} is too long: split it")
    source_id = new_handle("source")
    kind = path.suffix.lower().lstrip(".")
    with state.writing() as connection:
        connection.execute(
            "INSERT INTO sources (owner, source_id, title, kind, hash, added_ms) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (owner, source_id, named[:LONGEST_TITLE], kind, digest, now_ms),
        )
        store.add_passages(connection, owner, source_id, passages)
    return SourceReport(
        source_id, named[:LONGEST_TITLE], len(passages), len(text), tuple(reading.notes)
    )
