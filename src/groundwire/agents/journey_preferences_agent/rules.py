"""The rules of preferences: what a prompt says of its user, as defaults."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.driving import answers_of, task_of
from groundwire.agents.journey_requests.outputs import DONE
from groundwire.agents.journey_requests.prompts import sentence_of, values_of
from groundwire.agents.journey_requests.settings import read_settings
from groundwire.agents.models.rules import RulesModel, calling, saying
from groundwire.agents.runtime.model import Message, ModelResponse, ToolSpec

_SET, _GET = "set_default_journey_parameters", "get_default_journey_parameters"


def build_rules() -> RulesModel:
    """The model that keeps preferences without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Set what the prompt says, or tell what is set."""
    if answers_of(messages):
        return saying(DONE)
    task = task_of(messages)
    name, arguments = _call(task.text)
    if name not in {tool.name for tool in tools}:
        return saying("This tool is not offered here.")
    return calling((name, arguments), thought="The prompt says what to keep.")


def _call(prompt: str) -> tuple[str, dict[str, JsonValue]]:
    for name, value in values_of(prompt).items():
        if isinstance(value, dict):
            return name, value
    settings = read_settings(sentence_of(prompt), alone=True).settings
    arguments: dict[str, JsonValue] = dict(settings.options)
    if settings.places:
        arguments["places"] = dict(settings.places)
    if settings.forget:
        arguments["reset"] = list(settings.forget)
    return (_SET, arguments) if arguments else (_GET, {})
