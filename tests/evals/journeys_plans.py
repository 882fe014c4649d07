"""Whether plans without a connection take the right lines, and the minutes that TfL publishes.

Run: python tests/evals/journeys_plans.py [--fraction 0.1] [--seed 7] [--update]

- Journeys of which the best lines are known (`journeys_known.py`): the first plan is right when its
  sequence of lines is one of them, or when it takes at most a tenth longer than the quickest that
  keeps to one of them, planned by allowing those lines alone.
- Rides in plans between stations of the Underground drawn at random: their minutes agree with the
  sum of TfL's published running times between stations, to the minute that rounding costs. Left
  out where the published file is not there.
"""

from __future__ import annotations

import csv
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.errors import NotFoundError  # noqa: E402
from groundwire.journeys.itinerary import (  # noqa: E402
    LONDON,
    Leg,
    Options,
    Place,
    Plan,
)
from groundwire.journeys.network.load import load_network  # noqa: E402
from groundwire.journeys.network.model import Network  # noqa: E402
from groundwire.journeys.network.planner import plan  # noqa: E402
from groundwire.profiles import london_network  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.journeys_known import Known, known_journeys  # noqa: E402
from tests.shared_data import shared_folder  # noqa: E402

PUBLISHED = shared_folder("data", "tfl", "network", "tfl_interstation_times.csv")
NOW = datetime(2026, 11, 23, 10, 0, tzinfo=LONDON)
WITHIN = 1.1
DRAWN = 600
RIDES = "minutes of rides"
# Figures that are better when lower: counts, since the known journeys are few.
LOWER = {"wrong", "other_lines_first", "right_lines_not_offered"}
# Names of the published table that differ from those of today by more than their spelling.
_RENAMED = {
    "heathrow 123": "heathrow terminals 2 and 3",
    "heathrow terminal four": "heathrow terminal 4",
    "highbury": "highbury and islington",
    "kings cross": "kings cross st pancras",
    "st james park": "st jamess park",
    "walthamstow": "walthamstow central",
}
_LINE_IDS = {"h & c": "hammersmith-city", "waterloo & city": "waterloo-city"}


def place(network: Network, name: str) -> Place:
    """The hub of that name, else the stop."""
    for hub in network.hubs.values():
        if hub.name == name:
            return Place(name, stop_id=hub.id)
    return next(stop.place for stop in network.stops.values() if stop.name == name)


def serving(network: Network, leg: Leg) -> set[str]:
    """Ids of all lines that serve a ride."""
    return {leg.line_id} | {line.id for line in network.lines.values() if line.name in leg.also}


def follows(network: Network, one: Plan, known: Known) -> bool:
    """Whether a plan takes one of the known sequences of lines."""
    legs = [serving(network, leg) for leg in one.rides]
    return any(
        len(legs) == len(sequence)
        and all(line in lines for line, lines in zip(sequence, legs, strict=True))
        for sequence in known.sequences
    )


def quickest(network: Network, known: Known, first: Plan) -> int:
    """Minutes of the quickest plan with the lines of a known sequence alone, or of the first."""
    found = [first.duration_minutes]
    for sequence in known.sequences:
        options = Options(avoid_lines=tuple(set(network.lines) - set(sequence)))
        ends = place(network, known.origin), place(network, known.destination)
        try:
            found.append(plan(network, *ends, options, NOW, count=1)[0].duration_minutes)
        except NotFoundError:
            print(f"    no way: {known.origin} to {known.destination} by {'+'.join(sequence)}")
    return min(found)


def judge_known(network: Network, journeys: Iterable[Known]) -> dict[str, Counter[str]]:
    """Counts by class: cases, right ones, and what made them right."""
    counts: dict[str, Counter[str]] = {}
    for known in journeys:
        count = counts.setdefault(known.kind, Counter())
        ends = place(network, known.origin), place(network, known.destination)
        found = plan(network, *ends, Options(), NOW)
        right = follows(network, found[0], known)
        best = quickest(network, known, found[0])
        near = found[0].duration_minutes <= WITHIN * best
        count["cases"] += 1
        count["sequence"] += right
        count["offered"] += any(follows(network, one, known) for one in found)
        count["near"] += near
        count["right"] += right or near
        if not right:
            told = " + ".join(found[0].lines) or "on foot"
            print(
                f"    {'near' if near else 'WRONG'}: {known.origin} to {known.destination}: "
                f"{told}, {found[0].duration_minutes} minutes; the best known takes {best}"
            )
    return counts


