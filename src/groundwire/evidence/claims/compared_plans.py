"""The recorded plans of each trip side by side, and what a sentence may tell of some of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import permutations

from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.records import Statement

_OPTION = "plan "
# The recorded value of a plan that a sentence tells, by the word for it.
_OF_PLANS = {
    "minutes": "duration",
    "changes": "interchanges",
    "stops": "stops ridden",
    "walking": "walking",
    "departs": "departure",
    "arrives": "arrival",
}
_DAY = 24 * 60
_WISHED = "what was asked for"
_MOST_MEMBERS = 4
Met = Callable[[Collection[Decimal], Collection[Decimal]], bool]
"""Whether plans with some values, among those of all plans, meet a wish."""

WISHES: Mapping[str, tuple[str, Met]] = {
    "wish_direct": ("changes", lambda own, _: not any(own)),
    "wish_few_changes": ("changes", lambda own, every: max(own) == min(every)),
    "wish_no_walk": ("walking", lambda own, _: not any(own)),
    "wish_less_walk": ("walking", lambda own, every: max(own) < max(every)),
    "wish_more_walk": ("walking", lambda own, every: min(own) > min(every)),
    "wish_fast": ("minutes", lambda own, every: max(own) == min(every)),
    "wish_same": ("minutes", lambda own, _: len(set(own)) == 1),
}
"""What somebody may wish of a plan, by the word for it: what of it, and whether that is met."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One recorded way to make a trip.

    Attributes:
        number: its number from 1.
        values: how many minutes it takes, how often one changes, how many stops one rides, how many
            minutes one walks, and the minutes after midnight at which it departs and arrives; those
            that are recorded.
        lines: its lines in order, in lower case and without "line".
        is_complete: whether no other line serves its legs as well.
        fact: the record of its length.
    """

    number: int
    values: Mapping[str, Decimal] = field(hash=False)
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
        avoided: names of the lines that were to be avoided, in lower case.
    """

    name: str
    ends: tuple[str, ...]
    plans: tuple[Plan, ...]
    is_complete: bool
    avoided: tuple[tuple[str, ...], ...] = ()

    def extreme(self, what: str, *, least: bool) -> list[Plan]:
        """Return the plans with the least or the most of something; none where it is not known."""
        values = [plan.values.get(what) for plan in self.plans]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return []
        best = min(known) if least else max(known)
        return [plan for plan in self.plans if plan.values[what] == best]


