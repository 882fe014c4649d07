"""Conversations in the form of chat completions, and schemas as APIs hold models to them.

APIs take a part of JSON Schema within limits. Sources: what Anthropic and OpenAI say of strict
tools and structured outputs. What cannot be said strictly goes as an ordinary schema, and the
server's own check corrects what comes back.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.models.turns import Json, as_count, as_object, as_objects, kept_turn
from groundwire.agents.runtime.model import (
    Message,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    ToolSpec,
    Usage,
)

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StrictLimits:
    """The limits of one API on strict tools.

    Attributes:
        all_required: whether every property has to be required.
        optional: properties of all tools of a request that need not be there.
        unions: properties of all tools of a request that have several types.
        enumerated: values of all enumerations of one tool; larger ones fail to compile.
        tools: strict tools of one request.
    """

    all_required: bool
    optional: int
    unions: int
    enumerated: int
    tools: int


ANTHROPIC_LIMITS = StrictLimits(
    all_required=False, optional=24, unions=16, enumerated=200, tools=20
)
OPENAI_LIMITS = StrictLimits(
    all_required=True, optional=0, unions=1_000, enumerated=1_000, tools=128
)

_DEEPEST = 5
# Constraints that no grammar carries: dropped, since the server checks them.
_DROPPED = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "default",
        "examples",
        "title",
    }
)
_KEPT = frozenset({"type", "description", "enum", "const", "properties", "required", "items"})
_COMBINED = ("anyOf", "allOf")


class _NotStrictError(Exception):
    """The schema says something that cannot be held strictly."""


@dataclass(slots=True)
class StrictBudget:
    """The part of an API's limits that is left while the tools of one request are taken in turn."""

    limits: StrictLimits
    tools: int = 0
    optional: int = 0
    unions: int = 0

    def take(self, schema: Mapping[str, Any]) -> Schema | None:
        """The schema in its strict form, or None if this tool has to go without."""
        counted = _Counted()
        try:
            strict = _object(cast("Schema", schema), self.limits, counted, 0)
        except _NotStrictError:
            return None
        fits = (
            self.tools < self.limits.tools
            and self.optional + counted.optional <= self.limits.optional
            and self.unions + counted.unions <= self.limits.unions
            and counted.enumerated <= self.limits.enumerated
        )
        if not fits:
            return None
        self.tools += 1
        self.optional += counted.optional
        self.unions += counted.unions
        return strict

    def define(self, schema: Mapping[str, Any], asked: bool) -> tuple[Schema, bool]:
        """A schema to be sent, in its strict form where that is asked for and can be had."""
        held = self.take(schema) if asked else None
        return (dict(schema), False) if held is None else (held, True)

    def defined(
        self, tools: Sequence[ToolSpec], strict: bool, wanted: str | None
    ) -> Iterator[tuple[ToolSpec, Schema, Schema]]:
        """Each tool with its schema, and the fields that say whether it is held to it.

        Args:
            tools: the tools.
            strict: whether the model can be held to schemas.
            wanted: a tool that has to be called and cannot be forced: it is held to its schema.
        """
        for tool in tools:
            asked = strict and (tool.strict or tool.name == wanted)
            schema, held = self.define(tool.input_schema, asked)
            yield tool, schema, {"strict": True} if held else {}


@dataclass(slots=True)
class _Counted:
    optional: int = 0
    unions: int = 0
    enumerated: int = 0


def _object(schema: Schema, limits: StrictLimits, counted: _Counted, depth: int) -> Schema:
    properties: dict[str, Schema] = schema.get("properties") or {}
    required: list[str] = list(schema.get("required") or ())
    missing = [name for name in properties if name not in required]
    # A map of free names is an object whose names nobody can enumerate.
    names_are_free = bool(schema.get("additionalProperties")) or (depth > 0 and not properties)
    if names_are_free:
        raise _NotStrictError
    if missing and limits.all_required:
        raise _NotStrictError
    counted.optional += len(missing)
    strict = {name: value for name, value in schema.items() if name in _KEPT}
    strict["properties"] = {
        name: _any(below, limits, counted, depth + 1) for name, below in properties.items()
    }
    strict["required"] = required
    strict["additionalProperties"] = False
    return strict


