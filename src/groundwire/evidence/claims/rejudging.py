"""The second judgement of the numbers of a passage, without those that no record has."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.number_claims import judge_number
from groundwire.evidence.claims.rounding import find_fits
from groundwire.evidence.claims.stated_number import other_readings
from groundwire.quantities import Quantity


def rejudged(
    claims: Sequence[Claim | None], passage: PassageContext, known: Knowledge
) -> list[Claim | None]:
    """Judge numbers again without those that no record has in any reading.

    "48.8 million compared to 36.6 million, so 12.3 million more" has three numbers and names two
    things: the third belongs to neither, and must not stand in their order.
    """
    wrong = [c for c in claims if c is not None and c.status in ("contradicted", "unsupported")]
    if not wrong or len(passage.quantities) < 3:
        return list(claims)
    held = [q for q in passage.quantities if _is_recorded(q, passage, known)]
    starts = [q.span[0] for q in held]
    if not 2 <= len(held) < len(passage.quantities):
        return list(claims)
    again = {q.span[0]: judge_number(q, passage, starts, known) for q in held}
    places = {c.start for c in wrong}
    better = [again.get(c.start) if c and c.start in places else c for c in claims]
    return [
        new if new is not None and new.status in ("supported", "derived") else old
        for new, old in zip(better, claims, strict=True)
    ]


def _is_recorded(quantity: Quantity, passage: PassageContext, known: Knowledge) -> bool:
    """Whether a record has a number in some reading."""
    readings = (quantity, *(q for q, _ in other_readings(quantity, passage, may_be_lost=False)))
    return any(find_fits(one, known.facts, falls=True) for one in readings)
