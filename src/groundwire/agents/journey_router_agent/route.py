"""The way of a request through the agents: preferences, then questions, trips, artefacts.

What came back is compared with the request. Its trips keep their places: one that failed stands
between the others, so that "the first trip" is always the trip that was named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from groundwire.agents.journey_requests.binding import Arguments, Asked, time_after
from groundwire.agents.journey_requests.checked import Checked, checked
from groundwire.agents.journey_requests.model import Artefacts
from groundwire.agents.journey_requests.not_held import is_off_topic
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.rewriting import in_english
from groundwire.agents.journey_requests.subagents import (
    PLAN,
    REFUSED,
    SENT,
    artefact_prompt,
    outputs_of,
    own_places,
    question_prompt,
    refusals_of,
    rows,
    sentence_of,
    settings_prompt,
    trip_prompt,
    values_of,
)
from groundwire.agents.journey_router_agent.conversation import understood
from groundwire.agents.journey_router_agent.understanding import (
    Row,
    Understood,
    chosen_journeys,
    counted,
)
from groundwire.agents.runtime.model import Answered, Task

PREFERENCES = "journey_preferences_agent"
PLANNER = "journey_planner_agent"
ARTEFACTS = "journey_artefacts_agent"
Call = tuple[str, dict[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """The parts of a request that were carried out, and those that were not.

    Attributes:
        checked: what of the planner's answers may be told.
        journeys: the journeys of its trips in order, each with its handle and the number of its
            trip; of a trip that is not planned, one without plans.
    """

    checked: Checked
    journeys: tuple[Row, ...] = ()


def carried_out(task: Task, asked: Understood, answers: Sequence[Answered]) -> CarriedOut:
    """Hold what came back against what was asked.

    Args:
        task: the request and what was said before.
        asked: the same as it was understood.
        answers: what the agents have returned.
    """
    made = [one for one in answers if one.tool == PLANNER]
    calls = [row for one in made for row in _calls(one)]
    found = checked(_asked(task, asked, answers, calls), asked.request.questions, calls)
    return CarriedOut(found, tuple(_journeys(asked, found)))


def _asked(
    task: Task, asked: Understood, answers: Sequence[Answered], calls: Sequence[Row]
) -> Asked:
    """The request as it is bound to calls."""
    held, request = asked.held, asked.request
    last = held.journeys[-1] if asked.joins and held.journeys else {}
    outputs = [
        output for one in answers if one.tool == PREFERENCES for output in outputs_of(one.data)
    ]
    before = [output for turn in task.turns for output in rows(turn.result, "outputs")]
    options = [*held.options, *(option for one in calls for option in rows(one, "options"))]
    said = [in_english(task.text), *(turn.question for turn in task.turns), held.journey_id]
    return Asked(
        trips=tuple(asked.trips),
        begins=str(last.get("to", "")),
        beside=request.settings.options,
        stays={at: one.stay for at, one in enumerate(request.trips) if one.stay},
        same={str(one["value"]): str(one["name"]) for one in options if one.get("value")},
        own=own_places([*before, *outputs]),
        text="\n".join(
            [*said, *(str(one.get(end)) for one in held.journeys for end in ("from", "to"))]
        ),
        declined=request.foreign and is_off_topic(in_english(task.text)),
    )


def _calls(answer: Answered) -> Iterator[Row]:
    """The calls of the planner behind an answer of its agent."""
    outputs = outputs_of(answer.data)
    yield from outputs
    refused = refusals_of(answer.data)
    if answer.is_error and not refused:
        refused = [answer.text]
    if not outputs and not refused:
        refused = ["The planner gave no answer."]
    if refused:
        tool, sent = sent_to(str(answer.arguments.get("input_prompt", "")))
        yield {"tool": tool, SENT: sent, REFUSED: " ".join(refused)}


def sent_to(prompt: str) -> tuple[str, Arguments]:
    """The tool that a prompt for the planner is meant for, and what it is to be sent."""
    for tool, value in values_of(prompt).items():
        if isinstance(value, dict):
            return tool, value
    request = read_request(sentence_of(prompt))
    if request.questions and not request.trips:
        return request.questions[0].tool, request.questions[0].arguments
    return PLAN, request.trips[0].arguments() if len(request.trips) == 1 else {}


def _journeys(asked: Understood, found: Checked) -> Iterator[Row]:
    """The journeys of each trip; of one that has none, a row that says so."""
    for number in range(max(len(asked.trips), len(found.trips))):
        trip: Arguments = asked.trips[number] if number < len(asked.trips) else {}
        planned = found.trips.get(number)
        beside: Row = {"trip": number + 1, "asked_to": trip.get("destination", "")}
        if planned is None or REFUSED in planned.output:
            if number in found.missing or planned is not None:
                ends = {"from": trip.get("starting_point", ""), "to": beside["asked_to"]}
                yield {**beside, **ends, "plans": [], "error": "It is not planned."}
            continue
        beside |= {"journey_id": planned.output.get("journey_id")}
        beside |= {"unsettled": True} if planned.output.get("options") else {}
        yield from ({**journey, **beside} for journey in planned.journeys)


def next_calls(task: Task, answers: Sequence[Answered]) -> list[Call]:
    """The calls that come next; none when everything has been done.

    Trips are planned one after the other, since each may begin where the one before ends.
    """
    asked = understood(task)
    of = {name: [one for one in answers if one.tool == name] for name in (PREFERENCES, PLANNER)}
    request = asked.request
    if request.settings and not of[PREFERENCES]:
        return [(PREFERENCES, {"input_prompt": settings_prompt(request.settings)})]
    if asked.asks:
        return []
    done = len(of[PLANNER])
    questions = request.questions
    if done < len(questions):
        return [(PLANNER, {"input_prompt": question_prompt(one)}) for one in questions[done:]]
    number = done - len(questions)
    if number < len(asked.trips):
        return [(PLANNER, {"input_prompt": trip_prompt(_trip(asked, number, of[PLANNER]))})]
    if request.artefacts is None or any(one.tool == ARTEFACTS for one in answers):
        return []
    return artefact_calls(
        request.artefacts, at_hand(asked, carried_out(task, asked, answers).journeys)
    )


def _trip(asked: Understood, number: int, planned_by: Sequence[Answered]) -> dict[str, JsonValue]:
    """The arguments of a trip, with the journeys that it belongs to."""
    made = dict(asked.trips[number])
    held = asked.joins
    reached = bool(held)
    for one in planned_by[len(asked.request.questions) :]:
        outputs = [output for output in outputs_of(one.data) if output.get("tool") == PLAN]
        reached = any(_clear(output) for output in outputs)
        held = next((str(o["journey_id"]) for o in outputs if o.get("journey_id")), held)
    if held:
        made["journey_id"] = held
    made |= _after_a_stay(asked, number, planned_by)
    if "starting_point" not in made and number and not reached:
        # The trip before has no one end to begin at, so its own words say where this one begins.
        made["starting_point"] = asked.trips[number - 1].get("destination", "")
    return made


def _after_a_stay(
    asked: Understood, number: int, planned_by: Sequence[Answered]
) -> dict[str, JsonValue]:
    """When a trip begins after a stay where the one before ended; nothing where none was said."""
    said = asked.request.trips
    stay = said[number].stay if number < len(said) else 0
    outputs = [one for answer in planned_by[-1:] for one in outputs_of(answer.data)]
    journeys = [journey for one in outputs for journey in rows(one, "journeys")] if stay else []
    plans = [plan for one in journeys for plan in rows(one, "plans")[:1]]
    if not plans:
        return {}
    return time_after(datetime.fromisoformat(str(plans[0]["arrival"])), stay)


def _clear(output: Mapping[str, Any]) -> bool:
    """Whether a trip was planned to one end."""
    return bool(output.get("journeys")) and not output.get("options")


def at_hand(asked: Understood, journeys: Sequence[Row]) -> list[Row]:
    """The journeys that artefacts may be wanted of.

    Those of this request, or if it asks for no trip those of the turn before; a journey that is
    named by its place is counted among all journeys of the day.
    """
    wanted = asked.request.artefacts
    named = wanted is not None and (
        wanted.journey is not None or bool(wanted.towards) or wanted.whole_day or wanted.every
    )
    if asked.trips and not (named and asked.joins):
        return list(journeys)
    if wanted is not None and wanted.every and not wanted.whole_day:
        rows_of_all = [{"journey_id": asked.held.journey_id, **one} for one in asked.held.every]
        return counted([*rows_of_all, *(journeys if asked.trips else ())])
    held = asked.held.day if named else asked.held.journeys
    rows_held = [{"journey_id": asked.held.journey_id, **one} for one in held]
    return counted([*rows_held, *journeys])


def artefact_calls(wanted: Artefacts, journeys: Sequence[Row]) -> list[Call]:
    """One call for each journey that is meant, or one of a whole day and its texts."""
    options: dict[str, JsonValue] = {}
    if wanted.alarm_minutes is not None:
        options["alarm_minutes"] = wanted.alarm_minutes
    if wanted.per_leg:
        options["per_leg"] = True
    options |= wanted.repeats
    if wanted.browser:
        options["browser_display"] = True
    if wanted.whole_day:
        options["whole_day"] = True
    kinds = wanted.kinds
    calls: list[Call] = []
    for journey in chosen_journeys(wanted, journeys):
        plan = plan_index(wanted, journey)
        if plan is None:
            continue
        which: dict[str, JsonValue] = {
            "journey_id": journey["journey_id"],
            "journey_index": journey["journey_index"],
            "plan_index": plan,
        }
        prompt = artefact_prompt(kinds, options)
        calls.append((ARTEFACTS, {"input_prompt": prompt, "input_structured": which}))
        if wanted.whole_day:
            kinds = ("text",) if "text" in kinds else ()
        if not kinds:
            break
    return calls


def plan_index(wanted: Artefacts, journey: Row) -> int | None:
    """The plan of a journey that is meant; None where it has no such plan."""
    plans = rows(journey, "plans")
    at = wanted.plan if wanted.plan is not None else 0
    at = len(plans) + at if at < 0 else at
    if not 0 <= at < len(plans):
        return None
    return int(plans[at].get("plan_index", at))
