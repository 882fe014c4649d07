"""The toolset `learning_agents` as hosts see it, over the servers that have it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire import profiles
from groundwire.agents.offers import offers
from groundwire.config import Settings
from groundwire.learning.importing import Places, load_sample
from groundwire.learning.learner import LearningBase
from groundwire.servers import agents, learning
from groundwire.serving import GroundwireServer, definitions_size

pytestmark = pytest.mark.anyio
SERVERS = {"agents": agents.build, "learning": learning.build}
RUNS = ["get_agent_result", "cancel_agent_run"]
LEARNING = list(offers("learning_agents"))
Serve = Callable[..., GroundwireServer]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    made: list[GroundwireServer] = []

    def build(server: str, *toolsets: str, **settings: Any) -> GroundwireServer:
        chosen = Settings(home=tmp_path, toolsets=toolsets, tfl_base_url="offline", **settings)
        made.append(SERVERS[server](chosen))
        return made[-1]

    yield build
    for one in made:
        one.close()


@pytest.fixture
def sample(tmp_path: Path) -> None:
    with LearningBase(tmp_path) as base:
        load_sample(base.learner("local"), Places(*profiles.learning_sample()))


async def names(server: GroundwireServer) -> list[str]:
    return [one.name for one in await server.list_tools()]


@pytest.mark.parametrize("server", SERVERS)
async def test_it_is_offered_by_name_alone_and_within_the_budget(serve: Serve, server: str) -> None:
    assert not set(LEARNING) & set(await names(serve(server)))
    chosen = serve(server, "learning_agents")
    assert sorted(await names(chosen)) == sorted([*LEARNING, *RUNS])
    assert len(LEARNING) == 10
    assert await definitions_size(chosen) <= 20_000


@pytest.mark.parametrize("server", SERVERS)
async def test_it_stands_beside_the_servers_own_tools(serve: Serve, server: str) -> None:
    both = await names(serve(server, server, "learning_agents"))
    own = await names(serve(server, server))
    assert sorted(both) == sorted({*own, *LEARNING, *RUNS})


async def test_read_only_hides_those_that_change_something(serve: Serve) -> None:
    listed = await names(serve("learning", "learning_agents", read_only=True))
    assert "calibration_agent" in listed and "content_generation_agent" not in listed


@pytest.mark.parametrize("server", SERVERS)
async def test_every_one_answers_a_host_without_a_key(
    serve: Serve, server: str, sample: None
) -> None:
    async with Client(serve(server, "learning_agents")) as client:
        for agent in LEARNING:
            done = await client.call_tool(agent, {"include_trace": True})
            assert not done.is_error, done.content
            assert done.structured_content is not None
            told = done.structured_content
            assert (told["success"], told["agent"], told["status"]) == (True, agent, "completed")
            assert told["answer"] == told["result"]["answer"] and told["reasoning"]["steps"]
            again = await client.call_tool("get_agent_result", {"run_id": told["run_id"]})
            assert again.structured_content is not None
            assert again.structured_content["answer"] == told["answer"]
        found = await client.read_resource("agents://metrics")
        kept = json.loads(found.contents[0].text)["agents"]
        assert sorted(kept) == sorted(LEARNING)
        assert all(one["executions"] == 1 and not one["errors"] for one in kept.values())


async def test_inputs_are_arguments_or_stand_in_the_context(serve: Serve, sample: None) -> None:
    deck = {"deck_id": "Tides and harbours", "session_mode": "exam", "count": 1}
    limits = {"max_time": 20_000, "required_quality": 0.5}
    async with Client(serve("learning", "learning_agents")) as client:
        found: list[dict[str, Any]] = []
        for sent in (
            {**deck, "constraints": limits},
            {"context": {**deck, "constraints": limits, "session_id": "s1"}},
        ):
            done = await client.call_tool("learning_agent", sent)
            assert not done.is_error and done.structured_content is not None, done.content
            found.append(done.structured_content["result"])
        first, second = ({k: v for k, v in one.items() if k != "hints"} for one in found)
        assert first == second
        assert len(first["cards"]) == 1 and first["required_quality"] == 0.5


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"session_mode": "sleep"}, "session_mode"),
        ({"count": 51}, "count"),
        ({"card_type": "cloze"}, "card_type"),
        ({"context": {"user_id": 7}}, "context.user_id"),
        ({"constraints": {"max_time": 0}}, "max_time"),
    ],
)
async def test_inputs_that_are_none_are_refused_in_one_line(
    serve: Serve, sent: dict[str, Any], said: str
) -> None:
    async with Client(serve("learning", "learning_agents")) as client:
        done = await client.call_tool("learning_agent", sent)
    assert done.is_error
    line = done.content[0].text
    assert said in line and "\n" not in line and "inside the server" not in line


async def test_a_conversation_with_the_tutor_goes_on(serve: Serve, sample: None) -> None:
    async with Client(serve("learning", "learning_agents")) as client:
        first = (await client.call_tool("socratic_tutor_agent", {})).structured_content
        assert first is not None
        sent = {"question": "No idea", "continue_run_id": first["run_id"]}
        then = (await client.call_tool("socratic_tutor_agent", sent)).structured_content
    assert then is not None
    assert then["result"]["card_id"] == first["result"]["card_id"]
    assert (then["result"]["turn"], then["result"]["hint_depth"]) == (2, 1)
