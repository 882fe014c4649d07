"""Recorded orders of things by a value, made ready for look-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.evidence.claims.fact_index import key_of_period
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.words import key_of

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext
    from groundwire.evidence.claims.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Ranking:
    """A recorded order of things by a value.

    Attributes:
        evidence_id: its record.
        members: the keys of each member, the first one first.
        names: keys of what they are sorted by.
        periods: keys of the period of the values; empty where it has none.
        descending: whether the greatest stands first.
    """

    evidence_id: str
    members: tuple[frozenset[str], ...]
    names: frozenset[str]
    periods: frozenset[object]
    descending: bool

    def place_of(self, keys: frozenset[str]) -> int | None:
        """Return the place of a member from 1, or None."""
        return next((at for at, one in enumerate(self.members, 1) if one & keys), None)


def rankings_in(statements: Sequence[Stated], numbers: Sequence[int]) -> Iterator[Ranking]:
    """Yield every order by a value.

    Args:
        statements: all statements of the records.
        numbers: the numbers of those that are orders.
    """
    for number in numbers:
        stated = statements[number]
        one = stated.statement
        ways = {n[0] for c in one.conditions if "order" in c.predicate for n in c.objects}
        if not ways or not one.predicate or not one.objects:
            continue
        periods = {
            key_of_period(name)
            for condition in one.conditions
            if "period" in condition.predicate and condition.operator == "is"
            for names in condition.objects
            for name in names
        }
        yield Ranking(
            stated.evidence_id,
            tuple(frozenset(map(key_of, names)) for names in one.objects),
            frozenset(map(key_of, one.predicate)),
            frozenset(periods),
            "descending" in ways,
        )


def fitting(
    rankings: Sequence[Ranking], context: PassageContext, known: Knowledge
) -> list[Ranking]:
    """Return the rankings by what a passage names, of the period that it names."""
    named = {key for anchor in context.names for key in anchor.keys} & known.numeric_names
    periods = {key for anchor in context.periods for key in anchor.keys}
    return [
        one
        for one in rankings
        if (not named or one.names & named)
        and (not periods or not one.periods or one.periods & periods)
    ]
