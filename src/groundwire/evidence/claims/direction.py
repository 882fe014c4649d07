"""Which way something went, up or down: as a sentence says it, and as the records have it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from groundwire.evidence.claims.operators import operator
from groundwire.language import Span as Word

if TYPE_CHECKING:
    from groundwire.evidence.claims.knowledge import Knowledge


@lru_cache(maxsize=1_024)
def direction(text: str) -> int:
    """Which way a text goes, names left out: 1 up or more, -1 down or less, 0 neither or both."""
    # Verbs and nouns of change come first; "over", "under" and comparatives count without them.
    for up, down in (("rises", "falls"), ("more", "less")):
        rises = operator(up).search(text) is not None
        falls = operator(down).search(text) is not None
        if rises or falls:
            return rises - falls
    return 0


def changes_told(known: Knowledge) -> dict[str, Decimal]:
    """Return the recorded changes in percent, by what changed."""
    return {
        min(fact.entities): fact.number
        for fact in known.facts.numbers()
        if fact.operation == "percent_change"
        and fact.number is not None
        and len(fact.entities) == 1
    }


def ends_in_change(words: Sequence[Word], end: int) -> bool:
    """Whether the word before a place is a noun for a change or a difference: "Zuwachs"."""
    before = [word for word in words if word.end <= end][-1:]
    return any(
        word.tokens[-1].tag == "noun"
        and word.role is not None
        and word.role.role in ("comparison", "direction")
        for word in before
    )
