"""Messages of an API, kept as they were for the next request, and readers of what servers send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from groundwire.agents.runtime.model import ToolChoice

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """A response as its provider sent it: `ModelResponse.raw` of the APIs.

    It goes back unchanged, since thoughts are signed together with what they stand in.

    Attributes:
        provider: whose form it has.
        message: the message in that form.
    """

    provider: str
    message: Mapping[str, Any] = field(repr=False)


def kept_turn(raw: object, provider: str) -> Json | None:
    """The message of a response of this provider, or None where another one made it."""
    return dict(raw.message) if isinstance(raw, Turn) and raw.provider == provider else None


def wanted_tool(tool_choice: ToolChoice) -> str | None:
    """The tool that has to be called, or None."""
    return tool_choice[1] if isinstance(tool_choice, tuple) else None


def as_object(value: object) -> Json:
    """A JSON object; empty where a server sent something else."""
    return cast("Json", value) if isinstance(value, dict) else {}


def as_objects(value: object) -> list[Json]:
    """The objects of a JSON list; empty where a server sent something else."""
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", one) for one in listed if isinstance(one, dict)]


def as_count(value: object) -> int:
    """A number of tokens; 0 where a server sent something else."""
    return value if isinstance(value, int) and value > 0 else 0
