"""Shares and ratios that a text tells, as values that rise and fall themselves.

"The online share rose to 48.3 %" speaks of the share, and never of the revenue that it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.proof import Proof
from groundwire.language import Span as Word

QUOTIENTS = frozenset(("share", "ratio"))


def quotient_changes(proof: Proof, word: Word) -> list[Decimal]:
    """Return by how much each share or ratio changed that the clause of a word tells.

    One that is told for one time alone is held against the last recorded one before it.
    """
    start, end = proof.context.clause(word.start)
    told = [
        fact for claim in proof.claims if start <= claim.start < end for fact in quotients_of(claim)
    ]
    if len(told) == 1:  # "1.08 times as many in 2010, in 2020 down to 1.01 times"
        every = [fact for claim in proof.claims for fact in quotients_of(claim)]
        told = [fact for fact in every if _kind(fact) == _kind(told[0])]
    series: dict[tuple[object, ...], list[Fact]] = {}
    for fact in told:
        series.setdefault(_kind(fact), []).append(fact)
    changes = (_change(proof, held) for held in series.values())
    return [change for change in changes if change is not None]


def quotients_of(claim: Claim) -> list[Fact]:
    """Return the shares and ratios that a figure tells, recorded or computed."""
    if claim.status != "derived":
        return []
    is_ratio = len(claim.facts) == 2 and " ÷ " in claim.detail and " − " not in claim.detail
    if is_ratio and claim.kind == "number":
        a, b = claim.facts
        if a.number is not None and b.number and a.periods == b.periods:
            return [replace(a, operation="ratio", operands=(a, b), number=a.number / b.number)]
    return [fact for fact in claim.facts if fact.operation in QUOTIENTS]


def _change(proof: Proof, told: Sequence[Fact]) -> Decimal | None:
    """Return the change from the first to the last of one quotient, or from the one before it."""
    ordered = sorted(told, key=_time)
    first, last = ordered[0], ordered[-1]
    if _time(first) == _time(last):
        same = (f for f in proof.known.facts.numbers() if _kind(f) == _kind(last))
        before = [fact for fact in same if _time(fact) < _time(last)]
        if not before:
            return None
        first = max(before, key=_time)
    if first.number is None or last.number is None or not first.number:
        return None
    proof.used.extend((first, last))
    return (last.number - first.number) / abs(first.number)


def _time(fact: Fact) -> list[str]:
    return sorted(map(str, fact.periods))


def _kind(fact: Fact) -> tuple[object, ...]:
    return (fact.operation, *((one.names, one.entities) for one in fact.operands))


def share_of_named_part(proof: Proof) -> Iterator[Decimal]:
    """The share that the one part which a passage names has of its whole, at the time told."""
    known, context = proof.known, proof.context
    spans = ((context.passage.start, context.passage.end), *context.above)
    dated = (one.keys for span in spans for one in context.contexts.dated(span))
    times = next(iter(dated), None)
    named = {key for anchor in context.names for key in anchor.keys & known.parts.keys()}
    parts = [f for key in named for f in known.parts[key] if not times or f.periods & times]
    whole = known.whole_of(parts[0]) if len(parts) == 1 else None
    if whole is not None and whole.number and parts[0].number:
        proof.used.extend((parts[0], whole))
        yield parts[0].number / whole.number
