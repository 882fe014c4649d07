"""Where a quote stands in a passage, letter by letter; a near one is only offered."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

_SPACE = re.compile(r"\s+")
_SAME = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "ʼ": "'",
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-",
        "…": ".",
    }
)  # fmt: skip
_HIDDEN = frozenset("\u00ad\u200b\u200e\u200f\u2060\ufeff")
_LONGEST_NEAR = 20_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands in a text.

    Attributes:
        start: where it begins.
        stop: where it ends, exclusive.
        how: exact, or folded where only case, spaces, quotation marks or hyphens differ.
    """

    start: int
    stop: int
    how: Literal["exact", "folded"]


def locate(quote: str, text: str) -> Place | None:
    """Find a quote in a text.

    Returns:
        where it stands. Where only case, spaces, hidden characters or the forms of quotation marks
        and hyphens differ, the place is that of the text's own letters; None where it does not
        stand there.
    """
    wanted = quote.strip()
    if not wanted:
        return None
    start = text.find(wanted)
    if start >= 0:
        return Place(start, start + len(wanted), "exact")
    folded, _ = _folded(wanted)
    held, places = _folded(text)
    start = held.find(folded.strip())
    if not folded.strip() or start < 0:
        return None
    stop = start + len(folded.strip())
    return Place(places[start], places[stop - 1] + 1, "folded")


def _folded(text: str) -> tuple[str, list[int]]:
    """A text without what may differ in a quote, and where each of its letters stands."""
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char in _HIDDEN:
            continue
        if char.isspace():
            if letters and letters[-1] == " ":
                continue
            char = " "
        # Compatibility forms may be several letters: ligatures, full width.
        for one in unicodedata.normalize("NFKC", char.translate(_SAME)).casefold():
            letters.append(one)
            places.append(place)
    return "".join(letters), places


def nearest(quote: str, text: str) -> str:
    """Return the part of a text that a quote is most like, in whole words, or ""."""
    from rapidfuzz import fuzz

    text = text[:_LONGEST_NEAR]
    found = fuzz.partial_ratio_alignment(quote.strip()[:_LONGEST_NEAR], text, score_cutoff=60)
    if found is None:
        return ""
    start, stop = found.dest_start, found.dest_end
    while start > 0 and not text[start - 1].isspace() and text[start - 1].isascii():
        start -= 1
    while stop < len(text) and not text[stop].isspace() and text[stop].isascii():
        stop += 1
    return _SPACE.sub(" ", text[start:stop]).strip()
