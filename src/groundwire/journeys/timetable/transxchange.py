"""TransXChange timetables (schemas 2.1 and 2.4, British buses and tubes) as the tables of GTFS.

What is not read is told as a problem of the feed: bank holidays, journeys by their frequency,
flexible services, and positions on the national grid.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from groundwire.errors import InputError, LimitError

MOST_BYTES = 64 * 1024**2
"""Bytes of one file: a line of a large city has a tenth of it."""
_DEEPEST = 64
_OPEN_END = timedelta(weeks=12)
_LONGEST_PERIOD = 3 * 366
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SPANS: Mapping[str, Sequence[str]] = {
    **{day: (day,) for day in _DAYS},
    "MondayToFriday": _DAYS[:5],
    "MondayToSaturday": _DAYS[:6],
    "MondayToSunday": _DAYS,
    "Weekend": _DAYS[5:],
}
# Types of GTFS (extended for coaches) by the modes of TransXChange.
_TYPES = {"tram": 0, "underground": 1, "metro": 1, "rail": 2, "bus": 3, "ferry": 4, "coach": 200}
_DURATION = re.compile(r"PT(?:(?P<h>\d{1,2})H)?(?:(?P<m>\d{1,4})M)?(?:(?P<s>\d{1,5})(?:\.\d+)?S)?")
_CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)")
_HEADERS: Mapping[str, Sequence[str]] = {
    "agency": ("agency_id", "agency_name", "agency_timezone", "agency_lang"),
    "stops": ("stop_id", "stop_name", "stop_lat", "stop_lon"),
    "routes": ("route_id", "route_short_name", "route_long_name", "route_type"),
    "trips": ("trip_id", "route_id", "service_id", "trip_headsign"),
    "stop_times": (
        *("trip_id", "stop_id", "stop_sequence", "arrival_time", "departure_time"),
        *("pickup_type", "drop_off_type"),
    ),
    "calendar": ("service_id", *(day.lower() for day in _DAYS), "start_date", "end_date"),
    "calendar_dates": ("service_id", "date", "exception_type"),
    "feed_info": ("feed_publisher_name", "feed_lang"),
}
_BOARDS = {"setDown": (1, 0), "pickUp": (0, 1), "pass": (1, 1)}


class _UnusableError(Exception):
    """A part of a timetable cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class _Link:
    """The way from one stop to the next."""

    origin: Element
    end: Element
    seconds: int


@dataclass(slots=True)
class _Written:
    """The rows that several files share, and what was met on the way."""

    today: date
    tables: dict[str, Any]
    agencies: dict[str, str] = field(default_factory=dict[str, str])
    seen: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    problems: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, table: str, key: str, row: Iterable[object]) -> None:
        """Write a row unless one of its key is there."""
        if (table, key) not in self.seen:
            self.seen.add((table, key))
            self.tables[table].writerow(row)

    def lacks(self, what: str) -> None:
        """Count something that is not read."""
        self.problems[what] = self.problems.get(what, 0) + 1


def write_tables(
    files: Iterable[tuple[str, bytes]], folder: Path, today: date
) -> tuple[dict[str, Path], list[str]]:
    """Write TransXChange files as the tables of one GTFS feed.

    Args:
        files: names and contents.
        folder: an empty folder.
        today: the present day: a service without an end holds twelve weeks from then.

    Returns:
        the tables by name, and what was not read, each a line.

    Raises:
        InputError: a file is not XML, or not TransXChange.
        LimitError: a file is too large.
    """
    paths = {name: folder / f"{name}.txt" for name in _HEADERS}
    with ExitStack() as stack:
        tables: dict[str, Any] = {}
        for name, path in paths.items():
            tables[name] = csv.writer(stack.enter_context(path.open("w", encoding="utf-8")))
            tables[name].writerow(_HEADERS[name])
        written = _Written(today, tables)
        for number, (name, data) in enumerate(files):
            _File(parsed(name, data), number, written).write()
        publisher = ", ".join(written.agencies.values()) or "TransXChange"
        tables["feed_info"].writerow((publisher[:200], "en"))
    problems = [f"{what} ({count} times)." for what, count in written.problems.items()]
    return paths, problems


