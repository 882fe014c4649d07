"""Round-based search: with each round one more ride, the earliest arrival at every stop.

Source: Delling, Pajor, Werneck: Round-Based Public Transit Routing (2012). All patterns that a
round touches are travelled at once, as arrays. Between two rides one changes at a stop or walks
once.

A search travels forward in time, or back, as in a mirror: then the last position of a pattern comes
first, its last trip comes first, and times count down. So one search finds both the earliest
arrival and the latest departure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from groundwire.journeys.timetable.model import ALIGHT, BOARD, NEVER, Timetable

NONE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Layer:
    """The trips of one day of service, as a search may board them.

    Attributes:
        offset: seconds between the origin of times of that day and that of the search's day.
        following: by trip of the direction, the first from it on that runs, or NONE.
        earliest, latest: between these seconds of the search's day, in its direction, they run.
        day: how many days the day of service lies after the search's.
    """

    offset: int
    following: Numbers
    earliest: int
    latest: int
    day: int


class Direction:
    """Arrays of a timetable by position in the order of travel."""

    def __init__(self, timetable: Timetable, *, forward: bool) -> None:
        """Take a timetable; `forward` says which way it is travelled."""
        self.timetable, self.forward = timetable, forward
        step = 1 if forward else -1
        self.stop = np.ascontiguousarray(timetable.pos_stop[::step])
        self.base = np.ascontiguousarray(timetable.pos_base[::step])
        self.count = np.ascontiguousarray(timetable.pos_trips[::step]).astype(np.int64)
        patterns = len(timetable.pattern_route)
        self.pattern = np.ascontiguousarray(timetable.pos_pattern[::step])
        if not forward:
            self.pattern = patterns - 1 - self.pattern
        flags = timetable.pos_flags[::step]
        enter, leave = (BOARD, ALIGHT) if forward else (ALIGHT, BOARD)
        self.enters, self.leaves = (flags & enter) > 0, (flags & leave) > 0
        self.pattern_end = _mirrored(timetable.pattern_pos, forward)[1:]
        self.first_trip = _mirrored(timetable.pattern_trip, forward)[:-1]
        self.trip_end = self.first_trip[self.pattern] + self.count
        self.change = timetable.stop_change
        self.walk_first, self.walk_to, self.walk_seconds = self._walks()
        self.most_trips = int(self.count.max(initial=1))

    @cached_property
    def route(self) -> Numbers:
        """By position, its route."""
        numbers = self.timetable.pattern_route
        return (numbers if self.forward else numbers[::-1])[self.pattern]

    def _walks(self) -> tuple[Numbers, Numbers, Numbers]:
        one = self.timetable
        if self.forward:
            return one.walk_first, one.walk_to, one.walk_seconds
        origins = np.repeat(np.arange(len(one.stop_lat)), np.diff(one.walk_first))
        order = np.argsort(one.walk_to, kind="stable")
        to = np.asarray(one.walk_to)[order]
        first = np.searchsorted(to, np.arange(len(one.stop_lat) + 1))
        return first, origins[order].astype(np.int32), np.asarray(one.walk_seconds)[order]

    def entering(self, position: Numbers, trip: Numbers) -> Numbers:
        """When trips, counted within their pattern, are entered at positions."""
        if self.forward:
            return self.timetable.departures[self.base[position] + trip]
        at = self.base[position] + self.count[position] - 1 - trip
        return -self.timetable.arrivals[at]

    def leaving(self, position: Numbers, trip: Numbers) -> Numbers:
        """When trips, counted within their pattern, are left at positions."""
        if self.forward:
            return self.timetable.arrivals[self.base[position] + trip]
        at = self.base[position] + self.count[position] - 1 - trip
        return -self.timetable.departures[at]

    def layer(self, able: Numbers, offset: int, day: int) -> Layer | None:
        """Return a layer of the trips that may be used, or None where there are none.

        Args:
            able: by trip of the timetable, whether it runs on the day and may be used.
            offset: seconds between the day's origin of times and the search's.
            day: how many days it lies after the search's.
        """
        runs = np.flatnonzero(able)
        if not len(runs):
            return None
        earliest, latest = self._span(runs)
        ordered = able if self.forward else able[::-1]
        at = np.where(ordered, np.arange(len(able), dtype=np.int32), np.int32(NONE))
        following = np.minimum.accumulate(at[::-1])[::-1]
        if not self.forward:
            offset, earliest, latest = -offset, -latest, -earliest
        return Layer(offset, following, earliest + offset, latest + offset, day)

    def _span(self, runs: Numbers) -> tuple[int, int]:
        """The first departure and last arrival of trips."""
        one = self.timetable
        pattern = one.trip_pattern[runs]
        within = runs - one.pattern_trip[pattern]
        starts = one.departures[one.pos_base[one.pattern_pos[pattern]] + within]
        ends = one.arrivals[one.pos_base[one.pattern_pos[pattern + 1] - 1] + within]
        return int(starts.min()), int(ends.max())


def _mirrored(bounds: Numbers, forward: bool) -> Numbers:
    return np.asarray(bounds) if forward else int(bounds[-1]) - np.asarray(bounds)[::-1]


Numbers = npt.NDArray[Any]
MOST_RIDES = 8
"""Rides of one plan."""
FAR = 2**40
"""Later than any time."""
_HELD = 2**33


class Ends(NamedTuple):
    """Stops at one end of a journey, and the seconds on foot between each and the place."""

    stops: Numbers
    seconds: Numbers


class Ride(NamedTuple):
    """A ride in the order of travel: positions of the direction, the trip within its pattern."""

    enter: int
    leave: int
    trip: int
    layer: Layer


class Found(NamedTuple):
    """The earliest arrival with so many rides, and the rides."""

    arrival: int
    rides: tuple[Ride, ...]


@dataclass(slots=True)
class _Round:
    """The stops that one round improved.

    Attributes:
        left: stops that are reached by a ride, sorted.
        position, trip, layer: the rides that reach them.
        ready: stops at which one may board next, sorted.
        since: from when.
        origin: the stop that one comes from, by walk or by changing there.
    """

    left: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    position: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    trip: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    layer: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    ready: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    since: Numbers = field(default_factory=lambda: np.empty(0, np.int64))
    origin: Numbers = field(default_factory=lambda: np.empty(0, np.int64))


class Search:
    """One search over a direction of a timetable."""

    def __init__(
        self,
        direction: Direction,
        layers: Sequence[Layer],
        *,
        enters: Numbers | None = None,
        leaves: Numbers | None = None,
        barred: Numbers | None = None,
    ) -> None:
        """Take what is searched.

        Args:
            direction: the timetable as it is travelled.
            layers: the days of service whose trips may be boarded.
            enters: by position, whether one may enter there; None for what the feed allows.
            leaves: the same for leaving.
            barred: by position, whether no trip may be ridden past it; None for nowhere.
        """
        self._way = direction
        self._layers = list(layers)
        self._enters = direction.enters if enters is None else enters
        self._leaves = direction.leaves if leaves is None else leaves
        self._barred = barred
        stops = len(direction.change)
        # One entry more than there are stops, for none.
        self._reached = np.full(stops, FAR, np.int64)
        self._ready = np.full(stops, FAR, np.int64)
        self._position = np.full(stops, -1, np.int64)
        self._trip = np.full(stops, -1, np.int64)
        self._layer = np.full(stops, -1, np.int64)
        self._origin = np.full(stops, -1, np.int64)
        self._rounds: list[_Round] = []

    def run(
        self, start: int, sources: Ends, targets: Ends, bound: int, most: int = MOST_RIDES
    ) -> list[Found]:
        """Find the arrivals that no other beats in both time and number of rides.

        Args:
            start: when one sets out.
            sources: where one may board first.
            targets: where one may leave last.
            bound: an arrival after it counts for nothing.
            most: how many rides at most.

        Returns:
            for each number of rides that arrives earlier than any smaller one: fewest rides first.
        """
        np.minimum.at(self._ready, sources.stops, start + sources.seconds)
        marked = np.unique(sources.stops)
        self._rounds = [_Round(ready=marked, since=self._ready[marked], origin=marked * 0 - 1)]
        best = bound + 1
        found: list[Found] = []
        for number in range(1, most + 1):
            left = self._ride(marked, best)
            if not len(left):
                break
            arrivals = self._reached[targets.stops] + targets.seconds
            arrivals = np.where(np.isin(targets.stops, left), arrivals, FAR)
            at = int(arrivals.argmin()) if len(arrivals) else -1
            arrived = int(arrivals[at]) if at >= 0 else FAR
            self._rounds.append(
                _Round(left, self._position[left], self._trip[left], self._layer[left])
            )
            if arrived < best:
                best = arrived
                found.append(Found(best, self._rides(int(targets.stops[at]), number)))
            marked = self._change(left, best)
            last = self._rounds[-1]
            last.ready, last.since, last.origin = marked, self._ready[marked], self._origin[marked]
            if not len(marked):
                break
        return found

    def _ride(self, marked: Numbers, best: int) -> Numbers:
        """Ride from stops at which one waits; return the stops that are reached earlier so."""
        way = self._way
        waits = np.zeros(len(self._ready), bool)
        waits[marked] = True
        boarding = np.flatnonzero(waits[way.stop] & self._enters)
        improved: list[Numbers] = []
        if not len(boarding):
            return boarding
        since = self._ready[way.stop[boarding]]
        earliest = int(self._ready[marked].min())
        for number, layer in enumerate(self._layers):
            if layer.latest < earliest or layer.earliest > best:
                continue
            improved.append(self._ride_layer(number, layer, boarding, since, best))
        return np.unique(np.concatenate(improved)) if improved else np.empty(0, np.int64)

    def _ride_layer(
        self, number: int, layer: Layer, boarding: Numbers, since: Numbers, best: int
    ) -> Numbers:
        way = self._way
        trip = self._first_trips(boarding, since - layer.offset)
        some = trip < way.count[boarding]
        boarding, trip = boarding[some], trip[some]
        first = way.first_trip[way.pattern[boarding]]
        trip = layer.following[first + trip].astype(np.int64)
        some = trip < way.trip_end[boarding]
        boarding, trip = boarding[some], trip[some] - first[some]
        if not len(boarding):
            return boarding
        positions, trips = self._along(boarding, trip)
        some = (trips < NONE) & self._leaves[positions]
        positions, trips = positions[some], trips[some]
        times = way.leaving(positions, trips).astype(np.int64) + layer.offset
        stops = way.stop[positions]
        some = times < np.minimum(self._reached[stops], best)
        positions, trips, times, stops = positions[some], trips[some], times[some], stops[some]
        np.minimum.at(self._reached, stops, times)
        wins = self._reached[stops] == times
        stops = stops[wins]
        self._position[stops], self._trip[stops] = positions[wins], trips[wins]
        self._layer[stops] = number
        return stops

    def _first_trips(self, positions: Numbers, since: Numbers) -> Numbers:
        """Return the first trip of each position's pattern that is not missed, within it."""
        way = self._way
        low, high = np.zeros(len(positions), np.int64), way.count[positions].copy()
        for _ in range(way.most_trips.bit_length()):
            middle = (low + high) >> 1
            open_ = low < high
            probe = np.minimum(middle, way.count[positions] - 1)
            later = way.entering(positions, probe) < since
            low = np.where(open_ & later, middle + 1, low)
            high = np.where(open_ & ~later, middle, high)
        return low

    def _along(self, boarding: Numbers, trip: Numbers) -> tuple[Numbers, Numbers]:
        """Travel each pattern from where it is boarded to its end.

        Returns:
            positions, and the earliest trip that one can be in on arriving there, or NONE.
        """
        way = self._way
        patterns = way.pattern[boarding]
        heads = np.flatnonzero(np.concatenate([[True], patterns[1:] != patterns[:-1]]))
        starts = boarding[heads]
        lengths = way.pattern_end[patterns[heads]] - starts
        before = np.cumsum(lengths) - lengths
        positions = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
        rank = np.repeat(np.arange(len(starts), dtype=np.int64), lengths)
        if self._barred is not None:
            # Beyond such a stop nobody is aboard who entered before it.
            rank += np.cumsum(self._barred[positions])
        group = np.repeat(np.arange(len(heads)), np.diff(np.append(heads, len(boarding))))
        held = np.full(len(positions), NONE, np.int64)
        held[before[group] + boarding - starts[group]] = trip
        # A later pattern stands below all earlier ones, so that each begins anew.
        along = np.minimum.accumulate(held - rank * _HELD) + rank * _HELD
        arriving = np.empty_like(along)
        arriving[1:] = along[:-1]
        arriving[before] = NONE
        return positions, arriving

    def _change(self, left: Numbers, best: int) -> Numbers:
        """Change or walk from stops that were reached; return where one may board earlier so."""
        way = self._way
        reached = self._reached[left]
        first = way.walk_first[left]
        counts = way.walk_first[left + 1] - first
        source = np.repeat(np.arange(len(left)), counts)
        at = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts - first, counts)
        stops = np.concatenate([left, way.walk_to[at]])
        origins = np.concatenate([left, left[source]])
        seconds = np.concatenate([way.change[left], way.walk_seconds[at]]).astype(np.int64)
        times = np.concatenate([reached, reached[source]]) + seconds
        some = (times < np.minimum(self._ready[stops], best)) & (seconds < NEVER)
        stops, origins, times = stops[some], origins[some], times[some]
        np.minimum.at(self._ready, stops, times)
        wins = self._ready[stops] == times
        self._origin[stops[wins]] = origins[wins]
        return np.unique(stops)

    def _rides(self, stop: int, number: int) -> tuple[Ride, ...]:
        """The rides by which a stop is reached in a round, in the order of travel."""
        way = self._way
        rides: list[Ride] = []
        while number > 0:
            one = self._rounds[number]
            at = int(np.searchsorted(one.left, stop))
            while at >= len(one.left) or one.left[at] != stop:
                # It was reached with fewer rides already.
                number -= 1
                one = self._rounds[number]
                at = int(np.searchsorted(one.left, stop))
            leave, trip = int(one.position[at]), int(one.trip[at])
            layer = self._layers[int(one.layer[at])]
            enter, number, origin = self._entered(leave, trip, layer, number - 1)
            rides.append(Ride(enter, leave, trip, layer))
            stop = origin if origin >= 0 else int(way.stop[enter])
        return tuple(reversed(rides))

    def _entered(self, leave: int, trip: int, layer: Layer, most: int) -> tuple[int, int, int]:
        """Where a trip was entered: its position, after how many rides, and from which stop."""
        way = self._way
        first = int(way.pattern_end[way.pattern[leave]] - self._length(leave))
        fallback: tuple[int, int, int] | None = None
        for position in range(leave - 1, first - 1, -1):
            if self._barred is not None and self._barred[position]:
                break
            if not self._enters[position]:
                continue
            leaves = int(way.entering(np.array([position]), np.array([trip]))[0]) + layer.offset
            stop = int(way.stop[position])
            for number in range(most, -1, -1):
                one = self._rounds[number]
                at = int(np.searchsorted(one.ready, stop))
                if at >= len(one.ready) or one.ready[at] != stop:
                    continue
                if one.since[at] <= leaves:
                    origin = int(one.origin[at])
                    if origin in (-1, stop):
                        return position, number, origin
                    fallback = fallback or (position, number, origin)
                break
        assert fallback is not None, "a trip that was ridden was boarded"
        return fallback

    def _length(self, position: int) -> int:
        pattern = int(self._way.pattern[position])
        end = int(self._way.pattern_end[pattern])
        start = int(self._way.pattern_end[pattern - 1]) if pattern else 0
        return end - start
