"""The map as a PNG, without a browser."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from drawn_plans import journey, one_line_twice, plan, ride, to_tate_modern
from map_reading import along, colour_at, legs, rgb, share_of
from PIL import Image

from groundwire.errors import InputError
from groundwire.journeys.artefacts import map_png
from groundwire.journeys.artefacts.map_png import (
    HIGHEST,
    MOST_BYTES,
    WIDEST,
    draw_png,
    draw_png_apart,
)
from groundwire.journeys.artefacts.map_style import DARK, LIGHT
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg


def picture(svg: str) -> Image.Image:
    with Image.open(io.BytesIO(draw_png(svg))) as image:
        return image.convert("RGB")


def test_it_is_bounded(network) -> None:
    told = to_tate_modern(network)
    many = replace(told, plans=told.plans * 6)
    for request in (
        MapRequest(told, network=network),
        MapRequest(many, 0, tuple(range(1, 6)), network),
    ):
        data = draw_png(draw_svg(request))
        assert data.startswith(b"\x89PNG") and len(data) <= MOST_BYTES
        with Image.open(io.BytesIO(data)) as image:
            assert 600 <= image.width <= WIDEST and image.height <= HIGHEST


def test_what_would_be_too_many_bytes_is_drawn_smaller(network, monkeypatch) -> None:
    svg = draw_svg(MapRequest(to_tate_modern(network), network=network))
    assert len(draw_png(svg)) > 60_000
    monkeypatch.setattr(map_png, "MOST_BYTES", 60_000)
    data = draw_png(svg)
    assert len(data) <= 60_000
    with Image.open(io.BytesIO(data)) as image:
        assert 300 < image.width < 1200


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_line_of_the_network_has_its_colour(theme, network) -> None:
    """Each line's first stretches are drawn as a leg, and its pixels looked at."""
    for line in network.lines.values():
        names = [network.stops[stop_id].name for stop_id in line.routes[0].stop_ids[:4]]
        svg = draw_svg(
            MapRequest(journey(plan(ride(network, line.id, names, 0, 9))), 0, (), network, theme)
        )
        image = picture(svg)
        assert image.width == 1200  # so that pixels are those of the SVG
        [leg] = legs(svg)
        assert share_of(image, list(along(leg.corners)), line.colour) > 0.5, line.id


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_themes(theme, colours, network) -> None:
    image = picture(draw_svg(MapRequest(to_tate_modern(network), theme=theme)))
    assert colour_at(image, (3, 3)) == rgb(colours.sheet)
    assert colour_at(image, (40, 110)) == rgb(colours.land)


def test_what_follows_the_reader_comes_out_light(network) -> None:
    request = MapRequest(to_tate_modern(network), network=network)
    light = replace(request, theme="light")
    assert picture(draw_svg(request)).tobytes() == picture(draw_svg(light)).tobytes()


def test_the_stripe_is_seen(network) -> None:
    svg = draw_svg(MapRequest(one_line_twice(network), 0, (), network, "light"))
    image = picture(svg)
    first, second = legs(svg)
    assert share_of(image, list(along(first.corners, 1)), "#000000") > 0.75
    assert 0.2 < share_of(image, list(along(second.corners, 1)), "#FFFFFF") < 0.7


@pytest.mark.parametrize("text", ["", "no svg", "<svg>", '<svg width="5" height="5"><'])
def test_what_is_no_map_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        draw_png(text)


def test_words_are_written_where_there_are_fonts(network) -> None:
    from groundwire.journeys.artefacts.map_png import fonts_missing

    if fonts_missing():
        pytest.skip(fonts_missing())
    image = picture(draw_svg(MapRequest(to_tate_modern(network), theme="light")))
    title = image.crop((24, 14, 600, 44))
    dark = sum(pixel < 80 for pixel in title.convert("L").tobytes())
    assert dark > 800


def test_a_machine_without_fonts_is_told_so() -> None:
    """The renderer looks for fonts where fontconfig and the system have them; here is none."""
    if sys.platform != "linux":
        pytest.skip("elsewhere fonts cannot be hidden from the renderer")
    code = (
        "import resvg_py\n"
        "real = resvg_py.svg_to_bytes\n"
        "resvg_py.svg_to_bytes = lambda **how: real(skip_system_fonts=True, **how)\n"
        "from groundwire.journeys.artefacts.map_png import draw_png, fonts_missing\n"
        "assert 'install a font' in fonts_missing(), fonts_missing()\n"
        "space = 'http://www.w3.org/2000/svg'\n"
        'svg = f\'<svg xmlns="{space}" width="9" height="9"><text>a</text></svg>\'\n'
        "assert draw_png(svg).startswith(b'\\x89PNG')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300, env=dict(os.environ))


def test_the_renderer_is_loaded_for_the_first_picture_only() -> None:
    code = (
        "import sys\n"
        "import groundwire.journeys.artefacts.map_html, groundwire.journeys.artefacts.map_png\n"
        "assert 'resvg_py' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


SMALL = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
    '<rect width="5" height="5"/><text>Zürich 东</text></svg>'
)


def test_a_picture_drawn_apart_is_the_same_and_leaves_the_renderer_alone() -> None:
    code = (
        "import sys\n"
        "from groundwire.journeys.artefacts.map_png import draw_png, draw_png_apart\n"
        f"svg = {SMALL!r}\n"
        "apart = draw_png_apart(svg)\n"
        "assert 'resvg_py' not in sys.modules\n"
        "assert apart == draw_png(svg)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_a_picture_is_drawn_here_where_no_process_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert draw_png_apart(SMALL) == draw_png(SMALL)
    with pytest.raises(InputError):
        draw_png_apart("<svg>")
