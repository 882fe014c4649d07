"""Recorded values as tables: of one property, by thing and period, with what narrows the things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.rankings import Ranking, is_narrowed_as
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.evidence.records import Condition

Periods = frozenset[PeriodKey]
Column = Mapping[str, Fact]
"""The value of each thing at one time."""

_HAN = "一"
_BESIDE = frozenset(("period", "order", "grain", "asked about"))


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The values of one property that one answer has.

    Attributes:
        evidence_id: the record.
        names: keys of the property.
        columns: the values of its things, by period.
        narrowed: what holds for all of its things.
        is_counted: whether the answer counts as many things as it lists.
        called: folded words by which the property is called.
        kinds: folded words for what its things are.
    """

    evidence_id: str
    names: frozenset[str]
    columns: Mapping[Periods, Column]
    narrowed: tuple[Condition, ...]
    is_counted: bool
    called: frozenset[str]
    kinds: frozenset[str]

    def at(self, periods: Periods) -> Column | None:
        """Return the values at a time, those without any time where none is told."""
        held = [own for key, own in self.columns.items() if key & periods or not (key or periods)]
        return held[0] if len(held) == 1 else None

    def is_told(self, context: PassageContext) -> bool:
        """Whether a passage says what narrows the things of the table."""
        only = Ranking(self.evidence_id, (), self.names, frozenset(), True, self.narrowed)
        return is_narrowed_as(only, context)


def value_tables(known: Knowledge) -> Sequence[ValueTable]:
    """Return a table for each property of several things that an answer has values of."""
    groups: dict[tuple[str, frozenset[str], str | None], list[Fact]] = {}
    for fact in known.facts.numbers():
        if len(fact.entities) == 1 and not fact.operands and fact.value.item is None:
            kind = fact.evidence_id, fact.names, fact.value.unit
            groups.setdefault(kind, []).append(fact)
    tables = (_table(known, facts) for facts in groups.values())
    return tuple(table for table in tables if table is not None)


def _table(known: Knowledge, facts: Sequence[Fact]) -> ValueTable | None:
    """Return the table of some values; None where a thing has two, or where some are not listed."""
    columns: dict[Periods, dict[str, Fact]] = {}
    for fact in facts:
        column, (thing,) = columns.setdefault(fact.periods, {}), fact.entities
        if column.setdefault(thing, fact).number != fact.number:
            return None
    record, size = facts[0].evidence_id, max(map(len, columns.values()))
    totals = [one for one in known.totals if one.evidence_id == record]
    counts = facts[0].value.unit == ASSETS
    whole = sum(one.number or 0 for one in facts) if counts else size
    if size < 2 or any(one.number != whole for one in totals):
        return None
    scopes = (n for one in totals for n in known.scopes_of_fact.get(id(one), ()))
    narrowed = [c for n in scopes for c in known.statements[n].statement.conditions]
    narrowed += [c for one in known.rankings if one.evidence_id == record for c in one.narrowed]
    own = (c for c in narrowed if c.objects and not _BESIDE & set(c.predicate))
    first = facts[0].value
    return ValueTable(
        record,
        facts[0].names,
        columns,
        tuple(dict.fromkeys(own)),
        bool(totals),
        _words(_counted(known, facts) if counts else (first.name, *first.labels, first.unit or "")),
        frozenset(_kinds(known, facts)),
    )


def _kinds(known: Knowledge, facts: Sequence[Fact]) -> Iterator[str]:
    """Yield what the things of some values are called in one word: "supplier country" is none."""
    asked = known.grouped_by.get(facts[0].evidence_id, frozenset[str]())
    if len(asked) == 1:
        yield from asked
    for fact in facts:
        for number in known.scopes_of_fact.get(id(fact), ()):
            for one in known.statements[number].statement.conditions:
                if any(key_of(name) in fact.entities for names in one.objects for name in names):
                    names = (words_of(name) for name in one.predicate)
                    yield from (
                        word for own in names if len(own) == 1 or own[0] >= _HAN for word in own
                    )


def _counted(known: Knowledge, facts: Sequence[Fact]) -> Iterator[str]:
    """Yield what the things are called that some figures count: recording, Aufzeichnung."""
    for fact in facts:
        for number in known.scopes_of_fact.get(id(fact), ()):
            yield from known.statements[number].statement.subject


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in words_of(text))
