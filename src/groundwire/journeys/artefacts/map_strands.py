"""The ways of a plan's legs, told apart and laid on a view."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from groundwire.journeys.artefacts.map_projection import Pixel, View, nearest, simplify
from groundwire.journeys.artefacts.map_style import ride_colour
from groundwire.journeys.artefacts.map_words import place_name
from groundwire.journeys.itinerary import Leg, Place, Plan, Point
from groundwire.journeys.network.model import Network

Way = Literal["ride", "walk", "cycle"]

# Pixels that a stop may lie from the line of a leg that calls at it.
_OFF_THE_LINE = 26.0


class Call(NamedTuple):
    """A stop that a ride calls at on its way."""

    pixel: Pixel
    name: str


@dataclass(frozen=True, slots=True)
class Strand:
    """The way of one leg.

    Attributes:
        number: of the leg, from 1.
        leg: the leg.
        way: how it is travelled.
        colour: of its line; empty on foot and by cycle, which have the theme's.
        striped: whether it has a stripe along its middle, to tell it from the leg before it on a
            line of the same colour.
        line: its pixels; empty where nobody knows where it is.
        calls: stops it calls at on its way.
        badge: where its number stands; None without room for it.
    """

    number: int
    leg: Leg
    way: Way
    colour: str
    striped: bool
    line: tuple[Pixel, ...] = ()
    calls: tuple[Call, ...] = ()
    badge: Pixel | None = None


def strands(plan: Plan, network: Network | None) -> list[Strand]:
    """The legs of a plan, told apart, not yet laid on a view."""
    seen: Counter[str] = Counter()
    told: list[Strand] = []
    for number, leg in enumerate(plan.legs, 1):
        way: Way = "ride" if leg.is_ride else "cycle" if leg.mode == "cycle" else "walk"
        colour = ride_colour(leg, network) if leg.is_ride else ""
        told.append(Strand(number, leg, way, colour, bool(colour) and seen[colour] % 2 == 1))
        seen[colour] += 1
    return told


def course(leg: Leg, network: Network | None) -> tuple[Point, ...]:
    """The positions that a leg leads through, as far as they are known."""
    path = tuple(point for point in leg.path if _is_somewhere(point))
    if len(path) > 1:
        return path
    ends = (position(leg.origin, network), position(leg.destination, network))
    return tuple(point for point in ends if point is not None) or path


def position(place: Place, network: Network | None) -> Point | None:
    """Where a place is, by itself or by the network."""
    if place.point is not None and _is_somewhere(place.point):
        return place.point
    stop = network.stops.get(place.stop_id) if network is not None else None
    return stop.point if stop is not None else None


def _is_somewhere(point: Point) -> bool:
    """Whether a position is one: two zeros are how data says that it is not known."""
    return (point.lat, point.lon) != (0, 0) and abs(point.lat) <= 90 and abs(point.lon) <= 180


def on_a_view(strand: Strand, network: Network | None, view: View) -> Strand:
    """A leg with its pixels, and those of the stops that it calls at."""
    line = simplify(view.pixels(course(strand.leg, network)))
    calls: list[Call] = []
    for stop in strand.leg.stops[:-1] if strand.way == "ride" and line else ():
        point = position(stop, network)
        if point is not None:
            # The middle of a large station is not on every line that it has.
            pixel = nearest(line, view.pixel(point))
            if math.dist(pixel, view.pixel(point)) < _OFF_THE_LINE:
                calls.append(Call(pixel, place_name(stop)))
    return replace(strand, line=tuple(line), calls=tuple(calls))
