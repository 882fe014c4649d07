"""Which of the times that a passage names a figure is of, where the figures stand in an order.

A range has an earlier and a later end ("from 2010 to 2020 it fell from 5 to 4"), a year has parts
that a list tells one by one, and a figure before "the year before" is of the year told above.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.period_references import parts_of, year_after

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext

_NEARLY = r"\s*(?:[A-Z]{3} |[$€£¥约近]|(?:about|around|rund|etwa) ){0,2}$"
LATER = re.compile(rf"(?:\b(?:to|auf)|[至到为]){_NEARLY}")
"""Right before the later of two figures: "from 79.1 to 77.8"."""
# Before the time of the earlier figure of a change, and between the two.
_FROM_BEFORE = re.compile(r"[由从自]$")
_ITS_FIGURE = re.compile(r"的? ?[约近]?")
# Between the two ends of one range, and between the figures of a list.
_RANGE = re.compile(r" ?年? ?(?:to|and|bis|und|[-–—至到和]) ?", re.IGNORECASE)
_LISTED = re.compile(r"[^\w.;]{0,3}(?:\s?(?:and|und)\s)?[A-Z$€£¥]{0,4}\s?|[、，]|和|以及")


def by_order(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return the period that a figure is of by where it stands among others, or nothing."""
    return _of_range(passage, claim) or _of_change(passage, claim) or _of_part(passage, claim)


def _of_range(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return the end of the one range that a passage names which a figure is of, or nothing.

    "From 2010 to 2020 it fell in A from 5 to 4, and in B it rose from 6 to 7."
    """
    text = passage.contexts.reading.text
    if len(passage.periods) != 2:
        return frozenset()
    first, last = passage.periods
    if _RANGE.fullmatch(text, first.end, last.start) is None or _time(first.keys) > _time(
        last.keys
    ):
        return frozenset()
    if passage.is_left(claim):
        return first.keys
    before = [q.span for q in passage.quantities if q.span[1] <= claim]
    is_right = bool(before) and LATER.search(text, before[-1][1], claim) is not None
    return last.keys if is_right and passage.is_left(before[-1][0]) else frozenset()


def _of_change(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return which of two times a figure is of, where one is told with its time behind "from".

    "2020年人口由2010年的13.38亿增至14.11亿": the second is of the other time.
    """
    if len(passage.periods) != 2 or passage.periods[0].keys & passage.periods[1].keys:
        return frozenset()
    text = passage.contexts.reading.text
    for base, other in (passage.periods, reversed(passage.periods)):
        spans = [q.span for q in passage.quantities if q.span[0] >= base.end]
        told = _FROM_BEFORE.search(text, max(0, base.start - 2), base.start)
        if spans and told and _ITS_FIGURE.fullmatch(text, base.end, spans[0][0]):
            return base.keys if claim == spans[0][0] else other.keys if claim in (
                start for start, _ in spans[1:2]
            ) else frozenset()  # fmt: skip
    return frozenset()


def _of_part(passage: PassageContext, claim: int) -> frozenset[PeriodKey]:
    """Return the part of the one period that a figure of a list is of: "2022: 815, 864, 882, 1025".

    A list tells one figure for each recorded part, in their order.
    """
    if len(passage.periods) != 1:
        return frozenset()
    whole = passage.periods[0]
    parts = [k for k in parts_of(whole.keys, passage.contexts.known.periods) if len(k) == 3]
    days = sorted({key[:2] for key in parts})
    spans = [q.span for q in passage.quantities if q.span[0] >= whole.end]
    starts = [start for start, _ in spans]
    if len(days) < 2 or len(spans) != len(days) or claim not in starts:
        return frozenset()
    text = passage.contexts.reading.text
    if not all(_LISTED.fullmatch(text, a[1], b[0]) for a, b in pairwise(spans)):
        return frozenset()
    own = days[starts.index(claim)]
    return frozenset(key for key in parts if key[:2] == own)


def referred_from(
    passage: PassageContext, claim: int, claims: Sequence[int]
) -> frozenset[PeriodKey]:
    """Return the year after the one that a passage names, for a figure told before its own.

    "331.7 million, after 323.0 million the year before": the first is of the year told above.
    """
    contexts = passage.contexts
    if len(passage.periods) != 1 or passage.periods[0][:2] not in contexts.referred:
        return frozenset()
    before = [one for one in claims if one < passage.periods[0].start]
    above = (one.keys for span in passage.above for one in contexts.dated(span))
    after = year_after(passage.periods[0].keys, contexts.known.periods)
    told = after & frozenset[PeriodKey]().union(*above)
    return after if told and len(before) > 1 and claim < before[-1] else frozenset()


def _time(keys: frozenset[PeriodKey]) -> list[str]:
    return sorted(map(str, keys))