def _any(schema: Schema, limits: StrictLimits, counted: _Counted, depth: int) -> Schema:
    if depth > _DEEPEST or not schema:
        raise _NotStrictError
    if schema.get("type") == "object":
        return _object(schema, limits, counted, depth)
    strict: Schema = {}
    for name, value in schema.items():
        if name in _COMBINED:
            counted.unions += 1
            branches = cast("list[Schema]", value)
            strict[name] = [_any(below, limits, counted, depth + 1) for below in branches]
        elif name == "items":
            strict[name] = _any(value, limits, counted, depth + 1)
        elif name in _KEPT:
            strict[name] = value
        elif name not in _DROPPED:
            # References may lead in circles; what else there is nobody promised.
            raise _NotStrictError
    if isinstance(strict.get("type"), list):
        counted.unions += 1
    if not strict.keys() & {"type", "enum", "const", *_COMBINED}:
        raise _NotStrictError
    counted.enumerated += len(strict.get("enum", ()))
    return strict


# Ids that a server takes; Mistral's are nine letters and digits.
_IDS = {"mistral": re.compile(r"[A-Za-z0-9]{9}")}
_ANY_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
# Models that think aloud do so at the beginning of their text.
_ALOUD = re.compile(r"\A\s*<think>(.*?)</think>", re.DOTALL)
_REASONS = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "content_filter": "refusal",
    "model_length": "model_context_window_exceeded",
}


def sent_messages(provider: str, system: str, messages: Sequence[Message]) -> list[Json]:
    """A conversation; turns of this provider go back as they came."""
    sent: list[Json] = [{"role": "system", "content": system}] if system.strip() else []
    kept = [kept_turn(message.raw, provider) for message in messages]
    id_of = partial(_id, provider, frozenset(_ids_of(kept)))
    for message, turn in zip(messages, kept, strict=True):
        if turn is not None:
            sent.append(turn)
        elif message.role == "assistant":
            sent.extend(_assistant(message, id_of))
        else:
            sent.extend(_user(message, id_of))
    return sent


def _ids_of(turns: Iterable[Json | None]) -> Iterator[str]:
    for turn in turns:
        for call in as_objects((turn or {}).get("tool_calls")):
            yield str(call.get("id"))


