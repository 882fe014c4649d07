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
        is_whole: whether no more members may stand on pages that were not read.
    """

    evidence_id: str
    predicate: Names
    anchor: str
    members: Mapping[str, str]
    is_whole: bool = True


def sets_in(statements: Sequence[Stated], fewest: int = _FEWEST) -> tuple[RelationSet, ...]:
    """Collect the sets that the relations of records make.

    Args:
        statements: the relations.
        fewest: how many members a set has at least.
    """
    found: dict[tuple[str, Names, str, bool], dict[str, str]] = {}
    names: dict[tuple[str, str], Names] = {}
    cut = {one.evidence_id for one in statements if _lists_part(one)}
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
        RelationSet(evidence_id, predicate, anchor, members, not (turned and evidence_id in cut))
        for (evidence_id, predicate, anchor, turned), members in found.items()
        if len(members) >= fewest
    )


def _lists_part(stated: Stated) -> bool:
    """Whether a statement counts more than it lists."""
    one, number = stated.statement, stated.fact.number if stated.fact is not None else None
    return one.kind == "scope" and bool(one.objects) and (number or 0) > len(one.objects)
