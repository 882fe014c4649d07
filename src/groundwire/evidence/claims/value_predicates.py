"""Predicates on recorded values: above a figure, more than another, second, grown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from groundwire.errors import InputError
from groundwire.evidence.claims.rounding import agrees
from groundwire.evidence.claims.value_tables import Table
from groundwire.evidence.claims.value_words import Token
from groundwire.quantities import Quantity, convert, resolve_unit

# "Slightly more" allows this share of the greater value, "far more" begins at this multiple.
_SLIGHT, _FAR = Decimal("0.15"), Decimal("1.5")
_DEGREES = ("slight", "far", "size")
_FACTORS = {"double": Decimal(2), "half": Decimal("0.5")}
_NEAR, _ABOUT = Decimal("0.05"), Decimal("0.15")
# "Half that of B", "half of B's"
_OWNERS = (["that"], ["thing"])
# Who is not near another has no more than this share of what that one has.
_NEAR_SHARE = Decimal("0.75")
_PERCENT = "%"
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
        kind: value, more, less, as, factor, place, rise or fall; "of" for a figure of `things`.
        things: what the subject is compared with.
        summed: whether these count together.
        rest: whether it is compared with all others; how many those are, or -1 where nothing says.
        figure: a value, a difference or a change.
        factor: how many times as much, exactly or as a figure.
        degree: slight or far.
        place: the place in the order, from the greatest; negative from the smallest.
        of_all: whether it is called so, not only counted: the largest, where "first" counts.
        denied: whether the clause denies it.
        stays: whether it held in the period before as well.
        moved: rise or fall, where changes are compared.
        growth: whether these are compared by rate or by amount.
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

    @property
    def is_bare(self) -> bool:
        """Whether it compares with nothing that it names: "it sold less"."""
        return self.kind in ("more", "less") and not self.things and not self.rest

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
        return self.kind in ("value", "of")

    @property
    def is_change(self) -> bool:
        """Whether it tells a change from the period before."""
        return self.kind in ("rise", "fall") or self.stays or bool(self.growth)

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
        if self.stays and outcome:
            old = None if row.before is None else replace(row, table=row.before, before=None)
            outcome = None if old is None else self._holds(things, old)
        tells = self.figure is not None and self.figure.bound in (None, "about")
        if self.denied and tells and outcome is False:
            return None  # "not about 183 lower" does not say how much it is
        return None if outcome is None else outcome != self.denied

    def _holds(self, things: tuple[str, ...], row: Row) -> bool | None:
        values = row.table.values
        own = sum((values[one] for one in things), Decimal(0))
        unit = row.table.measure.unit
        if self.kind == "of":
            return self.figure is not None and says(self.figure, values[self.things[0]], unit)
        if self.kind == "value":
            return self.figure is not None and says(self.figure, own, unit)
        if self.kind == "place":
            return self._has_place(things, row) if len(things) == 1 else None
        if self.growth:
            return self._outgrows(things, row)
        if self.kind in ("rise", "fall") or not (self.things or self.rest):
            if row.before is None:
                return None
            return self._compares(
                own, sum((row.before.values[o] for o in things), Decimal(0)), unit
            )
        return self._against_others(things, own, row)

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
        return all(self._compares(own, values[one], unit) for one in others)

    def _has_place(self, things: tuple[str, ...], row: Row) -> bool | None:
        falls = row.table.falls and not (self.of_all and row.table.is_part)
        closed = row.closed or (row.asked and not self.of_all)
        if not closed and (self.place < 0 or not falls):
            return None
        order = sorted(row.table.values.values(), reverse=self.place > 0)
        place = abs(self.place)
        own = row.table.values[things[0]]
        if place > len(order) or len(order) < 2:
            return None
        if order[place - 1] != own or order.count(own) != 1:
            return False
        return self.degree != "far" or (place == 1 and _apart(order[0], order[1]) >= _FAR)

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
        return all((own > one) if self.kind == "more" else (own < one) for one in others)

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
        up = self.kind in ("more", "rise")
        if (own > other) != up or own == other:
            return False
        if self.figure is not None:
            gap = abs(own - other)
            if self.figure.unit == _PERCENT and unit != _PERCENT:
                return other > 0 and says(self.figure, gap / other * 100, _PERCENT)
            return self.figure.unit != _PERCENT and says(self.figure, gap, unit)
        if self.degree == "slight":
            return abs(own - other) <= _SLIGHT * max(abs(own), abs(other))
        return self.degree != "far" or _apart(own, other) >= _FAR


def _apart(one: Decimal, other: Decimal) -> Decimal:
    """Return how many times the smaller of two values the greater is; 0 where one is negative."""
    return max(one, other) / min(one, other) if min(one, other) > 0 else Decimal(0)


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


def predicates_of(tokens: Sequence[Token]) -> Iterator[list[Predicate]]:
    """Yield what the tokens behind a subject may say of it, read in full.

    The figure of "4 million higher than B" is a difference, that of "rent of 4 million was higher
    than B's" a value of the subject.
    """
    for apart in (False, True):
        if (found := _Reader(tokens, apart).read()) and (
            not apart or found != _Reader(tokens, apart=False).read()
        ):
            yield found


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: Sequence[Token], apart: bool) -> None:
        self._tokens = [one for one in tokens if one.kind != "of"]
        self._apart = apart
        self._at: int = 0

    def read(self) -> list[Predicate]:
        found: list[Predicate] = []
        while self._at < len(self._tokens):
            own = self._next()
            if not own:
                return []
            found += own
        moved = any(one.kind in ("rise", "fall") for one in found)
        if moved and any(one.compares_values for one in found):
            return []  # "grew by 6 %, more than B"
        return found

    def _take(self, *kinds: str) -> Token | None:
        """Return the next token where it is of one of some kinds, and go past it."""
        if self._at < len(self._tokens) and self._tokens[self._at].kind in kinds:
            self._at += 1
            return self._tokens[self._at - 1]
        return None

    def _next(self) -> list[Predicate]:
        """Return the next predicates; none where the tokens are not understood."""
        stays = self._take("stay") is not None
        denied = self._take("not") is not None
        degree = self._take(*_DEGREES, "next_to")
        figure = self._take("figure", "number")
        if figure is not None and self._apart and self._is_difference(figure):
            return []
        reads: list[Callable[[], list[Predicate]]] = [lambda: self._multiple(degree, figure)]
        if figure is None or not self._apart:
            reads.append(lambda: self._compared(degree, figure))
        if figure is None:
            reads += [lambda: self._moved(degree), lambda: self._placed(degree)]
        elif degree is None:
            reads.append(lambda: [Predicate("value", figure=figure.quantity)])
        start, own = self._at, list[Predicate]()
        for read in reads:
            self._at = start
            if own := read():
                break
        if own and (denied or stays):
            own = [replace(own[0], denied=denied, stays=stays), *own[1:]]
        return own

    def _is_difference(self, figure: Token) -> bool:
        """Whether a bounded figure is one of a difference: "more than 80 million more than B"."""
        bounded = figure.quantity is not None and figure.quantity.bound in ("over", "under")
        return bounded and [one.kind for one in self._tokens[self._at :][:1]] in (
            ["more"],
            ["less"],
        )

    def _compared(self, degree: Token | None, figure: Token | None) -> list[Predicate]:
        """Read "slightly more than B", "ahead of B", "1.9 million less than a year earlier"."""
        if degree is None and figure is None and self._take("near") is not None:
            return self._with_object(Predicate("near"))
        word = self._take("more", "less", "ahead", "behind")
        if word is None:
            return []
        if degree is not None and degree.kind == "next_to" and word.kind in ("more", "less"):
            return []
        kind = "more" if word.kind in ("more", "ahead") else "less"
        shade = degree.kind.replace("size", "far") if degree is not None else ""
        one = Predicate(kind, figure=figure.quantity if figure else None, degree=shade)
        if word.kind in ("more", "less"):
            if self._take("than_time") is not None:
                return [one]
            if self._take("than") is None:
                return [one]
        return self._with_object(one)

    def _with_object(self, one: Predicate) -> list[Predicate]:
        """Return a comparison with what stands next: "B and C together", "any of the others"."""
        self._take("that")
        if self._take("any", "all") is not None or self._tokens[self._at : self._at + 1]:
            start = self._at
            other = self._take("other")
            number = self._take("number")
            other = other or self._take("other")
            if other is not None:
                self._take("all")  # 其他所有国家
                count = int(number.quantity.value) if number and number.quantity else -1
                return [replace(one, rest=count, summed=self._take("sum") is not None)]
            self._at = start
        things: list[str] = []
        told: list[Predicate] = []
        ended, joined = True, False
        while (thing := self._take("thing")) is not None:
            if len(thing.keys) != 1:
                return []
            things.append(str(next(iter(thing.keys))))
            ended = len(things) == 1 or joined
            joined = False
            if (figure := self._take("figure")) is not None:
                told.append(Predicate("of", (things[-1],), figure=figure.quantity))
            behind = [t.kind for t in self._tokens[self._at : self._at + 3]]
            if behind[:2] == ["and", "thing"] or behind == ["and", "that", "thing"]:
                self._at += behind.index("thing")
                joined = True
        if not things or not ended:
            return []  # "more than B, C less" is of two clauses
        summed = self._take("sum") is not None
        if summed and len(things) < 2:
            return []
        return [replace(one, things=tuple(things), summed=summed), *told]

    def _multiple(self, degree: Token | None, figure: Token | None) -> list[Predicate]:
        """Read "three times as many as B", "half as large as B", "as large as B"."""
        start = self._at
        about = self._take("about")
        bound = self._take("more", "less") if about is None else None
        if bound is not None and self._take("than") is None:
            self._at = start
            return []
        times = self._take("times", "double", "half")
        if degree is not None or figure is not None or ((about or bound) and times is None):
            self._at = start
            return []
        if times is not None and [t.kind for t in self._tokens[self._at :][:1]] in _OWNERS:
            pass
        elif self._take("as") is None or self._take("size") is None or self._take("as") is None:
            self._at = start
            return []
        one = Predicate("as")
        if times is not None:
            factor = _FACTORS.get(times.kind, Decimal(0))
            shade = bound.kind if bound is not None else "about" if about is not None else ""
            one = Predicate("factor", figure=times.quantity, factor=factor, degree=shade)
        return self._with_object(one)

    def _moved(self, degree: Token | None) -> list[Predicate]:
        """Read "rose by 3 %", "fell slightly"."""
        word = self._take("rise", "fall")
        if word is None:
            return []
        pace = self._take("faster", "slower", "more", "less")
        if pace is not None:
            if self._take("than") is None or degree is not None:
                return []
            kind = "more" if pace.kind in ("faster", "more") else "less"
            growth = "rate" if pace.kind in ("faster", "slower") else "amount"
            return self._with_object(Predicate(kind, moved=word.kind, growth=growth))
        degree = degree or self._take("slight", "far")
        reached = self._take("to") is not None
        figure = self._take("figure") if self._take("by") is None or not reached else None
        self._take("than_time")
        if degree is not None and degree.kind == "next_to":
            return []
        shade = degree.kind if degree is not None else ""
        if reached:  # "rose to 40" tells the value, "rose by 40" the change
            level = [Predicate("value", figure=figure.quantity)] if figure else []
            return [Predicate(word.kind, degree=shade), *level] if level else []
        return [Predicate(word.kind, figure=figure.quantity if figure else None, degree=shade)]

    def _placed(self, degree: Token | None) -> list[Predicate]:
        """Read "the second largest", "fifth", "last"."""
        ordinal = self._take("ordinal")
        end = self._take("most", "least", "last", "next")
        if ordinal is None and end is None:
            return []
        place = ordinal.place if ordinal is not None else 2 if end and end.kind == "next" else 1
        if end is not None and end.kind in ("least", "last"):
            place = -place
        shade = degree.kind if degree is not None else ""
        of_all = end is not None and end.kind != "last"
        return (
            [Predicate("place", place=place, of_all=of_all, degree=shade)]
            if shade != "slight"
            else []
        )
