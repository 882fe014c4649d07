"""What hosts are offered of each agent: a folder with a `tool` in it is all that it takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mcp import Client

from groundwire import agents
from groundwire.agents import folders
from groundwire.agents.offers import offers
from groundwire.config import Settings
from groundwire.servers.agents import build

AGENT = """
name = "shelf_agent"
version = "1.0.0"
title = "Shelf"
role = "a keeper"
"""
TOOL = """
from pydantic import BaseModel, ConfigDict

from groundwire.agents.offers import Offer


class Which(BaseModel):
    model_config = ConfigDict(extra="forbid")

    shelf: int


OFFER = Offer(
    title="Ask the keeper",
    description="Say what stands on a shelf.",
    takes="instruction",
    read_only=False,
    writes_files=True,
    structured=Which,
)
"""
pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def another_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of one more agent, beside those of the package."""
    for name, text in {"__init__.py": "", "agent.toml": AGENT, "tool.py": TOOL}.items():
        path = tmp_path / "shelf_agent" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    known = folders.folders()
    monkeypatch.setattr(
        "groundwire.agents.offers.folders",
        lambda: {**known, "shelf_agent": tmp_path / "shelf_agent"},
    )
    monkeypatch.setattr(agents, "__path__", [*agents.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "groundwire.agents.shelf_agent.tool", raising=False)


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
    assert list(listed)[len(folders.offered())] == "shelf_agent", "it comes after those of a place"
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
    assert "shelf" in tool.input_schema["properties"]["input_structured"]["properties"]


async def test_a_tool_that_writes_files_is_hidden_by_read_only(
    another_agent: None, tmp_path: Path
) -> None:
    server = build(Settings(home=tmp_path / "home", read_only=True))
    assert "shelf_agent" not in [one.name for one in await server.list_tools()]
    server.close()


def test_agents_with_a_tool_are_known_from_their_folders_alone() -> None:
    for toolset in TOOLSETS:
        assert set(folders.offered(toolset)) == set(offers(toolset))


def test_an_agent_without_a_tool_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("open_agent", "inner_agent"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "agent.toml").touch()
    (tmp_path / "open_agent" / "tool.py").touch()
    monkeypatch.setattr(folders, "HERE", tmp_path)
    assert folders.offered() == ("open_agent",)
