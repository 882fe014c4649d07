"""Whether ways over a timetable are those that a brute-force search finds.

Run: python tests/evals/journeys_timetable.py [--fraction 0.1] [--seed 7] [--update]

Random cities (overtaking trips, forbidden boarding, transfers of every type, frequencies, trips
past midnight, a change of the clocks) are imported by the importer and searched by the router; a
search of its own reads the same tables (`journeys_timetable_brute`). A question is equal if every
number of rides has the same arrival and the same departure, and if the rides can all be made. The
first and the last trip by one line are those of a day of service.
"""

from __future__ import annotations

import math
import random
import sys
import tempfile
import time
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests" / "journeys"))

import numpy as np  # noqa: E402
from timetable_feeds import random_city  # noqa: E402

from groundwire.journeys.timetable.importing import import_feed  # noqa: E402
from groundwire.journeys.timetable.model import NEVER, Timetable  # noqa: E402
from groundwire.journeys.timetable.router import (  # noqa: E402
    HORIZON,
    SLACK,
    Restrictions,
    Router,
    Way,
)
from groundwire.journeys.timetable.search import MOST_RIDES, Ends  # noqa: E402
from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.evals.journeys_timetable_brute import Brute, Trip  # noqa: E402

QUESTIONS, OF_A_CITY, OF_A_LINE = 10_000, 100, 20
DEPARTING, ARRIVING, STEP_FREE = "earliest arrival", "latest departure", "step-free"
BY_ONE_LINE = "first or last by one line"
FIRST_DAY, DAYS = date(2026, 3, 25), 9
Told = list[tuple[int, int, int]]


class City:
    """One random city, imported, and its brute-force twin."""

    def __init__(self, seed: int, folder: Path) -> None:
        feed = random_city(seed, stops=24, routes=9, days=DAYS)
        import_feed(feed.write(folder / "city.zip"), "city", folder, lambda *_: None, FIRST_DAY)
        self.table = Timetable(folder / "feeds" / "city")
        self.router, self.brute = Router(self.table), Brute(feed.tables)
        self.stops = self.table.stop_ids.all()
        self.routes = self.table.route_ids.all()
        self._instances: dict[tuple[date, bool], list[Trip]] = {}

    def ends(self, stop: str) -> Ends:
        return Ends(np.array([self.stops.index(stop)]), np.zeros(1, np.int64))

    def instances(self, day: date, *, step_free: bool) -> list[Trip]:
        key = day, step_free
        if key not in self._instances:
            self._instances[key] = self.brute.instances(day, step_free=step_free)
        return self._instances[key]

    def wanted(
        self,
        trips: list[Trip],
        seconds: int,
        one: str,
        other: str,
        *,
        arriving: bool,
        step_free: bool = False,
        horizon: int = HORIZON,
    ) -> Told:
        """The ways by the brute search: rides, departure and arrival of each that counts."""
        brute = self.brute
        found: Told = []
        if arriving:
            by_rides = [
                brute.latest(trips, seconds, one, other, rides, step_free)
                for rides in range(1, MOST_RIDES + 1)
            ]
            best, least = -math.inf, max(by_rides[-1] - SLACK, seconds - horizon)
            for rides, leaves in enumerate(by_rides, 1):
                if leaves > best and leaves >= least:
                    best = leaves
                    arrives = brute.earliest(trips, int(leaves), one, other, rides, step_free)[-1]
                    found.append((rides, int(leaves), int(arrives)))
            return found
        by_rides = brute.earliest(trips, seconds, one, other, MOST_RIDES, step_free)
        best, last = math.inf, min(by_rides[-1] + SLACK, seconds + horizon)
        for rides, arrives in enumerate(by_rides, 1):
            if arrives < best and arrives <= last:
                best = arrives
                leaves = brute.latest(trips, arrives, one, other, rides, step_free)
                found.append((rides, int(leaves), int(arrives)))
        return found

    def can_be_made(self, way: Way, one: str, other: str) -> bool:
        """Whether each ride is caught after the one before, by the walks of the timetable."""
        table, stops = self.table, self.table.pos_stop
        at, when = None, way.departure
        for ride in way.rides:
            enter, leave = int(stops[ride.enter]), int(stops[ride.leave])
            if at is None:
                ready = when if self.stops[enter] == one else math.inf
            elif at == enter:
                change = int(table.stop_change[at])
                ready = when + change if change < NEVER else math.inf
            else:
                span = slice(int(table.walk_first[at]), int(table.walk_first[at + 1]))
                near = zip(table.walk_to[span], table.walk_seconds[span], strict=True)
                walks = {int(to): int(seconds) for to, seconds in near}
                ready = when + walks.get(enter, math.inf)
            if not ready <= ride.departure <= ride.arrival or not ride.enter < ride.leave:
                return False
            at, when = leave, ride.arrival
        return at is not None and self.stops[at] == other and when == way.arrival


