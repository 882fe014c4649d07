"""A passage with all that speaks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Found
from groundwire.language import Span as Word


@dataclass(frozen=True, slots=True)
class Proof:
    """A passage with all that speaks for it.

    Attributes:
        text: the draft.
        context: the passage with its names, quantities and dates.
        claims: its claims.
        facts: the recorded values that support them.
        found: what statements of the records say of it.
        known: all that the records hold.
        used: recorded values by which its words were judged.
    """

    text: str
    context: PassageContext
    claims: tuple[Claim, ...]
    facts: tuple[Fact, ...]
    found: Found
    known: Knowledge
    used: list[Fact] = field(default_factory=list[Fact])

    @property
    def plain(self) -> list[Fact]:
        """The recorded numbers among the facts, without what was computed from them."""
        return [fact for fact in self.facts if fact.number is not None and not fact.operands]


Outcome = bool | None
"""Proven, contradicted, or neither."""


def sense_of(word: Word) -> str:
    """Return the sense that the lexicon gives a word, or "" where it gives none."""
    return word.role.sense if word.role else ""


def limit_before(words: Sequence[Word], place: int) -> str:
    """Return the sense of what bounds or rounds a word right before it, or ""."""
    for word in reversed(words[max(0, place - 2) : place]):
        if word.role is not None and word.role.role in ("bound", "approximation", "comparison"):
            return word.role.sense
    return ""