@dataclass(slots=True)
class Told:
    """All that is told of one plan, or of each of several.

    Attributes:
        values: by what is told, the numbers that it may be: one, or the times that words may mean.
        lines: lines that it goes by.
        first: the line that it begins with.
        last: the line that it ends with.
        without: lines that it does not go by.
    """

    values: dict[str, tuple[Decimal, ...]] = field(default_factory=dict[str, tuple[Decimal, ...]])
    lines: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def is_so(self, plan: Plan) -> bool:
        """Whether a plan has all of it; its lines in that order."""
        rest = iter(plan.lines)
        return (
            all(plan.values.get(what) in told for what, told in self.values.items())
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

    @property
    def meant(self) -> list[Plan]:
        """Those of which all that is told is so, or all where none is."""
        own = [one for one in self.plans if len(self.told) == 1 and self.told[0].is_so(one)]
        return self.plans if self.each and not self.count else own or self.plans

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
    """That some plans have more or less of something than others, by so much.

    Attributes:
        subject: the plans.
        way: 1 for more and later, -1 for less and earlier, 0 where it is not told yet.
        by: how much; several where each of the others has its own, none where it is not told.
        base: the others, where they are named.
        what: what is compared.
        denied: whether it is said not to be so.
    """

    subject: Plans
    way: int
    by: tuple[Decimal, ...] = ()
    base: Plans | None = None
    what: str = "minutes"
    denied: bool = False

    def holds(self, default: Sequence[Plan]) -> bool:
        """Whether it is so, of other plans where it names none."""
        others = self.base.plans if self.base else default
        every = [one.values.get(self.what) for one in (*self.subject.plans, *others)]
        if not others or None in every or any(one in self.subject.plans for one in others):
            return False
        gaps = [
            (one.values[self.what] - other.values[self.what]) * self.way
            for one in self.subject.plans
            for other in others
        ]
        if self.denied:
            return not self.by and all(gap <= 0 for gap in gaps)
        if len(self.by) > 1:
            return sorted(gaps) == sorted(self.by)
        return all(gap > 0 and (not self.by or gap in self.by) for gap in gaps)


def trips_of(known: Knowledge) -> Sequence[Trip]:
    """Return every trip that has recorded plans, none where answers disagree on one."""
    lines, complete = _lines(known)
    avoided = avoided_lines(known)
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
        for number in item.options if name in _OF_PLANS.values() else ():
            of.setdefault(item.names[0], {}).setdefault(name, {}).setdefault(number, []).append(
                fact
            )
    found: list[Trip] = []
    for trip, values in of.items():
        held = {
            what: {number: _whole(what, facts) for number, facts in values.get(name, {}).items()}
            for what, name in _OF_PLANS.items()
        }
        lengths, own = held["minutes"], ends.get(trip, {})
        every = [facts for one in held.values() for facts in one.values()]
        if not lengths or not all(map(_agree, every)):
            continue
        plans = [
            Plan(
                number,
                {what: _number(one[number][0]) for what, one in held.items() if one.get(number)},
                lines[trip, number],
                (trip, number) in complete,
                lengths[number][0],
            )
            for number in sorted(lengths)
            if lengths[number] and lines.get((trip, number))
        ]
        if len(plans) < len(lengths) or len(own) < 2:
            continue
        both = (own["start of the journey"], own["end of the journey"])
        is_complete = others.get(trip) == {Decimal(len(plans) - 1)}
        found.append(Trip(trip, both, tuple(plans), is_complete, avoided.get(trip, ())))
    return found


def _whole(what: str, facts: list[Fact]) -> list[Fact]:
    """Return the longest length that each record gives: "1 h 4 min" is recorded with its pieces."""
    if what not in ("minutes", "walking"):
        return facts
    longest: dict[str, Fact] = {}
    for fact in facts:
        held = longest.get(fact.evidence_id)
        if fact.value.unit == "min" and (held is None or _number(fact) > _number(held)):
            longest[fact.evidence_id] = fact
    return [*longest.values()]


def _number(fact: Fact) -> Decimal:
    """Return the number of a value; of a time, its minutes after midnight."""
    hour, colon, minute = fact.value.value.partition(":")
    if colon and hour.isdecimal() and minute[:2].isdecimal():
        return Decimal((int(hour) * 60 + int(minute[:2])) % _DAY)
    return fact.number if fact.number is not None else Decimal(0)


def _agree(facts: list[Fact]) -> bool:
    return len(set(map(_number, facts))) <= 1


def avoided_lines(known: Knowledge) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Return the lines that were to be avoided by trip, each by its names in lower case."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for number in known.by_kind.get("absence", ()):
        one = known.statements[number].statement
        if one.subject and is_wished(one):
            lines = tuple(name.casefold() for name in one.predicate)
            found[one.subject[0]] = (*found.get(one.subject[0], ()), lines)
    return found


def is_wished(absence: Statement) -> bool:
    """Whether something is absent since a traveller wished so."""
    return any(_WISHED in names for c in absence.conditions for names in c.objects)


def line_aliases(known: Knowledge) -> Mapping[str, str]:
    """Return the name of each line of a plan by all that it is called, in lower case."""
    every = (known.statements[n].statement for n in known.by_kind.get("order", ()))
    lines = (line for one in every if "line" in one.predicate for line in one.objects)
    called = ([name.casefold().removesuffix(" line") for name in line] for line in lines)
    return {name: min(names) for names in called for name in names}


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
