"""The guard: the output of the tools is the answer, as far as the prompt asks for it.

Only the router interprets the output. What a model planned between other places than the prompt
names is left out, and what the prompt asks and no call holds is told beside the output.
"""

from __future__ import annotations

from pydantic import JsonValue

from groundwire.agents.journey_requests.binding import Asked, planned_trips
from groundwire.agents.journey_requests.checked import Checked, checked
from groundwire.agents.journey_requests.model import QUESTIONS, JourneyRequest, Question
from groundwire.agents.journey_requests.open_questions import ASK_WHERE
from groundwire.agents.journey_requests.outputs import (
    PLAN,
    SENT,
    OutputGuard,
    Row,
    outputs_made,
    refused_rows,
    result_of,
)
from groundwire.agents.journey_requests.prompts import sentence_of, values_of
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.runtime.contract import Evidence
from groundwire.agents.runtime.evidence_guard import NOTHING_KNOWN


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
