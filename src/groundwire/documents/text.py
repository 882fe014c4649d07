"""Plain text: paragraphs are set apart by empty lines, or end with a line that ends a sentence."""

from __future__ import annotations

import re
from pathlib import Path

from groundwire.documents.blocks import Outline, Progress, Reading, clean, flowing
from groundwire.documents.bounds import read_bytes
from groundwire.documents.encoding import decoded

_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_ENDED = re.compile(r"[.!?:。！？：…]['\"”’」』）)]*$")


def read_text(path: Path, progress: Progress | None = None) -> Reading:
    """Read a text file."""
    outline = Outline()
    text = clean(decoded(read_bytes(path), path)).strip("\n")
    for lines in _paragraphs(text):
        outline.paragraph(flowing(lines))
    if progress is not None:
        progress(path.name, 1, 1)
    return Reading(tuple(outline.blocks))


def _paragraphs(text: str) -> list[list[str]]:
    if _EMPTY_LINE.search(text):
        return [part.split("\n") for part in _EMPTY_LINE.split(text)]
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        paragraphs[-1].append(line)
        if _ENDED.search(line.rstrip()):
            paragraphs.append([])
    return paragraphs
