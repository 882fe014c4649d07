"""Periods told by their two ends, and figures that hold at the end of one.

"April 2024 to March 2025" is one period where a value is recorded of it. "At the end of 2024" tells
when a stock was counted, as cash or staff are; what a year brought, such as revenue, has no day.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.evidence.claims.attachment import Anchor, Slot
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.fact_index import Fact, PeriodKey, period_key
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables
from groundwire.quantities import DateMention, find_dates, find_partial_dates

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext
    from groundwire.evidence.claims.knowledge import Knowledge
    from groundwire.evidence.claims.proof import Proof
    from groundwire.language import Span as Word

_STOCKS = frozenset[str](cue_tables()["stocks"])
_BETWEEN = re.compile(r"\s?(?:to|until|till|through|bis|-|–|—|至|到)\s?", re.IGNORECASE)
_NEAR = 8
_REACH = 64
_OWN_PERIOD = "the period of"
# Between a year and what tells when it began, ended or was: "which ended on", 从.
_OF_YEAR = re.compile(
    r"(?:(?P<year>(?:\b(?:the|this|that|its|dieses|das) |[该此])"
    r"(?:(?:fiscal|financial|business) year|geschäftsjahr|财年|财政年度))"
    r"|[,，]?(?: (?:which|that|and|das|und)\b)?) ?"
    r"(?:(?P<first>began|begins|started|starts|begann|beginnt)|(?P<last>ended|ends|endete|endet)"
    r"|(?P<whole>runs|ran|goes|went|lasts|lasted|läuft|lief|dauert|dauerte|geht|ging|[从自是为（(])"
    r"|(?P<verb>am|[于在自]))(?: (?:on|am|from|vom|von))? ?$",
    re.IGNORECASE,
)
_VERB_LAST = re.compile(
    r" ?(?:(?P<first>begann|beginnt|开始)|(?P<last>endete|endet|结束))", re.IGNORECASE
)
_CLOSES = frozenset[str](cue_tables()["closes"])
# From a verb to the time that it ends, and from that to the value: "closed the year with".
_OBJECT = re.compile(r"\s(?:(?:the|its|das|sein|ihr)\s)?(?:(?:fiscal|financial|business)\s)?")
_WITH = re.compile(r"\s(?:with|mit)\b|以")


def joined_dates(
    text: str, dates: Sequence[DateMention], known: Knowledge
) -> Iterator[DateMention]:
    """Yield the dates of a draft, two that begin and end a recorded period as one.

    Args:
        text: the draft.
        dates: its dates, in order.
        known: what the records hold.
    """
    dates = sorted((*dates, *_days_of_records(text, dates, known)), key=lambda one: one.span)
    held = {key[:2] for key in known.periods if not isinstance(key, str)}
    waiting: DateMention | None = None
    for date in dates:
        if waiting is not None:
            whole = waiting.start.isoformat(), date.end.isoformat()
            joint = _BETWEEN.fullmatch(text, waiting.span[1], date.span[0])
            if joint and date.grain == "month" and whole in held:
                span = waiting.span[0], date.span[1]
                yield replace(waiting, end=date.end, span=span, raw=text[slice(*span)])
                waiting = None
                continue
            yield waiting
        waiting = date
    if waiting is not None:
        yield waiting


def _days_of_records(
    text: str, dates: Sequence[DateMention], known: Knowledge
) -> Iterator[DateMention]:
    """Yield days without a year ("25 November") that records have in one year alone."""
    days = {fact.date.start for fact in known.facts.dates if fact.date and fact.date.grain == "day"}
    for start, end in find_partial_dates(text) if days else ():
        raw = text[start:end]
        if any(date.span[0] < end and start < date.span[1] for date in dates):
            continue
        dated = [f"{day.year}年{raw}" if "月" in raw else f"{raw} {day.year}" for day in days]
        read = {one.start: one for written in dict.fromkeys(dated) for one in find_dates(written)}
        if len(own := days & read.keys()) == 1 and read[min(own)].grain == "day":
            yield replace(read[min(own)], span=(start, end), raw=raw)


def judge_ends_of_year(
    mention: DateMention, passage: PassageContext, claims: Sequence[int], known: Knowledge
) -> Claim | None:
    """Judge a date that tells when the year before it began, ended or was; None for any other.

    "FY2024, which ended on 31 March 2025" holds where all values of the thing for that year are
    recorded of a period that ends so.
    """
    entity = passage.entity(mention.span[0], claims)
    every = frozenset[str]().union(*(anchor.keys for anchor in passage.entities))
    things = entity.keys if entity.binding else every
    text, (start, end) = passage.contexts.reading.text, mention.span
    first = max(0, start - _REACH)
    lead = _OF_YEAR.search(text[first:start])
    behind = _VERB_LAST.match(text, end) if lead is not None and lead["verb"] else None
    said = behind or lead
    if lead is None or said is None or (lead["verb"] and not behind):
        return None
    at = first + lead.start()
    year = _year_before(at, passage, anywhere=lead["year"] is not None)
    if year is None:
        return None
    own = [
        fact
        for fact in known.facts.numbers()
        if not fact.operands and (not things or things & fact.entities)
        if any(period_key(year)[:2] == key[:2] for key in _spans_of(fact))
    ]
    parts = said.groupdict()
    told = mention.start.isoformat(), mention.end.isoformat()
    held = [
        any(
            (parts["last"] or key[0] == told[0]) and (parts["first"] or key[1] == told[1])
            for key in _spans_of(fact)
            if key[2] == all(one[2] for one in _spans_of(fact))
        )
        for fact in own
    ]
    if not things and any(held) and not all(held):
        return None  # the year of some things, and nothing says of which
    span = at, behind.end() if behind else end
    if not held or not all(held):
        detail = "no record has this date or period"
        return Claim(mention.raw, "date", "unsupported", None, detail, *span)
    detail = f"{_OWN_PERIOD} {own[0].about}"
    return Claim(mention.raw, "date", "supported", own[0].evidence_id, detail, *span)


def ends_of_years(claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield where dates tell rightly when a year began, ended or was."""
    for claim in claims:
        if claim.status == "supported" and claim.detail.startswith(_OWN_PERIOD):
            yield claim.start, claim.end


