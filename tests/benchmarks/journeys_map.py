"""What the map and the calendar of a plan cost, with the network loaded, and the map's picture.

    python tests/benchmarks/journeys_map.py [--plans 40] [--seed 7]

Plans are made over the embedded network for pairs of stops drawn at random. For each, the map is
drawn as SVG and as a page, and the calendar file is written; the whole counts as one. Each is
measured in turns and its quickest turn counts, since a machine is never quite idle; the target
holds for the slowest of all plans but one in twenty. The PNG is a line of its own: not every host
asks for it.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from _table import Measured, report

from groundwire.journeys.artefacts.calendar import calendar_for
from groundwire.journeys.artefacts.map_html import draw_html
from groundwire.journeys.artefacts.map_png import draw_png
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg
from groundwire.journeys.itinerary import LONDON, Journey, Options
from groundwire.journeys.network.load import load_network
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import plan
from groundwire.profiles import london_network

WITHIN = 0.030
TURNS = 5
NOW = datetime(2026, 11, 23, 9, 0, tzinfo=LONDON)


def best(run: Callable[[], object]) -> float:
    """The seconds of the quickest of some turns: what it costs undisturbed."""
    taken: list[float] = []
    for _ in range(TURNS):
        started = time.perf_counter()
        run()
        taken.append(time.perf_counter() - started)
    return min(taken)


def p95(taken: Sequence[float]) -> float:
    return statistics.quantiles(taken, n=20)[-1]


def requests(network: Network, count: int, seed: int) -> list[MapRequest]:
    """Maps to draw, of journeys between stops drawn at random."""
    made = random.Random(seed)
    stops = list(network.stops.values())
    drawn: list[MapRequest] = []
    while len(drawn) < count:
        start, end = made.sample(stops, 2)
        if start.hub and start.hub == end.hub:
            continue
        plans = plan(network, start.place, end.place, Options(when=NOW), NOW)
        journey = Journey(start.place, end.place, plans, "offline_estimate")
        drawn.append(MapRequest(journey, network=network))
    return drawn


def page(request: MapRequest) -> str:
    return draw_html(request, draw_svg(request))


def calendar(request: MapRequest) -> bytes:
    journey = request.journey
    return calendar_for(journey.plans[0], journey, uid_seed="journey/0/0", now=NOW)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    network = load_network(london_network())
    maps: list[float] = []
    calendars: list[float] = []
    both: list[float] = []
    compared: list[float] = []
    pictures: list[float] = []
    sizes: list[int] = []
    for request in requests(network, arguments.plans, arguments.seed):
        page(request), calendar(request)  # What is loaded once.
        maps.append(best(lambda request=request: page(request)))
        calendars.append(best(lambda request=request: calendar(request)))
        both.append(best(lambda request=request: (page(request), calendar(request))))
        journey = request.journey
        if len(journey.plans) > 1:
            others = tuple(range(1, len(journey.plans)))
            several = MapRequest(journey, 0, others, network)
            compared.append(best(lambda several=several: page(several)))
        svg = draw_svg(request)
        sizes.append(len(draw_png(svg)))
        pictures.append(best(lambda svg=svg: draw_png(svg)))
    print(f"{len(maps)} plans; PNG of {min(sizes):,} to {max(sizes):,} bytes")
    return report(
        [
            Measured("map, SVG and page, p95", None, p95(maps)),
            Measured("calendar, p95", None, p95(calendars)),
            Measured("map and calendar, p95", None, p95(both), seconds=WITHIN),
            Measured("map that compares all plans, p95", None, p95(compared)),
            Measured("PNG of the map, p95", None, p95(pictures)),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
