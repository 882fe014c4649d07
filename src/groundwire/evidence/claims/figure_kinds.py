"""Kinds of figures that a text tells: a value, a change, a gap, a sum, a rate per head, a day.

"Finland gained 5.5 million" is not proven by how many live there, "the four add up to 223" not by
one of them, and "from 1.9 to 2.0" not by the values of two years in the other order.
"""

from __future__ import annotations

import re
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor, is_base
from groundwire.evidence.claims.claim import Claim, is_value
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import BY, MEAN, SUM, TO
from groundwire.evidence.claims.direction import (
    is_where_it_began,
    leads_change,
    moves,
)
from groundwire.evidence.claims.fact_index import ASSETS
from groundwire.evidence.claims.figure_cues import (
    AT_MOST,
    DAY,
    IS_BASE,
    LEVEL,
    OF_BASE,
    OWNS,
    WITH,
)
from groundwire.evidence.claims.narrowing import narrows
from groundwire.evidence.claims.operators import operator

_LABEL = re.compile(r"[:：]\s*$")
_EARNS = re.compile("|".join(operator(key).pattern for key in ("lost", "earned")), re.IGNORECASE)
_RATE = re.compile(
    rf"{operator('per_head').pattern}|\b(?:per|each|pro|je|jede[rsn]?)\b|[每均]", re.I
)
_DAY_OF_MONTH = re.compile(r"[0-9]{1,2}月 ?([0-9]{1,4})[日号]")
_MONTH = re.compile(r"年 ?([0-9]{1,4})月")
_MOST_DAYS, _MOST_MONTHS = 31, 12
# Right before a figure that is a difference: 相差22个, "a difference of 22".
_GAP = re.compile(rf"(?:(?:{operator('gap').pattern})(?: (?:of|von) |[为是])|相差)约?$", re.I)
_PAIR = 2
_NEAR = 12
# Such words show that a percentage is a share of something: "% of its", 占…的.
_OF = re.compile(r"\s(?:of|der|des|vom|von|seine[rs]|ihre[rs])\s", re.IGNORECASE)
_IS_OF = re.compile(r"占[^，。；]{2,16}的(?:约|大约|将近)?$")
_CHANGES = frozenset(("difference", "delta", "percent_change"))
# Such words lead from a count to the group that it counts.
_TO_GROUP = re.compile(
    r"(?: of (?:them|these|those|which))?(?: each| apiece)?(?: is| lies| comes| stems)?"
    r" (?:in|of|from|for) (?:the )?"
)


def counts_group(end: int, context: PassageContext) -> bool:
    """Return whether "one", which ends there, counts a group behind it: "one each in A and B"."""
    text, known = context.contexts.reading.text, context.contexts.known
    named = [one.keys for one in context.entities if _TO_GROUP.fullmatch(text, end, one.start)]
    counts = (fact for fact in known.facts.numbers() if fact.value.unit == ASSETS)
    return any(fact.entities & keys for fact in counts for keys in named)


def _is_told_as_gap(context: PassageContext, claim: Claim) -> bool:
    """Whether a value is told as a difference: "9 million more people than", 多9万."""
    text, (start, end) = context.contexts.reading.text, context.clause(claim.start)
    if " + " in claim.detail and is_more(context, claim):
        return not TO.search(text, start, claim.start)
    if not is_value(claim) or claim.kind != "number":
        return False
    behind = [w for w in context.words if claim.end <= w.start < end]
    than = any(w.role is not None and w.role.sense == "compare" for w in behind)
    led = WITH.search(text, context.passage.start, claim.start)
    if than and is_more(context, claim) and not (led and led[0].startswith("mit")):
        return True  # "Indien hat mit 9 Millionen mehr als" tells how many it has
    if claim.facts[0].value.unit == ASSETS:
        return _GAP.search(text, start, claim.start) is not None
    if led or claim.text.startswith("("):
        return False
    if _is_led_by_change(context, claim):
        return True
    by = BY.search(text, start, claim.start)
    if by is not None and not by[0][:1].isascii() and text[by.start() - 1] not in AT_MOST:
        return is_base(text, start) or "比" in text[start : by.start()]
    return any(
        one.text.casefold().endswith((" als", " than")) and two.quantity is None
        for one, two in pairwise(behind[:3])
    )


