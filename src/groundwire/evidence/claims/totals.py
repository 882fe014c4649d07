"""Sums, shares and margins of several values that a passage names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import TOTALS
from groundwire.evidence.claims.derivation import MEAN, SUM, Derived, add_up
from groundwire.evidence.claims.fact_index import Fact, distinct
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import LANGUAGES, operator, right_before
from groundwire.evidence.claims.rounding import agrees, find_fits
from groundwire.evidence.claims.shares import SHARE_NOUN, said_whole
from groundwire.evidence.claims.stated_number import StatedNumber
from groundwire.evidence.claims.stated_values import joined_anchors
from groundwire.evidence.claims.value_rows import proven_by
from groundwire.evidence.claims.words import key_of
from groundwire.language.glossary import is_called
from groundwire.quantities import Quantity, resolve_unit

_NEAR = 14
_LEAD = 40
_OUT_OF = right_before("out_of", "beside_by")


@cache
def _of_total() -> re.Pattern[str]:
    """Return a pattern for what calls a figure behind it a whole: "total revenue", 总收入."""
    return re.compile(rf"(?:{operator('whole').pattern})[^\d,，。;；]{{0,12}}$", re.IGNORECASE)


_FEWEST_PARTS = 2
# So far may a sum lie from its whole by the rounding of its parts.
_ROUNDED = Decimal("0.005")
# It says that what stands before it is added up, and not that all there is is.
_ADDED_UP = re.compile(
    r"(?:(?!\b(?:all|alle)\b|[全所各]).)*?"
    r"(?:\b(?:(?:together|zusammen)(?! (?:with|mit)\b)|jointly|add(?:s|ed)? up to|gemeinsam)\b"
    r"|合计|共同|加起来)",
    re.IGNORECASE,
)


def judge_totals(claims: Sequence[Claim], passage: PassageContext, known: Knowledge) -> list[Claim]:
    """Judge figures again that no record has: they may tell several recorded values together.

    Args:
        claims: the claims of the passage.
        passage: the passage.
        known: what the records hold.
    """
    held = {q.span[0]: q for q in passage.quantities}
    judged = list(claims)
    for place, claim in enumerate(judged):
        quantity = held.get(claim.start)
        if quantity is not None and _counts_another(quantity, claim, passage, known):
            detail = "the count is of another answer"
            judged[place] = replace(claim, status="unsupported", detail=detail)
            continue
        if quantity is None or claim.status not in ("unsupported", "contradicted"):
            continue
        if not _may_follow(claim, passage):
            continue
        stated = StatedNumber(quantity, passage, list(held), known)
        found = next(_found(stated, judged), None)
        if found is not None:
            judged[place] = _derived(claim, found, found.operands)
    return [_held_against_parts(claim, judged, passage) for claim in judged]


def _held_against_parts(claim: Claim, claims: Sequence[Claim], passage: PassageContext) -> Claim:
    """Contradict a recorded value that is told as the sum of the figures before it, and is not.

    "226 in retail and 111 online, which together make up its revenue of 392".
    """
    before = [c for c in claims if c.end <= claim.start and c.kind == claim.kind == "number"]
    if len(before) < _FEWEST_PARTS or any(c.status != "supported" for c in (*before, claim)):
        return claim
    text, start = passage.contexts.reading.text, before[-1].end
    others = (a for a in (*passage.periods, *passage.entities) if start <= a.start < claim.end)
    if _ADDED_UP.match(text, start, claim.start) is None or any(others):
        return claim
    facts = [c.facts[0] for c in (*before, claim) if c.facts]
    numbers = [fact.number for fact in facts if fact.number is not None]
    if len({fact.value.unit for fact in facts}) != 1 or len(numbers) != len(before) + 1:
        return claim
    *parts, whole = numbers
    if abs(sum(parts) - whole) <= abs(whole) * _ROUNDED:
        return claim
    formula = f"{' + '.join(map(str, parts))} = {sum(parts)}"
    return replace(claim, status="contradicted", detail=f"{claim.detail}; {formula}")


def _may_follow(claim: Claim, passage: PassageContext) -> bool:
    """Whether a word of a passage may say that a figure tells several values together."""
    start, end = passage.passage.start, passage.passage.end
    text = passage.contexts.reading.text
    said, before = text[start:end], text[max(0, claim.start - _LEAD) : claim.start]
    if passage.passage.kind == "cell":
        said = text[text.rfind("\n", 0, start) + 1 : end]
    return (
        any(one.search(said) for one in (SUM, operator("across"), operator("share")))
        or any(one.search(before) for one in (_OUT_OF, _of_total()))
        or operator("gap").search(text, start, claim.start) is not None
    )


def _counts_another(
    quantity: Quantity, claim: Claim, passage: PassageContext, known: Knowledge
) -> bool:
    """Whether a count is of one answer, and its noun what only another one is grouped by.

    "The three reasons" are not the three districts that another answer lists.
    """
    fact = claim.facts[0] if claim.status == "supported" and claim.facts else None
    if fact is None or fact.entities or not fact.names & TOTALS or quantity.unit is not None:
        return False
    behind = passage.contexts.annotated.within(quantity.span[1], quantity.span[1] + _NEAR)
    noun = next((t for w in behind for t in w.tokens if t.tag == "noun"), None)
    if noun is None:
        return False
    of = {
        evidence_id
        for evidence_id, words in known.grouped_by.items()
        if is_called(noun.lemma, words) or is_called(noun.key, words) or noun.lemma in words
    }
    return bool(of) and fact.evidence_id not in of


def tells_beyond(claim: Claim) -> bool:
    """Whether a figure says by how much parts together are more or less than another part."""
    return claim.status == "derived" and " + " in claim.detail and " − " in claim.detail


def _found(stated: StatedNumber, claims: Sequence[Claim]) -> Iterator[Derived]:
    """Yield the ways in which a figure follows from several values that its passage names."""
    if stated.quantity.percent:
        yield from _share(stated)
        return
    parts = _parts_together(stated)
    for facts in parts:
        summed = add_up(stated.quantity, facts)
        if summed is not None:
            yield summed
        yield from _beyond(stated, facts)
    if (summed := _told_before(stated, claims)) is not None:
        yield summed
    yield from _all_listed(stated)
    yield from _whole_of(stated, claims)


def _told_before(stated: StatedNumber, claims: Sequence[Claim]) -> Derived | None:
    """Return the sum of the figures before one, where it is said to be that: "together 337".

    They are of several parts of a whole, of several things, or of several times, and else alike.
    """
    start = stated.quantity.span[0]
    before = [c for c in claims if c.end <= start and c.kind == "number"]
    facts = [c.facts[0] for c in before if c.status == "supported" and c.facts]
    text = stated.passage.contexts.reading.text
    if len(facts) < _FEWEST_PARTS or len(facts) != len(before):
        return None
    if _ADDED_UP.match(text, before[-1].end, start) is None:
        return None
    things = {fact.entities for fact in facts}
    names = {fact.names for fact in facts}
    counts = [len(things), len({fact.periods for fact in facts}), len(names)]
    of_parts = all(not fact.names.isdisjoint(stated.known.parts) for fact in facts)
    nested = any(
        a != b and min(a, default="") in min(b, default="") for a in things for b in things
    )
    if sorted(counts) != [1, 1, len(facts)] or nested or (len(names) > 1 and not of_parts):
        return None
    return add_up(stated.quantity, facts)


def _text(stated: StatedNumber) -> str:
    passage = stated.passage.passage
    return stated.text[passage.start : passage.end]


def _anchors_of_parts(stated: StatedNumber) -> list[Anchor[str]]:
    return [a for a in stated.passage.names if a.keys & stated.known.parts.keys()]


def _joined_parts(stated: StatedNumber) -> list[Anchor[str]]:
    """Return the parts that a passage joins, "retail and wholesale"; none if it does so twice."""
    anchors = _anchors_of_parts(stated)
    runs: list[list[Anchor[str]]] = []
    for place, anchor in enumerate(anchors):
        if not any(anchor in run for run in runs):
            runs.append(joined_anchors(stated.text, anchors[place:]))
    joint = [run for run in runs if len(run) > 1]
    return joint[0] if len(joint) == 1 else []


def _parts_together(stated: StatedNumber) -> list[tuple[Fact, ...]]:
    """Return the values of the parts that a passage adds up, one tuple for each thing and time."""
    run = _joined_parts(stated) if SUM.search(_text(stated)) else []
    return _values_of(stated, run)


def _values_of(stated: StatedNumber, run: Sequence[Anchor[str]]) -> list[tuple[Fact, ...]]:
    """Return the values of some parts, one of each; none where it is open of what and when."""
    groups: dict[tuple[object, ...], dict[int, Fact]] = {}
    for place, anchor in enumerate(run):
        for key in anchor.keys:
            for fact in stated.known.parts.get(key, ()):
                of_it = stated.context.entity.allows(fact.entities)
                if of_it and stated.context.period.allows(fact.periods):
                    about = (fact.entities, fact.periods, fact.value.unit)
                    groups.setdefault(about, {})[place] = fact
    full = [tuple(facts.values()) for facts in groups.values() if run and len(facts) == len(run)]
    return full if len(full) == 1 else []


def _beyond(stated: StatedNumber, facts: Sequence[Fact]) -> Iterator[Derived]:
    """Yield by how much parts together are more, or less, than another part that is named."""
    end = stated.quantity.span[1]
    behind = stated.text[end : end + _NEAR]
    way = bool(operator("more").match(behind.lstrip())) - bool(
        operator("less").match(behind.lstrip())
    )
    own = {name for fact in facts for name in fact.names}
    others = [a for a in _anchors_of_parts(stated) if a.start >= end and not a.keys & own]
    for other in _values_of(stated, others[:1]) if way else ():
        less = tuple(replace(one, number=-(one.number or Decimal(0))) for one in other)
        added = add_up(replace(stated.quantity, value=stated.quantity.value * way), (*facts, *less))
        if added is not None:
            plus = " + ".join(f"{fact.said} ({fact.about})" for fact in facts)
            yield Derived(
                f"{plus} − {other[0].said} ({other[0].about})", (*facts, *other), added.rounded
            )


def _share(stated: StatedNumber) -> Iterator[Derived]:
    """Yield the share that a part, or parts together, have of their recorded whole."""
    text = _text(stated)
    if not operator("share").search(text):
        return
    said = said_whole(stated.passage, stated.start)
    run = _joined_parts(stated) if SUM.search(text) else []
    for facts in _values_of(stated, run or _own_part(stated)):
        whole = stated.known.whole_of(facts[0])
        numbers = [fact.number for fact in facts if fact.number is not None]
        if whole is None or not whole.number or len(numbers) != len(facts):
            continue
        told = said.may_be([whole]) if said is not None else SHARE_NOUN.search(text) is not None
        told = told or any(agrees(q, q.value, whole.number, count=False)
                           for q in stated.passage.quantities)  # fmt: skip
        share = sum(numbers, Decimal(0)) / whole.number * 100
        how = agrees(stated.quantity, stated.quantity.value, share, count=False)
        if told and how is not None:
            plus = " + ".join(f"{fact.said} ({fact.about})" for fact in facts)
            formula = f"({plus}) ÷ {whole.said} ({whole.about})"
            yield Derived(formula, (*facts, whole), how == "rounded")


def _own_part(stated: StatedNumber) -> list[Anchor[str]]:
    """Return the part that a figure is said of: the last before it in its passage, or the only."""
    anchors = _anchors_of_parts(stated)
    before = [a for a in anchors if a.end <= stated.start]
    only = anchors if len({a.keys for a in anchors}) == 1 else []
    return before[-1:] or only[:1]


def _all_listed(stated: StatedNumber) -> Iterator[Derived]:
    """Yield the sum over all members of a set: of one that the records list as a whole.

    A sentence says so with a word of sums, or by telling over how many things it sums up.
    """
    text, known = _text(stated), stated.known
    sizes = {q.value for q in stated.passage.quantities if q.unit is None}
    across = operator("across").search(text) is not None
    if MEAN.search(text) or not (across or SUM.search(text)):
        return
    named = {key for anchor in stated.passage.entities for key in anchor.keys}
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in known.facts.numbers():
        if fact.operands or len(fact.entities) != 1 or not stated.context.name.allows(fact.names):
            continue
        if stated.context.period.allows(fact.periods) and fact.value.unit:
            key = (fact.evidence_id, fact.names, fact.value.unit, fact.periods)
            groups.setdefault(key, []).append(fact)
    for group in groups.values():
        facts = distinct(group)
        entities = {key for fact in facts for key in fact.entities}
        counts = {t.number for t in known.totals if t.evidence_id == facts[0].evidence_id}
        whole = len(facts) == len(entities) > 1 and known.counts_once(facts)
        if not whole or (entities & named and not entities <= named and len(facts) not in sizes):
            continue
        counted = len(facts) in counts and not facts[0].periods and SUM.search(text)
        if counted or len(facts) in sizes:
            added = add_up(stated.quantity, facts) if _measures(stated, facts[0]) else None
            if added is not None:
                yield replace(added, operands=tuple(map(_unnamed, facts)))


def _unnamed(fact: Fact) -> Fact:
    """Return a value whose thing lends a passage no words: a sum over all tells of none of them."""
    return replace(fact, value=replace(fact.value, entity=None, item=None))


def _measures(stated: StatedNumber, fact: Fact) -> bool:
    """Whether a figure is told in a unit of what a value is measured in."""
    return stated.dimension() == (fact.unit.dimension if fact.unit else "")


def _whole_of(stated: StatedNumber, claims: Sequence[Claim]) -> Iterator[Derived]:
    """Yield the recorded whole of a part that is told before it: "226.2 of 392.5 million".

    Nothing but words may stand between the two figures: another part would have its own.
    """
    anchors = _anchors_of_parts(stated)
    figures = sorted(q.span for q in stated.passage.quantities)
    before = stated.text[max(0, stated.start - _LEAD) : stated.start]
    if not (_OUT_OF.search(before) or _of_total().search(before)):
        return
    for (_, end), (start, _) in pairwise(figures):
        if start != stated.start or any(end <= a.start < start for a in anchors):
            continue
        for claim in claims:
            if claim.end != end or claim.status not in ("supported", "derived"):
                continue
            for part in claim.facts:
                whole = stated.known.whole_of(part)
                fits = find_fits(stated.quantity, stated.known.facts, falls=False)
                if whole is not None and any(fit.fact is whole for fit in fits):
                    yield Derived(f"{whole.about}: {whole.said}", (whole,), False)


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
    held = {q.span[0]: q for q in passage.quantities}
    percents = [start for start, quantity in held.items() if quantity.percent]
    terms = list(pattern.finditer(text, first, passage.passage.end)) if percents else []
    if not terms:
        return list(claims)
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
            judged[place] = _derived(claim, found, (quotient,))
        elif claim.status == "derived":
            judged[place] = replace(claim, status="unsupported", facts=())
    for place, claim in enumerate(judged):
        told = proven.get(claim.start)
        if told is not None and claim.kind == "name" and claim.status == "unsupported":
            judged[place] = _derived(claim, told[0], told[1:])
    return judged


def _as_fact(name: str, found: Derived) -> Fact:
    """Return a quotient as a value of the thing and time of the figures that it is made of."""
    over, under = found.operands
    share = (over.number or Decimal(0)) / (under.number or Decimal(1)) * 100
    value = replace(over.value, name=name, value=f"{share:f}", unit="%", labels=())
    names = frozenset((key_of(name),))
    return replace(over, value=value, number=share, unit=resolve_unit("%"), names=names)


def _derived(claim: Claim, found: Derived, facts: Sequence[Fact]) -> Claim:
    detail = found.formula + (", rounded" if found.rounded else "")
    return proven_by(claim, "derived", facts, detail)


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
