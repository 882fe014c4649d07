"""Prompts and resources that are not offered, or not as they were asked for."""

from __future__ import annotations

from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

pytestmark = pytest.mark.anyio


async def asked(bench: Any, era: str, name: str, arguments: dict[str, Any]) -> tuple[int, str]:
    """Code and line of a prompt that is refused."""
    async with bench.client(era) as client:
        with pytest.raises(MCPError) as refused:
            await client.get_prompt(name, arguments)
    return refused.value.code, refused.value.message


async def read(bench: Any, era: str, uri: str) -> tuple[int, str]:
    """Code and line of a resource that is refused."""
    async with bench.client(era) as client:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
    return refused.value.code, refused.value.message


async def test_an_unknown_prompt_is_told_those_that_there_are(bench: Any, era: str) -> None:
    assert await asked(bench, era, "how_to", {}) == (
        INVALID_PARAMS,
        'no prompt "how_to"; did you mean `how-to`? prompts are: how-to',
    )


@pytest.mark.parametrize("arguments", [{}, {"subject": ""}, {"subject": " "}])
async def test_an_argument_that_is_required_is_named_where_it_is_missing(
    bench: Any, era: str, arguments: dict[str, str]
) -> None:
    assert await asked(bench, era, "how-to", arguments) == (
        INVALID_PARAMS,
        "`subject` is missing: the prompt `how-to` takes subject.",
    )


async def test_an_argument_that_a_prompt_does_not_take_is_refused(bench: Any, era: str) -> None:
    assert await asked(bench, era, "how-to", {"subjects": "cars"}) == (
        INVALID_PARAMS,
        'no argument "subjects" in the prompt `how-to`; did you mean `subject`? '
        "arguments are: subject",
    )


async def test_an_unknown_resource_is_told_those_that_there_are(bench: Any, era: str) -> None:
    assert await read(bench, era, "samples://cars") == (
        INVALID_PARAMS,
        'no resource "samples://cars"; resources are: sample://{subject}, '
        "groundwire://files/{link}/{name}",
    )


async def test_a_path_is_no_value_of_a_template(bench: Any, era: str) -> None:
    assert await read(bench, era, "sample://..%2Fcars") == (
        INVALID_PARAMS,
        '`subject` of sample://{subject} must be a name, no path; got "sample://..%2Fcars"',
    )


async def test_a_value_that_a_template_has_not_is_the_callers_and_a_locked_shelf_is_not(
    bench: Any, era: str
) -> None:
    code, line = await read(bench, era, "sample://boats")
    assert (code, line) == (INVALID_PARAMS, "there is no subject boats: ask for cars.")
    code, line = await read(bench, era, "sample://down")
    assert (code, line) == (INTERNAL_ERROR, "the shelf is locked: try again later.")
