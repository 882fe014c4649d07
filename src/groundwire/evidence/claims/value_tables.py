"""Recorded values as tables: of each thing, the value of a property in a period.

A table has the things that one answer lists, or all that were asked about one by one. It tells
whether it has every thing that there is, so that "only" and "the largest" may be said of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey, is_fineness, is_label
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.rankings import Ranking, is_narrowed_as, scope_names
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.evidence.records import Condition

# Conditions that narrow no value: its time, and the day on which it was known.
_PLAIN = frozenset(("period", "grain", "order", "as of"))
_ASKED = "asked about"
_BETTER = frozenset[str](cue_tables()["better"]) - {"return"} | {"returnon", "visitor", "unitsold"}
_MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class Measure:
    """A property whose values can be compared with one another.

    Attributes:
        names: its keys.
        unit: the unit of its values.
    """

    names: frozenset[str]
    unit: str | None

    @property
    def is_gain(self) -> bool:
        """Whether more of it is better: a profit, but no rent."""
        return any(word in str(name) for name in self.names for word in _BETTER)

    @property
    def is_rate(self) -> bool:
        """Whether its values are shares or quotients."""
        return self.unit is not None and ("%" in self.unit or "/" in self.unit)


@dataclass(frozen=True, slots=True)
class Table:
    """The values of one property in one period, by what they are of.

    Attributes:
        evidence_id: a record that has them.
        measure: the property.
        periods: keys of the period; empty where values have none.
        values: the values, by the key of the thing.
        kinds: folded words of each name for what the things are.
        is_whole: whether it has every thing that there is.
        is_asked: whether it has every thing that was asked about.
        falls: whether it has the greatest of all things, those beyond it being smaller.
        is_part: whether its things are those of a part of the world only, which a text must name.
        earlier: where its things are periods, the value of the one right before each.
        last_year: the value of the same part of the year before.
        orders: the recorded orders of its things.
    """

    evidence_id: str
    measure: Measure
    periods: frozenset[PeriodKey]
    values: Mapping[str, Decimal]
    kinds: frozenset[frozenset[str]]
    is_whole: bool
    is_asked: bool
    falls: bool
    is_part: bool
    earlier: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])
    last_year: Mapping[str, Decimal] = field(default_factory=dict[str, Decimal])
    orders: tuple[Ranking, ...] = ()

    def changed_from(self, before: Table | None, things: Collection[str]) -> Table:
        """Return it with what some things had before, where there is such a table."""
        if before is None:
            return self
        values = {one: self.values[one] for one in things}
        return replace(self, periods=self.periods | before.periods, values=values)

    def told(self, known: Knowledge) -> str:
        """Return its greatest values as the records tell them."""
        facts = [
            fact
            for fact in known.facts.numbers()
            if fact.names == self.measure.names
            and not fact.operands
            and (
                fact.periods & self.periods and fact.entities & self.values.keys()
                if self.periods
                else fact.number in self.values.values()
            )
        ]
        facts.sort(key=lambda fact: fact.number or 0, reverse=True)
        told = dict.fromkeys(f"{fact.about} {fact.said}" for fact in facts)
        return "; ".join([*told][:_MOST_TOLD])

    def beside_earlier(self, *, by_year: bool) -> tuple[Table, Table | None]:
        """Return its periods that have an earlier one, and a table of what that one had."""
        earlier = self.last_year if by_year else self.earlier
        values = {one: value for one, value in self.values.items() if one in earlier}
        before = replace(self, values={one: earlier[one] for one in values})
        return replace(self, values=values), before if values else None


class ValueTables:
    """The tables that the values of some records make."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        found: dict[tuple[str, Measure, frozenset[PeriodKey], str], dict[str, Fact]] = {}
        for fact in known.facts.numbers():
            one = self._thing_of(fact)
            if one is None or fact.number is None or self._is_narrowed(fact) or is_fineness(fact):
                continue
            thing, measure = one
            dimension = "" if self._is_part(fact) else self._dimension.get(id(fact), "")
            for record in (fact.evidence_id, ""):
                key = record, measure, fact.periods, dimension
                found.setdefault(key, {}).setdefault(thing, fact)
        self.all: Sequence[Table] = [
            self._table(measure, [*facts.items()], periods)
            for (record, measure, periods, _), facts in found.items()
            if record or len({fact.evidence_id for fact in facts.values()}) > 1
        ]
        self.things = frozenset(key for one in self.all for key in one.values)
        self.measures: Mapping[Measure, frozenset[str]] = {
            one.measure: self.words_of_measure(one.measure) for one in self.all
        }
        names = (own for one in self.all for own in one.kinds)
        self.kinds = frozenset[str]().union(*names)

    def _thing_of(self, fact: Fact) -> tuple[str, Measure] | None:
        """Return what a value is of and of which property; None for what no table has."""
        if fact.operands or fact.value.item or len(fact.entities) > 1:
            return None
        if fact.value.unit == ASSETS:
            counted = Measure(self._counted(fact), ASSETS)
            return (min(fact.entities), counted) if fact.entities and counted.names else None
        whole = self._known.whole_of(fact)
        if whole is not None and len(fact.names) == 1:
            own = Measure(whole.names, fact.value.unit)
            return (min(fact.names), own) if len(self.owners) == 1 else None
        thing = min(fact.entities, default="")
        return (thing, Measure(fact.names, fact.value.unit)) if thing else None

    @cached_property
    def owners(self) -> frozenset[str]:
        """Keys of those whose figures are divided into parts."""
        facts = (fact for own in self._known.parts.values() for fact in own)
        return frozenset(key for fact in facts for key in fact.entities)

    @cached_property
    def _conditions(self) -> Mapping[int, Sequence[Condition]]:
        """The conditions of each value, by its identity."""
        statements = self._known.statements
        return {
            key: [c for number in numbers for c in statements[number].statement.conditions]
            for key, numbers in self._known.scopes_of_fact.items()
        }

    @cached_property
    def _dimension(self) -> Mapping[int, str]:
        """The name of the kind of thing that each value is of, by the value's identity."""
        return {
            key: condition.predicate[0]
            for fact in self._known.facts.numbers()
            for key in (id(fact),)
            for condition in self._conditions.get(key, ())
            if _is_of(condition, fact)
        }

    def is_plain(self, fact: Fact) -> bool:
        """Whether a value is of all that its thing has, and no part of it."""
        return not self._is_part(fact) and not self._is_narrowed(fact)

    def _is_narrowed(self, fact: Fact) -> bool:
        """Whether a value is only of a part of what its thing has."""
        part = self._is_part(fact)
        return any(
            not _is_of(condition, fact)
            and _PLAIN.isdisjoint(condition.predicate)
            and not ("channel" in condition.predicate and (part or _is_total(condition)))
            and not (fact.value.unit == ASSETS and _keys(condition) & self._counted(fact))
            for condition in self._conditions.get(id(fact), ())
        )

    def _counted(self, fact: Fact) -> frozenset[str]:
        """Return keys of what the things are called that a figure counts: recording, trace."""
        scopes = self._known.scopes_of_fact.get(id(fact), ())
        called = (name for n in scopes for name in self._known.statements[n].statement.subject)
        return frozenset(map(key_of, called))

    def _is_part(self, fact: Fact) -> bool:
        return self._known.whole_of(fact) is not None

    def _table(
        self, measure: Measure, rows: Sequence[tuple[str, Fact]], periods: frozenset[PeriodKey]
    ) -> Table:
        things = frozenset(thing for thing, _ in rows)
        facts = [fact for _, fact in rows]
        records = {fact.evidence_id for fact in facts}
        totals = {f.number for f in self._known.totals if f.evidence_id in records}
        orders = [
            one
            for one in self._known.rankings
            if one.evidence_id in records and one.names & measure.names
        ]
        complete = [one for one in orders if one.is_complete]
        counted = totals == {Decimal(len(things))} and not self._is_of_some(records)
        whole = counted or any(not one.narrowed for one in complete)
        if measure.unit == ASSETS:
            whole = totals == {sum(fact.number or 0 for fact in facts)}
        of = self._known.whole_of(facts[0])
        if of is not None:
            whole = of.number == sum(fact.number or 0 for fact in facts)
        return Table(
            facts[0].evidence_id,
            measure,
            periods,
            {thing: fact.number for thing, fact in rows if fact.number is not None},
            frozenset(words for fact in facts for words in self._kinds_of(fact))
            | {
                frozenset(words_of(name.split()[-1]))
                for one in orders
                for name in one.kinds
                if name
            },
            whole,
            bool(complete) or (not totals and any(things <= own for own in self._asked)),
            any(one.descending and len(one.members) == len(things) for one in orders),
            any(one.narrowed for one in orders),
            orders=tuple(orders),
        )

    def within(self, context: PassageContext, scopes: Collection[Span]) -> list[Table]:
        """Return the tables that a passage may mean, those that it narrows as their orders are.

        Args:
            context: the passage.
            scopes: where it names what things are narrowed by, which others then are not.
        """
        found: list[Table] = []
        for table in self.all:
            narrowed = [one for one in table.orders if one.narrowed]
            if scopes and narrowed and all(is_narrowed_as(one, context) for one in narrowed):
                whole = any(
                    one.is_complete and len(one.members) == len(table.values) for one in narrowed
                )
                found.append(replace(table, is_part=False, is_whole=table.is_whole or whole))
            elif not scopes:  # as what was asked about
                found.append(table)
        return found

    @cached_property
    def scopes(self) -> frozenset[str]:
        """The names of what the things of tables are narrowed by, in small letters."""
        orders = (one for table in self.all for one in table.orders)
        names = (name.lower() for one in orders for name in scope_names(one))
        return frozenset(name for name in names if key_of(name) not in self.things)

    def _is_of_some(self, records: Collection[str]) -> bool:
        """Whether an answer counts only things that meet a bound: "over 100 million"."""
        totals = (fact for fact in self._known.totals if fact.evidence_id in records)
        return any(
            condition.operator != "is" and _PLAIN.isdisjoint(condition.predicate)
            for fact in totals
            for condition in self._conditions.get(id(fact), ())
        )

    @cached_property
    def _asked(self) -> Sequence[frozenset[str]]:
        """The sets of things that were asked about one by one, by any of their names."""
        scopes = (self._known.statements[n] for n in self._known.by_kind.get("scope", ()))
        return [
            frozenset[str]().union(*one.members)
            for one in scopes
            if one.statement.complete == "all_listed"
            and any(_ASKED in c.predicate for c in one.statement.conditions)
        ]

    @cached_property
    def _columns(self) -> Mapping[str, frozenset[frozenset[str]]]:
        """By record, the words of the columns that only name the things of its rows: country."""
        found: dict[str, frozenset[frozenset[str]]] = {}
        for fact in self._known.facts.all:
            value = fact.value
            if value.entity is not None and value.value == value.entity and not is_label(value):
                own = frozenset((frozenset(words_of(value.name)),))
                found[fact.evidence_id] = found.get(fact.evidence_id, frozenset()) | own
        return found

    def _kinds_of(self, fact: Fact) -> Iterator[frozenset[str]]:
        yield from self._columns.get(fact.evidence_id, ())
        part = self._is_part(fact)
        for condition in self._conditions.get(id(fact), ()):
            if "channel" in condition.predicate if part else _is_of(condition, fact):
                plain = (name for name in condition.predicate if "." not in name)  # no columns
                yield from (frozenset(words_of(name)) for name in plain)

    def words_of_measure(self, measure: Measure) -> frozenset[str]:
        """Return the words by which a property is called."""
        if measure.unit == ASSETS:
            counts = (f for f in self._known.facts.numbers() if f.value.unit == ASSETS)
            own = next(fact for fact in counts if self._counted(fact) == measure.names)
            scopes = self._known.scopes_of_fact[id(own)]
            texts = (name for n in scopes for name in self._known.statements[n].statement.subject)
            return frozenset(word for text in texts for word in words_of(text))
        facts = self._known.facts.numbers()
        one = next((f for f in facts if f.names == measure.names and not f.operands), None)
        return self._known.words_about(one) if one is not None else frozenset()


def _is_of(condition: Condition, fact: Fact) -> bool:
    """Whether a condition says what thing a value is of."""
    return condition.operator == "is" and not _keys(condition).isdisjoint(fact.entities)


def _keys(condition: Condition) -> frozenset[str]:
    """Return keys of the names of what a condition says something of."""
    return frozenset(key_of(name) for own in condition.objects for name in own)


def _is_total(condition: Condition) -> bool:
    return any("TOTAL" in own for own in condition.objects)
