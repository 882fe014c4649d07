"""Whatever a host sends is answered or refused in one line; nothing fails inside."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from pydantic import BaseModel

from groundwire.errors import InputError
from groundwire.serving.fitting import RESULT_CHARACTERS, fit

pytestmark = pytest.mark.anyio
WORDS = [
    *["", "null", "none", "a", "a, b", "[", "{", '["a"]', '{"country": 1}', "12", "-1", "1e999"],
    *["true", "by_name", "BY NAME", "\x00", "\x1b[2J", "größer", "大", "x" * 3_000, "NaN"],
]
KEYS = [
    *["filters", "country", "lanes", "inner", "limit", "sort", "cursor", "words", "number"],
    *["flag", "text", "mapping", "operator", "endpoint", "endpoint_url", "filter", "", "__class__"],
]


def anything(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(10 if depth < 5 else 7)
    if kind < 3:
        return chance.choice(WORDS)
    if kind < 7:
        return chance.choice([None, True, False, 0, 1, -1, 10**30, 1.5, 1e308, 10**5_000])
    if kind < 8:
        return [anything(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(KEYS): anything(chance, depth + 1) for _ in range(chance.randrange(6))}


@pytest.mark.parametrize("seed", range(4))
async def test_arguments_are_read_or_refused(bench: Any, seed: int) -> None:
    chance = random.Random(seed)
    tools = bench.server._tool_manager.list_tools()
    read = refused = 0
    for _ in range(1_500):
        sent = anything(chance)
        while not isinstance(sent, dict):
            sent = anything(chance)
        arguments = chance.choice(tools)._arguments
        try:
            arguments.read(sent)
            read += 1
        except InputError as exc:
            refused += 1
            line = str(exc)
            assert "\n" not in line and "\x1b" not in line and "\x00" not in line
            assert len(line) < 1_500
            assert "pydantic" not in line and "https://" not in line
    assert read > 50 and refused > 50


async def test_one_call_of_anything_is_answered(bench: Any) -> None:
    chance = random.Random(5)
    async with bench.client() as client:
        for _ in range(150):
            sent = anything(chance)
            name = chance.choice(["find", "echo", "long", "remember", "count"])
            result = await client.call_tool(
                name, sent if isinstance(sent, dict) else {"text": sent}
            )
            text = result.content[0].text
            assert "failed inside" not in text
            assert len(text) <= RESULT_CHARACTERS
            if not result.is_error:
                assert json.loads(text) == result.structured_content


def deep(chance: random.Random, size: int) -> Any:
    """A value of about `size` characters, in any shape."""
    if size < 300 or chance.random() < 0.3:
        return chance.choice(["x", "\u0001", "大", '"']) * size
    parts = [deep(chance, size // 4) for _ in range(4)]
    return parts if chance.random() < 0.5 else {f"key {at}": part for at, part in enumerate(parts)}


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_answered_keeps_to_the_budget(make_echo: Any, seed: int) -> None:
    chance = random.Random(seed)
    result = make_echo(
        answer="y" * chance.choice([10, 10, 30_000]),
        values={f"v{at}": deep(chance, chance.choice([10, 5_000, 60_000])) for at in range(6)},
    )
    fitted = fit(result)
    assert len(fitted.text) <= RESULT_CHARACTERS
    assert json.loads(fitted.text) == fitted.wire
    assert next(iter(fitted.wire)) == "answer"
    assert fitted.cut or len(fitted.text) == len(result.model_dump_json())


class Measured(BaseModel):
    answer: str
    length: float = 0.0


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_never_leave(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        fit(Measured(answer="No number.", length=number))
    assert fit(Measured(answer="NaN and Infinity are words here.")).wire["length"] == 0.0
