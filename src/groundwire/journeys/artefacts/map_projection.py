"""Where things lie on the sheet: Web Mercator, the view of a frame, lines, and ways of legs.

The projection is the spherical one of EPSG:3857, in units of the world's width; over London it
keeps shapes, and a kilometre is as long in every direction.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

from groundwire.journeys.artefacts.map_style import ride_colour
from groundwire.journeys.artefacts.map_words import place_name
from groundwire.journeys.itinerary import Leg, Place, Plan, Point
from groundwire.journeys.network.model import Network

EQUATOR_METRES = 40_075_016.686
# Nobody needs a map of less than this across, and a plan of one point would have no scale.
SMALLEST_METRES = 900.0
# The world of this projection is square.
_LAST_LATITUDE = 85.0511287798066
_BARS = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)

Pixel = tuple[float, float]


class Box(NamedTuple):
    """A rectangle on the sheet, in pixels."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    def grown(self, by: float) -> Box:
        """The same rectangle, wider by so much on every side."""
        return Box(self.left - by, self.top - by, self.width + 2 * by, self.height + 2 * by)

    def joined(self, pixel: Pixel, radius: float) -> Box:
        """The smallest rectangle that has this one and a disc."""
        left, top = min(self.left, pixel[0] - radius), min(self.top, pixel[1] - radius)
        right, bottom = max(self.right, pixel[0] + radius), max(self.bottom, pixel[1] + radius)
        return Box(left, top, right - left, bottom - top)

    def overlaps(self, other: Box) -> bool:
        """Whether they have an area in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: Box) -> bool:
        """Whether the other lies inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def has(self, pixel: Pixel) -> bool:
        """Whether the pixel lies inside."""
        return self.left <= pixel[0] <= self.right and self.top <= pixel[1] <= self.bottom


class Bounds(NamedTuple):
    """A part of the ground, in degrees."""

    south: float
    west: float
    north: float
    east: float

    def has(self, point: Point) -> bool:
        """Whether the position lies inside."""
        return self.south <= point.lat <= self.north and self.west <= point.lon <= self.east

    def may_show(self, one: Point, other: Point) -> bool:
        """Whether a stretch may cross it: no side has both ends beyond it."""
        return not (
            (one.lat < self.south and other.lat < self.south)
            or (one.lat > self.north and other.lat > self.north)
            or (one.lon < self.west and other.lon < self.west)
            or (one.lon > self.east and other.lon > self.east)
        )


@dataclass(frozen=True, slots=True)
class View:
    """The part of the world that a frame shows.

    Attributes:
        frame: the part of the sheet.
        left, top: the world's coordinates at the frame's corner.
        scale: pixels to the world's width.
        metres: metres on the ground to one pixel, at the middle of the frame.
    """

    frame: Box
    left: float
    top: float
    scale: float
    metres: float

    def pixel(self, point: Point) -> Pixel:
        """Where a position lies on the sheet."""
        x, y = mercator(point)
        return (
            self.frame.left + (x - self.left) * self.scale,
            self.frame.top + (y - self.top) * self.scale,
        )

    def bounds(self, margin: float) -> Bounds:
        """The ground that the frame shows, with so many pixels more on every side."""
        box = self.frame.grown(margin)
        west, north = self._degrees(box.left, box.top)
        east, south = self._degrees(box.right, box.bottom)
        return Bounds(south, west, north, east)

    def _degrees(self, x: float, y: float) -> tuple[float, float]:
        """Longitude and latitude at a pixel."""
        across = self.left + (x - self.frame.left) / self.scale
        down = self.top + (y - self.frame.top) / self.scale
        latitude = math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * down))))
        return (across - 0.5) * 360, latitude

    def pixels(self, points: Iterable[Point]) -> list[Pixel]:
        """Where several positions lie."""
        return [self.pixel(point) for point in points]


def mercator(point: Point) -> Pixel:
    """The position in units of the world's width, from the north-west corner."""
    sine = math.sin(math.radians(max(-_LAST_LATITUDE, min(_LAST_LATITUDE, point.lat))))
    return point.lon / 360 + 0.5, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


