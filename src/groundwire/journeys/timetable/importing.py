"""A GTFS feed read into a compact timetable, which is written once and renamed into place."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from groundwire.errors import InputError, LimitError, UnavailableError
from groundwire.journeys.timetable.archive import Progress, unpack
from groundwire.journeys.timetable.feeds import check_name, feeds_folder
from groundwire.journeys.timetable.model import (
    ALIGHT,
    BOARD,
    BY_ARRANGEMENT,
    META_FILE,
    NEVER,
    FeedInfo,
    write_texts,
)
from groundwire.journeys.timetable.modes import MODES, mode_number
from groundwire.journeys.timetable.patterns import Calls, Runs, build_patterns
from groundwire.journeys.timetable.service_days import ServiceDays, read_service_days
from groundwire.journeys.timetable.stop_places import build_places
from groundwire.journeys.timetable.tables import FeedTables, opened_tables
from groundwire.journeys.timetable.walks import SAME_STOP, Transfer, build_walks
from groundwire.private_files import private_folder

Numbers = npt.NDArray[Any]
MOST_RUNS_OF_FREQUENCIES = 2_000_000
"""Runs that the frequencies of a feed may make."""
_MEMORY = "700MB"
_NO_TIME, _BAD_TIME = -1, -2


def import_feed(
    feed: Path, name: str, home: Path, progress: Progress, today: date | None = None
) -> FeedInfo:
    """Import a feed under a name, in place of the one that had it.

    Args:
        feed: the GTFS zip.
        name: what the user calls it.
        home: the state folder.
        progress: is told what is done, and how much of it.
        today: the present day.

    Raises:
        InputError: the name or the feed cannot be used; the message says why.
        LimitError: the feed is too large.
        UnavailableError: the state folder cannot be written.
    """
    check_name(name)
    root = feeds_folder(home)
    try:
        private_folder(root)
        with tempfile.TemporaryDirectory(prefix=".import-", dir=root) as scratch:
            built = Path(scratch) / "built"
            built.mkdir(mode=0o700)
            info = _build(feed, name, Path(scratch), built, progress, today)
            _in_place(built, root / name)
            return info
    except OSError as error:
        raise UnavailableError(
            f"The timetable cannot be written below {root} ({error.strerror}): make room there, or "
            "set GROUNDWIRE_HOME to another folder."
        ) from error


def check_feed(feed: Path, progress: Progress, today: date | None = None) -> FeedInfo:
    """Read a feed as an import does, and keep nothing.

    Raises:
        InputError, LimitError: as `import_feed`.
        UnavailableError: the temporary folder cannot be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="groundwire-check-") as scratch:
            built = Path(scratch) / "built"
            built.mkdir(mode=0o700)
            return _build(feed, "", Path(scratch), built, progress, today)
    except OSError as error:
        raise UnavailableError(f"The feed cannot be unpacked ({error.strerror}).") from error


