"""The statements of records made ready for look-up by the names in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.segments import split
from groundwire.evidence.claims.words import cue_tables, key_of
from groundwire.evidence.records import Condition, Names, Record, Statement
from groundwire.language import NameIndex, Token
from groundwire.language.detection import HAN_CHARACTER
from groundwire.language.glossary import other_words
from groundwire.language.places import english_names

_LONGEST_NAME = 120
_LONGEST_COUNTRY = 12


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement with the record that makes it.

    Attributes:
        evidence_id: the record.
        statement: what it states.
        fact: the count of a set, or None.
        members: keys of the names of each listed member.
        subjects: keys of the names of what it is about.
    """

    evidence_id: str
    statement: Statement
    fact: Fact | None
    members: tuple[frozenset[str], ...]
    subjects: frozenset[str]


class Term(NamedTuple):
    """A place of a statement that a name may stand in.

    Attributes:
        stated: position of the statement among all of them.
        slot: subject, predicate, object, condition (its objects) or property (its predicate).
        place: position of the object or condition.
    """

    stated: int
    slot: str
    place: int = 0


def stated_in(
    records: Sequence[Record], facts: Mapping[tuple[str, int], Fact]
) -> tuple[Stated, ...]:
    """Collect the statements of records, each with the count that it is about."""
    return tuple(
        Stated(
            record.evidence_id,
            one,
            None if one.value is None else facts.get((record.evidence_id, one.value)),
            tuple(frozenset(map(key_of, names)) for names in one.objects)
            if one.kind == "scope"
            else (),
            frozenset(map(key_of, one.subject)),
        )
        for record in records
        for one in record.draft.statements
    )


class StatementNames:
    """Every name that a statement holds, with all its places.

    A record has all names of a thing where it first names it, and later only the label: so each
    name of a label is one of every place of the record that has the label. What is called alike
    stands in many places, and is one entry of the index.
    """

    def __init__(self, statements: Sequence[Stated]) -> None:
        self._index = NameIndex()
        self._entries: list[list[tuple[int, Term]]] = []
        self._terms: dict[tuple[Hashable, ...], tuple[Term, ...]] = {}
        others = _names_of_labels(statements)
        entries: dict[object, list[tuple[int, Term]]] = {}
        alike: dict[object, list[tuple[int, Term]]] = {}
        place = 0
        for number, stated in enumerate(statements):
            one, channel = stated.statement, part_of(stated.statement.conditions)
            for names, term in _named(number, one):
                place += 1
                kinds = term.slot == "object" and "type" in one.predicate
                # One thing is not called by its head noun: "no disruption on the line" is of any.
                several = one.kind == "scope" or (one.kind == "absence" and bool(one.conditions))
                is_channel = term.slot == "condition" and names == channel
                is_currency = term.slot == "object" and "currency" in one.predicate
                by_head = kinds or is_currency or (term.slot == "subject" and several)
                key = (stated.evidence_id, names, is_channel, by_head)
                entry = entries.get(key)
                if entry is None:
                    own = others.get((stated.evidence_id, names[0]), ())
                    every = (*dict.fromkeys((*names, *own)),)
                    entry = alike.get((every, is_channel, by_head))
                    if entry is None:
                        entry = self._added([*every], is_channel=is_channel, by_head=by_head)
                    entries[key] = alike[every, is_channel, by_head] = entry
                entry.append((place, term))

    def _added(
        self, every: list[str], *, is_channel: bool, by_head: bool
    ) -> list[tuple[int, Term]]:
        """Return a new entry for places of some names."""
        every += [other for name in every for other in other_words(name)]
        if is_channel:
            every += [compound for name in every for compound in channel_compounds(name)]
        if by_head:
            every += [*_head_nouns(every)]  # "the pula" is the Botswanan pula
        for name in every:
            if (len(name) > 1 or not name.isascii()) and len(name) <= _LONGEST_NAME:
                self._index.add(name, len(self._entries))
        self._entries.append([])
        return self._entries[-1]

    def find(
        self, text: str, tokens: Sequence[Token]
    ) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
        """Yield where the longest names of a text stand, in order, each with all its places."""
        for start, end, entries in self._index.find(text, tokens):
            terms = self._terms.get(entries)
            if terms is None:
                placed = sorted(
                    one
                    for entry in cast("tuple[int, ...]", entries)
                    for one in self._entries[entry]
                )
                terms = self._terms[entries] = tuple(dict.fromkeys(term for _, term in placed))
            yield start, end, terms


