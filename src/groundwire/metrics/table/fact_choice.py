"""Tables over facts: which facts one is of, which values may be added, what the store makes itself.

Rows of one fact are sorted, counted and cut by the store, so that no fact is read but those that
are told; sums are added by it. It can do so where the calendar leaves no doubt which interval of
days a period is, in whatever series; other tables are made of all their facts by `fact_rows`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_FLOOR, Context, Decimal
from functools import cached_property

from groundwire.errors import InputError
from groundwire.metrics.derive import why_not_over
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
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.table.held_periods import HeldPeriods, InDoubtError, Whose
from groundwire.metrics.table.query import (
    CHANNEL,
    ENTITY,
    GEOGRAPHY,
    GROUP,
    KIND,
    OF_ENTITIES,
    PERIOD,
    AmbiguousQueryError,
    Condition,
    Key,
    TableQuery,
)
from groundwire.metrics.table.spans import LENGTHS, Span, on_calendar
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import listed
from groundwire.quantities import FiscalCalendar, Period, PeriodGrain

_EXACT = Context(prec=400)


@dataclass(frozen=True, slots=True)
class Series:
    """The facts of one metric, entity and channel by their days."""

    entity: str
    channel: str
    calendar: FiscalCalendar
    facts: Mapping[Interval, tuple[Fact, ...]]


@dataclass(frozen=True, slots=True)
class Term:
    """A fact on its way into a row.

    Attributes:
        facts: the fact that answers, then those of sources that differ.
        period: what its days are called.
    """

    facts: tuple[Fact, ...]
    period: Period

    @property
    def fact(self) -> Fact:
        """The fact that answers."""
        return self.facts[0]


def total(terms: Sequence[Term]) -> Decimal:
    """Return the exact sum of some facts."""
    value = Decimal(0)
    for one in terms:
        value = _EXACT.add(value, one.fact.value)
    return value


_WINDOW = timedelta(days=800)
_SLACK = timedelta(days=8)
_YEAR = timedelta(days=380)


class ChosenFacts:
    """The facts that a query chooses, with notes on those that it leaves out."""

    def __init__(self, profile: Profile, store: FactStore, query: TableQuery) -> None:
        """Read what the query is about.

        Raises:
            AmbiguousQueryError: it does not say whose values are meant.
            InputError: it would add what must not be added.
        """
        self._profile = profile
        self._store = store
        self._query = query
        self._metrics = [profile.metric_by_code[code] for code in query.metrics]
        self._notes: list[str] = []
        self._lacking: tuple[str, ...] = ()
        if len({one.kind for one in self._metrics}) > 1:
            raise InputError(
                f"{listed([one.label for one in self._metrics])} are held of different kinds of "
                "entity: send metrics of one kind."
            )
        self._kind = self._metrics[0].kind
        self._entities = self._chosen_entities()
        self._channels = self._chosen_channels()
        self._check_sums()

    def _conditions(self, dimension: str) -> Iterable[Condition]:
        return (one for one in self._query.conditions if one.dimension == dimension)

    def _chosen_entities(self) -> tuple[str, ...]:
        """The entities that rows may be of, in the order of the profile."""
        profile, membership = self._profile, self._profile.membership
        chosen, named = [*profile.codes_by_kind.get(self._kind, ())], False
        for one in self._conditions(ENTITY):
            chosen, named = _kept(chosen, one), named or one.op == "in"
        for one in self._conditions(GROUP):
            groups = frozenset(map(str, one.values))
            inside = frozenset[str]().union(*(membership.parts_of(code) for code in groups))
            chosen = [code for code in chosen if (code in inside) == (one.op == "in")]
        known = profile.entity_by_code
        for one in self._conditions(GEOGRAPHY):
            chosen = _kept(chosen, one, lambda code: known[code].geography or None)
        for one in self._conditions(KIND):
            chosen = _kept(chosen, one, lambda _: self._kind)
        if not named:
            self._check_whose()
            wholes = [code for code in chosen if code in membership.parts]
            if GROUP in self._query.by:
                return tuple(wholes)
            if wholes:
                names = [profile.entity_by_code[code].name for code in wholes]
                noun = "entity that holds" if len(wholes) == 1 else "entities that hold"
                self._notes.append(
                    f"{len(wholes)} {noun} others: {listed(names, 3)} (name them in "
                    "`where`, or send by: group)"
                )
            return tuple(code for code in chosen if code not in membership.parts)
        if GROUP in self._query.by:
            return tuple(code for code in chosen if code in membership.parts)
        return tuple(chosen)

    def _check_whose(self) -> None:
        """Refuse a query that names no entity and is not broken down by any."""
        if any(one in self._query.by for one in OF_ENTITIES):
            return
        if any(True for one in OF_ENTITIES for _ in self._conditions(one)):
            return
        profile = self._profile
        home = profile.kinds[self._kind].home
        wholes = [one for one in profile.membership.parts if self._is_of_kind(one)]
        wholes.sort(key=lambda one: -len(profile.membership.parts_of(one)))
        offered = list(dict.fromkeys(filter(None, (home, *wholes))))[:4]
        names = [(code, profile.entity_by_code[code].name) for code in offered]
        raise AmbiguousQueryError(
            f"Whose {self._metrics[0].label} is meant? Send where: {{entity: ...}}, or by: entity.",
            "where",
            "",
            names,
        )

    def _is_of_kind(self, code: str) -> bool:
        return self._profile.entity_by_code[code].kind == self._kind

    def _chosen_channels(self) -> tuple[str, ...]:
        known = self._profile.channel_by_code.values()
        every = [one.code for one in known if not one.kinds or self._kind in one.kinds]
        conditions = list(self._conditions(CHANNEL))
        if not conditions:
            if CHANNEL not in self._query.by:
                return (TOTAL,)
            return tuple(code for code in every if code != TOTAL)
        chosen = every
        for one in conditions:
            chosen = _kept(chosen, one)
        if all(one.op != "in" for one in conditions):
            chosen = [code for code in chosen if code != TOTAL]
        return tuple(chosen)

    @cached_property
    def _calendars(self) -> tuple[FiscalCalendar, ...]:
        return self._profile.calendars(self._entities)

    def _slice(self, metric: Metric) -> Slice:
        """Return the request to the store for one metric."""
        query = self._query
        low, high = self._days(metric)
        grains: list[PeriodGrain] = [query.grain] if query.grain else []
        if not grains:
            grains = [one.grain for one in query.periods if one.end != date.max]
            if PERIOD in query.by or not grains:
                grains = [*grains, *metric.grains]
        lengths = [LENGTHS[one] for one in grains]
        lengths += [
            ((one.end - one.start).days,) * 2 for one in query.periods if one.grain == "other"
        ]
        shortest, longest = min(one[0] for one in lengths), max(one[1] for one in lengths)
        if metric.counted == "end" and any(one.grain == "day" for one in query.periods):
            longest = max(longest, LENGTHS["year"][1])
        every = self._profile.codes_by_kind.get(self._kind, ())
        entities = self._entities if 2 * len(self._entities) < len(every) else ()
        return Slice(
            metric.code,
            entities,
            self._channels,
            low,
            high,
            shortest,
            longest,
            metric.measure == "stock",
            query.as_of,
        )

    def _days(self, metric: Metric) -> tuple[date, date]:
        """The first and last day that the facts lie between."""
        query = self._query
        if not query.periods:
            if PERIOD in query.by or query.as_of is not None:
                return date.min, date.max
            covered = self._store.coverage(metric.code)
            if covered is None:
                return date.min, date.max
            try:
                return covered.last - _WINDOW - _YEAR, date.max
            except OverflowError:
                return date.min, date.max
        found = [
            one
            for period in query.periods
            for calendar in self._calendars
            if (one := on_calendar(period, calendar)) is not None
        ] or [*query.periods]
        low, high = min(one.start for one in found), max(one.end for one in found)
        # Only fiscal years of 52 or 53 weeks, and their parts, end beside their calendar's days.
        weeks = any(one.fiscal for one in query.periods) and any(
            not calendar.is_calendar_year for calendar in self._calendars
        )
        slack = _SLACK if weeks else timedelta()
        back = slack + (_YEAR if query.compare else timedelta())
        try:
            low -= back
        except OverflowError:
            low = date.min
        return low, min(high, date.max - slack) + slack

    def _check_sums(self) -> None:
        """Refuse a query whose rows would add what must not be added."""
        query = self._query
        for axis, codes, param in (
            (ENTITY, self._entities, "by: entity"),
            (CHANNEL, self._channels, "by: channel"),
        ):
            if len(codes) < 2 or axis in query.by or (axis == ENTITY and GROUP in query.by):
                continue
            for metric in self._metrics:
                if why := why_not_over(self._profile, metric, axis, codes):
                    raise InputError(f"Values are not added here: {why}. Send {param}.")
        if PERIOD in query.by:
            return
        if len(query.periods) > 1 or any(one.end == date.max for one in query.periods):
            for metric in self._metrics:
                why = why_not_over(self._profile, metric, PERIOD, ())
                if any(one.end == date.max for one in query.periods):
                    why = why or "the time that is asked about has no end"
                if why:
                    raise InputError(f"Values are not added here: {why}. Send by: period.")


def _kept(
    codes: Sequence[str], condition: Condition, of: Callable[[str], Key] | None = None
) -> list[str]:
    """Codes that meet a condition on listed values, themselves or by what `of` says of them."""
    wanted, inside = frozenset(condition.values), condition.op == "in"
    if of is None:
        return [code for code in codes if (code in wanted) == inside]
    return [code for code in codes if (of(code) in wanted) == inside]


def lineage_of(terms: Sequence[Term]) -> str:
    """Return where the facts that make up a value come from."""
    if len(terms) == 1:
        source = terms[0].fact.source
        return f"{source.doc}, {source.locator}"
    return listed(list(dict.fromkeys(one.fact.source.doc for one in terms)))


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
