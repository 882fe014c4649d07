"""The rules of preferences: what a prompt says of its user, as defaults."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.agents.journey_requests.outputs import DONE
from groundwire.agents.journey_requests.settings_calls import settings_call
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


def build_rules() -> RulesModel:
    """The model that keeps preferences without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Set what the prompt says, or tell what is set."""
    if answers_of(messages):
        return saying(DONE)
    task = task_of(messages)
    name, arguments = settings_call(task.text)
    if name not in {tool.name for tool in tools}:
        return saying("This tool is not offered here.")
    return calling((name, arguments), thought="The prompt says what to keep.")
