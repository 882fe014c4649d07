"""The colours of a map, for two themes, and the style sheet made of them.

One set of rules is for the light theme, one for what the dark changes. Rules are plain class
selectors without variables, which renderers of SVG other than browsers know as well; such renderers
pass over the media query and so draw the light theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple

from groundwire.journeys.artefacts.map_words import FONT_FAMILY
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


ThemeName = Literal["auto", "light", "dark"]

SCOPE = ".gw"
LINE = 7.0

_SHAPES = f"""
.gw text{{font-family:{FONT_FAMILY}}}
.gw .b{{font-weight:700}}
.gw .way{{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:{LINE:g}}}
.gw .halo{{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:{LINE + 6:g}}}
.gw .case{{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:{LINE + 2.6:g}}}
.gw .stripe{{fill:none;stroke-linecap:butt;stroke-linejoin:round;stroke-width:2.2;\
stroke-dasharray:9 6}}
.gw .walk{{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:4.6;\
stroke-dasharray:.1 8.4}}
.gw .link{{stroke-width:3.4;stroke-dasharray:.1 6.4}}
.gw .cycle{{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:5;\
stroke-dasharray:11 8}}
.gw .calls{{fill:none;stroke-linecap:round;stroke:#FFF;stroke-width:4}}
.gw .net{{fill:none;stroke-linecap:round;stroke-linejoin:round;stroke-width:2.2;stroke-opacity:.3}}
.gw .spots{{fill:none;stroke-linecap:round;stroke-width:4;stroke-opacity:.5}}
.gw .name{{paint-order:stroke;stroke-width:4;stroke-linejoin:round}}
.gw .rule{{fill:none;stroke-width:1}}
.gw .lead{{fill:none;stroke-width:1}}
.gw .num{{font-weight:700;text-anchor:middle}}
.gw .ring,.gw .core{{fill:none;stroke-linecap:round}}
"""


def style(colours: Sequence[str], net: Iterable[str], theme: ThemeName) -> str:
    """The rules for a map that draws these colours.

    Args:
        colours: of the rides; the classes of the first are `s0`, `f0`, `n0`, `k0`, `e0`: stroke,
            fill, text upon it, stripe, outline.
        net: colours of the network behind, which have the class `net` and their name.
        theme: `auto` follows the reader's preference, the others do not.
    """
    first = DARK if theme == "dark" else LIGHT
    rules = _SHAPES + _themed(first) + _lines(colours) + _outlines(colours, first)
    rules += _faint(net, first)
    if theme == "auto":
        dark = _themed(DARK) + _outlines(colours, DARK) + _faint(net, DARK)
        rules += f"@media (prefers-color-scheme:dark){{{dark}}}"
    return rules.replace("\n", "")


def net_class(colour: str) -> str:
    """The class of a line of the network behind, by its colour."""
    return f"m{colour.lstrip('#').lower()}"


def _themed(theme: Theme) -> str:
    return "".join(
        f"{SCOPE} .{name}{{{rule}}}"
        for name, rule in (
            ("sheet", f"fill:{theme.sheet}"),
            ("land", f"fill:{theme.land}"),
            ("ink", f"fill:{theme.ink}"),
            ("muted", f"fill:{theme.muted}"),
            ("warn", f"fill:{theme.warning}"),
            ("mark", f"fill:{theme.mark}"),
            ("markink", f"fill:{theme.mark_ink}"),
            ("river", f"fill:{theme.river}"),
            ("rule", f"stroke:{theme.rule}"),
            ("lead", f"stroke:{theme.muted}"),
            ("name", f"stroke:{theme.land}"),
            ("halo", f"stroke:{theme.land}"),
            ("walk", f"stroke:{theme.path}"),
            ("cycle", f"stroke:{theme.cycle}"),
            ("footbadge", f"fill:{theme.path}"),
            ("wheelbadge", f"fill:{theme.cycle}"),
            ("footnum", f"fill:{ink_on(theme.path)}"),
            ("wheelnum", f"fill:{ink_on(theme.cycle)}"),
            ("spots", f"stroke:{theme.net}"),
            ("ring", f"stroke:{theme.ink}"),
            ("core", f"stroke:{theme.sheet}"),
            ("hole", f"fill:{theme.sheet}"),
            ("edge", f"stroke:{theme.land};stroke-width:2"),
            ("bar", f"fill:none;stroke:{theme.ink};stroke-width:1.6"),
        )
    )


def _lines(colours: Sequence[str]) -> str:
    return "".join(
        f"{SCOPE} .s{index}{{stroke:{colour}}}"
        f"{SCOPE} .f{index}{{fill:{colour}}}"
        f"{SCOPE} .n{index}{{fill:{ink_on(colour)}}}"
        f"{SCOPE} .k{index}{{stroke:{ink_on(colour)}}}"
        for index, colour in enumerate(colours)
    )


def _outlines(colours: Sequence[str], theme: Theme) -> str:
    return "".join(
        f"{SCOPE} .e{index}{{stroke:{outline_on(colour, theme)}}}"
        for index, colour in enumerate(colours)
    )


def _faint(net: Iterable[str], theme: Theme) -> str:
    return "".join(
        f"{SCOPE} .{net_class(colour)}{{stroke:"
        f"{colour if contrast(colour, theme.land) >= 1.6 else theme.net}}}"
        for colour in dict.fromkeys(net)
    )
