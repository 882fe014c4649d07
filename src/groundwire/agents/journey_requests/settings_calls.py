"""The call that a prompt for preferences asks for, and what of another call goes beyond it."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from groundwire.agents.journey_requests.prompts import sentence_of, settings_arguments, values_of
from groundwire.agents.journey_requests.settings import read_settings
from groundwire.vocabulary import fold

SET, GET = "set_default_journey_parameters", "get_default_journey_parameters"


def settings_call(prompt: str) -> tuple[str, dict[str, JsonValue]]:
    """The call that a prompt asks for, by its values or else by its words."""
    for name, value in values_of(prompt).items():
        if isinstance(value, dict):
            return name, value
    arguments = settings_arguments(read_settings(sentence_of(prompt), alone=True).settings)
    return (SET, arguments) if arguments else (GET, {})


def exceeding(sent: Mapping[str, JsonValue], asked: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """Names of what is sent and was not asked for.

    Args:
        sent: arguments that would change the defaults.
        asked: the arguments that the user's words ask for.
    """
    return tuple(name for name, value in sent.items() if not _within(value, asked.get(name)))


def _within(value: JsonValue, asked: JsonValue) -> bool:
    """Whether a value is the one that was asked for, or a part of it."""
    if isinstance(value, dict):
        known = {fold(name): one for name, one in asked.items()} if isinstance(asked, dict) else {}
        return all(_within(one, known.get(fold(name))) for name, one in value.items())
    if isinstance(value, list):
        held = asked if isinstance(asked, list) else []
        return all(any(_within(one, other) for other in held) for one in value)
    if isinstance(value, str) and isinstance(asked, str):
        return fold(value) == fold(asked)
    return value is None or (type(value) is type(asked) and value == asked)
