"""The stores that tables come from: the facts of a profile, a warehouse, and which has a metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from groundwire.metrics.profile import Metric
from groundwire.metrics.table.fact_rows import FactRows
from groundwire.metrics.table.query import (
    CHANGES,
    CHANNEL,
    ENTITY,
    GEOGRAPHY,
    GROUP,
    KIND,
    PERIOD,
    Dimension,
    Key,
    Order,
    ResolvedValue,
    TableMetric,
    TableQuery,
    TableRows,
    TableStore,
    order_of,
)
from groundwire.metrics.table.sorting import sorted_rows
from groundwire.metrics.table.spans import called
from groundwire.metrics.wording import Language, name_in
from groundwire.vocabulary import Candidate, Policy, Resolution, Term, Vocabulary, fold
from groundwire.vocabulary import Term as Word

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State


_ALL_ROWS = 1_000_000
DIMENSIONS = (
    Dimension(
        ENTITY,
        "Entity",
        aliases=("entities", "Einheit", "对象"),
        definition="Whom the values are of; groups are left out unless they are named.",
    ),
    Dimension(
        GROUP,
        "Group",
        aliases=("groups", "parent", "member_of", "region", "Gruppe", "组", "上级"),
        definition="An entity that holds others: a condition keeps its members.",
    ),
    Dimension(
        CHANNEL,
        "Channel",
        aliases=("channels", "segment", "segments", "Kanal", "渠道"),
        definition="The channel of the values; the total unless it is named.",
    ),
    Dimension(
        PERIOD,
        "Period",
        kind="time",
        aliases=("periods", "time", "date", "Zeitraum", "期间", "时间"),
        definition="The time of the values.",
    ),
    Dimension(
        GEOGRAPHY,
        "Geography",
        aliases=("place", "Ort", "地区"),
        definition="The place that an entity stands for.",
    ),
    Dimension(
        KIND,
        "Kind",
        aliases=("kinds", "type", "Art", "类型"),
        definition="The kind of the entities.",
    ),
)

# How values of what is measured so make that of a longer time or of more entities.
_ADDS_UP: Mapping[str, Literal["always", "at_once"]] = {"flow": "always", "stock": "at_once"}


class FactTables:
    """The facts of a profile as a `TableStore`."""

    def __init__(self, state: State) -> None:
        """Serve the facts of a state."""
        self._profile = state.profile
        self._names = state.names
        self._store = state.store

    def metrics(self) -> Sequence[TableMetric]:
        """All metrics of the profile."""
        return self._metrics

    @cached_property
    def _metrics(self) -> tuple[TableMetric, ...]:
        return tuple(
            TableMetric(
                one.code,
                one.label,
                one.unit,
                tuple(self._dimensions_of(one)),
                tuple(one.grains),
                one.aliases,
                one.definition,
                "" if one.formula else _ADDS_UP.get(one.measure, ""),
                labels=one.labels,
            )
            for one in self._profile.metrics
        )

    def metric(self, code: str) -> TableMetric:
        """Return a metric by its code."""
        return next(one for one in self._metrics if one.code == code)

    def _dimensions_of(self, metric: Metric) -> Iterable[str]:
        entities = [one for one in self._profile.entities if one.kind == metric.kind]
        yield ENTITY
        if any(one.code in self._profile.membership.parts for one in entities):
            yield GROUP
        yield CHANNEL
        yield PERIOD
        if any(one.geography for one in entities):
            yield GEOGRAPHY
        yield KIND

    def dimensions(self) -> Sequence[Dimension]:
        """All dimensions of facts; the kinds of entity are other names of the entity."""
        return self._dimensions

    @cached_property
    def _dimensions(self) -> tuple[Dimension, ...]:
        kinds = self._profile.kinds
        named = {
            ENTITY: [name for code, one in kinds.items() for name in (code, *one.aliases)],
            CHANNEL: self._profile.profile.channel_names,
        }
        own = {fold(name): code for code, names in named.items() for name in names}
        taken = {fold(name) for one in DIMENSIONS for name in (one.code, one.label)}
        found: list[Dimension] = []
        for one in DIMENSIONS:
            more = (name for name in named.get(one.code, ()) if fold(name) not in taken)
            # What the profile calls its entities is no other name of something else.
            fit = (
                name for name in (*one.aliases, *more) if own.get(fold(name), one.code) == one.code
            )
            found.append(replace(one, aliases=tuple(dict.fromkeys(fit))))
        return tuple(found)

    def resolve_value(self, dimension: str, raw: str) -> ResolvedValue:
        """See `TableStore.resolve_value`; of one name in two kinds both are candidates."""
        found: dict[str, ResolvedValue] = {}
        for kind in self._profile.kinds:
            one = self.resolve_of_kind(kind, dimension, raw)
            if one.value is not None:
                found.setdefault(str(one.value), one)
            elif one.how == "ambiguous":
                return one
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            return ResolvedValue("ambiguous", None, tuple(found))
        near = [self.resolve_of_kind(kind, dimension, raw) for kind in self._profile.kinds]
        return ResolvedValue(
            "unknown", None, tuple(dict.fromkeys(key for one in near for key in one.candidates))
        )

    def resolve_of_metric(self, metric: str, dimension: str, raw: str) -> ResolvedValue:
        """Return the value that a text names, of those that a metric can have."""
        kind = self._profile.metric_by_code[metric].kind
        return self.resolve_of_kind(kind, dimension, raw)

    def resolve_of_kind(self, kind: str, dimension: str, raw: str) -> ResolvedValue:
        """Return the value that a text names, of those for entities of a kind."""
        if dimension == ENTITY:
            return _resolved(self._names.entity(raw, kind))
        if dimension == CHANNEL:
            return _resolved(self._names.channel(raw, kind))
        if dimension == GROUP:
            found = self._names.entity(raw, kind)
            if found.term is not None and found.term.id not in self._profile.membership.parts:
                wholes = self._profile.membership.wholes_of(found.term.id)
                return ResolvedValue("unknown", None, wholes[:5])
            return _resolved(found)
        vocabulary = self._geographies if dimension == GEOGRAPHY else self._kinds
        return _resolved(vocabulary.resolve(raw, Policy.CANDIDATES_ONLY))

    @cached_property
    def _geographies(self) -> Vocabulary:
        known = self._profile.entity_by_code
        codes = dict.fromkeys(one.geography for one in self._profile.entities if one.geography)
        return Vocabulary(
            Word(code, known[code].name, known[code].aliases) if code in known else Word(code, code)
            for code in codes
        )

    @cached_property
    def _kinds(self) -> Vocabulary:
        kinds = self._profile.kinds.items()
        return Vocabulary(Word(code, one.label, one.aliases) for code, one in kinds)

    def called(self, dimension: str, key: Key) -> str:
        """Return what a value is called."""
        if dimension in (ENTITY, GROUP, GEOGRAPHY) and key in self._profile.entity_by_code:
            return self._profile.entity_by_code[str(key)].name
        if dimension == CHANNEL and key in self._profile.channel_by_code:
            return self._profile.channel_by_code[str(key)].label
        if dimension == KIND and key in self._profile.kinds:
            return self._profile.kinds[str(key)].label
        return "" if key is None else str(key)

    def called_in(self, language: Language, dimension: str, key: Key, label: str) -> str:
        """Return the name of a value in a language, or what it is called where it has none."""
        profile = self._profile
        if dimension in (ENTITY, GROUP, GEOGRAPHY) and key in profile.entity_by_code:
            entity = profile.entity_by_code[str(key)]
            return name_in(language, entity.name, entity.aliases, entity.labels)
        if dimension == CHANNEL and key in profile.channel_by_code:
            channel = profile.channel_by_code[str(key)]
            return name_in(language, channel.label, channel.aliases, channel.labels)
        if dimension == KIND and key in profile.kinds:
            kind = profile.kinds[str(key)]
            return name_in(language, kind.label, kind.aliases, kind.labels)
        return label

    def unit_of(self, metric: str) -> str:
        """Return the unit of a metric's facts, where the profile names none."""
        covered = self._store.coverage(metric)
        if covered is None:
            return ""
        some = self._store.intervals(metric, covered.entities[0], covered.channels[0])
        facts = [
            fact
            for one in some[:1]
            for fact in self._store.lookup(metric, covered.entities[0], covered.channels[0], *one)
        ]
        return facts[0].unit if facts else ""

    def period_labels(self, metric: str, most: int) -> list[str]:
        """Return the newest periods that have a fact, on the calendars of their entities."""
        covered = self._store.coverage(metric)
        if covered is None:
            return []
        calendars = sorted(
            {self._profile.calendar_of[one] for one in covered.entities},
            key=lambda one: (one.month, one.day),
        )
        named = (
            next(
                (
                    one
                    for one in (called(calendar, *interval) for calendar in calendars)
                    if one.grain != "other"
                ),
                called(calendars[0], *interval),
            )
            for interval in self._store.periods(metric)[: 4 * most]
        )
        return list(dict.fromkeys(one.label for one in named))[:most]

    def values(self, dimension: str, metric: str, most: int) -> tuple[tuple[Key, ...], bool]:
        """See `TableStore.values`."""
        metrics = [self._profile.metric_by_code[metric]] if metric else [*self._profile.metrics]
        found: set[Key] = set()
        for one in metrics:
            covered = self._store.coverage(one.code)
            if covered is None:
                continue
            if dimension == ENTITY:
                found |= set(covered.entities)
            elif dimension == CHANNEL:
                found |= set(covered.channels)
            elif dimension == KIND:
                found.add(one.kind)
            elif dimension == GEOGRAPHY:
                known = self._profile.entity_by_code
                places = (known[code].geography for code in covered.entities if code in known)
                found |= {place for place in places if place}
            elif dimension == GROUP:
                entities = (e for e in self._profile.entities if e.kind == one.kind)
                parts = self._profile.membership.parts
                found |= {entity.code for entity in entities if entity.code in parts}
            else:
                found |= {interval.start for interval in self._store.periods(one.code)}
        ordered = sorted(found, key=str)
        return tuple(ordered[:most]), len(ordered) <= most

    def run(self, query: TableQuery, *, dry_run: bool = False) -> TableRows:
        """Answer a query from the facts.

        Raises:
            AmbiguousQueryError: it does not say whose values are meant.
            InputError: it would add what must not be added; the message says what to send.
            UnavailableError: the store cannot be read.
        """
        if any(order_of(query, one.by)[1] in CHANGES for one in query.order):
            return self._run_by_change(query, dry_run=dry_run)
        return FactRows(self._profile, self._store, query).answer(dry_run=dry_run)

    def _run_by_change(self, query: TableQuery, *, dry_run: bool) -> TableRows:
        """Answer a query whose rows are sorted by what values changed by: all are needed first."""
        every = replace(query, order=(), limit=_ALL_ROWS, offset=0)
        found = FactRows(self._profile, self._store, every).answer(dry_run=dry_run)
        page = slice(query.offset, query.offset + query.limit)
        return replace(found, rows=tuple(sorted_rows(found.rows, query)[page]))

    def last_day(self, metric: str) -> date | None:
        """Return the last day that a fact of a metric covers, or None without any."""
        covered = self._store.coverage(metric)
        return covered.last if covered else None