def _in_place(built: Path, target: Path) -> None:
    """Rename a folder into the place of another, which stays until then."""
    old = target.with_name(f".old-{target.name}")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    built.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _build(
    feed: Path, name: str, scratch: Path, built: Path, progress: Progress, today: date | None
) -> FeedInfo:
    raw = scratch / "raw"
    raw.mkdir(mode=0o700)
    unpacked = unpack(feed, raw, progress)
    problems = list(unpacked.problems)
    day = today or datetime.now(UTC).date()
    with opened_tables(unpacked.tables, scratch, _MEMORY) as tables:
        progress("read tables", 0, 4)
        agencies, zone = _agencies(tables, problems)
        about = tables.rows("SELECT * FROM raw_feed_info LIMIT 1")
        tables.run("feed_stops")
        tables.run("feed_trips")
        progress("read tables", 1, 4)
        _count_doubles(tables, problems)
        days = read_service_days(tables, day, problems)
        tables.run("feed_stop_times")
        progress("read tables", 2, 4)
        reading = _Reading(tables, problems)
        trips = reading.trips()
        calls = reading.calls(len(trips.route))
        progress("read tables", 3, 4)
        runs = reading.runs(trips, calls)
        stops = reading.stops()
        used = np.zeros(len(stops.lat), bool)
        used[calls.stop] = True
        places = build_places(stops.rows, used)
        transfers = list(reading.transfers(stops.rows, places.stations))
        routes = tables.rows("SELECT id, short_name, long_name FROM routes ORDER BY n")
        progress("read tables", 4, 4)
    shutil.rmtree(raw, ignore_errors=True)
    patterns = build_patterns(calls, runs, progress)
    if not len(patterns.run):
        raise InputError("No trip of this feed can be used: " + " ".join(problems[:5]))
    progress("find walks", 0, 1)
    walks = build_walks(stops.lat, stops.lon, places.place, used, transfers)
    progress("find walks", 1, 1)
    of_run = runs.trip[patterns.run]
    every = runs.every[patterns.run]
    first, last = _validity(days, trips.service[of_run], about, problems, day)
    arrays = {
        "pos_stop": patterns.pos_stop,
        "pos_flags": patterns.pos_flags,
        "pos_base": patterns.pos_base,
        "pattern_pos": patterns.pattern_pos,
        "pattern_trip": patterns.pattern_trip,
        "pattern_route": patterns.pattern_route,
        "arrivals": patterns.arrivals,
        "departures": patterns.departures,
        "trip_service": days.kind[trips.service[of_run]].astype(np.int32),
        "trip_wheelchair": trips.wheelchair[of_run].astype(np.uint8),
        "trip_headsign": trips.headsign[of_run].astype(np.int32),
        "trip_every": every.astype(np.int32),
        "active": days.active,
        "walk_first": walks.first,
        "walk_to": walks.to,
        "walk_seconds": walks.seconds,
        "stop_change": walks.change,
        "stop_lat": stops.lat,
        "stop_lon": stops.lon,
        "stop_wheelchair": places.wheelchair,
        "stop_place": places.place.astype(np.int32),
        "place_first": places.first,
        "place_stop": places.stop.astype(np.int32),
        "route_mode": trips.route_modes,
    }
    for number, (key, array) in enumerate(arrays.items()):
        np.save(built / f"{key}.npy", array)
        progress("write", number, len(arrays))
    texts = {
        "headsigns": trips.headsigns,
        "stop_ids": [one.id for one in stops.rows],
        "stop_names": [one.name for one in stops.rows],
        "stop_platforms": [one.platform for one in stops.rows],
        "place_ids": places.ids,
        "place_names": places.names,
        "route_ids": [one[0] for one in routes],
        "route_names": [one[1] or one[2] or one[0] for one in routes],
        "route_long_names": [one[2] for one in routes],
    }
    for key, values in texts.items():
        write_texts(built, key, values)
    info = FeedInfo(
        name=name,
        publisher=(str(about[0][0] or "").strip() if about else "") or agencies[0],
        agencies=tuple(agencies[:20]),
        zone=zone,
        first_day=first,
        last_day=last,
        first_active=days.first,
        stops=int(used.sum()),
        routes=len(np.unique(patterns.pattern_route)),
        trips=len(patterns.run),
        stop_times=len(patterns.arrivals),
        patterns=len(patterns.pattern_route),
        problems=tuple(problems),
        imported=datetime.now(UTC).isoformat(timespec="seconds"),
        sha256=unpacked.sha256,
        language=str(about[0][1] or "").strip() if about else "",
    )
    (built / META_FILE).write_text(json.dumps(info.to_json(), indent=1), "utf-8")
    return info


def _agencies(tables: FeedTables, problems: list[str]) -> tuple[list[str], str]:
    """Names of the agencies, and their time zone.

    Raises:
        InputError: the time zone is missing or unknown.
    """
    rows = tables.rows("SELECT agency_name, agency_timezone FROM raw_agency")
    zones = list(dict.fromkeys(str(zone or "").strip() for _, zone in rows))
    zone = next((one for one in zones if one), "")
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError) as error:
        raise InputError(
            f"agency.txt names the time zone {zone[:40]!r}, which is none: no time can be read."
        ) from error
    if len(zones) > 1:
        problems.append(f"The agencies have {len(zones)} time zones: {zone} was taken for all.")
    names = [str(name).strip() for name, _ in rows if name and str(name).strip()]
    return names or ["unknown publisher"], zone


