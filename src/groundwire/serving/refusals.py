"""One line for every refusal: what is wrong with the arguments and what to send instead."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from groundwire.problems import phrase
from groundwire.serving.coercion import Schema, branches, resolved

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

SHOWN_PROBLEMS = 5
SHOWN_CHARACTERS = 60
# What the types of JSON Schema are called to people.
_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "an object",
    "string": "a text",
}


def one_line(text: str) -> str:
    """`text` with every run of white space, line ends among them, as one space."""
    return " ".join(text.split())


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` was most likely meant to be, or None."""
    import difflib

    names = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), names, n=1, cutoff=0.6)
    if found:
        return names[found[0]]
    contained = [name for fold, name in names.items() if len(fold) > 2 and fold in word.casefold()]
    return max(contained, key=len, default=None)


def refusal(error: ValidationError, schema: Schema, model: type[BaseModel]) -> str:
    """The line that a model can act on.

    Args:
        error: why the arguments were refused.
        schema: the published schema of the arguments: the names in it are the names to send.
        model: the model that refused them; it knows names that the schema is too slim to hold.
    """
    lines: dict[tuple[str, ...], str] = {}
    problems = error.errors(include_url=False)
    # A misspelt name may be the reason why another is missing, so it comes first.
    problems.sort(key=lambda problem: problem["type"] != "extra_forbidden")
    for problem in problems:
        place = _published_place(problem["loc"], schema)
        if problem["type"] == "extra_forbidden":
            key = str(problem["loc"][-1])
            place = place if place and place[-1] == key else (*place, key)
            line = _unknown(place, _names_at(model, problem["loc"][:-1]))
        else:
            line = _problem(problem, place, schema)
        # The members of a union each report their own problem with one value: the first that
        # says which words may be sent is worth more than those that name a type.
        if place not in lines or ("one of" in line and "one of" not in lines[place]):
            lines[place] = line
    shown = list(lines.values())[:SHOWN_PROBLEMS]
    rest = len(lines) - len(shown)
    return "; ".join(shown) + (f"; and {rest} more" if rest else "")


def _published_place(loc: Sequence[int | str], schema: Schema) -> tuple[str, ...]:
    """The location without the names of union members and validators, which nobody sends."""
    place: list[str] = []
    nodes = [schema]
    for step in loc:
        inner = _step(nodes, step, schema)
        if inner:
            place.append(f"[{step}]" if isinstance(step, int) else step)
            nodes = inner
    return tuple(place)


def _step(nodes: Iterable[Schema], step: int | str, root: Schema) -> list[Schema]:
    found: list[Schema] = []
    for node in nodes:
        for branch in branches(node, root):
            properties = cast("Mapping[str, Schema]", branch.get("properties") or {})
            if isinstance(step, int):
                if branch.get("type") == "array":
                    found.append(cast("Schema", branch.get("items") or {}))
            elif step in properties:
                found.append(properties[step])
            elif branch.get("type") == "object" and not properties:
                found.append(cast("Schema", branch.get("additionalProperties") or {}))
    return found


def _path(place: Sequence[str]) -> str:
    return ".".join(place).replace(".[", "[")


def _problem(problem: ErrorDetails, place: tuple[str, ...], schema: Schema) -> str:
    kind = problem["type"]
    name = f"`{_path(place)}`" if place else "the arguments"
    if kind == "missing":
        return _missing(str(problem["loc"][-1]), place, schema)
    if kind in ("value_error", "assertion_error"):
        return f"{name}: {phrase(problem)}"
    if kind in ("literal_error", "enum"):
        return f"{name} must be {_choice(problem, place, schema)}"
    return f"{name} {phrase(problem)}; got {quoted(problem['input'])}"


def _unknown(place: Sequence[str], known: Sequence[str]) -> str:
    *parents, key = place
    close = nearest(key, known)
    hint = f"; did you mean `{close}`?" if close else ";"
    listed = ", ".join(known) or "none"
    if not parents:
        return f"no argument `{_cut(key)}`{hint} arguments are: {listed}"
    return f"no `{_cut(key)}` in `{_path(parents)}`{hint} it takes: {listed}"


def _names_at(annotation: Any, loc: Sequence[int | str]) -> list[str]:
    """Names of the fields that the model at `loc` takes, below `annotation`."""
    if not loc:
        return [name for model in _models_of(annotation) for name in _fields(model)]
    step, rest = loc[0], loc[1:]
    for model in _models_of(annotation):
        if step in (fields := _fields(model)):
            return _names_at(fields[str(step)].annotation, rest)
    for member in _members(annotation):
        arguments = get_args(member)
        if get_origin(member) in (list, tuple, Sequence) and isinstance(step, int):
            return _names_at(arguments[0], rest)
        if get_origin(member) in (dict, Mapping) and not _models_of(annotation):
            return _names_at(arguments[1], rest)
    # The name of a union's member or of a validator: no step that anyone sent.
    return _names_at(annotation, rest)


def _members(annotation: Any) -> list[Any]:
    if get_origin(annotation) is Annotated:
        return _members(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [inner for one in get_args(annotation) for inner in _members(one)]
    return [annotation]


def _models_of(annotation: Any) -> list[type[BaseModel]]:
    return [
        member
        for member in _members(annotation)
        if isinstance(member, type) and issubclass(member, BaseModel)
    ]


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {info.alias or name: info for name, info in model.model_fields.items()}


def _missing(key: str, place: tuple[str, ...], schema: Schema) -> str:
    nodes = [schema]
    for step in place:
        nodes = _step(nodes, int(step[1:-1]) if step.startswith("[") else step, schema)
    described: Schema = next((resolved(node, schema) for node in nodes), cast("Schema", {}))
    kind = _KINDS.get(str(described.get("type")))
    about = described.get("description") or kind if place else None
    path = _path(place) if place and place[-1] == key else _path((*place, key))
    return f"`{path}` is missing: send it" + (f" ({one_line(str(about))})" if about else "")


def _choice(problem: ErrorDetails, place: Sequence[str], schema: Schema) -> str:
    nodes = [schema]
    for step in place:
        nodes = _step(nodes, int(step[1:-1]) if step.startswith("[") else step, schema)
    words = [
        word
        for node in nodes
        for branch in branches(node, schema)
        for word in cast("list[Any]", branch.get("enum") or [])
    ]
    if not words:
        return f"{problem.get('ctx', {}).get('expected', '')}; got {quoted(problem['input'])}"
    close = nearest(quoted(problem["input"]).strip('"'), [str(word) for word in words])
    hint = f"; did you mean `{close}`?" if close else ""
    listed = ", ".join(str(word) for word in words)
    return f"one of {listed}; got {quoted(problem['input'])}{hint}"


def quoted(value: object) -> str:
    """Return what was sent, as short JSON; control characters stay escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = type(value).__name__
    return _cut(text)


def _cut(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"
