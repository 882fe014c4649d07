"""Ways from place to place by the clock: earliest arrivals and latest departures, both ends tight.

A way counts if none has both fewer rides and an earlier arrival (or, to arrive by a time, a later
departure). Of all ways that arrive as early with as many rides, the one that leaves last is told.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from groundwire.journeys.timetable.model import ACCESSIBLE, NOT_ACCESSIBLE, Timetable
from groundwire.journeys.timetable.search import MOST_RIDES, Direction, Ends, Found, Layer, Search

Numbers = npt.NDArray[Any]
HORIZON = 24 * 3600
"""Seconds that a way takes at most."""
SLACK = 2 * 3600
"""A way with fewer rides counts where it arrives at most so many seconds after the first."""
_LAYERS_KEPT = 24


@dataclass(frozen=True, slots=True)
class Restrictions:
    """Restrictions of a search: what may be used.

    Attributes:
        modes: numbers of the modes, or None for all.
        routes: numbers of routes that may not be used.
        stops: stops that may not be passed.
        no_change_at: stops that may neither be entered nor left at.
        step_free: "" where it does not matter, "known" for stops and trips that are known to be
            accessible, "possible" for those that are not known to be otherwise.
        day_only: whether only trips of the one day of service count.
    """

    modes: frozenset[int] | None = None
    routes: frozenset[int] = frozenset()
    stops: frozenset[int] = frozenset()
    no_change_at: frozenset[int] = frozenset()
    step_free: str = ""
    day_only: bool = False


class Ridden(NamedTuple):
    """One ride: numbers of the timetable, and seconds of the search's day."""

    pattern: int
    enter: int
    leave: int
    trip: int
    departure: int
    arrival: int


class Way(NamedTuple):
    """One way: when one sets out and arrives, in seconds of the search's day, and its rides."""

    departure: int
    arrival: int
    rides: tuple[Ridden, ...]


def origin_of(day: date, zone: ZoneInfo) -> float:
    """The moment from which GTFS counts the times of a day: its noon, less twelve hours."""
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone)
    return noon.timestamp() - 12 * 3600


def moment_of(day: date, seconds: int, zone: ZoneInfo) -> datetime:
    """The moment that so many seconds of a day of service are."""
    return datetime.fromtimestamp(origin_of(day, zone) + seconds, UTC).astimezone(zone)


