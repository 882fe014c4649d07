"""The tables of a GTFS zip, unpacked within limits, as UTF-8; and its trips put into patterns.

A pattern has trips of one route with the same stops that never overtake one another.
"""

from __future__ import annotations

import codecs
import hashlib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from groundwire.errors import InputError, LimitError
from groundwire.journeys.timetable import transxchange

REQUIRED = ("agency", "stops", "routes", "trips", "stop_times")
CALENDARS = ("calendar", "calendar_dates")
OPTIONAL = ("frequencies", "transfers", "feed_info", *CALENDARS)
MOST_BYTES = 12 * 1024**3
"""Bytes of all tables, unpacked."""
MOST_OF_SMALL = 2 * 1024**3
"""Bytes of one table other than stop_times, unpacked."""
MOST_RATIO = 200
"""How many times its packed size a table of more than `_HARMLESS` bytes may be."""
_HARMLESS = 64 * 1024**2
_CHUNK = 1 << 20
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Unpacked:
    """Tables that lie in a folder.

    Attributes:
        tables: their files by name.
        problems: what had to be mended on the way, each a line.
        sha256: hash of the zip.
    """

    tables: dict[str, Path]
    problems: list[str] = field(default_factory=list[str])
    sha256: str = ""


def unpack(feed: Path, folder: Path, progress: Progress, today: date) -> Unpacked:
    """Unpack the tables of a feed into a folder; TransXChange files are written as such tables.

    Args:
        feed: the zip of GTFS or of TransXChange files, or one TransXChange file.
        folder: an empty folder.
        progress: is told the table, and how much of it is done.
        today: the present day.

    Raises:
        InputError: it cannot be unpacked, or lacks a table that every feed has.
        LimitError: it holds more than the limits.
    """
    try:
        if feed.suffix.lower() == ".xml":
            return _from_xml(feed, iter([(feed.name, _limited(feed))]), folder, today)
        with zipfile.ZipFile(feed) as opened:
            entries = [one for one in opened.infolist() if one.filename.lower().endswith(".xml")]
            if entries and not any(_is_table(one) for one in opened.infolist()):
                return _from_xml(feed, _files(opened, entries, progress), folder, today)
            return _unpack(feed, opened, folder, progress)
    except FileNotFoundError as error:
        if feed.parts[:1] and feed.parts[0] in ("http:", "https:"):
            raise InputError("A feed is read from a file: download it first.") from error
        raise InputError(f"There is no file {feed}: send the path of a GTFS zip.") from error
    except IsADirectoryError as error:
        raise InputError(f"{feed} is a folder: send the path of a GTFS zip.") from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise InputError(f"{feed.name} cannot be unpacked: it is damaged or no zip.") from error


def _limited(feed: Path) -> bytes:
    """The bytes of one file, one more than it may have at most."""
    with feed.open("rb") as opened:
        return opened.read(transxchange.MOST_BYTES + 1)


def _is_table(entry: zipfile.ZipInfo) -> bool:
    name = entry.filename.replace("\\", "/").rsplit("/", 1)[-1].lower()
    return name.removesuffix(".txt") in REQUIRED


