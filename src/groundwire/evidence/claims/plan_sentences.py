"""Sentences that set the plans of a trip beside each other, as sequences of words known in full.

"The plan by the District line is three minutes slower than the first" is made of plans, lines,
lengths of time and words that compare. A sentence with any other word in it is not read here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from groundwire.evidence.claims.compared_plans import Trip
from groundwire.evidence.claims.context import PassageContext
from groundwire.language.ordinals import place_at
from groundwire.quantities import Quantity

# The kinds of words in the order in which they are tried; where two begin at one place, the
# longer counts.
_KINDS = (
    "ordinal", "least", "most", "others", "alternative", "all", "both", "them", "noun", "take",
    "longer", "quicker", "more", "less", "than", "against", "instead", "change", "none", "exist",
    "is", "by", "from", "to", "of", "glue",
)  # fmt: skip
_SILENT = re.compile(r"[\s,.:()（），。：、“”\"'’*–—-]+")
_STOP = re.compile(r"[;；]")
_LINE_BEHIND = re.compile(r" ?(?:lines?\b|linien?\b|号?线)", re.IGNORECASE)
_PLACES = frozenset(("from", "to", "of"))


@dataclass(frozen=True, slots=True)
class Word:
    """A word, name or figure of a sentence about plans.

    Attributes:
        kind: a key of the word lists, or "lines", "place", "minutes", "number", "stop".
        start: where it begins.
        end: where it ends.
        number: the figure, or the number of an ordinal.
        names: keys of lines, or the key of a place.
    """

    kind: str
    start: int
    end: int
    number: Decimal = Decimal(0)
    names: tuple[str, ...] = ()


@cache
def _vocabulary() -> Mapping[str, re.Pattern[str]]:
    text = (files("groundwire.evidence.claims") / "plan_comparison.toml").read_text("utf-8")
    languages = tomllib.loads(text)
    found: dict[str, re.Pattern[str]] = {}
    for kind in _KINDS:
        latin = "|".join(one for lang in ("en", "de") for one in languages[lang][kind])
        han = "|".join(languages["zh"][kind])
        found[kind] = re.compile(rf"\b(?:{latin})\b|{han}", re.IGNORECASE)
    return found


def words_in(text: str, context: PassageContext, trips: Sequence[Trip]) -> tuple[list[Word], bool]:
    """Return the known words of a passage, and whether it has no others.

    Args:
        text: the draft.
        context: the passage.
        trips: the trips whose lines and places it may name.
    """
    passage = context.passage
    figures = {q.span[0]: q for q in context.quantities}
    lines, places = _names_of(trips, "lines"), _names_of(trips, "ends")
    found: list[Word] = []
    at, is_whole = passage.start, True
    while at < passage.end:
        if (silent := _SILENT.match(text, at, passage.end)) is not None:
            at = silent.end()
            continue
        word = _word_at(text, at, passage.end, found, figures, lines, places)
        if word is None:
            is_whole = False
            at += 1
            continue
        at = word.end
        if word.kind == "lines" and found and found[-1].kind == "lines":
            found[-1] = Word("lines", found[-1].start, word.end, Decimal(0),
                             (*found[-1].names, *word.names))  # fmt: skip
        elif word.kind != "glue":
            found.append(word)
    return [*_with_minutes(found)], is_whole


def _word_at(
    text: str,
    at: int,
    end: int,
    before: Sequence[Word],
    figures: Mapping[int, Quantity],
    lines: re.Pattern[str],
    places: re.Pattern[str],
) -> Word | None:
    """Return the word that begins here, or None."""
    if _STOP.match(text, at, end):
        return Word("stop", at, at + 1)
    if before and before[-1].kind in _PLACES and (place := places.match(text, at, end)):
        return Word("place", at, place.end(), names=(place[0].casefold(),))
    if (line := lines.match(text, at, end)) is not None:
        behind = _LINE_BEHIND.match(text, line.end(), end)
        last = behind.end() if behind else line.end()
        return Word("lines", at, last, names=(line[0].casefold(),))
    if (place := places.match(text, at, end)) is not None:
        return Word("place", at, place.end(), names=(place[0].casefold(),))
    known = [
        Word(kind, at, match.end(), Decimal(place_at(match[0]) if kind == "ordinal" else 0))
        for kind, pattern in _vocabulary().items()
        if (match := pattern.match(text, at, end))
    ]
    if (figure := figures.get(at)) is not None and not any(w.end > figure.span[1] for w in known):
        plain = figure.bound in (None, "about") and figure.value == figure.value.to_integral_value()
        if not plain or figure.unit not in (None, "min"):
            return None
        kind = "minutes" if figure.unit else "number"
        return Word(kind, at, figure.span[1], figure.value)
    return max(known, key=lambda one: one.end, default=None)


def _with_minutes(words: Sequence[Word]) -> Iterator[Word]:
    """Yield words; "64 and 66 minutes" and "55 against 64 minutes" have two lengths of time."""
    for place, word in enumerate(words):
        behind = [w for w in words[place + 1 : place + 3] if w.kind != "against"][:1]
        is_length = word.kind == "number" and behind and behind[0].kind == "minutes"
        yield Word("minutes", word.start, word.end, word.number) if is_length else word


def _names_of(trips: Sequence[Trip], what: str) -> re.Pattern[str]:
    names = {
        name
        for trip in trips
        for name in (
            trip.ends if what == "ends" else (one for plan in trip.plans for one in plan.lines)
        )
    }
    longest = sorted(names, key=lambda one: (-len(one), one))
    return re.compile("|".join(map(re.escape, longest)) or r"(?!)", re.IGNORECASE)
