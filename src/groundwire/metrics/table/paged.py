"""Tables over facts that the store makes: rows of one fact each, and sums.

Rows of one fact are sorted, counted and cut by the store, so that no fact is read but those that
are told; sums are added by it. It can do so where the calendar leaves no doubt which interval of
days a period is, in whatever series; other tables are made of all their facts by `fact_rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal

from groundwire.metrics.facts import paging
from groundwire.metrics.facts.model import (
    Fact,
    FactPage,
    FactStore,
    Holding,
    Interval,
    SortColumn,
)
from groundwire.metrics.profile import Metric
from groundwire.metrics.table.held_periods import HeldPeriods, InDoubtError, Whose
from groundwire.metrics.table.query import CHANNEL, ENTITY, GROUP, KIND, PERIOD, TableQuery
from groundwire.metrics.table.spans import Span, on_calendar
from groundwire.quantities import Period, PeriodGrain

_WIDE = Context(prec=1_200, Emax=999_999, Emin=-999_999)
_COLUMNS: dict[str, SortColumn] = {
    ENTITY: "entity",
    GROUP: "entity",
    CHANNEL: "channel",
    PERIOD: "start",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """A table that the store can make.

    Attributes:
        page: what is asked of the store.
        held: the periods that the store holds.
        periods: what the intervals of the page are called.
        asked: the periods that every entity was asked for; empty for rows by period.
        sums: by which columns the store adds facts; None where each row is one fact.
        statement: the SQL that runs.
    """

    page: FactPage
    held: HeldPeriods
    periods: dict[Interval, Period]
    asked: tuple[Period, ...]
    sums: tuple[SortColumn, ...] | None
    statement: str


class Planner:
    """Sees whether the store can make a table, and how."""

    def __init__(self, store: FactStore, query: TableQuery, metric: Metric, whose: Whose) -> None:
        """Plan a table of one metric."""
        self._store = store
        self._query = query
        self._metric = metric
        self._whose = whose

    def plan(self) -> Plan | None:
        """Return how the store makes the table, or None where all facts must be read."""
        query, whose = self._query, self._whose
        if any(one not in (*_COLUMNS, KIND) for one in query.by) or not whose.channels:
            return None
        adds = len(whose.entities) > 1 and not {ENTITY, GROUP} & {*query.by}
        adds |= len(whose.channels) > 1 and CHANNEL not in query.by
        adds |= len(query.periods) > 1 and PERIOD not in query.by
        holding = self._store.holding(self._metric.code)
        if holding is None or not holding.is_sortable or holding.unit is None:
            return None
        if adds and not (holding.is_single and holding.is_addable):
            return None
        held = HeldPeriods(self._store, query, self._metric, whose, holding)
        try:
            chosen = held.by_period() if PERIOD in query.by else self._asked(held)
        except InDoubtError:
            return None
        if not chosen:
            return None
        asked = () if PERIOD in query.by else tuple(one.period for one in chosen)
        if query.periods and asked:
            asked = query.periods
        periods = {one.interval: one.period for one in chosen}
        page = FactPage(
            self._metric.code,
            held.listed(),
            whose.channels,
            tuple(periods),
            self._order(),
            self._least(holding),
            self._most(holding),
            max(query.limit, 1),
            query.offset,
            query.as_of,
        )
        sums: tuple[SortColumn, ...] | None = None
        if adds:
            sums = tuple(dict.fromkeys(_COLUMNS[one] for one in query.by if one in _COLUMNS))
        return Plan(page, held, periods, asked, sums, paging.page_statement(page, holding, sums))

    def compared(self, plan: Plan, periods: Sequence[Period]) -> dict[str, Span] | None:
        """Return by the label of a period the span that it is compared with.

        A period that is compared with nothing is left out. None where it is in doubt which
        interval that is.
        """
        found: dict[str, Span] = {}
        for period in periods:
            try:
                earlier, intervals = plan.held.meant_before(period)
            except InDoubtError:
                return None
            if len(intervals) > 1:
                return None
            if earlier is not None and intervals:
                found[period.label] = Span(earlier, intervals.pop())
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

    def _asked(self, held: HeldPeriods) -> list[Span]:
        """The span of each period that is asked about; none where one is in doubt or not held."""
        newest = None if self._query.periods else self._newest(held)
        found: dict[Interval, Span] = {}
        asked = self._query.periods or ((newest,) if newest is not None else ())
        for period in asked:
            own, intervals = on_calendar(period, self._whose.calendar), held.meant(period)
            if own is None or len(intervals) != 1:
                return []
            (interval,) = intervals
            found[interval] = Span(own, interval)
        return [*found.values()] if len(found) == len(asked) else []

    def _newest(self, held: HeldPeriods) -> Period | None:
        """The newest period of the first grain that any of the entities has."""
        grains: Sequence[PeriodGrain] = self._metric.grains
        if self._query.grain:
            grains = [self._query.grain]
        return next((one for one in map(held.newest, grains) if one is not None), None)

    def _order(self) -> tuple[tuple[SortColumn, bool], ...]:
        """Return the columns that the store sorts by; ties by the keys."""
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
