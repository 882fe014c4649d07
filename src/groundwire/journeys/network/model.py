"""Stops, lines, running times and days of service of the embedded network, and distances in it.

Stop ids are NaPTAN codes and line ids those of the TfL API, so that what is planned here and what
TfL answers can be joined. Minutes are running times from platform to platform.

A day is known by its date ("25 December"), by its weekday, and as a bank holiday in England. Bank
holidays are computed by their rules; those that are proclaimed for one year are not known.

Ways on foot and by bike are estimated, as streets are not known here: a way is taken to be longer
than the straight line by a third, which is a usual figure for the streets of a city; so every such
time of the network is an estimate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from itertools import pairwise
from math import cos, floor, radians
from types import MappingProxyType
from typing import Literal, NamedTuple

from groundwire.errors import InputError, NotFoundError
from groundwire.journeys.itinerary import (
    LONDON,
    METRES_PER_DEGREE,
    Leg,
    Options,
    Place,
    Plan,
    Point,
    metres_between,
)
from groundwire.journeys.times.moments import easter
from groundwire.journeys.wording import day as spoken_day

BANK_HOLIDAY = "bank holiday"
# A day of service ends with its last trains, in the small hours of the next.
_BEGINS = timedelta(hours=4, minutes=30)
_DAY = timedelta(days=1)
_WEEKEND = (5, 6)


@dataclass(frozen=True, slots=True)
class NoService:
    """Lines and modes that do not run on some days.

    Attributes:
        on: the days, by any of their names.
        modes: ids of modes that do not run.
        lines: ids of lines that do not run.
    """

    on: frozenset[str]
    modes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServiceDays:
    """The days of service of a network.

    Attributes:
        none: what has no service, and when.
        differ: days on which services are other than usual, while nobody here knows which.
    """

    none: tuple[NoService, ...] = ()
    differ: frozenset[str] = frozenset()

    def rests(self, on: date, mode: str, line_id: str = "") -> bool:
        """Whether a line, or a mode, has no service on a day."""
        return mode in self.modes_without(on) or any(line_id in one.lines for one in self._of(on))

    def modes_without(self, on: date) -> tuple[str, ...]:
        """Ids of the modes that have no service on a day."""
        return tuple(dict.fromkeys(mode for one in self._of(on) for mode in one.modes))

    def differs(self, on: date, reference: date | None = None) -> str:
        """Say of a day that its services differ, or return ""."""
        if self.differ.isdisjoint(names_of(on)):
            return ""
        why = " (a bank holiday in England)" if BANK_HOLIDAY in names_of(on) else ""
        return (
            f"{DIFFER} on {spoken_day(on, reference)}{why}, and how is not known offline: "
            "check them before you travel."
        )

    def _of(self, on: date) -> Iterable[NoService]:
        return (one for one in self.none if not one.on.isdisjoint(names_of(on)))


DIFFER = "TfL's services differ"
"""How the sentence on a day with other services begins."""
NO_SERVICE = "No service"
"""How the sentence on lines that do not run on a day begins."""
LEFT_OUT = "Left out, without service"
"""How the sentence on lines that a plan leaves out begins."""


def left_out(names: str, on: date, reference: date | None = None) -> str:
    """Say that lines are left out of plans of a day, as they have no service."""
    return f"{LEFT_OUT} that day ({spoken_day(on, reference)}): {names}."


def service_day(when: datetime) -> date:
    """The day whose service runs at a moment."""
    return (when.astimezone(LONDON).replace(tzinfo=None) - _BEGINS).date()


@lru_cache(maxsize=1024)
def names_of(on: date) -> frozenset[str]:
    """All that a day is called: "25 December", "Friday", and "bank holiday" where it is one."""
    weekday, _, dated = spoken_day(on, on).partition(" ")
    return frozenset((weekday, dated, *((BANK_HOLIDAY,) if on in _bank_holidays(on.year) else ())))


@lru_cache(maxsize=16)
def _bank_holidays(year: int) -> frozenset[date]:
    """The bank holidays of England, and the feasts themselves where another day stands for them."""
    sunday = easter(year)
    fixed = [date(year, 1, 1), date(year, 12, 25), date(year, 12, 26)]
    found = {*fixed, sunday - 2 * _DAY, sunday + _DAY}
    found |= {_monday(date(year, 5, 1)), _monday(date(year, 5, 25)), _monday(date(year, 8, 25))}
    for one in fixed:
        # England moves a bank holiday from a weekend to the next free working day.
        if one.weekday() in _WEEKEND:
            while one.weekday() in _WEEKEND or one in found:
                one += _DAY
            found.add(one)
    return frozenset(found)


def _monday(first: date) -> date:
    """The first Monday from a day on."""
    return first + -first.weekday() % 7 * _DAY


# Stops no farther apart than this, as the crow flies, are joined by a walking link.
LINKED_WITHIN = 700.0
# Side of the squares in which stops are found, in degrees of latitude.
_SQUARE = 0.01

Direction = Literal["inbound", "outbound"]


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of one or more lines.

    Attributes:
        id: NaPTAN code.
        name: what the signs say, without "Underground Station" and the like.
        point: where it is.
        hub: id of the hub it is part of, else empty.
        ics: the code by which TfL's planner joins the stops of one place, else empty.
        zone: fare zone (`2`, `2/3`), where the data has it, else empty.
        lines: ids of the lines that call here.
        modes: modes of those lines.
    """

    id: str
    name: str
    point: Point
    hub: str
    ics: str
    zone: str
    lines: tuple[str, ...]
    modes: tuple[str, ...]

    @property
    def place(self) -> Place:
        """The stop as a place of an itinerary."""
        return Place(self.name, self.point, "stop", self.id, self.ics)


