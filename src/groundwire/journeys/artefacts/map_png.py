"""The map as a PNG, for hosts whose models see pictures but no SVG."""

from __future__ import annotations

import re
from functools import cache

from groundwire.errors import InputError

WIDEST, HIGHEST = 1200, 900
MOST_BYTES = 400_000

_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')
_SMALLER = 0.85


def draw_png(svg: str) -> bytes:
    """The picture of an SVG of `draw_svg`, at most 1200 by 900 pixels and 400,000 bytes.

    Themes that follow the reader come out light. Words are set in the fonts of this machine; where
    it has none they are missing, and `fonts_missing` says so.

    Raises:
        InputError: it is no such SVG.
    """
    # Takes a while to load, and only hosts that show pictures need it.
    import resvg_py

    size = _SIZE.search(svg)
    if size is None:
        raise InputError("this is no SVG with a width and a height: send what draw_svg returned")
    width, height = float(size[1]), float(size[2])
    scale = min(1.0, WIDEST / width, HIGHEST / height)
    while True:
        try:
            picture = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=max(1, int(width * scale))))
        except ValueError as error:
            raise InputError(f"the SVG cannot be drawn ({error}): draw the map again") from error
        if len(picture) <= MOST_BYTES:
            return picture
        scale *= _SMALLER


@cache
def fonts_missing() -> str:
    """What to do where a PNG would have no words on it; empty where it has them."""
    import resvg_py

    sheet = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{}</svg>'
    written = resvg_py.svg_to_bytes(svg_string=sheet.format('<text y="30">M</text>'))
    if written != resvg_py.svg_to_bytes(svg_string=sheet.format("")):
        return ""
    return (
        "this machine has no fonts, so the map's PNG has no words: install a font "
        "(on Debian: apt install fonts-dejavu-core), or use the SVG or HTML"
    )