def _spans_of(fact: Fact) -> list[tuple[str, str, bool]]:
    return [key for key in fact.periods if not isinstance(key, str)]


def _year_before(at: int, passage: PassageContext, *, anywhere: bool) -> DateMention | None:
    """Return the year that a text names right before a place, or somewhere before it."""
    every = passage.contexts.dates.within((0, at))
    before = every[-1] if every else None
    if before is None or not (anywhere or before.span[1] == at):
        return None
    if before.grain != "year" and not anywhere:  # "began on 1 April and ended on 31 March"
        text, start = passage.contexts.reading.text, before.span[0]
        first = max(0, start - _REACH)
        lead = _OF_YEAR.search(text[first:start])
        if lead is None:
            return None
        return _year_before(first + lead.start(), passage, anywhere=lead["year"] is not None)
    return before if before.grain == "year" else None


_LONGEST = {"day": 1, "month": 31, "quarter": 92}
"""Days of a grain at most; what is longer runs from one date to another."""


def has_both_ends(mention: DateMention, dates: Sequence[DateMention]) -> bool:
    """Whether recorded dates are both ends of what runs from one date to another."""
    if (mention.end - mention.start).days < _LONGEST.get(mention.grain, math.inf):
        return True
    size = 2 if mention.grain == "month" else 3
    firsts, lasts = ({day.timetuple()[:size] for day in one} for one in (
        (date.start for date in dates), (date.end for date in dates)))  # fmt: skip
    ends = mention.start.timetuple()[:size], mention.end.timetuple()[:size]
    return ends[0] in firsts and ends[1] in lasts


def has_own_day(fact: Fact, entity: Slot[str], known: Knowledge) -> bool:
    """Whether the thing that is spoken of has a date of its own that is called as this other one.

    The day on which the next card is due is not that of a card that is named.
    """
    if fact.entities & entity.keys:
        return False
    own = (one for one in known.facts.dates if one.entities & entity.keys)
    return any(not _called(fact).isdisjoint(_called(one)) for one in own)


def is_called_so(fact: Fact, name: Slot[str], known: Knowledge) -> bool:
    """Whether a date of the whole answer is called as those of a property are."""
    alike = (one for one in known.facts.dates if one.names & name.keys)
    return any(not _called(fact).isdisjoint(_called(one)) for one in alike)


def _called(fact: Fact) -> frozenset[str]:
    return frozenset((fact.value.name, *fact.value.labels))


