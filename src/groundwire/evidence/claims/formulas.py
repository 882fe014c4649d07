"""Quotients that are called by a name of their own: a net margin is net profit over revenue.

No record needs to hold such a quotient: the two figures that its name means prove it, where both
are recorded of the thing and the time that it is told of.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import Derived
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import LANGUAGES
from groundwire.evidence.claims.rounding import agrees
from groundwire.evidence.claims.stated_number import StatedNumber
from groundwire.evidence.claims.words import key_of
from groundwire.quantities import resolve_unit

_OPEN = ("unsupported", "contradicted", "derived")


@dataclass(frozen=True, slots=True)
class _Formula:
    dividend: frozenset[str]
    divisor: frozenset[str]


@cache
def _formulas() -> tuple[re.Pattern[str], Mapping[str, _Formula]]:
    """Return what finds the name of a quotient in a text, and the formula of each name."""
    text = (files("groundwire.evidence.claims") / "formulas.toml").read_text("utf-8")
    tables: Mapping[str, Any] = tomllib.loads(text)
    of = {
        name.casefold(): _Formula(frozenset(one["dividend"]), frozenset(one["divisor"]))
        for one in tables.values()
        for language in LANGUAGES
        for name in one[language]
    }
    longest = sorted(of, key=len, reverse=True)
    names = (rf"\b{re.escape(n)}\b" if n.isascii() else re.escape(n) for n in longest)
    return re.compile("|".join(names), re.IGNORECASE), of


def judge_formulas(
    claims: Sequence[Claim], passage: PassageContext, known: Knowledge
) -> list[Claim]:
    """Judge percentages again that are called a quotient of two recorded figures.

    Args:
        claims: the claims of the passage.
        passage: the passage.
        known: what the records hold.
    """
    pattern, of = _formulas()
    text, first = passage.contexts.reading.text, passage.passage.start
    terms = list(pattern.finditer(text, first, passage.passage.end))
    if not terms:
        return list(claims)
    held = {q.span[0]: q for q in passage.quantities}
    percents = [start for start, quantity in held.items() if quantity.percent]
    judged = list(claims)
    proven: dict[int, tuple[Derived, Fact]] = {}
    for place, claim in enumerate(judged):
        before = [term for term in terms if term.end() <= claim.start]
        if claim.start not in percents or claim.status not in _OPEN or not before:
            continue
        formula = of[before[-1][0].casefold()]
        stated = StatedNumber(held[claim.start], passage, percents, known)
        found = next(_quotients(stated, formula), None)
        if found is not None:
            quotient = _as_fact(before[-1][0], found)
            proven[before[-1].start()] = found, quotient
            judged[place] = _derived(claim, found, quotient)
        elif claim.status == "derived":
            judged[place] = replace(claim, status="unsupported", facts=())
    for place, claim in enumerate(judged):
        told = proven.get(claim.start)
        if told is not None and claim.kind == "name" and claim.status == "unsupported":
            judged[place] = _derived(claim, *told)
    return judged


def _as_fact(name: str, found: Derived) -> Fact:
    """Return a quotient as a value of the thing and time of the figures that it is made of."""
    over, under = found.operands
    share = (over.number or Decimal(0)) / (under.number or Decimal(1)) * 100
    value = replace(over.value, name=name, value=f"{share:f}", unit="%", labels=())
    names = frozenset((key_of(name),))
    return replace(over, value=value, number=share, unit=resolve_unit("%"), names=names)


def _derived(claim: Claim, found: Derived, quotient: Fact) -> Claim:
    return replace(
        claim,
        status="derived",
        evidence_id=found.operands[0].evidence_id,
        detail=found.formula + (", rounded" if found.rounded else ""),
        facts=(quotient,),
    )


def _quotients(stated: StatedNumber, formula: _Formula) -> Iterator[Derived]:
    """Yield the quotient of each thing and time that a percentage may be told of, if it fits."""
    groups: dict[tuple[object, ...], dict[bool, Fact]] = {}
    for fact in stated.known.facts.numbers():
        about = stated.context.entity.allows(fact.entities) and stated.context.period.allows(
            fact.periods
        )
        for is_divisor, names in ((False, formula.dividend), (True, formula.divisor)):
            if about and not fact.operands and fact.names & names:
                groups.setdefault((fact.entities, fact.periods), {})[is_divisor] = fact
    full = [held for held in groups.values() if len(held) == 2]
    for held in full if len(full) == 1 else ():
        over, under = held[False], held[True]
        if over.number is None or not under.number or over.value.unit != under.value.unit:
            continue
        share = over.number / under.number * 100
        how = agrees(stated.quantity, stated.quantity.value, share, count=False)
        if how is not None:
            formula_text = f"{over.said} ({over.about}) ÷ {under.said} ({under.about})"
            yield Derived(formula_text, (over, under), how == "rounded")
