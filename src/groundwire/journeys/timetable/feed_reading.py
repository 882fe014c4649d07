"""Tables of a feed, read by DuckDB into numpy arrays: its stops, trips, calls and transfers.

Doubtful transfers are told and used as the feed has them: whoever publishes it knows the place.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from groundwire.errors import InputError, LimitError
from groundwire.journeys.itinerary import Point, metres_between
from groundwire.journeys.timetable.feed_tables import Calls, Runs
from groundwire.journeys.timetable.model import ALIGHT, BOARD, BY_ARRANGEMENT, NEVER
from groundwire.journeys.timetable.modes import MODES, mode_number
from groundwire.journeys.timetable.walks import LONGEST_WALK, SAME_STOP, Transfer

_FORBIDDEN, _TIMED = 3, 1
_KINDS = range(4)
# Metres in a second as the crow flies that nobody keeps up on the way to a train.
_RUNNING = 3.0


class TransferRow(NamedTuple):
    """One row of transfers.txt; `of` names a route or trip that alone it holds for."""

    origin: str
    destination: str
    kind: int
    seconds: int | None
    of: str

    @property
    def took(self) -> int:
        """Seconds for it, at least as many as none; NEVER where it is forbidden."""
        if self.kind == _FORBIDDEN:
            return NEVER
        if self.seconds is None:
            return 0 if self.kind == _TIMED else SAME_STOP
        return max(self.seconds, 0)


@dataclass(slots=True)
class TransferReading:
    """Reads transfers row by row, and keeps what is wrong with them.

    Attributes:
        stops: numbers of the stops behind an id: one, or all of a station.
        names: names of stops by number.
        at: positions of stops by number, NaN where they are unknown.
    """

    stops: Mapping[str, Sequence[int]]
    names: Sequence[str]
    at: Sequence[Point]
    _unknown: int = 0
    _special: int = 0
    _negative: int = 0
    _fast: list[str] = field(default_factory=list[str])
    _told: dict[tuple[str, str], set[int]] = field(default_factory=dict[tuple[str, str], set[int]])

    def read(self, row: TransferRow) -> Iterator[Transfer]:
        """Yield the transfers of one row; one between stations holds for all of their stops."""
        if row.of or row.kind not in _KINDS:
            self._special += 1
            return
        starts, ends = self.stops.get(row.origin, ()), self.stops.get(row.destination, ())
        if not (starts and ends):
            self._unknown += 1
            return
        self._negative += row.seconds is not None and row.seconds < 0
        self._told.setdefault((row.origin, row.destination), set()).add(row.took)
        self._look(row, starts, ends)
        for start in starts:
            for end in ends:
                yield Transfer(start, end, row.took)

    def problems(self) -> Iterator[tuple[int, str]]:
        """Yield how many rows are wrong in some way, and in which."""
        yield self._unknown, "transfers are of an unknown stop: left out"
        yield self._special, "transfers are of single routes or trips, or in one's seat: left out"
        yield self._negative, "transfers take less than no time: taken for none"
        conflicts = sum(len(seconds) > 1 for seconds in self._told.values())
        yield conflicts, "transfers are told with different times: the last counts"
        first = self._fast[0] if self._fast else ""
        yield (
            len(self._fast),
            f"transfers are faster than anybody walks, such as {first}: believed all the same",
        )

    def _look(self, row: TransferRow, starts: Sequence[int], ends: Sequence[int]) -> None:
        """Note a transfer that is too fast even between the nearest of its stops."""
        apart = [metres_between(self.at[one], self.at[other]) for one in starts for other in ends]
        longest = max(LONGEST_WALK, _RUNNING * row.took)
        # Of a stop without a position nobody knows how far it is.
        if all(metres > longest for metres in apart):
            ends_named = f"{self.names[starts[0]]} to {self.names[ends[0]]}"
            self._fast.append(f"{ends_named} ({row.took} s over {min(apart) / 1000:.1f} km)")


# Columns that are read, by table; one that a feed lacks is empty.
_READ: dict[str, list[str]] = tomllib.loads(
    (files(__package__ or "") / "columns.toml").read_text("utf-8")
)
COLUMNS: Mapping[str, tuple[str, ...]] = {table: tuple(read) for table, read in _READ.items()}
_NEEDED = {
    "stops": ("stop_id",),
    "routes": ("route_id", "route_type"),
    "trips": ("trip_id", "route_id", "service_id"),
    "stop_times": ("trip_id", "stop_id", "stop_sequence", "arrival_time"),
    "agency": ("agency_timezone",),
}
_LONGEST_HEADER = 1 << 16


@contextmanager
def opened_tables(files: Mapping[str, Path], folder: Path, memory: str) -> Generator[FeedTables]:
    """Open the tables of a feed.

    Args:
        files: the unpacked tables by name.
        folder: where DuckDB puts what does not fit into memory.
        memory: how much memory DuckDB may take: "700MB".
    """
    import duckdb

    config: dict[str, Any] = {
        "memory_limit": memory,
        "threads": "2",
        "temp_directory": str(folder / "spill"),
    }
    connection: Any = duckdb.connect(config=config)
    try:
        yield FeedTables(connection, files)
    finally:
        connection.close()


class FeedTables:
    """Tables of a feed in DuckDB, each as `raw_NAME` with the columns of `COLUMNS` as text."""

    def __init__(self, connection: Any, files: Mapping[str, Path]) -> None:
        """Name the tables; those that a feed lacks are empty.

        Raises:
            InputError: a column that every feed has is missing.
        """
        self._connection = connection
        self.lacking: list[str] = []
        for name, columns in COLUMNS.items():
            if name in files:
                self._view(name, columns, files[name])
            else:
                told = ", ".join(f"NULL::VARCHAR AS {column}" for column in columns)
                connection.execute(f"CREATE VIEW raw_{name} AS SELECT {told} WHERE false")
        connection.execute(_script("feed_seconds"))

    def _view(self, name: str, columns: tuple[str, ...], path: Path) -> None:
        header = _header(path)
        missing = [one for one in _NEEDED.get(name, ()) if one not in header]
        if missing:
            raise InputError(f"{name}.txt has no column {', '.join(missing)}: it is no GTFS feed.")
        # A column may be named twice or not at all: each is read under a name of its own.
        own = [f"c{number}" for number in range(len(header))]
        types = "{" + ", ".join(f"'{one}': 'VARCHAR'" for one in own) + "}"
        told = ", ".join(
            f"c{header.index(column)} AS {column}"
            if column in header
            else f"NULL::VARCHAR AS {column}"
            for column in columns
        )
        place = str(path).replace("'", "''")
        # A quoted text may hold line ends, which only one thread reads; times have none.
        alone = "" if name == "stop_times" else ", parallel = false"
        self._connection.execute(
            f"CREATE VIEW raw_{name} AS SELECT {told} FROM read_csv('{place}', columns = {types}, "  # noqa: S608 - the path is quoted, the rest is ours
            "auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', "
            f"null_padding = true, ignore_errors = true, strict_mode = false{alone})"
        )

    def run(self, script: str) -> None:
        """Run one of the scripts of this folder."""
        self._connection.execute(_script(script))

    def columns(self, query: str) -> dict[str, Any]:
        """The columns of a query's rows, as numpy arrays."""
        return self._connection.execute(query).fetchnumpy()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a small query."""
        return self._connection.execute(query).fetchall()


@cache
def _script(name: str) -> str:
    folder = resources.files("groundwire.journeys.timetable")
    return (folder / f"{name}.sql").read_text("utf-8")


def _header(path: Path) -> list[str]:
    """The names of the columns, in lower case, without blanks around them.

    Raises:
        InputError: the first line is none of a CSV.
    """
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as opened:
        line = opened.readline(_LONGEST_HEADER)
    try:
        names = next(csv.reader([line]), list[str]())
    except csv.Error as error:
        raise InputError(f"{path.name} has no header that can be read.") from error
    return [name.strip().lower() for name in names]


Numbers = npt.NDArray[Any]
MOST_RUNS_OF_FREQUENCIES = 2_000_000
"""Runs that the frequencies of a feed may make."""
_NO_TIME, _BAD_TIME = -1, -2


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


class FeedReading:
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
        without = cyclic = lost = 0
        for row in rows:
            parent_id: str = row[6]
            parent = known.get(parent_id)
            lost += bool(parent_id) and parent is None
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
        self._told(lost, "stops are of an unknown station: taken by themselves")
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
        numbers: dict[str, Sequence[int]] = {one.id: [at] for at, one in enumerate(rows)}
        names, at = [one.name for one in rows], [Point(one.lat, one.lon) for one in rows]
        reading = TransferReading({**numbers, **stations}, names, at)
        for row in found:
            yield from reading.read(TransferRow(*row))
        for count, what in reading.problems():
            self._told(count, what)


def _on_earth(lat: Any, lon: Any) -> bool:
    known = lat is not None and lon is not None and abs(lat) <= 90 and abs(lon) <= 180
    return known and (lat, lon) != (0, 0)
