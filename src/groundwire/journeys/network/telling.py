"""Tells a course as a plan of an itinerary: with times, directions, stops and its way."""

from __future__ import annotations

from datetime import datetime
from math import ceil, floor
from typing import NamedTuple

from groundwire.journeys.itinerary import LONDON, Leg, Place, Plan
from groundwire.journeys.network.course import Course, Move, Ride, Walk
from groundwire.journeys.network.direct import DirectRides
from groundwire.journeys.network.distance import walked
from groundwire.journeys.network.model import Line, Network


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
        summary=f"Take the {spoken(line)} towards {heading} to {places[-1].name}.",
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


def spoken(line: Line) -> str:
    """The name of a line within a sentence: `Victoria line`, `DLR`, `Elizabeth line`."""
    name = "tram" if line.mode == "tram" else line.name
    return name if line.mode in ("tram", "dlr") or name.endswith("line") else f"{name} line"


def _called(place: Place) -> str:
    return place.name or "the destination"


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, LONDON)
