"""The task and the answers so far, which the rules of agents read from an exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from groundwire.agents.runtime.context import Turn
from groundwire.agents.runtime.model import Message, TextPart, ToolCallPart, ToolResultPart

_FRAME = frozenset(("question", "reference_date", "constraints", "context", "ready"))


@dataclass(frozen=True, slots=True)
class Task:
    """The question of an agent, with what was said before.

    Attributes:
        text: the question or prompt.
        today: the day that counts as today, or None for the present one.
        variables: what came along with it: fields that an agent adds to the input, and its context.
        turns: what was said before, oldest first.
    """

    text: str
    today: date | None = None
    variables: Mapping[str, JsonValue] | None = None
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A call and its answer."""

    tool: str
    arguments: Mapping[str, JsonValue]
    data: Mapping[str, JsonValue]
    text: str
    is_error: bool


def task_of(messages: Sequence[Message]) -> Task:
    """The task of an exchange: its last text of the user that was made from an input."""
    turns: list[Turn] = []
    question = ""
    for message in messages:
        for part in message.parts:
            if not isinstance(part, TextPart):
                continue
            if message.role == "assistant" and part.data is not None:
                turns.append(Turn(question=question, result=dict(part.data)))
            elif message.role == "user" and part.data is not None and "question" in part.data:
                return _task(part.data, tuple(turns))
            elif message.role == "user":
                question = part.text
    return Task(question, turns=tuple(turns))


def _task(data: Mapping[str, JsonValue], turns: tuple[Turn, ...]) -> Task:
    day = data.get("reference_date")
    beside = data.get("context")
    fields = {name: value for name, value in data.items() if name not in _FRAME and value}
    return Task(
        str(data["question"]),
        date.fromisoformat(day) if isinstance(day, str) and day else None,
        {**fields, **(beside if isinstance(beside, dict) else {})},
        turns,
    )


def answers_of(messages: Sequence[Message]) -> list[Answered]:
    """The calls of an exchange with their answers, in the order of the answers."""
    calls: dict[str, ToolCallPart] = {}
    found: list[Answered] = []
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                calls[part.id] = part
            elif isinstance(part, ToolResultPart) and part.id in calls:
                call = calls.pop(part.id)
                data = part.data or {}
                found.append(Answered(call.name, call.arguments, data, part.text, part.is_error))
    return found
