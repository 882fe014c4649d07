"""Ranges that all values of a series lie in: "between 46.2 % and 46.7 % in every quarter"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.rounding import agrees
from groundwire.quantities import Quantity, resolve_unit

WITHIN = "every value lies between"
"""How the detail of a range begins that holds."""

_BETWEEN = re.compile(
    r"(?:\b(?:between|ranged? from|ranging from|zwischen|von)\b[^0-9.;,]{0,24}"
    r"|[在从于介]{1,2}[^0-9。，]{0,4})$",
    re.IGNORECASE,
)
_JOINT = re.compile(r" ?%? ?(?:and|to|und|bis|和|与|到|至)[^0-9.;,]{0,16}", re.IGNORECASE)


def judge_ranges(claims: Sequence[Claim], passage: PassageContext, known: Knowledge) -> list[Claim]:
    """Judge pairs of figures again that say between which all values of a series lie.

    A range holds where every recorded value of the times that the passage names, or of all times
    where it names none, lies in it, and its ends are the least and the greatest of them.
    """
    text = passage.contexts.reading.text
    judged: list[Claim] = list(claims)
    for first, second in pairwise(passage.quantities):
        led = _BETWEEN.search(text, max(passage.passage.start, first.span[0] - 40), first.span[0])
        if led is None or not _JOINT.fullmatch(text, first.span[1], second.span[0]):
            continue
        for series in _series(passage, known):
            facts = _ends(first, second, series)
            if facts:
                detail = f"{WITHIN} {facts[0].said} and {facts[1].said}"
                starts = {first.span[0], second.span[0]}
                judged = [
                    replace(
                        claim, status="supported", detail=detail, facts=tuple(series),
                        evidence_id=facts[0].evidence_id,
                    ) if claim.start in starts else claim
                    for claim in judged
                ]  # fmt: skip
                break
    return judged


def _series(passage: PassageContext, known: Knowledge) -> Iterator[list[Fact]]:
    """Yield the recorded series that a passage may speak of, each at several times."""
    names = {key for anchor in passage.names for key in anchor.keys} & known.numeric_names
    entities = {key for anchor in passage.entities for key in anchor.keys}
    periods = {key for anchor in passage.periods for key in anchor.keys}
    for anchor in passage.periods:
        periods.update(parts_of(anchor.keys, known.periods))
    found: dict[tuple[object, ...], list[Fact]] = {}
    for fact in known.facts.numbers():
        apart = not fact.operands and fact.periods
        if apart and (not names or fact.names & names) and (not periods or fact.periods & periods):
            of_it = not entities or not fact.entities or fact.entities & entities
            if of_it:
                key = (fact.names, fact.entities, fact.value.unit)
                found.setdefault(key, []).append(fact)
    yield from (facts for facts in found.values() if len({f.periods for f in facts}) > 1)


def _ends(first: Quantity, second: Quantity, series: Sequence[Fact]) -> tuple[Fact, Fact] | None:
    """Return the least and the greatest of a series where two figures tell them."""
    unit = second.unit or first.unit
    wanted = resolve_unit(unit) if unit else None
    if any((fact.unit.symbol if fact.unit else None) != (wanted.symbol if wanted else None)
           for fact in series):  # fmt: skip
        return None
    ordered = sorted(series, key=lambda fact: fact.number or 0)
    scale = second.scale if first.scale == 1 else first.scale
    low = replace(first, value=first.value * (scale / first.scale), scale=scale)
    for quantity, fact, way in ((low, ordered[0], 1), (second, ordered[-1], -1)):
        number = fact.number
        if number is None:
            return None
        outward = 0 <= (number - quantity.value) * way < quantity.step
        if not outward and agrees(quantity, quantity.value, number, count=False) is None:
            return None
    return ordered[0], ordered[-1]
