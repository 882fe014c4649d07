"""Days on which lines of the embedded network have no service, and days on which services differ.

A day is known by its date ("25 December"), by its weekday, and as a bank holiday in England. Bank
holidays are computed by their rules; those that are proclaimed for one year are not known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.times.moments import easter
from groundwire.journeys.wording import day as spoken_day

BANK_HOLIDAY = "bank holiday"
# A day of service ends with its last trains, in the small hours of the next.
_BEGINS = timedelta(hours=4, minutes=30)
_DAY = timedelta(days=1)
_WEEKEND = (5, 6)


@dataclass(frozen=True, slots=True)
class NoService:
    """Lines and modes that do not run on some days.

    Attributes:
        on: the days, by any of their names.
        modes: ids of modes that do not run.
        lines: ids of lines that do not run.
    """

    on: frozenset[str]
    modes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceDays:
    """The days of service of a network.

    Attributes:
        none: what has no service, and when.
        differ: days on which services are other than usual, while nobody here knows which.
    """

    none: tuple[NoService, ...] = ()
    differ: frozenset[str] = frozenset()

    def rests(self, on: date, mode: str, line_id: str = "") -> bool:
        """Whether a line, or a mode, has no service on a day."""
        return mode in self.modes_without(on) or any(line_id in one.lines for one in self._of(on))

    def modes_without(self, on: date) -> tuple[str, ...]:
        """Ids of the modes that have no service on a day."""
        return tuple(dict.fromkeys(mode for one in self._of(on) for mode in one.modes))

    def differs(self, on: date, reference: date | None = None) -> str:
        """Say of a day that its services differ, or return ""."""
        if self.differ.isdisjoint(names_of(on)):
            return ""
        why = " (a bank holiday in England)" if BANK_HOLIDAY in names_of(on) else ""
        return (
            f"{DIFFER} on {spoken_day(on, reference)}{why}, and how is not known offline: "
            "check them before you travel."
        )

    def _of(self, on: date) -> Iterable[NoService]:
        return (one for one in self.none if not one.on.isdisjoint(names_of(on)))


DIFFER = "TfL's services differ"
"""How the sentence on a day with other services begins."""
NO_SERVICE = "No service"
"""How the sentence on lines that do not run on a day begins."""
LEFT_OUT = "Left out, without service"
"""How the sentence on lines that a plan leaves out begins."""


def left_out(names: str, on: date, reference: date | None = None) -> str:
    """Say that lines are left out of plans of a day, as they have no service."""
    return f"{LEFT_OUT} that day ({spoken_day(on, reference)}): {names}."


def service_day(when: datetime) -> date:
    """The day whose service runs at a moment."""
    return (when.astimezone(LONDON).replace(tzinfo=None) - _BEGINS).date()


@lru_cache(maxsize=1024)
def names_of(on: date) -> frozenset[str]:
    """All that a day is called: "25 December", "Friday", and "bank holiday" where it is one."""
    weekday, _, dated = spoken_day(on, on).partition(" ")
    return frozenset((weekday, dated, *((BANK_HOLIDAY,) if on in _bank_holidays(on.year) else ())))


@lru_cache(maxsize=16)
def _bank_holidays(year: int) -> frozenset[date]:
    """The bank holidays of England, and the feasts themselves where another day stands for them."""
    sunday = easter(year)
    fixed = [date(year, 1, 1), date(year, 12, 25), date(year, 12, 26)]
    found = {*fixed, sunday - 2 * _DAY, sunday + _DAY}
    found |= {_monday(date(year, 5, 1)), _monday(date(year, 5, 25)), _monday(date(year, 8, 25))}
    for one in fixed:
        # England moves a bank holiday from a weekend to the next free working day.
        if one.weekday() in _WEEKEND:
            while one.weekday() in _WEEKEND or one in found:
                one += _DAY
            found.add(one)
    return frozenset(found)


def _monday(first: date) -> date:
    """The first Monday from a day on."""
    return first + -first.weekday() % 7 * _DAY
