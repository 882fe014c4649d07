"""The statements of records made ready for look-up by the names in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.segments import split
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Record, Statement
from groundwire.language import NameIndex

_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement with the record that makes it.

    Attributes:
        evidence_id: the record.
        statement: what it states.
        fact: the count of a set, or None.
        members: keys of the names of each listed member.
    """

    evidence_id: str
    statement: Statement
    fact: Fact | None
    members: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Term:
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
        )
        for record in records
        for one in record.draft.statements
    )


def names_of(statements: Sequence[Stated]) -> NameIndex:
    """Index every name that a statement holds."""
    index = NameIndex()
    for number, stated in enumerate(statements):
        for name, term in _named(number, stated.statement):
            if 1 < len(name) <= _LONGEST_NAME:
                index.add(name, term)
    return index


def _named(number: int, one: Statement) -> Iterator[tuple[str, Term]]:
    yield from ((name, Term(number, "subject")) for name in one.subject)
    yield from ((name, Term(number, "predicate")) for name in one.predicate)
    for place, names in enumerate(one.objects):
        yield from ((name, Term(number, "object", place)) for name in names)
    for place, condition in enumerate(one.conditions):
        yield from ((name, Term(number, "property", place)) for name in condition.predicate)
        for names in condition.objects:
            yield from ((name, Term(number, "condition", place)) for name in names)


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
