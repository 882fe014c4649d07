"""The best of several periods: the weakest of the eight quarters, the lowest point of four years.

A period has the greatest or the least value of a series where the records have the whole series
that the passage speaks of: it says how many periods there are, or names the first and the last.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.period_references import follow_on, parts_of
from groundwire.evidence.claims.proof import Proof
from groundwire.evidence.claims.qualities import Quality
from groundwire.evidence.claims.series import (
    Point,
    days_of,
    facts_of_clause,
    place_in,
    series_of,
)
from groundwire.language import Span as Word

_RIGHT_BEHIND = 8
# As many values make a course of which a passage may name the peak.
_FEW = 4


def is_best_of_series(proof: Proof, word: Word, sense: str, quality: Quality) -> bool:
    """Whether the period that a word is said of has the first value of all in its series.

    Args:
        proof: the passage.
        word: the superlative.
        sense: "most" or "least".
        quality: what it compares by.
    """
    fits = quality.fits(proof)
    told = [fact for fact in facts_of_clause(proof, word) if days_of(fact) and fits(fact)]
    kinds = {(fact.names, fact.entities, fact.value.unit) for fact in told}
    if len(kinds) != 1:
        return False
    series = series_of(told[0], proof.known.facts.numbers())
    own = _own_periods(proof, word, told)
    mine = [point for point in series if own & {(*point.period[:2], f) for f in (True, False)}]
    whole = _is_whole(proof, series, told[0]) or _is_answer(proof, series)
    if len(mine) != 1 or len(series) < 2 or not whole:
        return False
    way = 1 if sense == "most" else -1
    proof.used.extend(fact for point in series for fact in point.facts)
    return all(mine[0].lies(way, point) for point in series if point is not mine[0])


def _own_periods(proof: Proof, word: Word, told: Sequence[Fact]) -> frozenset[PeriodKey]:
    """Return the period that a superlative is said of.

    It is named in its clause, the last before the word, else the first behind it; else the one
    figure of the clause tells it; else the sentence before names one.
    """
    context = proof.context
    start, end = context.clause(word.start)
    held = proof.known.periods
    named = [a for a in context.periods if a.keys & held]
    here = [a for a in named if start <= a.start < end]
    before = [a for a in here if a.end <= word.start]
    near = [a for a in here if 0 <= a.start - word.end <= _RIGHT_BEHIND]
    if here:
        return (near[0] if near else before[-1] if before else here[0]).keys
    claims = [c for c in proof.claims if start <= c.start < end and c.kind in ("number", "percent")]
    figures = [fact for c in claims for fact in c.facts if fact in told]
    if len({fact.periods for fact in figures}) == 1:
        return figures[0].periods
    if named:
        behind = [a for a in named if a.start >= word.end]
        return (behind or named[-1:])[0].keys
    spans = [scope.span for scope in context.passage.scopes if scope.earlier]
    earlier = [a.keys for span in spans[:1] for a in context.contexts.dated(span)]
    return earlier[0] if len(set(earlier)) == 1 else frozenset()


def _is_whole(proof: Proof, series: Sequence[Point], fact: Fact) -> bool:
    """Whether a passage speaks of a whole series: it counts its periods, or names both ends.

    The ends may be named in the sentence before, as far as it speaks of the same.
    """
    if any(q.unit is None and q.value == len(series) for q in proof.context.quantities):
        return True
    context = proof.context
    spans = [scope.span for scope in context.passage.scopes if scope.earlier][:1]
    anchors = [*context.periods, *(a for span in spans for a in context.contexts.dated(span))]
    named = {place_of(series, key) for a in anchors for key in a.keys if not isinstance(key, str)}
    return {0, len(series) - 1} <= named and place_in(series, fact) >= 0


def _is_answer(proof: Proof, series: Sequence[Point]) -> bool:
    """Whether a series without gaps is all of one answer, and a passage names no part of it."""
    records = {fact.evidence_id for point in series for fact in point.facts}
    longer = any(parts_of(anchor.keys, proof.known.periods) for anchor in proof.context.periods)
    whole = len(series) >= _FEW and follow_on([point.period for point in series])
    return whole and len(records) == 1 and not longer


def place_of(series: Sequence[Point], key: tuple[str, str, bool]) -> int:
    """Return the place of a period in a series, or -1."""
    return next((at for at, point in enumerate(series) if point.period[:2] == key[:2]), -1)
