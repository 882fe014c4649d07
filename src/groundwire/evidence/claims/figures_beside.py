"""Figures that follow from others of their text or the sentence before, and words beside these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import permutations

from groundwire.errors import InputError
from groundwire.evidence.claims.attachment import Anchor, is_base, places_of_things
from groundwire.evidence.claims.claim import Claim, is_value
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import BY, DIFFERENCE, SUM
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.restatements import when_told
from groundwire.evidence.claims.rounding import agrees
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.series import told_in
from groundwire.evidence.claims.value_rows import proven_by
from groundwire.language import Span as Word
from groundwire.quantities import Quantity, convert, resolve_unit

_MOST_BESIDE = 4
_MOST_BEFORE = 2
# Words that call a figure a difference stand at most so far before it.
_LED = 24


def judge_beside(
    claims: Sequence[Claim], passage: PassageContext, before: Sequence[Claim]
) -> list[Claim]:
    """Judge figures again that no record has: they may follow from others of their text.

    "22.2 km, 13.3 km longer than the other with 8.9 km", "28 of 60, or 47 %", "12.3 instead of
    9.7, so 2.6 more": the operands are named by their own figures, which are recorded. They stand
    in its passage, or in the sentences right before it.

    Args:
        claims: the claims of the passage.
        passage: the passage.
        before: the claims of the sentences before, in order.
    """
    held = {q.span[0]: q for q in passage.quantities}
    operands = _told_facts(claims)
    if len(operands) < 2:
        earlier = [scope.span[0] for scope in passage.passage.scopes if scope.earlier]
        near = [c for c in before if earlier and c.start >= min(earlier)]
        operands = [*_told_facts(near)[-_MOST_BEFORE:], *operands]
    if not 2 <= len(operands) <= _MOST_BESIDE:
        return list(claims)
    text = passage.contexts.reading.text[passage.passage.start : passage.passage.end]
    judged: list[Claim] = []
    for claim in claims:
        quantity = held.get(claim.start)
        if quantity is not None and claim.status in ("unsupported", "contradicted"):
            found = _computed_beside(
                quantity, operands, text, led=_is_difference(passage.contexts.reading.text, claim)
            )
            if found is not None and not _goes_against(
                quantity, found[1], (*before, *claims), passage
            ):
                claim = proven_by(claim, "derived", found[1], found[0])
        judged.append(claim)
    return judged


# Such words behind a figure tell by how much something is more or less: "45% larger".
_COMPARES = re.compile(r"[ \u00a0]?(?:noch )?([^\W\d]+)")


def _is_difference(text: str, claim: Claim) -> bool:
    """Whether a figure says by how much something is more or less, and therefore not a share."""
    before = text[max(0, claim.start - _LED) : claim.start]
    behind = _COMPARES.match(text, claim.end)
    compares = behind is not None and direction(behind[1]) != 0
    return compares or any(led.search(before) for led in (BY, _HAN_MORE, _HAN_LESS))


_COUNTED_BY = r"\s?[张次个条项]?(?:%s)(?![a-zà-ÿ])"
_BEHIND = 40


def judge_told_with(claims: Sequence[Claim], passage: PassageContext) -> list[Claim]:
    """Judge figures again that stand beside a value of the same thing in the same answer.

    "A recall of 94.5 %, from 99 reviews of 18 cards" names what it counts.
    """
    told = [c for c in claims if is_value(c) and c.kind in ("number", "percent")]
    own = [c.facts[0] for c in told]
    if all(c.status in ("supported", "derived") for c in claims):
        return list(claims)
    beside = [
        fact
        for fact in passage.contexts.known.facts.numbers()
        if not (fact.operands or fact.value.item)
        and any((fact.evidence_id, fact.entities) == (f.evidence_id, f.entities) for f in own)
        and all(anchor.keys & fact.entities for anchor in passage.entities)
        and (not fact.entities or passage.entities or fact.entities & passage.pointed_at())
    ]
    found = _versions(passage) | _counted(beside, passage)
    return [
        proven_by(claim, "supported", (found[claim.start],))
        if claim.start in found and claim.status == "unsupported"
        else claim
        for claim in claims
    ]


def _counted(facts: Sequence[Fact], passage: PassageContext) -> dict[int, Fact]:
    """Return what each figure counts that stands before the name of one count alone."""
    text = passage.contexts.reading.small
    counts = [f for f in facts if f.unit is None and f.number == int(f.number or 0)]
    found: dict[int, Fact] = {}
    for quantity in passage.quantities:
        behind = text[quantity.span[1] : quantity.span[1] + _BEHIND]
        named = [fact for fact in counts if _names_count(fact, behind)]
        fits = [f for f in named if f.number == quantity.value and quantity.unit is None]
        if fits and len({fact.names for fact in named}) == 1:
            found[quantity.span[0]] = fits[0]
    return found


def _versions(passage: PassageContext) -> dict[int, Fact]:
    """Return the version that each figure right behind a name tells: "ASAM OpenDRIVE 1.7"."""
    found: dict[int, Fact] = {}
    for quantity in passage.quantities:
        named = (m.named.values for m in passage.mentions if m.end == quantity.span[0] - 1)
        things = [fact for values in named for fact in values]
        for fact in passage.contexts.known.facts.numbers() if things else ():
            stems = [name.removesuffix("version") for name in fact.names if "version" in name]
            of = [one for one in things if any(s and s in n for s in stems for n in one.names)]
            here = all(anchor.keys & fact.entities for anchor in passage.entities)
            if (
                fact.value.value == quantity.raw
                and here
                and any(one.entities == fact.entities for one in of)
            ):
                found[quantity.span[0]] = fact
    return found


def _names_count(fact: Fact, behind: str) -> bool:
    """Whether a text begins with a name of what a value counts."""
    names = (name.lower() for name in (fact.value.name, *fact.value.labels) if ";" not in name)
    return re.match(_COUNTED_BY % "|".join(map(re.escape, names)), behind) is not None


def _told_facts(claims: Iterable[Claim]) -> list[Fact]:
    """Return the recorded numbers that figures tell as they are, each once, in their order."""
    facts: list[Fact] = []
    for claim in claims:
        if claim.kind not in ("number", "percent") or not claim.facts:
            continue
        first = claim.facts[0]
        if claim.status == "supported" and first.number is not None and not first.operands:
            facts.append(first)
        elif claim.status == "derived" and " + " in claim.detail and " ÷ " not in claim.detail:
            total = sum((fact.number or Decimal(0) for fact in claim.facts), Decimal(0))
            value = replace(first.value, value=f"{total:f}", name=f"sum of {first.value.name}")
            facts.append(replace(first, value=value, number=total, periods=frozenset()))
    return list({id(fact): fact for fact in facts}.values())


def _computed_beside(
    quantity: Quantity, operands: Sequence[Fact], text: str, *, led: bool
) -> tuple[str, tuple[Fact, Fact]] | None:
    """The share, change or difference of two figures that a quantity is, if it is one."""
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    for first, second in permutations(operands, 2):
        a, b = first.number, second.number
        same = (first.unit.dimension if first.unit else "") == (
            second.unit.dimension if second.unit else ""
        )
        if a is None or b is None or not same:
            continue
        said = (f"{first.said} ({first.about})", f"{second.said} ({second.about})")
        if quantity.percent and b:
            if not led and agrees(quantity, quantity.value, a / b * 100, count=False):
                return f"{said[0]} ÷ {said[1]}", (first, second)
        elif not quantity.percent and (direction(text) or DIFFERENCE.search(text) or led):
            value = abs(a - b)
            if unit is not None and first.unit is not None:
                try:
                    value = convert(value, first.unit, unit)
                except InputError:
                    continue
            if agrees(quantity, quantity.value, value, count=False):
                return f"{said[0]} − {said[1]}", (first, second)
    return None


# Right before a figure: 日本多2张, 低约4个百分点.
_HAN_MORE = re.compile("[多高大长](?:出|了)?(?:大?约|近|将近)?$")
_HAN_LESS = re.compile("[少低小短](?:出|了)?(?:大?约|近|将近)?$")


def _goes_against(
    quantity: Quantity, used: tuple[Fact, Fact], told: Sequence[Claim], passage: PassageContext
) -> bool:
    """Whether a difference is told the other way: "fewer than ten years earlier" where it is more.

    Of two times the earlier one is compared with, unless a text says "than in 2020", and so is the
    value that was told first; of two things the one behind the difference, where the other stands
    before it.
    """
    text = passage.contexts.reading.text
    start, end = quantity.span
    clause = passage.clause(start)
    around = (text[end : min(clause[1], end + 25)], text[clause[0] : start])
    ways = [direction(operator("lost").sub(" ", said)) for said in around]  # a loss may grow
    way = ways[0] or ways[1] or (1 if _HAN_MORE.search(around[1]) else 0)
    way = way or (-1 if _HAN_LESS.search(around[1]) else 0)
    if not way or quantity.percent:
        return False
    if used[0].entities == used[1].entities and used[0].periods != used[1].periods:
        bases = {key for a in passage.periods if is_base(text, a.start) for key in a.keys}
        base, other = sorted(used, key=lambda fact: sorted(map(str, fact.periods)))
        if other.periods & bases and not base.periods & bases:
            base, other = other, base
    elif used[0].entities == used[1].entities:
        first, second = (when_told(passage.contexts.known, fact) for fact in used)
        if first == second:
            return False
        base, other = used if first < second else used[::-1]
    else:
        places = [next((c.start for c in told if fact in c.facts), start) for fact in used]
        leads: bool | None = places[0] < start
        if leads == (places[1] < start):
            leads = _leads(used, passage, start)
        if leads is None:
            return False
        other, base = used if leads else used[::-1]
    return (abs(other.number or 0) - abs(base.number or 0)) * way < 0


def _leads(used: tuple[Fact, Fact], passage: PassageContext, position: int) -> bool | None:
    """Whether a figure is said of the first of two things, and not of the second; or None."""
    things = passage.entities
    text = passage.contexts.reading.text
    order = places_of_things(text, things, position, passage.clause(position)[0])
    places = [min((order[k] for k in one.entities if k in order), default=None) for one in used]
    first, second = places
    if first is None or second is None:
        named = second if first is None else first
        return None if named is None else (second is None) != (named == len(things))
    return first < second if min(first, second) < 0 else None


_POINTS_BACK = re.compile(
    r"\s*(?:(?:so|thus|hence) )?(?:(?:that|this|which) (?:is|was|means|makes|equals|amounts"
    r"|corresponds|represents|works out)\b"
    r"|(?:(?:das|dies) (?:ist|war|sind|waren|entspricht|entsprach|bedeutet|macht))\b"
    r"|这(?:是|意味着|相当于|表示|一|说明)|即)",
    re.IGNORECASE,
)


def _before(passage: PassageContext) -> tuple[int, int] | None:
    """The sentence that a passage points back to, where it names nothing itself."""
    if passage.entities or passage.periods:
        return None
    text = passage.contexts.reading.text
    if _POINTS_BACK.match(text, passage.passage.start, passage.passage.end) is None:
        return None
    return next((scope.span for scope in passage.passage.scopes if scope.earlier), None)


def values_before(passage: PassageContext) -> list[Fact]:
    """Return the recorded values that the sentence before tells, where a passage points back."""
    span = _before(passage)
    if span is None:
        return []
    return told_in(passage.contexts, span)


def periods_before(passage: PassageContext) -> Sequence[Anchor[PeriodKey]]:
    """Return the periods that the sentence before names, where a passage points back."""
    span = _before(passage)
    return passage.contexts.dated(span) if span is not None else ()


def periods_counted(passage: PassageContext, wanted: Decimal) -> list[frozenset[PeriodKey]]:
    """Return the periods that a number may count: those named, their parts, or all recorded ones.

    Args:
        passage: its passage.
        wanted: the number.
    """
    known = passage.contexts.known
    periods = [a.keys for a in passage.periods or periods_before(passage)]
    divided = [parts_of(keys, known.periods) for keys in periods]
    every = [part for parts in divided for part in parts]
    recorded = {key[:2] for key in known.periods if not isinstance(key, str)}
    for parts in (*divided, every, () if periods else recorded):
        if len(set(parts)) == wanted:
            return [frozenset[PeriodKey]((str(part),)) for part in set(parts)]
    return periods


def measures_told(told: Sequence[Fact], *, alone: bool) -> frozenset[frozenset[str]]:
    """Return the properties of which the values beside a figure tell two things or times.

    "The 999 km of A are five times the 195 km of B" tells a multiple of lengths.

    Args:
        told: the values.
        alone: whether one value of a property is enough, as beside a multiple.
    """
    of: dict[frozenset[str], set[object]] = {}
    for fact in told:
        of.setdefault(fact.names, set()).add((fact.entities, fact.periods))
    several = frozenset(names for names, held in of.items() if len(held) > 1)
    return several or frozenset(of if alone else ())


_SEVERAL = 2
_OF_SUM = re.compile(r"÷ [\d.,]+$")  # a share of a whole that is a sum, and not recorded itself
_MAKES = re.compile(r"(?:That|This|Which|Das|Dies)\s(?:makes|made|means|macht)\b")
# Behind a multiple: "as large as", "so lang wie"; the length of something needs a length.
_AS_LARGE = re.compile(
    r"\s(?:as|so)\s(?:(?P<long>long|lang)|(?P<often>common|frequent|often|häufig|oft)|large|big|high"
    r"|great|many|much|groß|hoch|viele?)\b(?:(?:\s(?P<noun>\w+))?\s(?:as|wie)\b|(?=[.,;]|$))"
)
_COMPARING = frozenset(("comparison", "superlative"))


def said_of_computed(text: str, passage: Passage, claims: Iterable[Claim]) -> Iterable[Span]:
    """Where a passage says of a derived figure that it was summed up: "together", "combined"."""
    claims = tuple(claims)
    derived = [c for c in claims if c.status == "derived"]
    told = [f for c in claims if c.kind == "number" and c.status == "supported" for f in c.facts]
    of_one = sum(c.kind == "name" for c in claims) < _SEVERAL
    summed = any(SUM.search(f.value.name) for f in told if of_one and f.entities) or any(
        " + " in c.detail or _OF_SUM.search(c.detail) or any(f.operation == "sum" for f in c.facts)
        for c in derived
    )
    if summed:
        yield from (match.span() for match in SUM.finditer(text, passage.start, passage.end))
    if derived and (makes := _MAKES.match(text, passage.start, passage.end)):
        yield makes.span()  # "that makes it 1.45 times the size"
    for claim in derived:
        if " ÷ " in claim.detail and (size := _AS_LARGE.match(text, claim.end, passage.end)):
            of_size = any(f.unit and f.unit.dimension in ("length", "time") for f in claim.facts)
            counted = all(f.value.unit == ASSETS for f in claim.facts)
            if (of_size or size["long"] is None) and (counted or size["often"] is None):
                yield size.start(), size.start("noun") if size["noun"] else size.end()
                yield text.rindex(" ", 0, size.end()) + 1, size.end()


def only_compares(
    proof: Proof, words: Sequence[Word], place: int, told: Sequence[Claim]
) -> Outcome:
    """Whether a clause only compares what the figures before it are of: "so Spain is larger"."""
    start, behind = words[place].end, words[place + 1 :]
    compares = any(w.role is not None and w.role.role in _COMPARING for w in behind)
    moves = any(w.role is not None and w.role.role in ("direction", "cause") for w in behind)
    held = {key for claim in told for fact in claim.facts for key in fact.entities}
    later = [a for a in proof.context.entities if a.start >= start]
    return True if compares and not moves and all(a.keys & held for a in later) else None


def lasts(figure: Claim, told: Sequence[Claim]) -> bool:
    """Whether a figure says how long something takes whose beginning and end are told."""
    times = [claim for claim in told if claim.kind == "time"]
    units = (fact.unit for fact in figure.facts)
    return len(times) > 1 and any(unit and unit.dimension == "time" for unit in units)
