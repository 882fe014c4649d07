"""Figures that are told as a sum, without the word by which the records call its function.

"Total length", "together they have 999.6 km" and "Germany: 999.6 km (55 maps)" tell a sum: by a
word of sums in the passage or over it, or by the count of what is added up, right beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import MEAN, SUM
from groundwire.evidence.claims.fact_index import ASSETS
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.records import Condition

# What parts a figure from its count: "999.6 km (55 maps)", but not "55 maps of 999.6 km".
_APART = re.compile(r"[(（,，:：/|–—]")


def sums_in(conditions: Sequence[Condition]) -> set[int]:
    """Return the places of conditions that say of a value that it is a sum."""
    return {
        place
        for place, one in enumerate(conditions)
        if "function" in one.predicate
        and any(SUM.search(n) for names in one.objects for n in names)
    }


def with_means(keys: Set[str], context: PassageContext, start: int) -> Set[str]:
    """Return keys of named properties; of their recorded means where a clause tells a mean.

    Args:
        keys: the keys.
        context: the passage.
        start: a place in the clause.
    """
    known = context.contexts.known
    means = {mean for key in keys for mean in (f"mean{key}",) if mean in known.numeric_names}
    told = means and MEAN.search(context.contexts.reading.text, *context.clause(start))
    return means if told else keys


def is_told_as_sum(context: PassageContext, stated: Stated, until: int) -> bool:
    """Whether a passage, as far as a place, tells the value of a statement as a sum.

    Args:
        context: the passage.
        stated: what the records state of the value.
        until: where the part of the passage ends that tells it.
    """
    reading, fact = context.contexts.reading, stated.fact
    spans = ((context.passage.start, until), *context.above)
    if fact is None or any(MEAN.search(reading.text, *span) for span in spans):
        return False
    if any(SUM.search(reading.text, *span) for span in spans):
        return True
    counts = {
        one.number
        for one in context.contexts.known.about(fact.entities)
        if one.value.unit == ASSETS and one.evidence_id == fact.evidence_id
    }
    row = [scope.span for scope in context.passage.scopes if scope.hard and not scope.earlier]
    if context.passage.kind == "cell":
        cells = (quantity for span in row for quantity in reading.quantities.within(span))
        return any(one.unit is None and one.value in counts for one in cells)
    return any(
        one.unit is None and one.value in counts
        for pair in pairwise(context.quantities)
        if _APART.search(reading.text, pair[0].span[1], pair[1].span[0])
        for one in pair
    )