def _files(
    opened: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo], progress: Progress
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files of a zip, one after the other.

    Raises:
        LimitError: together they are larger than the limit.
    """
    left = MOST_OF_SMALL
    for number, entry in enumerate(entries):
        progress("read timetables", number, len(entries))
        with opened.open(entry) as source:
            data = source.read(transxchange.MOST_BYTES + 1)
        left -= len(data)
        if left < 0:
            raise LimitError(f"The timetables have more than {MOST_OF_SMALL >> 30} GB unpacked.")
        yield entry.filename[-100:], data


def _from_xml(
    feed: Path, files: Iterator[tuple[str, bytes]], folder: Path, today: date
) -> Unpacked:
    tables, problems = transxchange.write_tables(files, folder, today)
    return Unpacked(tables, problems, _sha256(feed))


def _unpack(feed: Path, opened: zipfile.ZipFile, folder: Path, progress: Progress) -> Unpacked:
    found = Unpacked({}, [], _sha256(feed))
    entries = _entries(opened, found.problems)
    missing = [f"{name}.txt" for name in REQUIRED if name not in entries]
    if missing:
        raise InputError(f"{feed.name} is no GTFS feed: {', '.join(missing)} is missing.")
    if not any(name in entries for name in CALENDARS):
        raise InputError(
            f"{feed.name} has neither calendar.txt nor calendar_dates.txt: no day of it is known."
        )
    left = MOST_BYTES
    for name, entry in entries.items():
        target = folder / f"{name}.txt"
        left -= _write(opened, entry, target, min(left, _most(name, entry)), progress)
        _as_utf8(target, name, found.problems)
        found.tables[name] = target
    return found


def _entries(opened: zipfile.ZipFile, problems: list[str]) -> dict[str, zipfile.ZipInfo]:
    """The entries of known tables; a feed that lies in a folder of its zip is read from there."""
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in opened.infolist():
        parts = entry.filename.replace("\\", "/").split("/")
        name = parts[-1].lower()
        if entry.is_dir() or not name.endswith(".txt") or "__MACOSX" in parts:
            continue
        table = name.removesuffix(".txt")
        if table not in (*REQUIRED, *OPTIONAL):
            continue
        if table in found:
            problems.append(f"{name} is twice in the zip: the first counts.")
            continue
        if len(parts) > 1:
            problems.append(f"{name} lies in a folder of the zip, where no reader has to look.")
        found[table] = entry
    return found


def _most(name: str, entry: zipfile.ZipInfo) -> int:
    by_ratio = max(_HARMLESS, entry.compress_size * MOST_RATIO)
    return by_ratio if name == "stop_times" else min(MOST_OF_SMALL, by_ratio)


def _write(
    opened: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, most: int, progress: Progress
) -> int:
    """Write one table, counting what really comes, not what the zip says of itself.

    Raises:
        LimitError: it is larger than `most`.
    """
    size = 0
    with opened.open(entry) as source, target.open("wb") as written:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > most:
                raise LimitError(
                    f"{entry.filename} unpacks to more than {most:,} bytes: it is refused as a zip "
                    "bomb."
                )
            written.write(chunk)
            progress(f"unpack {target.name}", size, max(size, entry.file_size))
    return size


def _as_utf8(path: Path, name: str, problems: list[str]) -> None:
    """Write a table again as UTF-8 where it is not: GTFS asks for UTF-8, and not all keep to it."""
    with path.open("rb") as opened:
        start = opened.read(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif _is_utf8(path):
        return
    else:
        encoding = "cp1252"
    problems.append(f"{name}.txt is not UTF-8: it was read as {encoding}.")
    raw = path.with_suffix(".raw")
    path.rename(raw)
    with (
        raw.open("r", encoding=encoding, errors="replace", newline="") as source,
        path.open("w", encoding="utf-8", newline="") as target,
    ):
        while chunk := source.read(_CHUNK):
            target.write(chunk)
    raw.unlink()


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _sha256(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


Integers = npt.NDArray[Any]
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SEED = 20


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of trips at stops, in the order of trips and of their stops.

    Attributes:
        first: by trip, its first call; one entry more. Trips without calls have none.
        stop, arrival, departure, flags: by call.
    """

    first: Integers
    stop: Integers
    arrival: Integers
    departure: Integers
    flags: Integers


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs: a trip once, or as often as its frequencies say.

    Attributes:
        trip: the trip whose calls they make.
        shift: seconds by which they are later than the trip.
        every: seconds of the headway where its times are not exact, else 0.
        route: the route.
    """

    trip: Integers
    shift: Integers
    every: Integers
    route: Integers


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns as `model.Timetable` holds them; `run` says which run each of their trips is."""

    pos_stop: Integers
    pos_flags: Integers
    pos_base: Integers
    pattern_pos: Integers
    pattern_trip: Integers
    pattern_route: Integers
    arrivals: Integers
    departures: Integers
    run: Integers


