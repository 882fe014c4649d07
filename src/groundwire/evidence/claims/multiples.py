"""How many times one recorded value is another, as far as words such as "twice" are exact."""

from __future__ import annotations

from decimal import Decimal

from groundwire.evidence.claims.operators import factors
from groundwire.language import Span as Word

_NEAR_FACTOR = Decimal("0.05")
_NEARLY = Decimal("0.9")


def factor_of(word: Word) -> Decimal | None:
    """Return how many times a word says, or None where it says no number."""
    return next((factors()[t.lemma] for t in word.tokens if t.lemma in factors()), None)


def is_multiple(first: Decimal, second: Decimal, factor: Decimal, limit: str) -> bool:
    """Whether a value is so many times another, as far as such words are exact."""
    if not second:
        return False
    ratio = first / second
    if limit in ("more_than", "at_least", "more"):
        return factor < ratio < factor + 1
    if limit in ("less_than", "at_most", "less"):
        return factor - 1 < ratio < factor
    if limit == "nearly":
        return factor * _NEARLY <= ratio < factor
    return abs(ratio - factor) <= factor * _NEAR_FACTOR
