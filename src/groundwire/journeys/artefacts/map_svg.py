"""Draws the plans of a journey as a self-contained SVG: the map, its legend, title and credit.

Nothing in it is fetched and no script is needed. One plan has its legend beside the map; plans
that are compared stand side by side, on maps of the same ground and scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from groundwire.errors import InputError
from groundwire.journeys.artefacts.map_drawing import (
    backdrop,
    badge,
    foreground,
    net_colours,
    swatch,
)
from groundwire.journeys.artefacts.map_projection import Box, Strand, View, course, fit, strands
from groundwire.journeys.artefacts.map_scene import lay
from groundwire.journeys.artefacts.map_style import ThemeName, style
from groundwire.journeys.artefacts.map_words import (
    clock,
    day,
    leg_detail,
    leg_name,
    leg_sentence,
    markup,
    place_name,
    plan_facts,
    shorten,
    source_mark,
    text_width,
    wrap,
)
from groundwire.journeys.itinerary import Journey, Leg, Plan, Point
from groundwire.journeys.network.model import Network
from groundwire.journeys.wording import plan_name
from groundwire.safe_text import safe_line

_ROW = 66.0
_LINE = 15.0  # of text that needs another line
_WARNED = 17.0
_INDENT = 40.0
_NOTE = 12.0

MOST_PLANS = 6
_MOST_NOTES = 6
WIDTH = 1200.0
_MARGIN = 24.0
# Pixels left free around the ground, for names: on a large map, and on small ones.
_PADDING = 84.0
_TIGHT = 62.0
_SIDEBAR = 350.0
# From this width on the legend has room beside the map.
_BESIDE = 900.0
_NARROW_MARGIN = 12.0
_PHONE = 500.0
_PHONE_PADDING = 48.0
# Room for the mark of estimates under the heading of a narrow sheet.
_FACTS_SIZE = 13.5
_MARK_ROW = 38.0
_FOOT = 34.0
_CREDIT = 16.0


@dataclass(frozen=True, slots=True)
class MapRequest:
    """The plans that are to be drawn.

    Attributes:
        journey: has the plans.
        plan_index: the plan that is meant.
        compare: indices of plans that are shown beside it.
        network: the network behind, its colours and positions; None leaves it out.
        theme: `auto` follows the reader's preference for light or dark.
        title: instead of the journey's ends.
        width: of the sheet, in pixels; a narrow one has the legend under the map.
        trips: of a whole day, the name and plan of each trip, whose legs the drawn plan has.
    """

    journey: Journey
    plan_index: int = 0
    compare: tuple[int, ...] = ()
    network: Network | None = None
    theme: ThemeName = "auto"
    title: str = ""
    width: float = WIDTH
    trips: tuple[tuple[str, Plan], ...] = ()

    @property
    def stacked(self) -> bool:
        """Whether the legend stands under the map."""
        return self.width < _BESIDE

    @property
    def margin(self) -> float:
        """Pixels that are left free at the sides of the sheet."""
        return _MARGIN if not self.stacked else _NARROW_MARGIN

    @property
    def inner(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin


@dataclass(frozen=True, slots=True)
class Panel:
    """One plan on the sheet: its heading, its map and its legend."""

    index: int
    plan: Plan
    heading: Box
    frame: Box
    legend: Box


def draw_svg(request: MapRequest) -> str:
    """The map as an SVG document.

    Raises:
        InputError: an index is none of the journey's, too many plans are compared, or nobody
            knows where the plan is.
    """
    indices = chosen(request)
    network = request.network
    if len(indices) == 1:
        panels, height = _single(request, indices[0])
    else:
        panels, height = _several(request, indices)
    told = {panel.index: strands(panel.plan, network) for panel in panels}
    colours = list(
        dict.fromkeys(one.colour for legs in told.values() for one in legs if one.colour)
    )
    views = _views(request, panels)
    title, told_in_words = map_title(request), description(request)
    # Ids of its own, as a page may hold several maps, and one map at several widths.
    name = f"gw{crc32(f'{title} {told_in_words} {indices}'.encode(errors='replace')):08x}"
    name += f"-{request.width:g}" if request.stacked else ""
    body: list[str] = [f'<rect class="sheet" width="{request.width:g}" height="{height:g}"/>']
    body += _heading(Box(request.margin, 14, _title_width(request), 60), title, _facts(request))
    body += _mark(request)
    for panel, view in zip(panels, views, strict=True):
        body += _panel(request, panel, view, colours, name)
    body += notes(_notes(request), _notes_box(request, panels))
    for row, line in enumerate(_credit(request)[::-1]):
        body.append(_text("muted", 12, request.margin, height - 13 - _CREDIT * row, line))
    sheet = style(colours, net_colours(network), request.theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gw" role="img" width="{request.width:g}" '
        f'height="{height:g}" viewBox="0 0 {request.width:g} {height:g}" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{markup(title)}</title>'
        f'<desc id="{name}-desc">{markup(told_in_words)}</desc>'
        f"<style>{sheet}</style>{''.join(body)}</svg>"
    )


def chosen(request: MapRequest) -> tuple[int, ...]:
    """Indices of the plans that a map shows, each once, the meant one first.

    Raises:
        InputError: one of them is none of the journey's, or there are too many.
    """
    plans = request.journey.plans
    indices = tuple(dict.fromkeys((request.plan_index, *request.compare)))
    for index in indices:
        if not 0 <= index < len(plans):
            raise InputError(
                f"the journey has no plan_index {index}: send an index from 0 to {len(plans) - 1}"
                if plans
                else "the journey has no plans, so there is nothing to draw: compute it again"
            )
    if len(indices) > MOST_PLANS:
        raise InputError(f"a map compares at most {MOST_PLANS} plans: send fewer indices")
    return indices


def map_title(request: MapRequest) -> str:
    """Return the title that stands over the map."""
    if request.title:
        return request.title
    journey = request.journey
    return f"{place_name(journey.origin)} to {place_name(journey.destination)}"


def description(request: MapRequest) -> str:
    """The map in words, for those who do not see it."""
    told: list[str] = []
    for index in chosen(request):
        plan = request.journey.plans[index]
        rows = strands(plan, request.network)
        legs = ". ".join(leg_sentence(one.number, one.leg) for one in rows)
        called = plan_name(index).capitalize()
        facts = _day_facts(request) if request.trips else plan_facts(plan)
        told.append(f"{called}: {day(plan.start)}, {facts}. {legs}.")
    mark = source_mark(request.journey.source)
    return " ".join([*told, *([f"{mark}."] if mark else []), request.journey.credit])


def _facts(request: MapRequest) -> str:
    indices = chosen(request)
    plan = request.journey.plans[indices[0]]
    if request.trips:
        facts = f"{day(plan.start)} · {_day_facts(request)}"
        if text_width(facts, _FACTS_SIZE) <= _title_width(request):
            return facts
        whole = f"{clock(plan.start)}–{clock(plan.arrival)}"
        return f"{day(plan.start)} · {len(request.trips)} trips, {whole}"
    if len(indices) == 1:
        return f"{day(plan.start)} · {plan_facts(plan)}"
    facts = f"{day(plan.start)} · {len(indices)} plans on the same ground"
    exact = f"{facts}, at the same scale"
    return exact if text_width(exact, _FACTS_SIZE) <= _title_width(request) else facts


def _day_facts(request: MapRequest) -> str:
    """Return how many trips a day has, and when each is made."""
    when = ", ".join(f"{clock(plan.start)}–{clock(plan.arrival)}" for _, plan in request.trips)
    return f"{len(request.trips)} trips: {when}"


def _title_width(request: MapRequest) -> float:
    mark = source_mark(request.journey.source)
    beside = text_width(mark, 13, True) + 60 if mark and not request.stacked else 0
    return request.inner - beside


def _head(request: MapRequest) -> float:
    head = 14 + _heading_height(_title_width(request), map_title(request)) + 6
    marked = request.stacked and source_mark(request.journey.source)
    return head + (_MARK_ROW if marked else 0)


def _single(request: MapRequest, index: int) -> tuple[list[Panel], float]:
    """The legend beside the map, or under it where the sheet is narrow."""
    plan = request.journey.plans[index]
    top = _head(request)
    across = request.inner if request.stacked else _SIDEBAR
    legend = _legend_height(request, plan, across)
    legend += _notes_height(_notes(request), across)
    ground = _ground([plan], request.network)
    if request.stacked:
        wide = request.inner
        tall = _tall(ground, wide, _padding(request), 300.0, 460.0)
        frame = Box(request.margin, top, wide, tall)
        side = Box(request.margin, frame.bottom + 8, wide, legend)
        return [Panel(index, plan, Box(0, 0, 0, 0), frame, side)], side.bottom + _foot(request)
    width = request.width - 3 * _MARGIN - _SIDEBAR
    tall = max(legend + 8, _tall(ground, width, _PADDING, 470.0, 690.0))
    height = top + tall + _foot(request)
    frame = Box(_MARGIN, top, width, tall)
    side = Box(frame.right + _MARGIN, top, _SIDEBAR, frame.height)
    return [Panel(index, plan, Box(0, 0, 0, 0), frame, side)], height


def _several(request: MapRequest, indices: Sequence[int]) -> tuple[list[Panel], float]:
    """A grid of plans, each with its legend under its map."""
    columns = 2 if len(indices) in (2, 4) else 3
    if request.stacked:
        columns = 1 if request.width < _PHONE else 2
    margin = request.margin
    width = (request.width - (columns + 1) * margin) / columns
    ground = _ground((request.journey.plans[index] for index in indices), request.network)
    tall = _tall(ground, width, _TIGHT, 250.0, 430.0 if columns == 2 else 340.0)
    panels: list[Panel] = []
    top = _head(request)
    for row in range(math.ceil(len(indices) / columns)):
        lowest = top
        for column, index in enumerate(indices[row * columns : (row + 1) * columns]):
            plan = request.journey.plans[index]
            left = margin + column * (width + margin)
            frame = Box(left, top + 50, width, tall)
            rows = _legend_height(request, plan, width)
            legend = Box(left, frame.bottom + 8, width, rows)
            panels.append(Panel(index, plan, Box(left, top, width, 50), frame, legend))
            lowest = max(lowest, legend.bottom)
        top = lowest + 18
    return panels, top + _foot(request) - 10 + _notes_height(_notes(request), request.inner)


def _credit(request: MapRequest) -> list[str]:
    return wrap(safe_line(request.journey.credit), request.inner, 12, 2)


def _foot(request: MapRequest) -> float:
    return _FOOT + _CREDIT * (len(_credit(request)) - 1)


def _notes(request: MapRequest) -> tuple[str, ...]:
    """Return the notes that are told under the legs."""
    return request.journey.notes[:_MOST_NOTES]


def _notes_box(request: MapRequest, panels: Sequence[Panel]) -> Box:
    """Under the legend of the one plan, or under all of them."""
    lowest = max(panel.legend.bottom for panel in panels)
    if len(panels) > 1:
        return Box(request.margin, lowest + 10, request.inner, 0)
    legend = panels[0].legend
    rows = _legend_height(request, panels[0].plan, legend.width)
    return Box(legend.left, legend.top + rows, legend.width, 0)


def _ground(plans: Iterable[Plan], network: Network | None) -> list[Point]:
    """Every position that the plans lead through.

    Raises:
        InputError: none is known.
    """
    points = [point for plan in plans for leg in plan.legs for point in course(leg, network)]
    if not points:
        raise InputError(
            "nobody knows where this plan leads, so there is no map: its text says the way"
        )
    return points


def _tall(
    ground: Sequence[Point], width: float, padding: float, least: float, most: float
) -> float:
    """How high a frame of that width has to be for the ground, within bounds."""
    view = fit(ground, Box(0, 0, width, 1e9), padding)
    ys = [y for _, y in view.pixels(ground)]
    return min(most, max(least, max(ys) - min(ys) + 2 * padding))


def _padding(request: MapRequest) -> float:
    """Pixels around the ground of a single map, for names."""
    if not request.stacked:
        return _PADDING
    return _PHONE_PADDING if request.width < _PHONE else _TIGHT


def _views(request: MapRequest, panels: Sequence[Panel]) -> list[View]:
    """One view for each panel, all of the same ground."""
    ground = _ground((panel.plan for panel in panels), request.network)
    padding = _padding(request) if len(panels) == 1 else min(_TIGHT, _padding(request))
    return [fit(ground, panel.frame, padding) for panel in panels]


def _panel(
    request: MapRequest, panel: Panel, view: View, colours: Sequence[str], name: str
) -> Iterator[str]:
    frame, compared = panel.frame, panel.heading.width > 0
    scene = lay(panel.plan, request.network, view, rich=not compared or frame.width > 500)
    shape = (
        f'x="{frame.left:.1f}" y="{frame.top:.1f}" width="{frame.width:.1f}" '
        f'height="{frame.height:.1f}" rx="10"'
    )
    clip = f"{name}-{panel.index}"
    yield f'<clipPath id="{clip}"><rect {shape}/></clipPath><rect class="land" {shape}/>'
    yield f'<g clip-path="url(#{clip})">'
    yield from backdrop(request.network, view)
    yield from foreground(scene, colours)
    yield f'</g><rect class="rule" {shape}/>'
    if compared:
        yield from _panel_heading(panel)
    yield from _legend_rows(scene.strands, panel.legend, colours)


def _panel_heading(panel: Panel) -> Iterator[str]:
    name = plan_name(panel.index).capitalize()
    yield from _heading(panel.heading, name, plan_facts(panel.plan), (17,))


def _mark(request: MapRequest) -> Iterator[str]:
    """The mark of estimates, at the right of the title."""
    mark = source_mark(request.journey.source)
    if not mark:
        return
    width = text_width(mark, 13, True) * 1.12 + 24
    left = request.margin if request.stacked else request.width - _MARGIN - width
    top = _head(request) - _MARK_ROW + 2 if request.stacked else 24.0
    at = f'x="{left:.1f}" y="{top:.1f}"'
    yield f'<rect class="mark" {at} width="{width:.1f}" height="28" rx="14"/>'
    yield (
        f'<text class="markink b" font-size="13" text-anchor="middle" '
        f'x="{left + width / 2:.1f}" y="{top + 18.5:.1f}">{mark}</text>'
    )


def _legend_height(request: MapRequest, plan: Plan, width: float) -> float:
    """How high the rows of the legs of a plan are, in pixels."""
    return sum(_row_height(strand, width) for strand in strands(plan, request.network))


def _legend_rows(strands: Sequence[Strand], box: Box, colours: Sequence[str]) -> Iterator[str]:
    """The rows, from the top of the box down; text is cut at its width."""
    top = box.top
    for strand in strands:
        tall = _row_height(strand, box.width)
        if strand is not strands[0]:
            yield f'<path class="rule" d="M{box.left + _INDENT:.1f} {top:.1f}H{box.right:.1f}"/>'
        yield from _row(strand, Box(box.left, top, box.width, tall), colours)
        top += tall


def _warning(strand: Strand) -> str:
    """Say what hinders a leg, or which works are planned on it, in the operator's words."""
    if strand.leg.disruptions:
        return safe_line(strand.leg.disruptions[0].reason)
    works = strand.leg.planned_works
    return f"Planned works: {safe_line(works[0].reason)}" if works else ""


