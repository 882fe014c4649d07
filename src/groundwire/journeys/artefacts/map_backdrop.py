"""The backdrop of a plan on its map: the Thames, and the network of London, both faint."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from groundwire.journeys.artefacts.map_projection import Pixel, View, path_data
from groundwire.journeys.artefacts.map_river import THAMES
from groundwire.journeys.artefacts.map_style import net_class
from groundwire.journeys.itinerary import Point
from groundwire.journeys.network.model import Network

# Where a pixel is more metres than this, stations would be a pattern of dots.
_SPOTS_BELOW = 22.0
_THINNEST = 2.5
# Pixels between corners of the river, and in how many pieces the way between two points is drawn.
_APART = 9.0
_STEPS = 8


def backdrop(network: Network | None, view: View) -> Iterator[str]:
    """The elements behind a plan, in the order they are drawn."""
    yield from _river(view)
    if network is None:
        return
    yield from _lines(network, view)
    if view.metres < _SPOTS_BELOW:
        bounds = view.bounds(0)
        inside = [
            view.pixel(stop.point) for stop in network.stops.values() if bounds.has(stop.point)
        ]
        data = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in dict.fromkeys(inside))
        if data:
            yield f'<path class="spots" d="{data}"/>'


def net_colours(network: Network | None) -> list[str]:
    """Colours of the lines of the network."""
    return [] if network is None else [line.colour.upper() for line in network.lines.values()]


def _river(view: View) -> Iterator[str]:
    """The water that the frame shows, as one shape for each time the river comes into it."""
    bounds = view.bounds(60)
    line, widths = _THAMES
    last = len(line) - 1
    shown = [bounds.may_show(*pair) for pair in pairwise(line)]
    for wet, stretch in groupby(range(last), key=shown.__getitem__):
        if wet:
            course: list[tuple[Pixel, float]] = []
            for at in stretch:
                nearby = (max(0, at - 1), at, at + 1, min(last, at + 2))
                four = view.pixels(line[index] for index in nearby)
                course += _bend(four, widths[at] / view.metres, widths[at + 1] / view.metres)
            yield f'<path class="river" d="{_banks(course)}"/>'


def _bend(pixels: Sequence[Pixel], above: float, below: float) -> Iterator[tuple[Pixel, float]]:
    """Pixels between the second and the third of four, on a curve through all of them.

    It is the spline of Catmull and Rom; with each pixel comes the width of the river there.
    """
    steps = max(1, min(_STEPS, round(math.dist(pixels[1], pixels[2]) / _APART)))
    for step in range(steps + 1):
        t = step / steps
        parts = (
            -t * (1 - t) ** 2 / 2,
            (3 * t**3 - 5 * t**2 + 2) / 2,
            (-3 * t**3 + 4 * t**2 + t) / 2,
            (t - 1) * t**2 / 2,
        )
        x = sum(part * pixel[0] for part, pixel in zip(parts, pixels, strict=True))
        y = sum(part * pixel[1] for part, pixel in zip(parts, pixels, strict=True))
        yield (x, y), max(_THINNEST, above + (below - above) * t)


def _banks(course: Sequence[tuple[Pixel, float]]) -> str:
    """The outline of a river of that course: down along one bank, up along the other."""
    left: list[Pixel] = []
    right: list[Pixel] = []
    last = len(course) - 1
    for at, ((x, y), width) in enumerate(course):
        before, after = course[max(0, at - 1)][0], course[min(last, at + 1)][0]
        across, down = after[0] - before[0], after[1] - before[1]
        half = width / 2 / (math.hypot(across, down) or 1)
        left.append((x + down * half, y - across * half))
        right.append((x - down * half, y + across * half))
    return path_data([*left, *reversed(right)]) + "Z"


def _course() -> tuple[list[Point], list[float]]:
    """The river's points, downstream, and how wide it is at each, in metres."""
    points: list[Point] = []
    widths: list[float] = []
    for reach in THAMES:
        count = len(reach.points) - 1
        for at, point in enumerate(reach.points):
            if at or not points:
                points.append(point)
                widths.append(reach.above + (reach.below - reach.above) * at / count)
    return points, widths


_THAMES = _course()


def _lines(network: Network, view: View) -> Iterator[str]:
    """One path for each line, of the edges that the frame shows, each drawn once."""
    bounds = view.bounds(4)
    stops = network.stops
    pixels: dict[str, Pixel] = {}
    drawn: set[tuple[str, str, str]] = set()
    of_line: defaultdict[str, list[str]] = defaultdict(list)
    for line, origin, destination, *_ in network.edges:
        ends = stops[origin].point, stops[destination].point
        if (line, destination, origin) in drawn or not bounds.may_show(*ends):
            continue
        drawn.add((line, origin, destination))
        for stop_id, point in zip((origin, destination), ends, strict=True):
            if stop_id not in pixels:
                pixels[stop_id] = view.pixel(point)
        (x, y), (to_x, to_y) = pixels[origin], pixels[destination]
        of_line[line].append(f"M{x:.0f} {y:.0f}L{to_x:.0f} {to_y:.0f}")
    for line, stretches in of_line.items():
        name = net_class(network.lines[line].colour.upper())
        yield f'<path class="net {name}" d="{"".join(stretches)}"/>'