def run(fraction: float, seed: int) -> tuple[Counter[str], Counter[str], Counter[str]]:
    asked, wrong, answered = Counter[str](), Counter[str](), Counter[str]()

    def judge(
        kind: str, question: tuple[str, str, date, object], ways: list[Way], want: Told, city: City
    ) -> None:
        got = sorted((len(way.rides), way.departure, way.arrival) for way in ways)
        one, other, *_ = question
        asked[kind] += 1
        answered[kind] += bool(want)
        if got != want or not all(city.can_be_made(way, one, other) for way in ways):
            wrong[kind] += 1
            print(f"    {kind}: {question}: {got}, not {want}")

    cities = max(1, round(QUESTIONS / OF_A_CITY * fraction))
    for number in range(cities):
        draw = random.Random(f"{seed}-{number}")
        with tempfile.TemporaryDirectory() as folder:
            city = City(draw.randrange(10**9), Path(folder))
            for _ in range(OF_A_CITY):
                one, other = draw.sample(city.brute.stops, 2)
                day = FIRST_DAY + timedelta(days=draw.randrange(DAYS))
                seconds = draw.randrange(0, 26 * 60) * 60
                arriving, step_free = draw.random() < 0.4, draw.random() < 0.2
                kind = STEP_FREE if step_free else ARRIVING if arriving else DEPARTING
                ways = city.router.ways(
                    day,
                    seconds,
                    city.ends(one),
                    city.ends(other),
                    arriving=arriving,
                    restrictions=Restrictions(step_free="known" if step_free else ""),
                )
                trips = city.instances(day, step_free=step_free)
                want = city.wanted(
                    trips, seconds, one, other, arriving=arriving, step_free=step_free
                )
                judge(kind, (one, other, day, seconds), ways, want, city)
            for _ in range(OF_A_LINE):
                last, line = draw.random() < 0.5, draw.choice(city.routes)
                day = FIRST_DAY + timedelta(days=draw.randrange(DAYS))
                trips = [
                    trip for trip in city.brute.instances(day, around=(0,)) if trip.route == line
                ]
                stops = sorted({call.stop for trip in trips for call in trip.calls})
                one, other = draw.sample(stops if len(stops) > 1 else city.brute.stops, 2)
                seconds = 2 * HORIZON if last else -HORIZON // 2
                others = frozenset(n for n, name in enumerate(city.routes) if name != line)
                ways = city.router.ways(
                    day,
                    seconds,
                    city.ends(one),
                    city.ends(other),
                    arriving=last,
                    restrictions=Restrictions(routes=others, day_only=True),
                )
                want = city.wanted(trips, seconds, one, other, arriving=last, horizon=4 * HORIZON)
                judge(BY_ONE_LINE, (one, other, day, line), ways, want, city)
    return asked, wrong, answered


def main() -> int:
    options = arguments(__doc__)
    started = time.process_time()
    asked, wrong, answered = run(options.fraction, options.seed)
    rows = [(kind, asked[kind], answered[kind], wrong[kind]) for kind in sorted(asked)]
    print(table(("class", "questions", "with a way", "not equal"), rows))
    print(f"{sum(asked.values())} questions in {time.process_time() - started:.0f} s of processor")
    held: Figures = {kind: {"not_equal": wrong[kind]} for kind in asked}
    return Ratchet(__file__, lower={"not_equal"}).settle(held, options)


if __name__ == "__main__":
    sys.exit(main())