def plain(name: str) -> str:
    """A name without case, marks and what stands in brackets."""
    name = re.sub(r"\(.*?\)", " ", name.lower()).replace("'", "").replace("&", "and")
    name = " ".join(re.sub(r"[^a-z0-9]+", " ", name).split())
    return _RENAMED.get(name, name)


def published(network: Network) -> dict[tuple[str, str, str], float]:
    """Published minutes by line id and the plain names of two stations."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    times: dict[tuple[str, str, str], float] = {}
    for row in rows:
        name = row["line"].lower()
        line_id = _LINE_IDS.get(name, name)
        if line_id in network.lines:
            times.setdefault((line_id, plain(row["from"]), plain(row["to"])), float(row["minutes"]))
    return times


def rides(network: Network, count: int, seed: int) -> Iterator[Leg]:
    """Rides of plans between stations of the Underground, drawn at random."""
    made = random.Random(seed)
    stops = sorted(stop.id for stop in network.stops.values() if "tube" in stop.modes)
    for _ in range(count):
        origin, destination = (network.stops[one].place for one in made.sample(stops, 2))
        for one in plan(network, origin, destination, Options(mode=("tube",)), NOW):
            yield from one.rides


def judge_rides(
    network: Network, found: Iterable[Leg], times: Mapping[tuple[str, str, str], float]
) -> Counter[str]:
    """Counts: cases whose every stretch is published, those that agree, and those left out."""
    count: Counter[str] = Counter()
    for leg in found:
        names = [plain(network.stops[one.stop_id].name) for one in (leg.origin, *leg.stops)]
        steps = [times.get((leg.line_id, *step)) for step in pairwise(names)]
        known = [minutes for minutes in steps if minutes is not None]
        if len(known) < len(steps):
            count["not published"] += 1
            continue
        count["cases"] += 1
        agrees = abs(leg.duration_minutes - sum(known)) <= 1.0
        count["right"] += agrees
        if not agrees:
            count["wrong"] += 1
            if count["wrong"] <= 5:
                print(
                    f"    WRONG: {leg.line}, {leg.origin.name} to {leg.destination.name}: "
                    f"{leg.duration_minutes}, published {sum(known):.1f}"
                )
    return count


def share(count: Counter[str], name: str) -> float:
    return round(100 * count[name] / count["cases"], 2) if count["cases"] else 0.0


def main() -> int:
    options = arguments(__doc__)
    if not PUBLISHED.is_file():
        if options.update:
            print("--update needs the published running times, which are not there")
            return 1
        # What is left is a part of the cases, as in a sampled run.
        options.fraction = min(options.fraction, 0.999)
    network = load_network(london_network())
    made = random.Random(options.seed)
    journeys = [
        known
        for known in known_journeys()
        if options.fraction >= 1 or made.random() < options.fraction
    ]
    counts = judge_known(network, journeys)
    figures: dict[str, dict[str, float]] = {
        kind: {
            "wrong": count["cases"] - count["right"],
            "right_percent": share(count, "right"),
            "other_lines_first": count["cases"] - count["sequence"],
            "right_lines_not_offered": count["cases"] - count["offered"],
        }
        for kind, count in counts.items()
    }
    rows: list[tuple[object, ...]] = [
        (
            kind,
            count["cases"],
            count["right"],
            share(count, "right"),
            share(count, "sequence"),
            share(count, "offered"),
        )
        for kind, count in counts.items()
    ]
    if PUBLISHED.is_file():
        drawn = rides(network, round(DRAWN * options.fraction), options.seed)
        count = judge_rides(network, drawn, published(network))
        figures[RIDES] = {
            "wrong": count["wrong"],
            "right_percent": share(count, "right"),
        }
        rows.append((RIDES, count["cases"], count["right"], share(count, "right"), "", ""))
        print(f"{count['not published']} rides pass a stretch that is not published")
    else:
        print("the published running times are not there: rides are not compared")
    print(table(("class", "cases", "right", "%", "right lines first, %", "offered, %"), rows))
    return Ratchet(__file__, lower=LOWER).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
