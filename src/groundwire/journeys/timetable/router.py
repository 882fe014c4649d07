"""Ways from place to place by the clock, and each told as a plan: legs, stops, platforms, minutes.

Earliest arrivals and latest departures are sought, both ends tight. A way counts if none has both
fewer rides and an earlier arrival (or, to arrive by a time, a later departure). Of all ways that
arrive as early with as many rides, the one that leaves last is told.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from groundwire.journeys.itinerary import Leg, Place, Plan, Point
from groundwire.journeys.timetable.model import (
    ACCESSIBLE,
    BY_ARRANGEMENT,
    NOT_ACCESSIBLE,
    Timetable,
)
from groundwire.journeys.timetable.modes import MODES
from groundwire.journeys.timetable.search import MOST_RIDES, Direction, Ends, Found, Layer, Search
from groundwire.journeys.timetable.stop_names import StopNames
from groundwire.journeys.timetable.walks import METRES_A_SECOND, metres_apart, seconds_for

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


class Teller:
    """Tells ways of one timetable."""

    def __init__(self, timetable: Timetable, names: StopNames) -> None:
        """Take the timetable and the names of its places."""
        self._table, self._names = timetable, names

    def plan(self, way: Way, day: date, origin: Place, destination: Place) -> Plan:
        """A way as a plan.

        Args:
            way: the way.
            day: the day of service that its seconds are counted from.
            origin: where it was asked to begin.
            destination: where it was asked to end.
        """
        rides = way.rides
        legs: list[Leg] = []
        first = self._stop(rides[0].enter)
        if way.departure < rides[0].departure and not self._is(origin, rides[0].enter):
            legs.append(self._walk(origin, first, (way.departure, rides[0].departure), day))
        start = rides[0].departure if not legs else way.departure
        for ride, following in pairwise((*rides, None)):
            assert ride is not None
            change = self._change(ride, following)
            walked = change is not None and self._elsewhere(ride, following)
            minutes = 0 if walked or change is None else math.ceil(change / 60)
            legs.append(self._ride(ride, day, minutes))
            if walked and following is not None and change is not None:
                span = (ride.arrival, ride.arrival + change)
                legs.append(
                    self._walk(self._stop(ride.leave), self._stop(following.enter), span, day)
                )
        end = rides[-1].arrival
        if way.arrival > end and not self._is(destination, rides[-1].leave):
            legs.append(
                self._walk(self._stop(rides[-1].leave), destination, (end, way.arrival), day)
            )
            end = way.arrival
        zone = self._table.zone
        return Plan(
            moment_of(day, start, zone),
            moment_of(day, end, zone),
            tuple(legs),
            step_free=self._step_free(rides),
        )

    def on_foot(self, origin: Place, destination: Place, day: date, start: int) -> Plan | None:
        """Walking all the way, or None where nobody knows how far it is."""
        seconds = walking_seconds(origin.point, destination.point)
        if seconds is None:
            return None
        leg = self._walk(origin, destination, (start, start + seconds), day)
        return Plan(leg.departure, leg.arrival, (leg,))

    def arranged(self, way: Way) -> bool:
        """Whether a ride has to be arranged beforehand."""
        flags = self._table.pos_flags
        return any(
            int(flags[at]) & BY_ARRANGEMENT for one in way.rides for at in (one.enter, one.leave)
        )

    def _ride(self, ride: Ridden, day: date, change: int) -> Leg:
        table, zone = self._table, self._table.zone
        route = int(table.pattern_route[ride.pattern])
        last = int(table.pattern_pos[ride.pattern + 1]) - 1
        positions = range(ride.enter, ride.leave + 1)
        places = [self._stop(at) for at in positions]
        headsign = table.headsigns[int(table.trip_headsign[ride.trip])]
        return Leg(
            MODES[int(table.route_mode[route])],
            places[0],
            places[-1],
            moment_of(day, ride.departure, zone),
            moment_of(day, ride.arrival, zone),
            line_id=table.route_ids[route],
            line=table.route_names[route],
            direction=headsign or self._stop(last).name,
            path=tuple(point for one in places if (point := one.point)),
            stops=tuple(places[1:]),
            interchange_minutes=change,
            timing="headway" if int(table.trip_every[ride.trip]) else "timetable",
        )

    def _walk(self, origin: Place, destination: Place, span: tuple[int, int], day: date) -> Leg:
        zone = self._table.zone
        metres = _metres(origin.point, destination.point)
        return Leg(
            "walking",
            origin,
            destination,
            moment_of(day, span[0], zone),
            moment_of(day, span[1], zone),
            distance_metres=None if metres is None else round(metres * 1.3 / 10) * 10,
            path=tuple(one.point for one in (origin, destination) if one.point),
            timing="walking_speed",
        )

    def _stop(self, position: int) -> Place:
        """The stop at a position, by the name of its place."""
        table = self._table
        stop = int(table.pos_stop[position])
        lat, lon = float(table.stop_lat[stop]), float(table.stop_lon[stop])
        point = None if math.isnan(lat) else Point(lat, lon)
        return Place(
            table.stop_names[stop],
            point,
            "feed_stop",
            table.stop_ids[stop],
            platform=table.stop_platforms[stop],
            step_free=table.step_free(stop),
        )

    def _is(self, place: Place, position: int) -> bool:
        """Whether a place is the one that a stop belongs to."""
        number = self._names.number_of(place)
        stop = int(self._table.pos_stop[position])
        return number is not None and number == int(self._table.stop_place[stop])

    def _elsewhere(self, ride: Ridden, following: Ridden | None) -> bool:
        """Whether one changes to a stop of another place."""
        if following is None:
            return False
        stops, places = self._table.pos_stop, self._table.stop_place
        return int(places[int(stops[ride.leave])]) != int(places[int(stops[following.enter])])

    def _change(self, ride: Ridden, following: Ridden | None) -> int | None:
        """Seconds between two rides for changing or walking, or None after the last."""
        if following is None:
            return None
        table = self._table
        one, other = int(table.pos_stop[ride.leave]), int(table.pos_stop[following.enter])
        if one == other:
            return int(table.stop_change[one])
        span = slice(int(table.walk_first[one]), int(table.walk_first[one + 1]))
        for to, seconds in zip(table.walk_to[span], table.walk_seconds[span], strict=True):
            if int(to) == other:
                return int(seconds)
        return 0

    def _step_free(self, rides: tuple[Ridden, ...]) -> bool | None:
        """Whether all stops and trips are accessible, by the feed; None where it does not say."""
        table = self._table
        said = [int(table.trip_wheelchair[one.trip]) for one in rides]
        said += [
            int(table.stop_wheelchair[int(table.pos_stop[at])])
            for one in rides
            for at in (one.enter, one.leave)
        ]
        if NOT_ACCESSIBLE in said:
            return False
        return True if all(one == ACCESSIBLE for one in said) else None


def walking_seconds(origin: Point | None, destination: Point | None) -> int | None:
    """Seconds for walking between two positions, or None where one is not known."""
    metres = _metres(origin, destination)
    return None if metres is None else int(seconds_for(metres))


def _metres(origin: Point | None, destination: Point | None) -> float | None:
    if origin is None or destination is None:
        return None
    return float(metres_apart(origin.lat, origin.lon, destination.lat, destination.lon))


def walked_metres(minutes: int) -> float:
    """Metres in a straight line that one walks in so many minutes."""
    return minutes * 60 * METRES_A_SECOND / 1.3
