"""Whether requests to the journey router, in three languages, end in what was asked for.

Run: python tests/evals/journey_requests.py [--fraction 0.5] [--seed 7] [--update] [--show 1]

The requests are data in `journey_requests`, of twenty-two rounds, half of them held out: they were
written before the rules were read, and those held out are never looked at to mend anything. Each is
asked of the real router over the embedded network, over the replayed TfL, or over the imported
timetable of a small city, two towns, a group of islands, a valley or a harbour; home and work are
stored.
`--show 1` prints the seen requests that are not right.

A case names the `trips` that must be planned, in the form of `journey_agent_cases`; what the
`answer` must match, all of it; a `refusal` that is as good; what it may `never` match; what is
`made`; and what a fair question or refusal is `about`. No plan may pass a stop that it `avoids`,
nor change at one that it `changes_not_at`, nor more often than its `changes`, unless the answer is
about that; a calendar that repeats does so as it `recurs`. Outcomes:

right           the trips are planned as meant, and the answer says what it must
fairly asked    nothing else is planned, and the answer names what is in doubt or not held
useless         nothing wrong is told as right, and what is in doubt is not named
silently wrong  another trip, another file or another answer stands for what was asked
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "journeys"), str(ROOT / "tests" / "agents")]

from journey_host import NOW, JourneyHost, hosted  # noqa: E402
from own_coast import marholm  # noqa: E402
from own_towns import four_isles, port_marrow, waldstaett  # noqa: E402
from own_valley import gamstal  # noqa: E402
from replay import Replay  # noqa: E402
from timetable_feeds import Feed, small_city  # noqa: E402

from groundwire.agents.runtime.contract import AgentOutput  # noqa: E402
from groundwire.errors import InputError  # noqa: E402
from groundwire.journeys.itinerary import LONDON  # noqa: E402
from groundwire.journeys.preferences import named_place  # noqa: E402
from groundwire.journeys.times.reading import read_time  # noqa: E402
from groundwire.journeys.timetable.city import City  # noqa: E402
from groundwire.journeys.timetable.importing import import_feed  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

CASES = Path(__file__).parent / "journey_requests"
HALVES = (
    "seen",
    "held_out",
    "second_seen",
    "second_held_out",
    "third_seen",
    "third_held_out",
    "fourth_seen",
    "fourth_held_out",
    "fifth_seen",
    "fifth_held_out",
    "sixth_seen",
    "sixth_held_out",
    "seventh_seen",
    "seventh_held_out",
    "eighth_seen",
    "eighth_held_out",
    "ninth_seen",
    "ninth_held_out",
    "towns_seen",
    "towns_held_out",
    "islands_seen",
    "islands_held_out",
    "tenth_seen",
    "tenth_held_out",
    "valley_seen",
    "valley_held_out",
    "eleventh_seen",
    "eleventh_held_out",
    "twelfth_seen",
    "twelfth_held_out",
    "coast_seen",
    "coast_held_out",
    "thirteenth_seen",
    "thirteenth_held_out",
    "fourteenth_held_out",
    "fifteenth_seen",
    "fifteenth_held_out",
    "sixteenth_seen",
    "sixteenth_held_out",
    "seventeenth_seen",
    "seventeenth_held_out",
    "eighteenth_seen",
    "eighteenth_held_out",
)
RIGHT, FAIR, USELESS, WRONG = OUTCOMES = ("right", "fairly asked", "useless", "silently wrong")
BERLIN = ZoneInfo("Europe/Berlin")
OWN = {"home": "Finsbury Park", "work": "Canary Wharf"}
# The imported timetables: what writes each, its zone, and the user's places there.
TOWNS: Mapping[str, tuple[Callable[[], Feed], ZoneInfo, Mapping[str, str]]] = {
    "city": (lambda: small_city(date(2026, 11, 1), date(2026, 12, 31)), BERLIN, OWN),
    "waldstaett": (waldstaett, BERLIN, {"home": "Westend", "work": "Gewerbepark"}),
    "marrow": (port_marrow, LONDON, {"home": "May Street", "work": "Airport"}),
    "isles": (four_isles, BERLIN, {"home": "Kirchweg", "work": "Inselklinik"}),
    "marholm": (marholm, LONDON, {"home": "South Bay", "work": "University"}),
    "gamstal": (gamstal, BERLIN, {"home": "Unterau", "work": "Spital"}),
}
_TRIP = re.compile(
    r"(?P<origin>.+?) > (?P<end>.+?)"
    r"(?: @ (?P<clock>\d\d:\d\d) (?P<is>departing|arriving)(?: \+(?P<days>\d+))?)?"
    r"(?: \[(?P<wishes>.+)\])?$"
)
_MAKERS = {
    "draw_map_for_plan": "map",
    "create_ics_file_for_plan": "calendar",
    "get_computed_journey_plan": "text",
}
_OF_PLACES = ("starting_point", "destination", "date", "time", "time_is", "journey_id")
# What a case says by `avoids` and `changes_not_at`, whatever the options are called.
_STOPS = ("avoid_stops", "avoid_changes")
# A request for a line alone, or for the first or last service of one.
_ALONE = re.compile(
    r"\b(?:only|just|nur|lediglich|first|last|erste\w*|letzte\w*)\b|[只仅首末]|最后|有",
    re.IGNORECASE,
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_RULE = re.compile(r"RRULE:(\S+?)(?:\\|\s|'|\"|$)")
# Words of English sentences, and how an answer marks a text that it has in English alone.
_ENGLISH = re.compile(
    r"(?<![\w-])(?:the|is|are|was|not|and|or|from|with|which|by|to|on|no|it|its|as|send|has|there|take)"
    r"(?![\w-])"
)
_MARKED = re.compile(r"” \(englisch\)|”（英文）")
_GERMAN = re.compile(r"\b(?:nach|von|nicht|kein\w*|und|um|Uhr|ist|der|die|das|mit|nur)\b")

Case = Mapping[str, Any]
Trip = tuple[str, str, str, Mapping[str, tuple[str, ...]]]


class World:
    """The router in one world, and the places that it knows."""

    def __init__(self, host: JourneyHost, own: Mapping[str, str] = OWN) -> None:
        self.host = host
        self.own = own
        self.asked = 0

    def judge(self, case: Case) -> tuple[str, AgentOutput]:
        """What became of a request, and the answer."""
        self.asked += 1
        owner = f"user {self.asked}"
        self._store_places(owner)
        run = ""
        for text in (*case.get("before", ()), case["text"]):
            found = self.host.ask(text, after=run, owner=owner)
            run = found.run_id
        return self._outcome(case, found, owner), found

    def _store_places(self, owner: str) -> None:
        named = [named_place(name, value) for name, value in self.own.items()]
        self.host.london.preferences.merge(owner, {}, named)

    def _outcome(self, case: Case, found: AgentOutput, owner: str) -> str:
        result = dict(found.result or {})
        answer = str(result.get("answer", ""))
        meant = [self._meant(one) for one in case.get("trips", ())]
        planned = [] if case.get("before") else list(self._planned(result, meant, case["text"]))
        asked = bool(result.get("options"))
        made = list(_made(found))
        says = all(_has(one, answer) for one in case.get("answer", ()))
        if "answer" not in case and "refusal" in case:
            says = False
        refuses = "refusal" in case and _has(case["refusal"], answer)
        spoilt = any(_has(one, answer) for one in case.get("never", ()))
        kept = not self._passed(case, result, owner) and _repeats(case, found)
        kept = kept and not _changes_more(case, result)
        told = "\n".join((_caveats(answer, planned), *self._kept_clear_of(result, owner)))
        spoilt = spoilt or (not kept and not _has(case["about"], told))
        whole = planned == meant and not asked if meant else True
        if case.get("member"):
            # The members that are not planned are named in the answer.
            whole = planned[: len(meant)] == meant
        kept = kept or refuses
        if kept and not spoilt and whole and (says or refuses) and made == case.get("makes", []):
            return RIGHT
        other = [one for one in planned if not any(_within(one, each) for each in meant)]
        other = [] if case.get("member") and not planned else other
        odd = [one for one in made if one not in case.get("makes", ()) and case.get("makes")]
        if spoilt or other or odd:
            return WRONG
        if _has(case["about"], told):
            return FAIR
        return WRONG if planned or made else USELESS

    def _passed(self, case: Case, result: Mapping[str, Any], owner: str) -> bool:
        """Whether a plan passes a stop, or changes at one, where it should not."""
        passed = {self._place(one) for one in case.get("avoids", ())}
        changed = {self._place(one) for one in case.get("changes_not_at", ())} | passed
        if not changed or not result.get("journey_id"):
            return False
        for journey in self.host.london.journeys.get(owner, result["journey_id"]):
            for leg in (leg for plan in journey.plans for leg in plan.legs):
                ends = {self._place(one.name) for one in (leg.origin, leg.destination)}
                between = {self._place(one.name) for one in leg.stops}
                if ends & changed or (between | ends) & passed:
                    return True
        return False

    def _kept_clear_of(self, result: Mapping[str, Any], owner: str) -> Iterator[str]:
        """The stops that a request was read to avoid, and that indeed no plan passes."""
        for name in (
            one for trip in result.get("requested", ()) for one in trip.get(_STOPS[0], ())
        ):
            if not self._passed({"avoids": [name]}, result, owner):
                yield f"not through {name}"

    def _meant(self, trip: str) -> Trip:
        found = _TRIP.match(trip)
        assert found is not None, trip
        wishes = (one.partition("=") for one in (found["wishes"] or "").split(", ") if one)
        clock = f"{found['clock']} {found['is']} +{found['days'] or 0}" if found["clock"] else ""
        known = {name: tuple(sorted(value.split(","))) for name, _, value in wishes}
        places = [self._place(one) for one in (found["origin"], found["end"])]
        return places[0], places[1], clock, known

    def _planned(
        self, result: Mapping[str, Any], meant: Sequence[Trip], text: str
    ) -> Iterator[Trip]:
        named = {one for one in _line_words(result) if one in text and _ALONE.search(text)}
        requested = list(result.get("requested", ()))
        found = [one for one in result.get("journeys", ()) if one.get("plans")]
        if result.get("options"):
            # Each of the places that are asked about has a plan: they are one trip.
            found = list({one.get("trip"): one for one in reversed(found)}.values())[::-1]
        before: Mapping[str, Any] = {}
        for number, journey in enumerate(found):
            at = int(journey.get("trip", number + 1)) - 1
            sent = requested[at] if at < len(requested) else {}
            origin = self._place(str(journey.get("from") or sent.get("starting_point", "")))
            end = self._place(str(journey.get("to") or sent.get("destination", "")))
            if number < len(meant) and meant[number][0] == "there":
                origin = "there" if not sent.get("starting_point") else origin
            options = {
                name: tuple(sorted(map(str, value))) if isinstance(value, list) else (str(value),)
                for name, value in sent.items()
                if name not in (*_OF_PLACES, *_STOPS)
            }
            # A condition that is told not to be applied makes no other trip.
            own = meant[number][3] if number < len(meant) else {}
            if "avoid" in own:
                options["avoid"] = tuple(sorted(sent.get(_STOPS[0], ())))
            if "only_lines" not in own and set(options.get("only_lines", ())) <= named:
                # The first rounds were written before lines could be asked for.
                options.pop("only_lines", None)
            for one in journey.get("conditions", ()):
                if one["standing"] == "not_applied" and one["option"] not in own:
                    options.pop(one["option"], None)
            # An hour of a trip that goes on from the one before comes after it.
            goes_on = not sent.get("starting_point") and before.get("plans")
            after = datetime.fromisoformat(before["plans"][0]["arrival"]) if goes_on else None
            yield origin, end, _clock(sent, after), options
            before = journey

    def _place(self, text: str) -> str:
        if text in ("", "there"):
            return text
        read = self.host.london.places.read(text, self.own)
        return read.place.name if read.place is not None else text


def _line_words(result: Mapping[str, Any]) -> Iterator[str]:
    for sent in result.get("requested", ()):
        yield from map(str, sent.get("only_lines", ()))


def _clock(sent: Mapping[str, Any], after: datetime | None = None) -> str:
    """The moment of a trip as the cases write it, or nothing where the trip begins now.

    Args:
        sent: the arguments of the trip.
        after: when the trip before arrives, where this one goes on from it.
    """
    day, said, kind = (sent.get(name) for name in ("date", "time", "time_is"))
    if not day and not said:
        return ""
    try:
        reading = read_time(day, said, kind, NOW, after)
    except InputError as error:
        return f"unreadable: {error}"
    assert reading is not None
    days = (reading.when.date() - NOW.date()).days
    return f"{reading.when:%H:%M} {reading.time_is} +{days}"


def _within(planned: Trip, meant: Trip) -> bool:
    """Whether a trip is one that was meant, but for wishes and a time that it may lack."""
    return (
        planned[:2] == meant[:2]
        and planned[2] in ("", meant[2])
        and all(meant[3].get(name) == value for name, value in planned[3].items())
    )


def _made(found: AgentOutput) -> Iterator[str]:
    """What was made of plans, as the cases write it."""
    for tool, sent, _ in _called(found.model_dump()["reasoning"]["steps"]):
        if tool in _MAKERS:
            kind = _MAKERS[tool]
            plan = f" plan {sent['plan_index']}" if sent.get("plan_index") else ""
            alarm = f" alarm {sent['alarm_minutes']}" if sent.get("alarm_minutes") else ""
            yield kind + plan + alarm


def _repeats(case: Case, found: AgentOutput) -> bool:
    """Whether the calendar file of a case that recurs repeats as it does."""
    if "recurs" not in case:
        return True
    meant = dict(one.split("=") for one in case["recurs"].split(";"))
    texts = [
        str(output)
        for tool, _, output in _called(found.model_dump()["reasoning"]["steps"])
        if tool == "create_ics_file_for_plan"
    ]
    rules = [rule for text in texts for rule in _RULE.findall(text)]
    # The zone's own changes of the clock are yearly.
    rules = [dict(one.split("=") for one in rule.split(";")) for rule in rules]
    rules = [rule for rule in rules if rule["FREQ"] != "YEARLY"]
    for rule in rules:
        rule.pop("UNTIL", None)
    return bool(rules) and all(rule == meant for rule in rules)


def _changes_more(case: Case, result: Mapping[str, Any]) -> bool:
    """Whether the plan that is told of a trip changes more often than a case allows."""
    told = [one for journey in result.get("journeys", ()) for one in journey.get("plans", ())[:1]]
    most = case.get("changes")
    return most is not None and any(int(one["interchanges"]) > most for one in told)


def _called(
    steps: Iterable[Mapping[str, Any]],
) -> Iterator[tuple[str, Mapping[str, Any], object]]:
    for step in steps:
        action = step.get("action") or {}
        output = action.get("output")
        if isinstance(output, Mapping) and "reasoning" in output:
            yield from _called(output["reasoning"]["steps"])
        elif action:
            yield action["tool"], action["input"], output


def _caveats(answer: str, planned: Sequence[Trip]) -> str:
    """Return the parts of an answer that may name a doubt: all but the lines of plans."""
    if not planned:
        return answer
    return "\n".join(line for line in answer.splitlines() if not re.search(r"\d\d:\d\d", line))


def _has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def in_own_language(case: Case, answer: str) -> bool:
    """Whether an answer is told in the language of its question."""
    if case["language"] == "zh":
        return _HAN.search(re.sub(r"“[^”]*”", "", answer)) is not None
    german = len(_GERMAN.findall(re.sub(r"“[^”]*”", "", answer)))
    return (german >= 1) == (case["language"] == "de")


def partly_english(case: Case, answer: str) -> bool:
    """Whether an answer to a German or Chinese request has a sentence in English."""
    prose = re.sub(r"“[^”]*”|'[^'\n]*'|/\S+", "", answer)
    english = _ENGLISH.search(prose) or _MARKED.search(answer)
    return case["language"] != "en" and english is not None


def load(half: str) -> list[Case]:
    """Return the cases of a half."""
    return tomllib.loads((CASES / f"{half}.toml").read_text("utf-8"))["case"]


def _host(world: str, home: Path, stack: ExitStack) -> JourneyHost:
    if world in TOWNS:
        made, zone, _ = TOWNS[world]
        home.mkdir()
        import_feed(made().write(home / "feed.zip"), world, home, lambda *_: None, NOW.date())
        city = City(world, home, lambda: NOW.astimezone(zone))
        return stack.enter_context(hosted(home, region=city))
    url = world
    if world == "tfl":
        replay = Replay().start()
        stack.callback(replay.close)
        url = replay.url
    return stack.enter_context(hosted(home, url))


def main() -> int:
    options = arguments(__doc__, show=(0, "1 prints the seen requests that are not right"))
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    own: Counter[str] = Counter()
    english = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        worlds: dict[str, World] = {}
        for half in HALVES:
            for case in load(half):
                chosen = random.Random(f"{options.seed} {case['text']}").random()
                if chosen >= options.fraction:
                    continue
                name = case.get("world", "offline")
                if name not in worlds:
                    own_places = TOWNS[name][2] if name in TOWNS else OWN
                    worlds[name] = World(_host(name, folder / name, stack), own_places)
                outcome, found = worlds[name].judge(case)
                outcomes[half][outcome] += 1
                answer = str((found.result or {}).get("answer", ""))
                own[half] += in_own_language(case, answer)
                english += partly_english(case, answer)
                if options.show and not half.endswith("held_out") and outcome != RIGHT:
                    print(f"{outcome}: {case['text']}\n    meant {case.get('trips', '')}")
                    print(f"    read  {(found.result or {}).get('requested', '')}")
                    print("    " + answer.replace("\n", "\n    "))
    rows = [
        (half, counts.total(), *(counts[one] for one in OUTCOMES), own[half])
        for half, counts in outcomes.items()
    ]
    print(table(("requests", "cases", *OUTCOMES, "own language"), rows))
    figures = {
        half: {
            "neither_right_nor_fair": counts.total() - counts[RIGHT] - counts[FAIR],
            "silently_wrong": counts[WRONG],
        }
        for half, counts in outcomes.items()
    }
    print(f"answers in German and Chinese with a sentence in English: {english}")
    figures["answers"] = {"partly_english": english}
    lower = {"neither_right_nor_fair", "silently_wrong", "partly_english"}
    return Ratchet(__file__, lower=lower).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
