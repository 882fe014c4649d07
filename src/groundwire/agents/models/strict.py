"""Schemas as APIs hold models to them, which is a part of JSON Schema within limits.

Sources: what Anthropic and OpenAI say of strict tools and structured outputs. What cannot be said
strictly goes as an ordinary schema, and the server's own check corrects what comes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from groundwire.agents.runtime.model import ToolSpec

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
