"""Recorded numbers as the rows of one table: the property, the thing, the unit and the time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge

Kind = tuple[frozenset[str], frozenset[str], str | None]
"""What numbers are of that follow on each other in time: property, thing and unit."""


def kind_of(fact: Fact) -> Kind:
    """Return what a number is of."""
    return fact.names, fact.entities, fact.value.unit


def by_kind(facts: Iterable[Fact]) -> dict[Kind, list[Fact]]:
    """Return numbers by what they are of."""
    found: dict[Kind, list[Fact]] = {}
    for fact in facts:
        found.setdefault(kind_of(fact), []).append(fact)
    return found


def time_of(fact: Fact) -> list[str]:
    """Return the time of a number, by which numbers of one kind are sorted."""
    return sorted(map(str, fact.periods))


def keys_named(anchors: Iterable[Anchor[Any]]) -> set[Any]:
    """Return the keys of all that a text names."""
    return {key for anchor in anchors for key in anchor.keys}


def rows(
    known: Knowledge,
    *,
    names: Collection[str] = (),
    things: Collection[str] = (),
    times: Collection[PeriodKey] = (),
    kinds: Collection[Kind] | None = None,
    loose: bool = False,
) -> Sequence[Fact]:
    """Return the recorded numbers of some properties, things and times, none of them computed.

    Args:
        known: what the records hold.
        names: keys of the properties, empty for any.
        things: keys of the things, empty for any.
        times: keys of the times, empty for any.
        kinds: what they are of; None for anything.
        loose: whether numbers of no thing, and of no time, are among them.
    """
    return [
        fact
        for fact in known.facts.numbers()
        if not fact.operands
        and (kinds is None or kind_of(fact) in kinds)
        and (not names or not fact.names.isdisjoint(names))
        and _is_among(fact.entities, things, loose=loose)
        and _is_among(fact.periods, times, loose=loose)
    ]


def proven_by(claim: Claim, status: Status, facts: Sequence[Fact], detail: str = "") -> Claim:
    """Return a claim as recorded numbers prove it; its detail tells the first by default."""
    detail = detail or f"{facts[0].about}: {facts[0].said}"
    own = facts[0].evidence_id
    return replace(claim, status=status, detail=detail, facts=tuple(facts), evidence_id=own)


def _is_among(own: frozenset[Any], wanted: Collection[Any], *, loose: bool) -> bool:
    return not wanted or not own.isdisjoint(wanted) or (loose and not own)