def _row_height(strand: Strand, width: float) -> float:
    more = _LINE * (len(_details(strand, width)) - 1)
    return _ROW + more + (_WARNED if _warning(strand) else 0)


def _details(strand: Strand, width: float) -> list[str]:
    return wrap(leg_detail(strand.leg), width - _INDENT, 12, 2)


def _row(strand: Strand, box: Box, colours: Sequence[str]) -> Iterator[str]:
    leg = strand.leg
    x, text = box.left + 14, box.left + _INDENT
    yield from swatch(strand, ((x, box.top + 8), (x, box.bottom - 8)), colours)
    yield from badge(strand, (x, box.top + _ROW / 2), colours)
    times = f"{clock(leg.departure)} – {clock(leg.arrival)}"
    room = box.width - _INDENT
    name = shorten(leg_name(leg), room - text_width(times, 13, True) - 10, 14.5, True)
    yield _text("ink b", 14.5, text, box.top + 21, name)
    yield _text("ink", 13, box.right, box.top + 21, times, "end")
    yield _text("ink", 12.5, text, box.top + 39, _ends(leg, room, 12.5))
    below = box.top + 56 - _LINE
    for line in _details(strand, box.width):
        yield _text("muted", 12, text, below := below + _LINE, line)
    if told := _warning(strand):
        yield _triangle(text, below + 18)
        yield _text("warn", 12, text + 18, below + 17, shorten(told, room - 18, 12))


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


def _notes_height(told: Sequence[str], width: float) -> float:
    """How high `notes` will be."""
    lines = sum(len(_note_lines(note, width)) for note in told)
    return lines * _NOTE * 1.35 + 8 * len(told) + 8 if told else 0.0


def _note_lines(note: str, width: float) -> list[str]:
    return wrap(safe_line(note), width, _NOTE, 3)


def _heading(
    box: Box, title: str, facts: str, sizes: Sequence[float] = (24, 21, 18)
) -> Iterator[str]:
    """A title of at most two lines and a line of facts under it."""
    size = next((size for size in sizes if text_width(title, size, True) <= box.width), sizes[-1])
    y = box.top
    for line in wrap(title, box.width, size, 2, True):
        y += size * 1.18
        yield _text("ink b", size, box.left, y, line)
    fitted = shorten(facts, box.width, _FACTS_SIZE)
    yield _text("muted", _FACTS_SIZE, box.left, y + 22, fitted)


def _heading_height(width: float, title: str) -> float:
    """How high `_heading` will be."""
    sizes = (24.0, 21.0, 18.0)
    size = next((size for size in sizes if text_width(title, size, True) <= width), sizes[-1])
    return len(wrap(title, width, size, 2, True)) * size * 1.18 + 32
