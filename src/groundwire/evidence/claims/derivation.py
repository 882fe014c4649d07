"""Sums, differences, ratios, percentages, means and counts of recorded values."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import Fact, Facts, distinct
from groundwire.evidence.claims.operators import operator, right_before
from groundwire.evidence.claims.rounding import agrees
from groundwire.quantities import Quantity, Unit, convert, resolve_unit

_MOST_OPERANDS = 40
_MOST_PROBES = 120

SUM = operator("sum")
MEAN = operator("mean")
DIFFERENCE = operator("difference")
OF_ONE = operator("of_one")
"""Words of a figure that is of each of some things, or of one of them: it is no sum."""
BY = right_before("by", "beside_by")
"""Right before a figure, which is then how much more or less something is."""
TO = right_before("to", "beside_by")
"""Right before a figure that something rose or fell to."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A computation over recorded values that gives what is written.

    Attributes:
        formula: the computation, operands with what they are values of.
        operands: its operands.
        rounded: whether the result was rounded.
    """

    formula: str
    operands: tuple[Fact, ...]
    rounded: bool


def derive(
    quantity: Quantity,
    named: Sequence[Fact],
    sentence: str,
    *,
    alone: bool,
    way: int = 0,
    subject: frozenset[str] = frozenset(),
    counts_once: Callable[[Sequence[Fact]], bool] = lambda _: True,
    is_whole: Callable[[Sequence[Fact]], bool] = lambda _: True,
) -> Derived | None:
    """Find the computation over named values that a quantity is the result of.

    Args:
        quantity: as it is written.
        named: the values whose entity and period the sentence names, in the order of the
            entities in the sentence and of time.
        sentence: the sentence without its names, for words that say what was computed.
        alone: whether it is the only number of the sentence. Beside others, sums and differences
            must be called so: among three values some sum fits a wrong one too often.
        way: which way the words beside the number say that it went; 0 leaves it to the sentence.
        subject: the entities that the number is said of, if any: a change over time is theirs.
        counts_once: whether a sum of some values counts nothing twice.
        is_whole: whether a share may be of some values, as far as the sentence names its whole.
    """
    way = way or direction(sentence)
    ways = (way, 0) if way and DIFFERENCE.search(sentence) else (way,)
    of_shares = (unit := resolve_unit(quantity.unit or "")) is not None and unit.symbol == "pp"
    for group, way in product(_groups(named, of_shares=of_shares), ways):
        if len(group) > _MOST_OPERANDS:
            continue
        own = _Group(group, subject, counts_once(group), is_whole)
        for value, formula, operands in _computed(quantity, own, sentence, alone, way):
            how = agrees(quantity, quantity.value, value, count=False)
            far = quantity.bound is not None and abs(value) * 2 < abs(quantity.value)
            if how is not None and not far:
                return Derived(formula, operands, how == "rounded")
    return None


def add_up(quantity: Quantity, facts: Sequence[Fact]) -> Derived | None:
    """Return the sum of some values where a quantity tells it, else None."""
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    own = facts[0].unit
    total = sum((_number(fact) for fact in facts), Decimal(0))
    if unit is not None and own is not None and unit != own:
        if unit.dimension != own.dimension:
            return None
        total = convert(total, own, unit)
    how = agrees(quantity, quantity.value, total, count=False)
    joined = " + ".join(_of(fact) for fact in facts)
    return Derived(joined, tuple(facts), how == "rounded") if how is not None else None


def _groups(named: Sequence[Fact], *, of_shares: bool) -> list[list[Fact]]:
    """Values of one name and unit, which alone can be added or compared; and shares of them."""
    groups: dict[tuple[frozenset[str], str | None], list[Fact]] = {}
    for fact in distinct(named):
        plain = not fact.operands or (of_shares and fact.operation == "share")
        if fact.number is not None and plain:
            groups.setdefault((fact.names, fact.value.unit), []).append(fact)
    return [group for group in groups.values() if len(group) > 1]


@dataclass(frozen=True, slots=True)
class _Group:
    """Values of one name and unit, whose change over time is spoken of, and if they add up."""

    facts: list[Fact]
    subject: frozenset[str]
    adds_up: bool
    is_whole: Callable[[Sequence[Fact]], bool]

    def pairs(self) -> Iterator[tuple[Fact, Fact]]:
        """Ordered pairs that differ in one respect: the period, or else the entity.

        Of two periods the earlier comes first; of two entities the sentence names the subject
        first ("A is longer than B").
        """
        for i, a in enumerate(self.facts):
            for b in self.facts[i + 1 :]:
                if a.entities == b.entities and a.periods != b.periods:
                    if a.entities & self.subject or not (a.entities and self.subject):
                        first, second = sorted((a, b), key=lambda f: sorted(map(str, f.periods)))
                        yield first, second
                elif a.periods == b.periods and a.entities != b.entities:
                    yield b, a


def _computed(
    quantity: Quantity, group: _Group, sentence: str, alone: bool, way: int
) -> Iterator[tuple[Decimal, str, tuple[Fact, ...]]]:
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    own = group.facts[0].unit
    directed, certain = way or 1, way != 0
    if unit is not None and unit.symbol == "%":
        yield from _percentages(quantity, group, directed, certain)
    if unit is not None and unit.symbol == "×":
        for a, b in group.pairs():
            if _number(a):
                yield _number(b) / _number(a), _formula(b, "÷", a), (b, a)
    relative = unit is not None and unit.symbol in ("%", "pp", "×")
    comparable = unit is None or (not relative if own is None else unit.dimension == own.dimension)
    points = unit is not None and unit.symbol == "pp"
    # "A and B had more than 100" is of each, unless it says that it is of both together.
    may_add = alone and quantity.bound in (None, "about")
    if comparable or (points and own is not None and own.symbol == "%"):
        target = unit if unit is not None and own is not None and comparable else None
        yield from (
            result
            for cue, result in _linear(group, own, target, directed, certain=certain)
            if cue.search(sentence)
            or (cue is SUM and may_add and not (MEAN.search(sentence) or OF_ONE.search(sentence)))
            or (cue is DIFFERENCE and (way or alone) and not (way and _both_percent(unit, own)))
        )


def _percentages(
    quantity: Quantity, group: _Group, directed: int, certain: bool
) -> Iterator[tuple[Decimal, str, tuple[Fact, ...]]]:
    for a, b in group.pairs():
        if not _number(a):
            continue
        change = (_number(b) - _number(a)) / abs(_number(a)) * 100
        if certain and quantity.value > 0 and change * directed < 0:
            continue
        said = change if quantity.value < 0 else abs(change)
        if not certain and quantity.value > 0 and change < 0:
            continue
        yield said, f"({_of(b)} − {_of(a)}) ÷ {_of(a)}", (b, a)
    for a, b in group.pairs():
        if _number(a) and not certain and group.is_whole([a]):
            yield _number(b) / _number(a) * 100, _formula(b, "÷", a), (b, a)


def _linear(
    group: _Group, own: Unit | None, target: Unit | None, directed: int, *, certain: bool
) -> Iterator[tuple[re.Pattern[str], tuple[Decimal, str, tuple[Fact, ...]]]]:
    """Sum, mean and differences of a group, each with the words that call it so."""

    def written(value: Decimal) -> Decimal:
        if own is None or target is None or own == target:
            return value
        return convert(value, own, target)

    total = sum((_number(fact) for fact in group.facts), Decimal(0))
    joined, size = " + ".join(_of(fact) for fact in group.facts), len(group.facts)
    if group.adds_up:
        yield SUM, (written(total), joined, tuple(group.facts))
        yield MEAN, (written(total / size), f"({joined}) ÷ {size}", tuple(group.facts))
    for a, b in group.pairs():
        difference = _number(b) - _number(a)
        if certain and difference * directed < 0:
            continue
        value = abs(difference) if certain else difference
        yield DIFFERENCE, (written(value), _formula(b, "−", a), (b, a))


def _both_percent(unit: Unit | None, own: Unit | None) -> bool:
    """Whether percents of percents are spoken of: what grows by 0.3 % grows by no 0.3 points."""
    return unit is not None and own is not None and unit.symbol == own.symbol == "%"


def _number(fact: Fact) -> Decimal:
    return fact.number if fact.number is not None else Decimal(0)


def _of(fact: Fact) -> str:
    return f"{fact.said} ({fact.about})"


def _formula(a: Fact, sign: str, b: Fact) -> str:
    return f"{_of(a)} {sign} {_of(b)}"


def count_of(quantity: Quantity, groups: Iterable[frozenset[str]]) -> frozenset[str] | None:
    """The set of entities that is as large as a bare number says, or None."""
    if quantity.unit is not None or quantity.decimals or quantity.scale != 1:
        return None
    return next((group for group in groups if group and len(group) == quantity.value), None)


def possible(quantity: Quantity, facts: Facts) -> str | None:
    """A computation over any two recorded values that gives what is written, as text, or None.

    It proves nothing: of twenty numbers some pair gives almost any figure.
    """
    if not quantity.value or abs(quantity.value) < 2:
        return None
    value = abs(quantity.value)
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    if unit is not None and unit.symbol in ("%", "×"):
        factor = value / 100 if unit.symbol == "%" else value
        return _possible_ratio(quantity, facts, factor)
    numbers = facts.by_dimension.get(unit.dimension if unit else "")
    if numbers is None:
        return None
    base = unit.to_base(value) if unit and not unit.offset else value
    for a, fact in list(zip(numbers.keys, numbers.facts, strict=True))[:_MOST_PROBES]:
        for wanted, sign in ((a - base, "−"), (base - a, "+")):
            place = bisect_left(numbers.keys, wanted)
            if place < len(numbers.keys) and numbers.keys[place] == wanted:
                other = numbers.facts[place]
                if other is not fact and (wanted or sign == "−"):
                    return _formula(fact, sign, other)
    return None


def _possible_ratio(quantity: Quantity, facts: Facts, factor: Decimal) -> str | None:
    half = quantity.step / 200 if quantity.percent else quantity.step / 2
    probes = 0
    for numbers in facts.by_dimension.values():
        for a, fact in zip(numbers.keys, numbers.facts, strict=True):
            if a <= 0:
                continue
            for low, sign in ((factor, "÷"), (1 + factor, "÷"), (1 - factor, "÷")):
                probes += 1
                if probes > _MOST_PROBES * 3:
                    return None
                place = bisect_left(numbers.keys, a * (low - half))
                if place < len(numbers.keys) and numbers.keys[place] <= a * (low + half):
                    other = numbers.facts[place]
                    if other is not fact:
                        return _formula(other, sign, fact)
    return None
