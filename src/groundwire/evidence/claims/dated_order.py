"""Things in the order of their days or years: "A was built before B", "nine years older than B"."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from groundwire.evidence.claims.fact_index import Fact, key_of_period
from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word

_YEARS = range(1000, 2101)
_DAYS_OF_YEAR = 366
_Days = Mapping[frozenset[str], tuple[date, Fact]]


def judge_dates(proof: Proof, word: Word, sense: str) -> Outcome:
    """Return whether what stands before a word is of an earlier or later time than what is behind.

    Args:
        proof: the passage.
        word: what compares the two.
        sense: "before" or "after".

    Returns:
        None where the two have no date of one property, or of several that none is named of.
    """
    start, end = proof.context.clause(word.start)
    here = [a for a in proof.context.entities if start <= a.start < end]
    before = [a for a in here if a.end <= word.start]
    behind = [a for a in here if a.start >= word.end]
    if before and behind:
        first, second = before[-1], behind[0]
    elif len(before) > 1 and not word.text.isascii():
        first, second = before[-2:]  # A在B之前
    else:
        return None
    held = [_days_of(proof, one.keys) for one in (first, second)]
    common = held[0].keys() & held[1].keys()
    said = frozenset(words_of(proof.text[start:end]))
    named = [names for names in common if _is_said(proof, held[0][names][1], said)]
    of = named or list(common)
    if len(of) != 1:
        return None
    (earlier, one), (later, other) = (days[of[0]] for days in held)
    proof.used.extend((one, other))
    years = [q for q in proof.context.quantities if start <= q.span[0] < end and q.unit]
    apart = abs(later.year - earlier.year)
    full = abs((later - earlier).days) // _DAYS_OF_YEAR
    if any(q.unit not in ("a", "yr", "year") or q.value not in (apart, full) for q in years):
        return None
    return earlier != later and (earlier < later) == (sense == "before")


def _is_said(proof: Proof, fact: Fact, said: frozenset[str]) -> bool:
    """Whether a text has a word of a property: "launched", "opened"."""
    return bool(proof.known.words_about(fact) & said)


def _days_of(proof: Proof, keys: frozenset[str]) -> _Days:
    """Return by the names of a property the one day, or year, that a thing has of it."""
    found: dict[frozenset[str], list[tuple[date, Fact]]] = {}
    for fact in proof.known.facts.all:
        if fact.entities & keys and (day := _day(fact)) is not None:
            found.setdefault(fact.names, []).append((day, fact))
    return {names: days[0] for names, days in found.items() if len({d for d, _ in days}) == 1}


def _day(fact: Fact) -> date | None:
    """Return the day that a value is, or the first of the year that it is."""
    if fact.date is not None and not fact.periods:
        return fact.date.start
    is_year = fact.unit is None and not fact.periods and not fact.operands
    if is_year and fact.number is not None and fact.number in map(Decimal, _YEARS):
        return date(int(fact.number), 1, 1)
    key = key_of_period(fact.value.value) if len(fact.value.value) == len("2020-01-01") else ""
    return date.fromisoformat(key[0]) if not isinstance(key, str) else None
