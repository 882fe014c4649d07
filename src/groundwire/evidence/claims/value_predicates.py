"""Predicates on recorded values: above a figure, more than another, second, grown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from groundwire.errors import InputError
from groundwire.evidence.claims.degree_bounds import fits_degree
from groundwire.evidence.claims.rounding import agrees
from groundwire.evidence.claims.value_tables import Table
from groundwire.quantities import Quantity, convert, resolve_unit

# From a share to what it is called where nothing softens it, at most.
_EXACT = Decimal("0.005")
_NO_CHANGE = Decimal("0.01")  # a change as small as this may be called none
_HALF, _OVER_A_FRACTION, _ABOUT_A_FRACTION = Decimal("0.5"), Decimal("0.3"), Decimal("0.04")
_NEAR, _ABOUT, _FAR_BEYOND = Decimal("0.05"), Decimal("0.15"), Decimal("0.3")
# Who is not near another has no more than this share of what that one has.
_NEAR_SHARE = Decimal("0.75")
_PERCENT = "%"
BOTH = 2
"""The number of things that "both" means."""
# A bound that lies so many times above a value tells nothing of it.
_FAR_OFF = 20


@dataclass(frozen=True, slots=True)
class Row:
    """Where a predicate is judged.

    Attributes:
        table: the values of one period.
        before: those of the period that they are compared with, or None.
        closed: whether the table has all things that are meant.
        asked: whether it has all that were asked about.
    """

    table: Table
    before: Table | None
    closed: bool
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Predicate:
    """One thing that a clause says of its subject.

    Attributes:
        kind: value, share, more, less, gap, as, factor, place, rise, fall or same; "began" for the
            value of the period before, "of" for a figure of `things`.
        things: what the subject is compared with.
        summed: whether these count together.
        rest: whether it is compared with all others; how many those are, or -1 where nothing says.
        figure: a value, a difference or a change.
        factor: how many times as much, exactly or as a figure.
        degree: slight, narrow, clear, sharp or far.
        place: the place in the order, from the greatest; negative from the smallest.
        of_all: whether it is called so, not only counted: the largest, where "first" counts.
        denied: whether the clause denies it.
        stays: whether it held in the period before as well.
        moved: rise or fall, where changes are compared.
        growth: whether these are compared by rate or by amount.
        in_order: whether it names what it is ahead of from the greatest on.
        among: of how many that are first, or last, it is said to be one.
        better: whether it says so of a value of which more is better.
        either: whether it may compare with the time before as well: "A has more".
    """

    kind: str
    things: tuple[str, ...] = ()
    summed: bool = False
    rest: int = 0
    figure: Quantity | None = None
    factor: Decimal = Decimal(0)
    degree: str = ""
    place: int = 0
    of_all: bool = False
    denied: bool = False
    stays: bool = False
    moved: str = ""
    growth: str = ""
    in_order: bool = False
    among: int = 0
    better: bool = False
    either: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether it compares with nothing that it names: "it sold less"."""
        compares = self.kind in ("more", "less", "factor", "gap")
        return compares and not (self.things or self.rest or self.growth)

    @property
    def is_weak(self) -> bool:
        """Whether it may be said only where it is denied: "as large as" says no more than that."""
        return self.kind in ("as", "near") and not self.denied

    @property
    def compares_values(self) -> bool:
        """Whether it compares values of things, not how they changed."""
        named = bool(self.things or self.rest) and self.kind != "of"
        return named and not self.growth

    @property
    def without_figure(self) -> Predicate:
        """It without the figure of a change: "only A grew, by 3 %" is of all that grew."""
        bounded = self.figure is not None and self.figure.bound is not None
        moves = self.kind in ("rise", "fall", "more", "less") and not bounded
        return replace(self, figure=None) if moves else self

    @property
    def tells_course(self) -> bool:
        """Whether it tells how a value went, whatever it is a value of."""
        return self.kind in ("rise", "fall") or bool(self.growth)

    @property
    def needs_time(self) -> bool:
        """Whether it tells a figure, which holds at a time: "Germany has 83 million" does not."""
        return self.kind in ("value", "began", "of") and not self.moved

    @property
    def is_change(self) -> bool:
        """Whether it tells a change from the period before."""
        return (
            self.kind in ("rise", "fall", "same", "began")
            or self.stays
            or bool(self.growth or self.moved)
        )

    @property
    def takes_prior(self) -> bool:
        """Whether it compares two periods."""
        compares = self.kind in ("more", "less", "factor") and not self.things and not self.rest
        return compares or self.is_change

    @property
    def is_upper(self) -> bool:
        """Whether it holds of every greater value, if of one."""
        over = self.kind == "value" and self.figure is not None and self.figure.bound == "over"
        return (over or (self.kind == "more" and not self.takes_prior)) and not self.denied

    def holds(self, things: tuple[str, ...], row: Row) -> bool | None:
        """Whether it holds of things, taken together where they are several; None if unknown."""
        outcome = self._holds(things, row)
        if self.better and not row.table.measure.is_gain:
            return None  # the highest rent is not the best
        if self.stays and outcome:
            if row.before is None:
                outcome = None
            elif self.kind == "value":  # "it still had 384" tells that it had more before
                outcome = replace(self, kind="fall", figure=None)._holds(things, row)
            else:
                outcome = self._holds(things, replace(row, table=row.before, before=None))
        tells = self.figure is not None and self.figure.bound in (None, "about")
        if self.denied and tells and outcome is False:
            return None  # "not about 183 lower" does not say how much it is
        return None if outcome is None else outcome != self.denied

    def _holds(self, things: tuple[str, ...], row: Row) -> bool | None:
        values = row.table.values
        own = sum((values[one] for one in things), Decimal(0))
        unit = row.table.measure.unit
        if self.kind in ("of", "began"):
            return self._is_elsewhere(things, row)
        if self.kind == "share":
            return self._is_share(own, row)
        if self.kind == "value":
            if self.figure is not None and self.figure.unit == _PERCENT != unit:
                return self._is_share(own, row)
            if self.figure is not None and self.figure.unit and unit is None:
                return None  # a table without units tells no kilometres
            if self.figure is None or not says(self.figure, own, unit):
                return False
            return not self.degree or _lies_beside(self.figure, own, unit, self.degree)
        if self.kind == "place":
            return self._has_place(things, row) if len(things) == 1 else None
        if self.kind in ("rise", "fall") and self.place:
            return self._moves_most(things, row)
        if self.growth:
            return self._outgrows(things, row)
        if self.kind in ("rise", "fall") or not (self.things or self.rest):
            if row.before is None:
                return None
            return self._compares(
                own, sum((row.before.values[o] for o in things), Decimal(0)), unit
            )
        return self._against_others(things, own, row)

    def _is_elsewhere(self, things: tuple[str, ...], row: Row) -> bool | None:
        """Whether its figure is the value of the things that it names, or of the period before."""
        value = replace(self, kind=self.moved or "value", things=(), moved="")
        if self.kind == "of":
            return value._holds(self.things, row)
        return None if row.before is None else value._holds(things, Row(row.before, None, False))

    def _is_share(self, own: Decimal, row: Row) -> bool | None:
        """Whether a value is such a part of all values together, where the table has all."""
        whole = sum(row.table.values.values(), Decimal(0)) if row.closed else Decimal(0)
        if whole <= 0:
            return None
        if self.figure is not None:
            return says(self.figure, own / whole * 100, _PERCENT)
        gap = own / whole - self.factor
        if self.degree in ("more", "less"):
            near = self.factor == _HALF or abs(gap) <= self.factor * _OVER_A_FRACTION
            return near and gap != 0 and (gap > 0) == (self.degree == "more")
        if self.degree == "near":  # "nearly half" is less than half
            return -self.factor * _ABOUT <= gap < 0
        near = _ABOUT_A_FRACTION if self.degree == "about" else min(1 / whole / 2, _EXACT)
        return abs(gap) <= near

    def _against_others(self, things: tuple[str, ...], own: Decimal, row: Row) -> bool | None:
        """Whether it holds against the things that it names, or against all others."""
        values, unit = row.table.values, row.table.measure.unit
        others: Sequence[str] = self.things
        if self.rest:
            others = [one for one in values if one not in things]
            if self.rest != len(others) and (self.rest > 0 or not row.closed):
                return None
        if not others or set(things) & set(others):
            return None
        if self.degree == "next_to":
            return self._is_next(things, row)
        if self.summed:
            return self._compares(own, sum((values[o] for o in others), Decimal(0)), unit)
        if len(things) > 1 and len(others) > 1:
            return None
        if self.in_order and sorted(others, key=lambda one: -values[one]) != list(others):
            return False
        return all(self._compares(own, values[one], unit) for one in others)

    def _has_place(self, things: tuple[str, ...], row: Row) -> bool | None:
        if self.degree == "middle":
            order = sorted(row.table.values.values())
            own, middle = row.table.values[things[0]], order[len(order) // BOTH]
            listed = row.closed or row.asked or row.table.falls
            is_one = len(order) % BOTH == 1 and order.count(middle) == 1
            return own == middle if listed and is_one else None
        falls = row.table.falls and not (self.of_all and row.table.is_part)
        of_two = self.place < 0 and len(row.table.values) == BOTH  # the last of more is meant
        closed = row.closed or (row.asked and not (self.of_all or of_two))
        order = sorted(row.table.values.values(), reverse=self.place > 0)
        place = abs(self.place)
        own = row.table.values[things[0]]
        if self.among:
            last = order.index(own) + order.count(own)
            if last > self.among:
                return False
            are_first = self.place > 0 and falls
            told = closed or are_first
            return True if told and (are_first or len(order) > self.among) else None
        if order.index(own) >= place:
            return False  # whatever else there may be, so many stand before it
        if not closed and (self.place < 0 or not falls):
            return None
        if place > len(order) or len(order) < 2:
            return None
        if order[place - 1] != own or order.count(own) != 1:
            return False
        return not self.degree or (place == 1 and fits_degree(self.degree, order[0], order[1]))

    def _outgrows(self, things: tuple[str, ...], row: Row) -> bool | None:
        """Whether what a thing changed by is more than what the others did, both the same way."""
        if row.before is None or len(things) != 1 or not self.things or self.summed:
            return None
        changes: list[Decimal] = []
        for one in (*things, *self.things):
            new, old = row.table.values[one], row.before.values[one]
            change = (new - old) * (1 if self.moved == "rise" else -1)
            if change <= 0 or old <= 0:
                return False
            changes.append(change / old if self.growth == "rate" else change)
        own, *others = changes
        if not all(fits_degree(self.degree, own, one) for one in others):
            return False
        if self.kind == "factor":
            return all(self._compares(own, one, None) for one in others)
        return all((own > one) if self.kind == "more" else (own < one) for one in others)

    def _moves_most(self, things: tuple[str, ...], row: Row) -> bool | None:
        """Whether a thing changed most, or least, of all that went its way.

        Where nothing says whether the rate or the amount counts, both must have it so.
        """
        if row.before is None or len(things) != 1:
            return None
        way = 1 if self.kind == "rise" else -1
        pairs = {one: (own, row.before.values[one]) for one, own in row.table.values.items()}
        if len(pairs) < 2 or any(old <= 0 for _, old in pairs.values()):
            return None
        by_rate = {one: (new / old - 1) * way for one, (new, old) in pairs.items()}
        by_amount = {one: (new - old) * way for one, (new, old) in pairs.items()}
        rate = self.growth == "rate" or (self.figure is not None and self.figure.unit == _PERCENT)
        held: list[bool] = []
        for changes in (by_rate,) if rate else (by_rate, by_amount):
            moved = sorted(one for one in changes.values() if one > 0)
            own = changes[things[0]]
            at = -self.place if self.place > 0 else -self.place - 1
            is_end = own > 0 and abs(self.place) <= len(moved) and own == moved[at]
            held.append(is_end and moved.count(own) == 1)
        if not (row.closed or row.asked):
            return None if any(held) else False
        if not all(held):
            return False
        new, old = pairs[things[0]]
        return self.figure is None or replace(self, place=0, growth="")._compares(
            new, old, row.table.measure.unit
        )

    def _is_next(self, things: tuple[str, ...], row: Row) -> bool | None:
        """Whether a thing stands right before or behind another in the order by value."""
        if len(things) != 1 or len(self.things) != 1 or not (row.closed or row.table.falls):
            return None
        order = sorted(row.table.values.values(), reverse=True)
        own, other = row.table.values[things[0]], row.table.values[self.things[0]]
        step = order.index(own) - order.index(other)
        return order.count(own) == order.count(other) == 1 and step == (
            1 if self.kind == "less" else -1
        )

    def _compares(self, own: Decimal, other: Decimal, unit: str | None) -> bool:
        if self.kind in ("as", "near"):
            return own >= other * (_NEAR_SHARE if self.kind == "near" else 1)
        if self.kind == "factor":
            if other <= 0 or own <= 0:
                return False
            if self.figure is not None:
                return agrees(self.figure, self.figure.value, own / other, count=False) is not None
            if self.degree in ("more", "less"):
                return (own / other > self.factor) == (self.degree == "more")
            near = _ABOUT if self.degree == "about" else _NEAR
            return abs(own / other - self.factor) <= self.factor * near
        if self.kind == "same":
            return abs(own - other) <= abs(other) * _NO_CHANGE
        up = self.kind in ("more", "rise")
        if (self.kind != "gap" and (own > other) != up) or own == other:
            return False
        over_time = self.kind in ("rise", "fall") or self.is_bare
        if not fits_degree(self.degree, own, other, over_time=over_time):
            return False
        if self.figure is None:
            return True
        gap = abs(own - other)
        if self.kind == "fall" and self.figure.value < 0:
            gap = -gap  # "the steepest decline (-5.4%)"
        if self.figure.unit == _PERCENT and unit != _PERCENT:
            return other > 0 and says(self.figure, gap / other * 100, _PERCENT)
        return self.figure.unit != _PERCENT and says(self.figure, gap, unit)


def says(quantity: Quantity, number: Decimal, unit: str | None) -> bool:
    """Whether a figure with its bound says a recorded number."""
    if quantity.unit is not None:
        held = resolve_unit(
            (unit or "").partition("/")[0]
        )  # dollars per person are told as dollars
        written = resolve_unit(quantity.unit)
        if written is None or held is None:
            return False
        try:
            number = convert(number, held, written)
        except InputError:
            return False
    elif unit == _PERCENT:
        return False
    if abs(quantity.value) > abs(number) * _FAR_OFF:
        return False  # of 20 million it is no news that they are fewer than a billion
    if quantity.bound == "over":
        return number > quantity.value
    if quantity.bound == "under":
        return number < quantity.value
    return agrees(quantity, quantity.value, number, count=False) is not None


def _lies_beside(quantity: Quantity, number: Decimal, unit: str | None, degree: str) -> bool:
    """Whether a recorded number lies as near to the figure that bounds it as a degree says."""
    if degree in ("clear", "far"):  # "well over 5 million"
        way = {"over": 1, "under": -1}.get(quantity.bound or "", 0)
        least = quantity.value * (1 + way * (_NEAR if degree == "clear" else _FAR_BEYOND))
        return bool(way) and says(replace(quantity, value=least), number, unit)
    ends = (quantity.value * (1 - _NEAR), quantity.value * (1 + _NEAR))
    low, high = (replace(quantity, value=end, bound=bound)
                 for end, bound in zip(ends, ("over", "under"), strict=True))  # fmt: skip
    return says(low, number, unit) and says(high, number, unit)
