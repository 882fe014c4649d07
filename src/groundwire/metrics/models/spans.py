"""Periods of a grain as days, how they are moved, and which of them the rows of an answer are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from groundwire.errors import InputError, LimitError
from groundwire.metrics.table.query import Key, TableQuery
from groundwire.quantities import FiscalCalendar, Period, interval_period, read_period
from groundwire.quantities.periods import later

Ranges = tuple[tuple[date, date], ...]
"""First and last days, both included."""

MONTHS_OF = {"month": 1, "quarter": 3, "half": 6, "year": 12}
GRAINS = ("day", "week", "month", "quarter", "half", "year")
MOST_PERIODS = 5_000

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Grain:
    """A grain on a calendar.

    Attributes:
        unit: one of `GRAINS`.
        week_start: first day of the week, 0 for Monday.
        month: month in which the year starts.
        day: day of the month on which it starts.
    """

    unit: str
    week_start: int = 0
    month: int = 1
    day: int = 1

    def first(self, day: date) -> date:
        """Return the first day of the period that holds a day."""
        if self.unit == "day":
            return day
        if self.unit == "week":
            return day - timedelta(days=(day.weekday() - self.week_start) % 7)
        if self.unit == "month":
            return day.replace(day=1)
        months = MONTHS_OF[self.unit]
        shifted = day - timedelta(days=self.day - 1)
        at = (shifted.month - self.month) % 12 % months
        start = later(shifted.replace(day=1), -at)
        return start + timedelta(days=self.day - 1)

    def last(self, day: date) -> date:
        """Return the last day of the period that holds a day."""
        return step(self.first(day), 1, self.unit) - _DAY


def step(day: date, count: int, unit: str) -> date:
    """Return a day so many units later; the month's last day where it has no such day.

    Raises:
        InputError: the day is outside what a date can hold.
    """
    try:
        if unit in ("day", "week"):
            return day + timedelta(days=count * (7 if unit == "week" else 1))
        return later(day, count * MONTHS_OF[unit])
    except (ValueError, OverflowError):
        raise InputError(f"{count} {unit}s from {day} is no date: ask for another period") from None


def moved(ranges: Ranges, offsets: Sequence[tuple[int, str]]) -> Ranges:
    """Return ranges moved back; the day after the last one is moved, so that months stay whole."""
    for count, unit in offsets:
        ranges = tuple(
            (step(low, -count, unit), step(high + _DAY, -count, unit) - _DAY)
            for low, high in ranges
        )
    return ranges


def moved_end(end: date, offsets: Sequence[tuple[int, str]]) -> date:
    """Return a last day moved back."""
    for count, unit in offsets:
        end = step(end + _DAY, -count, unit) - _DAY
    return end


def length(low: date, high: date) -> tuple[int, str]:
    """Return how long a range is: in months where it has whole ones, else in days."""
    if low.day == 1 and (high + _DAY).day == 1:
        return (high.year - low.year) * 12 + high.month - low.month + 1, "month"
    return (high - low).days + 1, "day"


def ranges_of(periods: Sequence[Period], fiscal_start: tuple[int, int]) -> Ranges:
    """Return the days of periods; a fiscal period is read on the model's calendar."""
    found: list[tuple[date, date]] = []
    for one in periods:
        period = one
        if one.fiscal and fiscal_start != (1, 1):
            expression = read_period(one.label)
            if expression is not None:
                reading = expression.on(FiscalCalendar(*fiscal_start), one.end)
                if reading.kind == "single":
                    period = reading.periods[0]
        found.append((period.start, period.end))
    return tuple(dict.fromkeys(found))


def axis(ranges: Ranges, grain: Grain) -> list[date]:
    """Return the first days of the periods that ranges touch, sorted.

    Raises:
        LimitError: there are more than 5,000.
    """
    found: set[date] = set()
    for low, high in ranges:
        at = grain.first(low)
        while at <= high:
            found.add(at)
            if len(found) > MOST_PERIODS:
                raise LimitError(
                    f"That is more than {MOST_PERIODS:,} periods: ask for fewer, or a coarser grain"
                )
            at = step(at, 1, grain.unit)
    return sorted(found)


def window_start(end: date, window: tuple[int, str] | None, to_date: Grain | None) -> date | None:
    """Return the first day of what a cumulative metric adds up; None: from the beginning."""
    if window is not None:
        return step(end + _DAY, -window[0], window[1])
    return None if to_date is None else to_date.first(end)


def is_whole(count: int, unit: str, grain: str) -> bool:
    """Return whether an offset moves every period of a grain onto another one."""
    if grain == "day":
        return unit in ("day", "week")
    if grain == "week":
        return unit == "week" or (unit == "day" and count % 7 == 0)
    return unit in MONTHS_OF and count * MONTHS_OF[unit] % MONTHS_OF[grain] == 0


class RowPeriods:
    """Tells the period of a row by its keys."""

    def __init__(self, query: TableQuery, grain: Grain | None, fiscal: tuple[int, int]) -> None:
        """Take the query, the grain of "period" among its keys, and the fiscal year's start."""
        self._query = query
        self._grain = grain
        self._fiscal = FiscalCalendar(*fiscal)
        self._is_fiscal = grain is not None and (grain.month, grain.day) == fiscal
        self._place = query.by.index("period") if "period" in query.by else None
        self._only = self._of_all()

    def __call__(self, keys: tuple[Key, ...]) -> tuple[Period | None, Period | None]:
        """Return the period of a row, and with `compare` the one before; None: not known."""
        if self._place is None or self._grain is None:
            return self._only
        first = keys[self._place]
        if not isinstance(first, date):
            return None, None
        now = self._named(first, self._grain.last(first))
        back = self._back()
        if back is None:
            return now, None
        earlier = self._grain.first(step(first, -back[0], back[1]))
        return now, self._named(earlier, self._grain.last(earlier))

    def _of_all(self) -> tuple[Period | None, Period | None]:
        if len(self._query.periods) != 1:
            return None, None
        only = self._query.periods[0]
        if not self._query.compare:
            return only, None
        (low, high), *_ = ranges_of((only,), (self._fiscal.month, self._fiscal.day))
        year = self._query.compare == "previous_year"
        ((start, end),) = moved(((low, high),), ((1, "year") if year else length(low, high),))
        return only, self._named(start, end)

    def _back(self) -> tuple[int, str] | None:
        if not self._query.compare or self._grain is None:
            return None
        if self._query.compare == "previous_period":
            return 1, self._grain.unit
        return (52, "week") if self._grain.unit == "week" else (1, "year")

    def _named(self, start: date, end: date) -> Period:
        return _called(start, end, self._fiscal if self._is_fiscal else FiscalCalendar())


@lru_cache(maxsize=20_000)
def _called(start: date, end: date, calendar: FiscalCalendar) -> Period:
    return interval_period(start, end, calendar)
