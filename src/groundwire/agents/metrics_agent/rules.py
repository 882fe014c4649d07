"""The model that needs no key: it makes the calls that the reading of the question asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from pydantic import JsonValue

from groundwire.agents.metrics_agent.plan import GRID, HOLDINGS, SEARCH, Call
from groundwire.agents.models.rules import RulesModel, calling, saying
from groundwire.agents.runtime.model import (
    Message,
    Model,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
)

# The guard builds the answer; these words only end the rounds.
_DONE = "What was looked up is the answer."


class _Answered(NamedTuple):
    """A call of this run with its result."""

    call: ToolCallPart
    result: ToolResultPart


def build_rules() -> Model:
    """The rules of this agent."""
    return RulesModel(respond)


def respond(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """The next calls, or the end: first what the question needs, then further pages of it."""
    said = list(_answered(messages))
    calls = list(_further(said)) if said else _wanted(messages)
    offered = {tool.name for tool in tools}
    calls = [one for one in calls if one.tool in offered]
    if not calls:
        return saying(_DONE)
    thought = "Look up the rest." if said else "Look up what the question asks for."
    return calling(*calls, thought=thought)


def _wanted(messages: Sequence[Message]) -> list[Call]:
    """The calls that were made ready when the question was read."""
    for message in reversed(messages):
        for part in message.parts:
            if not isinstance(part, TextPart) or part.data is None:
                continue
            ready = cast("Mapping[str, Mapping[str, JsonValue]]", part.data.get("ready") or {})
            calls = cast("list[Mapping[str, JsonValue]]", ready.get("reading", {}).get("calls"))
            return [
                Call(str(one["tool"]), cast("dict[str, JsonValue]", one["arguments"]))
                for one in calls or ()
            ]
    return []


def _further(said: Sequence[_Answered]) -> Iterator[Call]:
    """Further pages of grids; what can be asked for, where a search found nothing."""
    sent = {str(one.call.arguments.get("cursor")) for one in said}
    for one in said:
        cursor = (one.result.data or {}).get("next_cursor")
        if one.call.name == GRID and isinstance(cursor, str) and cursor not in sent:
            yield Call(GRID, {**one.call.arguments, "cursor": cursor})
    if len(said) == 1 and said[0].call.name == SEARCH and not _found(said[0]):
        yield HOLDINGS


def _found(one: _Answered) -> bool:
    return (one.result.data or {}).get("status") == "found"


def _answered(messages: Sequence[Message]) -> Iterator[_Answered]:
    calls: dict[str, ToolCallPart] = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                calls[part.id] = part
            elif isinstance(part, ToolResultPart) and part.id in calls:
                yield _Answered(calls[part.id], part)
