"""Makes large GTFS feeds, cities and countries, for measuring import and search.

A country has towns on a plane, each with a grid of bus and tram lines, and trains between the
towns. The feed is written line by line, so that its size is bounded by the disk alone.
"""

from __future__ import annotations

import io
import math
import random
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TABLES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone",
    "feed_info": "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,"
    "end_date",
}


@dataclass(frozen=True)
class Size:
    """How large a feed is: towns, lines of each, stops of a line, departures of a line a day."""

    towns: int
    lines: int
    stops: int
    departures: int


CITY = Size(towns=1, lines=120, stops=32, departures=110)
"""About 0.8 million calls."""
COUNTRY = Size(towns=60, lines=38, stops=22, departures=100)
"""About 10 million calls."""


@dataclass(frozen=True)
class Line:
    name: str
    kind: int
    stops: tuple[str, ...]
    minutes: int
    departures: int


def write_feed(path: Path, size: Size, seed: int = 7) -> int:
    """Write a feed; return how many calls it has."""
    draw = random.Random(seed)
    places: list[tuple[str, str, float, float]] = []
    lines = list(_lines(size, draw, places))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as zipped:
        _small(zipped, "agency", [("A", "Made Transport", "https://example.org", "Europe/Berlin")])
        _small(
            zipped,
            "feed_info",
            [("Made Transport", "https://example.org", "en", "20260101", "20261231")],
        )
        days = ((1, 1, 1, 1, 1, 0, 0), (0, 0, 0, 0, 0, 1, 1), (1, 1, 1, 1, 1, 1, 1))
        _small(
            zipped,
            "calendar",
            [(f"c{n}", *week, "20260101", "20261231") for n, week in enumerate(days)],
        )
        with _table(zipped, "stops", "stop_id,stop_name,stop_lat,stop_lon") as out:
            for stop, name, lat, lon in places:
                out.write(f"{stop},{name},{lat:.6f},{lon:.6f}\n")
        with _table(zipped, "routes", "route_id,route_short_name,route_type") as out:
            for number, line in enumerate(lines):
                out.write(f"r{number},{line.name},{line.kind}\n")
        with _table(zipped, "trips", "trip_id,route_id,service_id,trip_headsign") as out:
            for number, line in enumerate(lines):
                for trip in range(line.departures * 2):
                    end = line.stops[0 if trip % 2 else -1]
                    out.write(f"t{number}-{trip},r{number},c{trip // 2 % 5 % 3},To {end}\n")
        header = "trip_id,stop_id,stop_sequence,arrival_time,departure_time"
        with _table(zipped, "stop_times", header) as out:
            return sum(_calls(out, number, line, draw) for number, line in enumerate(lines))


def _lines(
    size: Size, draw: random.Random, places: list[tuple[str, str, float, float]]
) -> Iterator[Line]:
    side = math.ceil(math.sqrt(size.towns))
    centres: list[str] = []
    for town in range(size.towns):
        lat, lon = 48 + town // side * 0.7, 8 + town % side * 0.9
        grid: dict[tuple[int, int], str] = {}
        half = size.stops // 2

        def stop(
            x: int,
            y: int,
            grid: dict[tuple[int, int], str] = grid,
            town: int = town,
            lat: float = lat,
            lon: float = lon,
        ) -> str:
            if (x, y) not in grid:
                name = f"s{town}-{len(grid)}"
                grid[x, y] = name
                jitter = draw.uniform(-0.0008, 0.0008), draw.uniform(-0.0008, 0.0008)
                places.append(
                    (
                        name,
                        f"Town {town} {x} and {y}",
                        lat + x * 0.0045 + jitter[0],
                        lon + y * 0.0068 + jitter[1],
                    )
                )
            return grid[x, y]

        centres.append(stop(0, 0))
        for number in range(size.lines):
            # Lines from west to east cross all from north to south.
            across, along = number % 2 == 0, draw.randint(-half, half) if number > 1 else 0
            way: list[str] = []
            for step in range(-half, size.stops - half):
                way.append(stop(step, along) if across else stop(along, step))
                along += draw.choice((-1, 1)) if draw.random() < 0.1 else 0
            distinct = tuple(dict.fromkeys(way))
            if len(distinct) > 1:
                yield Line(f"{town}-{number}", 3 if number % 4 else 0, distinct, 2, size.departures)
    for first in range(side):
        row = tuple(centres[first * side : (first + 1) * side])
        column = tuple(centres[first::side])
        for name, stops, minutes in ((f"RE{first}", row, 45), (f"IC{first}", column, 55)):
            if len(stops) > 1:
                yield Line(name, 2, stops, minutes, 36)


def _calls(out: io.TextIOWrapper, number: int, line: Line, draw: random.Random) -> int:
    count = 0
    for trip in range(line.departures * 2):
        at = 4 * 3600 + (trip // 2) * (20 * 3600 // line.departures) // 60 * 60
        stops = line.stops[::-1] if trip % 2 else line.stops
        slow = draw.choice((0, 0, 0, 60))
        rows: list[str] = []
        for sequence, stop in enumerate(stops):
            time = f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}"
            rows.append(f"t{number}-{trip},{stop},{sequence},{time},{time}\n")
            at += line.minutes * 60 + (slow if sequence % 4 == 3 else 0)
        out.writelines(rows)
        count += len(rows)
    return count


def _table(zipped: zipfile.ZipFile, name: str, header: str) -> io.TextIOWrapper:
    out = io.TextIOWrapper(zipped.open(f"{name}.txt", "w", force_zip64=True), "utf-8", newline="")
    out.write(f"{header}\n")
    return out


def _small(zipped: zipfile.ZipFile, name: str, rows: list[tuple[object, ...]]) -> None:
    with _table(zipped, name, TABLES[name]) as out:
        for row in rows:
            out.write(",".join(map(str, row)) + "\n")
