"""Dates of a question, in English and German; a bare year is a figure until a date is wanted."""

from __future__ import annotations

import re
from calendar import monthrange
from typing import NamedTuple

from groundwire.quantities import find_dates

_MONTHS = (
    "januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
    "november", "dezember",
)  # fmt: skip
_GERMAN = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})\.\s*)?(?P<name>{'|'.join(_MONTHS)})\s+(?P<year>\d{{4}})\b"
    r"|\b(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})\b",
    re.IGNORECASE,
)


class Days(NamedTuple):
    """A date or month: where it stands, and its first and last day, ISO 8601."""

    start: int
    end: int
    first: str
    last: str


def find_days(question: str) -> list[Days]:
    """All dates but bare years, in order."""
    german = [days for match in _GERMAN.finditer(question) if (days := _german(match))]
    taken = [(days.start, days.end) for days in german]
    others = [
        Days(*mention.span, mention.start.isoformat(), mention.end.isoformat())
        for mention in find_dates(question)
        if mention.grain != "year"
        and all(mention.span[1] <= start or end <= mention.span[0] for start, end in taken)
    ]
    return sorted((*german, *others))


def _german(match: re.Match[str]) -> Days | None:
    if match["name"]:
        year, month = int(match["year"]), _MONTHS.index(match["name"].lower()) + 1
        day = int(match["day"]) if match["day"] else None
    else:
        year, month, day = int(match["y"]), int(match["m"]), int(match["d"])
    if not 1 <= month <= 12 or not 1 <= year <= 9999:
        return None
    last = monthrange(year, month)[1]
    if day is not None and not 1 <= day <= last:
        return None
    return Days(
        match.start(),
        match.end(),
        f"{year:04}-{month:02}-{day or 1:02}",
        f"{year:04}-{month:02}-{day or last:02}",
    )
