"""Whether a year is of the era that its quote has: 44 BC is not 44."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.language import Reading, Span
from groundwire.learning.cards.types import Gap

_BEHIND = re.compile(
    r"\s{0,2}(?:(?P<before>b\.?\s?c\.?(?:\s?e\.?)?(?![a-z])|v\.\s?(?:chr|u\. ?z)|vor christus"
    r"|vor unserer zeit)|(?P<after>a\.?d\.?(?![a-z])|c\.?e\.?(?![a-z])|n\.\s?chr|nach christus))",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"(?:(?P<before>公元前|西元前|纪元前|(?<![以之])前)|(?P<after>公元|西元|A\.?D\.?))\s?$"
)
_REACH = 16


def era_gaps(
    asked: Reading, spans: Sequence[tuple[Span, Sequence[Span]]], held: Reading, said: Reading
) -> list[Gap]:
    """Return the gap of a year whose era is not that of its quote.

    Args:
        asked: the question, whose own era holds for a bare year.
        spans: the figures and dates of the back, each with where it stands in the quote.
        held: the quote.
        said: the back.
    """
    general = _any_era(asked.text)
    for span, places in spans:
        if not places or not any(map(str.isdigit, span.text)):
            continue
        own = _era(said.text, span) or general
        eras = [_era(held.text, place) for place in places]
        if own in eras or (own == "after" and None in eras) or "before" not in {own, *eras}:
            continue
        place = places[0]
        text = held.text[max(0, place.start - 4) : place.end + 8].strip()
        return [Gap("date", f"The quote has another era than {span.text[:40]!r}.", (text,))]
    return []


def _era(text: str, span: Span) -> str | None:
    """The era that stands beside a year: `before`, `after`, or None where none is named."""
    for found in (
        _BEHIND.match(text, span.end, span.end + _REACH),
        _AHEAD.search(text[max(0, span.start - 4) : span.start]),
    ):
        if found is not None:
            return found.lastgroup
    return None


def _any_era(text: str) -> str | None:
    """The era that a question names anywhere."""
    for number, char in enumerate(text):
        if char.isspace() and (found := _BEHIND.match(text, number, number + _REACH)):
            return found.lastgroup
    found = _AHEAD.search(text) or re.search(r"(?P<before>公元前)", text)
    return found.lastgroup if found else None
