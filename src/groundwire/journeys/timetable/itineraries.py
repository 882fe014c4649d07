"""Ways over a timetable told as plans: legs with their stops, platforms and minutes."""

from __future__ import annotations

import math
from datetime import date
from itertools import pairwise

from groundwire.journeys.itinerary import Leg, Place, Plan, Point
from groundwire.journeys.timetable.model import (
    ACCESSIBLE,
    BY_ARRANGEMENT,
    NOT_ACCESSIBLE,
    Timetable,
)
from groundwire.journeys.timetable.modes import MODES
from groundwire.journeys.timetable.router import Ridden, Way, moment_of
from groundwire.journeys.timetable.stop_names import StopNames
from groundwire.journeys.timetable.walks import METRES_A_SECOND, metres_apart, seconds_for


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