def _is_led_by_change(context: PassageContext, claim: Claim) -> bool:
    """Whether a value is told as how much something rose or fell: "gained 5", "Increase: 5".

    What was lost or earned in money is a value of its own.
    """
    text, (start, end) = context.contexts.reading.text, context.clause(claim.start)
    fact = claim.facts[0]
    if fact.names & context.contexts.known.changes or (fact.number or 0) < 0:
        return False
    if context.passage.kind == "item" and _LABEL.search(text, context.passage.start, start):
        start = context.clause(start - 1)[0]  # "Increase: 5"
    led = text[start : claim.start]
    if TO.search(led) or is_where_it_began(context, start, claim.start):
        return False
    in_money = fact.unit is not None and fact.unit.dimension.startswith("currency")
    if in_money and "unit not stated" not in claim.detail and _EARNS.search(led):
        return False
    spans = (
        one.span() for way in ("rises", "falls") for one in operator(way).finditer(text, start, end)
    )
    around = any(low < claim.start and claim.end < high for low, high in spans)
    is_around = around and LEVEL.search(led) is None
    return is_around or leads_change(context, start, claim.start, moves=True)


def _is_told_of_base(context: PassageContext, claim: Claim) -> bool:
    """Whether a change in percent is told as a share of what it changed from: "185 % of 2000's".

    What a thing grew by is a share of what it was before, and of no other time.
    """
    is_computed = " − " in claim.detail and " ÷ " in claim.detail
    if claim.kind != "percent" or (
        claim.facts[0].operation != "percent_change" and not is_computed
    ):
        return False
    text, (start, end) = context.contexts.reading.text, context.clause(claim.start)
    if OF_BASE.match(text, claim.end) or IS_BASE.search(text, start, claim.start):
        return True
    behind, led = _OF.match(text, claim.end), _IS_OF.search(text, start, claim.start)
    low, high = (claim.end, end) if behind else (led.start(), claim.start) if led else (0, 0)
    times = [one.keys for one in context.periods if low <= one.start < high]
    base = min((one.periods for one in claim.facts[-2:]), key=lambda one: sorted(map(str, one)))
    of_another = bool(times) and not any(keys & base for keys in times)
    return high > 0 and (of_another or not moves(context))


def _is_not_per_head(context: PassageContext, claim: Claim) -> bool:
    """Whether a value that is of no one person is told "per head"."""
    text, spans = context.contexts.reading.text, [context.clause(claim.start)]
    if context.passage.kind == "cell":
        spans = [scope.span for scope in context.passage.scopes[:2] if scope.hard]
    first, told = claim.facts[0], operator("per_head")
    called = " ".join((first.value.name, *first.value.labels)).replace("_", " ")
    is_total = is_value(claim) and not told.search(called)
    return is_total and any(told.search(text, *span) for span in spans)


def things_beside(context: PassageContext, position: int) -> list[Anchor[str]]:
    """Return the things whose figure begins at a place: those of its row, or of its clause.

    Behind no other figure and no word of a sum, those that are named last are so, too.
    """
    start, end = context.clause(position)
    if context.passage.kind == "cell":
        row = [scope.span for scope in context.passage.scopes[:1] if scope.hard]
        return [one for span in row for one in context.contexts.entities(span)]
    low = _since(context, position)
    low = start if SUM.search(context.contexts.reading.text, low, position) else low
    here = [one for one in context.entities if low <= one.start < end]
    before = [one for one in context.entities if one.end <= position]
    return here or (before if len({one.keys for one in context.entities}) == 1 else [])


def _since(context: PassageContext, position: int) -> int:
    """Return where the figure before a place ends, or the passage begins."""
    before = (q.span[1] for q in context.quantities if q.span[1] <= position)
    return max(before, default=context.passage.start)


def _is_whole_of_one(context: PassageContext, claim: Claim) -> bool:
    """Whether a sum is told where just one of its times or things is named, and no word of it."""
    first = claim.facts[0]
    parts = first.operands if first.operation == "sum" else claim.facts
    if first.operation != "sum" and " + " not in claim.detail:
        return False
    text, spans = context.contexts.reading.text, [(context.passage.start, context.passage.end)]
    if context.passage.kind == "cell":
        spans = [scope.span for scope in context.passage.scopes[:2] if scope.hard]
    times = {key for span in spans for one in context.contexts.dated(span) for key in one.keys}
    if len({one.entities for one in parts}) == 1 < len({one.periods for one in parts}):
        held = [one for one in parts if one.periods & times]
        return len(held) == 1 and not any(SUM.search(text, *span) for span in spans)
    things = {key for one in things_beside(context, claim.start) for key in one.keys}
    return sum(bool(one.entities & things) for one in parts) == 1 and not SUM.search(
        text, _since(context, claim.start), claim.start
    )


