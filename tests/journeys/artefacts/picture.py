"""Draws the picture of the map that README shows, again.

    python tests/journeys/artefacts/picture.py

It writes `journey_map.svg`, which follows the reader's preference for light or dark, and the same
as PNG with few colours, `journey_map_light.png` and `journey_map_dark.png`, beside this file.
"""

from __future__ import annotations

from datetime import datetime
from io import BytesIO
from pathlib import Path

from PIL import Image

from groundwire.journeys.artefacts.map_png import draw_png
from groundwire.journeys.artefacts.map_style import ThemeName
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg
from groundwire.journeys.itinerary import LONDON, Journey, Options, Place, Point
from groundwire.journeys.network.load import load_network
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import plan
from groundwire.profiles import london_network

FOLDER = Path(__file__).parent
WHEN = datetime(2026, 11, 23, 9, 0, tzinfo=LONDON)
OBSERVATORY = Place("Royal Observatory", Point(51.4769, -0.0005), "point_of_interest")


def example(network: Network) -> Journey:
    """From Hampstead to the Royal Observatory, through the City and under the Thames."""
    start = next(stop for stop in network.stops.values() if stop.name == "Hampstead").place
    plans = plan(network, start, OBSERVATORY, Options(when=WHEN), WHEN)
    return Journey(start, OBSERVATORY, plans, "offline_estimate")


def draw(theme: ThemeName) -> str:
    network = load_network(london_network())
    return draw_svg(MapRequest(example(network), network=network, theme=theme))


def main() -> None:
    (FOLDER / "journey_map.svg").write_text(draw("auto") + "\n", "utf-8")
    for theme in ("light", "dark"):
        with Image.open(BytesIO(draw_png(draw(theme)))) as image:
            small = image.convert("RGB").quantize(120, Image.Quantize.MEDIANCUT)
        small.save(FOLDER / f"journey_map_{theme}.png", optimize=True)


if __name__ == "__main__":
    main()
