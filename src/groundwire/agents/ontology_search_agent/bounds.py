"""Bounds in a question: comparisons of figures and dates, in any order that people write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.agents.ontology_search_agent.marking import Item
from groundwire.agents.ontology_search_agent.words import INSIDE

_INVERSE = {"gt": "max", "min": "lt", "lt": "min", "max": "gt"}
_FINER = {"better": "lt", "or better": "max"}
_OF_DATES = {"after": "gt", "since": "min", "before": "lt", "until": "max"}
_MOST_SMALL = 20
_UP_TO = ("up to", "bis zu")


@dataclass(frozen=True, slots=True)
class Bound:
    """A range as it was said.

    Attributes:
        sides: by min, max, gt, lt, better or "or better": a figure, or first and last day.
        unit: of the figures, or empty.
        dated: whether it holds dates.
        bare: a figure with no comparison.
        rough: whether the figure is said not to be exact.
        measure: nouns of the adjective that compared ("longer": length, duration), or empty.
    """

    sides: dict[str, str]
    unit: str = ""
    dated: bool = False
    bare: bool = False
    rough: bool = False
    measure: str = ""

    def inverted(self) -> Bound | None:
        """Return the bound that "not" makes of this one, or None where there are two."""
        if len(self.sides) != 1 or self.side_unknown:
            return None
        ((side, value),) = self.sides.items()
        return replace(self, sides={_INVERSE[side]: value})

    def of_years(self) -> Bound | None:
        """Return the bound of a property whose figures are years, or None for less than a year."""
        ends = {side: "-12-31" if side in ("gt", "max") else "-01-01" for side in self.sides}
        if not self.dated or not all(self.sides[one].endswith(end) for one, end in ends.items()):
            return None
        sides = {side: value.split("-")[0] for side, value in self.sides.items()}
        return replace(self, sides=sides, dated=False)

    @property
    def side_unknown(self) -> bool:
        """Whether figures are to be "better", which only the property tells a side of."""
        return not _FINER.keys().isdisjoint(self.sides)

    def finer(self) -> Bound:
        """Return the bound of a property of which a smaller figure is the better one."""
        return replace(self, sides={_FINER.get(side, side): it for side, it in self.sides.items()})

    def complements(self, other: Bound) -> bool:
        """Whether one is a lower and one an upper bound."""
        lower = {"gt", "min"}
        return (set(self.sides) <= lower) != (set(other.sides) <= lower)

    def sent(self) -> dict[str, str | float | int]:
        """The range as `submit_slots` takes it."""
        if self.dated:
            return dict(self.sides)
        if self.unit:
            return {side: f"{value} {self.unit}" for side, value in self.sides.items()}
        return {
            side: float(value) if "." in value else int(value) for side, value in self.sides.items()
        }


def read_bound(
    items: Sequence[Item], start: int, *, dates: bool, figures: bool
) -> tuple[Bound, int] | None:
    """The bound that begins at an item.

    Args:
        items: of the question.
        start: position to begin at; small words before the comparison are passed over.
        dates: whether dates are read, years among them.
        figures: whether figures are read.

    Returns:
        The bound and the position behind it, or None where there is none.
    """
    reader = _Bounds(items, dates=dates, figures=figures)
    return reader.read(start)


def side_behind(items: Sequence[Item], at: int) -> str:
    """The comparison that comes behind a figure: "5 km or more", "5 km at most"; or empty."""
    if at >= len(items):
        return ""
    item = items[at]
    for role, side in (("more", "min"), ("less", "max"), ("better", "or better")):
        if item.does(role):
            return side
    said = item.does("bound")
    if said is None or said.value not in ("min", "max"):
        return ""
    # "at most 5 lanes at least 3 m wide": the second speaks of the figure behind it.
    follows = any(one.number or one.days for one in items[at + 1 : at + 3])
    return "" if follows else said.value


class _Bounds:
    def __init__(self, items: Sequence[Item], *, dates: bool, figures: bool) -> None:
        self.items = items
        self.dates = dates
        self.figures = figures

    def read(self, start: int) -> tuple[Bound, int] | None:
        at = self._past(start)
        if at >= len(self.items):
            return None
        item = self.items[at]
        if item.does("between"):
            return self._pair(at + 1)
        if item.does("from"):
            # German "von" is an "of" as well: "von mindestens 5 km".
            return self._pair(at + 1) or self._since(at) or self.read(at + 1)
        found = self._compared(at)
        if found is None:
            return self._plain(at)
        bound, behind = found
        # "more than 3 and less than 10": a second bound of the other side.
        joint = self._skip(behind, "and", "but")
        more = self._compared(joint) if joint > behind else None
        if more is not None and bound.complements(more[0]):
            unit = more[0].unit or bound.unit
            return replace(bound, sides={**bound.sides, **more[0].sides}, unit=unit), more[1]
        return found

    def _since(self, at: int) -> tuple[Bound, int] | None:
        found = self._one(at, "min") if self.items[at].text.lower() == "from" else None
        if found is None or not found[0].dated:
            return None
        days = self.items[found[1] - 1].days
        if days is not None and days[0] != days[1] and not self._follows_name(at):
            # "maps from 2024" are of that year, "recorded from 2024" of all since.
            return Bound({"min": days[0], "max": days[1]}, dated=True), found[1]
        return found

    def _follows_name(self, at: int) -> bool:
        """Whether a property, or what joins it to its value, stands right before."""
        before = self.items[at - 1] if at else None
        return before is not None and bool(before.named.properties or before.does("copula"))

    def _compared(self, at: int) -> tuple[Bound, int] | None:
        if at >= len(self.items):
            return None
        item = self.items[at]
        said = item.does("bound")
        if said:
            side, _, measure = said.value.partition(" ")
            found = self._one(at, side)
            if found and not (found[0].dated and item.does("in")):
                # "within 2020" is "in 2020"; "within 5 km" is at most as much.
                return replace(found[0], measure=measure), found[1]
        if self.dates:
            dated = item.does("after", "since", "before", "until")
            if dated:
                return self._one(at, _OF_DATES[dated.role])
        return None

    def _one(self, at: int, side: str) -> tuple[Bound, int] | None:
        value = self._value(self._past(at + 1))
        if value is None:
            return None
        item, behind = value
        return self._of(item, side), behind

    def _of(self, item: Item, side: str) -> Bound:
        if self._is_date(item):
            assert item.days is not None
            first, last = item.days
            return Bound({side: last if side in ("gt", "max") else first}, dated=True)
        return Bound({side: item.number}, item.unit)

    def _pair(self, at: int) -> tuple[Bound, int] | None:
        first = self._value(self._past(at))
        if first is None:
            return None
        joint = self._skip(first[1], "and", "to", "until")
        if joint < len(self.items) and self.items[joint].text.lower() in _UP_TO:
            joint += 1
        second = self._value(self._past(joint)) if joint > first[1] else None
        if second is None:
            return None
        return self._between(first[0], second[0]), second[1]

    def _between(self, low: Item, high: Item) -> Bound:
        if self._is_date(low) and self._is_date(high):
            assert low.days is not None and high.days is not None
            return Bound({"min": low.days[0], "max": high.days[1]}, dated=True)
        return Bound({"min": low.number, "max": high.number}, high.unit or low.unit)

    def _plain(self, at: int) -> tuple[Bound, int] | None:
        """A figure with what follows it: "5 or more", "3 to 5", or nothing."""
        if at < len(self.items) and self.items[at].does("in"):
            at = self._past(at + 1)
        value = self._value(at)
        if value is None:
            return None
        item, behind = value
        if side := side_behind(self.items, behind):
            return self._of(item, side), behind + 1
        if behind < len(self.items) and self.items[behind].does("to"):
            second = self._value(self._past(behind + 1))
            if second is not None:
                return self._between(item, second[0]), second[1]
        if self._is_date(item):
            assert item.days is not None
            whole = {"min": item.days[0], "max": item.days[1]}
            return Bound(whole, dated=True, rough=item.rough), behind
        return self._with_verb(item, behind) or (
            Bound({"min": item.number, "max": item.number}, item.unit, bare=True, rough=item.rough),
            behind,
        )

    def _with_verb(self, item: Item, behind: int) -> tuple[Bound, int] | None:
        """A figure whose comparison comes behind it: "die 20 km nicht überschreiten"."""
        place = self._skip(behind, "not")
        verb = self.items[place].does("verb") if place < len(self.items) else None
        if verb is None:
            return None
        bound = self._of(item, verb.value)
        return (bound.inverted() or bound if place > behind else bound), place + 1

    def _value(self, at: int) -> tuple[Item, int] | None:
        if at >= len(self.items):
            return None
        item = self.items[at]
        if self._is_date(item) or (self.figures and item.number):
            return item, at + 1
        return None

    def _is_date(self, item: Item) -> bool:
        return self.dates and item.days is not None

    def _past(self, at: int) -> int:
        """Past small words that say nothing here; no sentence has many of them in a row."""
        end = min(at + _MOST_SMALL, len(self.items))
        while at < end and self._is_small(self.items[at]):
            at += 1
        return at

    def _is_small(self, item: Item) -> bool:
        if item.does("between", "from", "bound", "after", "before", "since", "until"):
            return False
        return bool(item.functions) and item.text.lower() in INSIDE

    def _skip(self, at: int, *roles: str) -> int:
        if at < len(self.items) and self.items[at].does(*roles):
            return at + 1
        return at
