"""What it costs to read a TfL answer of 90 KB into plans, beside parsing its JSON alone.

    python tests/benchmarks/journeys_payload.py [--turns 200]

The answer is made of recorded journeys (Powered by TfL Open Data) where those are beside the
checkout, else of the tests' own synthetic one, each repeated until it has 90 KB. Reading goes from
the bytes to the plans, as for a request; both are done in turns, and the 95th percentile counts
for ours. The time is the processor's own, so what else the machine does counts little.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from _table import Measured, report
from shared_data import shared_folder

from groundwire.journeys.tfl.journey_payload import read_itinerary

BYTES = 90_000
WITHIN = 0.010
RATIO = 12.0
OWN = Path(__file__).parents[1] / "journeys" / "data" / "synthetic_journey.json"
RECORDED = shared_folder("data", "tfl", "journey")


def answer() -> bytes:
    """An answer of at least `BYTES`, as compact as TfL sends it."""
    paths = sorted(RECORDED.glob("*journeyResults*.json")) or [OWN]
    found: dict[str, Any] = json.loads(paths[0].read_text("utf-8"))
    more = [one for path in paths for one in json.loads(path.read_text("utf-8"))["journeys"]]
    found["journeys"] = []
    body = b""
    while len(body) < BYTES:
        found["journeys"].append(more[len(found["journeys"]) % len(more)])
        body = json.dumps(found, separators=(",", ":")).encode()
    return body


def main() -> int:
    parser = argparse.ArgumentParser(description="Time the reading of a TfL answer.")
    parser.add_argument("--turns", type=int, default=200)
    options = parser.parse_args()
    body = answer()
    started = time.thread_time()
    plans = read_itinerary(json.loads(body)).plans
    first = time.thread_time() - started
    points = sum(len(leg.path) for plan in plans for leg in plan.legs)
    print(f"{len(body):,} bytes, {len(plans)} plans, {points:,} points")
    parsing: list[float] = []
    reading: list[float] = []
    for _ in range(options.turns):
        started = time.thread_time()
        json.loads(body)
        parsed = time.thread_time()
        read_itinerary(json.loads(body))
        reading.append(time.thread_time() - parsed)
        parsing.append(parsed - started)
    bare, ours = statistics.median(parsing), statistics.median(reading)
    slow = statistics.quantiles(reading, n=20)[-1]
    return report(
        [
            Measured("bytes to plans, the first time", None, first),
            Measured("bytes to plans, median", bare, ours, RATIO, WITHIN),
            Measured("bytes to plans, p95", None, slow, seconds=WITHIN),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
