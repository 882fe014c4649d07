"""Signs between names that say which is greater or first: "A > B by population", "A → B".

No word says so there, so that the names and the property alone would be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.entity_linking import Mention
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.rides import LINE_OF_PLAN

_HOLDS = ("supported", "derived")
_GREATER = {">": 1, "≥": 1, "≫": 1, "<": -1, "≤": -1, "≪": -1}
_THEN = frozenset(("→", "->", "-->", "=>", "➔", "➜", "⇒"))
_SIGNS = "*_` "
_WHOLE = ("start of the journey", "end of the journey")
_TO = " to "


def without_unproven_signs(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return claims, those not judged of a passage with a sign that is not proven."""
    if all(_so(context)):
        return list(claims)
    reason = "the order that a sign between names tells is not proven"
    return [
        replace(one, status="not_judged", detail=f"{one.detail}; {reason}")
        if one.status in _HOLDS
        else one
        for one in claims
    ]


def _so(context: PassageContext) -> Iterator[bool]:
    """Yield for each sign between two names whether it is proven."""
    text = context.contexts.reading.text
    things = sorted(context.entities, key=lambda one: one.start)
    for one, other in pairwise(things):
        way = _GREATER.get(text[one.end : other.start].strip(_SIGNS))
        is_address = "://" in text[one.start : one.end] or "://" in text[other.start : other.end]
        if way is not None and not is_address:  # "Munich <https://...>"
            first, second = _value(context, one.keys), _value(context, other.keys)
            if first is None or second is None:
                yield False
            else:
                yield (first - second) * way > 0
    for ride, then in pairwise(context.mentions):
        if text[ride.end : then.start].strip(_SIGNS) in _THEN:
            yield not _is_turned(_rides(ride), _rides(then), context)


def _value(context: PassageContext, thing: frozenset[str]) -> float | None:
    """Return the one value of a thing of the property and time that a passage names."""
    called = frozenset(key for anchor in context.names for key in anchor.keys)
    times = frozenset(key for anchor in context.periods for key in anchor.keys)
    found = {
        fact.number
        for fact in context.contexts.known.facts.numbers()
        if fact.entities & thing
        and fact.names & called
        and not fact.operands
        and (not times or fact.periods & times)
    }
    return float(value) if len(found) == 1 and (value := found.pop()) is not None else None


def _is_turned(
    before: Sequence[tuple[str, str]], behind: Sequence[tuple[str, str]], context: PassageContext
) -> bool:
    """Whether the rides by the line told first only come behind those by the other one."""
    ends, starts = {end for _, end in before}, {start for start, _ in before}
    if not before or any(start in ends for start, _ in behind):
        return False
    trips = context.contexts.known.facts.all
    first, last = ({f.value.value for f in trips if f.value.name == one} for one in _WHOLE)
    opens = any(start in first for start, _ in behind) and starts.isdisjoint(first)
    closes = bool(behind) and ends <= last
    return opens or closes or any(end in starts for _, end in behind)


def _rides(line: Mention) -> list[tuple[str, str]]:
    """Return the ends of the rides by a line."""
    facts = [f for f in line.named.values if f.value.name == LINE_OF_PLAN and _pieces(f)]
    ways = (piece.partition(_TO) for fact in facts for piece in _pieces(fact))
    return [(start, end) for start, joint, end in ways if joint]


def _pieces(fact: Fact) -> Sequence[str]:
    return fact.value.item.pieces if fact.value.item is not None else ()
