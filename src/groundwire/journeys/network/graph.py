"""The graph that plans are searched in, weighed as one traveller likes it.

Its nodes are the stops, where one stands on foot, and after them the states aboard of
`services.py`. One boards (and waits), rides, alights (which is a change: the end of a journey
has no edge) and walks between stops; where two lines are a few steps apart, one goes from one train
to the other at less cost. A cost is in minutes, those that are disliked counted more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations, product
from math import inf
from typing import NamedTuple

from groundwire.errors import ConfigurationError
from groundwire.journeys.network.distance import metres_between, walking_minutes
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.services import Boarding, Services, read_services

# From one platform to another of a station, and from one station of a hub to the next; both are
# estimates of ours.
CHANGE_MINUTES = 3.0
LEVEL_CHANGE_MINUTES = 2.0
HUB_MINUTES = 2.0
_SIZE_OF_A_STATION = 150.0

# A cost is a whole number and a multiple of this, which no node's number reaches; so a cost and a
# node make one number, which a heap compares faster than pairs.
NODES = 4096
_PARTS_OF_A_MINUTE = 1000

Edges = tuple[tuple[tuple[int, int], ...], ...]


def cost_of(minutes: float) -> int:
    """The cost of minutes, to a thousandth of a minute."""
    return round(minutes * _PARTS_OF_A_MINUTE) * NODES


class Taste(NamedTuple):
    """The dislikes of a traveller.

    Attributes:
        speed: how fast one walks, by the API's name, or empty.
        change: minutes that one would travel longer to save a change.
        walking: how much a minute on foot counts.
        max_transfer: the longest walk between two services, in minutes, or None.
    """

    speed: str = ""
    change: float = 1.0
    walking: float = 1.0
    max_transfer: float | None = None


def taste(preference: str, speed: str, max_transfer: float | None) -> Taste:
    """The taste that the API's `journeyPreference` means: `LeastTime`, or any other, is the least.

    `LeastInterchange` spends half an hour to save a change; to `LeastWalking` a minute on
    foot is worth four in a train.
    """
    change = {"leastinterchange": 30.0}.get(preference.lower(), 1.0)
    walking = {"leastwalking": 4.0}.get(preference.lower(), 1.0)
    return Taste(speed, change, walking, max_transfer)


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges by the number of the node they leave, and by that of the node they reach.

    Attributes:
        onward: the nodes one can go to, with the cost.
        back: the nodes one can come from, with the cost.
    """

    onward: Edges
    back: Edges


@dataclass(frozen=True)
class Grounds:
    """A network prepared for searching: nodes, and graphs by taste, each made on first use.

    Attributes:
        network: what it was made from.
        services: its states aboard.
        stop_ids: the stop of each node; the first nodes are the stops themselves.
        stops: how many nodes are stops.
        number: node of a stop by its id.
        aboard_at: nodes aboard by the id of the stop.
    """

    network: Network
    services: Services
    stop_ids: tuple[str, ...]
    stops: int
    number: Mapping[str, int]
    aboard_at: Mapping[str, tuple[int, ...]]
    _graphs: dict[Taste, Graph] = field(default_factory=dict[Taste, Graph])

    def line_id(self, node: int) -> str:
        """The line of a node aboard."""
        return self.services.line_ids[node - self.stops]

    def graph(self, taste: Taste) -> Graph:
        """The graph as one traveller weighs it."""
        if taste not in self._graphs:
            if len(self._graphs) >= 32:
                self._graphs.clear()
            self._graphs[taste] = _weigh(self, taste)
        return self._graphs[taste]


def prepare(network: Network) -> Grounds:
    """A network prepared for searching.

    Raises:
        ConfigurationError: it has more nodes than `NODES`.
    """
    services = read_services(network)
    stop_ids = tuple(network.stops)
    if len(stop_ids) + len(services.stop_ids) > NODES:
        raise ConfigurationError(
            f"the network has more than {NODES} stops and states aboard: use a smaller one"
        )
    number = {stop_id: node for node, stop_id in enumerate(stop_ids)}
    aboard: dict[str, list[int]] = {stop_id: [] for stop_id in stop_ids}
    for state, stop_id in enumerate(services.stop_ids):
        aboard[stop_id].append(len(stop_ids) + state)
    return Grounds(
        network,
        services,
        stop_ids + services.stop_ids,
        len(stop_ids),
        number,
        {stop_id: tuple(nodes) for stop_id, nodes in aboard.items()},
    )


def walks(network: Network, speed: str = "") -> Iterator[tuple[str, str, float]]:
    """Ways on foot between two stops with their minutes, besides those of a change."""
    for link in network.links:
        yield link.origin, link.destination, walking_minutes(link.metres, speed)
    for hub in network.hubs.values():
        for origin, destination in permutations(hub.stop_ids, 2):
            yield origin, destination, hub_minutes(network, origin, destination, speed)


def hub_minutes(network: Network, origin: str, destination: str, speed: str = "") -> float:
    """Minutes from one stop of a hub to another, besides those of a change."""
    apart = metres_between(network.stops[origin].point, network.stops[destination].point)
    return HUB_MINUTES + walking_minutes(max(0.0, apart - _SIZE_OF_A_STATION), speed)


def _weigh(grounds: Grounds, taste: Taste) -> Graph:
    onward: list[list[tuple[int, int]]] = [[] for _ in grounds.stop_ids]
    for stop_id, boardings in grounds.services.boardings.items():
        onward[grounds.number[stop_id]] += (
            (grounds.stops + boarding.state, cost_of(boarding.wait)) for boarding in boardings
        )
    for state, ahead in enumerate(grounds.services.ahead):
        node = grounds.stops + state
        onward[node] += (
            (grounds.stops + to, cost_of(minutes + wait)) for to, minutes, wait in ahead
        )
        onward[node].append(
            (grounds.number[grounds.stop_ids[node]], cost_of(CHANGE_MINUTES + taste.change))
        )
    for node, boarding in _level_changes(grounds):
        cost = LEVEL_CHANGE_MINUTES + taste.change + boarding.wait
        onward[node].append((grounds.stops + boarding.state, cost_of(cost)))
    longest = inf if taste.max_transfer is None else taste.max_transfer
    for origin, destination, minutes in walks(grounds.network, taste.speed):
        if minutes > longest:
            continue
        onward[grounds.number[origin]].append(
            (grounds.number[destination], cost_of(minutes * taste.walking))
        )
    back: list[list[tuple[int, int]]] = [[] for _ in onward]
    for node, edges in enumerate(onward):
        for to, cost in edges:
            back[to].append((node, cost))
    return Graph(tuple(map(tuple, onward)), tuple(map(tuple, back)))


def _level_changes(grounds: Grounds) -> Iterator[tuple[int, Boarding]]:
    """Nodes aboard one line from which another is boarded with few steps."""
    for stop_id, lines in grounds.network.level_changes:
        for node, boarding in product(
            grounds.aboard_at[stop_id], grounds.services.boardings[stop_id]
        ):
            boarded = grounds.services.line_ids[boarding.state]
            if boarded != grounds.line_id(node) and {boarded, grounds.line_id(node)} <= lines:
                yield node, boarding
