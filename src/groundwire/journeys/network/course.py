"""A way through the graph as rides and walks in order, and as a plan of an itinerary with times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from groundwire.journeys.itinerary import LONDON, Leg, Place, Plan, metres_between
from groundwire.journeys.network.graph import (
    CHANGE_MINUTES,
    LEVEL_CHANGE_MINUTES,
    DirectRides,
    Grounds,
    hub_minutes,
)
from groundwire.journeys.network.limits import End, Limits
from groundwire.journeys.network.model import Line, Network, walked, walking_minutes

# A train that takes so many minutes longer between two stops serves a traveller as well.
AS_WELL = 2.0


class Ride(NamedTuple):
    """A ride with one line.

    Attributes:
        line_id: the line.
        stop_ids: where one boards, the stops on the way, and where one alights.
        minutes: running time.
        gap: minutes between what was before and the departure: changing and waiting.
        estimated: whether a part of the running time is estimated from the distance.
    """

    line_id: str
    stop_ids: tuple[str, ...]
    minutes: float
    gap: float
    estimated: bool


class Walk(NamedTuple):
    """A walk; `metres` are as the crow flies, `gap` is as of a ride."""

    origin: Place
    destination: Place
    minutes: float
    metres: float
    gap: float


Move = Ride | Walk


@dataclass(frozen=True, slots=True)
class Course:
    """Rides and walks in order, at no particular time.

    Attributes:
        moves: at least one.
        serving: for each ride, the lines that serve it: its own, and those that do as well.
    """

    moves: tuple[Move, ...]
    serving: tuple[frozenset[str], ...]

    @property
    def rides(self) -> Iterator[Ride]:
        """The rides among the moves."""
        return (move for move in self.moves if isinstance(move, Ride))

    @property
    def minutes(self) -> float:
        """From the moment one sets out, or stands on the first platform, to the end."""
        return sum(move.gap + move.minutes for move in self.moves)

    @property
    def walking(self) -> float:
        """Minutes on foot outside stations."""
        return sum(move.minutes for move in self.moves if isinstance(move, Walk))

    def like(self, other: Course) -> bool:
        """Whether it rides the same lines in the same order, or lines that serve as well."""
        return len(self.serving) == len(other.serving) and all(
            one & another for one, another in zip(self.serving, other.serving, strict=True)
        )

    def then(self, other: Course) -> Course:
        """This course, and another from where it ends."""
        first, *rest = other.moves
        if isinstance(first, Ride):
            first = first._replace(gap=first.gap + CHANGE_MINUTES)
        return Course((*self.moves, first, *rest), self.serving + other.serving)


def walk_course(origin: End, destination: End, speed: str) -> Course | None:
    """The walk from end to end, or None where a position is not known."""
    if origin.point is None or destination.point is None:
        return None
    metres = metres_between(origin.point, destination.point)
    minutes = walking_minutes(metres, speed)
    return Course((Walk(origin.place, destination.place, minutes, metres, 0.0),), ())


class CourseReader:
    """Reads ways between two ends."""

    def __init__(
        self, grounds: Grounds, rides: DirectRides, origin: End, destination: End, speed: str
    ) -> None:
        self.grounds, self.network, self.direct = grounds, grounds.network, rides
        self.origin, self.destination, self.speed = origin, destination, speed

    def read(self, nodes: tuple[int, ...], limits: Limits) -> Course:
        """The course of a way; what is closed is not told as serving it as well."""
        moves: list[Move] = []
        first = self.grounds.stop_ids[nodes[0]]
        if self.origin.minutes[first]:
            moves.append(
                self._walk(self.origin.place, self._place(first), self.origin.minutes[first])
            )
        at, gap = 0, 0.0
        while at < len(nodes) - 1:
            if nodes[at + 1] >= self.grounds.stops:
                end = self._alighting(nodes, at + 1)
                moves.append(self._ride(nodes[at : end + 1], gap))
                at, gap = self._after(nodes, end)
            else:
                gap = self._on_foot(moves, nodes, at, gap)
                at += 1
        last = self.grounds.stop_ids[nodes[-1]]
        if self.destination.minutes[last]:
            moves.append(
                self._walk(
                    self._place(last), self.destination.place, self.destination.minutes[last]
                )
            )
        return Course(tuple(moves), self._serving(moves, limits))

    def _alighting(self, nodes: tuple[int, ...], at: int) -> int:
        """Where in the nodes the ride ends that is boarded at `at`."""
        line_id = self.grounds.line_id(nodes[at])
        while (
            at + 1 < len(nodes)
            and nodes[at + 1] >= self.grounds.stops
            and self.grounds.line_id(nodes[at + 1]) == line_id
        ):
            at += 1
        return at

    def _after(self, nodes: tuple[int, ...], end: int) -> tuple[int, float]:
        """From where to read on after a ride, and the minutes that changing takes.

        The next node is the platform, or it is aboard another line at the same stop.
        """
        if end + 1 < len(nodes) and nodes[end + 1] >= self.grounds.stops:
            return end, LEVEL_CHANGE_MINUTES
        return end + 1, CHANGE_MINUTES

    def _ride(self, nodes: tuple[int, ...], gap: float) -> Ride:
        """A ride from the platform of the first node, aboard all the others."""
        grounds, services = self.grounds, self.grounds.services
        boarded = nodes[1] - grounds.stops
        origin = grounds.stop_ids[nodes[0]]
        wait = next(found.wait for found in services.boardings[origin] if found.state == boarded)
        line_id = grounds.line_id(nodes[1])
        minutes, estimated = 0.0, False
        for node, following in pairwise(nodes[1:]):
            ahead = services.ahead[node - grounds.stops]
            step = next(found for found in ahead if found.state == following - grounds.stops)
            minutes += step.minutes
            wait += step.wait
            edge = line_id, grounds.stop_ids[node], grounds.stop_ids[following]
            estimated = estimated or self.network.ride[edge].estimated
        stop_ids = tuple(grounds.stop_ids[node] for node in nodes[1:])
        return Ride(line_id, stop_ids, minutes, gap + wait, estimated)

    def _on_foot(self, moves: list[Move], nodes: tuple[int, ...], at: int, gap: float) -> float:
        """Go on foot to the next node; the gap that is left before what follows.

        Between two rides the way within a hub is a part of the change; at either end, and outside
        stations, it is a walk.
        """
        one, other = (self.grounds.stop_ids[node] for node in nodes[at : at + 2])
        here, there = self.network.stops[one], self.network.stops[other]
        within = bool(here.hub) and here.hub == there.hub
        minutes = hub_minutes(self.network, one, other, self.speed) if within else None
        if minutes is not None and moves and at + 2 < len(nodes):
            return gap + minutes
        walk = self._walk(here.place, there.place, minutes, gap)
        before = moves[-1] if moves else None
        if isinstance(before, Walk) and not gap:
            moves[-1] = before._replace(
                destination=walk.destination,
                minutes=before.minutes + walk.minutes,
                metres=before.metres + walk.metres,
            )
        else:
            moves.append(walk)
        return 0.0

    def _walk(
        self, origin: Place, destination: Place, minutes: float | None = None, gap: float = 0.0
    ) -> Walk:
        metres = 0.0
        if origin.point and destination.point:
            metres = metres_between(origin.point, destination.point)
        if minutes is None:
            minutes = walking_minutes(metres, self.speed)
        return Walk(origin, destination, minutes, metres, gap)

    def _place(self, stop_id: str) -> Place:
        return self.network.stops[stop_id].place

    def _serving(self, moves: list[Move], limits: Limits) -> tuple[frozenset[str], ...]:
        return tuple(
            frozenset(
                ride.line.id
                for ride in self.direct.between(move.stop_ids[0], move.stop_ids[-1])
                if ride.line.id == move.line_id
                or (
                    ride.minutes <= move.minutes + AS_WELL
                    and ride.line.id not in limits.closed_lines
                    and limits.closed_stops.isdisjoint(ride.stop_ids)
                )
            )
            for move in moves
            if isinstance(move, Ride)
        )


class _Times(NamedTuple):
    """Seconds since the epoch of the beginning and the end of a move."""

    departure: int
    arrival: int


def tell(
    course: Course, network: Network, rides: DirectRides, when: datetime, *, arriving: bool
) -> Plan:
    """The plan of a course that begins at a moment, or ends at it.

    A plan begins when one sets out, or stands on the first platform: waiting for the first train
    is part of it. Times are whole minutes, and no leg takes less than one.
    """
    offsets = _offsets(course.moves)
    total = offsets[-1][1]
    exact = when.timestamp() / 60
    start = floor(exact) - total if arriving else ceil(exact)
    times = [_Times((start + begin) * 60, (start + end) * 60) for begin, end in offsets]
    legs: list[Leg] = []
    serving = iter(course.serving)
    for at, move in enumerate(course.moves):
        gap = (times[at + 1].departure - times[at].arrival) // 60 if at + 1 < len(times) else 0
        if isinstance(move, Ride):
            legs.append(_ride(move, next(serving), network, rides, times[at], gap))
        else:
            legs.append(_walk(move, times[at], gap))
    return Plan(_moment(start * 60), legs[-1].arrival, tuple(legs))


def _offsets(moves: tuple[Move, ...]) -> list[tuple[int, int]]:
    """Minutes from the start to the beginning and the end of each move, in whole minutes."""
    offsets: list[tuple[int, int]] = []
    exact, clock = 0.0, 0
    for move in moves:
        exact += move.gap
        begin = max(clock, round(exact))
        exact += move.minutes
        clock = max(begin + 1, round(exact))
        offsets.append((begin, clock))
    return offsets


def _ride(
    ride: Ride,
    serving: frozenset[str],
    network: Network,
    rides: DirectRides,
    times: _Times,
    gap: int,
) -> Leg:
    line = network.lines[ride.line_id]
    places = tuple(network.stops[stop_id].place for stop_id in ride.stop_ids)
    heading = rides.heading(ride.line_id, ride.stop_ids)
    return Leg(
        line.mode,
        places[0],
        places[-1],
        _moment(times.departure),
        _moment(times.arrival),
        line_id=line.id,
        line=line.name,
        direction=heading,
        also=tuple(sorted(network.lines[other].name for other in serving - {line.id})),
        summary=f"Take the {_spoken(line)} towards {heading} to {places[-1].name}.",
        path=tuple(network.stops[stop_id].point for stop_id in ride.stop_ids),
        stops=places[1:],
        interchange_minutes=gap,
        timing="distance_estimate" if ride.estimated else "running_times",
    )


def _walk(walk: Walk, times: _Times, gap: int) -> Leg:
    return Leg(
        "walking",
        walk.origin,
        walk.destination,
        _moment(times.departure),
        _moment(times.arrival),
        summary=f"Walk to {_called(walk.destination)}.",
        distance_metres=round(walked(walk.metres)),
        path=tuple(place.point for place in (walk.origin, walk.destination) if place.point),
        interchange_minutes=gap,
        timing="walking_speed",
    )


def _spoken(line: Line) -> str:
    """The name of a line within a sentence: `Victoria line`, `DLR`, `Elizabeth line`."""
    name = "tram" if line.mode == "tram" else line.name
    return name if line.mode in ("tram", "dlr") or name.endswith("line") else f"{name} line"


def _called(place: Place) -> str:
    return place.name or "the destination"


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, LONDON)
