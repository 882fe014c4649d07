"""Feeds of GTFS or TransXChange as compact timetables, written once and renamed into place."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from groundwire.errors import InputError, UnavailableError
from groundwire.journeys.timetable.feed_reading import FeedReading, FeedTables, opened_tables
from groundwire.journeys.timetable.feed_tables import Progress, build_patterns, unpack
from groundwire.journeys.timetable.model import (
    META_FILE,
    FeedInfo,
    check_name,
    feeds_folder,
    write_texts,
)
from groundwire.journeys.timetable.walks import build_walks, metres_apart
from groundwire.private_files import private_folder
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.journeys.timetable.feed_reading import StopRow


_TOGETHER = 500.0
"""Metres between stops of one name that are one place."""


class StopPlaces(NamedTuple):
    """Places of stops.

    Attributes:
        place: by stop, its place.
        first, stop: the stops of each place that trips call at.
        ids, names: of the places: of a station its own.
        wheelchair: by stop, with what the station says for stops that say nothing.
        stations: by id of a station, its stops.
    """

    place: npt.NDArray[Any]
    first: npt.NDArray[Any]
    stop: npt.NDArray[Any]
    ids: list[str]
    names: list[str]
    wheelchair: npt.NDArray[Any]
    stations: dict[str, list[int]]


_MOST_DAYS = 1_500
"""Days that a timetable may span; of one that spans more, those from a year ago on count."""
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ADDED, _REMOVED = "1", "2"


class ServiceDays(NamedTuple):
    """Which services run on which days.

    Attributes:
        first: the day of the first row.
        active: days by kinds of services: 1 where one runs.
        kind: by service, its column: services that run on the same days share one.
    """

    first: date
    active: npt.NDArray[Any]
    kind: npt.NDArray[Any]


_MEMORY = "700MB"


def import_feed(
    feed: Path, name: str, home: Path, progress: Progress, today: date | None = None
) -> FeedInfo:
    """Import a feed under a name, in place of the one that had it.

    Args:
        feed: the GTFS zip, or TransXChange: one file or a zip of them.
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
    day = today or datetime.now(UTC).date()
    unpacked = unpack(feed, raw, progress, day)
    problems = list(unpacked.problems)
    with opened_tables(unpacked.tables, scratch, _MEMORY) as tables:
        progress("read tables", 0, 4)
        agencies, zone = _agencies(tables, problems)
        about = tables.rows("SELECT * FROM raw_feed_info LIMIT 1")
        tables.run("feed_stops")
        tables.run("feed_trips")
        progress("read tables", 1, 4)
        _count_doubles(tables, problems)
        days = _read_service_days(tables, day, problems)
        tables.run("feed_stop_times")
        progress("read tables", 2, 4)
        reading = FeedReading(tables, problems)
        trips = reading.trips()
        calls = reading.calls(len(trips.route))
        progress("read tables", 3, 4)
        runs = reading.runs(trips, calls)
        stops = reading.stops()
        used = np.zeros(len(stops.lat), bool)
        used[calls.stop] = True
        places = _build_places(stops.rows, used)
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
            f"SELECT count(*) - count(DISTINCT trim({key})) FROM raw_{table}"  # noqa: S608 - names of ours, no value of a caller
        )
        if double:
            problems.append(f"{double} rows of {table}.txt have an id twice or none: left out.")