def _resolved(found: Resolution) -> ResolvedValue:
    candidates = tuple(one.term.id for one in found.candidates)
    if found.term is None:
        how = "ambiguous" if found.how == "ambiguous" else "unknown"
        return ResolvedValue(how, None, candidates)
    how = found.how
    assert how in ("exact", "folded", "alias")
    return ResolvedValue(how, found.term.id)


StoreName = Literal["facts", "warehouse"]


class Tables:
    """The facts of a profile and the warehouse beside them, where there is one.

    Attributes:
        facts: the facts as tables.
        warehouse: the warehouse, or None.
        spelling: the words that typos are corrected to; made when a word is not understood.
    """

    def __init__(self, facts: FactTables, warehouse: TableStore | None) -> None:
        """Join two stores; neither is asked yet."""
        self.facts = facts
        self.warehouse = warehouse
        self.spelling: Vocabulary | None = None

    def store(self, name: StoreName) -> TableStore:
        """Return a store by its name."""
        if name == "warehouse":
            assert self.warehouse is not None
            return self.warehouse
        return self.facts

    @cached_property
    def metrics(self) -> Mapping[str, tuple[StoreName, TableMetric]]:
        """Each metric with its store, by what it is asked for by.

        That is its code; of a code that both stores have it is "facts:CODE" or "warehouse:CODE".
        """
        every: list[tuple[StoreName, TableMetric]] = []
        for one in self.facts.metrics():
            every.append(("facts", one))
        for one in self.warehouse.metrics() if self.warehouse is not None else ():
            every.append(("warehouse", one))
        codes = Counter(one.code.casefold() for _, one in every)
        return {
            one.code if codes[one.code.casefold()] == 1 else f"{name}:{one.code}": (name, one)
            for name, one in every
        }

    @cached_property
    def _vocabularies(self) -> Mapping[StoreName, Vocabulary]:
        terms: dict[StoreName, list[Term]] = {"facts": [], "warehouse": []}
        for name, (store, one) in self.metrics.items():
            code = (one.code,) if name != one.code else ()
            terms[store].append(Term(name, one.label, (*code, *one.aliases)))
        return {store: Vocabulary(own) for store, own in terms.items() if own}

    def metric(self, raw: str) -> Resolution:
        """Return the metric that a text names; of one in each store both are candidates."""
        found = [one.resolve(raw, Policy.CANDIDATES_ONLY) for one in self._vocabularies.values()]
        named = [one for one in found if one.term is not None]
        if len(named) == 1 and all(one.how != "ambiguous" for one in found):
            return named[0]
        terms = [Candidate(one.term, 1.0, raw) for one in named if one.term is not None]
        tied = [each for one in found if one.how == "ambiguous" for each in one.candidates]
        if terms or tied:
            return Resolution(raw, "ambiguous", candidates=(*terms, *tied))
        near = [each for one in found for each in one.candidates]
        near.sort(key=lambda one: -one.score)
        return Resolution(raw, "unknown", candidates=tuple(near[:5]))

    def may_ask_warehouse(self, raw: str) -> bool:
        """Whether a text names a metric of the warehouse, or one that may be meant there."""
        found = self.metric(raw)
        tied = found.candidates if found.how == "ambiguous" else ()
        terms = [found.term, *(one.term for one in tied)]
        return any(self.metrics[one.id][0] == "warehouse" for one in terms if one is not None)

    def dimensions(self, name: StoreName, metrics: Sequence[TableMetric]) -> tuple[Dimension, ...]:
        """Return the dimensions that every one of some metrics has."""
        every = self.store(name).dimensions()
        return tuple(one for one in every if all(one.code in m.dimensions for m in metrics))

    def resolve(
        self, name: StoreName, metrics: Sequence[TableMetric], dimension: str, raw: str
    ) -> ResolvedValue:
        """Return the stored value that a text names, of those that a metric can have."""
        if name == "facts":
            return self.facts.resolve_of_metric(metrics[0].code, dimension, raw)
        return self.store(name).resolve_value(dimension, raw)

    def last_day(
        self, name: StoreName, metric: TableMetric, *, by_day: bool = False
    ) -> date | None:
        """Return the newest day that a value of a metric covers, or None where it has no time.

        Args:
            name: of the store.
            metric: one of its metrics.
            by_day: take the values of days, where it has any; else those of its usual grain.

        Raises:
            UnavailableError: the store cannot be asked.
        """
        if name == "facts":
            return self.facts.last_day(metric.code)
        if not metric.grains:
            return None
        grain = "day" if by_day and "day" in metric.grains else metric.grains[0]
        order = (Order(PERIOD, descending=True),)
        query = TableQuery((metric.code,), (PERIOD,), grain=grain, order=order, limit=1)
        rows = self.store(name).run(query).rows
        return rows[0].period.end if rows and rows[0].period else None

    def called(self, name: StoreName, dimension: str, key: Key) -> str:
        """Return what a value is called."""
        if name == "facts":
            return self.facts.called(dimension, key)
        return "" if key is None else str(key)
