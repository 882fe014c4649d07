"""Sentences that speak of the one before: "That is a decline of 15 % over thirty years"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact, PeriodKey, distinct
from groundwire.evidence.claims.rounding import find_fits

_POINTS_BACK = re.compile(
    r"\s*(?:(?:so|thus|hence) )?(?:(?:that|this|which) (?:is|was|means|makes|equals|amounts"
    r"|corresponds|represents|works out)\b"
    r"|(?:(?:das|dies) (?:ist|war|sind|waren|entspricht|entsprach|bedeutet|macht))\b"
    r"|这(?:是|意味着|相当于|表示|一|说明)|即)",
    re.IGNORECASE,
)


def _before(passage: PassageContext) -> tuple[int, int] | None:
    """The sentence that a passage points back to, where it names nothing itself."""
    if passage.entities or passage.periods:
        return None
    text = passage.contexts.reading.text
    if _POINTS_BACK.match(text, passage.passage.start, passage.passage.end) is None:
        return None
    return next((scope.span for scope in passage.passage.scopes if scope.earlier), None)


def values_before(passage: PassageContext) -> list[Fact]:
    """Return the recorded values that the sentence before tells, where a passage points back."""
    span = _before(passage)
    if span is None:
        return []
    contexts = passage.contexts
    entities = {key for anchor in contexts.entities(span) for key in anchor.keys}
    periods = {key for anchor in contexts.dated(span) for key in anchor.keys}
    return distinct(
        fit.fact
        for quantity in contexts.reading.quantities.within(span)
        for fit in find_fits(quantity, contexts.known.facts, falls=False)
        if not fit.fact.operands and fit.fact.entities & entities and fit.fact.periods & periods
    )


def periods_before(passage: PassageContext) -> Sequence[Anchor[PeriodKey]]:
    """Return the periods that the sentence before names, where a passage points back."""
    span = _before(passage)
    return passage.contexts.dated(span) if span is not None else ()
