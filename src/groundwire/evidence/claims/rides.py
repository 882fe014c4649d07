"""The recorded plans as chains of rides: what each begins and ends with, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.statement_index import Stated, Term
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Names
from groundwire.quantities import find_clock_times, parse_number

WALK = "walking"
LINE_OF_PLAN = "line of the plan"
DAY = 24 * 60
_TO_CHANGE, _CHANGES = "time to change", "interchanges"


@dataclass(slots=True)
class Ride:
    """One leg of a plan, as far as the record tells it.

    Attributes:
        terms: by the name of a property (line, mode, from, to, towards, calls at), the places of
            statements that hold its value.
        departs: minutes after midnight, or None where it is not told.
        arrives: the same.
        minutes: how long it takes, or None.
        cells: by the name of a property, each of its objects with all its names.
        walked: whether it is a walk, and no ride.
        place: its number in the plan, or 0.
        evidence_id: the record.
    """

    terms: dict[str, set[Term]] = field(default_factory=dict[str, set[Term]])
    departs: int | None = None
    arrives: int | None = None
    minutes: Decimal | None = None
    cells: Mapping[str, Sequence[Names]] = field(default_factory=dict[str, Sequence[Names]])
    walked: bool = False
    place: int = 0
    evidence_id: str = ""

    def first(self, key: str) -> str:
        """Return the first name of a property, or ""."""
        return self.cells[key][0][0] if self.cells.get(key) else ""

    def named(self, *keys: str) -> frozenset[str]:
        """Return all names of some properties, in lower case."""
        objects = (names for key in keys for names in self.cells.get(key, ()))
        return frozenset(name.casefold() for names in objects for name in names)

    @property
    def lines(self) -> frozenset[str]:
        """The names of its line, in lower case and without "line"."""
        return frozenset(name.removesuffix(" line") for name in self.named("line"))

    @property
    def called(self) -> Sequence[str]:
        """Every stop in order, from where it begins; none where the record lists none."""
        stops = [names[0] for names in self.cells.get("calls at", ())]
        return [self.first("from"), *stops] if stops else []

    @property
    def stops(self) -> Sequence[str]:
        """The same in lower case."""
        return [*map(str.casefold, self.called)]

    @property
    def calls(self) -> Sequence[frozenset[str]]:
        """The names of each stop behind the first, in order and in lower case."""
        return [frozenset(map(str.casefold, it)) for it in self.cells.get("calls at", ())]

    def has(self, terms: Sequence[Term], *keys: str) -> bool:
        """Whether one of some properties is called so."""
        for key in keys if terms else ():
            if (own := self.terms.get(key)) and not own.isdisjoint(terms):
                return True
        return False


@dataclass(slots=True)
class Chain:
    """The rides of one plan, or its lines alone where no record tells its legs.

    Attributes:
        evidence_id: the record.
        trip: the place of its trip among those of the record, from 0.
        numbers: the statements that tell of the plan.
        of_trip: the statements that tell of its trip.
        rides: its legs in order.
        departs: minutes after midnight at which the whole plan may begin.
        arrives: minutes after midnight at which it may end.
        has_legs: whether the record tells its legs.
        said: the plan in short, for who wrote something else.
        option: the number of the plan among those of its trip, or 0.
        changes: how often one changes, or None.
        modes: where its modes stand, without walks.
        foreign: where the modes of other plans stand that it has not.
        others: where the lines of other plans stand, whether it has them or not.
    """

    evidence_id: str
    trip: int
    numbers: set[int]
    of_trip: set[int]
    rides: list[Ride]
    departs: set[int]
    arrives: set[int]
    has_legs: bool
    said: str
    option: int = 0
    changes: Decimal | None = None
    modes: tuple[Term, ...] = ()
    foreign: frozenset[Term] = frozenset()
    others: frozenset[Term] = frozenset()

    def goes_by(self, terms: Sequence[Term]) -> bool:
        """Whether one of its lines or modes is called so."""
        return not set(self.modes).isdisjoint(terms) or any(
            ride.has(terms, "line", "mode") for ride in self.rides
        )


def chains_of(known: Knowledge) -> list[Chain]:
    """Return every recorded plan, those whose legs are told first."""
    trips = _trips(known.statements)
    parts: dict[tuple[str, Names], list[tuple[int, Stated]]] = {}
    lines: dict[tuple[str, Names], tuple[int, Stated]] = {}
    modes: dict[tuple[str, Names], tuple[int, Stated]] = {}
    for number, stated in enumerate(known.statements):
        one = stated.statement
        key = (stated.evidence_id, one.subject)
        cells = {condition.predicate[:1] for condition in one.conditions}
        if one.kind == "part" and one.position and ("from",) in cells:
            parts.setdefault(key, []).append((number, stated))
        elif one.kind == "order" and "line" in one.predicate and one.subject:
            lines[key] = (number, stated)
        elif one.kind == "order" and "mode" in one.predicate and one.subject:
            modes[key] = (number, stated)
    found = [_of_parts(key, own, trips, known) for key, own in parts.items()]
    named = {key: _of_lines(key, *own, trips, known) for key, own in lines.items()}
    _add_modes(named, modes)
    chains = [*found, *(one for key, one in named.items() if key not in parts)]
    taken: list[set[Term]] = [
        {term for ride in one.rides for term in ride.terms.get("line", ())} for one in chains
    ]
    for number, chain in enumerate(chains):
        others = (own for at, own in enumerate(taken) if at != number)
        chain.others = frozenset[Term]().union(*others)
    return chains


def _add_modes(
    chains: Mapping[tuple[str, Names], Chain], modes: Mapping[tuple[str, Names], tuple[int, Stated]]
) -> None:
    """Tell plans whose legs are not told by which modes they go, and by which others do."""
    named: dict[str, set[Term]] = {}
    for number, stated in modes.values():
        for place, names in enumerate(stated.statement.objects):
            if WALK not in names:
                named.setdefault(names[0], set()).add(Term(number, "object", place))
    for key, chain in chains.items():
        number = modes[key][0] if key in modes else -1
        own = {name for name, terms in named.items() if any(t.stated == number for t in terms)}
        chain.modes = tuple(t for terms in named.values() for t in terms if t.stated == number)
        foreign = (terms for name, terms in named.items() if name not in own)
        chain.foreign = frozenset[Term]().union(*foreign)


def legs_of(known: Knowledge) -> Sequence[Ride]:
    """Return the legs of all plans of which these are told."""
    return [one for chain in known.once(chains_of) if chain.has_legs for one in chain.rides]


def places_of(known: Knowledge) -> Mapping[Term, set[str]]:
    """Return the properties of rides that each place of a statement holds."""
    found: dict[Term, set[str]] = {}
    for chain in known.once(chains_of):
        for ride in chain.rides:
            for key, terms in ride.terms.items():
                for term in terms:
                    found.setdefault(term, set()).add(key)
        for term in chain.modes:
            found.setdefault(term, set()).add("mode")
    return found


def line_of(name: str) -> str:
    """Return a name of a line in lower case, without "the" and "line"."""
    return name.casefold().removeprefix("the ").removesuffix(" line")


def names_at(known: Knowledge, term: Term) -> Sequence[str]:
    """Return the names that stand at a place of a statement."""
    one = known.statements[term.stated].statement
    if term.slot == "object":
        return one.objects[term.place]
    return [name for names in one.conditions[term.place].objects for name in names]


def changes_of(known: Knowledge) -> Sequence[int]:
    """Return the numbers of the orders whose members are places of change."""
    orders = known.by_kind.get("order", ())
    return [n for n in orders if "change" in known.statements[n].statement.predicate]


def of_option(known: Knowledge, orders: Sequence[int], option: int) -> Sequence[int]:
    """Return those of some orders that are of a plan by its number; all where none is."""
    own = [n for n in orders if option_of(known.statements[n].statement.subject) == option]
    return own if option and own else orders


def allows_for_change(known: Knowledge, place: str, minutes: Decimal) -> bool:
    """Whether a change at a place takes so many minutes by the record."""
    key = key_of(place)
    return bool(key) and any(
        fact.number == minutes
        and fact.value.name == _TO_CHANGE
        and fact.value.item is not None
        and any(key_of(piece).endswith(key) for piece in fact.value.item.pieces)
        for fact in known.facts.numbers()
    )


@dataclass(frozen=True, slots=True)
class _Trip:
    number: int
    names: Names
    ends: Mapping[str, tuple[int, Stated]]


def _trips(statements: Sequence[Stated]) -> dict[str, list[_Trip]]:
    """Return the trips of each record: the things that begin and end somewhere, in order."""
    ends: dict[tuple[str, Names], dict[str, tuple[int, Stated]]] = {}
    for number, stated in enumerate(statements):
        one = stated.statement
        if one.kind == "relation" and one.predicate[:1] in (("from",), ("to",)):
            own = ends.setdefault((stated.evidence_id, one.subject), {})
            own.setdefault(one.predicate[0], (number, stated))
    found: dict[str, list[_Trip]] = {}
    for (evidence_id, names), own in ends.items():
        trips = found.setdefault(evidence_id, [])
        trips.append(_Trip(len(trips), names, own))
    return found


def _of_parts(
    key: tuple[str, Names],
    parts: Sequence[tuple[int, Stated]],
    trips: Mapping[str, Sequence[_Trip]],
    known: Knowledge,
) -> Chain:
    """Return a plan of which the legs are told."""
    parts = sorted(parts, key=lambda one: one[1].statement.position or 0)
    rides = [_leg(number, stated) for number, stated in parts]
    chain = _planned(key, rides, {number for number, _ in parts}, trips, known)
    chain.has_legs = True
    chain.said = "; ".join(
        f"{at}. {ride.first('line') or ride.first('mode')} from {ride.first('from')} to "
        f"{ride.first('to')}"
        for at, ride in enumerate(rides[:4], 1)
    )
    chain.departs |= {at for at in [rides[0].departs] if at is not None}
    chain.arrives |= {at for at in [rides[-1].arrives] if at is not None}
    return chain


def _leg(number: int, stated: Stated) -> Ride:
    conditions = stated.statement.conditions
    ride = Ride(place=stated.statement.position or 0, evidence_id=stated.evidence_id)
    ride.cells = {one.predicate[0]: one.objects for one in conditions if one.predicate}
    for place, condition in enumerate(conditions):
        name = condition.predicate[0] if condition.predicate else ""
        ride.terms.setdefault(name, set()).add(Term(number, "condition", place))
    ride.departs, ride.arrives = (_clock(ride.first(it)) for it in ("departs", "arrives"))
    ride.minutes = parse_number(ride.first("minutes"))
    ride.walked = ride.first("mode") == WALK
    return ride


def _of_lines(
    key: tuple[str, Names],
    number: int,
    stated: Stated,
    trips: Mapping[str, Sequence[_Trip]],
    known: Knowledge,
) -> Chain:
    """Return a plan of which only the lines are told: where one changes is not known."""
    lines = stated.statement.objects
    rides = [Ride({"line": {Term(number, "object", place)}}) for place, _ in enumerate(lines)]
    chain = _planned(key, rides, {number}, trips, known)
    chain.said += f" by {', '.join(names[0] for names in lines)}"
    return chain


def _planned(
    key: tuple[str, Names],
    rides: list[Ride],
    numbers: set[int],
    trips: Mapping[str, Sequence[_Trip]],
    known: Knowledge,
) -> Chain:
    """Return a plan of some rides, with where and when it begins and ends as a whole."""
    evidence_id, subject = key
    own = (trip for trip in trips.get(evidence_id, ()) if set(trip.names) <= set(subject))
    trip = next(own, _Trip(0, subject, {}))
    of_trip = {number for number, _ in trip.ends.values()}
    option, said = option_of(subject), next(iter(trip.names), "")
    chain = Chain(
        evidence_id, trip.number, numbers, of_trip, rides, set(), set(), False, said, option
    )
    for end, ride in (("from", rides[0]), ("to", rides[-1])):
        if end in trip.ends:
            number, stated = trip.ends[end]
            places = range(len(stated.statement.objects))
            ride.terms.setdefault(end, set()).update(Term(number, "object", at) for at in places)
    names = set(map(key_of, trip.names))
    for fact in known.facts.all:
        item, name = fact.value.item, fact.value.name
        if item is None or fact.evidence_id != evidence_id:
            continue
        if names.isdisjoint(map(key_of, item.names)) or (
            option and item.options and option not in item.options
        ):
            continue
        if name == _CHANGES and fact.number is not None:
            chain.changes = max(chain.changes or fact.number, fact.number)
        elif fact.value.kind == "time" and not item.pieces:
            times = chain.departs if name == "departure" else chain.arrives
            times |= {clock.minutes[0] for clock in find_clock_times(fact.value.value)}
    return chain


def option_of(subject: Names) -> int:
    """Return the number that the names of a plan begin with, "plan 2", or 0."""
    number = subject[0].rpartition(" ")[2] if subject else ""
    return int(number) if number.isdecimal() else 0


def _clock(text: str) -> int | None:
    found = find_clock_times(text)
    return found[0].minutes[0] if found else None
