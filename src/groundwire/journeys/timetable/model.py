"""An imported timetable: numpy arrays on disk, memory-mapped, and what is told of the feed.

Trips of one route that call at the same stops in the same order, and of which none overtakes
another, are a pattern. The times of a pattern lie together: those of its first stop by trip, then
those of its second stop. Times are seconds after noon minus twelve hours of the day of service, as
GTFS counts them; positions are degrees of WGS 84.

Feeds lie below the state folder, by the names that their user gave them.

Source: GTFS Schedule Reference (gtfs.org), and Delling, Pajor, Werneck: Round-Based Public Transit
Routing (2012).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from groundwire.errors import InputError, NotFoundError

Integers = npt.NDArray[Any]
FORMAT = 1
_DAYS = ("first_day", "last_day", "first_active")
META_FILE = "feed.json"

# What may be done at a position of a pattern.
BOARD, ALIGHT, BY_ARRANGEMENT = 1, 2, 4
# What the feed says of wheelchairs.
UNKNOWN, ACCESSIBLE, NOT_ACCESSIBLE = 0, 1, 2
# Seconds for a change that the feed forbids.
NEVER = 10**8


@dataclass(frozen=True, slots=True)
class FeedInfo:
    """A feed as it was imported.

    Attributes:
        name: what the user calls it.
        publisher: who publishes it, or the first agency.
        agencies: names of its agencies.
        zone: IANA name of its time zone.
        first_day, last_day: days between which the timetable holds.
        first_active: the day of the first row of `Timetable.active`.
        stops, routes, trips, stop_times, patterns: how many there are.
        problems: what was wrong with the feed, each a line.
        imported: when, in ISO 8601.
        sha256: hash of the file that was imported.
        language: its language, or empty.
    """

    name: str
    publisher: str
    agencies: tuple[str, ...]
    zone: str
    first_day: date
    last_day: date
    first_active: date
    stops: int
    routes: int
    trips: int
    stop_times: int
    patterns: int
    problems: tuple[str, ...] = ()
    imported: str = ""
    sha256: str = ""
    language: str = ""
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """The same as JSON."""
        days = {name: getattr(self, name).isoformat() for name in _DAYS}
        return {**asdict(self), **days}


def read_info(folder: Path) -> FeedInfo:
    """Read the description of a feed.

    Raises:
        NotFoundError: it cannot be read, or another version wrote it.
    """
    again = f"import the feed again: groundwire journeys import FEED.zip --name {folder.name}"
    try:
        tree: dict[str, Any] = json.loads((folder / META_FILE).read_text("utf-8"))
        if tree["format"] != FORMAT:
            raise NotFoundError(f"The timetable {folder.name} has another format: {again}.")
        tree |= {name: date.fromisoformat(tree[name]) for name in _DAYS}
        tree |= {name: tuple(tree[name]) for name in ("agencies", "problems")}
        return FeedInfo(**tree)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotFoundError(f"The timetable {folder.name} cannot be read: {again}.") from error


class Texts:
    """Texts by number, kept as one blob with the offsets of their ends."""

    def __init__(self, folder: Path, name: str) -> None:
        """Map the texts of one name."""
        self._ends = _mapped(folder, f"{name}_ends")
        self._blob = _mapped(folder, f"{name}_text")

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, index: int) -> str:
        start, end = int(self._ends[index]), int(self._ends[index + 1])
        return self._blob[start:end].tobytes().decode()

    def all(self) -> list[str]:
        """Return all of them, in order."""
        whole, ends = self._blob.tobytes(), self._ends.tolist()
        return [whole[one:other].decode() for one, other in pairwise(ends)]


def write_texts(folder: Path, name: str, texts: list[str]) -> None:
    """Write texts as `Texts` reads them."""
    coded = [text.encode("utf-8", "replace") for text in texts]
    ends = np.zeros(len(coded) + 1, np.int64)
    np.cumsum([len(one) for one in coded], out=ends[1:])
    blob = np.frombuffer(b"".join(coded), np.uint8)
    np.save(folder / f"{name}_ends.npy", ends)
    np.save(folder / f"{name}_text.npy", blob)


class Timetable:
    """The arrays of an imported feed, mapped into memory.

    Attributes:
        info: what is told of the feed.
        pos_stop, pos_flags, pos_base: by position: its stop, what may be done there, and where its
            times begin; there is one time for each trip of the pattern.
        pattern_pos, pattern_trip: by pattern: its first position and trip; one entry more.
        pattern_route: by pattern.
        arrivals, departures: seconds of the day of service.
        trip_service, trip_wheelchair, trip_headsign: by trip.
        active: days by services, whether a service runs; the first is `info.first_active`.
        walk_first, walk_to, walk_seconds: walks from each stop to others.
        stop_change: seconds for changing at a stop.
        stop_lat, stop_lon: NaN where the feed has no position.
        stop_place, place_first, place_stop: stops and stations: each stop belongs to one place.
    """

    def __init__(self, folder: Path) -> None:
        """Map the arrays of a folder.

        Raises:
            NotFoundError: something of it is missing or of another version.
        """
        self.folder = folder
        self.info = read_info(folder)
        try:
            self.pos_stop = _mapped(folder, "pos_stop")
            self.pos_flags = _mapped(folder, "pos_flags")
            self.pos_base = _mapped(folder, "pos_base")
            self.pattern_pos = _mapped(folder, "pattern_pos")
            self.pattern_trip = _mapped(folder, "pattern_trip")
            self.pattern_route = _mapped(folder, "pattern_route")
            self.arrivals = _mapped(folder, "arrivals")
            self.departures = _mapped(folder, "departures")
            self.trip_service = _mapped(folder, "trip_service")
            self.trip_wheelchair = _mapped(folder, "trip_wheelchair")
            self.trip_headsign = _mapped(folder, "trip_headsign")
            self.trip_every = _mapped(folder, "trip_every")
            self.active = _mapped(folder, "active")
            self.walk_first = _mapped(folder, "walk_first")
            self.walk_to = _mapped(folder, "walk_to")
            self.walk_seconds = _mapped(folder, "walk_seconds")
            self.stop_change = _mapped(folder, "stop_change")
            self.stop_lat = _mapped(folder, "stop_lat")
            self.stop_lon = _mapped(folder, "stop_lon")
            self.stop_wheelchair = _mapped(folder, "stop_wheelchair")
            self.stop_place = _mapped(folder, "stop_place")
            self.place_first = _mapped(folder, "place_first")
            self.place_stop = _mapped(folder, "place_stop")
            self.route_mode = _mapped(folder, "route_mode")
            self.stop_ids = Texts(folder, "stop_ids")
            self.stop_names = Texts(folder, "stop_names")
            self.stop_platforms = Texts(folder, "stop_platforms")
            self.place_ids = Texts(folder, "place_ids")
            self.place_names = Texts(folder, "place_names")
            self.route_ids = Texts(folder, "route_ids")
            self.route_names = Texts(folder, "route_names")
            self.route_long_names = Texts(folder, "route_long_names")
            self.headsigns = Texts(folder, "headsigns")
        except (OSError, ValueError) as error:
            raise NotFoundError(
                f"The timetable {folder.name} is not whole: import the feed again."
            ) from error
        self.zone = ZoneInfo(self.info.zone)

    def step_free(self, stop: int) -> bool | None:
        """Whether a stop is accessible to wheelchairs, or None where the feed does not say."""
        said = int(self.stop_wheelchair[stop])
        return None if said not in (ACCESSIBLE, NOT_ACCESSIBLE) else said == ACCESSIBLE

    @cached_property
    def pos_pattern(self) -> Integers:
        """By position, its pattern."""
        return np.repeat(
            np.arange(len(self.pattern_route), dtype=np.int32), np.diff(self.pattern_pos)
        )

    @cached_property
    def pos_trips(self) -> Integers:
        """By position, how many trips its pattern has."""
        return np.diff(self.pattern_trip).astype(np.int32)[self.pos_pattern]

    @cached_property
    def trip_pattern(self) -> Integers:
        """By trip, its pattern."""
        return np.repeat(
            np.arange(len(self.pattern_route), dtype=np.int32), np.diff(self.pattern_trip)
        )

    def routes_at(self, stops: Integers) -> list[int]:
        """Numbers of the routes that call at some stops."""
        at = np.isin(self.pos_stop, stops)
        found: list[int] = np.unique(self.pattern_route[self.pos_pattern[at]]).tolist()
        return found

    def stops_of(self, place: int) -> Integers:
        """The stops of a place."""
        return np.asarray(self.place_stop[self.place_first[place] : self.place_first[place + 1]])

    def day_number(self, day: date) -> int:
        """The row of a day in `active`; it may lie outside."""
        return (day - self.info.first_active).days

    def services_on(self, day: date) -> Integers:
        """Whether each service runs on a day."""
        number = self.day_number(day)
        if not 0 <= number < len(self.active):
            return np.zeros(int(self.active.shape[1]), dtype=np.bool_)
        runs: Integers = self.active[number]
        return np.array(runs, dtype=np.bool_)


def _mapped(folder: Path, name: str) -> Integers:
    path = folder / f"{name}.npy"
    loaded = np.load(path, mmap_mode="r", allow_pickle=False)
    # A mapped array costs more at every access; only large ones are worth it.
    return np.array(loaded) if loaded.nbytes < 1_000_000 else np.asarray(loaded)


_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
# A name that means something else where feeds are named.
_TAKEN = frozenset({"london", "offline"})


def feeds_folder(home: Path) -> Path:
    """Where imported feeds lie."""
    return home / "feeds"


def check_name(name: str) -> None:
    """See that a feed may have a name.

    Raises:
        InputError: it may not.
    """
    if not _NAME.fullmatch(name) or name in _TAKEN:
        raise InputError(
            f"{name[:40]!r} is no name for a feed: use small letters, digits, - and _, such as "
            "berlin; london is the embedded network."
        )


def imported_feeds(home: Path) -> Iterator[tuple[FeedInfo | NotFoundError, int]]:
    """Yield each imported feed, or why it cannot be used, with its bytes on disk."""
    root = feeds_folder(home)
    if not root.is_dir():
        return
    for folder in sorted(root.iterdir()):
        if folder.name.startswith(".") or not folder.is_dir():
            continue
        size = sum(one.stat().st_size for one in folder.iterdir() if one.is_file())
        try:
            yield read_info(folder), size
        except NotFoundError as error:
            yield error, size


def feed_folder(home: Path, name: str) -> Path:
    """The folder of an imported feed.

    Raises:
        NotFoundError: there is none of this name.
    """
    folder = feeds_folder(home) / name
    if not _NAME.fullmatch(name) or not (folder / META_FILE).is_file():
        known = [one.name for one, _ in imported_feeds(home) if isinstance(one, FeedInfo)]
        there = f" Imported are {', '.join(known)}." if known else ""
        raise NotFoundError(
            f"No feed {name[:40]!r} is imported: run groundwire journeys import FEED.zip --name "
            f"NAME.{there}"
        )
    return folder
