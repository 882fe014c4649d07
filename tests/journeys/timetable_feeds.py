"""GTFS feeds made for tests: small cities with all that timetables do, and files that are wrong."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

Rows = Sequence[Sequence[object]]


@dataclass
class Feed:
    """Tables of a feed: for each its header and rows."""

    tables: dict[str, tuple[str, list[list[object]]]] = field(default_factory=dict)

    def add(self, table: str, header: str, rows: Rows) -> Feed:
        self.tables[table] = (header, [list(row) for row in rows])
        return self

    def write(self, path: Path, *, encoding: str = "utf-8", without: Sequence[str] = ()) -> Path:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, (header, rows) in self.tables.items():
                if name in without:
                    continue
                lines = [header, *(",".join(map(_cell, row)) for row in rows)]
                zipped.writestr(f"{name}.txt", ("\r\n".join(lines) + "\r\n").encode(encoding))
        return path


def _cell(value: object) -> str:
    text = str(value)
    return f'"{text}"' if any(mark in text for mark in ',"\n') else text


def clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


STOP_TIMES = "trip_id,stop_id,stop_sequence,arrival_time,departure_time,pickup_type,drop_off_type"
CALENDAR = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"


def times_of(trip: str, calls: Sequence[tuple[str, str]]) -> list[list[object]]:
    """Calls of a trip: each stop with its time."""
    return [[trip, stop, at, time, time, 0, 0] for at, (stop, time) in enumerate(calls, 1)]


def small_city(begins: date = date(2026, 6, 1), ends: date = date(2026, 8, 31)) -> Feed:
    """A city by a lake: an underground line, a tram, a night bus after midnight, and a ferry.

    It holds from 1 June to 31 August 2026 unless told otherwise, the underground on all days, the
    tram on weekdays.
    """
    first, last = f"{begins:%Y%m%d}", f"{ends:%Y%m%d}"
    stops = [
        ("HBF", "Hauptbahnhof", 52.525, 13.369, 1, "", "", 1),
        ("HBF1", "Hauptbahnhof", 52.5251, 13.3691, 0, "HBF", "1", 0),
        ("HBF2", "Hauptbahnhof", 52.5252, 13.3692, 0, "HBF", "2", 0),
        ("MUS", "Museum", 52.521, 13.398, 0, "", "", 1),
        ("ALX", "Alexplatz", 52.5219, 13.4132, 0, "", "", 2),
        ("SEE", "Seestraße", 52.535, 13.42, 0, "", "", 0),
        ("INS", "Insel", 52.55, 13.43, 0, "", "", 0),
        ("PAR", "Park", 52.524, 13.4145, 0, "", "", 0),
        ("RAT1", "Rathaus", 52.50, 13.30, 0, "", "", 0),
        ("RAT2", "Rathaus", 52.56, 13.50, 0, "", "", 0),
    ]
    routes = [
        ("U2", "U2", "Underground 2", 1),
        ("M10", "M10", "Tram 10", 900),
        ("N5", "N5", "Night bus 5", 3),
        ("F11", "F11", "Ferry 11", 1000),
    ]
    trips: list[list[object]] = []
    calls: list[list[object]] = []
    for number in range(5 * 6, 24 * 6):
        at = number * 600
        name = f"u{number}"
        trips.append([name, "U2", "daily", "Alexplatz", 1])
        calls += times_of(
            name, [("HBF1", clock(at)), ("MUS", clock(at + 240)), ("ALX", clock(at + 420))]
        )
        trips.append([f"{name}r", "U2", "daily", "Hauptbahnhof", 1])
        calls += times_of(
            f"{name}r", [("ALX", clock(at)), ("MUS", clock(at + 180)), ("HBF2", clock(at + 420))]
        )
    for number in range(6 * 4, 20 * 4):
        at = number * 900
        trips.append([f"m{number}", "M10", "week", "Seestraße", 0])
        calls += times_of(f"m{number}", [("PAR", clock(at)), ("SEE", clock(at + 480))])
    for at in (88_200, 91_800):
        trips.append([f"n{at}", "N5", "daily", "Seestraße", 0])
        calls += times_of(
            f"n{at}", [("HBF1", clock(at)), ("ALX", clock(at + 900)), ("SEE", clock(at + 1800))]
        )
    trips.append(["f", "F11", "daily", "Insel", 0])
    calls += times_of("f", [("SEE", "08:00:00"), ("INS", "08:20:00")])
    trips += [["r1", "N5", "daily", "Rathaus", 0], ["r2", "N5", "daily", "Rathaus", 0]]
    calls += times_of("r1", [("HBF1", "09:00:00"), ("RAT1", "09:30:00")])
    calls += times_of("r2", [("HBF1", "09:05:00"), ("RAT2", "09:40:00")])
    feed = Feed()
    feed.add(
        "agency",
        "agency_id,agency_name,agency_url,agency_timezone",
        [("LC", "Lake City Transit", "https://example.org", "Europe/Berlin")],
    )
    feed.add(
        "stops",
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,"
        "wheelchair_boarding",
        stops,
    )
    feed.add("routes", "route_id,route_short_name,route_long_name,route_type", routes)
    feed.add("trips", "trip_id,route_id,service_id,trip_headsign,wheelchair_accessible", trips)
    feed.add("stop_times", STOP_TIMES, calls)
    feed.add(
        "calendar",
        CALENDAR,
        [
            ("daily", 1, 1, 1, 1, 1, 1, 1, first, last),
            ("week", 1, 1, 1, 1, 1, 0, 0, first, last),
        ],
    )
    feed.add("calendar_dates", "service_id,date,exception_type", [("week", "20260610", 2)])
    feed.add(
        "frequencies",
        "trip_id,start_time,end_time,headway_secs,exact_times",
        [("f", "08:00:00", "18:00:00", 1800, 0)],
    )
    feed.add(
        "feed_info",
        "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date",
        [("Lake City Transit", "https://example.org", "de", first, last)],
    )
    return feed


def random_city(seed: int, *, stops: int = 40, routes: int = 14, days: int = 9) -> Feed:
    """A random city: overtaking trips, forbidden boarding, transfers, frequencies, late trips."""
    draw = random.Random(seed)
    begins = date(2026, 3, 25)  # the clocks change on 29 March
    rows = [
        (
            f"s{n}",
            f"Stop {n}",
            round(52.5 + draw.random() * 0.03, 5),
            round(13.4 + draw.random() * 0.05, 5),
            draw.choice((0, 1, 1, 2)),
        )
        for n in range(stops)
    ]
    services = [f"c{n}" for n in range(4)]
    trips: list[list[object]] = []
    calls: list[list[object]] = []
    frequencies: list[list[object]] = []
    for route in range(routes):
        line = draw.sample(range(stops), draw.randint(3, 8))
        if draw.random() < 0.2:
            line.append(line[0])  # a loop
        for way, path in enumerate((line, line[::-1])):
            for trip in range(draw.randint(4, 22)):
                name = f"t{route}-{way}-{trip}"
                trips.append(
                    [
                        name,
                        f"r{route}",
                        draw.choice(services),
                        f"To {path[-1]}",
                        draw.choice((0, 1, 1, 2)),
                    ]
                )
                at = draw.randint(4 * 60, 27 * 60) * 60
                pace = draw.choice((90, 120, 180, 300))
                for number, stop in enumerate(path, 1):
                    wait = draw.choice((0, 0, 30, 60))
                    calls.append(
                        [
                            name,
                            f"s{stop}",
                            number * 2,
                            clock(at),
                            clock(at + wait),
                            int(draw.random() < 0.05),
                            int(draw.random() < 0.05),
                        ]
                    )
                    at += wait + pace + draw.choice((0, 30, 60))
                if draw.random() < 0.03:
                    start = draw.randint(6, 20) * 3600
                    frequencies.append([name, clock(start), clock(start + 7200), 1200, 1])
    feed = Feed()
    feed.add(
        "agency",
        "agency_name,agency_url,agency_timezone",
        [("Random City", "https://example.org", "Europe/Berlin")],
    )
    feed.add("stops", "stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding", rows)
    feed.add(
        "routes",
        "route_id,route_short_name,route_type",
        [(f"r{n}", f"{n}", draw.choice((0, 1, 2, 3))) for n in range(routes)],
    )
    feed.add("trips", "trip_id,route_id,service_id,trip_headsign,wheelchair_accessible", trips)
    feed.add("stop_times", STOP_TIMES, calls)
    dates = [
        (service, f"{begins + timedelta(days=ahead):%Y%m%d}", 1)
        for service in services
        for ahead in range(days)
        if draw.random() < 0.7
    ]
    feed.add("calendar_dates", "service_id,date,exception_type", dates)
    feed.add("frequencies", "trip_id,start_time,end_time,headway_secs,exact_times", frequencies)
    pairs = {(draw.randrange(stops), draw.randrange(stops)) for _ in range(12)}
    feed.add(
        "transfers",
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time",
        [
            (f"s{one}", f"s{other}", kind, 180 if kind == 2 else "")
            for one, other in sorted(pairs)
            for kind in [draw.choice((0, 1, 2, 3))]
        ],
    )
    return feed


def written(folder: Path, tables: Mapping[str, str]) -> Path:
    """A zip of tables given as texts."""
    path = folder / "feed.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, text in tables.items():
            zipped.writestr(f"{name}.txt", text)
    return path
