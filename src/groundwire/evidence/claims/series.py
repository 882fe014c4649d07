"""Recorded values of one thing, one after the other in time, and what a text tells of their course.

A turn is a rise after a fall, or the other way round; a run is so many falls or rises right behind
each other; two things go different ways where one rises and the other falls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts, PassageContext
from groundwire.evidence.claims.fact_index import Fact, PeriodKey, distinct
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.period_references import follow_on
from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.rounding import find_fits
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import stated_facts
from groundwire.evidence.claims.value_rows import by_kind, keys_named, kind_of, rows, time_of
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

Days = tuple[str, str, bool]
_NEAR_LENGTH = 4
_AGAIN = frozenset[str](cue_tables()["again"])
_EVENTS = frozenset[str](cue_tables()["events"])


class Point(NamedTuple):
    """One value of a series.

    Attributes:
        period: the days that it holds for.
        facts: the recorded values of these days; several where one was corrected.
    """

    period: Days
    facts: tuple[Fact, ...]

    @property
    def numbers(self) -> list[Decimal]:
        """The recorded numbers."""
        return [fact.number for fact in self.facts if fact.number is not None]

    def lies(self, way: int, other: Point) -> bool:
        """Whether every number of it is above (1) or below (-1) those of another point."""
        return all((a - b) * way > 0 for a in self.numbers for b in other.numbers)


# Nouns of a result, with its sign; words that may stand between them and what denies them.
_RESULTS = {"profit": 1, "gewinn": 1, "盈利": 1, "loss": -1, "verlust": -1, "亏损": -1}
_LEADING = frozenset(("having", "function"))


def days_of(fact: Fact) -> Days | None:
    """Return the days that a value holds for, or None."""
    return max((key for key in fact.periods if not isinstance(key, str)), default=None)


def length_of(days: Days) -> int:
    """Return how many days lie between the first and the last of a period."""
    return (date.fromisoformat(days[1]) - date.fromisoformat(days[0])).days


def series_of(fact: Fact, facts: Iterable[Fact]) -> list[Point]:
    """Return the recorded values of what a value is of, in periods of its length, in order."""
    own = days_of(fact)
    held: dict[tuple[str, str], list[Fact]] = {}
    alike = (one for one in facts if not one.operands and kind_of(one) == kind_of(fact))
    for one in alike if own is not None else ():
        days = days_of(one)
        if days is None or own is None or one.number is None:
            continue
        if abs(length_of(days) - length_of(own)) <= _NEAR_LENGTH:
            held.setdefault(days[:2], []).append(one)
    return [Point((*days, False), tuple(distinct(held[days]))) for days in sorted(held)]


def place_in(series: Sequence[Point], fact: Fact) -> int:
    """Return the place of a value in its series."""
    own = days_of(fact)
    return next(at for at, point in enumerate(series) if own and point.period[:2] == own[:2])


def figures_of_clause(proof: Proof, word: Word) -> list[Fact]:
    """Return the recorded values that the proven figures of the clause of a word tell."""
    start, end = proof.context.clause(word.start)
    return [
        fact
        for claim in proof.claims
        if start <= claim.start < end and claim.kind in ("number", "percent")
        if claim.status in ("supported", "derived")
        for fact in claim.facts
        if fact.number is not None and not fact.operands
    ]


def facts_of_clause(proof: Proof, word: Word) -> list[Fact]:
    """Return the recorded values that the clause of a word tells, else those of its passage.

    A clause without figures speaks of the property and the thing that it names, as far as its
    passage tells a value of them.
    """
    start, end = proof.context.clause(word.start)
    told = figures_of_clause(proof, word)
    if told:
        return distinct(told)
    names = {k for a in proof.context.names if start <= a.start < end for k in a.keys}
    names &= proof.known.numeric_names
    things = {k for a in proof.context.entities if start <= a.start < end for k in a.keys}
    stated = stated_facts(proof)
    own = [f for f in stated if not names or f.names & names]
    return [f for f in own if not things or f.entities & things] or stated


def stated_in_clause(proof: Proof, word: Word) -> list[Fact]:
    """The recorded numbers that the clause of a word is about, else its passage.

    The one figure of a clause is set beside the last one before its time: "then rose to 9.9 %".
    """
    facts = figures_of_clause(proof, word)
    if len({fact.periods for fact in facts}) > 1:
        return facts
    stated = stated_facts(proof)
    if not facts and (own := _of_named_thing(proof, proof.context.clause(word.start))):
        return own
    if not facts and (own := _told_above(proof) or _compared_in_time(proof, word)):
        return own
    own = facts if len(facts) == 1 else (stated := _of_named_property(proof, word, stated))
    if len(own) != 1:
        return _with_earlier(proof, stated)
    earlier = _value_before(own[0], stated)
    if earlier is None:  # "in 2022 it fell": below the year before
        earlier = value_right_before(own[0], proof.known.facts.numbers())
    return [earlier, *own] if earlier is not None else stated


def _compared_in_time(proof: Proof, word: Word) -> list[Fact]:
    """Return the last value told before a clause that only compares it with another time.

    "12.6 %, about the same as the year before": the value of that time stands beside it.
    """
    start, end = proof.context.clause(word.start)
    here = (*proof.context.entities, *proof.context.names)
    times = {k for a in proof.context.periods if start <= a.start < end for k in a.keys}
    told = [c for c in proof.claims if c.end <= start and c.kind in ("number", "percent")]
    plain = [f for f in told[-1].facts if not f.operands] if told else []
    if not times or not plain or any(start <= a.start < end for a in here):
        return []
    return [*_at_times(proof, plain[:1], times), plain[0]]


def _told_above(proof: Proof) -> list[Fact]:
    """Return the values that the sentence before tells, and those of the times named here.

    "Group: 41.7 %, Hong Kong: 37.3 %. Both are up on 2024" speaks of the margins of both.
    """
    context = proof.context
    if proof.plain or context.entities or context.names or not context.periods:
        return []
    spans = [scope.span for scope in context.passage.scopes if scope.earlier][:1]
    told = [fact for span in spans for fact in told_in(context.contexts, span)]
    return [*_at_times(proof, told, keys_named(context.periods)), *told] if told else []


def _at_times(proof: Proof, facts: Sequence[Fact], times: Collection[PeriodKey]) -> list[Fact]:
    """Return the recorded values at some times of what values are of."""
    found = rows(proof.known, times=times, kinds=by_kind(facts)) if times else ()
    proof.used.extend((*facts, *found))
    return [*found]


def told_in(contexts: Contexts, span: Span) -> list[Fact]:
    """Return the recorded values that a sentence tells of what it names, at the times it names."""
    entities = {key for anchor in contexts.entities(span) for key in anchor.keys}
    periods = {key for anchor in contexts.dated(span) for key in anchor.keys}
    return distinct(
        fit.fact
        for quantity in contexts.reading.quantities.within(span)
        for fit in find_fits(quantity, contexts.known.facts, falls=False)
        if not fit.fact.operands and fit.fact.entities & entities and fit.fact.periods & periods
    )


def _of_named_thing(proof: Proof, clause: tuple[int, int]) -> list[Fact]:
    """Return the values of the one thing that a clause names and its passage tells no figure of."""
    things = [a.keys for a in proof.context.entities if clause[0] <= a.start < clause[1]]
    plain = proof.plain
    names = {name for fact in plain for name in fact.names}
    times = {key for fact in plain for key in fact.periods}
    if len(set(things)) != 1:
        return []
    if told := [fact for fact in plain if fact.entities & things[0]]:
        called = keys_named(a for a in proof.context.names if clause[0] <= a.start < clause[1])
        own = [fact for fact in told if fact.names & called] or told
        return own if len({fact.periods for fact in own}) > 1 else []
    own = rows(proof.known, names=names, things=things[0], times=times) if names and times else ()
    proof.used.extend(own)
    return [*own]


def is_brought_about(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether a change is told as what an event brought about: "…, which turned its return"."""
    word = words[place]
    start, _ = proof.context.clause(word.start)
    lead = next((one for one in words if one.start >= start and one.kind != "sign"), word)
    is_act = lead.text.casefold() in _EVENTS and word.tokens[-1].tag == "verb"
    end = next((c.start for c in proof.claims if c.start > word.end), word.end)
    return is_act and any(lead.start < name.start < end for name in proof.context.names)


