"""Words of time: a year, since, the previous year, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.value_cues import judge_step
from groundwire.language import Span as Word

_YEAR_BEFORE = frozenset(
    ["vorjahr", "vorjahres", "vormonat", "vorquartal", "上一财年", "上年", "上一年", "前一年"]
)


def judge_time_word(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Words of time: a year is one where a date is proven, a span where two are."""
    sense = sense_of(words[place])
    if sense == "past" and is_year_before(proof, words, place):
        return True
    periods = {key for fact in proof.facts for key in fact.periods}
    dated = bool(periods) or any(c.kind in ("date", "time") for c in proof.claims if c.facts)
    if sense in ("period", "during"):
        return True if dated or _is_unit(proof, words[place]) else None
    if sense == "part":
        return True if any(c.kind in ("date", "time") for c in proof.claims if c.facts) else None
    if sense == "step":
        return judge_step(proof, words)
    if sense in ("since", "until"):
        return True if len({fact.periods for fact in proof.facts if fact.periods}) > 1 else None
    if sense == "now":
        return True if proof.facts and not periods and proof.found.is_present else None
    return None


def _is_unit(proof: Proof, word: Word) -> bool:
    return any(
        quantity.span[1] - 1 <= word.start <= quantity.span[1] + 12
        for quantity in proof.context.quantities
    )


def is_year_before(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "the previous year" is the period right before that of a figure of the passage."""
    behind = words[place + 1] if place + 1 < len(words) else None
    named = words[place].text.casefold() in _YEAR_BEFORE or (
        behind is not None
        and behind.role is not None
        and (behind.role.role, behind.role.sense) == ("time", "period")
        and sense_of(words[place]) == "before"
    )
    used = [f for c in proof.claims if c.status in ("supported", "derived") for f in c.facts]
    operands = {p for fact in used for one in (fact, *fact.operands) for p in one.periods}
    spans = sorted(p for p in operands if not isinstance(p, str))
    return named and any(_follows(a, b) for a in spans for b in spans)


def _follows(first: tuple[str, str, bool], second: tuple[str, str, bool]) -> bool:
    """Whether a period begins the day after another of the same length ends."""
    ends, begins = date.fromisoformat(first[1]), date.fromisoformat(second[0])
    length = (ends - date.fromisoformat(first[0])).days
    other = (date.fromisoformat(second[1]) - begins).days
    return (begins - ends).days == 1 and abs(length - other) <= 3


def in_time(proof: Proof, word: Word, sense: str) -> Outcome:
    """Whether the figures before and behind a word are of times in the order that it says."""
    held = [
        (claim, min(fact.periods, key=str))
        for claim in proof.claims
        if claim.kind in ("number", "percent") and claim.status == "supported"
        for fact in claim.facts[:1]
        if fact.periods
    ]
    before = [period for claim, period in held if claim.end <= word.start]
    behind = [period for claim, period in held if 0 <= claim.start - word.end <= 2]
    if not before or not behind or before[-1] == behind[0]:
        return None
    return (str(before[-1]) > str(behind[0])) == (sense == "after")
