"""Comparison of a request with what came back: which of its parts are answered.

Its trips keep their places: one that failed stands between the others, so that "the first trip" is
always the trip that was named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.agents.journey_requests.binding import Arguments, Asked
from groundwire.agents.journey_requests.checked import Checked, checked
from groundwire.agents.journey_requests.not_held import is_off_topic
from groundwire.agents.journey_requests.outputs import (
    PLAN,
    REFUSED,
    SENT,
    outputs_of,
    refusals_of,
    rows,
)
from groundwire.agents.journey_requests.places_alike import own_places
from groundwire.agents.journey_requests.prompts import sentence_of, values_of
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.rewriting import in_english
from groundwire.agents.journey_router_agent.understanding import Row, Understood
from groundwire.agents.runtime.model import Answered, Task

PREFERENCES = "journey_preferences_agent"
PLANNER = "journey_planner_agent"
ARTEFACTS = "journey_artefacts_agent"


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
