"""Whether requests for journeys in plain English are read as they are meant, or asked about.

Run: python tests/evals/journey_agent.py [--fraction 0.5] [--seed 7] [--update] [--show 1]

"right" is exactly what the request asks for: every trip with its places, its time on the clock and
its wishes, and everything beside trips. "asked" is a question, a refusal, a place that is not known
as it was read, or a wish whose words are told to be left out. "silently wrong" is anything else,
and there may be none. Nothing is tuned to the held out requests.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire import profiles  # noqa: E402
from groundwire.agents.journey_requests.model import (  # noqa: E402
    Artefacts,
    JourneyRequest,
    Question,
    Settings,
    TripAsked,
)
from groundwire.agents.journey_router_agent.conversation import understood  # noqa: E402
from groundwire.agents.runtime.model import Task  # noqa: E402
from groundwire.errors import InputError  # noqa: E402
from groundwire.journeys.itinerary import LONDON  # noqa: E402
from groundwire.journeys.network.load import load_network  # noqa: E402
from groundwire.journeys.places.landmarks import read_landmarks  # noqa: E402
from groundwire.journeys.places.reading import PlaceReader  # noqa: E402
from groundwire.journeys.stops.names import Stations  # noqa: E402
from groundwire.journeys.times.reading import read_time  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402
from tests.evals.journey_agent_cases import HELD_OUT, TUNED, Case  # noqa: E402
from tests.evals.journey_agent_first_sight import FIRST_SIGHT  # noqa: E402

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)
RIGHT, ASKED, WRONG = "right", "asked", "silently wrong"
TOLD = " | told"
_TRIP = re.compile(
    r"(?P<origin>.+?) > (?P<end>.+?)(?: / (?P<via>.+?))?"
    r"(?: @ (?P<clock>\d\d:\d\d) (?P<is>departing|arriving)(?: \+(?P<days>\d+))?)?"
    r"(?: after (?P<stay>\d+))?(?: \[(?P<wishes>.+)\])?$"
)
_OWN = {"home": "N1 9AG", "work": "Moorgate"}
Wishes = dict[str, tuple[str, ...]]


class Eval:
    """All requests, and what became of them."""

    def __init__(self) -> None:
        network = load_network(profiles.london_network())
        landmarks = read_landmarks(profiles.london_places())
        self.places = PlaceReader(Stations(network), landmarks)
        self.outcomes: dict[str, Counter[str]] = defaultdict(Counter)
        self.milliseconds: list[float] = []

    def judge(self, case: Case) -> tuple[str, str]:
        """What became of a request, and how it was read."""
        begun = time.perf_counter()
        found = understood(Task(case.text))
        read = replace(found.request, asks=found.asks)
        self.milliseconds.append((time.perf_counter() - begun) * 1000)
        # Names are known in small letters and capitals alike.
        said, meant = self.spoken(read).casefold(), self.meant(case.asked).casefold()
        if TOLD in meant and (read.unread or read.notes):
            said += TOLD
        if said == meant:
            return RIGHT, said
        asked = read.asks or read.foreign or self.unknown(read)
        # Words that are told to be left out excuse what is missing, and nothing that is wrong.
        left_out = (read.unread or read.notes) and _is_part(said, meant)
        return (ASKED if asked or left_out else WRONG), said

    def meant(self, asked: str) -> str:
        """The expected reading, in the form of `spoken`."""
        if " > " not in asked:
            return asked
        trips, mark, beside = asked.partition(" | ")
        return "; ".join(self._meant(one.strip()) for one in trips.split(";")) + mark + beside

    def _meant(self, trip: str) -> str:
        found = _TRIP.match(trip)
        assert found is not None, trip
        clock = f"{found['clock']} {found['is']} +{found['days'] or 0}" if found["clock"] else ""
        if found["stay"]:
            clock = f"after {found['stay']}"
        places = (found["origin"], found["end"], found["via"] or "")
        return self._told([self.place(one) for one in places], clock, _wishes(found["wishes"]))

    def spoken(self, read: JourneyRequest) -> str:
        """What a request was read as, places by what they are."""
        if read.asks and not read.artefacts:
            return "ask"
        if read.foreign:
            return "decline"
        trips = "; ".join(map(self._trip, read.trips))
        of_plans = f"asks {','.join(read.of_plans)}" if read.of_plans else ""
        asked = (_questions(read.questions), of_plans)
        beside = (_kept(read.settings), *asked, _made(read.artefacts))
        return " | ".join(filter(None, (trips, *beside))) or "nothing"

    def _trip(self, trip: TripAsked) -> str:
        wishes = dict(trip.wishes)
        date, said, kind = (wishes.pop(key, None) for key in ("date", "time", "time_is"))
        clock = ""
        if date or said:
            try:
                reading = read_time(
                    str(date) if date else None,
                    str(said) if said else None,
                    "arriving" if kind == "arriving" else "departing" if kind else None,
                    NOW,
                )
            except InputError as error:
                return f"unreadable time: {error}"
            assert reading is not None
            days = (reading.when.date() - NOW.date()).days
            clock = f"{reading.when:%H:%M} {reading.time_is} +{days}"
        if trip.stay:
            clock = f"after {trip.stay}"
        places = (trip.starting_point or "-", trip.destination, trip.via)
        return self._told([self.place(one) for one in places], clock, _values(wishes))

    def place(self, text: str) -> str:
        """What a place is, or the text itself where that is not known."""
        if text in ("", "-", "there"):
            return text
        read = self.places.read(text, _OWN)
        return read.place.name if read.place is not None else text

    def unknown(self, read: JourneyRequest) -> bool:
        """Whether the planner would refuse or ask about something that was read."""
        texts = [
            text
            for trip in read.trips
            for text in (trip.starting_point, trip.destination, trip.via)
            if text and text != "there"
        ]
        return any(self.places.read(text, _OWN).place is None for text in texts) or any(
            "unreadable" in self._trip(trip) for trip in read.trips
        )

    def _told(self, places: Sequence[str], clock: str, wishes: Wishes) -> str:
        origin, end, via = places
        said = f"{origin} > {end}" + (f" / {via}" if via else "")
        said += f" @ {clock}" if clock else ""
        return said + (f" [{_listed(wishes)}]" if wishes else "")


_QUESTIONS = {"get_line_status": "status", "get_arrivals": "departures", "find_stops": "stops"}


def _kept(settings: Settings) -> str:
    if settings.show or not settings:
        return "show" if settings.show else ""
    if settings.forget:
        return f"forget {','.join(settings.forget)}"
    places = ", ".join(f"{name}={value}" for name, value in settings.places.items())
    options = _listed(_values(settings.options))
    return " ".join(filter(None, ("keep", places, f"[{options}]" if options else "")))


def _questions(questions: Sequence[Question]) -> str:
    return "; ".join(f"{_QUESTIONS[one.tool]} {_all(one.arguments)}".strip() for one in questions)


def _made(made: Artefacts | None) -> str:
    if made is None:
        return ""
    plan = "" if made.plan is None else f" plan {made.plan}"
    journey = "" if made.journey is None else f" journey {made.journey}"
    return f"make {','.join(made.kinds)}{plan}{journey}"


def _is_part(said: str, meant: str) -> bool:
    """Whether a reading has nothing but what was meant: as many trips, and no other wishes."""
    parts, whole = said.split("; "), meant.split("; ")
    return len(parts) == len(whole) and all(
        part.partition(" [")[0] == one.partition(" [")[0] and set(_asked(part)) <= set(_asked(one))
        for part, one in zip(parts, whole, strict=True)
    )


def _asked(trip: str) -> list[str]:
    return [one for one in trip.partition(" [")[2].removesuffix("]").split(", ") if one]


def _all(arguments: Mapping[str, Any]) -> str:
    found = [
        one
        for value in arguments.values()
        for one in (value if isinstance(value, list) else [value])
    ]
    # "Elizabeth line" and "Elizabeth" are one.
    return ",".join(str(one).removesuffix(" line") for one in found)


def _wishes(text: str | None) -> Wishes:
    if not text:
        return {}
    pairs = [one.partition("=") for one in text.split(", ")]
    return {name: tuple(sorted(value.split(","))) for name, _, value in pairs}


def _values(options: Mapping[str, Any]) -> Wishes:
    return {
        name: tuple(sorted(map(str, value))) if isinstance(value, list) else (str(value),)
        for name, value in options.items()
    }


def _listed(wishes: Wishes) -> str:
    return ", ".join(f"{name}={','.join(value)}" for name, value in sorted(wishes.items()))


# Names of stations and sights hold words that lead elsewhere: Mile End, Gallions Reach, Belgrave
# Walk, Elephant & Castle, New Cross, The Mall.
_FORMS = (
    ("from {} to Bank", "{} > Bank"),
    ("{} to Bank", "{} > Bank"),
    ("From Bank to {} at 9", "Bank > {} @ 09:00 departing"),
    ("Take me to {}, then to Bank by bus", "- > {}; there > Bank [mode=bus]"),
    ("I need to be at {} by 10, coming from Bank", "Bank > {} @ 10:00 arriving"),
    ("between {} and Bank", "{} > Bank"),
    (
        "how do I get to {} from Oval and back by 6pm?",
        "Oval > {}; there > Oval @ 18:00 arriving",
    ),
    ("Oval to Bank via {}", "Oval > Bank / {}"),
    ("visit {} and then go home", "- > {}; there > home"),
    ("Oval -> {} without the Central line", "Oval > {} [avoid_lines=Central]"),
    ("I'm at {}. Get me to Bank", "{} > Bank"),
)


def every_name(places: PlaceReader) -> list[Case]:
    """Every name that is known, in every form, as it is written and in small letters."""
    names = {one.name for one in places.stations} | {one.name for one in places.landmarks.values()}
    clear = sorted(name for name in names if places.read(name).place is not None)
    return [
        Case(said.format(spelt), asked.format(name))
        for name in clear
        for said, asked in _FORMS
        for spelt in (name, name.lower())
    ]


def main() -> int:
    options = arguments(__doc__, show=(0, "1 prints what is not right"))
    evaluation = Eval()
    names = every_name(evaluation.places)
    classes = {
        "tuned": TUNED,
        "held out": HELD_OUT,
        "first sight": FIRST_SIGHT,
        "every name": names,
    }
    for name, cases in classes.items():
        for case in cases:
            if random.Random(f"{options.seed} {case.text}").random() >= options.fraction:
                continue
            outcome, said = evaluation.judge(case)
            evaluation.outcomes[name][outcome] += 1
            if options.show and (outcome == WRONG or (outcome != RIGHT and name != "every name")):
                print(f"{name}: {outcome}: {case.text}\n    meant {evaluation.meant(case.asked)}")
                print(f"    read  {said}")
    rows = [
        (name, counts.total(), *(counts[kind] for kind in (RIGHT, ASKED, WRONG)))
        for name, counts in evaluation.outcomes.items()
    ]
    print(table(("requests", "cases", RIGHT, ASKED, WRONG), rows))
    print(f"median {median(evaluation.milliseconds):.1f} ms for a request")
    figures = {
        name: {
            "right_percent": 100 * counts[RIGHT] / counts.total(),
            "silently_wrong": counts[WRONG],
        }
        for name, counts in evaluation.outcomes.items()
    }
    return Ratchet(__file__, lower={"silently_wrong"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