@dataclass(frozen=True, slots=True)
class Route:
    """The stops that a service of a line calls at, in order.

    Attributes:
        direction: as the API names it.
        via: what tells it apart from another route between the same ends, else empty.
        stop_ids: ids of its stops; a circular route may have one twice.
    """

    direction: Direction
    via: str
    stop_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its routes.

    Attributes:
        id, name, mode: as the API names them.
        colour: the colour of the line on signs and maps, `#RRGGBB`.
        headway: minutes between trains of one direction where all routes run together; typical
            of the day, our estimate.
        aliases: older and shorter names.
    """

    id: str
    name: str
    mode: str
    colour: str
    headway: float
    aliases: tuple[str, ...]
    routes: tuple[Route, ...]


class Edge(NamedTuple):
    """A ride from one stop to the next.

    Attributes:
        line: id of the line.
        origin, destination: ids of the stops.
        minutes: running time.
        estimated: whether it is estimated from the distance, as TfL publishes none.
    """

    line: str
    origin: str
    destination: str
    minutes: float
    estimated: bool


@dataclass(frozen=True, slots=True)
class Hub:
    """Stops between which one changes without leaving the station, or nearly so."""

    id: str
    name: str
    stop_ids: tuple[str, ...]
    point: Point


class Link(NamedTuple):
    """A way on foot between two stops that are in different hubs.

    Attributes:
        origin, destination: ids of the stops.
        metres: as the crow flies.
    """

    origin: str
    destination: str
    metres: float


class LevelChange(NamedTuple):
    """A change between two lines that takes few steps, mostly across one platform.

    Attributes:
        stop_id: where.
        lines: ids of the two lines.
    """

    stop_id: str
    lines: frozenset[str]


@dataclass(frozen=True, eq=False)
class Network:
    """The network as it was loaded; nothing in it changes.

    Attributes:
        stops, lines, hubs: by id.
        edges: rides between neighbouring stops, each in one direction.
        level_changes: where changing is quick.
        credit: what has to be said wherever its facts are shown.
        as_of: day of the data, in ISO 8601.
        service_days: when lines have no service.
    """

    stops: Mapping[str, Stop]
    lines: Mapping[str, Line]
    hubs: Mapping[str, Hub]
    edges: tuple[Edge, ...]
    level_changes: tuple[LevelChange, ...]
    credit: str
    as_of: str
    service_days: ServiceDays

    def resting(self, on: date) -> tuple[Line, ...]:
        """The lines that have no service on a day."""
        return tuple(
            one for one in self.lines.values() if self.service_days.rests(on, one.mode, one.id)
        )

    def line(self, line_id: str) -> Line:
        """The line of that id.

        Raises:
            NotFoundError: the network has no such line.
        """
        if line_id not in self.lines:
            raise NotFoundError(
                f"the network has no line {line_id!r}: it has {', '.join(self.lines)}"
            )
        return self.lines[line_id]

    def station(self, stop_id: str) -> tuple[str, ...]:
        """Ids of the stops of one hub with a stop, and its own."""
        hub = self.hubs.get(self.stops[stop_id].hub)
        return hub.stop_ids if hub else (stop_id,)

    @property
    def modes(self) -> tuple[str, ...]:
        """Modes of its lines, in alphabetical order."""
        return tuple(sorted({line.mode for line in self.lines.values()}))

    def near(self, point: Point, metres: float) -> list[tuple[Stop, float]]:
        """Stops within that many metres as the crow flies, with their distance, nearest first."""
        high = floor(metres / METRES_PER_DEGREE / _SQUARE) + 1
        shrink = max(0.1, cos(radians(point.lat)))
        wide = floor(metres / METRES_PER_DEGREE / shrink / _SQUARE) + 1
        row, column = floor(point.lat / _SQUARE), floor(point.lon / _SQUARE)
        found: list[tuple[Stop, float]] = []
        for at in range(row - high, row + high + 1):
            for across in range(column - wide, column + wide + 1):
                for stop in self._squares.get((at, across), ()):
                    distance = metres_between(point, stop.point)
                    if distance <= metres:
                        found.append((stop, distance))
        found.sort(key=lambda one: (one[1], one[0].id))
        return found

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Ways on foot between near stops of different hubs, each in one direction."""
        return tuple(
            Link(stop.id, other.id, distance)
            for stop in self.stops.values()
            for other, distance in self.near(stop.point, LINKED_WITHIN)
            if other is not stop and not (stop.hub and stop.hub == other.hub)
        )

    @cached_property
    def ride(self) -> Mapping[tuple[str, str, str], Edge]:
        """Edges by line, origin and destination."""
        return MappingProxyType(
            {(edge.line, edge.origin, edge.destination): edge for edge in self.edges}
        )

    @cached_property
    def _squares(self) -> Mapping[tuple[int, int], list[Stop]]:
        squares: defaultdict[tuple[int, int], list[Stop]] = defaultdict(list)
        for stop in self.stops.values():
            at = (floor(stop.point.lat / _SQUARE), floor(stop.point.lon / _SQUARE))
            squares[at].append(stop)
        return MappingProxyType(dict(squares))


