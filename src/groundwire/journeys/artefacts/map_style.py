"""The style sheet of a map: one set of rules for the light theme, one for what the dark changes.

Rules are plain class selectors without variables, which renderers of SVG other than browsers know
as well; such renderers pass over the media query and so draw the light theme.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from groundwire.journeys.artefacts.map_colours import (
    DARK,
    LIGHT,
    Theme,
    contrast,
    ink_on,
    outline_on,
)
from groundwire.journeys.artefacts.map_words import FONT_FAMILY

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
