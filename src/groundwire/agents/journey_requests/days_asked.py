"""The day that a question beside a trip is asked of, also where it may be several."""

from __future__ import annotations

import re

from groundwire.agents.journey_requests.fillers import WORDS
from groundwire.agents.journey_requests.settings import blanked
from groundwire.journeys.times.reading import find_times

_ANOTHER_DAY = re.compile(
    r"(?<!\w)\w*day\b(?<!today)|\beve\b|\btomorrow\b|\bweekend\b|\d{4}-|[a-z]{3} \d|\d [a-z]{3}",
    re.I,
)
_NOW = re.compile(r"(?:right\s+)?now|today|tonight|at\s+the\s+moment|currently", re.IGNORECASE)
_OPEN = re.compile(
    rf"\b(?:(?:at|over|during|on|in)\s+)?(?:the\s+)?(?:{'|'.join(WORDS['open_days'])})\b", re.I
)


def times_said(text: str) -> list[str]:
    """Return the times of a question but "now"; else the words of a day that may be several.

    Who answers says that these name no date: the answer of today would stand for another day.
    """
    times = [one.raw for one in find_times(text) if not _NOW.fullmatch(one.raw)]
    return times or [one[0] for one in _OPEN.finditer(text)][:1]


def without_days(text: str) -> str:
    """Return a question without its times, and without days that may be several."""
    return _OPEN.sub(" ", blanked(text, [one.span for one in find_times(text)]))


def is_another_day(said: str) -> bool:
    """Return whether a time names a day, and not an hour of today alone."""
    return _ANOTHER_DAY.search(said) is not None or _OPEN.search(said) is not None
