"""Whether a written quantity says the same as a recorded number: exactly, converted or rounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Literal, NamedTuple

from groundwire.errors import InputError
from groundwire.evidence.claims.fact_index import ASSETS, Fact, Facts
from groundwire.evidence.claims.words import words_of
from groundwire.language.glossary import is_called
from groundwire.quantities import Quantity, Unit, convert, resolve_unit, sign_currencies
from groundwire.vocabulary.fold import fold_word

NEAR = Decimal("0.05")
"""No rounding that a reader accepts is farther off than this share of the value."""

_CLOSE = Decimal("0.01")
# How far a percentage below one may be off that is given to one place.
_TO_A_PLACE = Decimal("0.15")
# A number in a scale that ends in zeros may be off by this share: "4700万" for 47,008,111.
_HARDLY_OFF = Decimal("0.001")
_PLACES = 2
_TIMES = "×"
# How many percentage points "about a third" may be off.
_ABOUT_A_FRACTION = 4
# "About 148,894,500" tells seven digits: nobody rounds to so many, so its zeros are digits too.
_FINEST = 4
_PLAIN_COUNT = 100_000
_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 4, 6, 8, 9, 12))

_PEOPLE = frozenset(
    words_of("people person inhabitant resident citizen einwohner mensch menschen personen 人 人口")
)

How = Literal["exact", "rounded"]


class Fit(NamedTuple):
    """A recorded number that a written quantity agrees with.

    Attributes:
        fact: the recorded number.
        how: exactly, or rounded.
        note: what a reader must know: rounding, conversion, a unit that was left out; or "".
    """

    fact: Fact
    how: How
    note: str


_POINTS = "pp"
PER = "without its divisor, recorded in"
"""How the note of a quotient begins that is told in the unit of what is divided."""


def find_fits(quantity: Quantity, facts: Facts, *, falls: bool) -> list[Fit]:
    """Find the recorded numbers that a quantity agrees with, the exact ones first.

    Args:
        quantity: as it is written.
        facts: the recorded numbers.
        falls: whether the sentence speaks of a decrease or loss, so that a positive number may
            stand for a recorded negative one.
    """
    fits = _fits(quantity, quantity.value, facts)
    if falls and quantity.value > 0:
        fits += _fits(quantity, -quantity.value, facts)
    fits.sort(key=lambda fit: (fit.how != "exact", fit.note != ""))
    return fits


def _fits(quantity: Quantity, value: Decimal, facts: Facts) -> list[Fit]:
    fits: list[Fit] = []
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    units = [unit] if unit else []
    units += [u for code in sign_currencies(quantity.unit_text)[1:] if (u := resolve_unit(code))]
    for candidate in units:
        for fact in _near(facts, candidate, value, quantity):
            fit = _compare(quantity, value, fact, candidate)
            if fit is not None:
                fits.append(fit)
    if unit is None:
        low, high = _window(value, quantity)
        for fact in facts.by_number.between(low, high):
            if _may_leave_out(quantity, fact):
                fit = _compare(quantity, value, fact, None)
                if fit is not None:
                    fits.append(fit)
    elif unit.symbol != "%":
        fits += _fits_per(quantity, value, facts, unit)
    return fits


def _near(facts: Facts, unit: Unit, value: Decimal, quantity: Quantity) -> list[Fact]:
    numbers = facts.by_dimension.get(unit.dimension)
    if numbers is None:
        return []
    low, high = _window(value, quantity)
    return numbers.between(unit.to_base(low), unit.to_base(high))


def _window(value: Decimal, quantity: Quantity) -> tuple[Decimal, Decimal]:
    """Bounds outside of which nothing can agree, however it is rounded."""
    reach = max(abs(value) * NEAR * 2, _written_step(quantity))
    return value - reach, value + reach


def _fits_per(quantity: Quantity, value: Decimal, facts: Facts, unit: Unit) -> list[Fit]:
    """Quotients told without their divisor, which their name says: "GDP per capita: 46,749 USD"."""
    low, high = _window(value, quantity)
    fits: list[Fit] = []
    for fact in facts.by_number.between(low, high):
        told, per, _ = (fact.value.unit or "").partition("/")
        if fact.number is None or fact.unit is not None or not per or resolve_unit(told) != unit:
            continue
        how = agrees(quantity, value, fact.number, count=False)
        if how is not None:
            fits.append(Fit(fact, how, f"{PER} {fact.value.unit}"))
    return fits


def _may_leave_out(quantity: Quantity, fact: Fact) -> bool:
    """Whether a bare number may stand for a fact: its noun must not say something else."""
    unit = fact.value.unit
    if not unit or not quantity.noun or (fact.unit is None and not fact.entities):
        return True  # what a whole answer counts has many names: assets, results, maps
    if unit == ASSETS:
        return True
    noun = set(words_of(quantity.noun))
    named = [one.value for one in (fact, *fact.operands)]
    known = set(words_of(unit)) | {word for one in named for word in words_of(one.name)}
    known |= {word for one in named for label in one.labels for word in words_of(label)}
    if unit == "people":
        known |= _PEOPLE
    known |= {word for entity in (fact.value.entity,) if entity for word in words_of(entity)}
    noun |= {fold_word(quantity.noun)}
    return bool(noun & known) or any(is_called(word, frozenset(known)) for word in noun)


def _compare(quantity: Quantity, value: Decimal, fact: Fact, unit: Unit | None) -> Fit | None:
    number = fact.number
    if number is None:
        return None
    notes: list[str] = []
    if unit is not None and fact.unit is not None and unit != fact.unit:
        try:
            number = convert(number, fact.unit, unit)
        except InputError:
            return None
        notes.append(f"converted from {fact.said}")
    if value < 0 < quantity.value and number < 0:
        value, number = -value, -number  # "fell by more than 5 %" bounds how far it fell
    count = fact.unit is None and number == number.to_integral_value()
    how = agrees(quantity, value, number, count=count and abs(number) < _PLAIN_COUNT)
    if how is None:
        return None
    if unit is None and fact.unit is not None:
        notes.append(f"unit not stated, recorded in {fact.value.unit}")
    if how == "rounded":
        notes.append(f"{_way(quantity)} {fact.said}")
    return Fit(fact, how, ", ".join(notes))


def _way(quantity: Quantity) -> str:
    if quantity.bound == "over":
        return "given as a lower bound of"
    if quantity.bound in ("under", "nearly"):
        return "given as an upper bound of"
    return "rounded from"


def agrees(quantity: Quantity, value: Decimal, number: Decimal, *, count: bool) -> How | None:
    """Whether a written number says the same as an exact one.

    A reader accepts correct rounding to two digits or more, to one digit where that is off by 1 %
    or less, and to within 5 % after "about", where "2¼" is rounded to quarters. Whole counts below
    100,000 are given exactly unless a word or scale says otherwise. "More than" and "nearly" bind
    to the last written digit.

    Args:
        quantity: as it is written, for its precision.
        value: its value, in the unit of the number.
        number: the exact number.
        count: whether it is a whole count.
    """
    if value == number:
        return "exact"
    off = abs(value - number)
    if quantity.percent and not quantity.unit_text:
        return "rounded" if _is_fraction(quantity.bound, number - value, value) else None
    near = NEAR * 2 if quantity.unit == _TIMES and quantity.bound else NEAR  # "almost three times"
    if quantity.bound == "nearly" and off > abs(number) * near:
        return None
    if quantity.bound in ("over", "under", "nearly"):
        side = number > value if quantity.bound == "over" else number < value
        return "rounded" if side and off < _written_step(quantity) else None
    share = off / abs(number) if number else Decimal(1)
    if (value < 0) != (number < 0):
        return None
    if share > near:
        # A percentage below one is given to places, not to digits: -0.037 % is -0.04 %.
        fine = _is_percentage(quantity) and 0 < abs(number) < 1
        fine = fine and (
            quantity.decimals >= _PLACES or (quantity.decimals > 0 and share <= _TO_A_PLACE)
        )
        return "rounded" if fine and value and off * 2 <= quantity.step else None
    zeros = _zeros(quantity)
    if quantity.bound == "about":
        told = len(str(abs(int(quantity.value / quantity.scale)))) - zeros
        hardly = zeros and quantity.scale != 1 and share <= _HARDLY_OFF
        coarse = zeros >= 3 or told <= _FINEST or hardly
        step = _written_step(quantity) if coarse else quantity.step
        if quantity.parts > 1:
            step = quantity.scale / quantity.parts
        return "rounded" if off * 2 <= step else None
    plain = quantity.scale == 1 and quantity.decimals == 0
    if count and plain:
        return None
    rounds = zeros >= 3 or (zeros and quantity.scale != 1 and share <= _HARDLY_OFF)
    step = _written_step(quantity) if rounds and quantity.significant >= 2 else quantity.step
    if off * 2 > step:
        return None
    written = quantity.significant if not plain or zeros >= 3 else len(str(abs(int(value))))
    near = NEAR if quantity.unit == _TIMES else _CLOSE
    if _is_percentage(quantity) and quantity.decimals and abs(number) < 1:
        near = NEAR  # 0.87 % is 0.9 %
    return "rounded" if written >= 2 or share <= near else None


def _is_percentage(quantity: Quantity) -> bool:
    return quantity.percent or quantity.unit == _POINTS


def _is_fraction(bound: str | None, above: Decimal, value: Decimal) -> bool:
    """Whether a percentage is told by a fraction that it lies so far above: "a third" for 34 %."""
    if bound in ("over", "under"):
        return (above > 0) == (bound == "over")
    if bound == "nearly":
        return -value * NEAR * 2 <= above < 0
    return abs(above) <= (_ABOUT_A_FRACTION if bound == "about" else 1)


def _zeros(quantity: Quantity) -> int:
    """Zeros at the end of a whole number as it is written."""
    if quantity.decimals or not quantity.value:
        return 0
    digits = str(int(abs(quantity.value) / quantity.scale)) if quantity.scale else "0"
    return len(digits) - len(digits.rstrip("0"))


def _written_step(quantity: Quantity) -> Decimal:
    """Worth of the last digit that is not a closing zero: 100 for "400"."""
    return quantity.step.scaleb(_zeros(quantity))


def keeps_bound(quantity: Quantity, facts: Sequence[Fact], *, falls: bool = False) -> bool:
    """Whether values lie on the side that a bound says, however far: 2.5 million are over 1.

    Args:
        quantity: as it is written.
        facts: the recorded values.
        falls: whether the sentence speaks of how far something fell, or was lost.
    """
    if quantity.bound not in ("over", "under") or not facts:
        return False
    if quantity.unit is None and 0 < quantity.value < 1 and any(fact.unit for fact in facts):
        return False  # "more than two thirds of the revenue"
    unit = resolve_unit(quantity.unit) if quantity.unit else None
    if any(fact.number is None or (unit is not None and fact.unit != unit) for fact in facts):
        return False
    numbers = [fact.number for fact in facts if fact.number is not None]
    if any(number < 0 for number in numbers) and quantity.value > 0:
        if not falls:
            return False
        numbers = [-number for number in numbers]
    over = quantity.bound == "over"
    return all(one > quantity.value if over else one < quantity.value for one in numbers)


def agrees_scaled(quantity: Quantity, number: Decimal) -> bool:
    """Whether a figure of a table is a number, in the unit or scale that its head may have."""
    if quantity.percent:
        return False
    scaled = (
        replace(quantity, value=quantity.value * scale, scale=quantity.scale * scale)
        for scale in _SCALES
    )
    return any(agrees(one, one.value, number, count=False) is not None for one in scaled)
