"""Models that are programs: deterministic, without key, network or cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import JsonValue

from groundwire.agents.runtime.configuration import RULES
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    ToolCallPart,
    ToolChoice,
    ToolSpec,
)

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
