"""The arguments of a tool: published as a slim schema, read leniently, refused strictly."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from pydantic import AliasChoices, BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from groundwire.errors import InputError
from groundwire.serving.coercion import fitted
from groundwire.serving.cursors import Cursor
from groundwire.serving.refusals import refusal
from groundwire.serving.schemas import JsonSchema, input_schema


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
