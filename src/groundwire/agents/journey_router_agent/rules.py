"""The router's own rules: a request read, its parts handed to the agents below one by one."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.agents.journey_router_agent.carried_out import ARTEFACTS, PLANNER, PREFERENCES
from groundwire.agents.journey_router_agent.route import next_calls
from groundwire.agents.journey_router_agent.telling import told
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

_THOUGHTS = {
    PREFERENCES: "The request says something to keep, forget or tell.",
    PLANNER: "The next part of the request is for the planner.",
    ARTEFACTS: "The journeys are planned; now what is to be made of them.",
}


def build_rules() -> RulesModel:
    """The model that routes without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """The next calls, or the answer made of what came back."""
    task, answers = task_of(messages), answers_of(messages)
    offered = {tool.name for tool in tools}
    calls = [call for call in next_calls(task, answers) if call[0] in offered]
    if calls:
        return calling(*calls, thought=_THOUGHTS[calls[0][0]])
    return saying(str(told(task, answers)["answer"]))
