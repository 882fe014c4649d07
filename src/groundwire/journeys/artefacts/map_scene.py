"""The scene of a plan's map, in pixels: the ways of its legs, the points on them, the captions.

A caption stands beside what it names, over nothing else, or nowhere. The placement is greedy:
captions come in the order of their importance, and each takes the best place that is left. Those
that must be seen may stand farther away, with a line to what they name.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

from groundwire.journeys.artefacts.map_projection import (
    Box,
    Pixel,
    Strand,
    View,
    along,
    dots,
    length,
    on_a_view,
    strands,
)
from groundwire.journeys.artefacts.map_words import Words, clock, place_name, wrap
from groundwire.journeys.itinerary import Place, Plan
from groundwire.journeys.network.model import Network
from groundwire.safe_text import safe_line

Align = Literal["start", "middle", "end"]

LEADING = 1.22
# Where a caption may stand around its point, best first: right, left, then the corners.
_SIDES = ((1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1))
_NEAR = 5.0
# A name that need not be seen may cost its side and two pixels of a crossed line.
_TOO_MUCH = 22.0
_FAR = (12.0, 22.0, 44.0, 72.0, 104.0)
_SQUARE = 24.0


@dataclass(frozen=True, slots=True)
class Caption:
    """A name and the point that it names.

    Attributes:
        lines: what it says, line by line.
        point: what it names.
        radius: how much room the marker takes around the point.
        kind: what it is drawn as.
        must: whether it may stand apart from its point rather than not at all.
    """

    lines: tuple[Words, ...]
    point: Pixel
    radius: float
    kind: str = "ink"
    must: bool = False


class Placed(NamedTuple):
    """A caption in its place.

    Attributes:
        caption: what stands there.
        box: the room that it takes.
        align: from which side its lines are set.
        leader: the end of the line to its point, where it stands apart.
    """

    caption: Caption
    box: Box
    align: Align
    leader: Pixel | None = None


def place(
    captions: Iterable[Caption], frame: Box, taken: Iterable[Box], ways: Iterable[Pixel]
) -> list[Placed]:
    """The captions that find a place inside the frame.

    Args:
        captions: most important first.
        frame: what they may not leave.
        taken: what they may not cover, such as markers.
        ways: pixels of lines, which they cover only where no better place is free.
    """
    inner = frame.grown(-4)
    occupied = list(taken)
    crossed = _Ways(ways)
    placed: list[Placed] = []
    for caption in captions:
        best: Placed | None = None
        least = float("inf")
        for candidate, cost in _candidates(caption):
            if cost >= least or not inner.holds(candidate.box):
                continue
            if any(candidate.box.overlaps(box) for box in occupied) or _crosses(candidate, placed):
                continue
            cost += (8 if caption.must else 5) * crossed.count(candidate.box.grown(5))
            if cost < least and (caption.must or cost < _TOO_MUCH):
                best, least = candidate, cost
        if best is not None:
            placed.append(best)
            occupied.append(best.box.grown(2))
    return placed


def _crosses(candidate: Placed, placed: Iterable[Placed]) -> bool:
    """Whether a line to a point would cross another one, or a name that another point has."""
    own = _line(candidate)
    for other in placed:
        line = _line(other)
        if own and (_enters(own, other.box) or (line and _cross(own, line))):
            return True
        if line and _enters(line, candidate.box):
            return True
    return False


def _line(placed: Placed) -> tuple[Pixel, Pixel] | None:
    """Return the line between a name that stands apart and its point."""
    return (placed.caption.point, placed.leader) if placed.leader else None


def _enters(line: tuple[Pixel, Pixel], box: Box) -> bool:
    (left, top), (right, bottom) = (box.left, box.top), (box.right, box.bottom)
    across = (((left, top), (right, bottom)), ((left, bottom), (right, top)))
    return box.has(line[0]) or box.has(line[1]) or any(_cross(line, one) for one in across)


def _cross(one: tuple[Pixel, Pixel], other: tuple[Pixel, Pixel]) -> bool:
    """Whether two lines have a point in common."""

    def side(line: tuple[Pixel, Pixel], pixel: Pixel) -> float:
        (x, y), (to_x, to_y) = line
        return (to_x - x) * (pixel[1] - y) - (to_y - y) * (pixel[0] - x)

    return (
        side(one, other[0]) * side(one, other[1]) < 0
        and side(other, one[0]) * side(other, one[1]) < 0
    )


def _candidates(caption: Caption) -> Iterator[tuple[Placed, float]]:
    """Places of a caption, with what each costs before anything is crossed."""
    width = max(words.width for words in caption.lines)
    height = sum(words.size for words in caption.lines) * LEADING
    for step, away in enumerate((_NEAR, *(_FAR if caption.must else ()))):
        reach = caption.radius + away
        for order, (across, down) in enumerate(_SIDES):
            # A corner is nearer along each axis than a side.
            offset = reach * (0.7 if across and down else 1)
            x = caption.point[0] + across * offset
            y = caption.point[1] + down * offset
            left = x if across > 0 else x - width if across < 0 else x - width / 2
            top = y if down > 0 else y - height if down < 0 else y - height / 2
            align: Align = "start" if across > 0 else "end" if across < 0 else "middle"
            leader = (x, y) if step else None
            placed = Placed(caption, Box(left, top, width, height), align, leader)
            yield placed, order * 1.5 + step * 14


class _Ways:
    """Pixels of lines, found by the square they lie in."""

    def __init__(self, pixels: Iterable[Pixel]) -> None:
        self._squares: defaultdict[tuple[int, int], list[Pixel]] = defaultdict(list)
        for pixel in pixels:
            self._squares[int(pixel[0] // _SQUARE), int(pixel[1] // _SQUARE)].append(pixel)

    def count(self, box: Box) -> int:
        """How many of them a box would cover."""
        return sum(
            box.has(pixel)
            for column in range(int(box.left // _SQUARE), int(box.right // _SQUARE) + 1)
            for row in range(int(box.top // _SQUARE), int(box.bottom // _SQUARE) + 1)
            for pixel in self._squares.get((column, row), ())
        )


def baselines(placed: Placed) -> Iterator[tuple[Words, Pixel]]:
    """Each line of a caption with the point at which its baseline begins, by its alignment."""
    box = placed.box
    x = {"start": box.left, "middle": box.left + box.width / 2, "end": box.right}[placed.align]
    y = box.top
    for words in placed.caption.lines:
        yield words, (x, y + words.size * 0.95)
        y += words.size * LEADING


def free(
    candidates: Sequence[Pixel], radius: float, taken: Sequence[Box], frame: Box
) -> Pixel | None:
    """The first of the pixels around which a disc of that radius covers nothing taken."""
    for x, y in candidates:
        box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
        if frame.holds(box) and not any(box.overlaps(other) for other in taken):
            return x, y
    return None


Role = Literal["start", "end", "change", "stop"]

BADGE = 10.5
# Points of a plan that are nearer to each other than this are one marker.
_TOGETHER = 16.0
# Likewise where they have the same name, as platforms and entrances of a station have.
_SAME = 44.0
# Where a pixel is more metres than this, a frame has too many large stations to name a few.
_LANDMARKS_BELOW = 22.0
# Minutes from which one stays at a place, and does not only change there.
_STAY = 30
_RADIUS: dict[Role, float] = {"start": 10.0, "end": 12.0, "change": 8.0, "stop": 6.5}


class Marker(NamedTuple):
    """A point of a plan: where it begins, ends, or changes from one leg to the next.

    Attributes:
        role: which of these it is.
        pixel: where it is.
        name: of the place.
        when: what happens there, and when.
        other: where the next ride begins, where that is another platform near by.
    """

    role: Role
    pixel: Pixel
    name: str
    when: str
    other: Pixel | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on the map of one plan that is the plan's own, in pixels of a view."""

    view: View
    strands: tuple[Strand, ...]
    markers: tuple[Marker, ...]
    captions: tuple[Placed, ...]


