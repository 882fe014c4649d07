"""Rides without a change: by which routes of a line one gets from one stop to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from groundwire.journeys.network.model import Line, Network, Route


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
