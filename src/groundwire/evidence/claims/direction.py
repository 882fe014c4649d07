"""Which way something went, up or down: as a sentence says it, and as the records have it."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from groundwire.evidence.claims.operators import operator

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext
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


def leads_change(context: PassageContext, start: int, end: int) -> bool:
    """Whether the last word with a meaning in a part of a passage tells a change: "a growth of".

    What names something or rounds a figure may stand behind it: "added about", "der Zuwachs dort".
    """
    for word in reversed(context.contexts.annotated.within(start, end)):
        named = any(one.start <= word.start < one.end for one in context.mentions)
        if named or word.is_silent or (word.role and word.role.role == "approximation"):
            continue
        return direction(word.text) != 0 or bool(word.role and word.role.role == "direction")
    return False


def moves(context: PassageContext) -> bool:
    """Whether a passage, or what stands over it, tells a change."""
    spans = ((context.passage.start, context.passage.end), *context.above)
    return any(direction(context.contexts.reading.text[slice(*one)]) for one in spans)


def changes_told(known: Knowledge) -> dict[str, Decimal]:
    """Return the recorded changes in percent, by what changed."""
    return {
        min(fact.entities): fact.number
        for fact in known.facts.numbers()
        if fact.operation == "percent_change"
        and fact.number is not None
        and len(fact.entities) == 1
    }