def is_stock(known: Knowledge, fact: Fact) -> bool:
    """Whether a value is of something that is counted on a day: cash, staff, inhabitants."""
    return bool(_STOCKS & known.words_about(fact))


def ends_of_flows(
    dates: Sequence[DateMention], facts: Sequence[Fact], known: Knowledge
) -> Iterator[Span]:
    """Yield where a passage says "at the end of" a period of what a whole period brought."""
    for date in dates:
        ending = frozenset[PeriodKey](known.ending(date))
        plain = [one for fact in facts for one in (fact.operands or (fact,))]
        own = [fact for fact in plain if fact.number is not None and fact.periods & ending]
        # "At the end of 2024" may mean its last quarter.
        own = [fact for fact in own if not any(map(_is_part_of_year, fact.periods))]
        if own and date.grain == "day" and not all(is_stock(known, fact) for fact in own):
            yield date.span


def _is_part_of_year(key: PeriodKey) -> bool:
    return not isinstance(key, str) and key[0][:4] == key[1][:4] and key[0][5:7] > "01"


def divided_times(anchors: Sequence[Anchor[PeriodKey]], below: Sequence[Fact]) -> Iterator[Span]:
    """Yield the times in the lead of a list or table of which all its values tell a part each."""
    own = [fact.periods for fact in below if fact.periods]
    longer = [key for anchor in anchors for key in anchor.keys if not isinstance(key, str)]
    if own and all(any(_lies_in(one, key) for key in longer) for one in own):
        yield from ((anchor.start, anchor.end) for anchor in anchors)


def _lies_in(periods: frozenset[PeriodKey], longer: tuple[str, str, bool]) -> bool:
    """Whether a period lies within a longer one of the same calendar."""
    return any(
        longer[0] <= key[0] and key[1] <= longer[1] and key[2] == longer[2]
        for key in periods
        if not isinstance(key, str)
    )


def _closes_period(proof: Proof, word: Word) -> bool:
    """Whether a verb says with which value a time ended: "closed FY2024 with a loss of 12"."""
    if _CLOSES.isdisjoint(token.lemma for token in word.tokens):
        return False
    text, context = proof.text, proof.context
    start, end = context.clause(word.start)
    end = context.clause(min(end, context.passage.end - 1))[1]  # "with" begins a clause
    lead = next((m for m in _WITH.finditer(text, start, end)), None)
    words = (w for w in context.words if w.role is not None and w.role.role == "time")
    times = [(a.start, a.end) for a in context.periods] + [(w.start, w.end) for w in words]
    claims = [c for c in proof.claims if start <= c.start < end and c.kind in ("number", "percent")]
    if lead is None or not claims or not all(claim.facts for claim in claims):
        return False
    return any(
        last == lead.start()
        and (word.start > last or _OBJECT.fullmatch(text, word.end, max(first, word.end)))
        for first, last in times
    )


def is_end_of_period(proof: Proof, word: Word) -> bool:
    """Whether a word such as "Ende" stands before a period at whose end its stocks were counted.

    So is a verb that says with which value a period ended.
    """
    if operator("end_of").fullmatch(word.text) is None or not proof.plain:
        return _closes_period(proof, word)
    behind = any(0 <= anchor.start - word.end <= _NEAR for anchor in proof.context.periods)
    of_stocks = behind and all(is_stock(proof.known, fact) for fact in proof.plain)
    return of_stocks or _closes_period(proof, word)


def lengths_ahead(words: Sequence[Word], claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield where a recorded length of time is told as one ahead: "in the next 30 days"."""
    for word in words:
        for claim in claims if word.kind == "time" else ():
            if claim.kind == "number" and claim.status == "supported" and claim.facts:
                fact, within = claim.facts[0], word.start <= claim.start < claim.end <= word.end
                rest = (t for t in word.tokens if not claim.start <= t.start < claim.end)
                labels = {label.lower() for label in fact.value.labels}
                is_length = fact.unit is not None and fact.unit.dimension == "time"
                if within and is_length and all(t.text.lower() in labels for t in rest):
                    yield word.start, word.end


def days_of(known: Knowledge) -> list[tuple[str, str, bool]]:
    """Return every single day that a recorded value holds for, in order."""
    return sorted(key for key in known.periods if not isinstance(key, str) and key[0] == key[1])
