"""Replies that change the journeys at hand, choose among them, or ask about them again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from pydantic import JsonValue

from groundwire.agents.journey_requests.follow_ups import FollowUp, read_follow_up
from groundwire.agents.journey_requests.model import Artefacts, JourneyRequest
from groundwire.agents.journey_requests.outputs import rows
from groundwire.agents.journey_router_agent.understanding import Held, Row, Understood

ASK_WHICH_TIME = "Which of the trips is that time for?"
ASK_WHICH_SHIFT = "Which of the trips? Say, for example, “the second trip an hour later”."
ASK_HOW_MUCH = "How much later or earlier? Say, for example, “half an hour later”."
# A day alone is of all trips.
_DAY_ALONE = re.compile(
    r"(?:(?:no|all|it['’]?s|of\s+it|on|for|please|that\s+is)[\s,]+)*"
    r"(?P<day>today|tomorrow|the\s+day\s+after\s+tomorrow|(?:next\s+)?(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)day)(?:[\s,]+please)?[.!]?",
    re.IGNORECASE,
)
Trip = Mapping[str, JsonValue]
_TIMES = ("date", "time", "time_is")


def replied(text: str, held: Held) -> Understood | None:
    """Return what a reply asks of the journeys at hand; None where it is a request of its own."""
    if not held.requested or not any(rows(one, "plans") for one in held.journeys):
        return None
    day = _DAY_ALONE.fullmatch(" ".join(text.split()))
    if day is not None and len(held.requested) > 1:
        trips = [{**one, "date": day["day"]} for one in begun_again(held)]
        plain = tuple({key: one[key] for key in one if key != "journey_id"} for one in trips)
        return Understood(JourneyRequest(), plain, "", held)
    said = read_follow_up(text)
    if said is None:
        return None
    if said.recount:
        return Understood(JourneyRequest(), (), "", held, recounts=said.recount)
    if said.vague:
        return _asking(held, ASK_HOW_MUCH)
    if said.shift:
        return _shifted(said, held)
    if said.time:
        return _at_another_time(said, held)
    return _chosen(said, held)


def _asking(held: Held, question: str) -> Understood:
    return Understood(JourneyRequest(), (), "", held, question)


def _shifted(said: FollowUp, held: Held) -> Understood:
    """The trips again, one of them later or earlier than its first plan."""
    count = len(held.requested)
    at = 0 if said.which is None else said.which
    if (said.which is None and count > 1) or not -count <= at < count:
        return _asking(held, ASK_WHICH_SHIFT)
    if len(held.journeys) != count:
        return _asking(held, "Which place is meant has to be clear before the trip is moved.")
    asked = held.requested[at]
    plans = rows(held.journeys[at], "plans")
    if not plans:
        return _asking(held, "That trip has no plan to be moved.")
    arriving = asked.get("time_is") == "arriving"
    moment = datetime.fromisoformat(str(plans[0]["arrival" if arriving else "start"]))
    when = moment + timedelta(minutes=said.shift)
    times: dict[str, JsonValue] = {
        "date": when.date().isoformat(),
        "time": f"{when:%H:%M}",
        "time_is": "arriving" if arriving else "departing",
    }
    return _again(held, at % count, times)


def _at_another_time(said: FollowUp, held: Held) -> Understood:
    """The only trip again, at the time that the reply is."""
    if len(held.requested) > 1:
        return _asking(held, ASK_WHICH_TIME)
    times: dict[str, JsonValue] = {"time": said.time}
    if said.arriving:
        times["time_is"] = "arriving"
    # "make it 6" keeps the day that was asked for.
    only = next(iter(held.requested))
    if only.get("date") and "time" in only:
        times["date"] = only["date"]
    return _again(held, 0, times)


def _again(held: Held, at: int, times: Trip) -> Understood:
    """All trips as they were asked for, one of them at other times."""
    trips: list[Trip] = []
    for number, one in enumerate(begun_again(held)):
        gone = ("journey_id", *_TIMES) if number == at else ("journey_id",)
        kept = {key: value for key, value in one.items() if key not in gone}
        trips.append({**kept, **times} if number == at else kept)
    return Understood(JourneyRequest(), tuple(trips), "", held)


def begun_again(held: Held) -> list[Row]:
    """The trips as they were asked for; the first one with where it began, had it gone on."""
    trips = [dict(one) for one in held.requested]
    if not trips[0].get("starting_point") and len(trips) == len(held.journeys):
        trips[0]["starting_point"] = str(held.journeys[0].get("from", ""))
    return trips


def _chosen(said: FollowUp, held: Held) -> Understood | None:
    """The text of the plan that is meant, or of the first plan of the trip that is."""
    planned: list[Row] = [one for one in held.journeys if rows(one, "plans")]
    which = said.which or 0
    several = len(planned) > 1
    wanted = Artefacts(("text",), journey=which) if several else Artefacts(("text",), plan=which)
    return Understood(JourneyRequest(artefacts=wanted), (), "", held)