def parsed(name: str, data: bytes) -> Element:
    """Return the root of a TransXChange file, its names without their namespace.

    Raises:
        InputError: it is not XML or not TransXChange, or declares a document type.
        LimitError: it is too large or too deep.
    """
    if len(data) > MOST_BYTES:
        raise LimitError(f"{name} has more than {MOST_BYTES >> 20} MB: split it by its lines.")
    builder, depth = TreeBuilder(), 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise LimitError(f"{name} is nested deeper than {_DEEPEST} elements.")
        builder.start(tag.rpartition(":")[2], attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag.rpartition(":")[2])

    def doctype(*_: object) -> NoReturn:
        raise InputError(f"{name} declares a document type, which no timetable needs.")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputError(f"{name} is no XML: {expat.ErrorString(error.code)}.") from error
    root = builder.close()
    if root.tag != "TransXChange":
        raise InputError(f"{name} is no TransXChange file: its root is {root.tag[:40]!r}.")
    return root


class _File:
    """One file, with the parts that its journeys refer to."""

    def __init__(self, root: Element, number: int, written: _Written) -> None:
        self.root, self.number, self.written = root, number, written
        self.sections = {
            one.get("id", ""): one.findall("JourneyPatternTimingLink")
            for one in root.iterfind("JourneyPatternSections/JourneyPatternSection")
        }
        self.services = {
            _text(one, "ServiceCode"): one for one in root.iterfind("Services/Service")
        }
        self.patterns = {
            one.get("id", ""): one
            for one in root.iterfind("Services/Service/StandardService/JourneyPattern")
        }
        self.journeys = {
            _text(one, "VehicleJourneyCode"): one
            for one in root.iterfind("VehicleJourneys/VehicleJourney")
        }
        self.stops = {
            _text(one, "StopPointRef") or _text(one, "AtcoCode"): one
            for path in ("StopPoints/AnnotatedStopPointRef", "StopPoints/StopPoint")
            for one in root.iterfind(path)
        }

    def write(self) -> None:
        """Write the rows of this file; a journey that cannot be used is counted."""
        for one in self.root.iterfind("Operators/*"):
            name = _text(one, "TradingName") or _text(one, "OperatorShortName") or one.get("id", "")
            self.written.agencies[one.get("id", "")] = name
            self.written.add(
                "agency", one.get("id", ""), (one.get("id"), name, "Europe/London", "en")
            )
        if self.root.find("Services/Service/FlexibleService") is not None:
            self.written.lacks("Flexible services are not read")
        for code, journey in self.journeys.items():
            try:
                self._write_trip(code, journey)
            except _UnusableError as problem:
                self.written.lacks(str(problem))

    def _write_trip(self, code: str, journey: Element) -> None:
        """Write one journey.

        Raises:
            _UnusableError: something that it refers to is not there, or it has no times.
        """
        if journey.find("Frequency") is not None:
            self.written.lacks("A journey by its frequency is read as its first journey alone")
        service = self.services.get(_text(journey, "ServiceRef"))
        pattern = self.patterns.get(self._inherited(journey, "JourneyPatternRef"))
        if service is None or pattern is None:
            raise _UnusableError("Journeys without a service or a pattern are left out")
        line = self._line(journey, service)
        began = _CLOCK.fullmatch(_text(journey, "DepartureTime"))
        if began is None:
            raise _UnusableError("Journeys without a time of departure are left out")
        hours, minutes, seconds = map(int, began.groups())
        start = 3600 * hours + 60 * minutes + seconds
        shift = _text(journey, "DepartureDayShift")
        start += 86_400 if shift in ("1", "+1") else 0
        calls = list(self._calls(journey, pattern, start))
        days = self._days(journey, service)
        trip = f"{self.number}:{code}"
        headsign = _text(journey, "DestinationDisplay") or _text(pattern, "DestinationDisplay")
        headsign = headsign or _text(service, "StandardService/Destination")
        self.written.add("trips", trip, (trip, line, days, headsign))
        for row in calls:
            self.written.tables["stop_times"].writerow((trip, *row))

    def _inherited(self, journey: Element, name: str) -> str:
        """A text of a journey, or of the journey that it refers to."""
        for _ in range(8):
            found = _text(journey, name)
            other = self.journeys.get(_text(journey, "VehicleJourneyRef"))
            if found or other is None:
                return found
            journey = other
        return ""

    def _line(self, journey: Element, service: Element) -> str:
        """The id of the line, whose route is written."""
        lines = {
            one.get("id", ""): _text(one, "LineName") for one in service.iterfind("Lines/Line")
        }
        wanted = self._inherited(journey, "LineRef") or next(iter(lines), "")
        name = lines.get(wanted, "")
        mode = _text(service, "Mode").lower() or "bus"
        ends = [_text(service, f"StandardService/{one}") for one in ("Origin", "Destination")]
        long = " - ".join(filter(None, ends)) or _text(service, "Description")
        route = f"{_text(service, 'ServiceCode')}:{wanted}"
        self.written.add("routes", route, (route, name or wanted, long, _TYPES.get(mode, 3)))
        return route

    def _links(self, journey: Element, pattern: Element) -> Iterator[_Link]:
        """The links of a journey; a running time of its own counts instead of its pattern's.

        Raises:
            _UnusableError: a section or a running time is missing.
        """
        own = {
            _text(one, "JourneyPatternTimingLinkRef"): _text(one, "RunTime")
            for one in journey.iterfind("VehicleJourneyTimingLink")
        }
        for reference in pattern.iterfind("JourneyPatternSectionRefs"):
            for section in (reference.text or "").split():
                for link in self.sections.get(section, ()):
                    origin, end = link.find("From"), link.find("To")
                    said = own.get(link.get("id", "")) or _text(link, "RunTime")
                    if origin is None or end is None or _seconds(said) is None:
                        raise _UnusableError("Journeys with a link without its time are left out")
                    yield _Link(origin, end, _seconds(said) or 0)

    def _calls(
        self, journey: Element, pattern: Element, at: int
    ) -> Iterator[tuple[str, int, str, str, int, int]]:
        """The calls of a journey: stop, position, arrival, departure, boarding and leaving.

        Raises:
            _UnusableError: it has no links.
        """
        links = list(self._links(journey, pattern))
        if not links:
            raise _UnusableError("Journeys without links between stops are left out")
        points = [(None, links[0].origin)]
        points += [(one, two.origin) for one, two in pairwise(links)]
        for number, (before, point) in enumerate(points, 1):
            at += before.seconds if before else 0
            waits = _seconds(_text(point, "WaitTime")) or 0
            waits += (_seconds(_text(before.end, "WaitTime")) or 0) if before else 0
            # The first stop is left at the time of departure.
            leaves = at + waits if before else at
            yield (self._stop(point), number, _clock(at), _clock(leaves), *_boards(point))
            at = leaves
        at += links[-1].seconds
        last = links[-1].end
        yield (self._stop(last), len(points) + 1, _clock(at), _clock(at), *_boards(last))

    def _stop(self, point: Element) -> str:
        """The id of a stop, which is written."""
        code = _text(point, "StopPointRef")
        about = self.stops.get(code)
        name = lat = lon = ""
        if about is not None:
            name = _text(about, "CommonName") or _text(about, "Descriptor/CommonName")
            lat = next((one.text or "" for one in about.iter("Latitude")), "")
            lon = next((one.text or "" for one in about.iter("Longitude")), "")
        if not lat and ("stops", code) not in self.written.seen:
            grid = about is not None and next(about.iter("Easting"), None) is not None
            self.written.lacks(
                "A stop has its position on the national grid alone, which is not read"
                if grid
                else "A stop has no position"
            )
        self.written.add("stops", code, (code, name or code, lat, lon))
        return code

    def _days(self, journey: Element, service: Element) -> str:
        """The id of the days on which a journey is made, which are written.

        Raises:
            _UnusableError: they have no beginning, or no day of the week.
        """
        profiles = [
            one.find("OperatingProfile")
            for one in (journey, self.journeys.get(_text(journey, "VehicleJourneyRef")), service)
            if one is not None
        ]
        profile = next((one for one in profiles if one is not None), None)
        begins = _date(_text(service, "OperatingPeriod/StartDate"))
        if begins is None:
            raise _UnusableError("Services without a first day are left out")
        ends = _date(_text(service, "OperatingPeriod/EndDate"))
        if ends is None:
            ends = max(begins, self.written.today) + _OPEN_END
            self.written.lacks(f"A journey of a service without an end is held until {ends}")
        days = _week(profile)
        if not days:
            raise _UnusableError("Journeys on holidays alone are left out")
        exceptions = dict(self._exceptions(profile, begins, ends))
        told = ",".join(f"{day:%Y%m%d}{kind}" for day, kind in sorted(exceptions.items()))
        marks = [int(day in days) for day in _DAYS]
        key = f"{begins:%Y%m%d}-{ends:%Y%m%d}-{''.join(map(str, marks))}-{told}"
        self.written.add("calendar", key, (key, *marks, f"{begins:%Y%m%d}", f"{ends:%Y%m%d}"))
        for day, kind in exceptions.items():
            self.written.add("calendar_dates", f"{key} {day}", (key, f"{day:%Y%m%d}", kind))
        return key

    def _exceptions(
        self, profile: Element | None, begins: date, ends: date
    ) -> Iterator[tuple[date, int]]:
        """Days on which a journey is made (1) or not (2), against its week."""
        if profile is None:
            return
        if profile.find("BankHolidayOperation") is not None:
            self.written.lacks("Whether a journey is made on bank holidays is not read")
        for name, kind in (("DaysOfOperation", 1), ("DaysOfNonOperation", 2)):
            for one in profile.iterfind(f"SpecialDaysOperation/{name}/DateRange"):
                first, last = _date(_text(one, "StartDate")), _date(_text(one, "EndDate"))
                if first is None:
                    continue
                first, last = max(first, begins), min(last or first, ends)
                for ahead in range(min((last - first).days + 1, _LONGEST_PERIOD)):
                    yield first + timedelta(days=ahead), kind


def _week(profile: Element | None) -> frozenset[str]:
    """The days of the week of a profile; without one, all of them."""
    regular = profile.find("RegularDayType") if profile is not None else None
    if regular is None:
        return frozenset(_DAYS)
    named = regular.find("DaysOfWeek")
    if named is None:
        return frozenset()
    found = {day for one in named for day in _SPANS.get(one.tag, ())}
    without = {one.tag.removeprefix("Not") for one in named if one.tag.startswith("Not")}
    return frozenset(found or (set(_DAYS) if without or not len(named) else set())) - without


def _boards(point: Element) -> tuple[int, int]:
    """Whether one may board and leave there, by the values of GTFS."""
    return _BOARDS.get(_text(point, "Activity"), (0, 0))


def _text(element: Element, path: str) -> str:
    return " ".join((element.findtext(path) or "").split())


def _seconds(duration: str) -> int | None:
    """Seconds of an ISO 8601 duration without days, or None."""
    found = _DURATION.fullmatch(duration)
    if found is None or duration == "PT":
        return None
    hours, minutes, seconds = (int(one or 0) for one in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
