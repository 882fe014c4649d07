"""One trip planned over a timetable: ends, restrictions, several departures, and what is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from groundwire.errors import GroundwireError, InputError, NotFoundError
from groundwire.journeys.conditions import clear_of
from groundwire.journeys.itinerary import Journey, Place, Plan
from groundwire.journeys.places.reading import same_place
from groundwire.journeys.places.sides import AskedTrip, Planned, pairs, triples
from groundwire.journeys.places.sides import Way as PlaceWay
from groundwire.journeys.timetable.model import Timetable
from groundwire.journeys.timetable.modes import MODES, modes_asked
from groundwire.journeys.timetable.router import (
    HORIZON,
    Restrictions,
    Router,
    Teller,
    Way,
    origin_of,
    walked_metres,
    walking_seconds,
)
from groundwire.journeys.timetable.search import Ends
from groundwire.journeys.timetable.stop_names import StopNames
from groundwire.journeys.timetable.walks import metres_apart, seconds_for
from groundwire.journeys.wording import clock, count, day, listed

ABOUT = "Of a service that runs by its frequency the times are about, not exact."
"""The note beside a departure that is only known by how often the service runs."""
COUNT = 3
"""Plans of one journey, where so many are found."""
_MOST_WAYS = 4
_ACCESS_MINUTES = 15
"""Minutes on foot between a position and a stop, where nothing else is asked."""
_SHORT_WALK = 20 * 60
_STEP_FREE = frozenset({"NoSolidStairs", "NoEscalators", "StepFreeToVehicle", "StepFreeToPlatform"})
# A day on which fewer trips run than this share of the usual is told.
_FEW = 0.25


@dataclass(frozen=True, slots=True)
class TimetablePlanner:
    """Plans trips over one timetable.

    Attributes:
        timetable: the timetable.
        names: the names of its places.
        router: searches it.
        planner: how sentences name it.
        credit: whom answers credit.
    """

    timetable: Timetable
    names: StopNames
    router: Router
    planner: str
    credit: str

    def run(self, asked: AskedTrip) -> Planned:
        """Plan a trip, for the likeliest of what its ends may be.

        Raises:
            InputError: both ends are one place, or nothing is left to travel by.
        """
        if asked.origin.settled and asked.destination.settled and asked.via is None:
            one, other = asked.origin.best.place, asked.destination.best.place
            if same_place(one, other):
                raise InputError(
                    f"{one.name} is where the trip begins and where it ends: send another "
                    "destination."
                )
        ways = _place_ways(asked)
        if not asked.exploring and len(ways) > 1:
            return Planned((), asked.sides)
        return Planned(tuple(self._journey(way, asked) for way in ways), asked.sides)

    def _journey(self, way: PlaceWay, asked: AskedTrip) -> Journey:
        via = way.via.place if way.via else None
        empty = Journey(
            way.origin.place,
            way.destination.place,
            (),
            "timetable",
            via,
            credit=self.credit,
            zone=self.timetable.info.zone,
            planner=self.planner,
            holds_until=self.timetable.info.last_day.isoformat(),
        )
        trip = _Trip(self, asked, empty)
        try:
            plans = trip.plans()
        except GroundwireError as error:
            return replace(empty, error=str(error), notes=tuple(trip.notes))
        return replace(empty, plans=tuple(plans), notes=tuple(dict.fromkeys(trip.notes)))


def _place_ways(asked: AskedTrip) -> list[PlaceWay]:
    """The likeliest of what the ends may be."""
    one, other, via = asked.origin, asked.destination, asked.via
    if via is None:
        every = len(one.candidates) * len(other.candidates)
        found = pairs(one.candidates, other.candidates, every)
        ways = [PlaceWay(start, end) for start, end in found if start.send != end.send]
        return ways[:_MOST_WAYS] or [PlaceWay(*found[0])]
    every = triples(one.candidates, via.candidates, other.candidates, _MOST_WAYS)
    return [PlaceWay(start, end, by) for start, by, end in every]


def each_its_own(ends: Sequence[Ends]) -> list[Ends]:
    """Ends without the stops of the end before and behind, from which nobody sets out for them.

    From where one wants to be, one would ride away and walk back.
    """
    found: list[Ends] = []
    for at, one in enumerate(ends):
        others = [*ends[max(at - 1, 0) : at], *ends[at + 1 : at + 2]]
        theirs = [other.stops[other.seconds == 0] for other in others]
        keep = ~np.isin(one.stops, np.concatenate(theirs)) | (one.seconds == 0)
        found.append(Ends(one.stops[keep], one.seconds[keep]))
    return found


class _Trip:
    """One trip between two places that are settled."""

    def __init__(self, planner: TimetablePlanner, asked: AskedTrip, journey: Journey) -> None:
        self._planner, self._journey = planner, journey
        self._table = planner.timetable
        self._options = asked.options
        self._teller = Teller(planner.timetable, planner.names)
        when = asked.options.when or asked.now
        self._when = when.astimezone(self._table.zone)
        self._day = self._when.date()
        self.notes: list[str] = []

    def plans(self) -> list[Plan]:
        """The plans, best first.

        Raises:
            NotFoundError: there is none, or the day lies outside of the timetable.
            InputError: nothing is left to travel by, or an end is too far from any stop.
        """
        self._check_day()
        self.notes += self._told()
        restrictions = self._restrictions()
        found = self._ways(restrictions)
        if not found and restrictions.step_free == "known":
            restrictions = replace(restrictions, step_free="possible")
            found = self._ways(restrictions)
            if found:
                self.notes.append(
                    "The feed does not say of every stop or vehicle of these plans whether it is "
                    "step-free: ask before you rely on it."
                )
        plans = [self._plan(one) for one in found]
        walk = self._walk(plans)
        if walk is not None:
            # Nobody rides for longer than it takes to walk.
            plans = [one for one in plans if one.duration_minutes < walk.duration_minutes]
            plans.insert(self._rank(walk, plans), walk)
        plans = self._kept(plans)
        if not plans:
            raise NotFoundError(self._none(restrictions))
        if any(self._teller.arranged(one) for one in found):
            self.notes.append(
                "A stop of these plans is served by arrangement only: with the operator before, or "
                "with the driver."
            )
        if any(leg.timing == "headway" for one in plans for leg in one.legs):
            self.notes.append(ABOUT)
        return plans

    def _check_day(self) -> None:
        info = self._table.info
        if not info.first_day <= self._day <= info.last_day:
            ended = self._day > info.last_day
            remedy = "import a newer feed" if ended else "send a later date"
            raise NotFoundError(
                f"The {self._planner.planner} holds from {day(info.first_day)} to "
                f"{day(info.last_day)}, and {day(self._day)} is "
                f"{'after' if ended else 'before'} it: {remedy}, or send a date within."
            )
        number = self._table.day_number(self._day)
        trips = np.bincount(self._table.trip_service, minlength=self._table.active.shape[1])
        runs = self._table.active @ trips
        usual = float(np.median(runs[runs > 0]))
        if runs[number] < usual * _FEW:
            self.notes.append(
                f"On {day(self._day)} the timetable has only {count(int(runs[number]), 'trip')}, "
                f"on a usual day {usual:.0f}: it may not be complete for that day."
            )

    def _told(self) -> list[str]:
        info = self._table.info
        return [
            f"Planned by the {self._planner.planner}, which holds until {day(info.last_day)}. "
            "Delays, disruptions and fares are not known: real time was not asked."
        ]

    def _restrictions(self) -> Restrictions:
        """Return the restrictions that the options set.

        Raises:
            InputError: they leave no mode of the feed.
        """
        options, table = self._options, self._table
        there = frozenset(int(one) for one in np.unique(table.route_mode[table.pattern_route]))
        modes = there
        if options.mode:
            modes = modes & modes_asked(options.mode)
        modes -= modes_asked(options.avoid_modes)
        if not modes and "walking" not in options.mode:
            names = listed([MODES[one] for one in sorted(there)])
            raise InputError(
                f"This timetable has {names}; the modes that were asked for leave none of them."
            )
        ids = table.route_ids.all() if options.avoid_lines or options.only_lines else []
        routes = frozenset(n for n, one in enumerate(ids) if options.rules_out(one))
        wanted = "known" if _STEP_FREE & set(options.accessibility_preference) else ""
        only = options.adjustment in ("TripFirst", "TripLast")
        passed, changed = (
            frozenset(key for one in stops for key in one.keys)
            for stops in (options.avoid_stops, options.avoid_changes)
        )
        # Where one sets out or arrives is no change.
        ends = (self._journey.origin, self._journey.destination)
        return Restrictions(
            None if modes == there else modes,
            routes,
            self._stops_with(passed),
            self._stops_with(changed) - self._stops_with(one.stop_id for one in ends),
            wanted,
            only,
        )

    def _stops_with(self, ids: Iterable[str]) -> frozenset[int]:
        """The numbers of the stops of places, by any of their ids."""
        found = map(self._planner.names.number_of, (Place("", stop_id=one) for one in ids))
        places = {one for one in found if one is not None}
        return frozenset(int(stop) for one in places for stop in self._table.stops_of(one))

    def _ways(self, restrictions: Restrictions) -> list[Way]:
        """The ways, best first.

        Raises:
            InputError: an end is too far from any stop.
        """
        options = self._options
        places = [self._journey.origin, self._journey.destination]
        if self._journey.via:
            places.insert(1, self._journey.via)
        ends = each_its_own([self._ends(one) for one in places])
        if options.adjustment in ("TripFirst", "TripLast"):
            which = "first" if options.adjustment == "TripFirst" else "last"
            self.notes.append(
                f"The {which} by the services of {day(self._day)}, which may run past midnight."
            )
        if options.adjustment == "TripFirst":
            return self._each(ends, -HORIZON // 2, False, restrictions, 1)
        if options.adjustment == "TripLast":
            return self._each(ends, 2 * HORIZON, True, restrictions, 1)
        seconds = round(self._when.timestamp() - origin_of(self._day, self._table.zone))
        arriving = options.time_is == "arriving" and options.when is not None
        return self._each(ends, seconds, arriving, restrictions, COUNT)

    def _each(
        self, ends: list[Ends], seconds: int, arriving: bool, restrictions: Restrictions, most: int
    ) -> list[Way]:
        """Ways from a time on, then those of the next departures, until there are enough."""
        found: dict[Way, None] = {}
        for _ in range(most):
            if len(ends) == 2:
                ways = self._planner.router.ways(
                    self._day,
                    seconds,
                    ends[0],
                    ends[1],
                    arriving=arriving,
                    restrictions=restrictions,
                )
            else:
                ways = self._by_via(ends, seconds, arriving, restrictions)
            if not ways:
                break
            found |= dict.fromkeys(ways)
            if len(found) >= most:
                break
            if arriving:
                seconds = max(one.arrival for one in ways) - 60
            else:
                seconds = min(one.departure for one in ways) + 60
        return list(found)[: max(most, COUNT)]

    def _by_via(
        self, ends: list[Ends], seconds: int, arriving: bool, restrictions: Restrictions
    ) -> list[Way]:
        """The best way by a place: to it, and on from it."""
        router = self._planner.router
        legs = ((ends[1], ends[2]), (ends[0], ends[1])) if arriving else (ends[:2], ends[1:])
        joined: Way | None = None
        for one, other in legs:
            ways = router.ways(
                self._day, seconds, one, other, arriving=arriving, restrictions=restrictions
            )
            if not ways:
                return []
            best = ways[0]
            seconds = best.departure if arriving else best.arrival
            if joined is None:
                joined = best
            elif arriving:
                joined = Way(best.departure, joined.arrival, (*best.rides, *joined.rides))
            else:
                joined = Way(joined.departure, best.arrival, (*joined.rides, *best.rides))
        return [joined] if joined else []

    def _ends(self, place: Place) -> Ends:
        """The stops at one end, with the seconds on foot.

        Raises:
            InputError: no stop is near enough.
        """
        table = self._table
        number = self._planner.names.number_of(place)
        if number is not None:
            stops = table.stops_of(number)
            near: dict[int, int] = dict.fromkeys(stops.tolist(), 0)
            for stop in stops.tolist():
                span = slice(int(table.walk_first[stop]), int(table.walk_first[stop + 1]))
                for to, took in zip(table.walk_to[span], table.walk_seconds[span], strict=True):
                    near[int(to)] = min(near.get(int(to), int(took)), int(took))
            return Ends(np.array(list(near)), np.array(list(near.values()), np.int64))
        if place.point is None:
            raise InputError(f"Where {place.name} is, is not known: send a stop or a position.")
        minutes = min(self._options.max_walking_minutes or _ACCESS_MINUTES, 60)
        metres = metres_apart(place.point.lat, place.point.lon, table.stop_lat, table.stop_lon)
        metres = np.where(np.isnan(metres), np.inf, metres)
        used = np.zeros(len(metres), bool)
        used[table.place_stop] = True
        metres = np.where(used, metres, np.inf)
        stops = np.flatnonzero(metres <= walked_metres(minutes))
        if not len(stops):
            nearest = int(np.argmin(metres))
            raise InputError(
                f"No stop is within {count(minutes, 'minute')} on foot of {place.name}: the "
                f"nearest, {table.stop_names[nearest]}, is {metres[nearest] / 1000:.1f} km away. "
                "Raise max_walking_minutes, or send a stop."
            )
        return Ends(stops, seconds_for(metres[stops]))

    def _plan(self, way: Way) -> Plan:
        return self._teller.plan(way, self._day, self._journey.origin, self._journey.destination)

    def _walk(self, plans: list[Plan]) -> Plan | None:
        """Walking all the way, where that is short or all that is left."""
        if self._journey.via or self._options.adjustment:
            return None
        origin, destination = self._journey.origin, self._journey.destination
        seconds = walking_seconds(origin.point, destination.point)
        limit = self._options.max_walking_minutes
        longest = _SHORT_WALK if limit is None else min(limit, 60) * 60
        if seconds is None or seconds > longest:
            return None
        start = round(self._when.timestamp() - origin_of(self._day, self._table.zone))
        if self._options.time_is == "arriving" and self._options.when is not None:
            start -= seconds
        walk = self._teller.on_foot(origin, destination, self._day, start)
        if walk and plans and walk.duration_minutes > 3 * plans[0].duration_minutes:
            return None
        return walk

    def _rank(self, walk: Plan, plans: list[Plan]) -> int:
        """Where a walk stands among plans: before those that arrive later, or leave earlier."""
        if self._options.time_is == "arriving" and self._options.when is not None:
            return next((n for n, one in enumerate(plans) if one.start < walk.start), len(plans))
        return next((n for n, one in enumerate(plans) if one.arrival > walk.arrival), len(plans))

    def _kept(self, plans: list[Plan]) -> list[Plan]:
        """Plans within the limits, in the order of what is preferred."""
        options = self._options
        if options.max_walking_minutes is not None:
            plans = [one for one in plans if one.walking_minutes <= options.max_walking_minutes]
        if options.journey_preference == "LeastInterchange":
            plans.sort(key=lambda one: one.interchanges)
        elif options.journey_preference == "LeastWalking":
            plans.sort(key=lambda one: one.walking_minutes)
        return plans

    def _lines(self, ids: Iterable[str]) -> str:
        """Lines by their names, each once."""
        table, named = self._table, set(ids)
        pairs = zip(table.route_ids.all(), table.route_names.all(), strict=True)
        return listed(
            [f"the {name}" for name in dict.fromkeys(n for one, n in pairs if one in named)]
        )

    def _none(self, restrictions: Restrictions) -> str:
        """Say that a way was not found, and within what limits."""
        options = self._options
        ends = f"from {self._journey.origin.name} to {self._journey.destination.name}"
        limits: list[str] = []
        if restrictions.modes is not None:
            limits.append("with the modes that may be used")
        for said, ids in (("only by", options.only_lines), ("without", options.avoid_lines)):
            if ids:
                limits.append(f"{said} {self._lines(ids)}")
        limits += clear_of(self._options)
        if restrictions.step_free:
            limits.append("without steps, as far as the feed says")
        if self._options.max_walking_minutes is not None:
            limits.append("with so little walking")
        told = f" {listed(limits)}" if limits else ""
        if restrictions.day_only:
            when = f"by the services of {day(self._day)}"
        elif self._options.time_is == "arriving" and self._options.when is not None:
            when = f"within 24 hours before {clock(self._when)} on {day(self._day)}"
        else:
            when = f"within 24 hours of {clock(self._when)} on {day(self._day)}"
        return f"The {self._planner.planner} has no way {ends} {when}{told}."
