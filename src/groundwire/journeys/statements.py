"""Statements of plans that a record holds beside its values.

Of each trip: where it begins and ends, what it passes, and who planned it. Of each plan: its lines
and modes in their order, and where its legs are told, each leg as a part with its conditions, and
the places where one changes. What the planner does not know is an absence of live data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from groundwire.evidence.answers import (
    MOST_NAMES,
    RecordNames,
    other_names,
    predicate_names,
)
from groundwire.evidence.records import Condition, Item, Names, Statement
from groundwire.journeys.itinerary import Disruption, Journey, Leg, Misplaced, Place, Plan
from groundwire.journeys.lines.names import MODE_NAMES, service_name, services_of
from groundwire.journeys.places.sides import MOST_OPTIONS, Side
from groundwire.journeys.stops.names import NAMES_ABROAD, public_name
from groundwire.journeys.wording import clock, place_name, plan_name
from groundwire.vocabulary import fold

PACKAGE = "groundwire.journeys"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_SOURCES: Mapping[str, str] = {
    "tfl": "tfl",
    "offline_estimate": "network",
    "timetable": "imported_timetable",
    "planner": "remote_planner",
}
# Stops of one leg that are named; a night bus calls at more than a hundred.
_MOST_STOPS = 60
_MOST_STATEMENTS = 400


class Told(NamedTuple):
    """A plan that is told of.

    Attributes:
        journey: the journey that it is of.
        plan: the plan.
        trip: what sentences call the journey.
        interchanges: position of the number of changes among the values, or None.
    """

    journey: Journey
    plan: Plan
    trip: Item
    interchanges: int | None = None


def plan_statements(
    trips: Sequence[tuple[Journey, Item]], plans: Sequence[Told], ordered: int, *, legs: bool
) -> tuple[Statement, ...]:
    """Return what is stated of trips and their plans.

    Args:
        trips: the journeys that are told of, with what sentences call them.
        plans: the plans that are told of.
        ordered: how many of the journeys are trips in their order.
        legs: whether their legs are told of, too.
    """
    found = dict.fromkeys(_stated(trips, plans, ordered, legs=legs))
    return tuple(islice(found, _MOST_STATEMENTS))


def _stated(
    trips: Sequence[tuple[Journey, Item]], plans: Sequence[Told], ordered: int, *, legs: bool
) -> Iterator[Statement]:
    stating = _Stating(RecordNames(PACKAGE))
    # First, so that a long record that is cut still says where it is from.
    yield from stating.sources([journey for journey, _ in trips])
    yield from stating.order_of_trips(trips[:ordered])
    for journey, trip in trips:
        yield from stating.trip(journey, trip)
    yield from stating.not_known([journey for journey, _ in trips])
    for one in plans:
        yield from stating.plan(one, legs=legs)


def readings(sides: Iterable[Side]) -> Iterator[Statement]:
    """Yield what the words for places were read as, or may be.

    Args:
        sides: the ends of trips, and places on the way, as they were read.
    """
    predicate = predicate_names(PACKAGE)
    for side in sides:
        if not side.settled:
            places = (one.place for one in side.candidates)
            objects = tuple(dict.fromkeys(_names_of(one) for one in places))
            may_be = predicate["may_be"]
            complete = "all_listed" if len(side.candidates) < MOST_OPTIONS else "page"
            yield Statement("relation", (side.raw,), may_be, objects, complete=complete)
        elif side.raw and fold(side.raw) not in map(fold, _names_of(side.best.place)):
            objects = (_names_of(side.best.place),)
            yield Statement("relation", (side.raw,), predicate["read_as"], objects)


def without_lines(trip: Item, avoided: Iterable[str]) -> Iterator[Statement]:
    """Yield that a trip goes by none of the lines that were to be avoided, by their names."""
    reason = predicate_names(PACKAGE)["wished"]
    for line in avoided:
        names = (line, line.removesuffix(" line"), *translated(line))
        wished = Condition(predicate_names(PACKAGE)["without"], "is", (reason,))
        yield Statement("absence", trip.names, names, conditions=(wished,))


def _names_of(place: Place) -> Names:
    """Return the names of a place: as people call it, and as its operator does."""
    full = " ".join(place.name.split())
    name = place_name(place)
    return tuple(dict.fromkeys((name, full, *NAMES_ABROAD.get(name, ()))))


def mode_names(mode: str) -> Names:
    """Return what sentences call a mode: its id, its English names, those of other languages."""
    translated = other_names(PACKAGE, "modes").get(mode, ())
    translated = translated or other_names(PACKAGE, "feed_modes").get(mode, ())
    return tuple(dict.fromkeys((mode, *MODE_NAMES.get(mode, ())[:4], *translated)))


def translated(line: str) -> Names:
    """Return what Chinese sentences call a line of London: 北线 for the Northern line."""
    return other_names(PACKAGE, "lines").get(line.removesuffix(" line"), ())


def _called(one: Told) -> Names:
    """Return what sentences call a plan, by its number, and its trip."""
    number = next((n for n, each in enumerate(one.journey.plans) if each is one.plan), None)
    if number is None:
        return one.trip.names
    ordinal = (f"{ORDINALS[number]} plan",) if number < len(ORDINALS) else ()
    return (plan_name(number), *ordinal, *one.trip.names)


def _steps_unknown(journeys: Sequence[Journey]) -> Sequence[str]:
    """Return the name of step-free access where nothing is known of it on any plan."""
    plans = [plan for one in journeys for plan in one.plans]
    ends = [end for plan in plans for leg in plan.rides for end in (leg.origin, leg.destination)]
    is_known = any(one.step_free is not None for one in (*plans, *ends))
    return () if is_known else ("step_free",)


class _Stating:
    """States what one record holds."""

    def __init__(self, names: RecordNames) -> None:
        self._names = names
        self._said = names.predicate

    def place(self, place: Place) -> Names:
        """Return the names of a place."""
        return self._names.thing("place", _names_of(place), 1)

    def _line(self, mode: str, line: str) -> Names:
        """Return the names of a line, with and without "line"; of a mode without lines its own."""
        if not line:
            return self._mode(mode)
        names = (service_name(mode, line), line, line.removesuffix(" line"))
        names += translated(line)
        if len(line) == 1 or line.isdecimal():
            forms = other_names(PACKAGE, "short_lines")["forms"]
            modes = (f"{one} {line}" for one in mode_names(mode)[:4] if one.isalpha())
            names += (*(form.format(line) for form in forms), *modes)
        return self._names.thing("line", tuple(dict.fromkeys(names))[:MOST_NAMES])

    def _mode(self, mode: str) -> Names:
        return self._names.thing("mode", mode_names(mode), 1)

    def _is(self, key: str, *objects: Names, unit: str | None = None) -> Condition:
        operator = "is" if len(objects) == 1 else "any_of"
        return Condition(self._said(key), operator, objects, unit)

    def order_of_trips(self, trips: Sequence[tuple[Journey, Item]]) -> Iterator[Statement]:
        """Yield the trips of a day in their order."""
        if len(trips) > 1:
            names = tuple(trip.names[:1] for _, trip in trips)
            trip = self._said("trip")
            yield Statement("order", trip, trip[:1], names, complete="all_listed")

    def trip(self, journey: Journey, trip: Item) -> Iterator[Statement]:
        """Yield where a trip begins and ends, what it passes, and where its plans differ."""
        differing = {one.param for one in journey.misplaced if one.plans}
        for key, place, param in (
            ("from", journey.origin, "starting_point"),
            ("to", journey.destination, "destination"),
        ):
            complete = "" if param in differing else "all_listed"
            objects = (self.place(place),)
            yield Statement("relation", trip.names, self._said(key), objects, complete=complete)
        if journey.via and not any(one.param == "via" for one in journey.misplaced):
            yield Statement("relation", trip.names, self._said("via"), (self.place(journey.via),))
        for one in journey.misplaced:
            yield self._misplaced(one, trip)
        if not journey.plans:
            yield Statement("absence", trip.names, self._said("plan"))

    def _misplaced(self, one: Misplaced, trip: Item) -> Statement:
        """Return where plans begin or end in place of what was asked for, or what they miss."""
        subject = (*map(plan_name, one.plans), *trip.names)
        if one.param == "via":
            return Statement("absence", subject, self._said("via"), ((one.asked,),))
        key = "from" if one.param == "starting_point" else "to"
        away = (Condition(self._said("instead_of"), "is", ((one.asked,),)),)
        return Statement("relation", subject, self._said(key), ((one.taken,),), away)

    def not_known(self, journeys: Sequence[Journey]) -> Iterator[Statement]:
        """Yield what the planner of estimates has no data of: modes, timetable, fares."""
        estimated = [one for one in journeys if one.plans and one.source == "offline_estimate"]
        for mode in dict.fromkeys(mode for one in estimated for mode in one.unknown_modes):
            names = tuple(dict.fromkeys((services_of(mode), *self._mode(mode))))
            yield Statement("absence", names, self._said("live_data"))
        if estimated:
            unknown = ("timetable", "fare", "disruption", *_steps_unknown(estimated))
            unknown = tuple(map(self._said, unknown))
            network = self._said(_SOURCES["offline_estimate"])
            yield Statement("absence", network, self._said("live_data"), unknown)
        for one in {one.planner: one for one in journeys if one.source == "timetable"}.values():
            names = self._source_names(one)
            unknown = tuple(map(self._said, ("disruption", "fare", *_steps_unknown([one]))))
            yield Statement("absence", names, self._said("live_data"), unknown)

    def _source_names(self, journey: Journey) -> Names:
        """Return what sentences call who planned a journey: by its own name, too."""
        names = self._said(_SOURCES[journey.source])
        return (journey.planner, *names) if journey.planner else names

    def plan(self, one: Told, *, legs: bool) -> Iterator[Statement]:
        """Yield the lines and modes of a plan in their order, then its legs."""
        plan = one.plan
        subject = _called(one)
        rides = plan.rides
        lines = tuple(self._line(leg.mode, leg.line) for leg in rides)
        if lines:
            # Another line may serve the same leg as well: then these are not all.
            complete = "" if any(leg.also for leg in rides) else "all_listed"
            yield Statement("order", subject, self._said("line"), lines, complete=complete)
        modes = tuple(map(self._mode, plan.modes))
        yield Statement("order", subject, self._said("mode"), modes, complete="all_listed")
        if plan.step_free is not None:
            answer = self._said("yes" if plan.step_free else "no")
            yield Statement("relation", subject, self._said("step_free"), (answer,))
        if one.journey.source == "tfl":
            yield from self._hindrances(subject, plan)
        if not plan.interchanges:
            yield Statement("absence", subject, self._said("change"))
        if not legs:
            return
        if plan.interchanges:
            yield Statement(
                "order",
                subject,
                self._said("change"),
                tuple(self._change(rides[at], rides[at + 1]) for at in range(plan.interchanges)),
                value=one.interchanges,
                complete="all_listed",
            )
        for number, leg in enumerate(plan.legs, 1):
            yield Statement(
                "part", subject, conditions=tuple(self._conditions(leg)), position=number
            )

    def _change(self, ride: Leg, following: Leg) -> Names:
        """Return where one changes: where a ride ends, and where the next one begins."""
        places = (*self.place(ride.destination), *self.place(following.origin))
        return tuple(dict.fromkeys(places))

    def _hindrances(self, subject: Names, plan: Plan) -> Iterator[Statement]:
        """Yield the lines that the planner says are hindered, or that it names none."""
        modes = {leg.line_id: leg.mode for leg in plan.rides if leg.line_id}

        def hindered(one: Disruption) -> Names:
            mode = modes.get(one.line_id)
            return self._line(mode, one.line) if mode else (one.line,)

        for key, found in (
            ("disruption", plan.disruptions),
            ("planned_work", plan.planned_works),
        ):
            lines = tuple(dict.fromkeys(map(hindered, found)))
            if lines:
                yield Statement("relation", subject, self._said(key), lines, complete="all_listed")
            else:
                yield Statement("absence", subject, self._said(key))

    def _conditions(self, leg: Leg) -> Iterator[Condition]:
        """Yield what a leg is: how it is travelled, from where to where, and when."""
        yield self._is("mode", self._mode(leg.mode))
        if leg.line:
            yield self._is("line", *(self._line(leg.mode, line) for line in (leg.line, *leg.also)))
        yield self._is("from", self.place(leg.origin))
        yield self._is("to", self.place(leg.destination))
        if leg.direction:
            end = (public_name(leg.direction), leg.direction)
            towards = self._names.thing("place", tuple(dict.fromkeys(end)), 1)
            yield self._is("towards", towards)
        yield self._is("departs", (clock(leg.departure),))
        yield self._is("arrives", (clock(leg.arrival),))
        yield self._is("minutes", (str(leg.duration_minutes),), unit="min")
        if leg.distance_metres is not None:
            yield self._is("distance", (str(leg.distance_metres),), unit="m")
        if leg.origin.platform:
            yield self._is("platform", (leg.origin.platform,))
        if leg.stops:
            yield self._is("stops", (str(len(leg.stops)),))
            names = tuple(map(self.place, leg.stops[:_MOST_STOPS]))
            yield Condition(self._said("calls_at"), "all_of", names)

    def sources(self, journeys: Sequence[Journey]) -> Iterator[Statement]:
        """Yield who planned the journeys; an estimate is said to be one."""
        for one in {(one.source, one.planner): one for one in journeys}.values():
            told: tuple[Condition, ...] = ()
            if one.source == "offline_estimate":
                told = (self._is("kind", self._said("estimate")),)
            if one.holds_until:
                told = (*told, self._is("holds_until", (one.holds_until,)))
            yield Statement("source", self._source_names(one), conditions=told)
