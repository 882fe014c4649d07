"""Which periods a table is about, by what a store holds: no fact is read for it.

What is known of all series of a metric decides for each of them, as long as no two intervals are
called alike on a calendar; where they are, the facts themselves must decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise

from groundwire.metrics.facts.model import FactPage, FactStore, Holding, Interval, Slice
from groundwire.metrics.profile import Metric
from groundwire.metrics.table.query import TableQuery
from groundwire.metrics.table.spans import (
    LENGTHS,
    Span,
    before,
    on_calendar,
    spans_of_grain,
    standing_for,
)
from groundwire.quantities import FiscalCalendar, Period, PeriodGrain

# The newest period of some entities is looked for among so many of all; beyond, facts are read.
_MOST_TRIED = 24


# First and last day, shortest and longest length, and whether single days count, as of a `Slice`.
_Bounds = tuple[date, date, int, int, bool]


class InDoubtError(Exception):
    """Facts must be read to know what a period is; never seen outside of tables over facts."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose facts are meant.

    Attributes:
        entities: codes of the entities, at least one.
        channels: codes of the channels.
        calendar: the calendar that all of the entities have.
        slice: the days between which their facts lie.
    """

    entities: tuple[str, ...]
    channels: tuple[str, ...]
    calendar: FiscalCalendar
    slice: Slice


class HeldPeriods:
    """The periods for which some entities of one calendar have facts of a metric.

    Attributes:
        holding: how the store holds the metric.
        calendar: the calendar of the entities.
    """

    def __init__(
        self, store: FactStore, query: TableQuery, metric: Metric, whose: Whose, holding: Holding
    ) -> None:
        """Begin; the store is asked as far as needed."""
        self.holding = holding
        self.calendar = whose.calendar
        self._store = store
        self._query = query
        self._metric = metric
        self._whose = whose
        self._stock = metric.measure == "stock"

    def listed(self) -> tuple[str, ...]:
        """Return the entities to name to the store; none where all that it holds are meant."""
        chosen = self._whose.entities
        return () if self.holding.entities <= frozenset(chosen) else chosen

    def of_grain(self, grain: PeriodGrain) -> Sequence[Span]:
        """Return the spans of a grain that are asked about, in order of time.

        Raises:
            InDoubtError: two intervals are called alike.
        """
        calendar, asked = self._whose.calendar, self._whose.slice
        bounds = asked.first, asked.last, asked.shortest, asked.longest, asked.days
        found = _spans_inside(
            self.holding, calendar, grain, self._stock, self._query.periods, bounds
        )
        if found is None:
            raise InDoubtError
        return found

    def by_period(self) -> Sequence[Span]:
        """Return the spans of rows by period, in order of time; none where none is held.

        Raises:
            InDoubtError: two intervals are called alike.
        """
        grains = self._grains()
        for grain in grains:
            spans = self.of_grain(grain)
            # Of one grain alone the page itself tells whether anything is held.
            if spans and (len(grains) == 1 or self._is_held(spans)):
                return spans
        return ()

    def newest(self, grain: PeriodGrain) -> Period | None:
        """Return the newest period of a grain that any of the entities has, or None.

        Raises:
            InDoubtError: two intervals are called alike, or it is too long ago.
        """
        spans = self.of_grain(grain)
        for one in reversed(spans[-_MOST_TRIED:]):
            if self._is_held([one]):
                return one.period
        if len(spans) > _MOST_TRIED:
            raise InDoubtError
        return None

    def meant(self, asked: Period) -> set[Interval]:
        """Return every interval that could answer for a period."""
        period = on_calendar(asked, self._whose.calendar)
        if period is None:
            return set()
        return {
            one
            for one in standing_for(
                period,
                _of_days(self.holding),
                self._whose.calendar,
                stock=self._stock,
                counted_at_end=self._metric.counted == "end",
            )
            if self._is_inside(one)
        }

    def meant_before(self, period: Period) -> tuple[Period | None, set[Interval]]:
        """Return the period that one is compared with, and every interval that could be it.

        Raises:
            InDoubtError: two intervals are called alike.
        """
        how = self._query.compare
        earlier = before(period, self._whose.calendar, how) if how else None
        if earlier is None:
            return None, set()
        intervals = self.meant(earlier)
        own = on_calendar(earlier, self._whose.calendar) or earlier
        if earlier.grain != "day":
            alike = [
                one
                for one in self._every_span(earlier.grain)
                if one.period.label == earlier.label and self._is_inside(one.interval)
            ]
            if alike and not intervals:
                own = alike[0].period
            intervals |= {one.interval for one in alike}
        return own, intervals

    def _every_span(self, grain: PeriodGrain) -> Sequence[Span]:
        spans = _spans_of(self.holding, self._whose.calendar, grain, self._stock)
        if spans is None:
            raise InDoubtError
        return spans

    def _grains(self) -> Sequence[PeriodGrain]:
        """The grains that rows by period may have; the first that is held is theirs."""
        query = self._query
        if query.grain is not None:
            return [query.grain]
        closed = [one for one in query.periods if one.end != date.max]
        if len(closed) > 1 and len({one.grain for one in closed}) == 1:
            return [closed[0].grain]
        lengths = [(one.end - one.start).days for one in closed]
        return [
            one for one in self._metric.grains if not lengths or LENGTHS[one][0] <= min(lengths)
        ]

    def _is_inside(self, interval: Interval) -> bool:
        """Whether an interval lies in the days that are read."""
        asked = self._whose.slice
        bounds = asked.first, asked.last, asked.shortest, asked.longest, asked.days
        return _lies_inside(interval, bounds)

    def _is_held(self, spans: Sequence[Span]) -> bool:
        """Whether any of the entities has a fact for any of some spans."""
        entities, channels = self.listed(), self._whose.channels
        whole = not entities and self.holding.channels <= frozenset(channels)
        if whole and self._query.as_of is None:
            return True
        intervals = tuple(one.interval for one in spans)
        return self._store.holds(
            FactPage(self._metric.code, entities, channels, intervals, as_of=self._query.as_of)
        )


@lru_cache(maxsize=64)
def _spans_of(
    holding: Holding, calendar: FiscalCalendar, grain: PeriodGrain, stock: bool
) -> tuple[Span, ...] | None:
    """All spans of a grain, in order of time; None where two intervals are called alike.

    Intervals also begin in the order of their periods then, so that a store can sort by them.
    """
    singles = [
        one
        for interval in holding.intervals
        for one in spans_of_grain((interval,), calendar, grain, (), stock=stock)
    ]
    singles.sort(key=lambda one: one.period.end)
    starts = [one.period.start for one in singles]
    if any(earlier >= later for earlier, later in pairwise(starts)):
        return None
    ends = [one.period.end for one in singles]
    if len({*ends}) < len(ends) or len({one.period.label for one in singles}) < len(singles):
        return None
    days = [one.interval.start for one in singles]
    if any(earlier >= later for earlier, later in pairwise(days)):
        return None
    return tuple(singles)


def _lies_inside(interval: Interval, bounds: _Bounds) -> bool:
    first, last, shortest, longest, days = bounds
    length = (interval.end - interval.start).days
    return (
        first <= interval.start
        and interval.end <= last
        and (shortest <= length <= longest or (days and not length))
    )


@lru_cache(maxsize=64)
def _spans_inside(
    holding: Holding,
    calendar: FiscalCalendar,
    grain: PeriodGrain,
    stock: bool,
    periods: tuple[Period, ...],
    bounds: _Bounds,
) -> tuple[Span, ...] | None:
    """The spans of a grain within some periods and the days that are read; None where in doubt."""
    spans = _spans_of(holding, calendar, grain, stock)
    if spans is None:
        return None
    if periods:
        within = [
            (one.start, one.end)
            for one in (on_calendar(one, calendar) for one in periods)
            if one is not None
        ]
        spans = [
            one
            for one in spans
            if any(first <= one.period.start and one.period.end <= last for first, last in within)
        ]
    return tuple(one for one in spans if _lies_inside(one.interval, bounds))


@lru_cache(maxsize=16)
def _of_days(holding: Holding) -> frozenset[Interval]:
    return frozenset(holding.intervals)


_NEVER = Interval(date.min, date.min)


class Narrowing:
    """Narrows the slices of a table that has no rows by period."""

    def __init__(
        self,
        store: FactStore,
        query: TableQuery,
        metrics: Sequence[Metric],
        whose: Mapping[FiscalCalendar, tuple[str, ...]],
        channels: tuple[str, ...],
    ) -> None:
        """Begin.

        Args:
            store: where the facts are.
            query: what is asked.
            metrics: its metrics.
            whose: codes of the entities by their calendars.
            channels: codes of the channels.
        """
        self._store = store
        self._query = query
        self._metrics = metrics
        self._whose = whose
        self._channels = channels

    def narrowed(self, slices: Sequence[Slice], grains: Sequence[PeriodGrain]) -> Sequence[Slice]:
        """Return slices of the intervals that can be told; as they are where that is in doubt.

        Args:
            slices: the slice of each metric.
            grains: where no period is asked for, the newest of the first of these that is held is.
        """
        try:
            held = [self._held(*one) for one in zip(self._metrics, slices, strict=True)]
            asked = self._query.periods or self._newest(held, grains)
            return [
                replace(one, intervals=tuple(self._needed(some, asked)) or (_NEVER,))
                for one, some in zip(slices, held, strict=True)
            ]
        except InDoubtError:
            return slices

    def _held(self, metric: Metric, asked: Slice) -> list[HeldPeriods]:
        """The holdings of a metric, for the entities of each calendar.

        Raises:
            InDoubtError: its values are computed, or there are none.
        """
        holding = self._store.holding(metric.code)
        if holding is None:
            raise InDoubtError
        return [
            HeldPeriods(
                self._store,
                self._query,
                metric,
                Whose(entities, self._channels, calendar, asked),
                holding,
            )
            for calendar, entities in self._whose.items()
        ]

    def _newest(
        self, held: Sequence[Sequence[HeldPeriods]], grains: Sequence[PeriodGrain]
    ) -> tuple[Period, ...]:
        """The newest period that anything is held for.

        Raises:
            InDoubtError: facts must be read for it, or two calendars have a name for its end.
        """
        for grain in grains:
            every = [one.newest(grain) for some in held for one in some]
            found = {one for one in every if one is not None}
            if found:
                end = max(one.end for one in found)
                newest = [one for one in found if one.end == end]
                if len(newest) > 1:
                    raise InDoubtError
                return (newest[0],)
        return ()

    def _needed(self, held: Sequence[HeldPeriods], asked: Sequence[Period]) -> set[Interval]:
        """The intervals that can stand for some periods, or for those they are compared with."""
        found: set[Interval] = set()
        for some in held:
            for period in asked:
                found |= some.meant(period)
                own = on_calendar(period, some.calendar)
                if self._query.compare and own is not None:
                    found |= some.meant_before(own)[1]
        return found
