"""Which facts stand for a period: those of its very days, else of what its name stands for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import Fact, Interval
from groundwire.metrics.reading import Read
from groundwire.quantities import Period, PeriodGrain, interval_period
from groundwire.quantities.periods import MONTHS, later

# How far a fiscal year of 52 or 53 weeks, or a part of it, may end from the calendar's day.
_WEEKS_SLACK = timedelta(days=7)


def facts_for(state: State, read: Read, period: Period) -> tuple[Fact, ...]:
    """The fact that answers for a period, then those of sources that differ; none if not held.

    Args:
        state: the fact base.
        read: metric, entity and channel, and the day whose knowledge is asked for.
        period: the period.
    """
    facts = _of_days(state, read, period.start, period.end)
    if not facts and read.metric.measure == "stock":
        facts = _of_stock(state, read, period)
    if not facts and period.fiscal:
        # Fiscal years of 52 or 53 weeks end near the day that the calendar has.
        alike = [
            interval
            for interval in _intervals(state, read)
            if named(state, read.entity, interval).label == period.label
        ]
        if len(alike) == 1:
            facts = _of_days(state, read, *alike[0])
    return facts


def periods_since(state: State, read: Read, first: Period) -> tuple[Period, ...]:
    """The periods from `first` on that have a fact and are as long as it, in their order.

    A stock that is held at days has one for each period that such a day ends; where its days end
    none, they are what can be asked for themselves.

    Args:
        state: the fact base.
        read: metric, entity and channel, and the day whose knowledge is asked for.
        first: where the time that was asked for begins.
    """
    held = [
        named(state, read.entity, one)
        for one in reversed(_intervals(state, read))
        if one.start >= first.start
    ]
    alike = {one.label: one for one in held if one.grain == first.grain}
    if read.metric.measure == "stock":
        days = [one for one in held if one.start == one.end]
        ended = [_ended_by(state, read.entity, one.end, first) for one in days]
        for one in ended:
            if one is not None and one.start >= first.start:
                alike.setdefault(one.label, one)
        alike = alike or {one.label: one for one in days}
    return tuple(sorted(alike.values(), key=lambda one: one.end))


def _ended_by(state: State, entity: str, day: date, like: Period) -> Period | None:
    """The period whose last day this is, of the grain and the calendar of another, or None."""
    months = MONTHS.get(like.grain)
    if months is None:
        return None
    period = named(state, entity, Interval(later(day + timedelta(days=1), -months), day))
    one_calendar = state.profile.calendar(entity).is_calendar_year
    alike = period.grain == like.grain and (one_calendar or period.fiscal == like.fiscal)
    return period if alike else None


def _of_stock(state: State, read: Read, period: Period) -> tuple[Fact, ...]:
    """A stock holds at a day: the last one of the period that is asked for."""
    if period.start == period.end:
        # Its value of a year is that of this day only where the profile says so: a population
        # is often estimated at mid-year.
        return _of_ends(state, read, period.end) if read.metric.counted == "end" else ()
    facts = _of_days(state, read, period.end, period.end)
    if not facts and period.fiscal:
        near = [
            interval
            for interval in _intervals(state, read)
            if interval.start == interval.end and abs(interval.end - period.end) <= _WEEKS_SLACK
        ]
        if len(near) == 1:
            facts = _of_days(state, read, *near[0])
    return facts


def _of_ends(state: State, read: Read, day: date) -> tuple[Fact, ...]:
    """The facts of all periods that end on a day: of each publisher what it said last."""
    told = [
        fact
        for interval in _intervals(state, read)
        if interval.end == day
        for fact in _of_days(state, read, *interval)
    ]
    told.sort(key=lambda fact: fact.as_of, reverse=True)
    newest: dict[str, date] = {}
    standing = [
        fact for fact in told if newest.setdefault(fact.source.publisher, fact.as_of) == fact.as_of
    ]
    return tuple(
        fact for at, fact in enumerate(standing) if not at or fact.value != standing[0].value
    )


def _of_days(state: State, read: Read, start: date, end: date) -> tuple[Fact, ...]:
    key = (read.metric.code, read.entity, read.channel)
    return tuple(state.store.lookup(*key, start, end, read.as_of))


def _intervals(state: State, read: Read) -> Sequence[Interval]:
    return state.store.intervals(read.metric.code, read.entity, read.channel, read.as_of)


def named(state: State, entity: str, interval: Interval) -> Period:
    """Return the name of an interval on the calendar of an entity."""
    return interval_period(interval.start, interval.end, state.profile.calendar(entity))


def newest_period(
    state: State,
    metric: str,
    entity: str,
    channel: str,
    *,
    grain: PeriodGrain | None = None,
    as_of: date | None = None,
) -> Period | None:
    """The newest period that has a fact: of a grain, or of the first of the metric's that has one.

    Args:
        state: the fact base.
        metric: controlled code.
        entity: controlled code.
        channel: controlled code.
        grain: the grain that is asked for; None for the usual one.
        as_of: the day whose knowledge is asked for; None for now.
    """
    known = state.profile.metric_by_code[metric]
    periods = [
        named(state, entity, one) for one in state.store.intervals(metric, entity, channel, as_of)
    ]
    for wanted in [grain] if grain else [*known.grains, None]:
        for period in periods:
            at_a_day = known.measure == "stock" and period.start == period.end
            if wanted is None or period.grain == wanted or at_a_day:
                return period
    return None