def _count_doubles(tables: FeedTables, problems: list[str]) -> None:
    for table, key in (("stops", "stop_id"), ("routes", "route_id"), ("trips", "trip_id")):
        ((double,),) = tables.rows(
            f"SELECT count(*) - count(DISTINCT trim({key})) FROM raw_{table}"  # noqa: S608
        )
        if double:
            problems.append(f"{double} rows of {table}.txt have an id twice or none: left out.")


def _validity(
    days: ServiceDays,
    services: Numbers,
    about: list[tuple[Any, ...]],
    problems: list[str],
    today: date,
) -> tuple[date, date]:
    """The days between which the timetable holds, by its calendars and by what it says of itself.

    Raises:
        InputError: no trip runs on any day.
    """
    runs = np.flatnonzero(days.active[:, np.unique(days.kind[services])].any(axis=1))
    if not len(runs):
        raise InputError("No trip of this feed runs on any day: its calendars are empty.")
    first, last = (days.first + timedelta(days=int(at)) for at in (runs[0], runs[-1]))
    for value, late in ((about[0][2], False), (about[0][3], True)) if about else ():
        try:
            told = datetime.strptime(str(value).strip(), "%Y%m%d").date()
        except ValueError:
            continue
        if late and first <= told < last:
            last = told
        elif not late and first < told <= last:
            first = told
    if last < today:
        problems.append(f"The calendars have ended on {last}: nothing can be planned after it.")
    elif first > today:
        problems.append(f"The calendars begin on {first}: nothing can be planned before it.")
    return first, last


@dataclass(frozen=True, slots=True)
class StopRow:
    """One row of stops.txt."""

    id: str
    name: str
    platform: str
    lat: float
    lon: float
    kind: int
    parent: str
    wheelchair: int


@dataclass(frozen=True, slots=True)
class _Stops:
    rows: list[StopRow]
    lat: Numbers
    lon: Numbers


@dataclass(frozen=True, slots=True)
class _Trips:
    route: Numbers
    service: Numbers
    wheelchair: Numbers
    headsign: Numbers
    headsigns: list[str]
    route_modes: Numbers


