"""The one small protocol behind which every model stands, and models that are programs.

A program is deterministic, and needs no key, network or cost; it reads the exchange so far.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, Protocol

from pydantic import JsonValue

from groundwire.agents.runtime.configuration import RULES
from groundwire.agents.runtime.contract import Turn

Role = Literal["user", "assistant"]
ToolChoice = Literal["auto", "none"] | tuple[Literal["tool"], str]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text.

    Attributes:
        text: what a model reads.
        data: what the text was made from, for models that are programs; never sent anywhere.
    """

    text: str
    data: Mapping[str, JsonValue] | None = None


@dataclass(frozen=True, slots=True)
class ToolCallPart:
    """A call that a model made; `id` joins it to its result."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ToolResultPart:
    """The result of one call as a model is told it.

    Attributes:
        id: the call's.
        name: the tool's.
        text: the observation.
        is_error: whether the tool refused or failed.
        data: the whole structured answer, for models that are programs; never sent anywhere.
    """

    id: str
    name: str
    text: str
    is_error: bool = False
    data: Mapping[str, JsonValue] | None = None


Part = TextPart | ToolCallPart | ToolResultPart


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the exchange.

    Attributes:
        role: who speaks; tool results are the user's.
        parts: what is said, in order.
        raw: an assistant's turn as its provider sent it (`ModelResponse.raw`), which the same
            provider wants back unchanged; any other model ignores it.
    """

    role: Role
    parts: tuple[Part, ...]
    raw: object | None = None


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it; `strict` asks the API to hold the model to the schema."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one response; `prompt` is without those read from or written to a cache."""

    prompt: int = 0
    completion: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """One answer of a model.

    Attributes:
        text: what it said.
        thinking: what it thought, where a model tells; empty otherwise.
        tool_calls: the calls that it asks for, in order.
        stop_reason: end_turn, tool_use, max_tokens, refusal, pause_turn or
            model_context_window_exceeded.
        usage: tokens.
        raw: the provider's own form, for `Message.raw`.
        cost_usd: what the response cost, or None where no price is known.
    """

    text: str = ""
    thinking: str = ""
    tool_calls: tuple[ToolCallPart, ...] = ()
    stop_reason: str = "end_turn"
    usage: Usage = Usage()
    raw: object | None = None
    cost_usd: float | None = None


class Model(Protocol):
    """A model: an API, a command-line tool, rules, or a script of a test."""

    @property
    def name(self) -> str:
        """Return the name in metadata, spans and prices."""
        ...

    @property
    def native_tools(self) -> bool:
        """Whether it calls tools itself; else it writes Thought, Action and Final Answer."""
        ...

    @property
    def free(self) -> bool:
        """Whether its responses cost nothing, so that no budget can be passed."""
        ...

    async def create(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> ModelResponse:
        """Answer.

        Raises:
            LLMFailure: the model did not answer; `recoverable` says whether to ask again.
        """
        ...


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


Rules = Callable[[Sequence[Message], Sequence[ToolSpec]], ModelResponse | Awaitable[ModelResponse]]


class RulesModel:
    """Answers by a function of the conversation; it drives the same loop as every other model."""

    native_tools = True
    free = True

    def __init__(self, rules: Rules, name: str = RULES) -> None:
        """Take the rules.

        Args:
            rules: answers a conversation, given the tools that may be called.
            name: what metadata calls the model.
        """
        self.name = name
        self._rules = rules

    async def create(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
    ) -> ModelResponse:
        """Answer; where no tool may be called the rules are given none."""
        made = self._rules(messages, () if tool_choice == "none" else tools)
        return await made if isinstance(made, Awaitable) else made


def calling(*calls: tuple[str, Mapping[str, JsonValue]], thought: str = "") -> ModelResponse:
    """A response that calls tools.

    Args:
        calls: names and arguments, in order; several are independent of each other.
        thought: what is said before.
    """
    return ModelResponse(
        text=thought,
        tool_calls=tuple(
            ToolCallPart(_call_id(number, name, arguments), name, arguments)
            for number, (name, arguments) in enumerate(calls, 1)
        ),
        stop_reason="tool_use",
        cost_usd=0.0,
    )


def saying(answer: str, thought: str = "") -> ModelResponse:
    """A response that ends the conversation."""
    return ModelResponse(text=answer, thinking=thought, cost_usd=0.0)


def _call_id(number: int, name: str, arguments: Mapping[str, JsonValue]) -> str:
    """An id that the same call has again, so that traces can be compared."""
    content = json.dumps([number, name, arguments], sort_keys=True, default=str)
    return f"call_{hashlib.sha256(content.encode()).hexdigest()[:16]}"
