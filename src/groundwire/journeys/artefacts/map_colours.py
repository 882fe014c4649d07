"""The colours of a map: of its two themes, of lines and modes, and what can be read on them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from groundwire.journeys.itinerary import Leg
from groundwire.journeys.network.model import Network

# Contrast by WCAG 2.1 that text needs, and below which a line gets an outline.
READABLE = 4.5
VISIBLE = 2.2

# Colours of services that the embedded network does not have, as London knows them.
_MODES = {
    "bus": "#DC241F",
    "replacement-bus": "#DC241F",
    "coach": "#B5520B",
    "river-bus": "#0A8FBF",
    "river-tour": "#0A8FBF",
    "cable-car": "#734FA0",
    "tram": "#5FB526",
    "dlr": "#00AFAD",
    "overground": "#EE7623",
    "elizabeth-line": "#60399E",
    "national-rail": "#4B5A78",
    "international-rail": "#4B5A78",
    "taxi": "#3B3B3B",
    "cycle-hire": "#C2185B",
}
_OTHER = "#5A5F66"


class Theme(NamedTuple):
    """The colours of a light or a dark sheet.

    Attributes:
        sheet: behind everything.
        land: behind the map.
        rule: edges of the map and between rows.
        river: the Thames.
        ink: titles, names, markers.
        muted: what is less important, still readable.
        path: ways on foot.
        cycle: ways by cycle.
        outline: around lines that the land would swallow.
        net: lines of the network that the land would swallow.
        mark: behind the mark of estimates; `mark_ink` is on it.
        warning: text of disruptions.
    """

    sheet: str
    land: str
    rule: str
    river: str
    ink: str
    muted: str
    path: str
    cycle: str
    outline: str
    net: str
    mark: str
    mark_ink: str
    warning: str


LIGHT = Theme(
    sheet="#FFFFFF",
    land="#F5F3EE",
    rule="#D9D5CB",
    river="#CADDEB",
    ink="#14202B",
    muted="#4C5864",
    path="#3D4852",
    cycle="#1B7F4B",
    outline="#5A6470",
    net="#8C8C8C",
    mark="#FFE9B8",
    mark_ink="#5A3D00",
    warning="#A3260F",
)
DARK = Theme(
    sheet="#0F1419",
    land="#182028",
    rule="#33404C",
    river="#1F384E",
    ink="#F0F4F8",
    muted="#A9B6C2",
    path="#C9D3DC",
    cycle="#5FD39A",
    outline="#E6ECF1",
    net="#8896A3",
    mark="#4A3A12",
    mark_ink="#FFDF9A",
    warning="#FF9D8A",
)


def ride_colour(leg: Leg, network: Network | None) -> str:
    """The colour of the line that a leg rides, else of its mode, as `#RRGGBB`."""
    if network is not None and leg.line_id in network.lines:
        return network.lines[leg.line_id].colour.upper()
    return _MODES.get(leg.mode, _OTHER)


@cache
def luminance(colour: str) -> float:
    """Relative luminance of `#RRGGBB` by WCAG 2.1, from 0 for black to 1 for white."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG 2.1, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def ink_on(colour: str) -> str:
    """Black or white, whichever reads better on the colour; one of them always reads well."""
    return max("#FFFFFF", "#000000", key=lambda ink: contrast(ink, colour))


def outline_on(colour: str, theme: Theme) -> str:
    """Return the colour that cases a line: the land itself, where the line stands out on it."""
    return theme.land if contrast(colour, theme.land) >= VISIBLE else theme.outline
