"""Figures that count or bound what a series did: two years of decline, below one million, 20 years.

"After two years of decline" tells that the two values right before fell; "over the same two
decades" tells how far the times lie apart that the text named last; "the eight quarters" are all
that are recorded of what the passage speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.evidence.claims.change_spans import change_ends
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import counts_measures, years_told
from groundwire.evidence.claims.derivation import add_up
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import operator, right_before
from groundwire.evidence.claims.ranges import WITHIN
from groundwire.evidence.claims.series import (
    Point,
    days_of,
    ends_run,
    length_of,
    place_in,
    series_of,
)
from groundwire.evidence.claims.words import words_of
from groundwire.quantities import Quantity

APART = "the years between the first and the last time"
"""The detail of a length of time that lies between two named times."""
WITHIN_BOUND = "within the bound that is told"
"""How the detail of a bound ends that a value keeps."""

EVERY_PERIOD = "count of the recorded periods"
"""The detail of a count of all periods that a series has."""

LENGTHS = {
    **dict.fromkeys(words_of("year years jahr jahre jahren 年"), range(359, 372)),
    **dict.fromkeys(words_of("quarter quarters quartal quartale quartalen 季"), range(85, 98)),
    **dict.fromkeys(words_of("month months monat monate monaten 月"), range(27, 31)),
}
_BEHIND = 30
_BEFORE = 40


def lies_within_each(claims: Sequence[Claim], word: str) -> bool:
    """Whether a range holds for every value of a series, in periods such as a word names."""
    ranged = [claim for claim in claims if claim.detail.startswith(WITHIN)]
    spans = [days for fact in ranged[0].facts if (days := days_of(fact))] if ranged else []
    noun = [one for one in words_of(word) if one in LENGTHS]
    return bool(spans) and all(length_of(one) in LENGTHS[n] for one in spans for n in noun)


def fits_length(word: str, facts: Sequence[Fact]) -> bool:
    """Whether values are of times as long as a word says: "every quarter" is not every year."""
    lengths = [LENGTHS[one] for one in (*words_of(word), *word) if one in LENGTHS]
    spans = [days for fact in facts if (days := days_of(fact))]
    return not spans or all(any(length_of(one) in length for one in spans) for length in lengths)


def judge_runs(claims: Sequence[Claim], passage: PassageContext, known: Knowledge) -> list[Claim]:
    """Judge figures again that no record has: they may count values of a series, or bound one.

    Args:
        claims: the claims of the passage.
        passage: the passage.
        known: what the records hold.
    """
    held = {q.span[0]: q for q in passage.quantities}
    judged = list(claims)
    for place, claim in enumerate(judged):
        quantity = held.get(claim.start)
        if quantity is None:
            continue
        apart = _apart(quantity, passage, judged, known)
        is_open = quantity.unit is None or claim.status not in ("supported", "derived")
        if apart is not None and is_open:
            status = "derived" if apart else "unsupported"
            judged[place] = replace(claim, status=status, detail=APART, facts=())
        elif claim.status in ("unsupported", "contradicted", "derived"):
            told = _told(judged)
            found = next(_found(quantity, passage, told, known), None)
            if found is not None:
                detail, facts = found
                judged[place] = replace(
                    claim,
                    status="supported" if detail.endswith(WITHIN_BOUND) else "derived",
                    detail=detail,
                    facts=tuple(facts),
                    evidence_id=facts[0].evidence_id,
                )
    for count in [claim for claim in judged if claim.detail == EVERY_PERIOD]:
        for place, fact in _in_turn(count, judged, passage):
            detail = f"{fact.about}: {fact.said}"
            judged[place] = replace(
                judged[place], status="supported", detail=detail, facts=(fact,),
                evidence_id=fact.evidence_id,
            )  # fmt: skip
    return judged


def _in_turn(
    count: Claim, claims: Sequence[Claim], passage: PassageContext
) -> Sequence[tuple[int, Fact]]:
    """Return the figures behind a count of periods that are those of the periods, one by one.

    "In the four quarters of 2024 it was 89, 93, 94 and 108 million" tells them in order of time.
    """
    series = sorted(count.facts, key=lambda fact: days_of(fact) or ("", "", False))
    behind = [i for i, c in enumerate(claims) if c.start >= count.end and c.kind == "number"]
    told = behind[: len(series)]
    if len(told) != len(series) or len({fact.periods for fact in series}) != len(series):
        return ()
    first, last = claims[told[0]].start, claims[told[-1]].end
    others = (a for a in (*passage.periods, *passage.entities) if first < a.start < last)
    held = {quantity.span[0]: quantity for quantity in passage.quantities}
    figures = [held.get(claims[i].start) for i in told]
    unit = figures[-1]
    if any(others) or unit is None:
        return ()
    tells = (
        one is not None and _tells(one, fact, unit)
        for one, fact in zip(figures, series, strict=True)
    )
    return [*zip(told, series, strict=True)] if all(tells) else ()


def _tells(quantity: Quantity, fact: Fact, last: Quantity) -> bool:
    """Whether a figure of a row tells a value, in its own unit or in that of the last one.

    "89.4, 93.2 and 107.8 million CNY" are all millions.
    """
    if quantity.unit is None and quantity.scale == 1:
        value = quantity.value * last.scale
        quantity = replace(quantity, value=value, scale=last.scale, unit=last.unit)
    return not quantity.bound and add_up(quantity, [fact]) is not None


def _told(claims: Sequence[Claim]) -> list[Fact]:
    return [
        claim.facts[0]
        for claim in claims
        if claim.kind in ("number", "percent") and claim.status == "supported" and claim.facts
        if claim.facts[0].number is not None and days_of(claim.facts[0])
    ]


def _apart(
    quantity: Quantity, passage: PassageContext, claims: Sequence[Claim], known: Knowledge
) -> bool | None:
    """Whether so many years lie between the named times; None where it counts no years.

    Where none are named, they lie between those of the changes told, else of all that is recorded.
    """
    years = years_told(quantity)
    if years is None:
        return None
    apart = years_apart(passage)
    if apart is None:
        ends = [one for claim in claims if (one := change_ends(claim)) is not None]
        spans = {int(late[0][:4]) - int(early[0][:4]) for early, late in ends}
        return spans == {years} if spans else bool(times_spanned(passage, known)) or None
    return years == apart


def times_spanned(passage: PassageContext, known: Knowledge) -> frozenset[PeriodKey]:
    """Return the first and the last recorded time, where a passage tells how far they lie apart."""
    text = passage.contexts.reading.text
    told = {years_told(quantity) for quantity in passage.quantities}
    told |= (
        {10}
        if operator("decade").search(text, passage.passage.start, passage.passage.end)
        else set()
    )
    days = sorted({key[:2] for key in known.periods if not isinstance(key, str)})
    if len(days) < 2 or int(days[-1][0][:4]) - int(days[0][0][:4]) not in told:
        return frozenset()
    return frozenset(key for key in known.periods if key[:2] in (days[0], days[-1]))


def years_apart(passage: PassageContext) -> int | None:
    """Return how many years lie between the first and the last time that a passage names.

    Where it names none, they are those of the sentence before; None where there are no two.
    """
    contexts = passage.contexts
    spans = [scope.span for scope in passage.passage.scopes if scope.earlier]
    periods = passage.periods or [a for span in spans for a in contexts.dated(span)]
    named = sorted(k for a in periods for k in a.keys if not isinstance(k, str))
    if len({key[0] for key in named}) < 2:
        return None
    return int(named[-1][1][:4]) - int(named[0][1][:4])


def _found(
    quantity: Quantity, passage: PassageContext, told: Sequence[Fact], known: Knowledge
) -> Iterator[tuple[str, Sequence[Fact]]]:
    if quantity.unit is None and counts_measures(quantity):
        names = {a.keys & known.numeric_names for a in passage.names}
        own = [f for f in known.facts.numbers() if any(f.names & one for one in names)]
        if own and len({one for one in names if one}) == quantity.value:
            yield "count of the properties that the sentence names", own[:1]
        return
    noun = frozenset(words_of(quantity.noun or quantity.unit or "")) & LENGTHS.keys()
    if noun:
        for series, last in _series(passage, told, known):
            if length_of(series[0].period) not in LENGTHS[min(noun)]:
                continue
            yield from _run(quantity, passage, series, last)
            if len(series) == quantity.value:
                facts = [fact for point in series for fact in point.facts]
                yield EVERY_PERIOD, facts
        return
    yield from _bounded(quantity, passage, known)


def _series(
    passage: PassageContext, told: Sequence[Fact], known: Knowledge
) -> Iterator[tuple[list[Point], Fact]]:
    """Yield the series of what a passage tells a figure of, else of the property it names."""
    facts = list(told)
    if not facts:
        names = {k for a in passage.names for k in a.keys} & known.numeric_names
        things = {k for a in passage.entities for k in a.keys}
        facts = [
            fact
            for fact in known.facts.numbers()
            if fact.names & names and not fact.operands and days_of(fact)
            if not things or fact.entities & things
        ]
    kinds = {(fact.names, fact.entities, fact.value.unit): fact for fact in facts}
    if len(kinds) == 1:
        last = max(facts, key=lambda fact: days_of(fact) or ("", "", False))
        yield series_of(last, known.facts.numbers()), last


def _run(
    quantity: Quantity, passage: PassageContext, series: Sequence[Point], last: Fact
) -> Iterator[tuple[str, Sequence[Fact]]]:
    """Yield so many falls or rises that end with a value, or right before it where "after" says."""
    text = passage.contexts.reading.text
    start, end = quantity.span[0], quantity.span[1] + len(quantity.noun) + 1
    behind = text[end : min(end + _BEHIND, passage.passage.end)]
    before = text[max(passage.passage.start, start - _BEFORE) : start]
    way = direction(behind)
    led = operator("run_of").match(behind.lstrip()) or operator("in_a_row").search(before + behind)
    if not way or not led:
        return
    at = place_in(series, last)
    is_earlier = right_before("after", "beside_by").search(before) is not None
    count = int(quantity.value)
    if ends_run(series, at - is_earlier, count, way):
        facts = [fact for point in series[at - is_earlier - count : at + 1] for fact in point.facts]
        yield f"{count} {'rises' if way > 0 else 'falls'} right behind each other", facts


def _bounded(
    quantity: Quantity, passage: PassageContext, known: Knowledge
) -> Iterator[tuple[str, Sequence[Fact]]]:
    """Yield the value that lies on the side of a bound: "after dipping below one million"."""
    text = passage.contexts.reading.text
    before = text[max(passage.passage.start, quantity.span[0] - _BEFORE) : quantity.span[0]]
    below = right_before("below", "beside_by").search(before) is not None
    above = right_before("above", "beside_by").search(before) is not None
    if below == above:
        return
    starts = [q.span[0] for q in passage.quantities]
    period = passage.period(quantity.span[0], starts)
    entity = passage.entity(quantity.span[0], starts)
    names = {k for a in passage.names for k in a.keys} & known.numeric_names
    own = [
        fact
        for fact in known.facts.numbers()
        if not fact.operands and fact.number is not None and fact.periods & period.keys
        if entity.allows(fact.entities) and (not names or fact.names & names)
        if quantity.unit is None or (fact.unit is not None and fact.unit.symbol == quantity.unit)
    ]
    kinds = {(fact.names, fact.entities, fact.periods, fact.value.value) for fact in own}
    if len(kinds) != 1 or own[0].number is None or not quantity.value:
        return
    number, bound = own[0].number, quantity.value
    near = abs(number - bound) * 2 <= abs(bound)
    if near and (number < bound if below else number > bound):
        yield f"{own[0].about}: {own[0].said}, {WITHIN_BOUND}", own[:1]