def lay(plan: Plan, network: Network | None, view: View, rich: bool = True) -> Scene:
    """The plan on a view.

    Args:
        plan: what is shown.
        network: knows where stops are that a plan only names.
        view: the frame and its scale.
        rich: whether stops on the way and other large stations have their names as well.
    """
    laid = [on_a_view(strand, network, view) for strand in strands(plan, network)]
    markers = _markers(plan, laid)
    taken = [_room(marker) for marker in markers]
    for index, strand in enumerate(laid):
        others = [box for other in laid if other is not strand for box in _along(other)]
        places = list(_badge_places(strand))
        spot = free(places, BADGE + 1, [*taken, *others], view.frame)
        spot = spot or free(places, BADGE + 1, taken, view.frame)
        if spot is not None:
            taken.append(Box(spot[0] - BADGE, spot[1] - BADGE, 2 * BADGE, 2 * BADGE))
        laid[index] = replace(strand, badge=spot)
    ways = [pixel for strand in laid for pixel in dots(strand.line, 6)]
    widest = min(250.0, view.frame.width * 0.45)
    captions = [_caption(marker, widest) for marker in sorted(markers, key=_importance)]
    if rich and network is not None:
        captions += _stops_on_the_way(laid, markers)
        if view.metres < _LANDMARKS_BELOW:
            captions += _landmarks(network, view, ways)
    corner = Box(view.frame.left, view.frame.bottom - 40, min(170, view.frame.width / 3), 40)
    placed = place(captions, view.frame, [*taken, corner], ways)
    return Scene(view, tuple(laid), tuple(markers), tuple(placed))


