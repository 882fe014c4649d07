"""Which periods the facts of a series stand for, and which period lies before another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from groundwire.metrics.facts.model import Interval
from groundwire.quantities import (
    FiscalCalendar,
    Period,
    PeriodGrain,
    interval_period,
    read_period,
)
from groundwire.quantities.periods import MONTHS, later

_DAY = timedelta(days=1)
_LAST_REFERENCE = date(2199, 12, 31)
# Days between the first and the last, with the slack of fiscal years of 52 and 53 weeks.
LENGTHS: Mapping[PeriodGrain, tuple[int, int]] = {
    "day": (0, 0),
    "month": (27, 37),
    "quarter": (82, 106),
    "half": (173, 192),
    "nine_months": (264, 288),
    "year": (355, 379),
    "other": (0, 1_000_000),
}


@dataclass(frozen=True, slots=True)
class Span:
    """A period that a series has a fact for.

    Attributes:
        period: as it is called on the calendar of the entity.
        interval: the days of the fact, which for a stock may be the last day of the period.
    """

    period: Period
    interval: Interval


@lru_cache(maxsize=65_536)
def called(calendar: FiscalCalendar, start: date, end: date) -> Period:
    """Return what an interval is called on a calendar."""
    return interval_period(start, end, calendar)


@lru_cache(maxsize=4_096)
def on_calendar(period: Period, calendar: FiscalCalendar) -> Period | None:
    """Return the days that the name of a fiscal period means on a calendar.

    A period that is not fiscal is the same on every calendar.
    """
    if not period.fiscal:
        return period
    expression = read_period(period.label)
    if expression is None:
        return None
    reading = expression.on(calendar, min(period.end, _LAST_REFERENCE))
    if reading.kind == "since" and period.end == date.max:
        return replace(period, start=reading.periods[0].start)
    return reading.periods[0] if reading.kind == "single" else None


def asked_spans(
    intervals: Iterable[Interval],
    calendar: FiscalCalendar,
    asked: Sequence[Period],
    *,
    stock: bool,
    counted_at_end: bool,
) -> list[Span]:
    """Return the spans that answer for each of some periods, in their order.

    A fact of the very days answers first; then, of a stock, that of the last day; then, of a
    fiscal period, that of the one interval of its name.
    """
    held = set(intervals)
    found: list[Span] = []
    for one in asked:
        period = on_calendar(one, calendar)
        if period is None:
            continue
        interval = _standing_for(period, held, calendar, stock, counted_at_end)
        if interval is not None:
            found.append(Span(period, interval))
    return found


def _standing_for(
    period: Period,
    held: set[Interval],
    calendar: FiscalCalendar,
    stock: bool,
    counted_at_end: bool,
) -> Interval | None:
    exact = Interval(period.start, period.end)
    if exact in held:
        return exact
    if stock and period.start != period.end:
        last = Interval(period.end, period.end)
        if last in held:
            return last
    elif stock and counted_at_end:
        ended = [one for one in held if one.end == period.end]
        if len(ended) == 1:
            return ended[0]
    if period.fiscal:
        alike = [one for one in held if _has_name(one, period, calendar, stock=stock)]
        if len(alike) == 1:
            return alike[0]
    return None


def _has_name(interval: Interval, period: Period, calendar: FiscalCalendar, *, stock: bool) -> bool:
    """Return whether days are called as a period is; of a stock also those that end with a day."""
    if called(calendar, *interval).label == period.label:
        return True
    ended = None
    if stock and interval.start == interval.end:
        ended = _ended_by(calendar, interval.end, period.grain)
    return ended is not None and ended.label == period.label


def standing_for(
    period: Period,
    held: Set[Interval],
    calendar: FiscalCalendar,
    *,
    stock: bool,
    counted_at_end: bool,
) -> Iterator[Interval]:
    """Yield every interval that answers for a period in one series or another.

    Args:
        period: on the calendar.
        held: the intervals of all series.
        calendar: the calendar of their entities.
        stock: whether the last day of a period answers for it.
        counted_at_end: whether what ends on a day answers for the day.
    """
    for one in (Interval(period.start, period.end), Interval(period.end, period.end)):
        if one in held and (stock or one.start == period.start):
            yield one
    if stock and counted_at_end and period.start == period.end:
        yield from (one for one in held if one.end == period.end)
    if period.fiscal:
        yield from (one for one in held if _has_name(one, period, calendar, stock=stock))


def spans_of_grain(
    intervals: Iterable[Interval],
    calendar: FiscalCalendar,
    grain: PeriodGrain,
    within: Sequence[Period],
    *,
    stock: bool,
) -> list[Span]:
    """Return the spans of a grain, in order of time.

    Args:
        intervals: those that a series has facts for.
        calendar: the calendar of its entity.
        grain: how long they are.
        within: they begin and end within one of these; empty means any time.
        stock: whether a value at the last day of a period is the period's.
    """
    limits = [
        (one.start, one.end)
        for one in (on_calendar(period, calendar) for period in within)
        if one is not None
    ]
    found: dict[str, Span] = {}
    ends: list[Interval] = []
    for interval in intervals:
        period = called(calendar, *interval)
        if period.grain == grain:
            found[period.label] = Span(period, interval)
        elif stock and interval.start == interval.end:
            ends.append(interval)
    for interval in ends:
        period = _ended_by(calendar, interval.end, grain)
        if period is not None:
            found.setdefault(period.label, Span(period, interval))
    kept = [
        one
        for one in found.values()
        if not within
        or any(first <= one.period.start and one.period.end <= last for first, last in limits)
    ]
    return sorted(kept, key=lambda one: one.period.end)


def _ended_by(calendar: FiscalCalendar, day: date, grain: PeriodGrain) -> Period | None:
    """Return the period of a grain whose last day this is, or None."""
    months = MONTHS.get(grain)
    if months is None:
        return None
    period = called(calendar, later(day + _DAY, -months), day)
    return period if period.grain == grain else None


def before(
    period: Period, calendar: FiscalCalendar, how: Literal["previous_period", "previous_year"]
) -> Period | None:
    """Return the period of the same length that lies just before, or a year before.

    None for a period that is of no grain, and where the day does not exist.
    """
    if period.grain == "day" and how == "previous_period":
        day = period.start - _DAY
        return called(calendar, day, day)
    months = MONTHS.get(period.grain)
    if how == "previous_year":
        months = 12
    if months is None:
        return None
    try:
        start = later(period.start, -months)
        end = later(period.end + _DAY, -months) - _DAY
        if period.grain == "day":
            end = start
    except (ValueError, OverflowError):
        return None
    earlier = called(calendar, start, end)
    return earlier if earlier.grain == period.grain else None
