"""The map as a PNG, for hosts whose models see pictures but no SVG."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache

from groundwire.config import without_secrets
from groundwire.errors import InputError

WIDEST, HIGHEST = 1200, 900
MOST_BYTES = 400_000

_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')
_SMALLER = 0.85
_APART = (
    "import sys; from groundwire.journeys.artefacts.map_png import draw_png; "
    "sys.stdout.buffer.write(draw_png(sys.stdin.buffer.read().decode()))"
)
# Far more than any drawing takes; one that takes it is drawn in this process instead.
_SECONDS = 30.0


def draw_png(svg: str) -> bytes:
    """The picture of an SVG of `draw_svg`, at most 1200 by 900 pixels and 400,000 bytes.

    Themes that follow the reader come out light. Words are set in the fonts of this machine; where
    it has none they are missing, and `fonts_missing` says so.

    Raises:
        InputError: the text is not such an SVG.
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


def draw_png_apart(svg: str) -> bytes:
    """`draw_png` in a process of its own, for servers that answer others in the meantime.

    The renderer holds the interpreter's lock as long as it draws, about a quarter of a second, so
    a thread would not help. Where no such process can run, the picture is drawn in this one.

    Raises:
        InputError: as `draw_png`.
    """
    try:
        drawn = subprocess.run(
            [sys.executable, "-I", "-c", _APART],
            input=svg.encode(),
            capture_output=True,
            env=without_secrets(os.environ),
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return draw_png(svg)
    return drawn.stdout


@cache
def fonts_missing() -> str:
    """Say what to do where a PNG would have no words on it; empty where it has them."""
    import resvg_py

    sheet = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{}</svg>'
    written = resvg_py.svg_to_bytes(svg_string=sheet.format('<text y="30">M</text>'))
    if written != resvg_py.svg_to_bytes(svg_string=sheet.format("")):
        return ""
    return (
        "this machine has no fonts, so the map's PNG has no words: install a font "
        "(on Debian: apt install fonts-dejavu-core), or use the SVG or HTML"
    )