def _assistant(message: Message, id_of: Callable[[str], str]) -> list[Json]:
    text = "\n".join(part.text for part in message.parts if isinstance(part, TextPart))
    calls = [
        {
            "id": id_of(part.id),
            "type": "function",
            "function": {
                "name": part.name,
                # The call was refused if the model sent no object.
                "arguments": json.dumps(as_object(part.arguments), ensure_ascii=False),
            },
        }
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
    if not calls and not text.strip():
        return []
    content = text if text.strip() else None
    return [{"role": "assistant", "content": content, **({"tool_calls": calls} if calls else {})}]


def _user(message: Message, id_of: Callable[[str], str]) -> list[Json]:
    """Results are messages of their own, right after the calls; what else is said follows."""
    sent: list[Json] = [
        {"role": "tool", "tool_call_id": id_of(part.id), "content": part.text}
        for part in message.parts
        if isinstance(part, ToolResultPart)
    ]
    text = "\n".join(part.text for part in message.parts if isinstance(part, TextPart))
    return [*sent, {"role": "user", "content": text}] if text.strip() else sent


def _id(provider: str, own: frozenset[str], value: str) -> str:
    """An id that the server takes: its own, or one that stands for another provider's."""
    if value in own or _IDS.get(provider, _ANY_ID).fullmatch(value):
        return value
    return hashlib.sha256(value.encode()).hexdigest()[:9]


def sent_tools(tools: Sequence[ToolSpec], strict: bool, wanted: str | None) -> list[Json]:
    """The definitions of tools.

    Args:
        tools: the tools.
        strict: whether the model can be held to schemas.
        wanted: a tool that has to be called and cannot be forced: it is held to its schema.
    """
    defined = StrictBudget(OPENAI_LIMITS).defined(tools, strict, wanted)
    functions: list[Json] = [
        {"name": tool.name, "description": tool.description, "parameters": schema, **held}
        for tool, schema, held in defined
    ]
    return [{"type": "function", "function": function} for function in functions]


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a server.

    Attributes:
        message: the message as it goes back with the next request.
        text: what was said.
        thinking: what was thought, where the server tells.
        calls: the calls; arguments that are no JSON object are the text that was sent, which the
            runtime refuses with a word to the model.
        stop_reason: why it ended, in the words of `ModelResponse`.
        usage: tokens.
        model: the model that answered.
    """

    message: Json
    text: str
    thinking: str
    calls: tuple[ToolCallPart, ...]
    stop_reason: str
    usage: Usage
    model: str


def read_completion(tree: Mapping[str, Any]) -> Completion | None:
    """Return the answer that a response holds, or None where it holds no answer."""
    choices = as_objects(tree.get("choices"))
    if not choices or not isinstance(choices[0].get("message"), dict):
        return None
    message = as_object(choices[0]["message"])
    reason = _REASONS.get(str(choices[0].get("finish_reason")), "end_turn")
    text, thinking = _said(message)
    calls, kept = _calls(message)
    if reason == "end_turn" and not text and message.get("refusal"):
        reason = "refusal"
    if reason == "refusal":
        text, calls, kept = "", (), []
    elif calls and reason == "end_turn":
        reason = "tool_use"
    back: Json = {"role": "assistant", "content": message.get("content")}
    if kept:
        back["tool_calls"] = kept
    return Completion(
        message=back,
        text=text,
        thinking=thinking,
        calls=calls,
        stop_reason=reason,
        usage=_usage(as_object(tree.get("usage"))),
        model=str(tree.get("model") or ""),
    )


def _said(message: Json) -> tuple[str, str]:
    """Text and thinking, from wherever servers put them."""
    content = message.get("content")
    thoughts = [message.get("reasoning_content") or message.get("reasoning")]
    texts: list[object] = [content]
    if isinstance(content, list):
        # Mistral's chunks: texts, and thinking that is made of texts.
        chunks = as_objects(cast("object", content))
        texts = [chunk.get("text") for chunk in chunks if chunk.get("type") == "text"]
        for chunk in chunks:
            if chunk.get("type") == "thinking":
                thoughts += [below.get("text") for below in as_objects(chunk.get("thinking"))]
    text = "".join(one for one in texts if isinstance(one, str))
    if aloud := _ALOUD.match(text):
        thoughts.append(aloud[1].strip())
        text = text[aloud.end() :].lstrip()
    return text, "\n".join(one for one in thoughts if isinstance(one, str) and one.strip())


def _calls(message: Json) -> tuple[tuple[ToolCallPart, ...], list[Json]]:
    """The calls, and how they go back: with an id each, and with JSON that every server reads."""
    calls: list[ToolCallPart] = []
    kept: list[Json] = []
    for call in as_objects(message.get("tool_calls")):
        function = as_object(call.get("function"))
        name = str(function.get("name") or "")
        id = str(call.get("id") or "") or f"call_{secrets.token_hex(6)}"
        arguments = read_arguments(function.get("arguments"))
        whole = json.dumps(as_object(arguments), ensure_ascii=False)
        calls.append(ToolCallPart(id, name, cast("Mapping[str, JsonValue]", arguments)))
        kept.append({"id": id, "type": "function", "function": {"name": name, "arguments": whole}})
    return tuple(calls), kept


def read_arguments(sent: object) -> Json | str:
    """Return the arguments of a call, or the text as sent where it is not a JSON object."""
    if isinstance(sent, dict):
        return cast("Json", sent)
    text = sent if isinstance(sent, str) else ""
    if not text.strip():
        return {}
    read: object = text
    # Some models write JSON of JSON.
    for _ in range(2):
        if isinstance(read, str):
            try:
                read = json.loads(read, parse_constant=_no_json)
            except (ValueError, RecursionError):
                return text
    return cast("Json", read) if isinstance(read, dict) else text


def _no_json(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _usage(fields: Json) -> Usage:
    details = as_object(fields.get("prompt_tokens_details"))
    cached = as_count(details.get("cached_tokens"))
    prompt = as_count(fields.get("prompt_tokens"))
    return Usage(
        prompt=max(prompt - cached, 0),
        completion=as_count(fields.get("completion_tokens")),
        cache_read=min(cached, prompt),
    )
