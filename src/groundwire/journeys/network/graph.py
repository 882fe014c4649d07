"""The graph that plans are searched in, weighed as one traveller likes it.

Its nodes are the stops, where one stands on foot, and after them the states aboard. One boards (and
waits), rides, alights (which is a change: the end of a journey has no edge) and walks between
stops; where two lines are a few steps apart, one goes from one train to the other at less cost. A
cost is in minutes, those that are disliked counted more.

A train reaches only what lies ahead on the routes that it may follow: a Northern line train to
Bank does not go to Waterloo. A state aboard is therefore a stop together
with the ways that may still lie ahead. States with the same ways ahead are one, whichever branch
the train came from, so that there are not many more of them than stops of lines in either
direction.

Waiting: where all routes of a line run together, a train comes every `headway` minutes, and one
waits half of that. Where only some of them run, or where only some go on to where one wants to
be, one waits longer in proportion. The share of a way is added where it parts from the others, so
that the waiting of a whole ride is right when the ride is known.

Rides without a change, between two stops of one line, are found without a search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise, permutations, product
from math import inf
from typing import NamedTuple

from groundwire.errors import ConfigurationError
from groundwire.journeys.itinerary import metres_between
from groundwire.journeys.network.model import Line, Network, Route, walking_minutes

# Nobody plans to wait longer than this; where trains are that rare, people know their times.
LONGEST_WAIT = 10.0


class Ahead(NamedTuple):
    """The next stop that a train may go to.

    Attributes:
        state: the state aboard at that stop.
        minutes: running time.
        wait: waiting that is due because only a part of the trains goes there.
    """

    state: int
    minutes: float
    wait: float


class Boarding(NamedTuple):
    """A service that one may board; it is the state aboard, and the minutes to wait for it."""

    state: int
    wait: float


@dataclass(frozen=True, slots=True)
class Services:
    """States aboard, by number.

    Attributes:
        stop_ids, line_ids: stop and line of each state.
        ahead: where each may go on to.
        boardings: what may be boarded, by stop id.
    """

    stop_ids: tuple[str, ...]
    line_ids: tuple[str, ...]
    ahead: tuple[tuple[Ahead, ...], ...]
    boardings: Mapping[str, tuple[Boarding, ...]]


class _Way(NamedTuple):
    """The rest of a route, from a stop on; `rest` is the number of the way from the next stop."""

    stop_id: str
    rest: int | None


class _Ways:
    """Ways ahead by number; two routes share the way from where they run alike to their end."""

    def __init__(self) -> None:
        self.ways: list[_Way] = []
        self._numbers: dict[_Way, int] = {}

    def along(self, stop_ids: tuple[str, ...]) -> list[int]:
        """The way from each stop of a route."""
        numbers: list[int] = []
        rest: int | None = None
        for stop_id in reversed(stop_ids):
            way = _Way(stop_id, rest)
            rest = self._numbers.setdefault(way, len(self.ways))
            if rest == len(self.ways):
                self.ways.append(way)
            numbers.append(rest)
        return numbers[::-1]


class _States:
    """The states made so far."""

    def __init__(self) -> None:
        self.stop_ids: list[str] = []
        self.line_ids: list[str] = []
        self.ahead: list[tuple[Ahead, ...]] = []
        self.boardings: defaultdict[str, list[Boarding]] = defaultdict(list)

    def add(self, stop_id: str, line_id: str) -> int:
        self.stop_ids.append(stop_id)
        self.line_ids.append(line_id)
        self.ahead.append(())
        return len(self.stop_ids) - 1


class _LineReader:
    """Makes the states of one direction of a line."""

    def __init__(self, network: Network, line: Line, known: _States) -> None:
        self.network, self.line, self.known = network, line, known
        self.ways = _Ways()
        self.numbers: dict[frozenset[int], int] = {}

    def read(self, routes: list[Route]) -> None:
        groups = self._groups(routes)
        most = max(map(len, groups.values()))
        most_ways = max(len(set(group)) for group in groups.values())
        for (stop_id, _), group in groups.items():
            if any(self.ways.ways[way].rest is not None for way in group):
                wait = self.line.headway / 2 * most / len(group)
                state = self._state(frozenset(group), most_ways)
                self.known.boardings[stop_id].append(Boarding(state, min(wait, LONGEST_WAIT)))

    def _groups(self, routes: list[Route]) -> dict[tuple[str, int], list[int]]:
        """The ways from a stop, one of each route; where a route comes again, in a group apart."""
        groups: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for route in routes:
            seen: defaultdict[str, int] = defaultdict(int)
            for stop_id, way in zip(route.stop_ids, self.ways.along(route.stop_ids), strict=True):
                groups[stop_id, seen[stop_id]].append(way)
                seen[stop_id] += 1
        return groups

    def _state(self, ways: frozenset[int], most_ways: int) -> int:
        """The number of the state with these ways ahead, made with all that follow it."""
        if ways in self.numbers:
            return self.numbers[ways]
        stop_id = self.ways.ways[min(ways)].stop_id
        number = self.numbers[ways] = self.known.add(stop_id, self.line.id)
        onward: defaultdict[str, set[int]] = defaultdict(set)
        for way in ways:
            rest = self.ways.ways[way].rest
            if rest is not None:
                onward[self.ways.ways[rest].stop_id].add(rest)
        ahead: list[Ahead] = []
        for next_id, rests in sorted(onward.items()):
            state = self._state(frozenset(rests), most_ways)
            share = most_ways / len(rests) - most_ways / len(ways)
            wait = min(self.line.headway / 2 * share, LONGEST_WAIT)
            edge = self.network.ride[self.line.id, stop_id, next_id]
            ahead.append(Ahead(state, edge.minutes, max(0.0, wait)))
        self.known.ahead[number] = tuple(ahead)
        return number


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


def read_services(network: Network) -> Services:
    """The services of all lines of a network."""
    known = _States()
    for line in network.lines.values():
        for routes in _by_direction(line.routes):
            _LineReader(network, line, known).read(routes)
    return Services(
        tuple(known.stop_ids),
        tuple(known.line_ids),
        tuple(known.ahead),
        {stop_id: tuple(found) for stop_id, found in known.boardings.items()},
    )


def _by_direction(routes: Iterable[Route]) -> list[list[Route]]:
    directions: defaultdict[str, list[Route]] = defaultdict(list)
    for route in routes:
        directions[route.direction].append(route)
    return list(directions.values())


class DirectRide(NamedTuple):
    """A ride on one route, with its minutes."""

    line: Line
    route: Route
    stop_ids: tuple[str, ...]
    minutes: float


class _Call(NamedTuple):
    """Where a route calls at a stop: its number, the place in its order, the minutes so far."""

    route: int
    at: int
    minutes: float


@dataclass(frozen=True, slots=True)
class DirectRides:
    """All rides without a change, by the stop where they begin.

    Attributes:
        network: the network.
        routes: its routes, each with its line.
        calls: the calls at each stop.
    """

    network: Network
    routes: tuple[tuple[Line, Route], ...]
    calls: Mapping[str, tuple[_Call, ...]]

    def between(self, origin: str, destination: str) -> Iterator[DirectRide]:
        """Rides from one stop to another, by the order of lines and routes."""
        ends = self.calls.get(destination, ())
        for start in self.calls.get(origin, ()):
            for end in ends:
                if end.route == start.route and end.at > start.at:
                    line, route = self.routes[start.route]
                    stop_ids = route.stop_ids[start.at : end.at + 1]
                    yield DirectRide(line, route, stop_ids, end.minutes - start.minutes)

    def heading(self, line_id: str, stop_ids: tuple[str, ...]) -> str:
        """Where the trains go that one may take for a ride, by their last stops.

        A train that goes to its end by one of two ways is named with the way where that matters.
        """
        found: dict[str, None] = {}
        for line, route, along, _ in self.between(stop_ids[0], stop_ids[-1]):
            if line.id != line_id or along != stop_ids:
                continue
            name = self.network.stops[route.stop_ids[-1]].name
            others = self._other_ways(line, route, stop_ids)
            found[f"{name} via {route.via}" if route.via and others else name] = None
        return " or ".join(sorted(found))

    def _other_ways(self, line: Line, route: Route, stop_ids: tuple[str, ...]) -> bool:
        """Whether a train to the same end leaves the first stop by a way that misses the last."""
        return any(
            other.stop_ids[-1] == route.stop_ids[-1]
            and other.via != route.via
            and stop_ids[0] in other.stop_ids
            and stop_ids[-1] not in other.stop_ids
            for other in line.routes
        )


def direct_rides(network: Network) -> DirectRides:
    """The rides without a change of a network."""
    routes = tuple((line, route) for line in network.lines.values() for route in line.routes)
    calls: defaultdict[str, list[_Call]] = defaultdict(list)
    for number, (line, route) in enumerate(routes):
        steps = (
            network.ride[line.id, start, end].minutes for start, end in pairwise(route.stop_ids)
        )
        minutes = accumulate(steps, initial=0.0)
        for at, (stop_id, so_far) in enumerate(zip(route.stop_ids, minutes, strict=True)):
            calls[stop_id].append(_Call(number, at, so_far))
    return DirectRides(network, routes, {stop_id: tuple(found) for stop_id, found in calls.items()})
