"""What models read."""

from __future__ import annotations

from typing import Any

from groundwire.agents.runtime.contract import AgentInput, ToolAnswer
from groundwire.agents.runtime.hints import AgentHints
from groundwire.agents.runtime.model import ToolSpec
from groundwire.agents.runtime.prompts import (
    LONGEST_THOUGHT,
    as_thought,
    format_input,
    format_observation,
    format_tool_description,
)

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "thing": {"type": "string", "description": "Name of it. E.g. cars."},
        "size": {"enum": ["big", "small"]},
        "years": {"type": "array", "items": {"type": "integer"}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["thing", "size"],
}
TOOL = ToolSpec("look_up", "Look it up.\n\nNames are exact.", SCHEMA)


def test_format_input_is_the_question_alone() -> None:
    assert format_input(AgentInput(question="How many?")) == "How many?"


def test_format_input_renders_structured_values_as_a_block() -> None:
    asked = AgentInput.model_validate(
        {
            "question": "Draw it.",
            "reference_date": "2026-11-21",
            "context": {"journey_index": 2, "places": {"home": "Bank"}},
            "constraints": {"max_time_ms": 5},
        }
    )
    assert format_input(asked) == (
        "Draw it.\n\nVariables:\n"
        'reference_date = "2026-11-21"\njourney_index = 2\nplaces = {"home":"Bank"}'
    )


def test_format_tool_description_has_parameters_and_an_example() -> None:
    assert format_tool_description(TOOL) == (
        "- look_up: Look it up.\n"
        "  Names are exact.\n"
        "  Parameters:\n"
        "    thing (string, required): Name of it. E.g. cars.\n"
        "    size (one of big, small, required)\n"
        "    years (list of integer, optional)\n"
        "    note (string or null, optional)\n"
        '  Example: {"thing":"cars","size":"big"}'
    )


def test_format_tool_description_is_brief_where_the_schema_is_sent() -> None:
    assert format_tool_description(TOOL, {"thing": "boats", "size": "small"}, brief=True) == (
        "- look_up: Look it up.\n"
        "  Parameters: thing, size, years?, note?\n"
        '  Example: {"thing":"boats","size":"small"}'
    )


def test_format_observation_cuts_and_tells_the_hints() -> None:
    answer = ToolAnswer("t", {}, "a" * 1_000, {})
    hints = AgentHints(source_quality="medium", risk_factors=("something was left out",))
    lines = format_observation(answer, hints, 100).split("\n")
    assert lines[0] == "a" * 100
    assert lines[1].startswith("[Cut: the first 100 of 1,000 characters are shown.")
    assert lines[2:] == ["Source quality: medium", "Mind: something was left out"]


def test_format_observation_shows_errors_and_empty_answers() -> None:
    assert (
        format_observation(ToolAnswer("t", {}, "send more", {}, is_error=True), AgentHints(), 100)
        == "Refused: send more"
    )
    assert format_observation(ToolAnswer("t", {}, "", {"a": 1}), AgentHints(), 100) == '{"a":1}'


def test_a_thought_is_bounded_and_holds_nothing_that_acts() -> None:
    assert as_thought("one\x1b[2J \u202etwo\nthree\t") == "one two\nthree\t"
    long = as_thought("x" * (LONGEST_THOUGHT + 1))
    assert long.startswith("x" * LONGEST_THOUGHT)
    assert "Cut: the first 4,000 of 4,001 characters" in long
