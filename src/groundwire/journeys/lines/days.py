"""Days to come that a question about lines is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.tfl.line_payload import LineStatus, Status
from groundwire.journeys.times.moments import told_day
from groundwire.journeys.times.reading import read_time

# A day of service ends with its last trains, in the small hours of the next.
_SERVICE_BEGINS = time(4, 30)
_WEEKEND = re.compile(r"\bweekend\b", re.IGNORECASE)
_FEAST = re.compile(r"(?<![\w'’])(?:[A-Z][\w'’]{1,12} ){1,2}(?:Day|Eve)\b")
_SATURDAY, _SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class Days:
    """One day or several in a row.

    Attributes:
        begins, ends: the first and the last of them.
        called: the name of a feast by which one day was asked for, or empty.
    """

    begins: date
    ends: date
    called: str = ""

    @property
    def noon(self) -> datetime:
        """Noon of the first day, the moment by which statuses are told to hold."""
        return datetime.combine(self.begins, time(12), LONDON)

    @property
    def told(self) -> str:
        """The days as a sentence names them: "on Saturday 28 November 2026"."""
        if self.begins == self.ends:
            called = f"{self.called}, " if self.called else ""
            return f"on {called}{told_day(self.begins)}"
        return f"from {told_day(self.begins)} to {told_day(self.ends)}"

    def of(self, line: LineStatus) -> LineStatus:
        """A line with what is said of it in these days alone."""
        held = [replace(one, live=False) for one in line.statuses if self._overlaps(one)]
        return replace(line, statuses=tuple(held))

    def _overlaps(self, status: Status) -> bool:
        first = datetime.combine(self.begins, _SERVICE_BEGINS, LONDON)
        last = datetime.combine(self.ends + timedelta(days=1), _SERVICE_BEGINS, LONDON)
        return not status.validity or any(
            (one.begins is None or one.begins < last) and (one.ends is None or one.ends > first)
            for one in status.validity
        )


def read_days(said: str, now: datetime) -> Days | None:
    """Read days to come as people write them; None where that is today.

    Args:
        said: a date or words for one ("2026-11-28", "Saturday", "this weekend"); empty for now.
        now: the present moment in Europe/London.

    Raises:
        InputError: the text is not a day, or the day has passed.
    """
    if not said.strip():
        return None
    reading = read_time(said, None, None, now)
    assert reading is not None
    day = reading.when.date()
    if day < now.date():
        raise InputError(
            f"{told_day(day)} has passed: send today or a later date, such as {now.date()}"
        )
    ends = day
    if _WEEKEND.search(said) and day.weekday() in (_SATURDAY, _SUNDAY):
        ends = day + timedelta(days=_SUNDAY - day.weekday())
    feast = _FEAST.search(said)
    called = feast[0] if feast else ""
    return None if day == ends == now.date() else Days(day, ends, called)
