"""What lies behind a plan on its map: the Thames, and the network of London, both faint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.journeys.artefacts.map_projection import Box, Pixel, View, path_data, simplify
from groundwire.journeys.artefacts.map_river import THAMES
from groundwire.journeys.artefacts.map_style import net_class
from groundwire.journeys.network.model import Network

# Where a pixel is more metres than this, stations would be a pattern of dots.
_SPOTS_BELOW = 22.0
_THINNEST = 2.5


def backdrop(network: Network | None, view: View) -> Iterator[str]:
    """The elements behind a plan, in the order they are drawn."""
    yield from _river(view)
    if network is None:
        return
    pixels = {stop.id: view.pixel(stop.point) for stop in network.stops.values()}
    yield from _lines(network, view, pixels)
    if view.metres < _SPOTS_BELOW:
        inside = [pixel for pixel in pixels.values() if view.frame.has(pixel)]
        data = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in dict.fromkeys(inside))
        if data:
            yield f'<path class="spots" d="{data}"/>'


def net_colours(network: Network | None) -> list[str]:
    """Colours of the lines of the network."""
    return [] if network is None else [line.colour.upper() for line in network.lines.values()]


def _river(view: View) -> Iterator[str]:
    around = view.frame.grown(60)
    for reach in THAMES:
        line = simplify(view.pixels(reach.points), 1.0)
        if any(_meets(around, *pair) for pair in pairwise(line)):
            width = max(_THINNEST, reach.metres / view.metres)
            yield f'<path class="river" stroke-width="{width:.1f}" d="{_curve(line)}"/>'


def _lines(network: Network, view: View, pixels: dict[str, Pixel]) -> Iterator[str]:
    """One path for each line, of the edges that the frame shows, each drawn once."""
    around = view.frame.grown(4)
    stretches: dict[str, dict[tuple[str, str], str]] = {}
    for edge in network.edges:
        pair = (min(edge.origin, edge.destination), max(edge.origin, edge.destination))
        of_line = stretches.setdefault(edge.line, {})
        if pair in of_line:
            continue
        one, other = pixels[pair[0]], pixels[pair[1]]
        seen = _meets(around, one, other)
        of_line[pair] = f"M{one[0]:.0f} {one[1]:.0f}L{other[0]:.0f} {other[1]:.0f}" if seen else ""
    for line_id, of_line in stretches.items():
        data = "".join(of_line.values())
        if data:
            name = net_class(network.lines[line_id].colour.upper())
            yield f'<path class="net {name}" d="{data}"/>'


def _meets(box: Box, one: Pixel, other: Pixel) -> bool:
    """Whether a stretch may cross a box: whether the rectangle around it does."""
    return (
        min(one[0], other[0]) < box.right
        and max(one[0], other[0]) > box.left
        and min(one[1], other[1]) < box.bottom
        and max(one[1], other[1]) > box.top
    )


def _curve(line: Sequence[Pixel]) -> str:
    """A smooth curve through the pixels (Catmull and Rom, as cubic Bézier curves)."""
    if len(line) < 3:
        return path_data(line)
    parts = [f"M{line[0][0]:.1f} {line[0][1]:.1f}"]
    last = len(line) - 1
    for at in range(last):
        before, one = line[max(0, at - 1)], line[at]
        other, after = line[at + 1], line[min(last, at + 2)]
        parts.append(
            f"C{one[0] + (other[0] - before[0]) / 6:.1f} {one[1] + (other[1] - before[1]) / 6:.1f} "
            f"{other[0] - (after[0] - one[0]) / 6:.1f} {other[1] - (after[1] - one[1]) / 6:.1f} "
            f"{other[0]:.1f} {other[1]:.1f}"
        )
    return "".join(parts)