class Router:
    """Searches over one timetable; threads may share it."""

    def __init__(self, timetable: Timetable) -> None:
        """Take a timetable."""
        self.timetable = timetable
        self._lock = threading.Lock()
        self._directions: dict[bool, Direction] = {}
        self._layers: OrderedDict[tuple[Any, ...], Layer | None] = OrderedDict()
        self._places: OrderedDict[tuple[Any, ...], tuple[Numbers, Numbers]] = OrderedDict()

    def ways(
        self,
        day: date,
        seconds: int,
        origins: Ends,
        destinations: Ends,
        *,
        arriving: bool = False,
        restrictions: Restrictions = Restrictions(),
        most: int = MOST_RIDES,
    ) -> list[Way]:
        """The ways that no other beats in both time and rides, those with most rides first.

        Args:
            day: the day of service that times are counted from.
            seconds: when to set out, or to arrive at the latest, in seconds of that day.
            origins: the stops at which one may begin.
            destinations: those at which one may end.
            arriving: whether it is the latest arrival.
            restrictions: what may be used.
            most: how many rides at most.
        """
        ahead, behind = (origins, destinations) if not arriving else (destinations, origins)
        start = -seconds if arriving else seconds
        asked = _Asked(day, restrictions, not arriving)
        back = _Asked(day, restrictions, arriving)
        found: list[Way] = []
        for one in reversed(self._earliest(asked, start, ahead, behind, most)):
            tight = self._run(
                back, -one.arrival, behind, ahead, -start, len(one.rides), (start, one.arrival)
            )
            # The way itself, where rounding leaves none: it is as right.
            if tight:
                found.append(self._way(tight[-1], back, one.arrival))
        return found

    def _earliest(
        self, asked: _Asked, start: int, sources: Ends, targets: Ends, most: int
    ) -> list[Found]:
        """The earliest arrivals by number of rides, in the direction's time."""
        end = start + (4 * HORIZON if asked.restrictions.day_only else HORIZON)
        near = 0 if asked.restrictions.day_only else None
        found = self._run(asked, start, sources, targets, end, most, (start, start), near)
        limit = min(end, found[-1].arrival + SLACK) if found else end
        if not asked.restrictions.day_only and self._beyond(asked, limit):
            found = self._run(asked, start, sources, targets, limit, most, (start, limit))
        if not found:
            return []
        last = found[-1].arrival + SLACK
        return [one for one in found if one.arrival <= last]

    def _beyond(self, asked: _Asked, limit: int) -> bool:
        """Whether the day of service that comes next in the direction begins before a limit."""
        layer = self._layer(asked, 1 if asked.forward else -1)
        return layer is not None and layer.earliest <= limit

    def _run(
        self,
        asked: _Asked,
        start: int,
        sources: Ends,
        targets: Ends,
        bound: int,
        most: int,
        span: tuple[int, int],
        only: int | None = None,
    ) -> list[Found]:
        """One search with the days of service that lie within its time."""
        restrictions = asked.restrictions
        if only is None and restrictions.day_only:
            only = 0
        direction = self._direction(asked.forward)
        days = (0,) if only is not None else (-1, 0, 1)
        later = 1 if asked.forward else -1
        if span[0] == span[1]:
            days = tuple(one for one in days if one != later)
        layers = [
            layer
            for one in days
            if (layer := self._layer(asked, one)) is not None
            and layer.latest >= start
            and layer.earliest <= bound
        ]
        if not layers or not len(sources.stops) or not len(targets.stops):
            return []
        enters, leaves = self._allowed(direction, restrictions)
        barred = None
        if restrictions.stops:
            barred = np.isin(direction.stop, list(restrictions.stops))
        search = Search(direction, layers, enters=enters, leaves=leaves, barred=barred)
        return search.run(start, sources, targets, bound, most)

    def _direction(self, forward: bool) -> Direction:
        with self._lock:
            if forward not in self._directions:
                self._directions[forward] = Direction(self.timetable, forward=forward)
            return self._directions[forward]

    def _layer(self, asked: _Asked, ahead: int) -> Layer | None:
        """The trips of the day of service so many days ahead of the search's."""
        key = (asked.day, ahead, asked.forward, asked.restrictions.step_free)
        with self._lock:
            if key in self._layers:
                self._layers.move_to_end(key)
                return self._layers[key]
        table = self.timetable
        day = asked.day + timedelta(days=ahead)
        able = table.services_on(day)[table.trip_service]
        if asked.restrictions.step_free == "known":
            able = able & (table.trip_wheelchair == ACCESSIBLE)
        elif asked.restrictions.step_free:
            able = able & (table.trip_wheelchair != NOT_ACCESSIBLE)
        offset = round(origin_of(day, table.zone) - origin_of(asked.day, table.zone))
        layer = self._direction(asked.forward).layer(able, offset, ahead)
        with self._lock:
            self._layers[key] = layer
            while len(self._layers) > _LAYERS_KEPT:
                self._layers.popitem(last=False)
        return layer

    def _allowed(self, direction: Direction, restrictions: Restrictions) -> tuple[Numbers, Numbers]:
        """By position, whether one may enter and leave there."""
        closed = restrictions.stops | restrictions.no_change_at
        wanted = (restrictions.modes, restrictions.routes, closed, restrictions.step_free)
        if wanted == (None, frozenset(), frozenset(), ""):
            return direction.enters, direction.leaves
        key = (direction.forward, *wanted)
        with self._lock:
            if key in self._places:
                self._places.move_to_end(key)
                return self._places[key]
        table = self.timetable
        able = np.ones(len(table.route_mode), bool)
        if restrictions.modes is not None:
            able &= np.isin(table.route_mode, list(restrictions.modes))
        able[list(restrictions.routes)] = False
        usable = able[direction.route]
        if closed:
            usable &= ~np.isin(direction.stop, list(closed))
        if restrictions.step_free:
            wheelchair = table.stop_wheelchair[direction.stop]
            known = restrictions.step_free == "known"
            usable &= wheelchair == ACCESSIBLE if known else wheelchair != NOT_ACCESSIBLE
        found = direction.enters & usable, direction.leaves & usable
        with self._lock:
            self._places[key] = found
            while len(self._places) > _LAYERS_KEPT:
                self._places.popitem(last=False)
        return found

    def _way(self, found: Found, asked: _Asked, other_end: int) -> Way:
        """A way in the timetable's own numbers."""
        table = self.timetable
        rides: list[Ridden] = []
        for one in found.rides:
            enter, leave, trip, offset = one.enter, one.leave, one.trip, one.layer.offset
            if not asked.forward:
                last = len(table.pos_stop) - 1
                enter, leave, offset = last - leave, last - enter, -offset
            pattern = int(table.pos_pattern[enter])
            count = int(table.pos_trips[enter])
            if not asked.forward:
                trip = count - 1 - trip
            rides.append(
                Ridden(
                    pattern,
                    enter,
                    leave,
                    int(table.pattern_trip[pattern]) + trip,
                    int(table.departures[table.pos_base[enter] + trip]) + offset,
                    int(table.arrivals[table.pos_base[leave] + trip]) + offset,
                )
            )
        if asked.forward:
            return Way(-other_end, found.arrival, tuple(rides))
        return Way(-found.arrival, other_end, tuple(reversed(rides)))


class _Asked(NamedTuple):
    """The day and restrictions of a search, and which way it goes."""

    day: date
    restrictions: Restrictions
    forward: bool
