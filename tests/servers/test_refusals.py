"""Whatever is sent to a tool is refused in the words of this house, never in pydantic's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli.registry import SERVERS, build
from groundwire.config import Settings
from groundwire.errors import InputError
from groundwire.serving.arguments import branches

WRONG: list[Any] = [
    *[None, True, 0, -1, 1.5, 10**9, 10**40, float("inf"), float("nan")],
    *["", "text", "nan", "x" * 9_000, "\x00", "\ud800", "[1", '{"a":'],
    *[[], [None], [[]], [{}], [True], [1.5], ["a"] * 300, {}, {"a": 1}, {"any_of": ["a"] * 300}],
]
DEPTH = 3
PYDANTIC = re.compile(
    r"pydantic|https?://errors|Tuple|List should|Input |should be|should have|validation"
    r"|Value error|Assertion|Field required|Extra inputs|valid (string|integer|number|boolean)"
    r"|raw data|unable to parse|\bctx\b|_type\b|_parsing\b"
)


def wrong(schema: Any, root: Any, depth: int = DEPTH) -> Iterator[Any]:
    """Values of every kind, in the place of `schema` and in every place inside it."""
    yield from WRONG
    for branch in branches(schema, root) if depth else ():
        for name, inner in (branch.get("properties") or {}).items():
            yield from ({name: value} for value in wrong(inner, root, depth - 1))
        if branch.get("items"):
            yield from ([value] for value in wrong(branch["items"], root, depth - 1))
        others = branch.get("additionalProperties")
        if isinstance(others, dict) and others:
            yield from ({"country": value} for value in wrong(others, root, depth - 1))


@pytest.mark.parametrize("server", [name for name in SERVERS if name != "all"])
def test_no_refusal_speaks_of_how_arguments_are_read(server: str, tmp_path: Path) -> None:
    built = build(server, Settings(home=tmp_path))
    refused = 0
    try:
        for tool in built._tool_manager.list_tools():
            arguments: Any = tool._arguments  # type: ignore[attr-defined]
            for name, schema in arguments.schema.get("properties", {}).items():
                for value in wrong(schema, arguments.schema):
                    try:
                        arguments.read({name: value})
                    except InputError as exc:
                        refused += 1
                        assert not PYDANTIC.search(str(exc)), str(exc)
                        assert "\n" not in str(exc)
    finally:
        built.close()
    assert refused > 500
