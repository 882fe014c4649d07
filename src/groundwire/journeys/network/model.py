"""Stops, lines, running times and station groups of the embedded network.

Stop ids are NaPTAN codes and line ids those of the TfL API, so that what is planned here and what
TfL answers can be joined. Minutes are running times from platform to platform.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import cos, floor, radians
from types import MappingProxyType
from typing import Literal, NamedTuple

from groundwire.errors import NotFoundError
from groundwire.journeys.itinerary import Place, Point
from groundwire.journeys.network.distance import METRES_PER_DEGREE, metres_between

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
    """

    stops: Mapping[str, Stop]
    lines: Mapping[str, Line]
    hubs: Mapping[str, Hub]
    edges: tuple[Edge, ...]
    level_changes: tuple[LevelChange, ...]
    credit: str
    as_of: str

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
