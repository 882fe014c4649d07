"""The content of records, gathered once for all drafts that are checked against them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeVar, cast

from groundwire.evidence.claims.attachment import Slot
from groundwire.evidence.claims.entity_linking import Names, know
from groundwire.evidence.claims.fact_index import (
    ASSETS,
    Fact,
    Facts,
    PeriodKey,
    dates_in,
    index,
)
from groundwire.evidence.claims.head_nouns import Rivals, kind_of, words_calling
from groundwire.evidence.claims.partial_names import PartialNames, partial_names
from groundwire.evidence.claims.rankings import Ranking, rankings_in
from groundwire.evidence.claims.relation_sets import RelationSet, sets_in
from groundwire.evidence.claims.statement_index import (
    Stated,
    StatementNames,
    answered_by,
    groups_of,
    part_of,
    stated_in,
)
from groundwire.evidence.claims.superseded import standing
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.evidence.records import Record, StatementKind
from groundwire.quantities import DateMention

_TOTALS = frozenset(("total", "count", "totalcount"))
_CHANGES = ("growth", "change", "delta", "variation", "increase", "decrease", "增长", "变化")
# A record gives a year for a value that holds at the end of the year.
_END = re.compile(r"\bend|\bende|末|底", re.IGNORECASE)
_LONGEST_DATED = 300
_HASH_LENGTH = 64

T = TypeVar("T")


class Knowledge:
    """Records as facts and names, with what follows from them."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = standing(records)
        self.facts: Facts = index(self.records)
        self.names: Names = know(self.records, self.facts)
        self._words_about: dict[int, frozenset[str]] = {}
        self._made: dict[Callable[[Knowledge], Any], Any] = {}

    def once(self, make: Callable[[Knowledge], T]) -> T:
        """Return what a function makes of the records, made when it is first asked for."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]

    @cached_property
    def partial_names(self) -> PartialNames:
        """First words of names by which a text may call the things of the records."""
        return partial_names(self.records, self.facts)

    @cached_property
    def statements(self) -> tuple[Stated, ...]:
        """Every statement of the records."""
        return stated_in(self.records, self.facts.by_position)

    @cached_property
    def by_kind(self) -> Mapping[StatementKind, Sequence[int]]:
        """The numbers of the statements of each kind, in order."""
        found: dict[StatementKind, list[int]] = {}
        for number, stated in enumerate(self.statements):
            found.setdefault(stated.statement.kind, []).append(number)
        return found

    @cached_property
    def scopes_of_fact(self) -> Mapping[int, Sequence[int]]:
        """The numbers of the sets that a fact counts, by the identity of the fact."""
        found: dict[int, list[int]] = {}
        for number in self.by_kind.get("scope", ()):
            fact = self.statements[number].fact
            if fact is not None:
                found.setdefault(id(fact), []).append(number)
        return found

    def is_counted_under(self, count: Fact, entities: frozenset[str]) -> bool:
        """Whether a count is of a set of which some entity is a condition."""
        numbers = self.scopes_of_fact.get(id(count), ())
        conditions = (c for number in numbers for c in self.statements[number].statement.conditions)
        return any(
            key_of(name) in entities for c in conditions for names in c.objects for name in names
        )

    @cached_property
    def scopes_of_rows(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the sets of rows, by their records: what a query asks of every row."""
        found: dict[str, list[int]] = {}
        for number in self.by_kind.get("scope", ()):
            fact = self.statements[number].fact
            if fact is not None and fact.value.unit == "rows":
                found.setdefault(fact.evidence_id, []).append(number)
        return found

    @cached_property
    def scopes_of_member(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the sets that list a member, by the keys of its names."""
        found: dict[str, list[int]] = {}
        for number in self.by_kind.get("scope", ()):
            for key in dict.fromkeys(k for ks in self.statements[number].members for k in ks):
                found.setdefault(key, []).append(number)
        return found

    @cached_property
    def parts(self) -> Mapping[str, Sequence[Fact]]:
        """The values of the parts that figures are divided into (channels), by their name."""
        found: dict[str, list[Fact]] = {}
        for fact, _ in self._parts.values():
            for name in fact.names:
                found.setdefault(name, []).append(fact)
        return found

    @cached_property
    def _parts(self) -> Mapping[int, tuple[Fact, Fact | None]]:
        """Values of parts with the value of their whole, by the identity of the part."""
        divided: dict[tuple[object, ...], tuple[list[Fact], list[Fact]]] = {}
        for number in self.by_kind.get("scope", ()):
            stated = self.statements[number]
            channel = part_of(stated.statement.conditions)
            if stated.fact is None or channel is None or not stated.statement.subject:
                continue
            fact = stated.fact
            key = (stated.statement.subject[:2], fact.entities, fact.periods, fact.value.unit)
            parts, wholes = divided.setdefault(key, ([], []))
            (wholes if "TOTAL" in channel else parts).append(fact)
        return {
            id(part): (part, wholes[0] if wholes else None)
            for parts, wholes in divided.values()
            for part in parts
        }

    def words_of_parts(self, facts: Iterable[Fact]) -> frozenset[str]:
        """Words for what the parts among some values are called together: channel, Kanal, 渠道."""
        words = (self._dividing for fact in facts if id(fact) in self._parts)
        return frozenset[str]().union(*words)

    @cached_property
    def _dividing(self) -> frozenset[str]:
        names = (
            name
            for number in self.by_kind.get("scope", ())
            for condition in self.statements[number].statement.conditions
            if part_of((condition,)) is not None
            for name in condition.predicate
        )
        return frozenset(word for name in names for word in words_of(name))

    def whole_of(self, fact: Fact) -> Fact | None:
        """The recorded whole that a value is a part of, or None."""
        return self._parts.get(id(fact), (fact, None))[1]

    @cached_property
    def groups(self) -> Mapping[tuple[str, str], tuple[frozenset[str], int, str]]:
        """Answers in groups: the names of what they are grouped by, and how many there are."""
        return groups_of(self.statements)

    @cached_property
    def statement_names(self) -> StatementNames:
        """Every name that a statement holds."""
        return StatementNames(self.statements)

    @cached_property
    def rankings(self) -> tuple[Ranking, ...]:
        """Every recorded order of things by a value."""
        return tuple(rankings_in(self.statements, self.by_kind.get("order", ())))

    @cached_property
    def relation_sets(self) -> tuple[RelationSet, ...]:
        """The sets that recorded relations make."""
        return sets_in(self.statements)

    @cached_property
    def answers(self) -> Mapping[str, str]:
        """The sentences of recorded answers, folded, with their record."""
        return answered_by(self.records)

    @cached_property
    def steps(self) -> frozenset[str]:
        """The steps of recorded how-tos, folded."""
        every = (one.statement for one in self.statements if one.statement.kind == "order")
        orders = (one for one in every if "step" in one.predicate)
        return frozenset(key_of(names[0]) for one in orders for names in one.objects if names)

    @cached_property
    def entities(self) -> frozenset[str]:
        """Keys of every entity."""
        return frozenset(key for fact in self.facts.all for key in fact.entities)

    @cached_property
    def _overlaps(self) -> frozenset[frozenset[str]]:
        """Pairs of entities whose values hold some of the same."""
        return frozenset(
            frozenset((key_of(one), key_of(other)))
            for record in self.records
            for one, others in record.draft.overlaps.items()
            for other in others
        )

    def counts_once(self, facts: Sequence[Fact]) -> bool:
        """Whether a sum of some values counts nothing twice, as far as the records tell."""
        if any((f.evidence_id, f.names) in self._counted_twice for f in facts):
            return False
        return not self.overlap(frozenset(key for fact in facts for key in fact.entities))

    def overlap(self, entities: frozenset[str]) -> bool:
        """Whether two of some entities hold some of the same."""
        return any(pair <= entities for pair in self._overlaps)

    @cached_property
    def _counted_twice(self) -> frozenset[tuple[str, frozenset[str]]]:
        """Counts by a property of which things have several values: more than there are things."""
        totals = {
            fact.evidence_id: fact.number for fact in self.totals if fact.value.unit == ASSETS
        }
        sums: dict[tuple[str, frozenset[str]], Decimal] = {}
        for fact in self.facts.numbers():
            if fact.value.unit == ASSETS and fact.entities and fact.number is not None:
                key = (fact.evidence_id, fact.names)
                sums[key] = sums.get(key, Decimal(0)) + fact.number
        return frozenset(k for k, n in sums.items() if n > (totals.get(k[0]) or n))

    @cached_property
    def items(self) -> frozenset[str]:
        """The names that sentences use for the items that values belong to."""
        items = {fact.value.item for fact in self.facts.all}
        return frozenset(name for item in items if item is not None for name in item.names)

    def entities_of(self, iri: str) -> frozenset[str]:
        """Keys of the entity that an IRI identifies."""
        facts = self.facts.iris.get(iri, [])
        keys = (fact.entities for fact in facts if fact.value.entity_iri == iri)
        return frozenset[str]().union(*keys)

    @cached_property
    def periods(self) -> frozenset[PeriodKey]:
        """Every period that a value holds for."""
        return frozenset(key for fact in self.facts.all for key in fact.periods)

    @cached_property
    def numeric_names(self) -> frozenset[str]:
        """Properties and metrics that have a number."""
        return frozenset(self._dimensions)

    @cached_property
    def _dimensions(self) -> dict[str, set[str]]:
        dimensions: dict[str, set[str]] = {}
        for fact in self.facts.numbers():
            for name in fact.names:
                dimensions.setdefault(name, set()).add(fact.unit.dimension if fact.unit else "")
        return dimensions

    def dimensions_of(self, name: str) -> set[str]:
        """Return the dimensions of a property's values; "" stands for bare numbers."""
        return self._dimensions.get(name, set())

    @cached_property
    def changes(self) -> frozenset[str]:
        """Properties whose sign is a direction."""
        return frozenset(n for n in self._dimensions if any(word in n for word in _CHANGES))

    @cached_property
    def wordy_names(self) -> frozenset[str]:
        """Properties whose values are words."""
        return frozenset(
            name
            for fact in self.facts.all
            if fact.value.kind in ("name", "text", "iri") and fact.number is None
            for name in fact.names
        )

    @cached_property
    def made(self) -> frozenset[str]:
        """Days on which the calls were made, as ISO dates."""
        return frozenset(record.created[:10] for record in self.records)

    @cached_property
    def _by_period(self) -> dict[PeriodKey, list[Fact]]:
        held: dict[PeriodKey, list[Fact]] = {}
        for fact in self.facts.all:
            for period in fact.periods:
                held.setdefault(period, []).append(fact)
        return held

    def ending(self, mention: DateMention) -> Sequence[PeriodKey]:
        """The recorded periods that end where a mention says that something ends, in order."""
        if _END.search(mention.raw) is None:
            return ()
        end = mention.end.isoformat()
        return sorted(k for k in self.periods if not isinstance(k, str) and k[1] == end)

    def fact_of_period(self, period: PeriodKey, entity: Slot[str]) -> Fact | None:
        """A value that holds for a period, of the entity at hand where one is."""
        held = self._by_period.get(period, [])
        if not entity.binding:
            return held[0] if held else None
        return next((fact for fact in held if entity.allows(fact.entities)), None)

    @cached_property
    def words(self) -> frozenset[str]:
        """Folded words of the calls: domains and filters, by which an answer is called."""
        texts = (text for record in self.records for text in _texts(record.arguments))
        return frozenset(word for text in texts for word in words_of(text) if len(word) > 2)

    @cached_property
    def asked(self) -> Mapping[str, frozenset[str]]:
        """Keys of the texts among the arguments of each record's call."""
        called = ((one.evidence_id, _texts(one.arguments)) for one in self.records)
        return {evidence_id: frozenset(map(key_of, texts)) for evidence_id, texts in called}

    @cached_property
    def grouped_by(self) -> Mapping[str, frozenset[str]]:
        """Words for what the things of an answer are: asked by one, reason, or of a kind, shop."""
        asked = ((one.evidence_id, one.arguments.get("by")) for one in self.records)
        called = {
            evidence_id: tuple(_texts(by))
            for evidence_id, by in asked
            if isinstance(by, list) and len(cast("list[Any]", by)) == 1
        }
        for stated in self.statements:
            if "domain" in stated.statement.predicate and stated.statement.kind == "relation":
                of = (name for names in stated.statement.objects for name in names)
                called[stated.evidence_id] = (*called.get(stated.evidence_id, ()), *of)
        return {
            evidence_id: frozenset(word for text in texts for word in words_of(text))
            for evidence_id, texts in called.items()
        }

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Words for the kinds of the recorded things: ward, country."""
        return frozenset(w for one in self.records for t in _kinds_stated(one) for w in words_of(t))

    @cached_property
    def whole_kinds(self) -> frozenset[frozenset[str]]:
        """Keys of the things of each answer that was asked about all that there are of a kind."""
        return frozenset(
            frozenset[str]().union(*stated.members) & self.entities
            for stated in self.statements
            if any(_EVERY in one.predicate for one in stated.statement.conditions)
        )

    @cached_property
    def numeric_words(self) -> frozenset[str]:
        """Words of the properties that have numbers, and of their labels."""
        return frozenset(w for fact in self.facts.numbers() for w in self.words_about(fact))

    def words_about(self, fact: Fact) -> frozenset[str]:
        """Words by which a value's property is called."""
        words = self._words_about.get(id(fact))
        if words is None:
            texts = (fact.value.name, fact.value.unit or "", *fact.value.labels)
            own = (word for text in texts for word in words_of(text))
            words = frozenset(own).union(*map(self.words_about, fact.operands))
            self._words_about[id(fact)] = words
        return words

    @cached_property
    def rivals(self) -> Rivals:
        """The words of every property that has numbers, by what they are of."""
        found: dict[tuple[object, str], dict[frozenset[str], frozenset[str]]] = {}
        for fact in self.facts.numbers():
            if not fact.operands:
                words = words_calling(fact.value.name, fact.value.labels)
                of = found.setdefault(kind_of(fact), {})
                of[fact.names] = of.get(fact.names, frozenset()) | words
        return found

    @cached_property
    def totals(self) -> tuple[Fact, ...]:
        """Counts of whole answers."""
        return tuple(f for f in self.facts.numbers() if not f.entities and f.names & _TOTALS)

    @cached_property
    def answer_names(self) -> frozenset[str]:
        """Names of what only whole answers have, such as their total."""
        of_entities = frozenset(n for f in self.facts.numbers() if f.entities for n in f.names)
        return self.numeric_names - of_entities

    @cached_property
    def complete(self) -> bool:
        """Whether the recorded entities are all there are, by the recorded count."""
        return len(self.totals) == 1 and self.totals[0].number == len(self.entities)

    def about(self, entities: frozenset[str]) -> list[Fact]:
        """The values of some entities."""
        places = {place for key in entities for place in self._places.get(key, ())}
        return [self.facts.all[place] for place in sorted(places)]

    @cached_property
    def _places(self) -> Mapping[str, Sequence[int]]:
        """The places of the values of each entity among all values."""
        places: dict[str, list[int]] = {}
        for place, fact in enumerate(self.facts.all):
            for key in fact.entities:
                places.setdefault(key, []).append(place)
        return places

    def evidence_of(self, entities: frozenset[str]) -> str | None:
        """A record that speaks of some of these entities."""
        of = next((self._places[key] for key in sorted(entities) if key in self._places), ())
        return self.facts.all[of[0]].evidence_id if of else None

    @cached_property
    def dates_in_texts(self) -> tuple[tuple[str, str, DateMention], ...]:
        """Dates in short recorded texts and arguments, each with its record and text."""
        mentioned = {
            text: dates_in(text)
            for text in {text for _, text in self.names.texts}
            if len(text) <= _LONGEST_DATED and any(c.isdigit() for c in text)
        }
        return tuple(
            (evidence_id, text, mention)
            for evidence_id, text in dict.fromkeys(self.names.texts)
            for mention in mentioned.get(text, ())
        )

    @cached_property
    def date_names(self) -> frozenset[str]:
        """Properties whose values are dates."""
        return frozenset(name for fact in self.facts.dates for name in fact.names)

    @cached_property
    def long_texts(self) -> tuple[tuple[Fact, str], ...]:
        """Recorded texts of several words, folded, each with its fact.

        A text that begins with the name of a thing and a colon is about that thing.
        """
        things = {key for fact in self.facts.all for key in fact.entities}
        things |= {key_of(f.value.value) for f in self.facts.all if f.value.kind == "name"}
        found: list[tuple[Fact, str]] = []
        for fact in self.facts.all:
            text = fact.value.value
            if fact.value.kind in ("text", "name") and text.count(" ") >= 4:
                lead = key_of(text.partition(":")[0])
                of = things & {lead, lead.removesuffix("line")}
                if of and not fact.entities:
                    fact = replace(fact, entities=frozenset(of))
                found.append((fact, key_of(text)))
        return tuple(found)

    @cached_property
    def haystack(self) -> list[tuple[str, str]]:
        """Every recorded text, folded, with its record."""
        return [(evidence_id, key_of(text)) for evidence_id, text in self.names.texts]


_recent: dict[tuple[tuple[str, str], ...], Knowledge] = {}
_MOST_RECENT = 8


def knowledge_of(records: Sequence[Record]) -> Knowledge:
    """Return the knowledge of records; the last few sets are cached by their hashes."""
    key = tuple((record.evidence_id, record.hash) for record in records)
    if not all(len(record.hash) == _HASH_LENGTH for record in records):
        return Knowledge(records)
    known = _recent.pop(key, None) or Knowledge(records)
    _recent[key] = known
    while len(_recent) > _MOST_RECENT:
        _recent.pop(next(iter(_recent)), None)
    return known


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and depth < 8:
        for item in cast("Mapping[Any, Any]", value).values():
            yield from _texts(item, depth + 1)
    elif isinstance(value, list | tuple) and depth < 8:
        for item in cast("Sequence[Any]", value):
            yield from _texts(item, depth + 1)


# The condition of a set that it holds all that there are of its kind.
_EVERY = "all that there are"


def _kinds_stated(record: Record) -> Iterator[str]:
    """Yield what the kinds of the things that have values are called."""
    for one in record.draft.statements:
        for names in (one.subject, *(condition.predicate for condition in one.conditions)):
            if names[:1] == ("entity",):
                yield from names[1:]
