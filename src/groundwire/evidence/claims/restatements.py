"""Figures that were told first and corrected later, and days on which something was known.

Two records hold different values of one thing and time. The one that was asked for as of a day, or
that stands in the older report, was told first. "First reported as 9.7 and later restated to 12.3"
is held against this order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Found
from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.rounding import agrees_scaled
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TODAY = "9999"


@cache
def _told_before() -> re.Pattern[str]:
    """Return the words before a figure that was told first, or that is told in its place."""
    table = cue_tables()["retold"]
    parts = (("old", (*table["first"], *table["old"])), ("new", table["new"]))
    return re.compile(
        "|".join(rf"(?P<{which}>{'|'.join(map(_word, words))})" for which, words in parts),
        re.IGNORECASE,
    )


@cache
def _first_told() -> re.Pattern[str]:
    """Return the words by which a text says that a figure is not the last one."""
    return re.compile("|".join(map(_word, cue_tables()["retold"]["first"])), re.IGNORECASE)


def _word(word: str) -> str:
    return rf"\b{re.escape(word)}\b" if word[0] < "\u3400" else re.escape(word)


def judge_restated(proof: Proof) -> Outcome:
    """Return whether the values of one thing and time were told in the order that a passage says.

    None where it tells fewer than two, or says of none whether it came first.
    """
    every = list(_told(proof))
    if len(every) == 1:
        return _judge_single(proof, *every[0])
    keys = [(fact.names, fact.entities, fact.periods) for _, fact in every]
    told = [one for one, key in zip(every, keys, strict=True) if keys.count(key) > 1]
    others = (claim for claim, _ in every if all(claim is not c for c, _ in told))
    if len(told) != 2 or told[0][1].number == told[1][1].number:
        return None
    if any(_place_of(proof, claim, every) for claim in others):
        return None
    places = [_place_of(proof, claim, every) for claim, _ in told]
    first, second = (when_told(proof.known, fact) for _, fact in told)
    if places[0] == places[1] or first == second:
        return None  # neither is said of any, or the same is of both
    proof.used.extend(fact for _, fact in told)
    return (first < second) == (places[0] == "old" or places[1] == "new")


def is_told_as_standing(context: PassageContext, claim: Claim) -> bool:
    """Whether a figure is of a value that has been restated since, and its passage is silent of it.

    A passage says so by a word before the figure ("first reported as"), by the report that it
    names, by the day as of which it tells, or by the later value.
    """
    known = context.contexts.known
    replaced = known.once(_replaced)
    old = [fact for fact in (claim.facts[0].operands or claim.facts) if id(fact) in replaced]
    if not old:
        return False
    text = context.contexts.reading.text
    spans = [scope.span for scope in context.passage.scopes if scope.hard]
    spans.append((context.passage.start, claim.start))
    if any(_first_told().search(text, *span) for span in spans):
        return False
    contexts = context.contexts
    if any(contexts.is_of_report(one) or contexts.day_of_knowledge(one) for one in context.dates):
        return False
    others = [q for q in context.quantities if q.span[0] != claim.start]
    later = [fact.number or Decimal(0) for one in old for fact in replaced[id(one)]]
    told = (n for number in later for n in (number, abs(number)))  # a loss has no sign
    return not any(agrees_scaled(q, number) for number in told for q in others)


def _replaced(known: Knowledge) -> Mapping[int, Sequence[Fact]]:
    """Return the values that do not stand any more, each with those that were stated later.

    Values of one thing and time that differ are one statement and its correction where they were
    asked for as of different days, or are from reports that differ in their year alone.
    """
    alike: dict[object, list[Fact]] = {}
    for fact in known.facts.numbers():
        if fact.periods and fact.entities and not fact.operands:
            report = _YEAR.sub("", document_of(fact))
            alike.setdefault((fact.names, fact.entities, fact.periods, report), []).append(fact)
    replaced: dict[int, Sequence[Fact]] = {}
    for some in alike.values():
        if len({fact.number for fact in some}) > 1:
            told = {id(fact): when_told(known, fact) for fact in some}
            last = max(told.values())
            later = [fact for fact in some if told[id(fact)] == last]
            replaced.update((one, later) for one, when in told.items() if when < last)
    return replaced


def _judge_single(proof: Proof, claim: Claim, fact: Fact) -> Outcome:
    """Return whether one figure was told first, or in place of another one.

    Where the passage does not name what it is of, the sentence before told the other one.
    """
    replaced = proof.known.once(_replaced)
    start = proof.context.passage.start
    if id(fact) in replaced:
        return _first_told().search(proof.text, start, claim.start) is not None or None
    is_new = _word_before(proof.text, start, claim.start) == "new"
    if is_new and any(fact in later for later in replaced.values()):
        return True  # "was corrected to 799.3"
    scopes = proof.context.passage.scopes
    before = next((scope.span for scope in scopes if scope.earlier), None)
    if before is None or proof.context.names or proof.context.entities or not is_new:
        return None
    quantities = proof.context.contexts.reading.quantities.within(before)
    return (
        any(
            id(old) in replaced
            and fact in replaced[id(old)]
            and agrees_scaled(q, abs(old.number or Decimal(0)))
            for old in proof.known.facts.numbers()
            for q in quantities
        )
        or None
    )


def retold_words(proof: Proof) -> Iterator[Span]:
    """Yield the words by which a passage tells a figure and its correction, in their order.

    So are the day as of which a figure was known, and the year of the report that it is from.
    """
    yield from _days_known(proof.claims, proof.context, proof.known)
    yield from (span for span, is_own in _reports(proof.claims, proof.context) if is_own)
    if judge_restated(proof):
        passage = proof.context.passage
        for found in _told_before().finditer(proof.text, passage.start, passage.end):
            yield found.span()


def _told(proof: Proof) -> Iterator[tuple[Claim, Fact]]:
    for claim in proof.claims:
        if claim.kind in ("number", "percent") and claim.status == "supported" and claim.facts:
            fact = claim.facts[0]
            if fact.number is not None and fact.periods and not fact.operands:
                yield claim, fact


def _place_of(proof: Proof, claim: Claim, told: Sequence[tuple[Claim, Fact]]) -> str:
    """Return "old" or "new" by the last word before a figure that says so, or ""."""
    low = max([proof.context.passage.start, *(c.end for c, _ in told if c.end <= claim.start)])
    return _word_before(proof.text, low, claim.start)


def _word_before(text: str, low: int, figure: int) -> str:
    found = list(_told_before().finditer(text, low, figure))
    return (found[-1].lastgroup or "") if found else ""


def _asked_as_of(known: Knowledge) -> Mapping[str, str]:
    """Return the day whose knowledge was asked for, by the record; those of today are left out."""
    days = ((one.evidence_id, one.arguments.get("as_of")) for one in known.records)
    return {record: day for record, day in days if isinstance(day, str) and day}


def when_told(known: Knowledge, fact: Fact) -> tuple[str, str]:
    """Return when a value was told first: the day that was asked for, and the year of the report.

    A value that another record of an earlier day has as well was told then.
    """
    asked = known.once(_asked_as_of)
    told = (
        (asked.get(one.evidence_id, _TODAY), max(_YEAR.findall(one.value.source or ""), default=""))
        for one in known.facts.numbers()
        if (one.names, one.entities, one.periods, one.number)
        == (fact.names, fact.entities, fact.periods, fact.number)
    )
    return min(told, default=("", ""))


def untold_first(facts: Iterable[Fact], known: Knowledge, told: Collection[Fact]) -> list[Fact]:
    """Return values without those that were restated since, unless a text tells them.

    Args:
        facts: the values.
        known: what the records hold.
        told: the values that the text tells.
    """
    replaced = known.once(_replaced)
    return [one for one in facts if id(one) not in replaced or one in told]


def _days_known(
    claims: Sequence[Claim], context: PassageContext, known: Knowledge
) -> Iterator[Span]:
    """Yield the dates as of which a passage tells its next figure, where it was known so then."""
    asked = known.once(_asked_as_of)
    figures = [c for c in claims if c.kind in ("number", "percent") and c.facts]
    for mention in context.dates if asked else ():
        span = context.contexts.day_of_knowledge(mention)
        behind = next((c for c in figures if c.start >= mention.span[1]), None)
        if span is None or behind is None or behind.status not in ("supported", "derived"):
            continue
        day = asked.get(behind.facts[0].evidence_id, "")
        if mention.start.isoformat() <= day <= mention.end.isoformat():
            yield span


def document_of(fact: Fact) -> str:
    """Return the name of the document that a value is from, without its place in it."""
    return re.split(r", (?:row|column|page|section|paragraph)\b", fact.value.source or "")[0]


def foreign_reports(claims: Sequence[Claim], context: PassageContext) -> Iterator[Span]:
    """Yield the years of reports that the figures told with them are not from."""
    return (span for span, is_own in _reports(claims, context) if not is_own)


def _reports(claims: Sequence[Claim], context: PassageContext) -> Iterator[tuple[Span, bool]]:
    """Yield the years of reports with whether the figures told with them are from these reports."""
    figures = [c for c in claims if c.kind in ("number", "percent") and c.facts]
    known = context.contexts.known
    for mention in context.dates:
        if not context.contexts.is_of_report(mention):
            continue
        year = str(mention.start.year)
        if not figures and known.facts.numbers():
            titles = {document_of(fact) for fact in known.facts.numbers()}
            if not any(year in title for title in titles):
                yield mention.span, False
        start, end = context.clause(mention.span[0])
        here = [c for c in figures if start <= c.start < end]
        here = here or [c for c in figures if c.start >= end][:1]
        here = _told_there(here, mention.span[0], known)
        sources = [[document_of(fact) for fact in claim.facts] for claim in here]
        named = [some for some in sources if any(some)]
        if named:
            yield mention.span, all(any(year in one for one in some) for some in named)


def _told_there(figures: Sequence[Claim], at: int, known: Knowledge) -> Sequence[Claim]:
    """Return the figures that a report tells which a text names at a place.

    What was restated in a report stood in another before: only the later figure is from it, unless
    the report stands between both.
    """
    firsts = [claim.facts[0] for claim in figures]
    things = {(fact.names, fact.entities, fact.periods) for fact in firsts}
    if len(firsts) != 2 or len(things) != 1 or firsts[0].number == firsts[1].number:
        return figures
    if figures[0].end <= at < figures[1].start:
        return figures[:1]
    return [max(figures, key=lambda claim: when_told(known, claim.facts[0]))]


def told_of_another(text: str, context: PassageContext, found: Found) -> Iterable[Span]:
    """Properties of which the words of a recorded text are told, that the text tells of another.

    "The loss of 2024 was restated" does not prove "The profit of 2024 was restated".
    """
    starts = {start for start, _ in found.runs}
    for anchor in (one for one in context.names if not found.is_told(one.start)):
        behind = anchor.end + (text[anchor.end : anchor.end + 1] == " ")
        facts = context.contexts.known.facts.numbers() if behind in starts else ()
        if any(fact.names & anchor.keys and fact.periods for fact in facts):
            yield anchor.start, anchor.end
