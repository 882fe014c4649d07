"""Which schemas models can be held to, and in which form."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.agents.models.chat_form import ANTHROPIC_LIMITS, OPENAI_LIMITS, StrictBudget


def schema(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    names = list(properties) if required is None else required
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }


TEXT = {"type": "string"}


def test_constraints_that_no_grammar_holds_are_dropped_and_the_rest_stays() -> None:
    given = schema(
        name={"type": "string", "description": "A name.", "minLength": 1, "title": "Name"},
        tags={"type": "array", "items": {"type": "string", "pattern": "a+"}, "maxItems": 3},
        kind={"enum": ["a", "b"]},
        inner=schema(deep={"type": "integer", "minimum": 0}),
        either={"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    )
    assert StrictBudget(ANTHROPIC_LIMITS).take(given) == schema(
        name={"type": "string", "description": "A name."},
        tags={"type": "array", "items": TEXT},
        kind={"enum": ["a", "b"]},
        inner=schema(deep={"type": "integer"}),
        either={"anyOf": [{"type": "string"}, {"type": "null"}]},
    )
    assert given["properties"]["name"]["minLength"] == 1


def test_an_object_that_does_not_say_so_is_closed() -> None:
    strict = StrictBudget(ANTHROPIC_LIMITS).take({"type": "object", "properties": {"a": TEXT}})
    assert strict is not None
    assert strict["additionalProperties"] is False
    assert strict["required"] == []


@pytest.mark.parametrize(
    "free",
    [
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "additionalProperties": True, "properties": {"a": TEXT}},
        {"type": "object"},
        {"$ref": "#/$defs/Node"},
        {"not": TEXT},
        {},
        {"description": "Anything."},
        {"type": "array", "items": {}},
    ],
)
def test_what_cannot_be_held_is_not_promised(free: dict[str, Any]) -> None:
    assert StrictBudget(ANTHROPIC_LIMITS).take(schema(a=free)) is None


def test_large_enumerations_go_without() -> None:
    values = [str(n) for n in range(201)]
    few = StrictBudget(ANTHROPIC_LIMITS).take(schema(a={"enum": values[:200]}))
    assert few is not None
    assert StrictBudget(ANTHROPIC_LIMITS).take(schema(a={"enum": values})) is None


def test_optional_properties_are_counted_over_all_tools_of_a_request() -> None:
    budget = StrictBudget(ANTHROPIC_LIMITS)
    twenty = schema([], **{f"p{n}": TEXT for n in range(20)})
    assert budget.take(twenty)
    assert budget.take(twenty) is None
    assert budget.take(schema(a=TEXT))


def test_some_apis_want_every_property_required() -> None:
    assert StrictBudget(OPENAI_LIMITS).take(schema([], a=TEXT)) is None
    assert StrictBudget(OPENAI_LIMITS).take(schema(a=TEXT))


def test_a_request_has_so_many_strict_tools_and_no_more() -> None:
    budget = StrictBudget(ANTHROPIC_LIMITS)
    taken = [budget.take(schema(a=TEXT)) is not None for _ in range(21)]
    assert taken == [True] * 20 + [False]


def test_depth_ends() -> None:
    deep: dict[str, Any] = TEXT
    for _ in range(9):
        deep = schema(a=deep)
    assert StrictBudget(ANTHROPIC_LIMITS).take(deep) is None
