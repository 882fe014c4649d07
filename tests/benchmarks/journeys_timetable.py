"""What it costs to import a timetable, and to plan over it.

    python tests/benchmarks/journeys_timetable.py [--country] [--towns 60] [--plans 200] [--seed 7]

The feed is made (`journeys_feeds`): a city, or with `--country` a country of 10 million calls. Time
is that of the processor. The known things beside them: reading the calls with Python's own csv
module, and a plain connection scan over one day's calls from one stop to all, in plain Python.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import resource
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
from _table import Measured, report
from journeys_feeds import CITY, COUNTRY, write_feed

from groundwire.journeys.itinerary import Options
from groundwire.journeys.places.sides import AskedTrip, Candidate, Param, Side
from groundwire.journeys.timetable.city import City
from groundwire.journeys.timetable.importing import import_feed
from groundwire.journeys.timetable.model import Timetable

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 5, 4, 8, 0, tzinfo=ZONE)
# Seconds of p95 of a plan, seconds of the import, and megabytes of it: city and country.
GOALS = {False: (0.050, 30.0, 1_000.0), True: (0.300, 180.0, 2_000.0)}


def seconds(run: Callable[[], object]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


def read_by_csv(path: Path) -> None:
    with zipfile.ZipFile(path) as zipped, zipped.open("stop_times.txt") as raw:
        for row in csv.reader(io.TextIOWrapper(raw, "utf-8")):
            row[3].split(":")


def connections(table: Timetable, day: date) -> list[tuple[int, int, int, int, int]]:
    """Calls of a day as connections: departure, arrival, from, to, trip; by departure."""
    able = table.services_on(day)[table.trip_service]
    found: list[tuple[int, int, int, int, int]] = []
    for pattern in range(len(table.pattern_route)):
        first, last = int(table.pattern_pos[pattern]), int(table.pattern_pos[pattern + 1])
        trip = int(table.pattern_trip[pattern])
        size = int(table.pattern_trip[pattern + 1]) - trip
        runs = np.flatnonzero(able[trip : trip + size])
        for position in range(first, last - 1):
            leaves = table.departures[int(table.pos_base[position]) + runs].tolist()
            comes = table.arrivals[int(table.pos_base[position + 1]) + runs].tolist()
            ends = int(table.pos_stop[position]), int(table.pos_stop[position + 1])
            found += [
                (one, other, *ends, trip + at)
                for one, other, at in zip(leaves, comes, runs.tolist(), strict=True)
            ]
    return sorted(found)


def scan(calls: list[tuple[int, int, int, int, int]], origin: int, start: int, stops: int) -> None:
    reached = [10**9] * stops
    reached[origin] = start
    boarded: set[int] = set()
    for leaves, comes, one, other, trip in calls:
        if trip in boarded or reached[one] <= leaves:
            boarded.add(trip)
            if comes < reached[other]:
                reached[other] = comes


def plans(city: City, count: int, draw: random.Random) -> list[float]:
    names = city.places
    served = np.flatnonzero(np.diff(city.timetable.place_first)).tolist()

    def side(param: Param, number: int) -> Side:
        place = names.place(number)
        return Side(param, place.name, (Candidate(place, place.stop_id),), "exact")

    taken: list[float] = []
    for _ in range(count):
        one, other = draw.sample(served, 2)
        when = datetime(
            2026, 5, draw.randint(4, 10), draw.randint(5, 22), draw.randint(0, 59), tzinfo=ZONE
        )
        options = Options(when=when, time_is=draw.choice(("departing", "departing", "arriving")))
        asked = AskedTrip(
            side("starting_point", one), side("destination", other), None, options, NOW
        )
        taken.append(seconds(lambda asked=asked: city.planner.run(asked)))
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description="Time the import of a timetable and its plans.")
    parser.add_argument("--country", action="store_true")
    parser.add_argument("--towns", type=int, help="of the country: fewer make a smaller feed")
    parser.add_argument("--plans", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    within, imported_within, most = GOALS[options.country]
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        home, path = Path(folder), Path(folder) / "feed.zip"
        size = COUNTRY if options.country else CITY
        size = replace(size, towns=options.towns) if options.towns else size
        count = write_feed(path, size, options.seed)
        imported = seconds(lambda: import_feed(path, "made", home, lambda *_: None, NOW.date()))
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        plain = seconds(lambda: read_by_csv(path))
        city = City("made", home, lambda: NOW)
        plans(city, 20, draw)
        taken = plans(city, options.plans, draw)
        calls = connections(city.timetable, NOW.date())
        stops = len(city.timetable.stop_lat)
        scans = [
            seconds(lambda: scan(calls, draw.randrange(stops), 8 * 3600, stops)) for _ in range(3)
        ]
        city.close()
    p95 = statistics.quantiles(taken, n=20)[-1]
    print(f"{count:,} calls; {len(calls):,} on one day; {megabytes:,.0f} MB at most")
    print(
        f"a plan: {statistics.median(taken) * 1000:.1f} ms in the median, {p95 * 1000:.1f} at p95"
    )
    missed = report(
        [
            Measured("import", plain, imported, seconds=imported_within),
            Measured("plan, p95", statistics.median(scans), p95, ratio=1.0, seconds=within),
        ]
    )
    if megabytes > most:
        print(f"the import took more than {most:,.0f} MB")
    return int(bool(missed) or megabytes > most)


if __name__ == "__main__":
    sys.exit(main())
