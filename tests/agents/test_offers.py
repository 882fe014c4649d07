"""The tool that hosts are offered for each agent: the table `offer` in its file is all it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import Client

from groundwire import agents
from groundwire.agents import folders
from groundwire.agents.offers import offers
from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.servers.agents import build

AGENT = """
name = "shelf_agent"
version = "1.0.0"
title = "Shelf"
role = "a keeper"

[offer]
title = "Ask the keeper"
description = "Say what stands on a shelf."
takes = "instruction"
read_only = false
writes_files = true
structured = "plan"
"""
pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def another_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of one more agent, beside those of the package."""
    for name, text in {"__init__.py": "", "agent.toml": AGENT}.items():
        path = tmp_path / "shelf_agent" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    known = folders.folders()
    monkeypatch.setattr(
        "groundwire.agents.offers.folders",
        lambda: {**known, "shelf_agent": tmp_path / "shelf_agent"},
    )
    monkeypatch.setattr(agents, "__path__", [*agents.__path__, str(tmp_path)])


TOOLSETS = ("agents", "learning_agents")


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_agent_has_a_tool_and_a_place(toolset: str) -> None:
    offered = offers(toolset)
    assert [one.place for one in offered.values()] == list(range(1, len(offered) + 1))


def test_every_agent_is_of_one_toolset() -> None:
    of_toolsets = [name for toolset in TOOLSETS for name in offers(toolset)]
    assert sorted(of_toolsets) == sorted(folders.folders())


async def test_a_folder_is_all_that_a_tool_takes(another_agent: None, tmp_path: Path) -> None:
    server = build(Settings(home=tmp_path / "home"))
    async with Client(server) as client:
        listed = {one.name: one for one in (await client.list_tools()).tools}
    server.close()
    assert list(listed)[len(offers()) - 1] == "shelf_agent", "it comes after those of a place"
    tool = listed["shelf_agent"]
    assert (tool.title, tool.description) == ("Ask the keeper", "Say what stands on a shelf.")
    assert tool.annotations is not None and tool.annotations.read_only_hint is False
    assert tuple(tool.input_schema["properties"]) == (
        "input_prompt",
        "input_structured",
        "context",
        "budget",
        "include_trace",
    )
    assert "plan_index" in tool.input_schema["properties"]["input_structured"]["properties"]


async def test_a_tool_that_writes_files_is_hidden_by_read_only(
    another_agent: None, tmp_path: Path
) -> None:
    server = build(Settings(home=tmp_path / "home", read_only=True))
    assert "shelf_agent" not in [one.name for one in await server.list_tools()]
    server.close()


def test_an_agent_without_an_offer_is_not_offered(another_agent: None, tmp_path: Path) -> None:
    assert list(offers())[-1] == "shelf_agent"
    file = tmp_path / "shelf_agent" / "agent.toml"
    file.write_text(AGENT.partition("[offer]")[0], "utf-8")
    assert "shelf_agent" not in offers()


def test_an_offer_that_is_not_valid_is_refused(another_agent: None, tmp_path: Path) -> None:
    file = tmp_path / "shelf_agent" / "agent.toml"
    file.write_text(AGENT.replace("takes", "gives"), "utf-8")
    with pytest.raises(ConfigurationError, match="takes"):
        offers()