class _Reading:
    """Reads the tables that are made of a feed's, and tells what had to be left out."""

    def __init__(self, tables: FeedTables, problems: list[str]) -> None:
        self._tables, self._problems = tables, problems

    def _told(self, count: int, what: str) -> None:
        if count:
            self._problems.append(f"{count:,} {what}.")

    def stops(self) -> _Stops:
        """The stops; a position outside of the earth, or at 0,0, is none."""
        rows = self._tables.rows(
            "SELECT id, name, platform, lat, lon, kind, parent, wheelchair FROM stops ORDER BY n"
        )
        nan = float("nan")
        found: list[StopRow] = []
        known = {row[0]: row for row in rows}
        without = cyclic = 0
        for row in rows:
            parent_id: str = row[6]
            parent = known.get(parent_id)
            lat, lon = row[3], row[4]
            if not _on_earth(lat, lon) and parent is not None:
                lat, lon = parent[3], parent[4]
            if not _on_earth(lat, lon):
                lat = lon = nan
                without += row[5] in (0, 4)
            if parent is not None and row[0] in (parent[0], parent[6]):
                cyclic += 1
                parent_id = ""
            name = row[1] or (parent[1] if parent else "") or row[0]
            found.append(StopRow(row[0], name, row[2], lat, lon, row[5], parent_id, row[7]))
        self._told(without, "stops have no position: no walk to or from them is known")
        self._told(cyclic, "stops are the station of themselves: that is left out")
        lats = np.array([one.lat for one in found], np.float64)
        lons = np.array([one.lon for one in found], np.float64)
        return _Stops(found, lats, lons)

    def trips(self) -> _Trips:
        """The trips; those of an unknown route, service or type of route cannot be ridden."""
        columns = self._tables.columns("SELECT route, service, wheelchair FROM trips ORDER BY n")
        types = self._tables.columns("SELECT type FROM routes ORDER BY n")["type"]
        numbers = [mode_number(int(one)) for one in types]
        self._told(sum(one is None for one in numbers), "routes have an unknown type: taken as bus")
        bus = MODES.index("bus")
        modes = np.array([bus if one is None else one for one in numbers], np.uint8)
        headsigns: dict[str, int] = {}
        texts = self._tables.columns("SELECT headsign FROM trips ORDER BY n")["headsign"]
        headsign = [headsigns.setdefault(one, len(headsigns)) for one in texts]
        return _Trips(
            np.asarray(columns["route"]),
            np.asarray(columns["service"]),
            np.asarray(columns["wheelchair"]),
            np.array(headsign, np.int32),
            list(headsigns) or [""],
            modes,
        )

    def calls(self, trips: int) -> Calls:
        """The calls of all trips; those of trips that cannot be ridden are left out."""
        query = "SELECT {0} FROM stop_times"
        read = self._tables.columns
        columns = {
            name: np.ma.filled(read(query.format(name))[name], -1)
            for name in ("trip", "stop", "arrival", "departure", "pickup", "drop_off")
        }
        trip, stop = columns["trip"], columns["stop"]
        self._told(int((trip < 0).sum()), "calls are of an unknown trip: left out")
        self._told(int((stop < 0).sum()), "calls are at an unknown stop: left out")
        keep = (trip >= 0) & (stop >= 0)
        if not keep.all():
            columns = {name: one[keep] for name, one in columns.items()}
            trip, stop = columns["trip"], columns["stop"]
        arrival, departure = self._times(trip, columns["arrival"], columns["departure"], trips)
        first = np.searchsorted(trip, np.arange(trips + 1))
        bad = self._bad_trips(first, trip, arrival, departure)
        if bad.any():
            keep = ~bad[trip]
            trip, stop, arrival, departure = (one[keep] for one in (trip, stop, arrival, departure))
            columns = {name: columns[name][keep] for name in ("pickup", "drop_off")}
            first = np.searchsorted(trip, np.arange(trips + 1))
        flags = np.where(columns["pickup"] == 1, 0, BOARD).astype(np.uint8)
        flags |= np.where(columns["drop_off"] == 1, 0, ALIGHT).astype(np.uint8)
        asked = (columns["pickup"] > 1) | (columns["drop_off"] > 1)
        flags |= np.where(asked, BY_ARRANGEMENT, 0).astype(np.uint8)
        return Calls(first, stop, arrival, departure, flags)

    def _times(
        self, trip: Numbers, arrival: Numbers, departure: Numbers, trips: int
    ) -> tuple[Numbers, Numbers]:
        """Times of all calls; between calls with times, those without are spread evenly."""
        bad = int(((arrival == _BAD_TIME) | (departure == _BAD_TIME)).sum())
        self._told(bad, "calls have a time that cannot be read: taken as unknown")
        arrival = np.where(arrival < 0, departure, arrival)
        departure = np.where(departure < 0, arrival, departure)
        unknown = arrival < 0
        if unknown.any() and not unknown.all():
            at = np.arange(len(arrival))
            known = at[~unknown]
            # A trip whose first or last call has no time would take one of another trip.
            first = np.searchsorted(trip, np.arange(trips + 1))
            called = np.diff(first) > 0
            loose = np.zeros(trips, bool)
            loose[called] = unknown[first[:-1][called]] | unknown[first[1:][called] - 1]
            self._told(int(unknown.sum()), "calls have no time: spread evenly between the others")
            arrival = np.interp(at, known, arrival[known]).astype(np.int32)
            departure = np.where(unknown, arrival, np.interp(at, known, departure[known])).astype(
                np.int32
            )
            arrival[loose[trip]] = departure[loose[trip]] = _NO_TIME
        return arrival, departure

    def _bad_trips(
        self, first: Numbers, trip: Numbers, arrival: Numbers, departure: Numbers
    ) -> Numbers:
        """Trips that cannot be ridden: with one call only, no times, or times that go back."""
        counts = np.diff(first)
        short = counts == 1
        self._told(int((counts == 0).sum()), "trips call nowhere: left out")
        self._told(int(short.sum()), "trips call at one stop only: left out")
        untimed = np.zeros(len(counts), bool)
        untimed[trip[arrival < 0]] = True
        self._told(int((untimed & ~short).sum()), "trips begin or end without a time: left out")
        back = np.zeros(len(counts), bool)
        back[trip[departure < arrival]] = True
        same = trip[1:] == trip[:-1]
        back[trip[1:][same & (arrival[1:] < departure[:-1])]] = True
        back &= ~untimed
        self._told(int((back & ~short).sum()), "trips have times that go back: left out")
        return short | untimed | back

    def runs(self, trips: _Trips, calls: Calls) -> Runs:
        """The runs of all trips that can be ridden; those with frequencies run often.

        Raises:
            LimitError: frequencies make too many.
        """
        able = (trips.route >= 0) & (trips.service >= 0) & (np.diff(calls.first) > 1)
        unknown = (trips.route < 0) | (trips.service < 0)
        self._told(int(unknown.sum()), "trips are of an unknown route or service: left out")
        rows = self._tables.rows(
            "SELECT trips.n, seconds(start_time), seconds(end_time), "
            "try_cast(trim(headway_secs) AS INTEGER), coalesce(try_cast(trim(exact_times) AS "
            "INTEGER), 0) FROM raw_frequencies JOIN trips ON trips.id = trim(trip_id) "
            "ORDER BY 1, 2"
        )
        often: list[tuple[int, int, int]] = []
        spans: dict[int, int] = {}
        bad = overlapping = 0
        for trip, start, end, headway, exact in rows:
            if not headway or headway < 1 or start < 0 or end <= start:
                bad += 1
                continue
            if start < spans.get(trip, start):
                overlapping += 1
                start += -(-(spans[trip] - start) // headway) * headway
            spans[trip] = max(end, spans.get(trip, end))
            if not able[trip]:
                continue
            leaves = int(calls.departure[calls.first[trip]])
            often += [
                (trip, at - leaves, 0 if exact else headway) for at in range(start, end, headway)
            ]
            if len(often) > MOST_RUNS_OF_FREQUENCIES:
                raise LimitError(
                    f"frequencies.txt makes more than {MOST_RUNS_OF_FREQUENCIES:,} runs: the feed "
                    "is too large."
                )
        self._told(bad, "rows of frequencies.txt cannot be used: left out")
        self._told(overlapping, "rows of frequencies.txt overlap the one before: cut at its end")
        able[list(spans)] = False
        once = np.flatnonzero(able)
        table = np.array(often, np.int64).reshape(-1, 3)
        trip = np.concatenate([once, table[:, 0]])
        none = np.zeros(len(once), np.int64)
        return Runs(
            trip,
            np.concatenate([none, table[:, 1]]),
            np.concatenate([none, table[:, 2]]),
            trips.route[trip],
        )

    def transfers(self, rows: list[StopRow], stations: dict[str, list[int]]) -> Iterable[Transfer]:
        """Transfers between stops; one between stations holds for all of their stops."""
        found = self._tables.rows(
            "SELECT trim(from_stop_id), trim(to_stop_id), coalesce(try_cast(trim(transfer_type) AS "
            "INTEGER), 0), try_cast(trim(min_transfer_time) AS INTEGER), "
            "coalesce(trim(from_route_id), '') || coalesce(trim(from_trip_id), '') "
            "FROM raw_transfers"
        )
        numbers = {one.id: [number] for number, one in enumerate(rows)}
        numbers.update(stations)
        special = unknown = 0
        for origin, destination, kind, seconds, of in found:
            if of or kind not in (0, 1, 2, 3):
                special += 1
                continue
            one, other = numbers.get(origin, []), numbers.get(destination, [])
            unknown += not (one and other)
            took = NEVER if kind == 3 else seconds
            if took is None:
                took = 0 if kind == 1 else SAME_STOP
            for start in one:
                for end in other:
                    yield Transfer(start, end, max(took, 0))
        self._told(unknown, "transfers are of an unknown stop: left out")
        self._told(special, "transfers are of single routes or trips, or in one's seat: left out")


def _on_earth(lat: Any, lon: Any) -> bool:
    known = lat is not None and lon is not None and abs(lat) <= 90 and abs(lon) <= 180
    return known and (lat, lon) != (0, 0)