DETOUR = 1.3
# Metres in a minute by the names of the API's `walkingSpeed`: 3.2, 4.5 and 6 kilometres an hour.
PACES: Mapping[str, float] = {"Slow": 54.0, "Average": 75.0, "Fast": 100.0}


def walked(metres: float) -> float:
    """Metres on the ground, of metres as the crow flies."""
    return metres * DETOUR


def walking_minutes(metres: float, speed: str = "") -> float:
    """Minutes to walk a distance given as the crow flies, at a speed of the API (or average)."""
    return walked(metres) / PACES.get(speed.capitalize(), PACES["Average"])


# Metres in a minute by the names of the API's `bikeProficiency`: 12, 15 and 20 kilometres an hour.
_PACES = {"Easy": 200.0, "Moderate": 250.0, "Fast": 333.0}
_LONGEST = 40_000.0
CYCLING_NOTE = (
    "The way by bike is estimated from the distance as the crow flies, a third longer, at "
    "15 km/h: streets and hills were not looked at."
)


def by_bike_alone(options: Options) -> bool:
    """Whether nothing but cycling is asked for."""
    return {one.lower() for one in options.mode} == {"cycle"}


def cycled(places: list[Place], options: Options, when: datetime, *, arriving: bool) -> Plan:
    """Return the way by bike from the first of some places by way of the others to the last.

    Args:
        places: two or three.
        options: what is asked for.
        when: the moment to depart at, or to arrive by.
        arriving: whether it is the arrival.

    Raises:
        InputError: a place has no position, or the way is longer than anybody cycles in a town.
    """
    pace = _PACES[options.bike_proficiency[0] if options.bike_proficiency else "Moderate"]
    lengths: list[float] = []
    for one, other in pairwise(places):
        if one.point is None or other.point is None:
            raise InputError("a way by bike needs places whose position is known")
        lengths.append(walked(metres_between(one.point, other.point)))
    if sum(lengths) > _LONGEST:
        raise InputError(
            f"by bike it is more than {_LONGEST / 1000:.0f} km: ask for trains for a part of it"
        )
    minutes = [max(1, round(one / pace)) for one in lengths]
    at = when - timedelta(minutes=sum(minutes)) if arriving else when
    start, legs = at, list[Leg]()
    for (one, other), metres, took in zip(pairwise(places), lengths, minutes, strict=True):
        path = tuple(place.point for place in (one, other) if place.point)
        ends = at + timedelta(minutes=took)
        legs.append(
            Leg(
                "cycle",
                one,
                other,
                at,
                ends,
                distance_metres=round(metres / 10) * 10,
                path=path,
                timing="distance_estimate",
            )
        )
        at = ends
    return Plan(start, at, tuple(legs))
