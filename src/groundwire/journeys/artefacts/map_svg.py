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
from groundwire.journeys.artefacts import map_legend
from groundwire.journeys.artefacts.leg_words import plan_name
from groundwire.journeys.artefacts.map_backdrop import backdrop, net_colours
from groundwire.journeys.artefacts.map_drawing import foreground
from groundwire.journeys.artefacts.map_projection import Box, View, fit
from groundwire.journeys.artefacts.map_scene import lay
from groundwire.journeys.artefacts.map_strands import course, strands
from groundwire.journeys.artefacts.map_style import ThemeName, style
from groundwire.journeys.artefacts.map_words import (
    day,
    markup,
    place_name,
    plan_facts,
    source_mark,
    text_width,
)
from groundwire.journeys.itinerary import Journey, Plan, Point
from groundwire.journeys.network.model import Network

MOST_PLANS = 6
_MOST_NOTES = 6
WIDTH = 1200.0
_MARGIN = 24.0
# Pixels left free around the ground, for names: on a large map, and on small ones.
_PADDING = 84.0
_TIGHT = 62.0
_SIDEBAR = 350.0
_FOOT = 34.0


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
    """

    journey: Journey
    plan_index: int = 0
    compare: tuple[int, ...] = ()
    network: Network | None = None
    theme: ThemeName = "auto"
    title: str = ""


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
    views = _views(panels, network)
    title, told_in_words = map_title(request), description(request)
    # Ids of its own, as a page may hold several maps.
    name = f"gw{crc32(f'{title} {told_in_words} {indices}'.encode(errors='replace')):08x}"
    body: list[str] = [f'<rect class="sheet" width="{WIDTH:g}" height="{height:g}"/>']
    body += map_legend.heading(Box(_MARGIN, 14, _title_width(request), 60), title, _facts(request))
    body += _mark(request)
    for panel, view in zip(panels, views, strict=True):
        body += _panel(request, panel, view, colours, name)
    body += map_legend.notes(_notes(request), _notes_box(request, panels))
    body.append(
        f'<text class="muted" font-size="12" x="{_MARGIN:g}" y="{height - 13:g}">'
        f"{markup(request.journey.credit)}</text>"
    )
    sheet = style(colours, net_colours(network), request.theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="gw" role="img" width="{WIDTH:g}" '
        f'height="{height:g}" viewBox="0 0 {WIDTH:g} {height:g}" '
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
        legs = ". ".join(map_legend.sentence(one) for one in strands(plan, request.network))
        called = plan_name(index).capitalize()
        told.append(f"{called}: {day(plan.start)}, {plan_facts(plan)}. {legs}.")
    mark = source_mark(request.journey.source)
    return " ".join([*told, *([f"{mark}."] if mark else []), request.journey.credit])


def _facts(request: MapRequest) -> str:
    indices = chosen(request)
    plan = request.journey.plans[indices[0]]
    if len(indices) == 1:
        return f"{day(plan.start)} · {plan_facts(plan)}"
    return f"{day(plan.start)} · {len(indices)} plans on the same ground, at the same scale"


def _title_width(request: MapRequest) -> float:
    mark = source_mark(request.journey.source)
    return WIDTH - 2 * _MARGIN - (text_width(mark, 13, True) + 60 if mark else 0)


def _head(request: MapRequest) -> float:
    return 14 + map_legend.heading_height(_title_width(request), map_title(request)) + 6


def _single(request: MapRequest, index: int) -> tuple[list[Panel], float]:
    """The legend beside the map; a long legend makes the sheet higher."""
    plan = request.journey.plans[index]
    top = _head(request)
    legend = map_legend.height(strands(plan, request.network))
    legend += map_legend.notes_height(_notes(request), _SIDEBAR)
    width = WIDTH - 3 * _MARGIN - _SIDEBAR
    ground = _ground([plan], request.network)
    tall = max(legend + 8, _tall(ground, width, _PADDING, 470.0, 690.0))
    height = top + tall + _FOOT
    frame = Box(_MARGIN, top, width, tall)
    side = Box(frame.right + _MARGIN, top, _SIDEBAR, frame.height)
    return [Panel(index, plan, Box(0, 0, 0, 0), frame, side)], height


def _several(request: MapRequest, indices: Sequence[int]) -> tuple[list[Panel], float]:
    """A grid of plans, each with its legend under its map."""
    columns = 2 if len(indices) in (2, 4) else 3
    width = (WIDTH - (columns + 1) * _MARGIN) / columns
    ground = _ground((request.journey.plans[index] for index in indices), request.network)
    tall = _tall(ground, width, _TIGHT, 250.0, 430.0 if columns == 2 else 340.0)
    panels: list[Panel] = []
    top = _head(request)
    for row in range(math.ceil(len(indices) / columns)):
        lowest = top
        for column, index in enumerate(indices[row * columns : (row + 1) * columns]):
            plan = request.journey.plans[index]
            left = _MARGIN + column * (width + _MARGIN)
            frame = Box(left, top + 50, width, tall)
            rows = map_legend.height(strands(plan, request.network))
            legend = Box(left, frame.bottom + 8, width, rows)
            panels.append(Panel(index, plan, Box(left, top, width, 50), frame, legend))
            lowest = max(lowest, legend.bottom)
        top = lowest + 18
    return panels, top + _FOOT - 10 + map_legend.notes_height(_notes(request), WIDTH - 2 * _MARGIN)


def _notes(request: MapRequest) -> tuple[str, ...]:
    """Return the notes that are told under the legs."""
    return request.journey.notes[:_MOST_NOTES]


def _notes_box(request: MapRequest, panels: Sequence[Panel]) -> Box:
    """Under the legend of the one plan, or under all of them."""
    lowest = max(panel.legend.bottom for panel in panels)
    if len(panels) > 1:
        return Box(_MARGIN, lowest + 10, WIDTH - 2 * _MARGIN, 0)
    legend = panels[0].legend
    rows = map_legend.height(strands(panels[0].plan, request.network))
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


def _views(panels: Sequence[Panel], network: Network | None) -> list[View]:
    """One view for each panel, all of the same ground."""
    ground = _ground((panel.plan for panel in panels), network)
    padding = _PADDING if len(panels) == 1 else _TIGHT
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
    yield from map_legend.rows(scene.strands, panel.legend, colours)


def _panel_heading(panel: Panel) -> Iterator[str]:
    name = plan_name(panel.index).capitalize()
    yield from map_legend.heading(panel.heading, name, plan_facts(panel.plan), (17,))


def _mark(request: MapRequest) -> Iterator[str]:
    """The mark of estimates, at the right of the title."""
    mark = source_mark(request.journey.source)
    if not mark:
        return
    width = text_width(mark, 13, True) * 1.12 + 24
    left = WIDTH - _MARGIN - width
    yield f'<rect class="mark" x="{left:.1f}" y="24" width="{width:.1f}" height="28" rx="14"/>'
    yield (
        f'<text class="markink b" font-size="13" text-anchor="middle" '
        f'x="{left + width / 2:.1f}" y="42.5">{mark}</text>'
    )