def _is_untold_rate(context: PassageContext, claim: Claim) -> bool:
    """Whether a rate is told without a word of one, or of what it is divided by.

    That is so of "sold 1.28 million" and of "population per capita".
    """
    text, spans = context.contexts.reading.text, [context.clause(claim.start), *context.above]
    names = [one for span in spans for one in context.contexts.names(span)]
    per = operator("per_head")
    divided = [a for a in names if per.match(text, a.end + 1) or text[: a.start].endswith("人均")]
    units = {one.unit.symbol if one.unit else "" for one in claim.facts}
    is_rate = " ÷ " in claim.detail and claim.kind == "number" and len(units) == _PAIR
    is_told = any(_RATE.search(text, *span) for span in spans)
    of = (claim.facts[0].operands or claim.facts)[0].names
    return (is_rate and not is_told) or any(one.keys.isdisjoint(of) for one in divided)


def _is_mean_of_others(context: PassageContext, claim: Claim) -> bool:
    """Whether the mean of all is told of one thing: "the roughest is A, with 0.53"."""
    text, low = context.contexts.reading.text, _since(context, claim.start)
    is_mean = is_value(claim) and MEAN.search(claim.facts[0].about) is not None
    told = any(low <= one.start < claim.start for one in context.entities)
    said = MEAN.search(text, low, context.clause(claim.start)[1])
    return is_mean and told and said is None and not claim.facts[0].entities


def _is_mean_as_sum(context: PassageContext, claim: Claim) -> bool:
    """Whether a sum is told as a mean, or a mean as a sum: "on average 118 km, 17 in all"."""
    led = context.contexts.reading.text[_since(context, claim.start) : claim.start]
    means, fact = MEAN.search(led), claim.facts[0]
    is_one = (means is None) != (SUM.search(led) is None) and is_value(claim)
    is_other = (SUM if means else MEAN).search(fact.about) is not None
    return is_one and is_other and fact.value.unit != ASSETS


def _is_part_of_channel(context: PassageContext, claim: Claim) -> bool:
    """Whether the value of a channel is told as a total in a clause that does not name it."""
    known, start = context.contexts.known, _since(context, claim.start)
    said = context.contexts.reading.text[start : context.clause(claim.start)[1]].casefold()
    if not is_value(claim) or operator("whole").search(said) is None:
        return False
    scopes = (known.statements[n] for n in known.scopes_of_fact.get(id(claim.facts[0]), ()))
    parts = [one.objects for scope in scopes for one in scope.statement.conditions if narrows(one)]
    names = [name.casefold() for objects in parts for names in objects for name in names]
    return bool(names) and not any(name in said for name in names)


def _is_one_of_sum(context: PassageContext, claim: Claim) -> bool:
    """Whether one value is told as the sum of all: "the four add up to 223", 四个季度合计223.

    A passage adds up as many things or times as it counts; or times, right before the figure.
    """
    first, known, text = claim.facts[0], context.contexts.known, context.contexts.reading.text
    said = [*SUM.finditer(text, context.passage.start, claim.start)]
    if not said or not is_value(claim) or first.value.unit == ASSETS or "bound" in claim.detail:
        return False
    spans = ((context.passage.start, context.passage.end), *context.above)
    named = {key for span in spans for one in context.contexts.entities(span) for key in one.keys}
    times = {key for span in spans for one in context.contexts.dated(span) for key in one.keys}
    alike = [one for one in known.facts.numbers() if one.names == first.names and not one.operands]
    things = {one.entities for one in alike if one.periods == first.periods}
    over = {one.periods for one in alike if one.entities == first.entities}
    counted = {q.value for q in context.quantities if q.span[0] != claim.start and q.unit is None}
    near = len(over) > 1 and 0 <= claim.start - said[-1].end() < _NEAR
    return (first.entities.isdisjoint(named) and len(things) in counted - {1}) or (
        first.periods.isdisjoint(times) and (near or len(over) in counted - {1})
    )


