"""Finds ways through the graph: the best, and others that are worth a look.

Two searches by Dijkstra's method meet. The first goes back from where one wants to be, and gives
every node what it still costs from there. The second goes forth, and only where the cost so far
and the cost to come stay within a limit. Then each node that it reached has a best way through it,
and ways through different nodes are the alternatives ("via nodes").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from heapq import heapify, heappop, heappush
from operator import add
from typing import NamedTuple

from groundwire.journeys.network.graph import NODES, Edges, Graph, cost_of

# An alternative may cost so many times the best way, and a little more where that is short.
WORSE, MORE = 1.45, cost_of(4.0)

Costs = Mapping[int, int]
# More than any way costs.
_NEVER = cost_of(1e9)
_NODE = NODES - 1


class Way(NamedTuple):
    """Nodes in order, and what they cost."""

    nodes: tuple[int, ...]
    cost: int


def ways(
    graph: Graph,
    origins: Costs,
    destinations: Costs,
    closed: Collection[int] = (),
    first_via: int = 0,
) -> Iterator[Way]:
    """Ways from an origin to a destination, by rising cost; the first is the best.

    Args:
        graph: where to search.
        origins: nodes to begin at, and what it costs to get there.
        destinations: nodes to end at, and what it costs from there.
        closed: nodes that may not be passed.
        first_via: only nodes from this number on are tried as via nodes.
    """
    to_come, following, limit = _search_back(graph.back, destinations, origins, closed)
    if limit == _NEVER:
        return
    so_far, before = _search_forth(graph.onward, origins, to_come, limit)
    totals = map(add, so_far[first_via:], to_come[first_via:])
    through = [cost + node for node, cost in enumerate(totals, first_via) if cost <= limit]
    heapify(through)
    covered: set[int] = set()
    while through:
        key = heappop(through)
        node = key & _NODE
        if node in covered:
            continue
        nodes = _trace(node, before)[::-1] + _trace(node, following)[1:]
        covered.update(nodes)
        yield Way(tuple(nodes), key - node)


def _search_back(
    edges: Edges, destinations: Costs, origins: Costs, closed: Collection[int]
) -> tuple[list[int], dict[int, int], int]:
    """Costs to a destination, the node that follows each node, and the limit of a way's cost."""
    costs = [_NEVER] * len(edges)
    for node in closed:
        costs[node] = -1  # no way there is ever better, so it is never taken
    following: dict[int, int] = {}
    heap: list[int] = []
    for node, cost in destinations.items():
        if cost < costs[node]:
            costs[node] = cost
            heappush(heap, cost + node)
    limit = _NEVER
    while heap:
        key = heappop(heap)
        node = key & _NODE
        cost = key - node
        if cost > limit:
            break
        if cost > costs[node]:
            continue
        if node in origins:
            limit = min(limit, int((cost + origins[node]) * WORSE) + MORE)
        for previous, step in edges[node]:
            reached = cost + step
            if reached < costs[previous]:
                costs[previous] = reached
                following[previous] = node
                heappush(heap, reached + previous)
    for node in closed:
        costs[node] = _NEVER
    return costs, following, limit


def _search_forth(
    edges: Edges, origins: Costs, to_come: list[int], limit: int
) -> tuple[list[int], dict[int, int]]:
    """Costs from an origin of the nodes on ways within the limit, and the node before each."""
    costs = [_NEVER] * len(edges)
    before: dict[int, int] = {}
    heap: list[int] = []
    for node, cost in origins.items():
        if cost + to_come[node] <= limit:
            costs[node] = cost
            heappush(heap, cost + node)
    while heap:
        key = heappop(heap)
        node = key & _NODE
        cost = key - node
        if cost > costs[node]:
            continue
        for following, step in edges[node]:
            reached = cost + step
            if reached < costs[following] and reached + to_come[following] <= limit:
                costs[following] = reached
                before[following] = node
                heappush(heap, reached + following)
    return costs, before


def _trace(node: int, links: Mapping[int, int]) -> list[int]:
    """The node, and those that the links lead to from it."""
    nodes = [node]
    while node in links:
        node = links[node]
        nodes.append(node)
    return nodes
