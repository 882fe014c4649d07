"""The scripts of the map's pages: moving about on the map, and the talk of an app with its host.

They are files of JavaScript beside this one, put inline and allowed by their hash alone; neither
fetches anything.
"""

from __future__ import annotations

from pathlib import Path

from groundwire.apps import bridge

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
