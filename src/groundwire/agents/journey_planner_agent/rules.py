"""The planner's own rules: a prompt in plain English, or its values, made one round of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import JourneyRequest
from groundwire.agents.journey_requests.open_questions import ASK_WHERE
from groundwire.agents.journey_requests.outputs import DONE
from groundwire.agents.journey_requests.prompts import sentence_of, values_of
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    RulesModel,
    ToolSpec,
    answers_of,
    calling,
    saying,
    task_of,
)

Call = tuple[str, dict[str, JsonValue]]
_PLAN, _SHOW = "compute_journey_plans", "get_computed_journey"


def build_rules() -> RulesModel:
    """The model that plans without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Call what the prompt asks for, once; its output is the answer."""
    if answers_of(messages):
        return saying(DONE)
    task = task_of(messages)
    offered = {tool.name for tool in tools}
    calls = [call for call in calls_of(task.text, task.variables or {}) if call[0] in offered]
    if not calls:
        request = read_request(sentence_of(task.text), task.today)
        return saying(request.asks or ASK_WHERE)
    return calling(*calls, thought="The prompt says what to plan.")


def calls_of(prompt: str, variables: Mapping[str, JsonValue]) -> list[Call]:
    """The calls of a prompt: those that its values name, else those that its words ask for."""
    sent = values_of(prompt)
    named: list[Call] = [(name, value) for name, value in sent.items() if isinstance(value, dict)]
    if named:
        return named
    request = read_request(sentence_of(prompt))
    calls: list[Call] = [(one.tool, dict(one.arguments)) for one in request.questions]
    trips: list[JsonValue] = [trip.arguments() for trip in request.trips if trip.destination]
    beside = sent or variables
    held = beside.get("journey_id")
    if trips and not request.asks:
        calls.append((_PLAN, _planned(request, trips, held)))
    elif isinstance(held, str) and not calls:
        index = beside.get("journey_index")
        at = index if isinstance(index, int) else 0
        calls.append((_SHOW, {"journey_id": held, "journey_index": at}))
    return calls


def _planned(
    request: JourneyRequest, trips: list[JsonValue], held: JsonValue
) -> dict[str, JsonValue]:
    """The arguments of one call for all trips."""
    only = trips[0]
    if len(trips) == 1 and isinstance(only, dict):
        made = dict(only)
    else:
        made: dict[str, JsonValue] = {"trips": trips}
    if isinstance(held, str):
        made["journey_id"] = held
    return made
