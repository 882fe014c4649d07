"""Which of several times a figure is of, told by its place among the figures.

A range has an earlier and a later end ("from 2010 to 2020 it fell from 5 to 4"), a list tells the
parts of a year one by one, and a figure before "the year before" is of the year told above.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from groundwire.evidence.claims.fact_index import PeriodKey
from groundwire.evidence.claims.period_references import follow_on, parts_of, year_after

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext

_NEARLY = r"\s*(?:[A-Z]{3} |[$€£¥约近]|(?:about|around|roughly|nearly|rund|etwa|knapp) ){0,2}$"
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
    is_range = _RANGE.fullmatch(text, first.end, last.start) is not None
    if not is_range or sorted(map(str, first.keys)) > sorted(map(str, last.keys)):
        return frozenset()
    if passage.is_left(claim):
        return first.keys
    before = [q.span for q in passage.quantities if q.span[1] <= claim]
    is_right = bool(before) and LATER.search(text, before[-1][1], claim) is not None
    return last.keys if is_right else frozenset()


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
    """Return the part of what a passage names that a figure of a list is of.

    A list tells one figure for each recorded part, in their order: "2022: 815, 864, 882, 1025",
    "FY2022 to FY2025: 10.8 % → 10.1 % → 9.7 % → 9.9 %".
    """
    text, periods = passage.contexts.reading.text, passage.periods
    parts = _parts(passage)
    days = sorted({key[:2] for key in parts})
    begin = max((one.end for one in periods), default=passage.passage.start)
    spans = [q.span for q in passage.quantities if q.span[0] >= begin]
    starts = [start for start, _ in spans]
    if len(days) < 2 or len(spans) != len(days) or claim not in starts:
        return frozenset()
    if not all(_LISTED.fullmatch(text, a[1], b[0]) for a, b in pairwise(spans)):
        return frozenset()
    own = days[starts.index(claim)]
    return frozenset(key for key in parts if key[:2] == own)


def _parts(passage: PassageContext) -> list[tuple[str, str, bool]]:
    """Return the recorded parts of the one time, or the range, that a passage names."""
    text, periods = passage.contexts.reading.text, passage.periods
    recorded = passage.contexts.known.periods
    held = sorted(key for key in recorded if not isinstance(key, str))
    if len(periods) == 1:
        return [key for key in parts_of(periods[0].keys, recorded) if len(key) == 3]
    if len(periods) != 2 or not _RANGE.fullmatch(text, periods[0].end, periods[1].start):
        return []
    begins = [key[0] for key in held if key in periods[0].keys]
    ends = [key[1] for key in held if key in periods[1].keys]
    if not begins or not ends:
        return []
    held = [key for key in held if min(begins) <= key[0] <= key[1] <= max(ends)]
    each = [[key for key in held if key[2] is fiscal] for fiscal in (True, False)]
    return [key for own in each if follow_on(own) for key in own]


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
