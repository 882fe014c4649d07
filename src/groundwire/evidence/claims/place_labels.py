"""Places of a journey behind a label: "From: A" is where it starts, and "Destination: B" its end.

A place that only lies on the way is recorded too, so that its name alone proves no label. The time
of a clause is such a label: "at 17:49 in A" says that A is where the journey starts at 17:49.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.rides import LINE_OF_PLAN

_HOLDS = ("supported", "derived")
_SIGNS = "#* _`\t|\n"
_BEHIND = (":", "：", "–", "—", "→", "=")
_LONGEST = 40
# A line is looked for so far before a label, which may be of its ride.
_NEAR = 120
_WHOLE = {"start": "start of the journey", "end": "end of the journey"}
_OF_RIDE = "end of the service"
_TO = " to "
_ENDS_CLAUSE = re.compile(r"[,;.](?= )|[，；。、\n]|\b(?:and|und)\b")
_TIMES = {
    "departure": ("start", re.compile(r"(?:\b(?:in|at|from|ab|von|bei|am|leaves?) |[在从自])$")),
    "arrival": ("end", re.compile(r"(?:\b(?:in|at|to|bei|am|nach|reach(?:es)?) |[在到至])$")),
}


def without_mislabelled(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return claims, a place not judged that is not what its label says."""
    return [
        replace(one, status="not_judged", detail=f"{one.detail}; its label is not proven of it")
        if one.kind == "name"
        and one.status in _HOLDS
        and (
            _is_told_as_other_end(one, context, claims)
            or (
                any(fact.value.item is not None for fact in one.facts)
                and any(not _is_so(label, one, context) for label in _labels(one, context))
            )
        )
        else one
        for one in claims
    ]


def _labels(claim: Claim, context: PassageContext) -> Iterator[str]:
    """Yield what labels before a place say that it is: of its own passage, row and column."""
    text, passage = context.contexts.reading.small, context.passage
    said = text[max(passage.start, claim.start - _LONGEST) : claim.start].rstrip(_SIGNS)
    texts = [said.rstrip("".join(_BEHIND))] if said.endswith(_BEHIND) else []
    if passage.kind == "cell":
        first, *others = [scope.span for scope in passage.scopes if scope.hard] or [(0, 0)]
        heads = (one for one in (first, *others) if "\n" in text[one[1] : passage.start])
        row = [first] if passage.corner is not None else []
        texts += [text[slice(*one)] for one in (*row, *heads)]
    words = vocabulary("place_labels")
    for one in texts:
        last = one.replace("(", ".").replace(";", ".").replace(",", ".").rsplit(".")[-1]
        yield from (
            kind for kind, cue in words.items() if cue.fullmatch(last.strip(_SIGNS + ":："))
        )


def _is_told_as_other_end(place: Claim, context: PassageContext, claims: Sequence[Claim]) -> bool:
    """Whether the only time of a clause is of one end of a journey, and its place the other."""
    text, passage = context.contexts.reading.small, context.passage
    bounds = [
        passage.start,
        *(m.end() for m in _ENDS_CLAUSE.finditer(text, passage.start, passage.end)),
        passage.end,
    ]
    start = max(one for one in bounds if one <= place.start)
    end = min((one for one in bounds if one > place.start), default=passage.end)
    times = [one for one in claims if one.kind == "time" and start <= one.start < end]
    if len(times) != 1 or not times[0].facts:
        return False
    time = times[0].facts[0].value
    said, before = _TIMES.get(time.name, ("", None))
    if before is None or time.item is None or before.search(text, start, place.start) is None:
        return False
    ends = [f.value for f in _called_as(place, context) if f.value.item is not None]
    own = [one.name for one in ends if one.item is not None and one.item.names == time.item.names]
    return _WHOLE[said] not in own and any(one in own for one in _WHOLE.values())


def _is_so(label: str, claim: Claim, context: PassageContext) -> bool:
    """Whether a place is what a label says: of a whole journey, or of a ride named before it."""
    facts = _called_as(claim, context)
    if label == "towards":
        return any(fact.value.name == _OF_RIDE for fact in facts)
    if label != "change" and any(fact.value.name == _WHOLE[label] for fact in facts):
        return True
    rides = [f for f in facts if f.value.item is not None and f.value.item.pieces]
    begins, ends = (any(_is_at(fact, at) for fact in rides) for at in (0, -1))
    if label == "change":
        return ends and (begins or all(fact.value.name != _WHOLE["end"] for fact in facts))
    return (begins if label == "start" else ends) and _names_line(claim, context)


def _called_as(claim: Claim, context: PassageContext) -> list[Fact]:
    """Return all that is recorded of a place by its name."""
    return [
        fact
        for mention in context.mentions
        if mention.start == claim.start
        for fact in mention.named.values
    ]


def _is_at(fact: Fact, end: int) -> bool:
    """Whether a place is the beginning or the end of the ride that it is recorded of."""
    pieces = fact.value.item.pieces if fact.value.item is not None else ()
    return any(_TO in one and one.split(_TO)[end] == fact.value.value for one in pieces)


def _names_line(claim: Claim, context: PassageContext) -> bool:
    near = context.contexts.mentions((max(0, claim.start - _NEAR), claim.start))
    return any(fact.value.name == LINE_OF_PLAN for one in near for fact in one.named.values)
