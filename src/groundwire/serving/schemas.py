"""The JSON Schemas that a server publishes: small enough for a model's context.

Input schemas lose titles, null-unions, definitions used once, the lengths that texts and lists may
have (what is too long is refused with a line that says so), and what an inner object repeats of the
arguments beside it; output schemas are one level deep, read from the annotations of the result
model. Measured on eleven tools: 41,137 characters from plain models, 20,400 without titles,
null-unions and inner results.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

JsonSchema = dict[str, Any]

HIDDEN_RESULT_FIELDS = frozenset({"next_offset"})
# Sentences that an answer has now and then and that say themselves what they are: no definition
# lists them.
_SELF_EXPLAINING = frozenset({"evidence_error", "left_out"})
_NULL = {"type": "null"}
_BY_TYPE: dict[Any, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    Decimal: "string",
    date: "string",
    datetime: "string",
    time: "string",
}


def input_schema(model: type[BaseModel]) -> JsonSchema:
    """The slim schema of an arguments model.

    It does not forbid other properties, since whoever sends one is told so in words.
    """
    full = model.model_json_schema(by_alias=True)
    definitions = cast("dict[str, JsonSchema]", full.pop("$defs", {}))
    repeated = _repeated_definitions(full, definitions)
    slim = _slim(full, definitions, repeated)
    kept = {name: _slim(definitions[name], definitions, repeated) for name in sorted(repeated)}
    published = _without_repetitions(slim.get("properties", {}))
    schema: JsonSchema = {"type": "object", "properties": published}
    if slim.get("required"):
        schema["required"] = slim["required"]
    if kept:
        schema["$defs"] = kept
    return schema


def _without_repetitions(arguments: JsonSchema) -> JsonSchema:
    """Arguments whose inner objects do not say again what an argument of this name means.

    Several trips take the options that one takes: what an option means is read once.
    """

    def inner(node: Any) -> Any:
        if isinstance(node, list):
            return [inner(one) for one in cast("list[Any]", node)]
        if not isinstance(node, Mapping):
            return node
        schema = {key: inner(value) for key, value in cast("JsonSchema", node).items()}
        if "properties" in schema:
            schema["properties"] = {
                name: _form(one) if one == arguments.get(name) else one
                for name, one in schema["properties"].items()
            }
        return schema

    return {name: inner(one) for name, one in arguments.items()}


def _form(schema: JsonSchema) -> JsonSchema:
    """Return a schema without what is said beside the form of its values, or of its items."""
    said = ("description", "enum", "minimum", "maximum", "default", "examples")
    form = {key: value for key, value in schema.items() if key not in said}
    return form | {"items": _form(form["items"])} if isinstance(form.get("items"), dict) else form


def _repeated_definitions(full: JsonSchema, definitions: Mapping[str, JsonSchema]) -> set[str]:
    """Definitions that are named more than once: recursive ones, and shared ones."""
    counts: dict[str, int] = {}

    def count(node: object) -> None:
        if isinstance(node, Mapping):
            fields = cast("Mapping[str, object]", node)
            reference = fields.get("$ref")
            if isinstance(reference, str):
                name = reference.rpartition("/")[2]
                counts[name] = counts.get(name, 0) + 1
                if counts[name] == 1:
                    count(definitions[name])
            for value in fields.values():
                count(value)
        elif isinstance(node, list):
            for value in cast("list[object]", node):
                count(value)

    count(full)
    return {name for name, times in counts.items() if times > 1}


def _slim(node: Any, definitions: Mapping[str, JsonSchema], repeated: set[str]) -> Any:
    if isinstance(node, list):
        return [_slim(entry, definitions, repeated) for entry in cast("list[Any]", node)]
    if not isinstance(node, Mapping):
        return node
    # First, since what may be null is often a reference.
    schema = _without_null(dict(cast("Mapping[str, Any]", node)))
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.rpartition("/")[2] not in repeated:
        schema.pop("$ref")
        schema = {**definitions[reference.rpartition("/")[2]], **schema}
    schema = _without_null(schema)
    result: JsonSchema = {}
    for key, value in schema.items():
        if key == "properties":
            named = cast("Mapping[str, Any]", value)
            result[key] = {name: _slim(one, definitions, repeated) for name, one in named.items()}
        elif _is_dropped(key, value):
            continue
        elif key == "const":
            # Some hosts know a list of words and no constant.
            result["enum"] = [value]
        elif key in ("enum", "required", "default", "examples"):
            result[key] = value
        else:
            result[key] = _slim(value, definitions, repeated)
    return result


def _is_dropped(key: str, value: object) -> bool:
    """Whether a keyword says nothing, or what few hosts understand.

    That is titles, lengths, defaults that are no news, `additionalProperties` that say all or none,
    and rules for the names of properties.
    """
    if key in ("maxLength", "maxItems") and isinstance(value, int):
        return True
    if key == "default":
        return _is_no_news(value)
    if key == "additionalProperties":
        return isinstance(value, bool) or not value
    return key in ("title", "discriminator", "propertyNames")


def _is_no_news(default: object) -> bool:
    """A default that says no more than that the argument may be left out."""
    return not default or isinstance(default, (dict, list))


def _without_null(schema: JsonSchema) -> JsonSchema:
    """An `anyOf` without its null; what may be left out need not be sent as null."""
    alternatives = schema.get("anyOf")
    if not isinstance(alternatives, list):
        return schema
    rest = [one for one in cast("list[JsonSchema]", alternatives) if one != _NULL]
    others = {key: value for key, value in schema.items() if key != "anyOf"}
    if len(rest) == 1:
        return _without_null({**rest[0], **others})
    return {**others, "anyOf": rest}


def output_schema(model: type[BaseModel]) -> JsonSchema:
    """The schema of a result as it goes over the wire, one level deep, `answer` first.

    Results are dumped without nulls, so a field is required when it cannot be null. Only
    `evidence_id` may be null on the wire: it says that nothing could be recorded. Fields that the
    model names in `unlisted` are left out, as is what explains itself.
    """
    unlisted = cast("frozenset[str]", getattr(model, "unlisted", frozenset[str]()))
    left_out = HIDDEN_RESULT_FIELDS | _SELF_EXPLAINING | unlisted
    names = list(model.model_fields)
    names.sort(key=lambda name: name != "answer")
    properties: JsonSchema = {}
    required: list[str] = []
    for name in names:
        info = model.model_fields[name]
        if info.exclude or name in left_out:
            continue
        published = info.serialization_alias or info.alias or name
        schema, optional = _shallow(info.annotation)
        if name == "evidence_id":
            schema = cast("JsonSchema", {"anyOf": [{"type": "string"}, _NULL]})
        if info.description:
            schema["description"] = info.description
        properties[published] = schema
        if not optional:
            required.append(published)
        if name == "evidence_id" and "evidence_error" in names:
            # Serving adds it beside the handle of what it recorded.
            properties["evidence_seal"] = {"type": "string"}
    return {"type": "object", "properties": properties, "required": required}


def _shallow(annotation: Any) -> tuple[JsonSchema, bool]:
    """The schema of one annotation without what lies inside it, and whether it may be null."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *extras = get_args(annotation)
        schema, optional = _shallow(inner)
        for extra in extras:
            if isinstance(extra, FieldInfo) and extra.description:
                schema["description"] = extra.description
        return schema, optional
    if origin in (Union, types.UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        optional = len(members) < len(get_args(annotation))
        kinds = [_shallow(member)[0] for member in members]
        if len(kinds) == 1:
            return kinds[0], optional
        distinct = [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]]
        return (distinct[0] if len(distinct) == 1 else {"anyOf": distinct}), optional
    if origin is Literal:
        return _listed(get_args(annotation)), False
    if origin is not None:
        return _container(origin, get_args(annotation)), False
    if annotation is Any or not isinstance(annotation, type):
        return {}, annotation is Any
    return _plain(annotation), False


def _listed(words: Sequence[Any]) -> JsonSchema:
    if all(isinstance(word, str) for word in words):
        return {"type": "string", "enum": list(words)}
    return {"enum": list(words)}


def _container(origin: Any, arguments: tuple[Any, ...]) -> JsonSchema:
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object"}
    items = _shallow(arguments[0])[0] if arguments else {}
    if not items:
        return {"type": "array"}
    # One level deep: what the items hold is read from the result, not from the definition.
    inner = {key: items[key] for key in ("type", "enum") if key in items}
    if inner in ({}, {"type": "object"}):
        return {"type": "array"}
    return {"type": "array", "items": inner}


def _plain(annotation: type) -> JsonSchema:
    for known, kind in _BY_TYPE.items():
        if annotation is known:
            return {"type": kind}
    if issubclass(annotation, Enum):
        return _listed([member.value for member in annotation])
    if issubclass(annotation, str):
        return {"type": "string"}
    if issubclass(annotation, (list, tuple, set, frozenset)):
        return {"type": "array"}
    return {"type": "object"}
