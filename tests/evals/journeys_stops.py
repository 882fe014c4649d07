"""Whether a name means the right stop or is asked about, and that it never means another silently.

Run: python tests/evals/journeys_stops.py [--fraction 0.1] [--seed 7] [--update]

Every case has the stations that it may mean. "right" is one of them, applied; "asked" has one of
them among the options; "lost" is neither; "wrongly applied" is another station than these, and
there may be none. Names that are left out, and names from elsewhere, have nothing right: to be
asked or told that there is none is all that is right about them.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire import profiles  # noqa: E402
from groundwire.journeys.network.load import load_network  # noqa: E402
from groundwire.journeys.network.model import Network  # noqa: E402
from groundwire.journeys.places.landmarks import read_landmarks  # noqa: E402
from groundwire.journeys.places.reading import PlaceReader  # noqa: E402
from groundwire.journeys.stops.names import (  # noqa: E402
    Station,
    Stations,
    split_name,
)
from groundwire.journeys.stops.search import find_stops  # noqa: E402
from groundwire.vocabulary import fold  # noqa: E402
from tests.evals._report import Figures, Ratchet, arguments, table  # noqa: E402
from tests.evals.journeys_stop_cases import (  # noqa: E402
    ABBREVIATIONS,
    AMBIGUOUS,
    ELSEWHERE,
    misspelt,
    spellings,
)
from tests.shared_data import shared_folder  # noqa: E402

RECORDED = shared_folder("data", "tfl", "network", "london_network_joined.json")
RIGHT, ASKED, LOST, WRONG = "right", "asked", "lost", "wrongly applied"
NAMES, IDS, SPELLINGS = "own names as TfL writes them", "own ids and codes", "other spellings"
SHORT, AMBIGUOUS_NAMES = "abbreviations and nicknames", "ambiguous and bare names"
ONE, TWO = "one edit", "two edits"
LEFT_OUT, ABSENT = "left out of the network", "real names elsewhere"
LANDMARK_OUT = "left out of the landmarks"
NONE_RIGHT = (LEFT_OUT, LANDMARK_OUT, ABSENT)
_KINDS = {"tube": "Underground Station", "dlr": "DLR Station", "tram": "Tram Stop"}


class Eval:
    """All cases, and what became of them."""

    def __init__(self, fraction: float, seed: int, show: int) -> None:
        self.fraction, self.seed, self.show = fraction, seed, show
        self.network = load_network(profiles.london_network())
        self.landmarks = read_landmarks(profiles.FOLDER / "london_places.csv")
        self.places = self.reader(self.network)
        self.by_name: dict[str, list[str]] = defaultdict(list)
        for station in self.places.stations:
            self.by_name[station.name].append(station.id)
        self.outcomes: dict[str, Counter[str]] = defaultdict(Counter)
        self.first: Counter[str] = Counter()
        self.milliseconds: list[float] = []

    def reader(self, network: Network) -> PlaceReader:
        return PlaceReader(Stations(network), self.landmarks)

    def sampled(self, text: str) -> bool:
        # By the text itself, so that one more case changes no other.
        return random.Random(f"{self.seed} {text}").random() < self.fraction

    def run(self) -> None:
        for kind, text, meant in self.cases():
            if self.sampled(text):
                self.judge(kind, text, meant, self.places)
        for station in self.places.stations:
            if self.sampled(station.name):
                self.leave_out(station)

        for landmark in self.landmarks.values():
            if self.sampled(landmark.name):
                rest = {key: one for key, one in self.landmarks.items() if one is not landmark}
                places = PlaceReader(self.places.stations, rest)
                beside = self.by_name[landmark.station]
                self.judge(LANDMARK_OUT, landmark.name, [], places, beside)

    def cases(self) -> Iterator[tuple[str, str, Collection[str]]]:
        for name, station in self.recorded_names():
            yield NAMES, name, [station.id]
        for station in self.places.stations:
            for code in {station.id, station.ics, *(stop.id for stop in station.stops)} - {""}:
                yield IDS, code, [station.id]
                yield IDS, code.lower(), [station.id]
            same = self.by_name[station.name]
            for text in dict.fromkeys(spellings(station.name)):
                yield SPELLINGS, text, same
            yield from self.misspellings(station)
        for text, name in ABBREVIATIONS:
            yield SHORT, text, self.by_name[name]
        for text, names in AMBIGUOUS:
            yield AMBIGUOUS_NAMES, text, [one for name in names for one in self.by_name[name]]
        for text in ELSEWHERE:
            yield ABSENT, text, []

    def recorded_names(self) -> Iterator[tuple[str, Station]]:
        """Full names of stops: as recorded where the recording is there, else put together."""
        if RECORDED.is_file():
            for row in json.loads(RECORDED.read_text("utf-8"))["stations"]:
                station = self.places.stations.by_code(row["id"])
                if station is not None:
                    yield row["name"], station
            return
        for station in self.places.stations:
            for stop in station.stops:
                yield f"{stop.name} {_KINDS.get(stop.modes[0], 'Rail Station')}", station

    def misspellings(self, station: Station) -> Iterator[tuple[str, str, Collection[str]]]:
        rng = random.Random(f"{self.seed} {station.id}")
        for kind, edits in ((ONE, 1), (TWO, 2)):
            text = misspelt(station.name, edits, rng)
            # What is another's name, or its own still, is no misspelling of this one.
            if fold(text) not in self.places.names.folded_forms:
                yield kind, text, self.by_name[station.name]

    def leave_out(self, station: Station) -> None:
        """Ask for a station that the network does not have."""
        if len(self.by_name[station.name]) > 1:
            return
        gone = {stop.id for stop in station.stops}
        stops = {key: stop for key, stop in self.network.stops.items() if key not in gone}
        places = self.reader(replace(self.network, stops=stops))
        self.judge(LEFT_OUT, station.name, [], places)
        self.judge(LEFT_OUT, f"{station.name} station", [], places)

    def judge(
        self,
        kind: str,
        text: str,
        meant: Collection[str],
        places: PlaceReader,
        beside: Collection[str] = (),
    ) -> None:
        """Judge one case; a station `beside` what was asked for is no wrong one."""
        started = time.perf_counter()
        found = find_stops(places, text)
        if places is self.places:
            self.milliseconds.append(1000 * (time.perf_counter() - started))
        read = places.names.read(text.strip())
        if read.station is not None:
            outcome = RIGHT if read.station.id in (*meant, *beside) else WRONG
            told = read.station.name
        elif read.other:
            # A station is gone, and there is a park of its name: that is no other place.
            named = {fold(split_name(name).core) for name in places.landmarks[read.other].aliases}
            outcome = ASKED if not meant and fold(split_name(text).core) in named else WRONG
            told = read.other
        else:
            asked = bool(set(read.options) & set(meant)) if meant else True
            outcome = ASKED if asked else LOST
            told = ", ".join(read.options) or "nothing"
        self.outcomes[kind][outcome] += 1
        self.first[kind] += bool(found) and found[0].id in meant
        if outcome in (WRONG, LOST) and self.outcomes[kind][outcome] <= self.show:
            print(f"    {kind}: {text!r} -> {outcome}: {told} ({read.how})")


def figures(evaluation: Eval) -> Figures:
    """What is held, by class: counts, which a sampled run cannot exceed."""
    held: dict[str, dict[str, float]] = {}
    for kind, outcomes in evaluation.outcomes.items():
        held[kind] = {"wrongly_applied": outcomes[WRONG]}
        if kind not in NONE_RIGHT:
            held[kind]["asked"] = outcomes[ASKED]
            held[kind]["lost"] = outcomes[LOST]
            held[kind]["not_found_first"] = outcomes.total() - evaluation.first[kind]
    return held


def main() -> int:
    options = arguments(__doc__, show=(5, "wrong and lost cases to print per class"))
    evaluation = Eval(options.fraction, options.seed, options.show)
    evaluation.run()
    rows = [
        (
            kind,
            outcomes.total(),
            *(outcomes[outcome] for outcome in (RIGHT, ASKED, LOST, WRONG)),
            "" if kind in NONE_RIGHT else 100 * evaluation.first[kind] / outcomes.total(),
        )
        for kind, outcomes in sorted(evaluation.outcomes.items())
    ]
    columns = ("class", "cases", "right", "asked", "lost", "wrongly applied", "first found %")
    print(table(columns, rows))
    print(f"a search takes {median(evaluation.milliseconds):.2f} ms in the median")
    lower = {"wrongly_applied", "asked", "lost", "not_found_first"}
    return Ratchet(__file__, lower=lower).settle(figures(evaluation), options)


if __name__ == "__main__":
    sys.exit(main())
