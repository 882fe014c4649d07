"""The map as a page of its own: the drawing, which can be enlarged, and the legs in words.

The scripts move about on the map, and let an app talk to its host. They are files of JavaScript
beside this one, put inline and allowed by their hash alone; neither fetches anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from groundwire.apps import bridge, policy
from groundwire.journeys.artefacts.map_style import DARK, LIGHT, Theme, ThemeName
from groundwire.journeys.artefacts.map_svg import WIDTH, MapRequest, chosen, draw_svg, map_title
from groundwire.journeys.artefacts.map_words import (
    FONT_FAMILY,
    clock,
    day,
    direction,
    leg_name,
    markup,
    minutes,
    place_name,
    plan_facts,
)
from groundwire.journeys.itinerary import Leg, Plan
from groundwire.journeys.wording import plan_name

# Where the result of a tool carries the SVG for the app, beside what the model reads: the drawing
# for a pane, and the one for a phone.
SVG_META_KEY = "groundwire/map_svg"
SVG_NARROW_META_KEY = "groundwire/map_svg_narrow"


def _script(name: str) -> str:
    return Path(__file__).with_name(f"{name}.js").read_text("utf-8")


PAGE = _script("map_moving") + _script("map_page")
APP = (
    bridge()
    + _script("map_moving")
    + _script("map_app")
    .replace("SVG_NARROW_META_KEY", SVG_NARROW_META_KEY)
    .replace("SVG_META_KEY", SVG_META_KEY)
)


# How wide the map is drawn for each class of screen: a phone of 390 pixels, a pane of 680.
WIDTHS: Mapping[str, float] = {"phone": 390.0, "pane": 656.0, "wide": WIDTH}
_FOLDER = Path(__file__).parent
_SHAPES = (_FOLDER / "map_page.css").read_text("utf-8").replace("FONT_FAMILY", FONT_FAMILY)
_WIDTHS = (_FOLDER / "map_widths.css").read_text("utf-8")
_TOOLS = (
    '<div id="tools"{hidden}><button type="button" data-key="+" aria-label="Enlarge">+</button>'
    '<button type="button" data-key="-" aria-label="Make smaller">−</button>'
    '<button type="button" data-key="0">Show all</button>'
    "<span>Keys: + and − zoom, arrows move, 0 shows all. Ctrl and the wheel zoom too.</span></div>"
)
_STAGE = (
    '<div id="stage" tabindex="0" role="group" '
    'aria-label="Map. Plus and minus zoom, arrows move, zero shows all.">'
)


class MapPage(NamedTuple):
    """The pieces of a page.

    Attributes:
        title: its title, as text.
        body: its body, as HTML.
        css: its style sheet.
        script: the one script that it runs.
    """

    title: str
    body: str
    css: str
    script: str


def draw_html(request: MapRequest, svg: str = "") -> str:
    """The map as an HTML document that needs nothing but itself; arguments as of `map_page`.

    Raises:
        InputError: as `draw_svg`.
    """
    return _document(map_page(request, svg))


def map_page(request: MapRequest, svg: str = "") -> MapPage:
    """Return the pieces of a page that shows a map, drawn for each width, and its legs in words.

    Args:
        request: what is to be drawn.
        svg: what `draw_svg` made of the same request, where that is at hand already.

    Raises:
        InputError: as `draw_svg`.
    """
    drawings = "".join(
        _classed(svg if name == "wide" and svg else draw_svg(replace(request, width=width)), name)
        for name, width in WIDTHS.items()
    )
    told = "".join(_tables(request))
    notes = "".join(f"<p>{markup(note)}</p>" for note in request.journey.notes)
    return MapPage(
        title=map_title(request),
        script=PAGE,
        css=_page_style(request.theme) + _WIDTHS,
        body=(
            f"<main>{_STAGE}{drawings}</div>{_TOOLS.format(hidden='')}"
            f'<section class="words" aria-label="The legs in words">{told}{notes}</section></main>'
        ),
    )


@cache
def app_page() -> str:
    """The page of the MCP App: it shows the map that the result of a tool carries.

    The SVG comes in the result's `_meta` under `SVG_META_KEY`, or as `structuredContent.svg`, or
    as an SVG among the content; where there is none, a PNG among the content is shown, else text.
    Light and dark follow the host.
    """
    return _document(
        MapPage(
            title="Journey map",
            script=APP,
            css=_page_style("auto"),
            body=(
                f"<main>{_STAGE}</div>{_TOOLS.format(hidden=' hidden')}"
                '<p id="status" role="status">The map is on its way.</p></main>'
            ),
        )
    )


def _classed(svg: str, name: str) -> str:
    """A drawing with the class by which the page shows it at its width."""
    return svg.replace('class="gw"', f'class="gw {name}"', 1)


def _document(page: MapPage) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en-GB"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(page.script)}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">'
        f"<title>{markup(page.title)}</title><style>{page.css}</style></head>"
        f"<body>{page.body}<script>{page.script}</script></body></html>\n"
    )


def _page_style(theme: ThemeName) -> str:
    if theme != "auto":
        colours = _page_colours(DARK if theme == "dark" else LIGHT)
        return f":root{{color-scheme:{theme}}}{_SHAPES}{colours}"
    dark = _page_colours(DARK)
    return (
        f":root{{color-scheme:light dark}}{_SHAPES}{_page_colours(LIGHT)}"
        f"@media (prefers-color-scheme:dark){{{dark}}}"
    )


def _page_colours(theme: Theme) -> str:
    return (
        f"html,body{{background:{theme.sheet};color:{theme.ink}}}"
        f"button{{background:{theme.land};color:{theme.ink};border-color:{theme.muted}}}"
        f"th,td{{border-color:{theme.rule}}}"
        f"#tools span{{color:{theme.muted}}}.warn{{color:{theme.warning}}}"
    )


def _tables(request: MapRequest) -> Iterator[str]:
    """Yield a table of legs for each trip of a day, or for each plan."""
    number = 1
    for name, plan in request.trips:
        yield _words(f"{name}: ", plan, number)
        number += len(plan.legs)
    if not request.trips:
        several = len(chosen(request)) > 1
        for index in chosen(request):
            heading = f"{plan_name(index).capitalize()}: " if several else ""
            yield _words(heading, request.journey.plans[index])


def _words(heading: str, plan: Plan, first: int = 1) -> str:
    """Return the legs of a plan as a table, numbered as on the map."""
    rows = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in _cells(number, leg)) + "</tr>"
        for number, leg in enumerate(plan.legs, first)
    )
    titles = ("", "Leg", "From", "To", "Depart", "Arrive", "Time")
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    return (
        f"<table><caption>{markup(f'{heading}{day(plan.start)} · {plan_facts(plan)}')}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" + "".join(_warnings(plan))
    )


def _cells(number: int, leg: Leg) -> tuple[str, ...]:
    towards = f" towards {direction(leg)}" if leg.is_ride and leg.direction else ""
    return (
        str(number),
        markup(f"{leg_name(leg)}{towards}"),
        markup(place_name(leg.origin)),
        markup(place_name(leg.destination)),
        clock(leg.departure),
        clock(leg.arrival),
        minutes(leg.duration_minutes),
    )


def _warnings(plan: Plan) -> Iterator[str]:
    for mark, kind, found in (
        (' class="warn"', "", plan.disruptions),
        (' class="warn"', "Planned works: ", plan.planned_works),
        ("", "Notice: ", plan.notices),
    ):
        for told in found:
            named = told.reason.casefold().startswith(told.line.casefold())
            text = told.reason if named else f"{told.line}: {told.reason}"
            yield f"<p{mark}>{markup(kind + text)}</p>"
