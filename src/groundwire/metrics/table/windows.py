"""Rolling periods: the last months, quarters or years, counted back from the newest value.

"last 12 months" is the twelve whole months up to the newest day that a value covers, so that no
month of the window is one that nobody has counted yet.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from groundwire.metrics.table.words import term_of
from groundwire.quantities import CALENDAR_YEAR, Period, PeriodGrain, interval_period
from groundwire.quantities.periods import MONTHS, later

MOST_WINDOW = 400
_DAY = timedelta(days=1)
_GERMAN = re.compile(
    r"(?:in )?(?:den |die |der )?(?:letzten?|vergangenen?) (?P<count>\d{1,4}|[a-zäöüß]{2,10}) "
    r"(?P<unit>tagen?|monaten?|quartalen?|quartale|jahren?)",
    re.IGNORECASE,
)
_UNITS = {"tag": "days", "mon": "months", "qua": "quarters", "jah": "years"}


def in_english(raw: str) -> str:
    """Return a rolling period that is written in German in English; any other text as it is."""
    match = _GERMAN.fullmatch(" ".join(raw.split()))
    if match is None:
        return raw
    count = match["count"].lower()
    number = count if count.isdigit() else term_of("numbers", count)
    return f"last {number} {_UNITS[match['unit'][:3].lower()]}" if number else raw


def last_periods(grain: PeriodGrain, count: int, newest: date) -> tuple[Period, ...]:
    """Return the last whole periods of a grain that end on a day or before it, the oldest first.

    Args:
        grain: day, month, quarter, half or year; none of another.
        count: how many.
        newest: the newest day that a value covers.
    """
    found: list[Period] = []
    if grain == "day":
        days = (newest - timedelta(days=back) for back in range(count))
        found = [interval_period(day, day, CALENDAR_YEAR) for day in days]
    elif grain in MONTHS:
        length = MONTHS[grain]
        first = date(newest.year, (newest.month - 1) // length * length + 1, 1)
        while len(found) < count:
            end = later(first, length) - _DAY
            if end <= newest:
                found.append(interval_period(first, end, CALENDAR_YEAR))
            first = later(first, -length)
    return tuple(reversed(found))