def _of_named_property(proof: Proof, word: Word, stated: list[Fact]) -> list[Fact]:
    """Return the values of the property that the clause of a word names; all where it names none.

    "Revenue rose from A to B, and net profit rose with it, to C" tells no second rise of revenue.
    """
    start, end = proof.context.clause(word.start)
    names = keys_named(a for a in proof.context.names if start <= a.start < end)
    own = [fact for fact in stated if fact.names & names]
    return own if own and proof.plain else stated  # without figures "did too" speaks of both


def _value_before(fact: Fact, among: Iterable[Fact]) -> Fact | None:
    """Return the last value of the same thing before the time of a value, or None."""
    alike = by_kind(one for one in among if one.periods and not one.operands)
    before = [
        one
        for one in alike.get(kind_of(fact), ())
        if one.number is not None and time_of(one) < time_of(fact)
    ]
    return max(before, key=time_of, default=None)


def _with_earlier(proof: Proof, stated: Sequence[Fact]) -> list[Fact]:
    """Return values of one time with those right before them: "both rose in 2024"."""
    plain = [fact for fact in stated if not fact.operands]
    if len({fact.periods for fact in plain}) != 1 or len(plain) != len(stated):
        return list(stated)
    numbers = proof.known.facts.numbers()
    before = [value_right_before(fact, numbers) for fact in plain]
    return [*(one for one in before if one), *plain] if all(before) else plain


