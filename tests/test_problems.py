"""What pydantic refuses is told in plain words, whatever the kind of the problem."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from pydantic_core.core_schema import ErrorType

from groundwire.problems import phrase

# What only Python code can do wrong: no text, file or message holds such a value.
OF_PYTHON = {
    *("no_such_attribute", "needs_python_object", "frozen_field", "frozen_instance"),
    *("get_attribute_error", "default_factory_not_called", "is_instance_of", "is_subclass_of"),
    *("callable_type", "arguments_type", "missing_keyword_only_argument"),
    *("unexpected_positional_argument", "missing_positional_only_argument"),
    *("multiple_argument_values", "missing_sentinel_error", "ellipsis_error"),
}


def short(text: str) -> str:
    if len(text) > 3:
        raise ValueError("a name is short, send\n  three letters")
    return text


@pytest.mark.parametrize(
    ("wanted", "value", "said"),
    [
        (str, 5, "must be a text"),
        (int, "many", "must be a whole number"),
        (int, 1.5, "must be a whole number"),
        (int, float("inf"), "must be a finite number"),
        (int, "9" * 5_000, "must be a whole number of fewer digits"),
        (float, [], "must be a number"),
        (bool, "perhaps", "must be true or false"),
        (date, "soon", "must be a date such as 2024-03-31"),
        (list[int], 5, 'must be a list, such as ["a", "b"]'),
        (dict[str, int], [], "must be an object"),
        (Annotated[int, Field(ge=1)], 0, "must be at least 1"),
        (Annotated[int, Field(le=5_000)], 5_001, "must be at most 5,000"),
        (Annotated[float, Field(ge=0)], -1, "must be at least 0"),
        (Annotated[float, Field(gt=0.5)], 0, "must be more than 0.5"),
        (Annotated[str, Field(min_length=1)], "", "must have at least 1 character"),
        (
            Annotated[str, Field(max_length=2_000)],
            "x" * 2_001,
            "must have at most 2,000 characters",
        ),
        (
            Annotated[tuple[int, ...], Field(max_length=2)],
            [1] * 3,
            "must have at most 2 entries, not 3",
        ),
        (Annotated[list[int], Field(min_length=1)], [], "must have at least 1 entry, not 0"),
        (Annotated[str, Field(pattern="^a+$")], "b", "must have the form ^a+$"),
        (Annotated[Decimal, Field(max_digits=3)], "12345", "must have at most 3 digits"),
        (Literal["a", "b"], "c", "must be 'a' or 'b'"),
        (
            Annotated[str, Field(max_length=5)],
            "\ud800",
            "must be plain text: it holds half of a character",
        ),
        (Annotated[str, AfterValidator(short)], "long", "a name is short, send three letters"),
    ],
)
def test_a_problem_says_what_the_value_must_be(wanted: Any, value: object, said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(wanted).validate_python(value)
    (problem,) = refused.value.errors()
    assert phrase(problem) == said


@pytest.mark.parametrize("kind", sorted(set(get_args(ErrorType)) - OF_PYTHON))
def test_every_kind_of_problem_has_words_of_its_own(kind: Any) -> None:
    context: dict[str, Any] = defaultdict(lambda: 1)
    said = phrase({"type": kind, "loc": (), "input": 1, "msg": "Value error, ours", "ctx": context})
    assert said != "is nothing that can be used here"
    assert said.startswith(("must ", "is missing", "is no name", "lies in", "ours"))


def test_a_kind_that_is_not_known_still_quotes_nothing_of_pydantic() -> None:
    said = phrase({"type": "of_tomorrow", "loc": (), "input": 1, "msg": "Input should be better"})
    assert said == "is nothing that can be used here"
