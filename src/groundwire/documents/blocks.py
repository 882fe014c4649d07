"""A paragraph of a document with its place, and the outline that places are counted in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from groundwire.vocabulary.fold import CJK, CJK_PLANES

# Told of the name of the file that is read, how much of it is done, and how much there is.
Progress = Callable[[str, int, int], None]

# Characters that no quotation shall hold: controls, halves of a pair, and what is never shown.
_UNSHOWN = re.compile("[\x00-\x08\x0e-\x1f\x7f\x80-\x9f\u00ad\u200b\u2060\ufeff]")
_HALF = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"[^\S\n]+")
_WIDE = re.compile(f"[{CJK}{CJK_PLANES}\u3000-\u303f\uff00-\uffef]")
_HEADING_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, list item, table or listing, in reading order.

    Attributes:
        text: what a reader of the document sees, without marks of its format.
        locator: where it stands: "section 'Outlook', paragraph 3" or "page 4, paragraph 2".
        heading: the heading that it stands under, or "".
    """

    text: str
    locator: str
    heading: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A document that was read.

    Attributes:
        blocks: its paragraphs, in reading order.
        notes: what could not be read, such as pages that are pictures.
        front: what the document says of itself ("sensitivity", "title"), names in lower case.
    """

    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()
    front: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Outline:
    """Takes the paragraphs of a document in order and counts them under their headings."""

    blocks: list[Block] = field(default_factory=list[Block])
    _heading: str = ""
    _place: str = ""
    _count: int = 0
    _seen: Counter[str] = field(default_factory=Counter[str])

    def heading(self, text: str) -> None:
        """Begin a section; one whose heading comes again is told apart by a number."""
        text = " ".join(clean(text).split())
        if not text:
            return
        self._heading, self._count = text, 0
        short = text if len(text) <= _HEADING_LENGTH else text[: _HEADING_LENGTH - 1] + "…"
        self._seen[short] += 1
        again = f" ({self._seen[short]})" if self._seen[short] > 1 else ""
        self._place = f"section '{short}'{again}, "

    def paragraph(self, text: str, what: str = "paragraph") -> None:
        """Take in a paragraph; one without a letter or digit is left out."""
        text = tidy(text)
        if not any(map(str.isalnum, text)):
            return
        self._count += 1
        self.blocks.append(Block(text, f"{self._place}{what} {self._count}", self._heading))


def clean(text: str) -> str:
    """A text without what cannot be shown or stored; every line ends by a line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").replace("\v", "\n")
    return _HALF.sub("\ufffd", _UNSHOWN.sub("", text))


def tidy(text: str) -> str:
    """A cleaned text with single spaces, without empty lines and spaces at the ends of lines."""
    lines = (_SPACES.sub(" ", line).strip() for line in clean(text).split("\n"))
    return "\n".join(line for line in lines if line)


def flowing(lines: Sequence[str]) -> str:
    """The lines of a paragraph as one; between Chinese characters without a space."""
    parts: list[str] = []
    for line in filter(None, (line.strip() for line in lines)):
        if parts and not (_WIDE.match(line) and _WIDE.match(parts[-1][-1])):
            parts.append(" ")
        parts.append(line)
    return "".join(parts)