def value_right_before(fact: Fact, facts: Iterable[Fact]) -> Fact | None:
    """Return the value of the period right before, or None where it is not clear which that is.

    That of the same part of the year before must lie on its side: "it fell" may be held against
    either.
    """
    series = series_of(fact, facts) if days_of(fact) else []
    at = place_in(series, fact) if series else 0
    if not at or not follow_on([point.period for point in series[at - 1 : at + 1]]):
        return None
    before, now = series[at - 1], series[at]
    year = f"{int(now.period[0][:4]) - 1}{now.period[0][4:]}"
    ago = next((point for point in series[:at] if point.period[0] == year), before)
    same = any(now.lies(way, before) and now.lies(way, ago) for way in (1, -1))
    return before.facts[0] if same else None


def _last_points(proof: Proof, facts: Sequence[Fact], count: int) -> list[Point]:
    """Return so many points of a series, without a gap, that end with the last of its values."""
    last = max(facts, key=lambda fact: days_of(fact) or ("", "", False))
    series = series_of(last, proof.known.facts.numbers())
    end = place_in(series, last) + 1
    points = series[end - count : end] if end >= count else []
    return points if follow_on([point.period for point in points]) else []


def judge_turn(proof: Proof, word: Word, way: int) -> Outcome:
    """Judge a recovery (1) or a setback (-1): the value went this way, and the other way before.

    The value is the last that the clause of the word tells.
    """
    facts = [fact for fact in facts_of_clause(proof, word) if days_of(fact)]
    points = _last_points(proof, facts, 3) if len(by_kind(facts)) == 1 else []
    if not points:
        return None
    before, low, now = points
    proof.used.extend((*before.facts, *low.facts, *now.facts))
    return now.lies(way, low) and low.lies(-way, before)


def judge_crossing(proof: Proof, word: Word, way: int) -> Outcome:
    """Judge a return to profit (1) or a fall into loss (-1): the sign of a result turned.

    The result is the last that the clause of the word tells; right before, it had the other sign.
    """
    results = [f for f in facts_of_clause(proof, word) if days_of(f) and is_result(proof, f)]
    signed = [f for f in results if f.number is not None and f.number * way > 0]
    kinds = {(fact.names, fact.entities) for fact in signed}
    if len(kinds) != 1:
        return None if not results else False
    points = _last_points(proof, signed, 2)
    if not points:
        return None
    before = points[0]
    proof.used.extend(before.facts)
    return all(number * way < 0 for number in before.numbers)


def judge_sign(proof: Proof, word: Word, way: int) -> Outcome:
    """Judge a profit (1) or a loss (-1) by the sign of the result that the clause of a word tells.

    It is that of the next figure behind the word in its clause, else of every one that is told of.
    """
    _, end = proof.context.clause(word.start)
    told = [c for c in proof.claims if word.end <= c.start < end and c.kind == "number" and c.facts]
    facts = told[0].facts if told else facts_of_clause(proof, word)
    signs = {(fact.number or 0) * way > 0 for fact in facts if is_result(proof, fact)}
    return signs == {True} if signs else None


