"""The legend of a map: a row for every leg, in the manner of a line diagram."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.journeys.artefacts.map_drawing import badge, swatch
from groundwire.journeys.artefacts.map_projection import Box
from groundwire.journeys.artefacts.map_strands import Strand
from groundwire.journeys.artefacts.map_words import (
    clock,
    leg_detail,
    leg_name,
    markup,
    place_name,
    shorten,
    text_width,
    wrap,
)
from groundwire.journeys.itinerary import Leg
from groundwire.safe_text import safe_line

ROW = 66.0
_WARNED = 17.0
_INDENT = 40.0
_NOTE = 12.0


def height(strands: Sequence[Strand]) -> float:
    """How high the rows of these legs are, in pixels."""
    return sum(_row_height(strand) for strand in strands)


def rows(strands: Sequence[Strand], box: Box, colours: Sequence[str]) -> Iterator[str]:
    """The rows, from the top of the box down; text is cut at its width."""
    top = box.top
    for strand in strands:
        tall = _row_height(strand)
        if strand is not strands[0]:
            yield f'<path class="rule" d="M{box.left + _INDENT:.1f} {top:.1f}H{box.right:.1f}"/>'
        yield from _row(strand, Box(box.left, top, box.width, tall), colours)
        top += tall


def sentence(strand: Strand) -> str:
    """The row in words, for those who do not see the map."""
    leg = strand.leg
    return (
        f"{strand.number}. {leg_name(leg)} from {place_name(leg.origin)} to "
        f"{place_name(leg.destination)}, {clock(leg.departure)} to {clock(leg.arrival)}"
        f" ({leg_detail(leg)})"
    )


def warning(strand: Strand) -> str:
    """Say what hinders a leg, or which works are planned on it, in the operator's words."""
    if strand.leg.disruptions:
        return safe_line(strand.leg.disruptions[0].reason)
    works = strand.leg.planned_works
    return f"Planned works: {safe_line(works[0].reason)}" if works else ""


def _row_height(strand: Strand) -> float:
    return ROW + (_WARNED if warning(strand) else 0)


def _row(strand: Strand, box: Box, colours: Sequence[str]) -> Iterator[str]:
    leg = strand.leg
    x, text = box.left + 14, box.left + _INDENT
    yield from swatch(strand, ((x, box.top + 8), (x, box.bottom - 8)), colours)
    yield from badge(strand, (x, box.top + ROW / 2), colours)
    times = f"{clock(leg.departure)} – {clock(leg.arrival)}"
    room = box.width - _INDENT
    name = shorten(leg_name(leg), room - text_width(times, 13, True) - 10, 14.5, True)
    yield _text("ink b", 14.5, text, box.top + 21, name)
    yield _text("ink", 13, box.right, box.top + 21, times, "end")
    yield _text("ink", 12.5, text, box.top + 39, _ends(leg, room, 12.5))
    yield _text("muted", 12, text, box.top + 56, shorten(leg_detail(leg), room, 12))
    told = warning(strand)
    if told:
        yield _triangle(text, box.top + 74)
        yield _text("warn", 12, text + 18, box.top + 73, shorten(told, room - 18, 12))


def _ends(leg: Leg, room: float, size: float) -> str:
    """From where to where; of long names the longer one gives way first."""
    origin, destination = place_name(leg.origin), place_name(leg.destination)
    if origin == destination:
        return shorten(f"within {origin}", room, size)
    left = room - text_width(" → ", size)
    first, second = text_width(origin, size), text_width(destination, size)
    if first + second > left:
        origin = shorten(origin, max(left / 2, left - second), size)
        destination = shorten(destination, left - text_width(origin, size), size)
    return f"{origin} → {destination}"


def _triangle(x: float, y: float) -> str:
    return f'<path class="warn" d="M{x:.1f} {y:.1f}h12l-6 -11z"/>'


def _text(kind: str, size: float, x: float, y: float, text: str, anchor: str = "start") -> str:
    aligned = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return (
        f'<text class="{kind}" font-size="{size:g}" x="{x:.1f}" y="{y:.1f}"{aligned}>'
        f"{markup(text)}</text>"
    )


def notes(told: Sequence[str], box: Box) -> Iterator[str]:
    """Yield what else the traveller has to know, under the legs."""
    y = box.top + 6
    for note in told:
        for line in _note_lines(note, box.width):
            y += _NOTE * 1.35
            yield _text("muted", _NOTE, box.left, y, line)
        y += 8


def notes_height(told: Sequence[str], width: float) -> float:
    """How high `notes` will be."""
    lines = sum(len(_note_lines(note, width)) for note in told)
    return lines * _NOTE * 1.35 + 8 * len(told) + 8 if told else 0.0


def _note_lines(note: str, width: float) -> list[str]:
    return wrap(safe_line(note), width, _NOTE, 3)


def heading(
    box: Box, title: str, facts: str, sizes: Sequence[float] = (24, 21, 18)
) -> Iterator[str]:
    """A title of at most two lines and a line of facts under it."""
    size = next((size for size in sizes if text_width(title, size, True) <= box.width), sizes[-1])
    y = box.top
    for line in wrap(title, box.width, size, 2, True):
        y += size * 1.18
        yield _text("ink b", size, box.left, y, line)
    yield _text("muted", 13.5, box.left, y + 22, shorten(facts, box.width, 13.5))


def heading_height(width: float, title: str, sizes: Sequence[float] = (24, 21, 18)) -> float:
    """How high `heading` will be."""
    size = next((size for size in sizes if text_width(title, size, True) <= width), sizes[-1])
    return len(wrap(title, width, size, 2, True)) * size * 1.18 + 32
