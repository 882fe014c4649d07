"""Searching for ways, on graphs small enough to see, and against a plain search on the real one."""

from __future__ import annotations

import random
import sys
from heapq import heappop, heappush

import pytest

from groundwire.errors import ConfigurationError
from groundwire.journeys.network.graph import Edges, Graph, Taste, cost_of, prepare, taste
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import ways


def graph(*edges: tuple[int, int, int]) -> Graph:
    size = max(max(start, end) for start, end, _ in edges) + 1
    onward = [
        [(end, cost_of(cost)) for begin, end, cost in edges if begin == node]
        for node in range(size)
    ]
    back = [
        [(begin, cost_of(cost)) for begin, end, cost in edges if end == node]
        for node in range(size)
    ]
    return Graph(tuple(map(tuple, onward)), tuple(map(tuple, back)))


def cheapest(edges: Edges, origin: int, destinations: set[int]) -> int:
    """Dijkstra's search as in any textbook."""
    costs, heap = {origin: 0}, [(0, origin)]
    while heap:
        cost, node = heappop(heap)
        if node in destinations:
            return cost
        for following, step in edges[node]:
            if cost + step < costs.get(following, sys.maxsize):
                costs[following] = cost + step
                heappush(heap, (cost + step, following))
    return sys.maxsize


def test_the_best_way_comes_first_then_ways_by_other_nodes() -> None:
    known = graph((0, 1, 10), (1, 4, 10), (0, 2, 11), (2, 4, 12), (0, 3, 40), (3, 4, 40))
    found = list(ways(known, {0: 0}, {4: 0}))
    assert [(way.nodes, way.cost) for way in found] == [
        ((0, 1, 4), cost_of(20)),
        ((0, 2, 4), cost_of(23)),
    ]


def test_a_closed_node_is_not_passed() -> None:
    known = graph((0, 1, 10), (1, 4, 10), (0, 2, 11), (2, 4, 12))
    assert [way.nodes for way in ways(known, {0: 0}, {4: 0}, {1})] == [(0, 2, 4)]
    assert list(ways(known, {0: 0}, {4: 0}, {1, 2})) == []


def test_the_way_on_foot_to_either_end_counts() -> None:
    known = graph((0, 1, 10), (2, 3, 12))
    best = next(ways(known, {0: cost_of(5), 2: cost_of(1)}, {1: 0, 3: cost_of(1)}))
    assert (best.nodes, best.cost) == ((2, 3), cost_of(14))


@pytest.mark.parametrize("seed", range(3))
def test_the_best_way_costs_what_a_plain_search_finds(network: Network, seed: int) -> None:
    grounds = prepare(network)
    known = grounds.graph(Taste())
    made = random.Random(seed)
    for _ in range(40):
        origin, destination = made.sample(range(grounds.stops), 2)
        ends = {destination, *grounds.aboard_at[grounds.stop_ids[destination]]}
        best = next(ways(known, {origin: 0}, dict.fromkeys(ends, 0)))
        assert best.cost == cheapest(known.onward, origin, ends)
        steps = zip(best.nodes, best.nodes[1:], strict=False)
        assert sum(dict(known.onward[one])[other] for one, other in steps) == best.cost


def test_every_stop_can_be_reached_from_every_other(network: Network) -> None:
    grounds = prepare(network)
    known = grounds.graph(Taste())
    for edges in (known.onward, known.back):
        reached, open_nodes = {0}, [0]
        while open_nodes:
            fresh = {end for end, _ in edges[open_nodes.pop()]} - reached
            reached |= fresh
            open_nodes += fresh
        assert reached >= set(range(grounds.stops))


def test_a_taste_is_what_the_preference_says() -> None:
    assert taste("LeastInterchange", "", None).change > taste("LeastTime", "", None).change
    assert taste("LeastWalking", "", None).walking > taste("", "", None).walking


def test_a_network_that_cannot_be_numbered_is_refused(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.journeys.network.graph.NODES", 1024)
    with pytest.raises(ConfigurationError, match="more than 1024 stops and states aboard"):
        prepare(network)
