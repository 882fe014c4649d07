"""Services that one may board at a stop, and where they go on without a change.

Who stands in a train at a stop can reach what lies ahead on the routes that this train may follow,
and nothing else: a Northern line train to Bank does not go to Waterloo. A state aboard is
therefore a stop together with the ways that may still lie ahead. States with the same ways ahead
are one, whichever branch the train came from, so that there are not many more of them than stops
of lines in either direction.

Waiting: where all routes of a line run together, a train comes every `headway` minutes, and one
waits half of that. Where only some of them run, or where only some go on to where one wants to
be, one waits longer in proportion. The share of a way is added where it parts from the others, so
that the waiting of a whole ride is right when the ride is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.journeys.network.model import Line, Network, Route

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
