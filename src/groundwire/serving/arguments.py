"""The arguments of a tool: published as a slim schema, read leniently, refused strictly.

Hosts send arrays and objects as JSON strings, a bare value for a list of one, and blanks for
absent optional arguments: `fitted` reads them where there is only one way to. Everything else is
left as it is, and the validation refuses it with one line that says what to send instead.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, cast, get_args, get_origin

from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from pydantic import AliasChoices, BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from groundwire.errors import InputError
from groundwire.problems import phrase
from groundwire.serving.handles import Cursor
from groundwire.serving.refusals import cut, nearest, one_line, quoted
from groundwire.serving.schemas import JsonSchema, input_schema

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails


class Spread:
    """Marks a parameter whose model's fields are arguments of the tool themselves.

    `options: Annotated[Options, SPREAD]` publishes every field of `Options` beside the other
    arguments; the body gets the model, with the fields set that were sent.
    """


SPREAD = Spread()


class ArgumentModel(ArgModelBase):
    """Base of every tool's arguments: nothing unknown gets past it."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid", populate_by_name=True)


@dataclass(frozen=True, slots=True)
class Given:
    """Arguments that were accepted.

    Attributes:
        values: by parameter name, validated.
        normalized: the same as JSON values, without what is absent; the cursor is not among
            them, since it does not belong to the question.
        cursor: what was sent as the cursor, or None where the tool has none.
    """

    values: dict[str, Any]
    normalized: dict[str, Any]
    cursor: Cursor | None


class Arguments:
    """The arguments of one tool.

    Attributes:
        model: the validating model, one field a parameter.
        schema: what is published.
        cursor: name of the parameter of type `Cursor`, or None.
    """

    def __init__(self, fn: Callable[..., Any], skip: frozenset[str] = frozenset()) -> None:
        """Read the signature of `fn`.

        Args:
            fn: the tool's body; its annotations and `Field` descriptions are published.
            skip: parameters that are not the caller's (context, resolved ones).

        Raises:
            TypeError: the signature cannot be published, or would drop misspelt keys silently.
        """
        fields: dict[str, Any] = {}
        self._spread: dict[str, type[BaseModel]] = {}
        self.cursor: str | None = None
        for name, parameter in inspect.signature(fn, eval_str=True).parameters.items():
            if name in skip:
                continue
            if parameter.annotation is inspect.Parameter.empty or hasattr(BaseModel, name):
                raise TypeError(f"argument {name!r} lacks a type or has a name of pydantic's own")
            if parameter.annotation is Cursor or Cursor in get_args(parameter.annotation):
                self.cursor = name
            if SPREAD in get_args(parameter.annotation):
                model: type[BaseModel] = get_args(parameter.annotation)[0]
                self._spread[name] = model
                fields |= {
                    key: (_annotated(info), info) for key, info in model.model_fields.items()
                }
                continue
            default = parameter.default
            fields[name] = (
                parameter.annotation,
                ... if default is inspect.Parameter.empty else default,
            )
        self.model: type[ArgumentModel] = create_model(
            f"{getattr(fn, '__name__', 'tool')}_arguments", __base__=ArgumentModel, **fields
        )
        for nested in _models(self.model, set()):
            if "extra" not in nested.model_config:
                raise TypeError(
                    f"{nested.__name__} is an argument and does not say what happens to unknown "
                    'keys: set model_config = ConfigDict(extra="forbid")'
                )
        self.schema: JsonSchema = input_schema(self.model)
        self._aliases = dict(_aliases(self.model))

    @property
    def names(self) -> frozenset[str]:
        """Names of the parameters that the body gets, as a resolver may ask for them."""
        apart = {key for kind in self._spread.values() for key in kind.model_fields}
        return frozenset(self.model.model_fields) - apart | self._spread.keys()

    def read(self, sent: Mapping[str, Any]) -> Given:
        """Validate what was sent.

        Raises:
            InputError: one line that says what to send instead.
        """
        renamed = {self._aliases.get(key, key): value for key, value in sent.items()}
        if len(renamed) < len(sent):
            twice = next(name for alias, name in self._aliases.items() if alias in sent)
            raise InputError(f"`{twice}` was sent twice, under two names: send it once.")
        try:
            model = self.model.model_validate(fitted(renamed, self.schema, self.schema))
        except ValidationError as exc:
            raise InputError(refusal(exc, self.schema, self.model)) from exc
        values: dict[str, Any] = {name: getattr(model, name) for name in self.model.model_fields}
        for name, kind in self._spread.items():
            gathered = {key: values.pop(key) for key in kind.model_fields}
            sent_of_it = model.model_fields_set & gathered.keys()
            values[name] = kind.model_construct(sent_of_it, **gathered)
        normalized = model.model_dump(
            mode="json", exclude_none=True, exclude={self.cursor} if self.cursor else None
        )
        return Given(values, normalized, values[self.cursor] if self.cursor else None)


def _annotated(info: FieldInfo) -> Any:
    """The annotation of a field with what constrains it."""
    return Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation


def _aliases(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Other names of arguments, from `validation_alias=AliasChoices(...)`."""
    for name, info in model.model_fields.items():
        choices = info.validation_alias
        if isinstance(choices, AliasChoices):
            yield from (
                (alias, name)
                for alias in choices.choices
                if isinstance(alias, str) and alias != name
            )


def _models(annotation: Any, seen: set[Any]) -> Iterator[type[BaseModel]]:
    """Every pydantic model inside an annotation."""
    if isinstance(annotation, FieldInfo):
        yield from _models(annotation.annotation, seen)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if annotation not in seen:
            seen.add(annotation)
            yield annotation
            for info in annotation.model_fields.values():
                yield from _models(info, seen)
    else:
        for inner in get_args(annotation):
            yield from _models(inner, seen)


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
    """Return `value` in the form that `schema` wants, or unchanged where that is not certain.

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
    """Return a number as the text that is wanted; one of thousands of digits stays a number."""
    try:
        return json.dumps(number)
    except ValueError:
        return number


def _unpacked(text: str, kinds: set[str | None]) -> object:
    """Return the object or list that a JSON text holds, where one is wanted."""
    if not kinds & {"object", "array"} or not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _as_list(value: object, kinds: set[str | None]) -> object:
    """Return a single value as a list; a text with commas might be several, so it stays."""
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
    """Return the listed word that a text spells otherwise ("DESC", "by-name"), if only one fits."""
    if not isinstance(value, str):
        return value
    listed = [name for option in options for name in cast("list[Any]", option.get("enum", ()))]
    if not listed or value in listed:
        return value
    alike = [name for name in listed if isinstance(name, str) and _folded(name) == _folded(value)]
    return alike[0] if len(alike) == 1 else value


def _folded(text: str) -> str:
    return _SEPARATORS.sub("_", text.strip()).casefold()


SHOWN_PROBLEMS = 5
# What the types of JSON Schema are called to people.
_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "an object",
    "string": "a text",
}


def refusal(error: ValidationError, schema: Schema, model: type[BaseModel]) -> str:
    """Return the line that a model can act on.

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
        return f"no argument `{cut(key)}`{hint} arguments are: {listed}"
    return f"no `{cut(key)}` in `{_path(parents)}`{hint} it takes: {listed}"


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
    listed = ", ".join(str(word) for word in words if word != "")
    return f"one of {listed}; got {quoted(problem['input'])}{hint}"