def are_later_first(context: PassageContext, first: Claim, second: Claim) -> bool:
    """Whether the value that something moved to is the earlier one, as the text names no times."""
    text, facts = context.contexts.reading.text, (first.facts[0], second.facts[0])
    times = [sorted(map(str, fact.periods)) for fact in facts]
    named = (
        one.keys & fact.periods
        for one in context.periods
        for fact, claim in zip(facts, (first, second), strict=True)
        if OWNS.fullmatch(text, one.end, claim.start)
        or (claim.end <= one.start < claim.end + _NEAR)
    )
    return times[0] > times[1] and not any(named)


def _is_gap_of_others(context: PassageContext, claim: Claim) -> bool:
    """Whether a difference is told of two things of which it is not, or of one and itself.

    That is so of the change of one thing that is told as the gap between two.
    """
    ends = claim.facts if " − " in claim.detail else claim.facts[0].operands
    if not is_gap(claim):
        return False
    text, (start, end) = context.contexts.reading.text, context.clause(claim.start)
    gaps = [*operator("gap").finditer(text, context.passage.start, claim.start)]
    things = [a for a in context.entities if (gaps[-1].end() if gaps else start) <= a.start < end]
    bases = [one for one in things if is_base(text, one.start)]
    figures = [q.span[0] for q in context.quantities if q.unit == "%" and q.span[0] < end]
    if bases and not gaps and not BY.search(text, start, claim.start):
        # "mit 6,8 % schwächer als Schweden mit 16,7 %" tells each its own.
        bases = [one for one in bases if not any(one.end <= at for at in figures)]
    compares = bool(bases or gaps)
    pair = [next((f.entities for f in ends if f.entities & one.keys), None) for one in things]
    return len(things) == _PAIR and compares and (None in pair or pair[0] == pair[1])


def _is_day(context: PassageContext, claim: Claim) -> bool:
    """Whether a figure that no calendar has stands in a date: "the 86 November"."""
    text = context.contexts.reading.text
    behind = claim.end + 2 - len(text[claim.end :][:2].lstrip(". "))
    months = (one for one in context.dates if one.span[0] == behind and one.grain == "month")
    is_month = any(not text[one.span[0]].isdigit() for one in months)
    is_month = is_month or bool(DAY.search(claim.text[-1:]) and text[claim.start - 1] == "月")
    return is_month or (DAY.match(text, claim.end) is not None)


def no_days(context: PassageContext) -> list[Claim]:
    """Return a claim for each day or month that no calendar has: 7月42日."""
    text = context.contexts.reading.text
    return [
        Claim(one[0], "date", "unsupported", None, "no calendar has such a day", *one.span())
        for pattern, most in ((_DAY_OF_MONTH, _MOST_DAYS), (_MONTH, _MOST_MONTHS))
        for one in pattern.finditer(text, context.passage.start, context.passage.end)
        if not 0 < int(one[1]) <= most
    ]


def is_more(context: PassageContext, claim: Claim) -> bool:
    """Whether "more" or "fewer" stands right behind a figure, or a change right before it."""
    start, end = context.clause(claim.start)
    behind = [w.role for w in context.words if claim.end <= w.start < end][:2]
    compares = [role.sense for role in behind if role is not None and role.role == "comparison"]
    is_more = bool(compares) and "compare" not in compares
    return is_more or leads_change(context, start, claim.start)


def is_gap(claim: Claim) -> bool:
    """Whether a figure is a difference of two values, or a change from one to the other."""
    return " − " in claim.detail or claim.facts[0].operation in _CHANGES


def is_total(claim: Claim) -> bool:
    """Whether a figure counts a whole answer."""
    first = claim.facts[0]
    return not first.entities and first.value.unit == ASSETS and not first.operands


KINDS = (
    (_is_not_per_head, "the text tells it per head"),
    (_is_untold_rate, "it is a rate, and the text tells another or none"),
    (_is_mean_of_others, "it is the mean of all"),
    (_is_mean_as_sum, "a mean is no sum"),
    (_is_part_of_channel, "it is of a part, and the text tells the total"),
    (_is_one_of_sum, "it is one of the values that the text adds up"),
    (_is_gap_of_others, "it is no difference of the two"),
    (_is_told_as_gap, "the text tells a value as a difference"),
    (_is_told_of_base, "a change is no share of what it is a change of"),
    (_is_whole_of_one, "it is the sum, and one part is named"),
    (_is_day, "the text tells it as a day"),
)
"""Tests of a figure in a passage, each with what is wrong where it holds."""
