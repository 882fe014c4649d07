"""Tables over facts whose rows are one fact each: the store sorts, counts and cuts them.

Such a table needs no fact but those that it tells. It can be cut by the store where the calendar
leaves no doubt which interval of days a period is, in whatever series; other tables are made of
all their facts by `fact_rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_FLOOR, Context, Decimal
from functools import lru_cache
from itertools import pairwise

from groundwire.metrics.facts import paging
from groundwire.metrics.facts.model import (
    Fact,
    FactPage,
    FactStore,
    Holding,
    Interval,
    Slice,
    SortColumn,
)
from groundwire.metrics.profile import Metric
from groundwire.metrics.table.axes import CHANNEL, ENTITY, GROUP, KIND, PERIOD
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

_WIDE = Context(prec=1_200, Emax=999_999, Emin=-999_999)
_COLUMNS: dict[str, SortColumn] = {
    ENTITY: "entity",
    GROUP: "entity",
    CHANNEL: "channel",
    PERIOD: "start",
}
# The newest period of some entities is looked for among so many of all; beyond, facts are read.
_MOST_TRIED = 24


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


@dataclass(frozen=True, slots=True)
class Plan:
    """A table that the store can cut.

    Attributes:
        page: what is asked of the store.
        holding: how the store holds the metric.
        periods: what the intervals of the page are called.
        asked: the periods that every entity was asked for; empty for rows by period.
        statement: the SQL that runs.
    """

    page: FactPage
    holding: Holding
    periods: dict[Interval, Period]
    asked: tuple[Period, ...]
    statement: str


class Planner:
    """Sees whether the store can cut a table, and how."""

    def __init__(self, store: FactStore, query: TableQuery, metric: Metric, whose: Whose) -> None:
        """Plan a table of one metric."""
        self._store = store
        self._query = query
        self._metric = metric
        self._whose = whose
        self._stock = metric.measure == "stock"

    def plan(self) -> Plan | None:
        """Return how the store cuts the table, or None where all facts must be read."""
        query, whose = self._query, self._whose
        if any(one not in (*_COLUMNS, KIND) for one in query.by):
            return None
        if len(whose.entities) > 1 and not {ENTITY, GROUP} & {*query.by}:
            return None
        if len(whose.channels) != 1 and CHANNEL not in query.by:
            return None
        holding = self._store.holding(self._metric.code)
        if holding is None or not holding.is_sortable or holding.unit is None:
            return None
        chosen = self._spans_by_period(holding) if PERIOD in query.by else self._asked(holding)
        if not chosen:
            return None
        asked = () if PERIOD in query.by else (chosen[0].period,)
        if query.periods and asked:
            asked = query.periods
        periods = {one.interval: one.period for one in chosen}
        page = FactPage(
            self._metric.code,
            self._listed(holding),
            whose.channels,
            tuple(periods),
            self._order(),
            self._least(holding),
            self._most(holding),
            max(query.limit, 1),
            query.offset,
            query.as_of,
        )
        statement = f"{paging.page_query(page, holding).strip()}\n-- {paging.told(page)}"
        return Plan(page, holding, periods, asked, statement)

    def compared(self, plan: Plan, periods: Sequence[Period]) -> dict[str, Span] | None:
        """Return by the label of a period the span that it is compared with.

        A period that is compared with nothing is left out. None where it is in doubt which
        interval that is.
        """
        how, whose = self._query.compare, self._whose
        assert how
        found: dict[str, Span] = {}
        for period in periods:
            earlier = before(period, whose.calendar, how)
            if earlier is None:
                continue
            intervals = self._meant(plan.holding, earlier)
            if earlier.grain != "day":
                spans = _grain_spans(plan.holding, whose.calendar, earlier.grain, self._stock)
                if spans is None:
                    return None
                intervals |= {
                    one.interval
                    for one in spans
                    if one.period.label == earlier.label and self._is_inside(one.interval)
                }
            if len(intervals) > 1:
                return None
            if intervals:
                own = on_calendar(earlier, whose.calendar) or earlier
                found[period.label] = Span(own, intervals.pop())
        return found

    def facts_compared(
        self, plan: Plan, facts: Sequence[Fact]
    ) -> dict[tuple[str, str, str], tuple[Fact, Period]] | None:
        """Return what some facts are compared with, by entity, channel and label of the period.

        None where it is in doubt what that is.
        """
        periods = [plan.periods[Interval(one.start, one.end)] for one in facts]
        spans = self.compared(plan, list(dict.fromkeys(periods)))
        if spans is None:
            return None
        entities = tuple(dict.fromkeys(one.entity for one in facts))
        intervals = tuple(dict.fromkeys(one.interval for one in spans.values()))
        held: dict[tuple[str, str, Interval], Fact] = {}
        pairs = [
            (one, period, spans[period.label])
            for one, period in zip(facts, periods, strict=True)
            if period.label in spans
        ]
        if len(entities) * len(intervals) > 2 * len(facts):
            for one, _, span in pairs:
                days, as_of = span.interval, self._query.as_of
                some = self._store.lookup(one.metric, one.entity, one.channel, *days, as_of)
                if some:
                    held[one.entity, one.channel, days] = some[0]
        elif intervals:
            page = FactPage(
                self._metric.code,
                entities,
                self._whose.channels,
                intervals,
                limit=len(entities) * len(intervals) * len(self._whose.channels) + 1,
                as_of=self._query.as_of,
            )
            for some in self._store.page(page).facts:
                one = some[0]
                held[one.entity, one.channel, Interval(one.start, one.end)] = one
        return {
            (one.entity, one.channel, period.label): (held[key], span.period)
            for one, period, span in pairs
            if (key := (one.entity, one.channel, span.interval)) in held
        }

    def _listed(self, holding: Holding) -> tuple[str, ...]:
        """The entities to name to the store; none where all that it holds are meant."""
        chosen = self._whose.entities
        return () if holding.entities <= frozenset(chosen) else chosen

    def _is_whole(self, holding: Holding) -> bool:
        """Whether every fact of the metric is meant."""
        return (
            self._query.as_of is None
            and not self._listed(holding)
            and holding.channels <= frozenset(self._whose.channels)
        )

    def _is_inside(self, interval: Interval) -> bool:
        """Whether an interval lies in the days that are read."""
        asked, length = self._whose.slice, (interval.end - interval.start).days
        return (
            asked.first <= interval.start
            and interval.end <= asked.last
            and (asked.shortest <= length <= asked.longest or (asked.days and not length))
        )

    def _of_grain(self, holding: Holding, grain: PeriodGrain) -> list[Span] | None:
        """The spans of a grain that are asked about, in order of time; None where in doubt."""
        spans = _grain_spans(holding, self._whose.calendar, grain, self._stock)
        if spans is None:
            return None
        within = [
            (one.start, one.end)
            for one in (on_calendar(one, self._whose.calendar) for one in self._query.periods)
            if one is not None
        ]
        if self._query.periods:
            spans = [
                one
                for one in spans
                if any(
                    first <= one.period.start and one.period.end <= last for first, last in within
                )
            ]
        return [one for one in spans if self._is_inside(one.interval)]

    def _spans_by_period(self, holding: Holding) -> list[Span] | None:
        """The spans of the rows by period; none where they are in doubt or there are none."""
        for grain in self._grains():
            spans = self._of_grain(holding, grain)
            if spans is None:
                return None
            if spans and self._is_held(holding, spans):
                return spans
        return None

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

    def _asked(self, holding: Holding) -> list[Span] | None:
        """The one span that is asked about; none where it is in doubt or there is none."""
        query, whose = self._query, self._whose
        if len(query.periods) > 1:
            return None
        period = query.periods[0] if query.periods else self._newest(holding)
        if period is None:
            return None
        own = on_calendar(period, whose.calendar)
        intervals = self._meant(holding, period)
        if own is None or len(intervals) != 1:
            return None
        return [Span(own, intervals.pop())]

    def _newest(self, holding: Holding) -> Period | None:
        """The newest period that any of the entities has; None where in doubt."""
        for grain in self._grains_of_newest():
            spans = self._of_grain(holding, grain)
            if spans is None:
                return None
            for one in reversed(spans[-_MOST_TRIED:]):
                if self._is_held(holding, [one]):
                    return one.period
            if spans:
                return None
        return None

    def _grains_of_newest(self) -> Sequence[PeriodGrain]:
        return [self._query.grain] if self._query.grain else self._metric.grains

    def _is_held(self, holding: Holding, spans: Sequence[Span]) -> bool:
        """Whether any of the entities has a fact for any of some spans."""
        if self._is_whole(holding):
            return True
        return self._store.holds(
            FactPage(
                self._metric.code,
                self._listed(holding),
                self._whose.channels,
                tuple(one.interval for one in spans),
                as_of=self._query.as_of,
            )
        )

    def _meant(self, holding: Holding, asked: Period) -> set[Interval]:
        """Every interval that could answer for a period."""
        period = on_calendar(asked, self._whose.calendar)
        if period is None:
            return set()
        return {
            one
            for one in standing_for(
                period,
                _of_days(holding),
                self._whose.calendar,
                stock=self._stock,
                counted_at_end=self._metric.counted == "end",
            )
            if self._is_inside(one)
        }

    def _order(self) -> tuple[tuple[SortColumn, bool], ...]:
        """What the store sorts by; ties by the keys."""
        found: dict[SortColumn, bool] = {}
        for one in self._query.order:
            column = "value" if one.by == self._metric.code else _COLUMNS.get(one.by)
            if column is not None:
                found.setdefault(column, one.descending)
        for code in self._query.by:
            if code in _COLUMNS:
                found.setdefault(_COLUMNS[code], False)
        return tuple(found.items())

    def _least(self, holding: Holding) -> Decimal | None:
        """The least value that a row may have; all are multiples of the least exponent's power."""
        found: list[Decimal] = []
        for one in self._query.having:
            if isinstance(one.low, Decimal):
                found.append(one.low if one.low_included else _beside(one.low, holding.lowest, 1))
        return max(found, default=None)

    def _most(self, holding: Holding) -> Decimal | None:
        found: list[Decimal] = []
        for one in self._query.having:
            if isinstance(one.high, Decimal):
                found.append(
                    one.high if one.high_included else _beside(one.high, holding.lowest, -1)
                )
        return min(found, default=None)


def _beside(bound: Decimal, exponent: int, way: int) -> Decimal:
    """The next multiple of 10 ** exponent above (`way` 1) or below (-1) a number."""
    scaled = _WIDE.scaleb(_WIDE.multiply(bound, Decimal(way)), -exponent)
    following = _WIDE.add(scaled.to_integral_value(ROUND_FLOOR, _WIDE), Decimal(1))
    return _WIDE.scaleb(_WIDE.multiply(following, Decimal(way)), exponent)


@lru_cache(maxsize=64)
def _grain_spans(
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


@lru_cache(maxsize=16)
def _of_days(holding: Holding) -> frozenset[Interval]:
    return frozenset(holding.intervals)