def _badge_places(strand: Strand) -> Iterator[Pixel]:
    """Where the number of a leg may stand: on its way, else beside it."""
    if not strand.line:
        return
    if length(strand.line) > 2 * BADGE:
        for fraction in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
            yield along(strand.line, fraction)
    middle = along(strand.line, 0.5)
    for away in (24.0, 34.0, 46.0):
        for eighth in (2, 6, 1, 3, 5, 7, 0, 4):
            angle = eighth * math.pi / 4
            yield middle[0] + away * math.cos(angle), middle[1] + away * math.sin(angle)


def _along(strand: Strand) -> list[Box]:
    """The room that a leg's line takes."""
    return [Box(x - 4, y - 4, 8, 8) for x, y in dots(strand.line, 8)]


def _markers(plan: Plan, laid: list[Strand]) -> list[Marker]:
    """The points between the legs; those that would lie on one another are one."""
    known = [strand for strand in laid if strand.line]
    if not known:
        return []
    first, last = known[0], known[-1]
    start = Marker(
        "start", first.line[0], place_name(first.leg.origin), f"leave {clock(plan.start)}"
    )
    end = Marker(
        "end", last.line[-1], place_name(last.leg.destination), f"arrive {clock(plan.arrival)}"
    )
    between: list[tuple[Strand, Strand]] = []
    for one, other in pairwise(known):
        # A ride ends at its platform, which is where people think of the station as being.
        place = one.leg.destination if one.leg.is_ride else other.leg.origin
        pixel = _meeting(one, other)
        if any(_is_at(marker, pixel, place) for marker in (start, end)):
            continue
        if between and math.dist(pixel, _meeting(*between[-1])) < _TOGETHER:
            between[-1] = (between[-1][0], other)
        else:
            between.append((one, other))
    if math.dist(start.pixel, end.pixel) < _TOGETHER:
        # One comes back to where one set out.
        start = end = end._replace(when=f"{start.when}, {end.when}")
    changes: list[Marker] = []
    for marker in (_change(*pair) for pair in between):
        again = next((one for one in changes if _is_same(one, marker)), None)
        if again is None:
            changes.append(marker)
        else:
            when = f"{again.when}, {marker.when.removeprefix('change ')}"
            changes[changes.index(again)] = again._replace(when=when)
    marked = [start, *changes, end]
    return marked if start is not end else marked[:-1]


