"""The rows of a table over facts: ranked, broken down and filtered, each from facts alone.

A row is one fact wherever it can be. Values are added only where nothing else can be meant: of
flows and stocks over entities that hold nothing together, of flows over channels or periods; and
only where every value that belongs to the sum is held.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cached_property

from groundwire.errors import InputError
from groundwire.metrics.facts.model import Fact, FactTotal, Interval, Slice
from groundwire.metrics.facts.paging import slice_statement
from groundwire.metrics.profile import Metric
from groundwire.metrics.table.fact_choice import (
    ChosenFacts,
    Plan,
    Planner,
    Series,
    Term,
    lineage_of,
    total,
)
from groundwire.metrics.table.held_periods import Narrowing, Whose
from groundwire.metrics.table.query import (
    CHANNEL,
    ENTITY,
    GEOGRAPHY,
    GROUP,
    KIND,
    PERIOD,
    Days,
    Difference,
    Key,
    TableRow,
    TableRows,
)
from groundwire.metrics.table.sorting import meets, sorted_rows
from groundwire.metrics.table.spans import (
    LENGTHS,
    Span,
    asked_spans,
    before,
    spans_of_grain,
)
from groundwire.metrics.wording import listed
from groundwire.quantities import Period, PeriodGrain

_MOST_NAMED = 5
Row = tuple[Key, ...]


class FactRows(ChosenFacts):
    """Answers one query from the facts of a profile."""

    def answer(self, *, dry_run: bool) -> TableRows:
        """Return the rows, or of a dry run only what would be asked of the store."""
        slices = [self._slice(metric) for metric in self._metrics]
        planner = self._planner(slices)
        plan = planner.plan() if planner is not None else None
        told = plan.statement if plan is not None else "\n".join(map(slice_statement, slices))
        if dry_run or not self._entities:
            return TableRows((), 0, statement=told, left_out=tuple(self._notes))
        if planner is not None and plan is not None:
            made = self._cut(planner, plan) if plan.sums is None else self._added(planner, plan)
            if made is not None:
                return made
        if PERIOD not in self._query.by:
            of = self._profile.by_calendar(self._entities)
            narrowing = Narrowing(self._store, self._query, self._metrics, of, self._channels)
            slices = narrowing.narrowed(slices, self._grains_of_newest())
        told = "\n".join(map(slice_statement, slices))
        held = [self._series(one) for one in slices]
        grain, asked = self._when(held)
        rows: dict[Row, dict[int, list[Term]]] = {}
        by_key: dict[tuple[int, str, str], Series] = {}
        for place, (metric, series) in enumerate(zip(self._metrics, held, strict=True)):
            for one in series:
                by_key[place, one.entity, one.channel] = one
                for span in self._spans(metric, one, grain, asked):
                    term = Term(one.facts[span.interval], span.period)
                    key = self._key(one, span.period)
                    rows.setdefault(key, {}).setdefault(place, []).append(term)
        made = [self._row(key, terms, by_key, asked) for key, terms in rows.items()]
        found = [row for row in made if any(value is not None for value in row.values)]
        if ENTITY in self._query.by:
            place = self._query.by.index(ENTITY)
            unlike = len(self._calendars) > 1
            self._tell_missing(
                {row.keys[place] for row in found},
                asked or (self._query.periods if unlike else ()),
            )
        self._check_units(rows)
        return replace(self._ordered(found, told), days=self._days_of(rows))

    # Tables that the store makes

    def _planner(self, slices: Sequence[Slice]) -> Planner | None:
        """Return the planner that lets the store cut the table; None where it cannot."""
        if len(slices) != 1 or len(self._calendars) != 1:
            return None
        (calendar,) = self._calendars
        whose = Whose(self._entities, self._channels, calendar, slices[0])
        return Planner(self._store, self._query, self._metrics[0], whose)

    def _cut(self, planner: Planner, plan: Plan) -> TableRows | None:
        """The rows of a table that the store cut; None where it cannot be compared so."""
        facts, total = self._store.page(plan.page)
        compared: Mapping[tuple[str, str, str], tuple[Fact, Period]] | None = {}
        if self._query.compare:
            compared = planner.facts_compared(plan, [some[0] for some in facts])
            if compared is None:
                return None
        rows = [self._row_of_fact(plan, some, compared) for some in facts]
        if plan.asked and ENTITY in self._query.by:
            every = not self._query.having and total == len(self._entities)
            if not every or len(self._channels) > 1:
                self._tell_missing(self._store.held_entities(plan.page), plan.asked)
        return TableRows(
            tuple(rows[: max(self._query.limit, 0)]),
            total,
            statement=plan.statement,
            left_out=tuple(dict.fromkeys(self._notes)),
            lacking=self._lacking,
        )

    def _row_of_fact(
        self,
        plan: Plan,
        facts: Sequence[Fact],
        compared: Mapping[tuple[str, str, str], tuple[Fact, Period]],
    ) -> TableRow:
        """The row of one fact."""
        fact = facts[0]
        period = plan.periods[Interval(fact.start, fact.end)]
        key = self._key(fact, period)
        earlier, then = None, ()
        if self._query.compare:
            earlier = compared.get((fact.entity, fact.channel, period.label))
            then = (earlier[0].value if earlier else None,)
        doc, locator, *_ = fact.source
        return TableRow(
            key,
            (fact.value,),
            then,
            (doc,),
            tuple([self._label(*one, period) for one in zip(self._query.by, key, strict=True)]),
            period,
            earlier[1] if earlier else None,
            (f"{doc}, {locator}",),
            tuple(
                Difference(0, other.value, f"{other.source.doc}, {other.source.locator}")
                for other in facts[1:]
            )
            if len(facts) > 1
            else (),
        )

    def _added(self, planner: Planner, plan: Plan) -> TableRows | None:
        """The rows of a table whose values the store added; None where facts must be read."""
        assert plan.sums is not None
        whole = len(self._entities) if not {ENTITY, GROUP} & {*self._query.by} else 1
        whole *= self._added_channels * self._added_periods(plan.asked)
        totals = self._store.totals(plan.page, plan.sums)
        if any(one.facts != whole for one in totals):
            return None
        by_period = PERIOD in self._query.by
        compared: Mapping[str, Span] | None = {}
        before: dict[tuple[object, ...], FactTotal] = {}
        if self._query.compare:
            compared = planner.compared(plan, [*plan.periods.values()])
            if compared is None or (len(plan.periods) > 1 and not by_period):
                return None
            days = tuple(dict.fromkeys(one.interval for one in compared.values()))
            if days:
                page = replace(plan.page, intervals=days)
                before = {one.keys: one for one in self._store.totals(page, plan.sums)}
        rows: list[TableRow] = []
        for one in totals:
            keyed = dict(zip(plan.sums, one.keys, strict=True))
            days = keyed.get("start")
            some = [plan.periods[days]] if isinstance(days, Interval) else [*plan.periods.values()]
            span = compared.get(some[0].label)
            then = None
            if span is not None:
                then = before.get(
                    tuple(span.interval if isinstance(key, Interval) else key for key in one.keys)
                )
            found: dict[str, Key] = {PERIOD: some[0].start, KIND: self._kind}
            found |= {ENTITY: str(keyed.get("entity")), CHANNEL: str(keyed.get("channel"))}
            found[GROUP] = found[ENTITY]
            key = tuple(found[dimension] for dimension in self._query.by)
            earlier = then.value if then is not None and then.facts == whole else None
            rows.append(
                TableRow(
                    key,
                    (one.value,),
                    (earlier,) if self._query.compare else (),
                    one.docs,
                    tuple(map(self._label, self._query.by, key, [some[0]] * len(key))),
                    some[0] if len(some) == 1 else None,
                    span.period if then is not None and span is not None else None,
                    (listed(one.docs),),
                    added=one.facts,
                )
            )
        if ENTITY in self._query.by:
            place = self._query.by.index(ENTITY)
            self._tell_missing({row.keys[place] for row in rows}, plan.asked)
        return self._ordered(rows, plan.statement)

    def _ordered(self, rows: Sequence[TableRow], statement: str) -> TableRows:
        """The rows that meet the conditions on their values, sorted and cut."""
        kept = sorted_rows([row for row in rows if meets(row, self._query)], self._query)
        first = self._query.offset
        return TableRows(
            tuple(kept[first : first + self._query.limit]),
            len(kept),
            statement=statement,
            left_out=tuple(dict.fromkeys(self._notes)),
            lacking=self._lacking,
        )

    def _days_of(self, rows: Mapping[Row, Mapping[int, Sequence[Term]]]) -> tuple[Days, ...]:
        """The days of all values, where the years of the entities begin on different days."""
        if len(self._calendars) < 2:
            return ()
        return tuple(
            dict.fromkeys(
                Days(one.fact.entity, one.period.label, one.period.start, one.period.end)
                for terms in rows.values()
                for some in terms.values()
                for one in some
            )
        )

    # When

    def _grains_of_newest(self) -> Sequence[PeriodGrain]:
        return [self._query.grain] if self._query.grain else self._shared_grains

    @cached_property
    def _shared_grains(self) -> Sequence[PeriodGrain]:
        first = self._metrics[0].grains
        shared: list[PeriodGrain] = [
            one for one in first if all(one in m.grains for m in self._metrics)
        ]
        return shared or [*first]

    def _series(self, asked: Slice) -> list[Series]:
        """The series of a slice, those of the chosen entities."""
        chosen, found = (
            frozenset(self._entities),
            dict[tuple[str, str], dict[Interval, tuple[Fact, ...]]](),
        )
        for facts in self._store.slice(asked):
            one = facts[0]
            if one.entity in chosen:
                of = found.setdefault((one.entity, one.channel), {})
                of[Interval(one.start, one.end)] = tuple(facts)
        return [
            Series(entity, channel, self._profile.calendar_of[entity], facts)
            for (entity, channel), facts in found.items()
        ]

    def _when(
        self, held: Sequence[Sequence[Series]]
    ) -> tuple[PeriodGrain | None, tuple[Period, ...]]:
        """The grain of rows by period; else the periods that are looked up."""
        query = self._query
        grains = self._shared_grains
        if PERIOD in query.by:
            if query.grain is not None:
                return query.grain, ()
            closed = [one for one in query.periods if one.end != date.max]
            if len(closed) > 1 and len({one.grain for one in closed}) == 1:
                return closed[0].grain, ()
            lengths = [(one.end - one.start).days for one in closed]
            fitting: list[PeriodGrain] = [
                one for one in grains if not lengths or LENGTHS[one][0] <= min(lengths)
            ]
            for grain in fitting:
                if any(
                    self._of_grain(one, grain, m)
                    for m, some in zip(self._metrics, held, strict=True)
                    for one in some
                ):
                    return grain, ()
            return (fitting or [query.periods[0].grain])[0], ()
        if query.periods:
            return None, query.periods
        for grain in self._grains_of_newest():
            newest: Period | None = None
            for metric, some in zip(self._metrics, held, strict=True):
                for one in some:
                    spans = self._of_grain(one, grain, metric)
                    if spans and (newest is None or spans[-1].period.end > newest.end):
                        newest = spans[-1].period
            if newest is not None:
                return None, (newest,)
        return None, ()

    def _of_grain(self, one: Series, grain: PeriodGrain, metric: Metric) -> list[Span]:
        stock = metric.measure == "stock"
        return spans_of_grain(one.facts, one.calendar, grain, self._query.periods, stock=stock)

    def _spans(
        self, metric: Metric, one: Series, grain: PeriodGrain | None, asked: Sequence[Period]
    ) -> list[Span]:
        # Most series of a table are held for the same days.
        key = metric.code, id(one.calendar), *one.facts
        found = self._known_spans.get(key)
        if found is None:
            if grain is not None:
                found = self._of_grain(one, grain, metric)
            else:
                found = self._asked(metric, one, asked)
            self._known_spans[key] = found
        return found

    @cached_property
    def _known_spans(self) -> dict[tuple[object, ...], list[Span]]:
        return {}

    def _asked(self, metric: Metric, one: Series, asked: Sequence[Period]) -> list[Span]:
        return asked_spans(
            one.facts,
            one.calendar,
            asked,
            stock=metric.measure == "stock",
            counted_at_end=metric.counted == "end",
        )

    # Rows

    def _key(self, one: Series | Fact, period: Period) -> Row:
        return tuple([self._part(dimension, one, period) for dimension in self._query.by])

    def _part(self, dimension: str, one: Series | Fact, period: Period) -> Key:
        if dimension in (ENTITY, GROUP):
            return one.entity
        if dimension == PERIOD:
            return period.start
        if dimension == CHANNEL:
            return one.channel
        entity = self._profile.entity_by_code[one.entity]
        return entity.kind if dimension == KIND else entity.geography or None

    def _row(
        self,
        key: Row,
        terms: Mapping[int, Sequence[Term]],
        by_key: Mapping[tuple[int, str, str], Series],
        asked: Sequence[Period],
    ) -> TableRow:
        values: list[Decimal | None] = []
        earlier: list[Decimal | None] = []
        lineage: list[str] = []
        differing: list[Difference] = []
        sources: dict[str, None] = {}
        then: Period | None = None
        for place in range(len(self._metrics)):
            some = terms.get(place, ())
            value = self._value(key, place, some, asked)
            values.append(value)
            lineage.append(lineage_of(some) if value is not None else "")
            for one in some if value is not None else ():
                sources[one.fact.source.doc] = None
                if len(some) == 1:
                    differing += [
                        Difference(
                            place, other.value, f"{other.source.doc}, {other.source.locator}"
                        )
                        for other in one.facts[1:]
                    ]
                elif len(one.facts) > 1:
                    self._notes.append(
                        f"sources differ on a value that was added: {one.fact.source.doc} was used"
                    )
            if self._query.compare:
                compared = [self._before(place, one, by_key) for one in some]
                sound = [one for one in compared if one is not None]
                whole = value is not None and len(sound) == len(compared)
                earlier.append(total(sound) if whole else None)
                then = sound[0].period if sound and then is None else then
        every = [one for some in terms.values() for one in some]
        periods = list(dict.fromkeys(one.period for one in every))
        labels = tuple(
            self._label(dimension, one, periods[0])
            for dimension, one in zip(self._query.by, key, strict=True)
        )
        return TableRow(
            key,
            tuple(values),
            tuple(earlier),
            tuple(sources),
            labels,
            periods[0] if len(periods) == 1 else None,
            then,
            tuple(lineage),
            tuple(differing),
            max((len(some) for some in terms.values()), default=1),
        )

    def _label(self, dimension: str, key: Key, period: Period) -> str:
        if dimension == PERIOD:
            return period.label
        if dimension in (ENTITY, GROUP, GEOGRAPHY) and key in self._profile.entity_by_code:
            return self._profile.entity_by_code[str(key)].name
        if dimension == CHANNEL:
            return self._profile.channel_by_code[str(key)].label
        if dimension == KIND:
            return self._profile.kinds[str(key)].label
        return "" if key is None else str(key)

    def _value(
        self, key: Row, place: int, some: Sequence[Term], asked: Sequence[Period]
    ) -> Decimal | None:
        """The value of a row: that of its fact, or the sum of all that belongs to it."""
        if not some:
            return None
        expected = self._members(key) * self._added_channels * self._added_periods(asked)
        if len(some) < expected:
            held = {one.fact.entity for one in some}
            missing = [code for code in self._entities if code not in held]
            names = [self._profile.entity_by_code[code].name for code in missing]
            label = self._metrics[place].label
            told = f" ({listed(names, _MOST_NAMED)})" if names else ""
            self._notes.append(
                f"sums of {label} that lack {expected - len(some)} of {expected} values{told}"
            )
            return None
        return some[0].fact.value if len(some) == 1 else total(some)

    def _members(self, key: Row) -> int:
        by = self._query.by
        if ENTITY in by or GROUP in by:
            return 1
        if GEOGRAPHY in by:
            place = key[by.index(GEOGRAPHY)]
            known = self._profile.entity_by_code
            return sum((known[code].geography or None) == place for code in self._entities)
        return len(self._entities)

    @property
    def _added_channels(self) -> int:
        return 1 if CHANNEL in self._query.by else len(self._channels)

    def _added_periods(self, asked: Sequence[Period]) -> int:
        return 1 if PERIOD in self._query.by else max(len(asked), 1)

    def _before(
        self, place: int, term: Term, by_key: Mapping[tuple[int, str, str], Series]
    ) -> Term | None:
        """The fact of the period that a fact is compared with, or None."""
        how = self._query.compare
        fact = term.fact
        one = by_key[place, fact.entity, fact.channel]
        earlier = before(term.period, one.calendar, how) if how else None
        if earlier is None:
            return None
        spans = self._asked(self._metrics[place], one, (earlier,))
        if not spans and earlier.grain != "day":
            alike = spans_of_grain(
                one.facts,
                one.calendar,
                earlier.grain,
                (),
                stock=self._metrics[place].measure == "stock",
            )
            spans = [span for span in alike if span.period.label == earlier.label]
        return Term(one.facts[spans[0].interval], spans[0].period) if spans else None

    def _tell_missing(self, held: Set[Key], asked: Sequence[Period]) -> None:
        """Say which entities have no value for a period that all of them were asked for."""
        if not asked or not held:
            return
        self._lacking = tuple(code for code in self._entities if code not in held)
        names = [self._profile.entity_by_code[code].name for code in self._lacking]
        if names:
            when = listed([one.label for one in asked], 3)
            self._notes.append(f"without a value for {when}: {listed(names, _MOST_NAMED)}")

    def _check_units(self, rows: Mapping[Row, Mapping[int, Sequence[Term]]]) -> None:
        """Refuse to put values of different units into one column."""
        for place, metric in enumerate(self._metrics):
            units = {one.fact.unit for terms in rows.values() for one in terms.get(place, ())}
            if len(units) > 1:
                told = listed(sorted(unit or "no unit" for unit in units))
                raise InputError(
                    f"{metric.label} is held in different units ({told}), which cannot be "
                    "compared: send where: {entity: ...} so that one unit is left."
                )
