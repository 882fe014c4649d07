"""The registry: the servers' own tools, as agents call them."""

from __future__ import annotations

from typing import Any

import pytest
from agent_bench import Bench, Ledger, NoHandles, Said, Shelf

from groundwire.agents.runtime.errors import ToolExecutionFailure
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.serving import GroundwireServer, Toolset, build_server, tool

pytestmark = pytest.mark.anyio


def server(*toolsets: Toolset, home: Any) -> GroundwireServer:
    return build_server(
        "toys", toolsets, settings=Settings(home=home), handles=NoHandles(), ledger=Ledger()
    )


async def test_an_answer_carries_its_evidence_and_its_data(bench: Bench) -> None:
    answer = await bench.registry.call("look_up", {"thing": "cars"})
    assert answer.evidence_id == answer.data["evidence_id"] == "ev_00000001"
    assert answer.data["value_text"] == "42"
    assert '"value_text":"42"' in answer.text
    assert not answer.is_error


async def test_the_schemas_are_those_of_the_server_and_made_once(bench: Bench) -> None:
    await bench.registry.open()
    (spec,) = bench.registry.specs(("look_up",))
    assert bench.registry.specs(("look_up",))[0] is spec
    assert spec.input_schema["type"] == "object"
    assert spec.input_schema["required"] == ["thing"]
    with pytest.raises(ConfigurationError, match="did you mean look_up"):
        bench.registry.specs(("lookup",))


async def test_annotations_say_what_may_be_repeated(bench: Bench) -> None:
    await bench.registry.open()
    kinds = {
        name: (found.read_only, found.idempotent, found.open_world)
        for name in ("look_up", "arrivals", "remember")
        if (found := bench.registry.get(name))
    }
    assert kinds == {
        "look_up": (True, True, False),
        "arrivals": (True, True, True),
        "remember": (False, False, False),
    }


async def test_a_tool_that_does_not_exist_is_told(bench: Bench) -> None:
    with pytest.raises(ToolExecutionFailure, match="does not exist"):
        await bench.registry.call("nothing", {})


async def test_resources_are_read_from_the_server_that_has_them(bench: Bench) -> None:
    assert await bench.registry.read("shelf://cars") == "cars stand on the shelf."
    with pytest.raises(ToolExecutionFailure, match="there is no boots"):
        await bench.registry.read("shelf://boots")
    with pytest.raises(ToolExecutionFailure, match="other://cars could not be read"):
        await bench.registry.read("other://cars")


class Twin(Toolset):
    name = "twin"

    @tool("Look up", read_only=True, idempotent=True, open_world=False)
    async def look_up(self, other: str) -> Said:
        """Look elsewhere."""
        return Said(answer=other)


async def test_two_tools_of_one_name_are_refused_unless_they_are_the_same(tmp_path: Any) -> None:
    same = ToolRegistry(server(Shelf(), home=tmp_path), server(Shelf(), home=tmp_path))
    async with same:
        assert "look_up" in same.names()
    with pytest.raises(ConfigurationError, match="different tools called look_up"):
        await ToolRegistry(server(Shelf(), home=tmp_path), server(Twin(), home=tmp_path)).open()
