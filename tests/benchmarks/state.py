"""What state and facts in PostgreSQL on loopback cost beside the same in SQLite files.

Both wait for the same disk, in turns; the target is on the ratio of medians of a recorded call.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from learning_worlds import World  # noqa: E402
from postgres_cluster import cluster  # noqa: E402
from replicas import keep_facts  # noqa: E402
from state_places import url_of  # noqa: E402

from groundwire.evidence import Draft, Ledger  # noqa: E402
from groundwire.journeys.computed_journeys import JourneyStore  # noqa: E402
from groundwire.journeys.itinerary import LONDON, Journey, Leg, Place, Plan, Point  # noqa: E402
from groundwire.serving.handles import Handles  # noqa: E402
from groundwire.state import Database, StatePlace  # noqa: E402
from tests.benchmarks.ledger import ARGUMENTS, DRAFT  # noqa: E402
from tests.benchmarks.serving import QUERY, Host  # noqa: E402

RATIO = 3.0
TURNS, TURN = 20, 20
START = datetime(2026, 11, 22, 9, 12, tzinfo=LONDON)
ANGEL, BANK = Place("Angel", Point(51.5322, -0.1058)), Place("Bank", Point(51.5133, -0.0886))
LEG = Leg("tube", ANGEL, BANK, START, START + timedelta(minutes=8), line_id="northern")
JOURNEY = Journey(ANGEL, BANK, (Plan(START, LEG.arrival, (LEG,)),), "tfl")
Work = Callable[[], object]


def works(place: Callable[[str], StatePlace]) -> dict[str, Work]:
    """Pieces of work by their names, over stores at a place of each name."""
    ledger, handles = Ledger(place("evidence.sqlite")), Handles(place("handles.sqlite"))
    journeys = JourneyStore(place("journeys.sqlite"))
    large = Draft(DRAFT.values, payload=os.urandom(50_000).hex().encode())
    known = ledger.record("local", "t", ARGUMENTS, DRAFT).evidence_id
    planned = journeys.create("local", [JOURNEY])
    world = World(place("learning"))
    world.card("c1")
    return {
        "record": lambda: ledger.record("local", "t", ARGUMENTS, DRAFT),
        "record with 100 kB": lambda: ledger.record("local", "t", ARGUMENTS, large),
        "read a record": lambda: ledger.get(known, "local"),
        "handle made and opened": lambda: handles.open(
            handles.mint("local", "cursor", {"offset": 1}, 60), "local", "cursor"
        ),
        "journey kept": lambda: journeys.create("local", [JOURNEY]),
        "journey read": lambda: journeys.get("local", planned),
        "review recorded": lambda: world.review("c1"),
        "schedule read": lambda: world.schedule(),
    }


def hosts(folder: Path, url: str) -> tuple[Host, Host]:
    """Servers over stdio with state and facts in files and in the database."""
    command = ("-m", "groundwire", "serve", "metrics")
    files = Host(*command, home=str(folder / "files"))
    return files, Host(
        *command, home=str(folder / "shared"), GROUNDWIRE_STATE=url, GROUNDWIRE_FACTS=url
    )


def measure(folder: Path, url: str) -> dict[str, tuple[list[float], list[float]]]:
    """Milliseconds of each piece of work over files and over the database."""
    database = Database(url, folder / "home")
    keep_facts(database)
    pairs = (works(lambda name: folder / name), works(lambda _: database))
    both = hosts(folder, url)
    for number, host in enumerate(both):
        pairs[number]["recorded call"] = lambda host=host: host.call("query_metric", QUERY)
    times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in pairs[0]}
    for _ in range(TURNS):
        for name, taken in times.items():
            for work, kept in zip((one[name] for one in pairs), taken, strict=True):
                for _ in range(TURN):
                    began = time.perf_counter()
                    work()
                    kept.append((time.perf_counter() - began) * 1000)
    for host in both:
        host.close()
    return times


def main() -> int:
    with cluster("", durable=True) as server, tempfile.TemporaryDirectory() as folder:
        times = measure(Path(folder), url_of(server))
    print(f"{'':24} {'SQLite ms':>10} {'PostgreSQL ms':>14} {'ratio':>6}")
    ratios: dict[str, float] = {}
    for name, taken in times.items():
        files, shared = map(statistics.median, taken)
        ratios[name] = shared / files
        print(f"{name:24} {files:10.3f} {shared:14.3f} {ratios[name]:6.2f}")
    met = ratios["recorded call"] <= RATIO
    print(f"recorded call: {ratios['recorded call']:.2f} times SQLite's (target {RATIO:g}): "
          f"{'met' if met else 'MISSED'}")  # fmt: skip
    return 0 if met else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except pytest.skip.Exception as reason:
        print(f"skipped: {reason}")
