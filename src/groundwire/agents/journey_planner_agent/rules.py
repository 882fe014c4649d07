"""The planner's own rules: a prompt in plain English, or its values, made one round of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.binding import Asked, planned_trips
from groundwire.agents.journey_requests.checked import Checked, checked
from groundwire.agents.journey_requests.model import QUESTIONS, JourneyRequest, Question
from groundwire.agents.journey_requests.not_held import ASK_WHERE
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.subagents import (
    DONE,
    PLAN,
    SENT,
    OutputGuard,
    Row,
    outputs_made,
    refused_rows,
    result_of,
    sentence_of,
    values_of,
)
from groundwire.agents.runtime.contract import Change, Evidence
from groundwire.agents.runtime.evidence_guard import NOTHING_KNOWN
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


def build_guard() -> OutputGuard:
    """Return the guard of this agent."""
    return OutputGuard(_result)


def _result(evidence: Evidence) -> dict[str, JsonValue]:
    """Return the outputs, with `notes` and `not_counted` where a prompt asks for more."""
    values = {
        name: one for name, one in values_of(evidence.question).items() if isinstance(one, dict)
    }
    request = JourneyRequest() if values else read_request(sentence_of(evidence.question))
    asked, questions = _asked(evidence.question, request, values)
    calls = [*outputs_made(evidence), *refused_rows(evidence)]
    if not calls:
        asks = NOTHING_KNOWN if questions else request.asks or ASK_WHERE
        return {"answer": asks}
    found = checked(asked, questions, calls)
    notes: list[JsonValue] = [*request.notes, *found.lines]
    dropped: list[JsonValue] = [
        *_not_planned(asked, found),
        *request.unread,
        *found.not_counted,
    ]
    lines = [*request.notes, *found.lines]
    if dropped:
        lines.append(f"Not taken into account: {', '.join(f'“{one}”' for one in dropped)}.")
    result = result_of(found.outputs, found.refused, lines)
    if notes:
        result["notes"] = notes
    if dropped:
        result["not_counted"] = dropped
    if lines:
        result["confidence"] = "low"
    return result


def _asked(prompt: str, request: JourneyRequest, values: Row) -> tuple[Asked, tuple[Question, ...]]:
    """Return what a prompt asks for, by its values or else by its words."""
    if values:
        trips = planned_trips([{"tool": PLAN, SENT: values[PLAN]}] if PLAN in values else [])
        questions = tuple(Question(tool, values[tool]) for tool in QUESTIONS if tool in values)
        return Asked(tuple(one.sent for one in trips), text=prompt), questions
    trips = () if request.asks else tuple(one.arguments() for one in request.trips)
    stays = {number: one.stay for number, one in enumerate(request.trips) if one.stay}
    asked = Asked(trips, beside=request.settings.options, stays=stays, text=prompt)
    return asked, request.questions


def _not_planned(asked: Asked, found: Checked) -> list[str]:
    """The trips that no call was made for."""
    return [f"the trip to {asked.trips[number].get('destination')}" for number in found.missing]


def allows(change: Change) -> str | None:
    """Allow a journey to be computed: it is kept under a handle, and nothing else changes."""
    return None