def _validity(
    days: ServiceDays,
    services: npt.NDArray[Any],
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


def _read_service_days(tables: FeedTables, today: date, problems: list[str]) -> ServiceDays:
    """Read calendar and calendar_dates.

    Raises:
        InputError: no day can be read.
    """
    services = {name: number for number, name in tables.rows("SELECT n, id FROM services")}
    weeks = tables.rows(
        f"SELECT trim(service_id), {', '.join(_WEEKDAYS)}, start_date, end_date FROM raw_calendar"  # noqa: S608 - names of ours, no value of a caller
    )
    dates = tables.rows("SELECT trim(service_id), date, exception_type FROM raw_calendar_dates")
    spans, changes = _spans(weeks, services), _changes(dates, services)
    unread = sum(one is None for one in (*spans, *changes))
    spans = [one for one in spans if one is not None and one[0] >= 0]
    changes = [one for one in changes if one is not None and one[0] >= 0]
    if unread:
        problems.append(f"{unread} rows of calendar or calendar_dates cannot be read: left out.")
    every = [*(day for _, one, other, _ in spans for day in (one, other))]
    every += [day for _, day, added in changes if added]
    if not every:
        raise InputError("No trip of this feed runs on any day: its calendars are empty.")
    first, last = _window(min(every), max(every), today, problems)
    active = np.zeros(((last - first).days + 1, max(len(services), 1)), np.uint8)
    for service, begins, ends, days in spans:
        low, high = max((begins - first).days, 0), (min(ends, last) - first).days + 1
        for weekday, runs in enumerate(days):
            ahead = (weekday - (first + timedelta(days=low)).weekday()) % 7
            if runs and low + ahead < high:
                active[low + ahead : high : 7, service] = 1
    for service, day, added in changes:
        if first <= day <= last:
            active[(day - first).days, service] = added
    return _shared(first, active)


def _spans(
    rows: list[tuple[Any, ...]], services: dict[str, int]
) -> list[tuple[int, date, date, tuple[bool, ...]] | None]:
    """Spans of calendar by service (-1 for one without trips), None for a row without days."""
    found: list[tuple[int, date, date, tuple[bool, ...]] | None] = []
    for name, *days, start, end in rows:
        begins, ends = _day(start), _day(end)
        if begins is None or ends is None or ends < begins:
            found.append(None)
        else:
            found.append((services.get(name, -1), begins, ends, tuple(map(_one, days))))
    return found


def _changes(
    rows: list[tuple[Any, ...]], services: dict[str, int]
) -> list[tuple[int, date, bool] | None]:
    """Days of calendar_dates by service, and whether they are added; None for a bad row."""
    found: list[tuple[int, date, bool] | None] = []
    for name, day, kind in rows:
        when, said = _day(day), str(kind).strip()
        known = when is not None and said in (_ADDED, _REMOVED)
        found.append((services.get(name, -1), when, said == _ADDED) if known and when else None)
    return found


def _shared(first: date, active: npt.NDArray[Any]) -> ServiceDays:
    """Services that run on the same days put together: a feed may have one for each trip."""
    _, columns, kind = np.unique(
        np.packbits(active, axis=0), axis=1, return_index=True, return_inverse=True
    )
    return ServiceDays(first, np.ascontiguousarray(active[:, columns]), kind.reshape(-1))


def _window(first: date, last: date, today: date, problems: list[str]) -> tuple[date, date]:
    if (last - first).days < _MOST_DAYS:
        return first, last
    start = max(first, min(today - timedelta(days=366), last - timedelta(days=_MOST_DAYS - 1)))
    end = min(last, start + timedelta(days=_MOST_DAYS - 1))
    problems.append(f"The calendars span {first} to {last}: only {start} to {end} was taken.")
    return start, end


def _one(value: Any) -> bool:
    return str(value).strip() == "1"


def _day(value: Any) -> date | None:
    try:
        return datetime.strptime(str(value).strip(), "%Y%m%d").date()
    except ValueError:
        return None


def _build_places(rows: Sequence[StopRow], used: npt.NDArray[Any]) -> StopPlaces:
    """Put stops into places.

    Args:
        rows: the stops.
        used: whether any trip calls at a stop.
    """
    by_id = {one.id: number for number, one in enumerate(rows)}
    roots = [_root(number, rows, by_id) for number in range(len(rows))]
    place = np.full(len(rows), -1, np.int64)
    ids: list[str] = []
    names: list[str] = []
    of_root: dict[int, int] = {}
    near: dict[str, list[tuple[int, float, float]]] = {}
    # Stations first: a stop of their name beside them is theirs.
    order = sorted(range(len(rows)), key=lambda number: (roots[number] == number, number))
    for number in order:
        root = roots[number]
        one = rows[root]
        if root in of_root:
            place[number] = of_root[root]
            continue
        key = fold(one.name)
        at = next(
            (
                other
                for other, lat, lon in near.get(key, ())
                if metres_apart(one.lat, one.lon, lat, lon) <= _TOGETHER
            ),
            None,
        )
        if at is None:
            at = len(ids)
            ids.append(one.id)
            names.append(one.name)
            near.setdefault(key, []).append((at, one.lat, one.lon))
        of_root[root] = place[number] = at
    wheelchair = np.array(
        [one.wheelchair or rows[roots[number]].wheelchair for number, one in enumerate(rows)],
        np.uint8,
    )
    stations: dict[str, list[int]] = {}
    for number, root in enumerate(roots):
        if root != number and used[number]:
            stations.setdefault(rows[root].id, []).append(number)
    called = np.flatnonzero(used)
    order_of = called[np.argsort(place[called], kind="stable")]
    first = np.searchsorted(place[order_of], np.arange(len(ids) + 1))
    return StopPlaces(place, first, order_of, ids, names, wheelchair, stations)


def _root(number: int, rows: Sequence[StopRow], by_id: dict[str, int]) -> int:
    """The station that a stop belongs to, or itself; stations are at most three deep."""
    for _ in range(3):
        parent = by_id.get(rows[number].parent) if rows[number].parent else None
        if parent is None:
            break
        number = parent
    return number
