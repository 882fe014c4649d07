"""Computations from found facts: changes, ratios, shares, sums, and differences of those.

Only found facts are operands, and all of them are shown. Whatever would not mean anything is not
computed, with the reason: operands in different units, a rate that does not add up, a sum that
would count something twice, a percentage of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import partial
from itertools import combinations, product

from groundwire.metrics.derive_groups import (
    Operand,
    Share,
    Why,
    groups_of,
    overlap,
    share_groups,
    share_pairs,
    which_whole,
)
from groundwire.metrics.profile import Metric, Profile
from groundwire.metrics.results import Cell, DerivedItem, NotDerivedItem, OperandItem
from groundwire.metrics.terms import ALLOWED_AS, TOTAL, DerivedBy
from groundwire.metrics.wording import exact, listed, name_in, with_unit
from groundwire.safe_text import safe_name

_EXACT = Context(prec=400)
_QUOTIENT = Context(prec=28)
_PLACES = Decimal("0.000001")
POINTS = "percentage points"
"""The unit of a difference of percentages."""
SUM_OF_LISTED = "sum of those listed"
FROM_EARLIER: dict[str, int] = {"growth": -1, "growth_previous": 0}
"""Operations that look earlier periods up, with which of `earlier_periods` they take."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A computed value.

    Attributes:
        item: as the caller sees it, rounded to six places unless it is a finite decimal.
        value: with up to 28 digits.
        operands: positions of its operands, in the order of the formula.
    """

    item: DerivedItem
    value: Decimal
    operands: tuple[int, ...]


class _NoMeaning(Exception):
    """Why something is not computed."""

    def __init__(self, english: str, chinese: str = "", german: str = "") -> None:
        super().__init__(english)
        self.why = Why(english, chinese, german)


def derive(
    profile: Profile,
    operations: Sequence[DerivedBy],
    operands: Sequence[Operand],
    share_of: str = "",
    cells: Sequence[Cell] = (),
    earlier: Sequence[Operand] = (),
) -> tuple[list[Derived], list[NotDerivedItem]]:
    """Compute what was asked for from the facts that were found.

    Deltas and percent changes run along the periods of one metric, entity and channel, from each
    to the next and from the first to the last; without two periods a delta is the first entity
    less each other one, else the first channel; sums run along entities, else channels, else
    periods; a share is of the whole that was named, else of what was found that holds the part,
    and of the sum of those listed only where that was named; a ratio is of two metrics, else
    two entities, else two channels, the first by the second. Differences of shares and of ratios
    run along periods, and with one period those of shares are the first part's less each other's.

    Args:
        profile: what may be derived of which metric.
        operations: what was asked for.
        operands: facts found, in the order in which the caller named them.
        share_of: code of the entity that the caller named as the whole of shares, `THOSE_LISTED`
            for the sum of what is listed, or "".
        cells: all that was looked up.
        earlier: facts of earlier periods, which growth alone is told from.

    Returns:
        what was computed, and what was not with the reason.
    """
    made: list[Derived] = []
    left: dict[tuple[str, str], NotDerivedItem] = {}

    def leave(operation: DerivedBy, why: Why) -> None:
        item = NotDerivedItem(
            operation=operation,
            reason=why.english,
            reason_in_chinese=why.chinese or None,
            reason_in_german=why.german or None,
        )
        left.setdefault((operation, why.english), item)

    for operation in dict.fromkeys(operations):
        if operation in ("share", "share_delta"):
            shares = share_groups(profile, operands, share_of, cells)
            ways = [partial(_share, profile, one) for one in shares]
            if operation == "share_delta":
                ways = [partial(_share_delta, profile, *one) for one in share_pairs(shares)]
        else:
            known = [*operands, *earlier] if operation in FROM_EARLIER else operands
            ways = [
                partial(_computed, profile, operation, group)
                for group in groups_of(operation, known)
            ]
        if not ways:
            leave(operation, _needs(profile, operation, operands))
        for way in ways:
            try:
                made.append(way())
            except _NoMeaning as why:
                leave(operation, why.why)
    return made, list(left.values())


def _computed(profile: Profile, operation: DerivedBy, group: Sequence[Operand]) -> Derived:
    _check(profile, operation, group)
    return _COMPUTE[operation](profile, group)


def _needs(profile: Profile, operation: DerivedBy, operands: Sequence[Operand]) -> Why:
    """Name the missing operand: for shares of one value the question for its whole."""
    alone = len({(one.fact.entity, one.fact.channel) for one in operands}) == 1
    if operands and (operation == "share" or (operation == "share_delta" and alone)):
        return which_whole(profile, operands[0].fact.entity)
    return Why(_NEEDS[operation])


_NEEDS: dict[str, str] = {
    "delta": "needs two periods, entities or channels of one metric with a fact each",
    "percent_change": "needs two periods of one metric, entity and channel with a fact each",
    "ratio": "needs two metrics, entities or channels of one period with a fact each",
    "share": "needs a part and its whole, of one metric and period with a fact each",
    "sum": "needs two entities, channels or periods of one metric with a fact each",
    "mean": "needs two entities, channels or periods of one metric with a fact each",
    "growth": "needs a fact of the period and one of the same period a year before",
    "growth_previous": "needs a fact of the period and one of the period before",
    "cagr": "needs two years of one metric, entity and channel with a fact each",
    "share_delta": "needs two shares of one whole: of two periods, or of two parts",
    "ratio_delta": "needs two metrics, entities or channels with a fact each in two periods",
}


def _check(profile: Profile, operation: DerivedBy, group: Sequence[Operand]) -> None:
    """Refuse what would mean nothing."""
    units = sorted({one.fact.unit or "no unit" for one in group})
    if len(units) > 1:
        raise _NoMeaning(f"the operands have different units: {', '.join(units)}")
    metrics = [profile.metric_by_code[code] for code in dict.fromkeys(o.fact.metric for o in group)]
    for metric in metrics:
        if ALLOWED_AS.get(operation, operation) not in metric.derivations:
            raise _NoMeaning(f"the profile allows no {operation} of {metric.label}")
        if metric.measure == "rate" and operation in ("sum", "mean", "share"):
            raise _NoMeaning(f"{metric.label} is a rate, which does not add up")
    if operation in ("sum", "mean"):
        is_sum = operation == "sum"
        _check_sum(profile, metrics[0].measure if is_sum else "", group)


def _check_sum(profile: Profile, measure: str, group: Sequence[Operand]) -> None:
    """Refuse a sum that counts something twice, or adds a stock to itself over time."""
    for one, other in combinations(group, 2):
        first, second = one.fact, other.fact
        if first.entity == second.entity and first.channel == second.channel:
            if measure == "stock":
                raise _NoMeaning("a stock at several times does not add up")
            if first.start <= second.end and second.start <= first.end:
                raise _NoMeaning(f"the periods {one.period} and {other.period} overlap")
        elif first.channel != second.channel and TOTAL in (first.channel, second.channel):
            raise _NoMeaning("the total channel holds the other channels already")
        elif why := overlap(profile, first.entity, second.entity):
            raise _NoMeaning(*why)


def _delta(_: Profile, group: Sequence[Operand]) -> Derived:
    before, after = (one.fact for one in group)
    value = _EXACT.subtract(after.value, before.value)
    unit = POINTS if after.unit == "%" else after.unit
    formula = f"{exact(after.value)} - {_parenthesized(before.value)}"
    return _derived("delta", value, unit, formula, (group[1], group[0]))


def _percent_change(_: Profile, group: Sequence[Operand]) -> Derived:
    before, after = (one.fact for one in group)
    if before.value <= 0:
        raise _NoMeaning(
            f"the value of {group[0].period} is not above zero, so no percentage of it says how "
            "it changed"
        )
    change = _EXACT.subtract(after.value, before.value)
    value = _QUOTIENT.multiply(_QUOTIENT.divide(change, before.value), Decimal(100))
    formula = f"({exact(after.value)} - {exact(before.value)}) / {exact(before.value)} * 100"
    return _derived("percent_change", value, "%", formula, (group[1], group[0]))


def _annual(_: Profile, group: Sequence[Operand]) -> Derived:
    """The compound annual growth rate: the years-th root of the quotient, less one, in percent."""
    before, after = (one.fact for one in group)
    if before.value <= 0 or after.value <= 0:
        raise _NoMeaning("one of the two values is not above zero")
    years = after.end.year - before.end.year
    last_days = {(one.end.month, min(one.end.day, 28)) for one in (before, after)}
    if years < 1 or len(last_days) > 1:
        raise _NoMeaning("the two periods are not whole years apart")
    quotient = _QUOTIENT.divide(after.value, before.value)
    rate = _QUOTIENT.power(quotient, _QUOTIENT.divide(Decimal(1), Decimal(years)))
    value = _QUOTIENT.multiply(_QUOTIENT.subtract(rate, Decimal(1)), Decimal(100))
    formula = f"(({exact(after.value)} / {exact(before.value)}) ** (1 / {years}) - 1) * 100"
    return _derived("cagr", value, "% per year", formula, (group[1], group[0]))


def _ratio(_: Profile, group: Sequence[Operand]) -> Derived:
    first, second = (one.fact for one in group)
    if not second.value:
        raise _NoMeaning("the second operand is zero")
    value = _QUOTIENT.divide(first.value, second.value)
    return _derived("ratio", value, "", f"{exact(first.value)} / {exact(second.value)}", group)


def _share(profile: Profile, share: Share) -> Derived:
    if share.refusal:
        raise _NoMeaning(*share.refusal)
    part, whole = share.part, share.whole
    _check(profile, "share", (part, *whole))
    _check_days(profile, part, whole)
    if any(one.fact.value < 0 for one in (part, *whole)):
        raise _NoMeaning("a part is negative, so shares would not add up to a whole")
    total = sum((one.fact.value for one in whole), Decimal(0))
    if not total:
        raise _NoMeaning("the whole is zero")
    relation = profile.membership.relation(whole[0].fact.entity, part.fact.entity)
    if relation == "unknown" and part.fact.value > total:
        raise _NoMeaning("the part is more than the whole, so it is no part of it")
    value = _QUOTIENT.multiply(_QUOTIENT.divide(part.fact.value, total), Decimal(100))
    terms = " + ".join(exact(one.fact.value) for one in whole)
    divisor = f"({terms})" if len(whole) > 1 else terms
    formula = f"{exact(part.fact.value)} / {divisor} * 100"
    shown = (part, *(one for one in whole if one is not part))
    made = _derived("share", value, "%", formula, shown)
    return replace(made, item=made.item.model_copy(update={"whole": _whole_name(profile, share)}))


def _share_delta(profile: Profile, share: Share, other: Share) -> Derived:
    """The difference of two shares, in percentage points: what is a percent of a percent is not."""
    made, less = _share(profile, share), _share(profile, other)
    value = _QUOTIENT.subtract(made.value, less.value)
    formula = f"{_computation(made)} - {_computation(less)}"
    shown = [
        one
        for own in (share, other)
        for one in (own.part, *(each for each in own.whole if each is not own.part))
    ]
    told = _derived("share_delta", value, POINTS, formula, shown)
    return replace(told, item=told.item.model_copy(update={"whole": made.item.whole}))


def _computation(made: Derived) -> str:
    """The formula of a computed value without its result."""
    return re.split(" [=≈] ", made.item.formula)[0]


def _ratio_delta(_: Profile, group: Sequence[Operand]) -> Derived:
    over, under, over_before, under_before = (one.fact.value for one in group)
    if not under or not under_before:
        raise _NoMeaning("a denominator is zero")
    later, earlier = _QUOTIENT.divide(over, under), _QUOTIENT.divide(over_before, under_before)
    formula = f"{exact(over)} / {exact(under)} - {exact(over_before)} / {exact(under_before)}"
    return _derived("ratio_delta", _QUOTIENT.subtract(later, earlier), "", formula, group)


def _whole_name(profile: Profile, share: Share) -> str:
    """Name the whole of a share: an entity, the total channel, or the sum of what was listed."""
    if len(share.whole) != 1:
        return SUM_OF_LISTED
    whole = share.whole[0]
    if whole.fact.entity != share.part.fact.entity:
        return profile.entity_by_code[whole.fact.entity].name
    return profile.channel_by_code[whole.fact.channel].label


def _check_days(profile: Profile, part: Operand, whole: Sequence[Operand]) -> None:
    """Refuse a share of a whole that is of other days: fiscal years of one name may differ."""
    stock = profile.metric_by_code[part.fact.metric].measure == "stock"
    days = {(None if stock else one.fact.start, one.fact.end) for one in (part, *whole)}
    if len(days) > 1:
        codes = dict.fromkeys(one.fact.entity for one in (part, *whole))
        known = [profile.entity_by_code[code] for code in codes]
        raise _NoMeaning(
            f"{part.period} is of different days for {listed([one.name for one in known])}",
            f"{part.period}所指的日期因对象而异："
            + "、".join(
                safe_name(name_in("zh", one.name, one.aliases, one.labels)) for one in known
            ),
        )


def _sum(_: Profile, group: Sequence[Operand]) -> Derived:
    value = Decimal(0)
    for one in group:
        value = _EXACT.add(value, one.fact.value)
    formula = " + ".join(_parenthesized(one.fact.value) for one in group)
    return _derived("sum", value, group[0].fact.unit, formula, group)


def _mean(profile: Profile, group: Sequence[Operand]) -> Derived:
    total = _sum(profile, group).value
    formula = " + ".join(_parenthesized(one.fact.value) for one in group)
    value = _QUOTIENT.divide(total, Decimal(len(group)))
    return _derived("mean", value, group[0].fact.unit, f"({formula}) / {len(group)}", group)


_COMPUTE: dict[str, Callable[[Profile, Sequence[Operand]], Derived]] = {
    "delta": _delta,
    "percent_change": _percent_change,
    "ratio": _ratio,
    "sum": _sum,
    "mean": _mean,
    "growth": _percent_change,
    "growth_previous": _percent_change,
    "cagr": _annual,
    "ratio_delta": _ratio_delta,
}
_MADE_AS = {"growth": "percent_change", "growth_previous": "percent_change"}


def made_as(operation: str) -> str:
    """The operation that a computed value has: growth is made as a percent change."""
    return _MADE_AS.get(operation, operation)


def _parenthesized(value: Decimal) -> str:
    return f"({exact(value)})" if value < 0 else exact(value)


def _derived(
    operation: str, value: Decimal, unit: str, formula: str, operands: Sequence[Operand]
) -> Derived:
    shown, is_exact = value, True
    if operation not in ("delta", "sum"):
        shown = value.quantize(_PLACES, ROUND_HALF_EVEN, Context(prec=60)).normalize()
        is_exact = shown == value and len(value.as_tuple().digits) < _QUOTIENT.prec
    is_exact = is_exact and all(one.exact for one in operands)
    text = exact(shown)
    mark = "=" if is_exact else "≈"
    item = DerivedItem(
        operation=operation,
        value=text,
        unit=unit,
        exact=is_exact,
        formula=f"{formula} {mark} {with_unit(text, unit)}",
        operands=[
            OperandItem(
                metric=one.fact.metric,
                entity=one.fact.entity,
                channel=one.fact.channel,
                period=one.period,
                value_text=exact(one.fact.value),
                unit=one.fact.unit,
            )
            for one in operands
        ],
    )
    return Derived(item, value, tuple(one.position for one in operands))


def why_not_over(profile: Profile, metric: Metric, axis: str, codes: Sequence[str]) -> str:
    """Return why values of a metric must not be added over an axis, or "" where they may.

    Args:
        profile: what holds what.
        metric: the metric.
        axis: "entity", "channel" or "period".
        codes: the entities or channels that would be added.
    """
    if "sum" not in metric.derivations:
        return f"the profile allows no sum of {metric.label}"
    if metric.measure == "rate":
        return f"{metric.label} is a rate, which does not add up"
    if axis == "period" and metric.measure == "stock":
        return f"{metric.label} is held at a day, and several days do not add up"
    if axis == "channel" and TOTAL in codes:
        return "the total channel holds the other channels already"
    if axis == "entity":
        wholes = [one for one in codes if one in profile.membership.parts]
        for one, other in product(wholes, codes):
            if one != other and (why := overlap(profile, one, other)):
                return why.english
    return ""
