"""The tables of a GTFS zip, unpacked within limits, as UTF-8."""

from __future__ import annotations

import codecs
import hashlib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

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
