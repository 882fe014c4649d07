"""The MCP Inspector over stdio, as hosts of both eras speak."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.interop

TOOL_ERROR = 5


def test_schemas_are_portable(inspect) -> None:
    """`--strict` exits with 6 where a schema breaks some host."""
    listed = inspect("--method", "tools/list", "--strict")
    assert listed.exit_code == 0, listed.said
    assert listed.result["tools"]


@pytest.mark.parametrize("kind", ["resources", "prompts"])
def test_lists(kind: str, inspect) -> None:
    listed = inspect("--method", f"{kind}/list")
    assert listed.exit_code == 0, listed.said
    assert isinstance(listed.result[kind], list)


def call(inspect, chosen):
    arguments = json.dumps(chosen.arguments)
    return inspect(
        "--method", "tools/call", "--tool-name", chosen.tool, "--tool-args-json", arguments
    )


def test_a_call_answers_in_text_and_in_structure(inspect, subject) -> None:
    answer = call(inspect, subject.good)
    assert answer.exit_code == 0, answer.said
    assert answer.result["content"][0]["text"]
    assert answer.result["structuredContent"]


def test_a_refused_call_is_a_tool_error_with_a_text(inspect, subject) -> None:
    answer = call(inspect, subject.bad)
    assert answer.exit_code == TOOL_ERROR, answer.said
    assert answer.result["isError"] is True
    assert answer.result["content"][0]["text"]
