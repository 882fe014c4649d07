"""Gaps between two things: how far apart their values are, and how that changed.

"The gap between A and B shrank from 13.9 to 7.3 million" says which way the difference went, and
nothing of the way that A or B went.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.language import Span as Word

_NEAR = 60
_STOPS = re.compile("[,;:，。；：]")
Gap = tuple[frozenset[frozenset[str]], tuple[str, ...], Decimal]
"""The two things, the time and the size of a difference."""
_NARROWS = frozenset(("narrow",))


def speaks_of_gap(proof: Proof, word: Word) -> bool:
    """Whether a gap stands before a word in its part of a sentence: "the gap was down to"."""
    start = proof.context.passage.start
    gaps = list(operator("gap").finditer(proof.text, start, word.start))
    return bool(gaps) and not _STOPS.search(proof.text, gaps[-1].end(), word.start)


def judge_gap(proof: Proof, word: Word) -> Outcome:
    """Judge which way a gap went, by the differences of two things that the passage tells."""
    gaps = [_gap(claim) for claim in proof.claims]
    held = [one for one in gaps if one is not None]
    held += [one for one in (_gap_before(proof, claim) for claim in proof.claims) if one]
    if len({one[0] for one in held}) != 1 or len({one[1] for one in held}) < 2:
        return None
    ordered = sorted(held, key=lambda one: one[1])
    first, last = ordered[0][2], ordered[-1][2]
    narrows = any(token.lemma in _NARROWS for token in word.tokens)
    way = "down" if narrows else sense_of(word).partition("_")[0]
    if way not in ("up", "down") or first == last:
        return None
    return (last > first) == (way == "up")


def _gap_before(proof: Proof, claim: Claim) -> Gap | None:
    """Return the last recorded gap of two things before the one that a figure tells."""
    own = _gap(claim)
    if own is None:
        return None
    first, second = claim.facts
    earlier: dict[tuple[str, ...], dict[frozenset[str], Decimal]] = {}
    for fact in proof.known.facts.numbers():
        time = tuple(sorted(map(str, fact.periods)))
        same = fact.names == first.names and fact.value.unit == first.value.unit
        if same and not fact.operands and time < own[1] and fact.number is not None:
            earlier.setdefault(time, {})[fact.entities] = fact.number
    for time in sorted(earlier, reverse=True):
        held = earlier[time]
        if first.entities in held and second.entities in held:
            return own[0], time, abs(held[first.entities] - held[second.entities])
    return None


def lies_between(proof: Proof, word: Word) -> bool:
    """Whether the two things behind "between" are those whose gap the passage tells."""
    gaps = [_gap(claim) for claim in proof.claims]
    pairs = {one[0] for one in gaps if one is not None}
    behind = [a for a in proof.context.entities if 0 <= a.start - word.end <= _NEAR][:2]
    named = {key for anchor in behind or proof.context.entities for key in anchor.keys}
    if not (behind or speaks_of_gap(proof, word)):
        return False
    told = all(named & keys for pair in pairs for keys in pair)
    return len(pairs) == 1 and (told if named else True)


def _gap(claim: Claim) -> Gap | None:
    """Return the two things, the time and the size of a difference that a figure tells."""
    facts: Sequence[Fact] = claim.facts
    if claim.status != "derived" or len(facts) != 2 or "−" not in claim.detail:
        return None
    first, second = facts
    same = first.names == second.names and first.periods == second.periods
    if not same or first.entities == second.entities or first.number is None:
        return None
    size = abs(first.number - (second.number or Decimal(0)))
    times = tuple(sorted(map(str, first.periods)))
    return frozenset((first.entities, second.entities)), times, size