def _meeting(one: Strand, other: Strand) -> Pixel:
    """Where two legs meet: at the platform at which a ride ends, else where the next begins."""
    return one.line[-1] if one.leg.is_ride else other.line[0]


def _change(one: Strand, other: Strand) -> Marker:
    pixel, before, after = _meeting(one, other), one.leg, other.leg
    if before.is_ride and after.is_ride:
        when = f"{clock(before.arrival)}–{clock(after.departure)}"
        near = math.dist(pixel, other.line[0]) < 2 * _TOGETHER
        platform = other.line[0] if near else None
        waits = (after.departure - before.arrival).total_seconds() / 60
        verb = "change " if waits < _STAY else ""
        return Marker("change", pixel, place_name(before.destination), f"{verb}{when}", platform)
    if before.is_ride:
        return Marker("stop", pixel, place_name(before.destination), f"off {clock(before.arrival)}")
    verb = "board" if after.is_ride else "from"
    return Marker("stop", pixel, place_name(after.origin), f"{verb} {clock(after.departure)}")


def _is_at(marker: Marker, pixel: Pixel, place: Place) -> bool:
    """Whether a point needs no marker of its own beside another one."""
    near = _SAME if marker.name == place_name(place) else _TOGETHER
    return math.dist(pixel, marker.pixel) < near


def _is_same(one: Marker, other: Marker) -> bool:
    """Whether one changes twice at the same place, which is marked once."""
    same = (one.name, one.role, "change" in one.when) == (
        other.name,
        other.role,
        "change" in other.when,
    )
    return same and math.dist(one.pixel, other.pixel) < 2 * _TOGETHER


def _importance(marker: Marker) -> int:
    return ("start", "end", "change", "stop").index(marker.role)


def _room(marker: Marker) -> Box:
    """Return the box that a marker covers: a pin stands above its point."""
    x, y = marker.pixel
    if marker.role == "end":
        return Box(x - 12, y - 32, 24, 36)
    radius = _RADIUS[marker.role]
    room = Box(x - radius, y - radius, 2 * radius, 2 * radius)
    return room if marker.other is None else room.joined(marker.other, radius)


def _caption(marker: Marker, width: float) -> Caption:
    main = marker.role in ("start", "end")
    size = 15 if main else 13.5
    names = wrap(marker.name, width, size, 2, bold=True) if marker.name else []
    words = [Words(name, size, bold=True) for name in names]
    words.append(Words(marker.when, 12))
    x, y = marker.pixel
    # A pin's middle is above the point it marks.
    point = (x, y - 14) if marker.role == "end" else (x, y)
    radius = 18 if marker.role == "end" else _RADIUS[marker.role]
    return Caption(tuple(words), point, radius, "ink", must=True)


def _stops_on_the_way(laid: Iterable[Strand], markers: list[Marker]) -> list[Caption]:
    """Names of the stops that a ride calls at between its ends."""
    named = {marker.name for marker in markers}
    captions: list[Caption] = []
    for strand in laid:
        for call in strand.calls:
            if call.name and call.name not in named:
                named.add(call.name)
                captions.append(Caption((Words(call.name, 11.5),), call.pixel, 5, "ink"))
    return captions


def _landmarks(network: Network, view: View, ways: list[Pixel]) -> list[Caption]:
    """The largest stations that the frame shows away from the plan."""
    found: dict[str, tuple[int, Pixel]] = {}
    bounds = view.bounds(-12)
    for stop in network.stops.values():
        if bounds.has(stop.point):
            name, many = safe_line(stop.name), len(stop.lines)
            if name not in found or many > found[name][0]:
                found[name] = (many, view.pixel(stop.point))
    ranked = sorted(found.items(), key=lambda one: (-one[1][0], one[0]))
    captions: list[Caption] = []
    for name, (_, pixel) in ranked:
        if len(captions) == 12:
            break
        if all(math.dist(pixel, way) > 30 for way in ways):
            captions.append(Caption((Words(name, 11),), pixel, 3, "faint"))
    return captions