def _names_of_labels(statements: Sequence[Stated]) -> dict[tuple[str, str], dict[str, None]]:
    """Return by record and label all names of what has the label."""
    others: dict[tuple[str, str], dict[str, None]] = {}
    for stated in statements:
        # Where one changes has the names of two stops, which are not those of one.
        changes = stated.statement.kind == "order" and "change" in stated.statement.predicate
        for names, term in _named(0, stated.statement):
            if not (changes and term.slot == "object"):
                others.setdefault((stated.evidence_id, names[0]), {}).update(dict.fromkeys(names))
    return others


def channel_compounds(name: str) -> Iterator[str]:
    """Yield German compounds by which a sales channel is called: Onlinegeschäft."""
    if name.isalpha():
        for ending in cue_tables()["of_channels"]:
            yield from (f"{name}{ending}", f"{name}s{ending}")


def _head_nouns(names: Sequence[str]) -> Iterator[str]:
    """Yield the last words of names of several: "map" of "HD map", 普拉 of 博茨瓦纳普拉."""
    for name in names:
        first, _, last = name.rpartition(" ")
        if first and last.isalpha() and not HAN_CHARACTER.search(name):
            yield last
        if HAN_CHARACTER.match(name):
            ends = range(2, min(len(name) - 1, _LONGEST_COUNTRY))
            yield from (name[end:] for end in ends if name[:end] in english_names())


def _named(number: int, one: Statement) -> Iterator[tuple[Names, Term]]:
    """Every place of a statement that has names."""
    if one.subject:
        yield one.subject, Term(number, "subject")
    if one.predicate:
        yield one.predicate, Term(number, "predicate")
    for place, names in enumerate(one.objects):
        if names:
            yield names, Term(number, "object", place)
    for place, condition in enumerate(one.conditions):
        if condition.predicate:
            yield condition.predicate, Term(number, "property", place)
        for names in condition.objects:
            if names:
                yield names, Term(number, "condition", place)


def answered_by(records: Sequence[Record]) -> dict[str, str]:
    """The sentences of recorded answers, folded, with their record."""
    found: dict[str, str] = {}
    for record in records:
        answer = record.draft.answer
        for passage in split(answer, ()) if answer else ():
            key = key_of(answer[passage.start : passage.end])
            if key:
                found.setdefault(key, record.evidence_id)
    return found


def groups_of(
    statements: Sequence[Stated],
) -> dict[tuple[str, str], tuple[frozenset[str], int, str]]:
    """Find the properties by which a record counts in groups.

    Returns:
        By record and property: the names of the property, how many groups there are, the record.
    """
    held: dict[tuple[str, str], tuple[set[str], set[Names]]] = {}
    steps: dict[tuple[str, str], tuple[frozenset[str], int, str]] = {}
    for stated in statements:
        one = stated.statement
        if one.kind == "order" and one.predicate and one.complete == "all_listed":
            key = (stated.evidence_id, one.predicate[0])
            steps.setdefault(key, (frozenset(one.predicate), len(one.objects), stated.evidence_id))
        if one.kind == "scope" and stated.fact is not None and one.complete:
            for condition in one.conditions:
                if condition.predicate and len(condition.objects) == 1:
                    key = (stated.evidence_id, condition.predicate[0])
                    names, objects = held.setdefault(key, (set(), set()))
                    names.update(condition.predicate)
                    objects.add(condition.objects[0][:1])
    return steps | {
        key: (frozenset(names), len(objects), key[0])
        for key, (names, objects) in held.items()
        if len(objects) > 1
    }


def part_of(conditions: Sequence[Condition]) -> Names | None:
    """Return the names of the channel that a value is of, the total among them; None for none."""
    for condition in conditions:
        if "channel" in condition.predicate and condition.objects:
            return condition.objects[0]
    return None
