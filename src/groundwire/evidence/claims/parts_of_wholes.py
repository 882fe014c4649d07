"""Figures of all that is recorded: totals and means, shares of a total, and amounts per head.

A sentence that says so names its operands by naming the whole ("together the four countries", "of
the combined GDP", "per head"), so they are taken from the records: all values of one name, unit
and period, or of one name and thing at all its times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from groundwire.evidence.claims.attachment import Slot
from groundwire.evidence.claims.context import Context, PassageContext
from groundwire.evidence.claims.counts import TOTALS
from groundwire.evidence.claims.derivation import MEAN, SUM, Derived, add_up
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import operator
from groundwire.evidence.claims.period_references import parts_of
from groundwire.evidence.claims.rounding import agrees, agrees_scaled
from groundwire.evidence.claims.shares import SaidWhole
from groundwire.evidence.claims.words import key_of
from groundwire.quantities import Quantity, Unit, convert, resolve_unit

_PEOPLE = "people"
# Between a part and the whole that it is of: "226.2 of 392.5 million".
_OF_FIGURE = re.compile(r" (?:of|out of|von|von insgesamt) (?:the |den )?", re.IGNORECASE)


def derive_of_whole(
    quantity: Quantity,
    context: Context,
    known: Knowledge,
    sentence: str,
    whole: SaidWhole | None = None,
) -> Derived | None:
    """Find the computation over a recorded whole that a quantity is the result of.

    Args:
        quantity: as it is written.
        context: the entity, period and property that it is said of.
        known: what the records hold.
        sentence: the sentence without its names, for words that say what was computed.
        whole: what the sentence says that the quantity is a share of, if it does.
    """
    for value, formula, operands in _computed(quantity, context, known, sentence, whole):
        how = agrees(quantity, quantity.value, value, count=False)
        if how is not None:
            return Derived(formula, operands, how == "rounded")
    return None


def part_of_figure(
    passage: PassageContext, quantity: Quantity, known: Knowledge
) -> Slot[str] | None:
    """Return the one part that a passage names, for a figure that is told as part of the next.

    In "half of the revenue (226.2 of 392.5 million) came from retail" it is retail.
    """
    joined = _OF_FIGURE.match(passage.contexts.reading.text, quantity.span[1])
    if joined is None or all(one.span[0] != joined.end() for one in passage.quantities):
        return None
    named = {anchor.keys for anchor in passage.names if anchor.keys & known.parts.keys()}
    return Slot(min(named), "own") if len(named) == 1 else None


def sum_of_parts(quantity: Quantity, context: Context, known: Knowledge) -> Derived | None:
    """Return the sum of the values of all parts of the period that a quantity is said of."""
    parts = parts_of(context.period.keys, known.periods)
    series: dict[tuple[object, ...], dict[PeriodKey, Fact]] = {}
    for fact in known.facts.numbers() if parts else ():
        about = context.entity.allows(fact.entities) and context.name.allows(fact.names)
        for part in parts if about and not fact.operands else ():
            if part in fact.periods:
                key = (fact.names, fact.entities, fact.value.unit)
                series.setdefault(key, {})[part] = fact
    for facts in series.values():
        if len(facts) == len(parts):
            found = add_up(quantity, list(facts.values()))
            if found is not None:
                return found
    return None


def whole_of_shares(quantity: Quantity, passage: PassageContext, known: Knowledge) -> Fact | None:
    """Return the whole that the 100 % of a table is of: its shares stand above it in its column."""
    if not quantity.percent or quantity.value != 100 or passage.passage.kind != "cell":
        return None
    rows = [scope.span for scope in passage.passage.scopes if scope.hard]
    beside = [q for row in rows for q in passage.contexts.reading.quantities.within(row)]
    for fact in known.facts.numbers():
        whole = fact.operands[1] if fact.operation == "share" and fact.operands[1:] else None
        number = whole.number if whole is not None else None
        if number is not None and any(agrees_scaled(one, number) for one in beside):
            return whole
    return None


def _computed(
    quantity: Quantity, context: Context, known: Knowledge, sentence: str, whole: SaidWhole | None
) -> Iterator[tuple[Decimal, str, tuple[Fact, ...]]]:
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    if unit is not None and unit.symbol == "%":
        if operator("share").search(sentence) and context.entity.keys:
            yield from _shares(context, known, whole)
        return
    if operator("per_head").search(sentence):
        yield from _per_head(unit, context, known)
        return
    is_mean, is_sum = (one.search(sentence) is not None for one in (MEAN, SUM))
    if not is_mean and not is_sum:
        return
    for group in _wholes(context, known):
        own = group[0].unit
        if unit is not None and (own is None or own.dimension != unit.dimension):
            continue
        total = sum((_number(fact) for fact in group), Decimal(0))
        value = convert(total, own, unit) if own and unit and own != unit else total
        formula = " + ".join(f"{fact.said} ({fact.about})" for fact in group)
        if is_mean:
            yield value / len(group), f"({formula}) ÷ {len(group)}", tuple(group)
        if is_sum:
            yield value, formula, tuple(group)


def _plain(known: Knowledge) -> Iterator[Fact]:
    return (f for f in known.facts.numbers() if not f.operands and len(f.entities) == 1)


def _number(fact: Fact) -> Decimal:
    return fact.number if fact.number is not None else Decimal(0)


def _wholes(context: Context, known: Knowledge) -> Iterator[list[Fact]]:
    """All values of one name and unit: of all things at one time, or of one thing at all times."""
    across: dict[tuple[object, ...], list[Fact]] = {}
    along: dict[tuple[object, ...], list[Fact]] = {}
    for fact in _plain(known):
        if not context.name.allows(fact.names) or not fact.periods:
            continue
        key = (fact.evidence_id, fact.names, fact.value.unit)
        if context.period.allows(fact.periods) and not context.entity.binding:
            across.setdefault((*key, fact.periods), []).append(fact)
        if context.entity.allows(fact.entities) and _is_in_time(fact, context, known):
            along.setdefault((*key, fact.entities), []).append(fact)
    yield from (
        group
        for group in (*across.values(), *along.values())
        if len(group) > 1 and known.counts_once(group)
    )


def _is_in_time(fact: Fact, context: Context, known: Knowledge) -> bool:
    """Whether a value is of a part of the time that a sentence names, where it names one.

    A sentence that names the time of some values does not tell of all their times.
    """
    if context.period.keys & known.periods:
        return False
    named = [key for key in context.period.keys if not isinstance(key, str)]
    own = [key for key in fact.periods if not isinstance(key, str)]
    within = any(n[0] <= o[0] and o[1] <= n[1] for n in named for o in own)
    return within or not named


def _shares(
    context: Context, known: Knowledge, said: SaidWhole | None
) -> Iterator[tuple[Decimal, str, tuple[Fact, ...]]]:
    facts = [fact for fact in _plain(known) if context.name.allows(fact.names)]
    for part in facts:
        if not part.entities & context.entity.keys or not context.period.allows(part.periods):
            continue
        group: Sequence[Fact] = [
            fact
            for fact in facts
            if (fact.evidence_id, fact.names, fact.value.unit, fact.periods)
            == (part.evidence_id, part.names, part.value.unit, part.periods)
        ]
        if part.value.unit == ASSETS:
            group = [
                fact
                for fact in known.facts.numbers()
                if fact.evidence_id == part.evidence_id
                and fact.names & TOTALS
                and not fact.entities
            ]
        elif said is None or not said.may_be(group) or not known.counts_once(group):
            # A share of all that is recorded is one only where the sentence says so.
            continue
        whole = sum((_number(fact) for fact in group), Decimal(0))
        if whole > 0 and (len(group) > 1 or part not in group):
            formula = f"{part.said} ({part.about}) ÷ {whole:f}"
            yield _number(part) / whole * 100, formula, (part, *group)


def _per_head(
    unit: Unit | None, context: Context, known: Knowledge
) -> Iterator[tuple[Decimal, str, tuple[Fact, ...]]]:
    facts = [
        fact
        for fact in _plain(known)
        if context.entity.allows(fact.entities) and context.period.allows(fact.periods)
    ]
    heads = {
        (fact.entities, fact.periods): fact
        for fact in facts
        if fact.value.unit == _PEOPLE and _number(fact) > 0
    }
    for fact in facts:
        head = heads.get((fact.entities, fact.periods))
        if head is not None and fact.unit is not None and fact.unit == unit:
            formula = f"{fact.said} ({fact.about}) ÷ {head.said} ({head.about})"
            yield _number(fact) / _number(head), formula, (fact, head)


def names_journey_only(fact: Fact, passage: PassageContext) -> bool:
    """Whether a value is of a part of what a passage names, of which part it names nothing.

    "A to B: 9 minutes" tells of the whole way, and not of its last ride.
    """
    item = fact.value.item
    if item is None or not item.pieces:
        return False
    span = (passage.passage.start, passage.passage.end)
    names = frozenset(map(key_of, item.names))
    ends = frozenset(key_of(end) for name in item.names for end in name.split(" to "))
    return any(one.keys & names for one in passage.contexts.items.within(span)) and not any(
        value.value.item is not None
        and value.value.item.pieces == item.pieces
        and key_of(value.value.value) not in ends
        for mention in passage.mentions
        for value in mention.named.values
    )
