"""Where a quote stands in a passage, letter by letter; a near one is only offered."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.learning.cards.types import CardDraft, Gap, Passage

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


_WORD = "Sign"
_FIRST = ord("a")
# Signs of programs and of mathematics, and marks that are signs beside one of them: "?.", "!=".
_SIGN = "=<>&|+*/%^~#@$\\\\\u00ac\u00b1\u00d7\u00f7\u2190-\u22ff\u2600-\u26ff"
_ALONE = re.compile(rf"(?<![A-Za-z0-9_{_SIGN}])[!?:.-]?[{_SIGN}][{_SIGN}!?:.-]*+(?![A-Za-z0-9_])")
_NAMED = re.compile(rf"{_WORD}((?:[a-p]{{4}})+)")
_ENDS = ".!?:"
_LONGEST = 8
"""Characters of a sign; longer runs are lines and ornaments."""


def as_words(card: CardDraft, passage: Passage) -> tuple[CardDraft, Passage]:
    """Return a card and its passage with signs as words, if the card asks for one or about one."""
    is_sign = _ALONE.fullmatch(card.back.strip()) is not None
    if not is_sign and not any(len(one) > 1 for one in map(_sign, _ALONE.finditer(card.front))):
        return card, passage
    named = replace(
        card, front=_named(card.front), back=_named(card.back), quote=_named(card.quote)
    )
    text = _named(passage.text)
    if named == card or locate(named.quote, text) is None:
        return card, passage
    return named, replace(passage, text=text)


def with_signs(gaps: Sequence[Gap]) -> list[Gap]:
    """Return what is wrong with a card with its signs as they were written."""
    return [
        replace(
            gap,
            detail=_NAMED.sub(_written, gap.detail),
            suggestions=tuple(_NAMED.sub(_written, one) for one in gap.suggestions),
        )
        for gap in gaps
    ]


def _sign(found: re.Match[str]) -> str:
    """The sign of a match without the mark that ends its sentence."""
    return found.group().rstrip(_ENDS)


def _named(text: str) -> str:
    return _ALONE.sub(_word, text)


def _word(found: re.Match[str]) -> str:
    sign = _sign(found)
    if not 0 < len(sign) <= _LONGEST:
        return found.group()
    codes = "".join(f"{ord(char):04x}" for char in sign)
    letters = "".join(chr(_FIRST + int(digit, 16)) for digit in codes)
    text, start = found.string, found.start()
    before = " " if start and not text[start - 1].isspace() else ""
    rest = text[start + len(sign) :][:1]
    behind = " " if rest and not rest.isspace() else ""
    return f"{before}{_WORD}{letters}{behind}{found.group()[len(sign) :]}"


def _written(found: re.Match[str]) -> str:
    codes = "".join(f"{ord(letter) - _FIRST:x}" for letter in found.group(1))
    return "".join(chr(int(codes[n : n + 4], 16)) for n in range(0, len(codes), 4))
