"""Conversations in the form of the Messages API, and its answers read back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundwire.agents.models.strict import ANTHROPIC_LIMITS, StrictBudget
from groundwire.agents.models.turns import Json, as_count, as_object, as_objects, kept_turn
from groundwire.agents.runtime.model import (
    Message,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    Usage,
)

PROVIDER = "anthropic"
CACHED: Json = {"type": "ephemeral"}

_NO_ID = re.compile(r"[^A-Za-z0-9_-]")
# A response that was cut off may end within a call, whose arguments are then not all there.
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


def sent_messages(messages: Sequence[Message]) -> list[Json]:
    """A conversation; turns of this API go back as they came."""
    sent: list[Json] = []
    for message in messages:
        kept = kept_turn(message.raw, PROVIDER)
        if kept is not None:
            sent.append(kept)
            continue
        blocks = [block for part in message.parts if (block := _block(part))]
        # Results answer the calls before them only where they come first.
        blocks.sort(key=lambda block: block["type"] != "tool_result")
        if blocks:
            sent.append({"role": message.role, "content": blocks})
    return sent


def _block(part: TextPart | ToolCallPart | ToolResultPart) -> Json | None:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text} if part.text.strip() else None
    if isinstance(part, ToolCallPart):
        return {
            "type": "tool_use",
            "id": _id(part.id),
            "name": part.name,
            # What was sent as something else than an object was refused as such.
            "input": dict(as_object(part.arguments)),
        }
    return {
        "type": "tool_result",
        "tool_use_id": _id(part.id),
        "content": part.text,
        "is_error": part.is_error,
    }


def _id(value: str) -> str:
    return _NO_ID.sub("_", value)


def cached_to_here(messages: Sequence[Json]) -> list[Json]:
    """The conversation with its last block marked to be cached; thoughts cannot be."""
    if not messages or messages[-1]["role"] != "user":
        return list(messages)
    *before, last = messages
    *blocks, end = as_objects(last["content"])
    return [*before, {**last, "content": [*blocks, {**end, "cache_control": CACHED}]}]


def sent_tools(tools: Sequence[ToolSpec], strict: bool, wanted: str | None) -> list[Json]:
    """The definitions of tools.

    Args:
        tools: the tools.
        strict: whether the model can be held to schemas.
        wanted: a tool that has to be called and cannot be forced: it is held to its schema.
    """
    defined = StrictBudget(ANTHROPIC_LIMITS).defined(tools, strict, wanted)
    return [
        {"name": tool.name, "description": tool.description, "input_schema": schema, **held}
        for tool, schema, held in defined
    ]


@dataclass(frozen=True, slots=True)
class Piece:
    """One message of the API.

    Attributes:
        content: its blocks as they came, without a call that was cut off.
        text: what was said.
        thinking: what was thought, where the API tells.
        calls: the calls.
        stop_reason: why it ended.
        usage: tokens.
        model: the model that answered.
    """

    content: list[Json]
    text: str
    thinking: str
    calls: tuple[ToolCallPart, ...]
    stop_reason: str
    usage: Usage
    model: str


def read_message(tree: Mapping[str, Any]) -> Piece | None:
    """An answer of the API, or None if it is none."""
    reason = tree.get("stop_reason")
    if not isinstance(tree.get("content"), list) or not isinstance(reason, str):
        return None
    content = as_objects(tree.get("content"))
    if reason in _CUT and content and content[-1].get("type") == "tool_use":
        content.pop()
    if reason == "refusal":
        # What was said up to there is not to be used, least of all its calls.
        content = []
    return Piece(
        content=content,
        text="\n".join(_texts(content, "text", "text")),
        thinking="\n".join(_texts(content, "thinking", "thinking")),
        calls=tuple(
            ToolCallPart(str(block.get("id", "")), str(block.get("name", "")), block["input"])
            for block in content
            if block.get("type") == "tool_use" and isinstance(block.get("input"), dict)
        ),
        stop_reason="end_turn" if reason == "stop_sequence" else reason,
        usage=_usage(tree.get("usage")),
        model=str(tree.get("model") or ""),
    )


def _texts(content: Sequence[Json], kind: str, field: str) -> list[str]:
    found = [block.get(field) for block in content if block.get("type") == kind]
    return [text for text in found if isinstance(text, str) and text.strip()]


def _usage(tree: object) -> Usage:
    fields = as_object(tree)
    return Usage(
        prompt=as_count(fields.get("input_tokens")),
        completion=as_count(fields.get("output_tokens")),
        cache_read=as_count(fields.get("cache_read_input_tokens")),
        cache_write=as_count(fields.get("cache_creation_input_tokens")),
    )