def fit(points: Sequence[Point], frame: Box, padding: float) -> View:
    """The view that shows all the points, with so many pixels left free at each edge."""
    placed = [mercator(point) for point in points]
    west, east = min(x for x, _ in placed), max(x for x, _ in placed)
    north, south = min(y for _, y in placed), max(y for _, y in placed)
    middle = (north + south) / 2
    latitude = math.atan(math.sinh(math.pi * (1 - 2 * middle)))
    world_metres = EQUATOR_METRES * math.cos(latitude)
    least = SMALLEST_METRES / world_metres
    inner_width = max(1.0, frame.width - 2 * padding)
    inner_height = max(1.0, frame.height - 2 * padding)
    scale = min(inner_width / max(east - west, least), inner_height / max(south - north, least))
    return View(
        frame=frame,
        left=(west + east) / 2 - frame.width / 2 / scale,
        top=middle - frame.height / 2 / scale,
        scale=scale,
        metres=world_metres / scale,
    )


def simplify(line: Sequence[Pixel], tolerance: float = 0.4) -> list[Pixel]:
    """The line without points that lie within `tolerance` pixels of it (Douglas and Peucker)."""
    if len(line) < 3:
        return list(line)
    kept = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        farthest, worst = 0, tolerance
        for index in range(first + 1, last):
            away = _distance(line[index], line[first], line[last])
            if away > worst:
                farthest, worst = index, away
        if farthest:
            kept.add(farthest)
            spans += [(first, farthest), (farthest, last)]
    return [line[index] for index in sorted(kept)]


def length(line: Sequence[Pixel]) -> float:
    """How long a line is, in pixels."""
    return sum(math.dist(one, other) for one, other in pairwise(line))


def along(line: Sequence[Pixel], fraction: float) -> Pixel:
    """The pixel after that part of the line's length."""
    left = length(line) * fraction
    for one, other in pairwise(line):
        step = math.dist(one, other)
        if step >= left and step > 0:
            share = left / step
            return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share
        left -= step
    return line[-1]


def nearest(line: Sequence[Pixel], pixel: Pixel) -> Pixel:
    """The pixel of the line that is nearest to another one."""
    found = (_foot(pixel, one, other) for one, other in pairwise(line))
    return min(found, key=lambda foot: math.dist(foot, pixel), default=line[0])


def dots(line: Sequence[Pixel], every: float) -> list[Pixel]:
    """Pixels on the line, at most `every` apart."""
    found = list(line[:1])
    for one, other in pairwise(line):
        count = max(1, math.ceil(math.dist(one, other) / every))
        for index in range(1, count + 1):
            share = index / count
            found.append(
                (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share)
            )
    return found


def path_data(line: Sequence[Pixel]) -> str:
    """The `d` of a path along the line."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)


def scale_bar(view: View, longest: float) -> tuple[float, str]:
    """A round distance of at most `longest` pixels: how many pixels it is, and its name."""
    fitting = [metres for metres in _BARS if metres / view.metres <= longest]
    metres = fitting[-1] if fitting else _BARS[0]
    name = f"{metres} m" if metres < 1000 else f"{metres // 1000} km"
    return metres / view.metres, name


def _distance(pixel: Pixel, one: Pixel, other: Pixel) -> float:
    """How far a pixel is from the stretch between two others."""
    return math.dist(pixel, _foot(pixel, one, other))


def _foot(pixel: Pixel, one: Pixel, other: Pixel) -> Pixel:
    """The pixel nearest to another one on the stretch between two."""
    across, down = other[0] - one[0], other[1] - one[1]
    squared = across * across + down * down
    if squared == 0:
        return one
    share = ((pixel[0] - one[0]) * across + (pixel[1] - one[1]) * down) / squared
    share = max(0.0, min(1.0, share))
    return one[0] + across * share, one[1] + down * share


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
