"""What plans over the embedded network cost, and what it costs to load it.

    python tests/benchmarks/journeys_network.py [--pairs 500] [--seed 7]

Pairs of stops are drawn at random, a tenth of the ends being moved by a few hundred metres so that
they are addresses, and three plans are asked for each. The known thing beside them is a bare search
by Dijkstra's method with heapq over the same graph, to every node, without any path or plan. Every
pair is measured in turns, and its median counts, since a machine is never quite idle. What is made
once for a network is made before; its cost is a line of its own.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from heapq import heappop, heappush
from math import inf

from _table import Measured, report

from groundwire.journeys.itinerary import LONDON, Options, Place, Point
from groundwire.journeys.network import load
from groundwire.journeys.network.graph import Grounds, Taste, prepare
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import plan
from groundwire.profiles import london_network

WITHIN, LOADED_WITHIN, PREPARED_WITHIN = 0.010, 0.100, 0.250
# Two searches, which meet, and telling up to three plans, in terms of one bare search.
RATIO = 6.0
TURNS = 3
NOW = datetime(2026, 11, 23, 9, 0, tzinfo=LONDON)


def best(run: Callable[[], object], turns: int = 7) -> float:
    """The seconds of a quick run, the quickest of several: what it costs undisturbed."""
    taken: list[float] = []
    for _ in range(turns):
        started = time.perf_counter()
        run()
        taken.append(time.perf_counter() - started)
    return min(taken)


def read_anew() -> Network:
    """Read the network, which a process keeps, from its file again."""
    load._loaded.cache_clear()
    return load.load_network(london_network())


def pairs(network: Network, count: int, seed: int) -> list[tuple[Place, Place]]:
    made = random.Random(seed)
    stops = list(network.stops.values())

    def drawn(avoid: str = "") -> Place:
        stop = made.choice([stop for stop in stops if stop.id != avoid])
        if made.random() >= 0.1:
            return stop.place
        lat, lon = (made.uniform(-0.004, 0.004) for _ in range(2))
        return Place("an address", Point(stop.point.lat + lat, stop.point.lon + lon))

    drawn_pairs = [(drawn(), drawn()) for _ in range(count)]
    return [
        (origin, drawn(origin.stop_id) if origin.stop_id == destination.stop_id else destination)
        for origin, destination in drawn_pairs
    ]


def bare_search(grounds: Grounds, origin: int) -> list[float]:
    edges = grounds.graph(Taste()).onward
    costs = [inf] * len(edges)
    costs[origin] = 0.0
    heap = [(0.0, origin)]
    while heap:
        cost, node = heappop(heap)
        if cost > costs[node]:
            continue
        for following, step in edges[node]:
            if cost + step < costs[following]:
                costs[following] = cost + step
                heappush(heap, (cost + step, following))
    return costs


def main() -> int:
    parser = argparse.ArgumentParser(description="Time plans over the embedded network.")
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    network = load.load_network(london_network())
    loading = best(read_anew)
    preparing = best(lambda: prepare(network).graph(Taste()))
    grounds = prepare(network)
    asked = pairs(network, options.pairs, options.seed)
    plan(network, *asked[0], Options(), NOW)
    bare: list[list[float]] = [[] for _ in asked]
    ours: list[list[float]] = [[] for _ in asked]
    counts: Counter[int] = Counter()
    for turn in range(TURNS):
        for at, (origin, destination) in enumerate(asked):
            node = grounds.number.get(origin.stop_id, at % grounds.stops)
            started = time.perf_counter()
            bare_search(grounds, node)
            searched = time.perf_counter()
            found = plan(network, origin, destination, Options(), NOW)
            ours[at].append(time.perf_counter() - searched)
            bare[at].append(searched - started)
            counts[len(found)] += not turn
    print(
        ", ".join(f"{times:,} pairs with {count} plans" for count, times in sorted(counts.items()))
    )
    usual, known = ([statistics.median(taken) for taken in all_] for all_ in (ours, bare))
    return report(
        [
            Measured("load the network", None, loading, seconds=LOADED_WITHIN),
            Measured("prepare it for planning", None, preparing, seconds=PREPARED_WITHIN),
            Measured("plan, median", statistics.median(known), statistics.median(usual)),
            Measured(
                "plan, p95",
                statistics.quantiles(known, n=20)[-1],
                statistics.quantiles(usual, n=20)[-1],
                ratio=RATIO,
                seconds=WITHIN,
            ),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
