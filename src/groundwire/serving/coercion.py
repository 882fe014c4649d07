"""Fitting of what hosts send to a JSON Schema, where there is only one way to read it.

Hosts send arrays and objects as JSON strings, a bare value for a list of one, and blanks for
absent optional arguments. Everything else is left as it is, for the validation to refuse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

Schema = Mapping[str, Any]

MAX_DEPTH = 40
_BLANK_WORDS = frozenset({"null", "none", "undefined"})
_SEPARATORS = re.compile(r"[\s_\-]+")


def resolved(schema: Schema, root: Schema) -> Schema:
    """`schema` with a local `$ref` followed; keywords beside the reference win."""
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    target = root.get("$defs", {}).get(reference.rpartition("/")[2], {})
    return {**target, **{key: value for key, value in schema.items() if key != "$ref"}}


def branches(schema: Schema, root: Schema) -> list[Schema]:
    """The alternatives of a schema: itself, or the members of its `anyOf`."""
    schema = resolved(schema, root)
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if not alternatives:
        return [schema]
    return [branch for one in alternatives for branch in branches(one, root)]


def fitted(value: object, schema: Schema, root: Schema, depth: int = 0) -> object:
    """`value` as `schema` wants it, or unchanged where nothing certain can be done.

    Args:
        value: what was sent, as parsed JSON.
        schema: the schema of this place.
        root: the whole schema, for its `$defs`.
        depth: how deep this place lies; below `MAX_DEPTH` nothing is touched.
    """
    options = branches(schema, root)
    kinds = {_kind(option) for option in options}
    if depth > MAX_DEPTH or None in kinds:
        return value
    if isinstance(value, str) and "string" not in kinds:
        value = _unpacked(value, kinds)
    if "array" in kinds:
        value = _as_list(value, kinds)
    elif kinds == {"string"} and type(value) in (int, float):
        value = _as_text(value)
    for option in options:
        kind = _kind(option)
        if isinstance(value, Mapping) and kind == "object":
            return _fitted_object(cast("Mapping[str, object]", value), option, root, depth)
        if isinstance(value, list) and kind == "array":
            items = cast("Schema", option.get("items") or {})
            entries = cast("list[object]", value)
            return [fitted(entry, items, root, depth + 1) for entry in entries]
    return _as_listed(cast("object", value), options)


def _kind(schema: Schema) -> str | None:
    """The JSON type that a schema without alternatives accepts, or None for any."""
    kind = schema.get("type")
    if kind is None and ("enum" in schema or "const" in schema):
        return "string"
    if kind is None and "properties" in schema:
        return "object"
    return kind if isinstance(kind, str) else None


def _as_text(number: object) -> object:
    """A number where a text is wanted; one of thousands of digits is none that anybody meant."""
    try:
        return json.dumps(number)
    except ValueError:
        return number


def _unpacked(text: str, kinds: set[str | None]) -> object:
    """A JSON text of an object or array where one is wanted."""
    if not kinds & {"object", "array"} or not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _as_list(value: object, kinds: set[str | None]) -> object:
    """A single value where a list is wanted; a text with commas might be several, so it stays."""
    if isinstance(value, list) or value is None:
        return cast("object", value)
    if isinstance(value, Mapping):
        entry = cast("object", value)
        return entry if "object" in kinds else [entry]
    if isinstance(value, str):
        is_single = "," not in value and not value.lstrip().startswith(("{", "["))
        return [value] if is_single and "string" not in kinds else value
    return value if kinds & {"integer", "number", "boolean"} else [value]


def _fitted_object(
    value: Mapping[str, object], schema: Schema, root: Schema, depth: int
) -> dict[str, object]:
    properties = cast("Mapping[str, Schema]", schema.get("properties") or {})
    required = set(cast("list[str]", schema.get("required") or []))
    others = schema.get("additionalProperties")
    result: dict[str, object] = {}
    for key, entry in value.items():
        place = properties.get(key)
        if place is not None:
            if key not in required and is_blank(entry, place, root):
                continue
            result[key] = fitted(entry, place, root, depth + 1)
        elif isinstance(others, Mapping) and others:
            result[key] = fitted(entry, cast("Schema", others), root, depth + 1)
        else:
            result[key] = entry
    return result


def is_blank(value: object, schema: Schema, root: Schema) -> bool:
    """Whether `value` stands for an absent optional argument.

    `null`, an empty text and the word "null" are blanks anywhere; "none" and "undefined" only
    where no free text is expected, since they can be searched for.
    """
    if value is None:
        return True
    if not isinstance(value, str):
        return False
    word = value.strip().casefold()
    if not word:
        return True
    if word not in _BLANK_WORDS:
        return False
    options = branches(schema, root)
    listed = {str(name).casefold() for option in options for name in option.get("enum", ())}
    if word in listed:
        return False
    free_text = any(_kind(option) in ("string", None) and not listed for option in options)
    return word == "null" or not free_text


def _as_listed(value: object, options: list[Schema]) -> object:
    """A listed word in another spelling ("DESC", "by-name"), if it can only be one of them."""
    if not isinstance(value, str):
        return value
    listed = [name for option in options for name in cast("list[Any]", option.get("enum", ()))]
    if not listed or value in listed:
        return value
    alike = [name for name in listed if isinstance(name, str) and _folded(name) == _folded(value)]
    return alike[0] if len(alike) == 1 else value


def _folded(text: str) -> str:
    return _SEPARATORS.sub("_", text.strip()).casefold()
