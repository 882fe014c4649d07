"""The elements of one plan's map: its ways, markers, numbers, names and the scale.

The backdrop of a plan on its map: the Thames, and the network of London, both faint. The Thames
through London, by which people find their way on a map. A centre line from Teddington to Erith
through the bridges, piers and bends that lie on it, set by hand from their published positions;
good to about a hundred metres.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from groundwire.journeys.artefacts.map_projection import Pixel, Strand, View, path_data, scale_bar
from groundwire.journeys.artefacts.map_scene import BADGE, Marker, Placed, Scene, baselines
from groundwire.journeys.artefacts.map_style import net_class
from groundwire.journeys.artefacts.map_words import markup
from groundwire.journeys.itinerary import Point
from groundwire.journeys.network.model import Network


class Reach(NamedTuple):
    """A stretch of the river.

    Attributes:
        above, below: about how wide it is at its upper and lower end, in metres.
        points: its centre line, downstream.
    """

    above: float
    below: float
    points: tuple[Point, ...]


def _line(*numbers: float) -> tuple[Point, ...]:
    return tuple(Point(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True))


# fmt: off
THAMES = (
    # Teddington Lock, Eel Pie Island, Richmond, Isleworth, Kew, Chiswick, Barnes, Hammersmith
    Reach(80, 150, _line(
        51.4190, -0.3080, 51.4305, -0.3215, 51.4370, -0.3270, 51.4455, -0.3240, 51.4475, -0.3170,
        51.4460, -0.3095, 51.4515, -0.3060, 51.4571, -0.3073, 51.4620, -0.3165, 51.4690, -0.3215,
        51.4745, -0.3180, 51.4790, -0.3070, 51.4828, -0.2985, 51.4868, -0.2872, 51.4848, -0.2789,
        51.4800, -0.2720, 51.4735, -0.2697, 51.4700, -0.2610, 51.4722, -0.2525, 51.4800, -0.2480,
        51.4870, -0.2460, 51.4897, -0.2390, 51.4882, -0.2304, 51.4825, -0.2262, 51.4745, -0.2240,
        51.4695, -0.2185, 51.4667, -0.2131,
    )),
    # Putney, Wandsworth, Chelsea, Westminster, the City, Tower Bridge
    Reach(150, 240, _line(
        51.4667, -0.2131, 51.4650, -0.2040, 51.4622, -0.1975, 51.4649, -0.1881, 51.4705, -0.1820,
        51.4752, -0.1785, 51.4778, -0.1774, 51.4800, -0.1755, 51.4814, -0.1719, 51.4822, -0.1677,
        51.4830, -0.1620, 51.4844, -0.1513, 51.4847, -0.1470, 51.4845, -0.1400,
        51.4850, -0.1315, 51.4875, -0.1268, 51.4944, -0.1233,
        51.5008, -0.1218, 51.5062, -0.1201, 51.5085, -0.1165, 51.5097, -0.1100, 51.5097, -0.1044,
        51.5098, -0.0985, 51.5088, -0.0943, 51.5079, -0.0877, 51.5068, -0.0810, 51.5055, -0.0754,
    )),
    # The Pool, Limehouse, the Isle of Dogs, Blackwall, Woolwich, Barking, Erith
    Reach(240, 480, _line(
        51.5055, -0.0754, 51.5027, -0.0670, 51.5022, -0.0590, 51.5042, -0.0500, 51.5082, -0.0415,
        51.5092, -0.0350, 51.5060, -0.0295, 51.4990, -0.0283, 51.4920, -0.0310, 51.4865, -0.0270,
        51.4840, -0.0180, 51.4845, -0.0090, 51.4875, -0.0025, 51.4940, -0.0010, 51.5005, -0.0030,
        51.5055, -0.0030, 51.5073, 0.0030, 51.5055, 0.0085, 51.5000, 0.0125, 51.4952, 0.0220,
        51.4958, 0.0360, 51.4960, 0.0500, 51.4955, 0.0620, 51.4990, 0.0750, 51.5060, 0.0805,
        51.5120, 0.0900, 51.5145, 0.1020, 51.5115, 0.1200, 51.5100, 0.1380, 51.5110, 0.1600,
        51.4990, 0.1790, 51.4870, 0.1880,
    )),
)


# fmt: on

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


# Legs that end and begin no farther apart than this, in pixels, meet.
_GAP = 6.0


def foreground(scene: Scene, colours: Sequence[str]) -> Iterator[str]:
    """The elements of the plan, in the order they are drawn."""
    drawn = [strand for strand in scene.strands if len(strand.line) > 1]
    for strand in drawn:
        yield f'<path class="halo" d="{path_data(strand.line)}"/>'
    for one, other in pairwise(drawn):
        # The way between two platforms or stops, of which no leg tells.
        if math.dist(one.line[-1], other.line[0]) > _GAP:
            yield f'<path class="walk link" d="{path_data((one.line[-1], other.line[0]))}"/>'
    # Walks first: where one ends at a ride, the ride's line covers its last dot.
    for strand in sorted(drawn, key=lambda strand: strand.way == "ride"):
        yield from _way(strand, colours)
    yield from _leaders(scene.captions)
    for marker in scene.markers:
        if marker.role in ("change", "stop"):
            yield from _ring(marker)
    for marker in scene.markers:
        if marker.role in ("start", "end"):
            yield _pin(marker)
    for strand in scene.strands:
        if strand.badge is not None:
            yield from badge(strand, strand.badge, colours, edge=True)
    for placed in scene.captions:
        yield from _name(placed)
    yield from _scale(scene.view)


def swatch(strand: Strand, line: Sequence[Pixel], colours: Sequence[str]) -> Iterator[str]:
    """A stretch in the manner of a leg, for the legend."""
    data = path_data(line)
    if strand.way != "ride":
        yield f'<path class="{strand.way}" d="{data}"/>'
        return
    index = colours.index(strand.colour)
    yield f'<path class="case e{index}" d="{data}"/>'
    yield f'<path class="way s{index}" d="{data}"/>'
    if strand.striped:
        yield f'<path class="stripe k{index}" d="{data}"/>'


def badge(strand: Strand, at: Pixel, colours: Sequence[str], edge: bool = False) -> Iterator[str]:
    """The number of a leg on a disc of its colour."""
    x, y = at
    if strand.way == "ride":
        index = colours.index(strand.colour)
        fill, ink, rim = f"f{index}", f"n{index}", f"e{index}"
        yield f'<circle class="case {rim}" cx="{x:.1f}" cy="{y:.1f}" r="{BADGE - 3.6:.1f}"/>'
    else:
        foot = strand.way == "walk"
        fill, ink = ("footbadge", "footnum") if foot else ("wheelbadge", "wheelnum")
    rim = " edge" if edge else ""
    yield f'<circle class="{fill}{rim}" cx="{x:.1f}" cy="{y:.1f}" r="{BADGE:g}"/>'
    size = 12.5 if strand.number < 10 else 11
    yield (
        f'<text class="num {ink}" font-size="{size:g}" x="{x:.1f}" y="{y + size * 0.355:.1f}">'
        f"{strand.number}</text>"
    )


def _way(strand: Strand, colours: Sequence[str]) -> Iterator[str]:
    yield f'<g class="leg" data-leg="{strand.number}">'
    yield from swatch(strand, strand.line, colours)
    calls = "".join(f"M{x:.1f} {y:.1f}h0" for (x, y), _ in strand.calls)
    if calls:
        yield f'<path class="calls" d="{calls}"/>'
    yield "</g>"


def _ring(marker: Marker) -> Iterator[str]:
    """A ring; where one changes to another platform, drawn out as far as there."""
    x, y = marker.pixel
    data = f"M{x:.1f} {y:.1f}"
    data += "h0" if marker.other is None else f"L{marker.other[0]:.1f} {marker.other[1]:.1f}"
    width = 16 if marker.role == "change" else 12.5
    yield f'<path class="ring" stroke-width="{width:g}" d="{data}"/>'
    yield f'<path class="core" stroke-width="{width - 6:g}" d="{data}"/>'


def _pin(marker: Marker) -> str:
    """A disc where the plan starts, a pin where it ends."""
    x, y = marker.pixel
    if marker.role == "start":
        return (
            f'<circle class="ink edge" cx="{x:.1f}" cy="{y:.1f}" r="9"/>'
            f'<circle class="hole" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        )
    return (
        f'<path class="ink edge" d="M{x:.1f} {y:.1f}c-3 -7 -10 -11 -10 -19a10 10 0 1 1 20 0'
        f'c0 8 -7 12 -10 19z"/><circle class="hole" cx="{x:.1f}" cy="{y - 19:.1f}" r="4"/>'
    )


def _leaders(captions: Iterable[Placed]) -> Iterator[str]:
    """Lines to what is named by captions that stand apart from it."""
    for placed in captions:
        if placed.leader is not None:
            yield f'<path class="lead" d="{path_data((placed.caption.point, placed.leader))}"/>'


def _name(placed: Placed) -> Iterator[str]:
    fill = "muted" if placed.caption.kind == "faint" else "ink"
    for words, (x, y) in baselines(placed):
        bold = " b" if words.bold else ""
        yield (
            f'<text class="name {fill}{bold}" font-size="{words.size:g}" '
            f'text-anchor="{placed.align}" x="{x:.1f}" y="{y:.1f}">{markup(words.text)}</text>'
        )


def _scale(view: View) -> Iterator[str]:
    pixels, name = scale_bar(view, min(150.0, view.frame.width / 4))
    left, bottom = view.frame.left + 14, view.frame.bottom - 14
    yield f'<path class="bar" d="M{left:.1f} {bottom - 5:.1f}v5h{pixels:.1f}v-5"/>'
    yield (
        f'<text class="name ink" font-size="11.5" x="{left + 5:.1f}" y="{bottom - 6:.1f}">'
        f"{name}</text>"
    )
