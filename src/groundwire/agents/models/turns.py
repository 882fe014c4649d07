"""What an API sent, kept as it was for the next request; and what a model is asked for again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from groundwire.agents.model import ToolCallPart, ToolChoice

Json = dict[str, Any]

# How often one response is asked for anew because a wanted call is missing or cannot be read.
MOST_REASKS = 1
# How often a turn that the API has paused is taken up again.
MOST_CONTINUATIONS = 3


@dataclass(frozen=True, slots=True)
class Turns:
    """A response as its provider sent it: `ModelResponse.raw` of the APIs.

    More than one message where the API paused, or where a call was asked for again: thinking is
    signed together with all that stood before it, so nothing may be left out.

    Attributes:
        provider: whose form it has.
        messages: messages of that form, oldest first.
    """

    provider: str
    messages: tuple[Mapping[str, Any], ...] = field(repr=False)


def raw_turns(raw: object, provider: str) -> tuple[Mapping[str, Any], ...]:
    """The messages of a response of this provider; empty where another one made it."""
    return raw.messages if isinstance(raw, Turns) and raw.provider == provider else ()


def wanted_tool(tool_choice: ToolChoice) -> str | None:
    """The tool that has to be called, or None."""
    return tool_choice[1] if isinstance(tool_choice, tuple) else None


def lacks(wanted: str | None, calls: Iterable[ToolCallPart]) -> bool:
    """Whether a tool has to be called and is not."""
    return wanted is not None and all(call.name != wanted for call in calls)


def asking_for(tool: str) -> str:
    """What a model is told that has not called the tool it had to call."""
    return f"Call the tool `{tool}` now. Do not answer in words before you have its result."


def not_run(tool: str) -> str:
    """What a model is told of its calls of other tools meanwhile."""
    return f"This tool was not run: call `{tool}` first."


def as_object(value: object) -> Json:
    """A JSON object; empty where a server sent something else."""
    return cast("Json", value) if isinstance(value, dict) else {}


def as_objects(value: object) -> list[Json]:
    """The objects of a JSON list; empty where a server sent something else."""
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", one) for one in listed if isinstance(one, dict)]