def denies_result(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge "no profit", "did not make a loss" by the sign of every result that is recorded.

    None where the noun is another one, or more than one thing or time is named.
    """
    behind = words[place + 1 : place + 4]
    at = next((i for i, one in enumerate(behind) if one.tokens[-1].lemma in _RESULTS), None)
    leads = behind[:at]
    if at is None or any(one.role is None or one.role.role not in _LEADING for one in leads):
        return None
    way = _RESULTS[behind[at].tokens[-1].lemma]
    things = {anchor.keys for anchor in proof.context.entities}
    times = {anchor.keys for anchor in proof.context.periods}
    if len(things) != 1 or len(times) != 1:
        return None
    (thing,), (time,) = things, times
    own = rows(proof.known, things=thing, times=time)
    results = [fact for fact in own if is_result(proof, fact)]
    proof.used.extend(results)
    return True if results and all((f.number or 0) * way < 0 for f in results) else None


def losses_of_profits(
    words: Sequence[Word],
    claims: Sequence[Claim],
    context: PassageContext,
    facts: Sequence[Fact],
    known: Knowledge,
) -> Iterator[Span]:
    """Yield words for a loss in clauses whose figures are of a result above zero: 净亏损增加了.

    Args:
        words: those of a passage.
        claims: its claims.
        context: the passage.
        facts: the values that it speaks of, for clauses whose claims have none of their own.
        known: what the records hold.
    """
    figured = any(claim.kind in ("number", "percent") for claim in claims)
    for word in words if figured else ():
        if operator("lost").search(word.text) is None:
            continue
        start, end = context.clause(word.start)
        figures = [c for c in claims if start <= c.start < end and c.kind in ("number", "percent")]
        own = [fact for claim in figures for fact in claim.facts] or (facts if figures else ())
        held = [one for fact in own for one in (fact.operands or (fact,))]
        results = [fact.number or 0 for fact in held if is_result_of(known, fact)]
        if results and min(results) > 0:
            yield word.start, word.end


def is_result(proof: Proof, fact: Fact) -> bool:
    """Whether a value is a profit or a loss."""
    return is_result_of(proof.known, fact)


def is_result_of(known: Knowledge, fact: Fact) -> bool:
    """Whether a recorded value is a profit or a loss."""
    words = known.words_about(fact)
    return bool(words & {"profit", "result", "income", "earning", "gewinn", "ergebnis", "利"})


def judge_course(proof: Proof, word: Word, way: int) -> Outcome:
    """Judge that a thing kept rising (1) or falling (-1): so does each value between two times.

    The times are the first and the last that the passage names, else those that are recorded.
    """
    facts = [fact for fact in facts_of_clause(proof, word) if days_of(fact)]
    if len(by_kind(facts)) != 1:
        return None
    times = sorted(
        k for a in proof.context.periods for k in a.keys & proof.known.periods
        if not isinstance(k, str)
    )  # fmt: skip
    series = series_of(facts[0], proof.known.facts.numbers())
    if times:
        first, last = times[0][0], max(key[1] for key in times)
        series = [one for one in series if first <= one.period[0] and one.period[1] <= last]
    if len(series) < 3:
        return None
    proof.used.extend(fact for point in series for fact in point.facts)
    return all(b.lies(way, a) for a, b in pairwise(series))


def judge_opposed(proof: Proof) -> Outcome:
    """Judge that two things went different ways between two times: one rose, the other fell.

    The times are the first and the last that the passage names, else those that are recorded.
    """
    times = {key for key in keys_named(proof.context.periods) if not isinstance(key, str)}
    names = keys_named(proof.context.names) & proof.known.numeric_names
    held = rows(proof.known, names=names, things=keys_named(proof.context.entities))
    ways: list[bool] = []
    for facts in by_kind(fact for fact in held if days_of(fact)).values():
        inside = [f for f in facts if not times or f.periods & times]
        series = series_of(inside[0], inside) if inside else []
        if len(series) < 2:
            continue
        first, last = series[0], series[-1]
        if not (last.lies(1, first) or last.lies(-1, first)):
            return None
        ways.append(last.lies(1, first))
        proof.used.extend((*first.facts, *last.facts))
    return sorted(ways) == [False, True] if len(ways) == 2 else None


def ends_run(series: Sequence[Point], at: int, length: int, way: int) -> bool:
    """Whether so many rises (1) or falls (-1), and no more of them, end at a place of a series."""
    if at - length < 0 or not follow_on([one.period for one in series[at - length : at + 1]]):
        return False
    steps = [b.lies(way, a) for a, b in pairwise(series[: at + 1])]
    longer = at > length and follow_on([series[at - length - 1].period, series[at - length].period])
    return all(steps[at - length : at]) and not (longer and steps[at - length - 1])


def tells_again(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Return whether a value told before is told of another time: "this amount in 2025 too"."""
    again = place and words[place - 1].text.casefold() in _AGAIN
    return bool(again and proof.context.periods) and not proof.context.quantities
