"""Words that say how much, how exactly or how little: "far larger", "exactly 3", "just 1.7 %"."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from groundwire.evidence.claims.proof import Proof
from groundwire.evidence.claims.value_cues import compared
from groundwire.language import Span as Word

# What is at least so many times as much may be called far more.
_FAR = Decimal("1.5")
# From "only" to its figure, an approximation between them.
_NEXT_WORD = 8


def is_far(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "much" or "far" stands right before a comparison of values that lie far apart."""
    behind = words[place + 1] if place + 1 < len(words) else None
    if behind is None or behind.role is None or behind.role.role not in ("comparison", "bound"):
        return False
    pairs = compared(proof, words, place + 1)
    return bool(pairs) and all(min(pair) > 0 and max(pair) / min(pair) >= _FAR for pair in pairs)


def is_exact(proof: Proof, word: Word) -> bool:
    """Whether "exactly" stands before a figure that is recorded just so, and not rounded."""
    told = {q.span[0]: q for q in proof.context.quantities}
    return any(
        0 <= claim.start - word.end <= _NEXT_WORD
        and claim.status == "supported"
        and claim.facts
        and all(fact.number == told[claim.start].value for fact in claim.facts)
        for claim in proof.claims
        if claim.start in told
    )


def limits_exact_count(proof: Proof, word: Word) -> bool:
    """Whether "only" stands before the value of a thing: it calls small what is proven to be so.

    Before the count of a set it says that there are no more, which only a complete set shows.
    """
    return any(
        0 <= claim.start - word.end <= _NEXT_WORD and claim.status in ("supported", "derived")
        for claim in proof.claims
        if claim.kind in ("number", "percent", "time") and claim.facts
        if all((f.entities or f.unit) and not f.operands for f in claim.facts)
        or (claim.kind == "percent" and claim.status == "derived")
    )
