"""A timetable as a search travels it: forward in time, or back, as in a mirror.

Backwards, the last position of a pattern comes first, its last trip comes first, and times count
down: so one search finds both the earliest arrival and the latest departure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from groundwire.journeys.timetable.model import ALIGHT, BOARD, Timetable

Numbers = npt.NDArray[Any]
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
