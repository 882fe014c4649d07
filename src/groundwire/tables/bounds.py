"""How much a SQL query and its answer may be, and why a query is not run.

Standard library only: workers import it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_INSTANT = re.compile(r"(-?\d+-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)(?::?(\d\d))?)?")

MAX_QUERY = 50_000
"""Characters of one query; a longer one is refused before anything parses it."""

MAX_CELL = 10_000
"""Characters of one cell; what is longer is cut there and ends with CUT."""

MAX_BLOB = 32
"""Bytes of a blob that are shown, in hexadecimal, before its length."""

MAX_CELLS = 1_000_000
"""Cells of one answer; the rows end where the next would pass it."""

MAX_TEXT = 16 << 20
"""Characters of all cells of one answer; the rows end where the next would pass it."""

MAX_RAW = 5_242_880
"""Bytes of an answer that its audit block keeps (seed 003, "Logging")."""

CUT = f"… [cut at {MAX_CELL} characters]"
"""How a cell that was cut ends."""

CHUNK = 64
"""Rows that are fetched at a time."""


class Budget:
    """The room that one answer still has.

    Args:
        text: characters of all cells.
    """

    def __init__(self, text: int = MAX_TEXT) -> None:
        self._text = text
        self._cells = MAX_CELLS
        self.cut = 0

    def clipped(self, text: str) -> str:
        """`text`, cut at MAX_CELL; `cut` counts the cuts."""
        if len(text) <= MAX_CELL:
            return text
        self.cut += 1
        return text[:MAX_CELL] + CUT

    def takes(self, row: tuple[object, ...]) -> bool:
        """Whether the answer has room for `row`, which then counts as taken."""
        self._text -= sum(len(cell) for cell in row if isinstance(cell, str))
        self._cells -= len(row)
        return self._text >= 0 and self._cells >= 0


def instant(text: str) -> str:
    """Return a timestamp in ISO 8601; one without such a form (infinity, BC) stays as written."""
    match = _INSTANT.fullmatch(text)
    if match is None:
        return text
    day, time, hours, minutes = match.groups()
    return f"{day}T{time}" + (f"{hours}:{minutes or '00'}" if hours else "")


def blob(head: bytes, size: int) -> str:
    """A blob as answers show it: its first MAX_BLOB bytes in hexadecimal, and its length."""
    more = "…" if size > MAX_BLOB else ""
    return f"0x{head[:MAX_BLOB].hex().upper()}{more} ({size} bytes)"


def listed(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


_FEW = 20


class Refused(Exception):
    """The query is not run; the text says why, and what to send instead."""


def unfit(text: str) -> str:
    """Return the reason to refuse a text before it is parsed; "" where a parser should see it."""
    if not text.strip():
        return "The query is empty: send one SELECT statement."
    if len(text) > MAX_QUERY:
        return f"The query has {len(text)} characters and at most {MAX_QUERY} are read: shorten it."
    if "\0" in text:
        return "The query holds a NUL character: remove it."
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "The query holds half of a surrogate pair: remove it."
    return ""


def instead(name: str, known: Iterable[str]) -> str:
    """Say what to write for an unknown name: the nearest, or what there is."""
    names = sorted(known)
    folded = {known.rpartition(".")[2]: known for known in names}
    near = difflib.get_close_matches(name.lower().rpartition(".")[2], folded, n=3, cutoff=0.7)
    if near:
        return "did you mean " + ", ".join(folded[match] for match in near) + "?"
    if not names:
        return "there are none."
    if len(names) <= _FEW:
        return "there are " + ", ".join(names) + "."
    return "leave it out."
