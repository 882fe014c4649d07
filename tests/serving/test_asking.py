"""Tools that ask the user on their way, and tools that report progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from mcp import Client
from mcp.server.mcpserver import Context, Elicit, Resolve
from mcp_types import ElicitResult
from pydantic import BaseModel

from groundwire.config import Settings
from groundwire.serving import Toolset, build_server, tool

pytestmark = pytest.mark.anyio


class Place(BaseModel):
    name: str


class Trip(BaseModel):
    answer: str
    start: str


async def which_place(start: str, ctx: Context) -> Place | Elicit[Place]:
    """The place itself, or the user's choice where the host can ask."""
    capabilities = ctx.client_capabilities
    if start != "Newport" or capabilities is None or capabilities.elicitation is None:
        return Place(name=start)
    return Elicit("Which Newport?", Place)


class Trips(Toolset):
    name = "trips"

    @tool("Plan", read_only=True, idempotent=True, open_world=False)
    async def plan(
        self, start: str, place: Annotated[Place, Resolve(which_place)], context: Context
    ) -> Trip:
        """Plan a trip."""
        await context.report_progress(1, 2, "half way")
        return Trip(answer=f"From {place.name}.", start=place.name)


@pytest.fixture
def server(bench: Any) -> Any:
    settings = Settings(Path("/nowhere"))
    return build_server("trips", [Trips()], settings=settings, handles=bench.handles)


async def test_an_argument_that_the_server_finds_is_not_published(server: Any) -> None:
    (listed,) = await server.list_tools()
    assert set(listed.input_schema["properties"]) == {"start"}


async def test_the_user_is_asked_where_the_host_can(server: Any, era: str) -> None:
    async def choose(context: object, params: Any) -> ElicitResult:
        assert params.message == "Which Newport?"
        return ElicitResult(action="accept", content={"name": "Newport, Wales"})

    async with Client(server, mode=era, elicitation_callback=choose) as client:
        result = await client.call_tool("plan", {"start": "Newport"})
    assert result.structured_content == {
        "answer": "From Newport, Wales.",
        "start": "Newport, Wales",
    }


async def test_a_host_that_cannot_ask_gets_an_answer(server: Any, era: str) -> None:
    async with Client(server, mode=era) as client:
        result = await client.call_tool("plan", {"start": "Newport"})
    assert result.structured_content["start"] == "Newport"


async def test_a_found_argument_cannot_be_smuggled_in(server: Any, era: str) -> None:
    async with Client(server, mode=era) as client:
        result = await client.call_tool("plan", {"start": "Bath", "place": {"name": "Rome"}})
    assert result.is_error
    assert result.content[0].text == "no argument `place`; arguments are: start"


async def test_progress_reaches_the_host(server: Any, era: str) -> None:
    seen: list[Any] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async with Client(server, mode=era) as client:
        await client.call_tool("plan", {"start": "Bath"}, progress_callback=note)
    assert seen == [(1, 2, "half way")]


def test_a_toolset_is_closed_with_its_server(make_bench: Callable[..., Any]) -> None:
    bench = make_bench()
    bench.server.close()
    assert bench.sample.closed == 1
