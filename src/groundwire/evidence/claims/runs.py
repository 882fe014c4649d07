"""The course of a series, told in steps, runs and ranges: each year, two years of decline.

"After two years of decline" tells that the two values right before fell; "over the same two
decades" tells how far the times lie apart that the text named last; "the eight quarters" are all
that are recorded of what the passage speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from groundwire.evidence.claims.change_spans import change_ends
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import counts_measures, years_told
from groundwire.evidence.claims.derivation import add_up
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import operator, right_before
from groundwire.evidence.claims.period_references import follow_on
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.rounding import agrees
from groundwire.evidence.claims.series import (
    Point,
    days_of,
    ends_run,
    facts_of_clause,
    length_of,
    place_in,
    series_of,
)
from groundwire.evidence.claims.stated_values import stated_facts, times_named
from groundwire.evidence.claims.value_rows import by_kind, keys_named, proven_by, rows
from groundwire.evidence.claims.words import cue_tables, words_of
from groundwire.language import Span as Word
from groundwire.quantities import Quantity, resolve_unit

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
                status = "supported" if detail.endswith(WITHIN_BOUND) else "derived"
                judged[place] = proven_by(claim, status, facts, detail)
    for count in [claim for claim in judged if claim.detail == EVERY_PERIOD]:
        for place, fact in _in_turn(count, judged, passage):
            judged[place] = proven_by(judged[place], "supported", (fact,))
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
        names = keys_named(passage.names) & known.numeric_names
        own = rows(known, names=names, things=keys_named(passage.entities)) if names else ()
        facts = [fact for fact in own if days_of(fact)]
    if len(by_kind(facts)) == 1:
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
    names = keys_named(passage.names) & known.numeric_names
    own = [
        fact
        for fact in rows(known, names=names, times=period.keys)
        if fact.number is not None and fact.periods & period.keys and entity.allows(fact.entities)
        if quantity.unit is None or (fact.unit is not None and fact.unit.symbol == quantity.unit)
    ]
    kinds = {(fact.names, fact.entities, fact.periods, fact.value.value) for fact in own}
    if len(kinds) != 1 or own[0].number is None or not quantity.value:
        return
    number, bound = own[0].number, quantity.value
    near = abs(number - bound) * 2 <= abs(bound)
    if near and (number < bound if below else number > bound):
        yield f"{own[0].about}: {own[0].said}, {WITHIN_BOUND}", own[:1]


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
        for series in _series_named(passage, known):
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


def _series_named(passage: PassageContext, known: Knowledge) -> Iterator[list[Fact]]:
    """Yield the recorded series that a passage may speak of, each at several times."""
    names, things = keys_named(passage.names) & known.numeric_names, keys_named(passage.entities)
    times = times_named(passage, known)
    own = rows(known, names=names, things=things, times=times, loose=True)
    series = by_kind(fact for fact in own if fact.periods)
    yield from (facts for facts in series.values() if len({f.periods for f in facts}) > 1)


def _ends(first: Quantity, second: Quantity, series: Sequence[Fact]) -> tuple[Fact, Fact] | None:
    """Return the least and the greatest of a series where two figures tell them."""
    unit = second.unit or first.unit
    if first.unit not in (None, unit):
        return None
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


# How many years lie between the values of a series that goes by such steps.
_DECADES = frozenset(("decade", "jahrzehnt"))
_STEPS = {"year": 1, "jahr": 1, "年": 1, "decade": 10, "jahrzehnt": 10}
_BETTERS = {
    way: frozenset[str](cue_tables()[one]) for way, one in (("up", "improves"), ("down", "worsens"))
}


def is_decade(word: Word) -> bool:
    """Whether a word calls a time of ten years."""
    return any(token.lemma in _DECADES for token in word.tokens)


def judge_step(proof: Proof, words: Sequence[Word], cue: Word | None = None) -> Outcome:
    """Quarter by quarter, steadily: whether each recorded value of a series goes the same way.

    The values must follow on each other without a gap.
    """
    ways = _ways(words)
    stated = stated_facts(proof)
    if cue is not None and len(ways) > 1:  # "rose every year, while the other fell"
        clause = proof.context.clause(cue.start)
        here = [w for w in words if clause[0] <= w.start < clause[1]]
        ways = _ways(here)
        stated = facts_of_clause(proof, cue)
    about = by_kind(fact for fact in stated if fact.periods and fact.entities)
    if len(about) != 1 or ways not in ({"up"}, {"down"}):
        return None
    spans = sorted(key for key in keys_named(proof.context.periods) if not isinstance(key, str))
    lasts = (facts[-1] for facts in about.values())
    kinds = {k[2] for f in lasts for k in f.periods if not isinstance(k, str)}
    is_fiscal = spans[0][2] if spans else all(kinds)
    series: dict[tuple[str, str, bool], Fact] = {}
    for fact in rows(proof.known, kinds=about):
        for key in fact.periods:
            if not isinstance(key, str):
                within = not spans or (spans[0][0] <= key[0] and key[1] <= max(s[1] for s in spans))
                if within and key[2] == is_fiscal:
                    series[key] = fact
    ordered = sorted(series)
    if len(ordered) < 3 or not follow_on(ordered):
        return None
    numbers = [series[key].number or Decimal(0) for key in ordered]
    rises = [a < b for a, b in pairwise(numbers) if a != b]
    return len(rises) == len(numbers) - 1 and all(one == (ways == {"up"}) for one in rises)


def _ways(words: Sequence[Word]) -> set[str]:
    """Return the ways that words say something went; what improves goes up where it is judged."""
    moves = {
        sense_of(word).partition("_")[0]
        for word in words
        if word.role is not None and word.role.role == "direction"
    }
    lemmas = {token.lemma for word in words for token in word.tokens}
    better = {way for way, verbs in _BETTERS.items() if lemmas & verbs}
    return moves | better


def judge_named_steps(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """In every decade: whether the values that a passage tells of one thing go one way.

    They are at least three, and as far apart as the word behind "every" says.
    """
    behind = words[place + 1].tokens[0] if place + 1 < len(words) else None
    step = _STEPS.get(behind.lemma, _STEPS.get(behind.key, 0)) if behind is not None else 0
    ways = _ways(words)
    series: dict[tuple[str, str, bool], Fact] = {}
    for fact in proof.plain:
        for key in fact.periods:
            if not isinstance(key, str) and not key[2]:
                series[key] = fact
    several = len(series) > 2 and len(by_kind(series.values())) == 1
    if not step or not several or ways not in ({"up"}, {"down"}):
        return None
    ordered = sorted(series)
    apart = {int(b[0][:4]) - int(a[0][:4]) for a, b in pairwise(ordered)}
    numbers = [series[key].number or Decimal(0) for key in ordered]
    rises = {a < b for a, b in pairwise(numbers) if a != b}
    steady = apart == {step} and len(set(numbers)) == len(numbers)
    return True if steady and rises == {ways == {"up"}} else None
