"""A second opinion on ways over a timetable: every trip of every day scanned, round after round.

It reads the tables of a made feed by itself and shares no code with the planner: neither its
import, nor its walks, nor its search. Rules are those of the docs: a change at a stop takes 60
seconds, one between two stops within 400 m (or of one place) is walked at 1.25 m/s over 1.3 times
the straight line, in whole minutes and never under 120 seconds; transfers.txt counts more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

INFINITE = math.inf


@dataclass(frozen=True)
class Call:
    stop: str
    arrival: int
    departure: int
    board: bool
    alight: bool


@dataclass(frozen=True)
class Trip:
    route: str
    service: str
    wheelchair: int
    calls: tuple[Call, ...]

    def moved(self, seconds: int) -> Trip:
        calls = tuple(
            Call(c.stop, c.arrival + seconds, c.departure + seconds, c.board, c.alight)
            for c in self.calls
        )
        return Trip(self.route, self.service, self.wheelchair, calls)


class Brute:
    """All trips, walks and days of one feed."""

    def __init__(self, tables: dict[str, tuple[str, list[list[object]]]]) -> None:
        rows = {
            name: [dict(zip(header.split(","), map(str, row), strict=True)) for row in body]
            for name, (header, body) in tables.items()
        }
        self.zone = ZoneInfo(rows["agency"][0]["agency_timezone"])
        self.wheelchair = {
            r["stop_id"]: int(r.get("wheelchair_boarding") or 0) for r in rows["stops"]
        }
        self.days: dict[str, set[date]] = {}
        for row in rows["calendar_dates"]:
            when = datetime.strptime(row["date"], "%Y%m%d").date()
            self.days.setdefault(row["service_id"], set()).add(when)
        self.trips = _trips(rows)
        self.stops = sorted({c.stop for trip in self.trips for c in trip.calls})
        self.walks = _walks(rows, set(self.stops))

    def instances(
        self, day: date, *, step_free: bool = False, around: tuple[int, ...] = (-1, 0, 1)
    ) -> list[Trip]:
        """Trips of the days of service around one, in seconds of that."""
        found: list[Trip] = []
        for ahead in around:
            other = day + timedelta(days=ahead)
            shift = round(self._zero(other) - self._zero(day))
            found += [
                trip.moved(shift)
                for trip in self.trips
                if other in self.days.get(trip.service, ())
                and (trip.wheelchair == 1 or not step_free)
            ]
        return found

    def _zero(self, day: date) -> float:
        return datetime(day.year, day.month, day.day, 12, tzinfo=self.zone).timestamp() - 43_200

    def earliest(
        self, trips: list[Trip], start: int, origin: str, target: str, most: int, step_free: bool
    ) -> list[float]:
        """By number of rides, from 1: the earliest arrival with no more rides."""
        ready: dict[str, float] = {origin: start}
        best: list[float] = []
        arrived = INFINITE
        # None of the trips that have ended by then can be boarded.
        trips = [trip for trip in trips if trip.calls[-1].arrival >= start]
        for number in range(most):
            reached: dict[str, float] = {}
            for trip in trips:
                seated = False
                for call in trip.calls:
                    usable = not step_free or self.wheelchair[call.stop] == 1
                    if seated and call.alight and usable:
                        reached[call.stop] = min(reached.get(call.stop, INFINITE), call.arrival)
                    if call.board and usable and ready.get(call.stop, INFINITE) <= call.departure:
                        seated = True
            arrived = min(arrived, reached.get(target, INFINITE))
            best.append(arrived)
            after = dict(ready)
            for stop, when in reached.items():
                for other, seconds in self.walks.get(stop, {}).items():
                    after[other] = min(after.get(other, INFINITE), when + seconds)
            if after == ready:
                # Another ride reaches nothing earlier.
                return best + [arrived] * (most - 1 - number)
            ready = after
        return best

    def latest(
        self, trips: list[Trip], end: float, origin: str, target: str, rides: int, step_free: bool
    ) -> float:
        """The latest departure that arrives by a time with so many rides."""
        back: dict[str, dict[str, int]] = {}
        for one, others in self.walks.items():
            for other, seconds in others.items():
                back.setdefault(other, {})[one] = seconds
        due: dict[str, float] = {target: end}
        found = -INFINITE
        trips = [trip for trip in trips if trip.calls[0].departure <= end]
        for _ in range(rides):
            left: dict[str, float] = {}
            for trip in trips:
                seated = False
                for call in reversed(trip.calls):
                    usable = not step_free or self.wheelchair[call.stop] == 1
                    if seated and call.board and usable:
                        left[call.stop] = max(left.get(call.stop, -INFINITE), call.departure)
                    if call.alight and usable and due.get(call.stop, -INFINITE) >= call.arrival:
                        seated = True
            found = max(found, left.get(origin, -INFINITE))
            after = dict(due)
            for stop, when in left.items():
                for other, seconds in back.get(stop, {}).items():
                    after[other] = max(after.get(other, -INFINITE), when - seconds)
            if after == due:
                break
            due = after
        return found


def _seconds(text: str) -> int:
    hours, minutes, seconds = map(int, text.split(":"))
    return hours * 3600 + minutes * 60 + seconds


def _trips(rows: dict[str, list[dict[str, str]]]) -> list[Trip]:
    calls: dict[str, list[tuple[int, Call]]] = {}
    for row in rows["stop_times"]:
        call = Call(
            row["stop_id"],
            _seconds(row["arrival_time"]),
            _seconds(row["departure_time"]),
            row["pickup_type"] != "1",
            row["drop_off_type"] != "1",
        )
        calls.setdefault(row["trip_id"], []).append((int(row["stop_sequence"]), call))
    often: dict[str, list[tuple[int, int, int]]] = {}
    for row in rows.get("frequencies", []):
        span = (_seconds(row["start_time"]), _seconds(row["end_time"]), int(row["headway_secs"]))
        often.setdefault(row["trip_id"], []).append(span)
    found: list[Trip] = []
    for row in rows["trips"]:
        ordered = tuple(call for _, call in sorted(calls[row["trip_id"]], key=lambda one: one[0]))
        trip = Trip(
            row["route_id"], row["service_id"], int(row["wheelchair_accessible"] or 0), ordered
        )
        if row["trip_id"] not in often:
            found.append(trip)
        for start, end, headway in often.get(row["trip_id"], ()):
            for at in range(start, end, headway):
                found.append(trip.moved(at - ordered[0].departure))
    return found


def _walks(rows: dict[str, list[dict[str, str]]], called: set[str]) -> dict[str, dict[str, int]]:
    at = {
        r["stop_id"]: (float(r["stop_lat"]), float(r["stop_lon"]))
        for r in rows["stops"]
        if r["stop_id"] in called
    }
    walks: dict[str, dict[str, int]] = {stop: {stop: 60} for stop in called}
    for one, here in at.items():
        for other, there in at.items():
            metres = _metres(here, there)
            if one != other and metres <= 400:
                walks[one][other] = max(120, math.ceil(metres * 1.3 / 1.25 / 60) * 60)
    for row in rows.get("transfers", []):
        one, other, kind = row["from_stop_id"], row["to_stop_id"], row["transfer_type"]
        if one not in called or other not in called:
            continue
        if kind == "3":
            walks[one].pop(other, None)
        else:
            seconds = row["min_transfer_time"]
            walks[one][other] = int(seconds) if seconds else (0 if kind == "1" else 60)
    return walks


def _metres(one: tuple[float, float], other: tuple[float, float]) -> float:
    lat, lon, lat2, lon2 = map(math.radians, (*one, *other))
    half = (
        math.sin((lat2 - lat) / 2) ** 2
        + math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    )
    return 2 * 6_371_008.8 * math.asin(math.sqrt(half))
