"""The recorded plans of each trip side by side, and what a sentence may tell of some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import permutations

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge

_OPTION = "plan "
_OF_PLANS = ("duration", "interchanges", "stops ridden")
_MOST_MEMBERS = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """One recorded way to make a trip.

    Attributes:
        number: its number from 1.
        minutes: how long it takes.
        changes: how often one changes, or None where it is not recorded.
        stops: how many stops one rides, or None where it is not recorded.
        lines: its lines in order, in lower case and without "line".
        is_complete: whether no other line serves its legs as well.
        fact: the record of its length.
    """

    number: int
    minutes: Decimal
    changes: Decimal | None
    stops: Decimal | None
    lines: tuple[str, ...]
    is_complete: bool
    fact: Fact


@dataclass(frozen=True, slots=True)
class Trip:
    """The recorded plans of a trip.

    Attributes:
        name: what it is called.
        ends: where it begins and ends, in lower case.
        plans: its plans by their number.
        is_complete: whether these are all that there are.
    """

    name: str
    ends: tuple[str, ...]
    plans: tuple[Plan, ...]
    is_complete: bool

    def fastest(self) -> list[Plan]:
        """Return the plans that take the least time."""
        least = min(plan.minutes for plan in self.plans)
        return [plan for plan in self.plans if plan.minutes == least]

    def slowest(self) -> list[Plan]:
        """Return the plans that take the most time."""
        most = max(plan.minutes for plan in self.plans)
        return [plan for plan in self.plans if plan.minutes == most]


@dataclass(slots=True)
class Told:
    """All that is told of one plan, or of each of several.

    Attributes:
        minutes: how long it takes, or None.
        changes: how often one changes, or None.
        stops: how many stops one rides, or None.
        lines: lines that it goes by.
        first: the line that it begins with.
        last: the line that it ends with.
        without: lines that it does not go by.
    """

    minutes: Decimal | None = None
    changes: Decimal | None = None
    stops: Decimal | None = None
    lines: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def is_so(self, plan: Plan) -> bool:
        """Whether a plan has all of it; its lines in that order."""
        rest = iter(plan.lines)
        return (
            self.minutes in (None, plan.minutes)
            and self.changes in (None, plan.changes)
            and self.stops in (None, plan.stops)
            and all(line in rest for line in self.lines)
            and plan.lines[: len(self.first)] == self.first
            and plan.lines[len(plan.lines) - len(self.last) :] == self.last
            and not set(self.without) & set(plan.lines)
        )


@dataclass(slots=True)
class Plans:
    """The plans that a sentence refers to at one place, and what it tells of them.

    Attributes:
        plans: those that may be meant.
        each: whether it speaks of each of them, and not of one that is called so.
        told: what is said of them; several where each has its own.
        count: whether it says of how many of all plans what follows is so.
    """

    plans: list[Plan]
    each: bool = False
    told: list[Told] = field(default_factory=lambda: [Told()])
    count: int = 0

    def hold(self, trip: Trip) -> bool | None:
        """Whether what is told is so; None where it cannot be told of these plans."""
        if self.count:
            if len(self.told) > 1:
                return None
            return self.count == sum(map(self.told[0].is_so, trip.plans))
        if not self.each:
            return any(map(self.told[0].is_so, self.plans)) if len(self.told) == 1 else None
        if len(self.told) == 1:
            return all(map(self.told[0].is_so, self.plans))
        if len(self.told) != len(self.plans) or len(self.told) > _MOST_MEMBERS:
            return None
        return any(
            all(told.is_so(plan) for told, plan in zip(self.told, order, strict=True))
            for order in permutations(self.plans)
        )


@dataclass(slots=True)
class Compared:
    """That some plans take longer or less than others, by so much."""

    subject: Plans
    way: int
    by: Decimal | None
    base: Plans | None = None

    def holds(self, default: Sequence[Plan]) -> bool:
        """Whether it is so, of other plans where it names none."""
        others = self.base.plans if self.base else default
        if not others or any(one in self.subject.plans for one in others):
            return False
        gaps = [
            (one.minutes - other.minutes) * self.way
            for one in self.subject.plans
            for other in others
        ]
        return all(gap > 0 and self.by in (None, gap) for gap in gaps)


def trips_of(known: Knowledge) -> Sequence[Trip]:
    """Return every trip that has several recorded plans, none where answers disagree on one."""
    lines, complete = _lines(known)
    of: dict[str, dict[str, dict[int, list[Fact]]]] = {}
    ends: dict[str, dict[str, str]] = {}
    others: dict[str, set[Decimal]] = {}
    for fact in known.facts.all:
        item, name = fact.value.item, fact.value.name
        if item is None or item.pieces:
            continue
        if name in ("start of the journey", "end of the journey"):
            ends.setdefault(item.names[0], {})[name] = fact.value.value.casefold()
        if name == "other plans" and fact.number is not None:
            others.setdefault(item.names[0], set()).add(fact.number)
        for number in item.options if name in _OF_PLANS else ():
            of.setdefault(item.names[0], {}).setdefault(name, {}).setdefault(number, []).append(
                fact
            )
    found: list[Trip] = []
    for trip, values in of.items():
        lengths = {n: _whole(facts) for n, facts in values.get("duration", {}).items()}
        counts = [values.get(name, {}) for name in _OF_PLANS[1:]]
        own = ends.get(trip, {})
        every = (*lengths.values(), *(facts for one in counts for facts in one.values()))
        if len(lengths) < 2 or not all(map(_agree, every)):
            continue
        plans = [
            _plan(
                number,
                lengths[number],
                [next((one.number for one in some.get(number, ())), None) for some in counts],
                lines.get((trip, number)),
                (trip, number) in complete,
            )
            for number in sorted(lengths)
        ]
        if None in plans or len(own) < 2:
            continue
        told = tuple(plan for plan in plans if plan is not None)
        both = (own["start of the journey"], own["end of the journey"])
        found.append(Trip(trip, both, told, others.get(trip) == {Decimal(len(told) - 1)}))
    return found


def _whole(facts: list[Fact]) -> list[Fact]:
    """Return the longest length that each record gives: "1 h 4 min" is recorded with its pieces."""
    longest: dict[str, Fact] = {}
    for fact in facts:
        held = longest.get(fact.evidence_id)
        if fact.value.unit == "min" and (held is None or _number(fact) > _number(held)):
            longest[fact.evidence_id] = fact
    return [*longest.values()]


def _number(fact: Fact) -> Decimal:
    return fact.number if fact.number is not None else Decimal(0)


def _agree(facts: list[Fact]) -> bool:
    return len({fact.number for fact in facts}) == 1


def _plan(
    number: int,
    lengths: list[Fact],
    counts: Sequence[Decimal | None],
    lines: tuple[str, ...] | None,
    is_complete: bool,
) -> Plan | None:
    if not lengths or not lines:
        return None
    changes, stops = counts
    return Plan(number, _number(lengths[0]), changes, stops, lines, is_complete, lengths[0])


def _lines(
    known: Knowledge,
) -> tuple[dict[tuple[str, int], tuple[str, ...]], set[tuple[str, int]]]:
    """Return the lines of each plan in order, by trip and number, and where these are all.

    There are none where records differ.
    """
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    complete: set[tuple[str, int]] = set()
    for number in known.by_kind.get("order", ()):
        one = known.statements[number].statement
        option = one.subject[0].removeprefix(_OPTION) if one.subject else ""
        if "line" in one.predicate and option.isdecimal():
            trip = next(iter(one.subject[2:]), "")
            own = tuple(
                min(name.casefold().removesuffix(" line") for name in line) for line in one.objects
            )
            key = (trip, int(option))
            found[key] = own if found.get(key, own) == own else ()
            complete |= {key} if one.complete == "all_listed" else set()
    return found, complete
