"""The elements of one plan's map: its ways, markers, numbers, names and the scale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from groundwire.journeys.artefacts.map_labels import Placed, baselines
from groundwire.journeys.artefacts.map_projection import Pixel, View, path_data, scale_bar
from groundwire.journeys.artefacts.map_scene import BADGE, Marker, Scene
from groundwire.journeys.artefacts.map_strands import Strand
from groundwire.journeys.artefacts.map_words import markup

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
