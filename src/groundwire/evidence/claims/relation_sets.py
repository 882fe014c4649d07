"""Sets that recorded relations make: neighbours of Austria, countries that speak Portuguese.

A relation with several objects, or with several subjects of one object, is a set that a sentence
may count ("eight neighbours"), list ("Bern, Prague and Rome"), or name a member of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Names

# Predicates that name a thing, say its kind or tell where a way begins and ends.
_NO_SETS = frozenset(("type", "label", "name", "from", "to", "kind", "rank"))
ANY = ""
"""The anchor of a set of everything that some relation leads to, whoever has it."""
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class RelationSet:
    """Things that stand in one relation to one thing.

    Attributes:
        evidence_id: the record that has them.
        predicate: the names of the relation.
        anchor: the key of the thing that they are related to; "" where each has its own.
        members: by the key of each member, that of the thing that it is related to.
    """

    evidence_id: str
    predicate: Names
    anchor: str
    members: Mapping[str, str]


def sets_in(statements: Sequence[Stated]) -> tuple[RelationSet, ...]:
    """Collect the sets that the relations of records make."""
    found: dict[tuple[str, Names, str, bool], dict[str, str]] = {}
    names: dict[tuple[str, str], Names] = {}
    for stated in statements:
        one = stated.statement
        if one.kind != "relation" or not one.subject or _NO_SETS & set(one.predicate[:1]):
            continue
        predicate = names.setdefault((stated.evidence_id, one.predicate[0]), one.predicate)
        subject = key_of(one.subject[0])
        for objects in one.objects:
            thing = key_of(objects[0]) if objects else ""
            if not thing or thing.isdigit():
                continue
            for anchor, member, turned in (
                (subject, thing, False),
                (thing, subject, True),
                (ANY, thing, False),
            ):
                key = (stated.evidence_id, predicate, anchor, turned)
                found.setdefault(key, {})[member] = subject if anchor == ANY else anchor
    return tuple(
        RelationSet(evidence_id, predicate, anchor, members)
        for (evidence_id, predicate, anchor, _), members in found.items()
        if len(members) >= _FEWEST
    )