def build_patterns(calls: Calls, runs: Runs, progress: Progress) -> Patterns:
    """Put runs into patterns.

    Runs of one route that call at the same stops are sorted by their departure; one that overtakes
    another goes to another pattern.
    """
    lengths = np.diff(calls.first)[runs.trip]
    order, groups = _grouped(calls, runs, lengths)
    total = int(lengths.sum())
    arrivals, departures = np.empty(total, np.int32), np.empty(total, np.int32)
    pos_stop: list[Integers] = []
    pos_flags: list[Integers] = []
    pos_base: list[Integers] = []
    sizes: list[tuple[int, int, int]] = []
    placed: list[Integers] = []
    written = 0
    for number, (start, end) in enumerate(pairwise(groups)):
        members = order[start:end]
        count = int(lengths[members[0]])
        rows = calls.first[runs.trip[members]][:, None] + np.arange(count)
        shift = runs.shift[members][:, None]
        arriving, leaving = calls.arrival[rows] + shift, calls.departure[rows] + shift
        sort = np.lexsort((arriving[:, -1], leaving[:, 0]))
        members, arriving, leaving = members[sort], arriving[sort], leaving[sort]
        for chain in _chains(arriving, leaving):
            trips = len(chain)
            size = trips * count
            arrivals[written : written + size] = arriving[chain].T.ravel()
            departures[written : written + size] = leaving[chain].T.ravel()
            pos_stop.append(calls.stop[rows[0]])
            pos_flags.append(calls.flags[rows[0]])
            pos_base.append(written + trips * np.arange(count, dtype=np.int64))
            sizes.append((count, trips, int(runs.route[members[0]])))
            placed.append(members[chain])
            written += size
        if number % 1000 == 0:
            progress("sort trips", number, len(groups) - 1)
    table = np.array(sizes, np.int64).reshape(-1, 3)
    return Patterns(
        pos_stop=_joined(pos_stop, np.int32),
        pos_flags=_joined(pos_flags, np.uint8),
        pos_base=_joined(pos_base, np.int64),
        pattern_pos=np.concatenate([[0], np.cumsum(table[:, 0])]),
        pattern_trip=np.concatenate([[0], np.cumsum(table[:, 1])]),
        pattern_route=table[:, 2].astype(np.int32),
        arrivals=arrivals[:written],
        departures=departures[:written],
        run=_joined(placed, np.int64),
    )


def _joined(pieces: list[Integers], kind: Any) -> Integers:
    return np.concatenate(pieces).astype(kind) if pieces else np.empty(0, kind)


def _grouped(calls: Calls, runs: Runs, lengths: Integers) -> tuple[Integers, list[int]]:
    """Runs in the order of their groups, and where each group begins; one entry more.

    A group is told by two hashes of 64 bits over the stops and what may be done there.
    """
    if not len(runs.trip):
        return np.empty(0, np.int64), [0]
    with np.errstate(over="ignore"):
        first, second = (_hashes(calls, seed) for seed in (_SEED, _SEED + 1))
    one, other = first[runs.trip], second[runs.trip]
    order = np.lexsort((other, one, lengths, runs.route))
    keys = np.stack([runs.route[order], lengths[order]])
    differ = (np.diff(keys, axis=1) != 0).any(axis=0)
    differ |= (one[order][1:] != one[order][:-1]) | (other[order][1:] != other[order][:-1])
    return order, [0, *(np.flatnonzero(differ) + 1).tolist(), len(order)]


def _hashes(calls: Calls, seed: int) -> Integers:
    """By trip, a hash of its stops in order with what may be done there."""
    starts = calls.first[:-1]
    longest = int(np.diff(calls.first).max(initial=1))
    factors = np.random.default_rng(seed).integers(1, 2**63, longest, np.int64).astype(np.uint64)
    factors = factors * np.uint64(2) + np.uint64(1)
    place = np.arange(len(calls.stop)) - np.repeat(starts, np.diff(calls.first))
    value = calls.stop.astype(np.uint64) * np.uint64(8) + calls.flags.astype(np.uint64)
    value = (value + np.uint64(seed)) * _MIX
    value ^= value >> np.uint64(31)
    value *= factors[place]
    found = np.zeros(len(starts), np.uint64)
    called = np.diff(calls.first) > 0
    if called.any():
        found[called] = np.add.reduceat(value, starts[called])
    return found


def _chains(arrivals: Integers, departures: Integers) -> list[Integers]:
    """Rows in chains in which no later row is earlier anywhere; rows are sorted by departure."""
    whole = np.arange(len(arrivals))
    if (np.diff(arrivals, axis=0) >= 0).all() and (np.diff(departures, axis=0) >= 0).all():
        return [whole]
    chains: list[list[int]] = []
    for row in range(len(arrivals)):
        for chain in chains:
            last = chain[-1]
            if (arrivals[row] >= arrivals[last]).all() and (
                departures[row] >= departures[last]
            ).all():
                chain.append(row)
                break
        else:
            chains.append([row])
    return [np.array(chain) for chain in chains]
