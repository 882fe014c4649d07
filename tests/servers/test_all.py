"""The server of all toolsets: what it offers, what it leaves unimported, and one state for all."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.servers import agents, journeys, learning, metrics, ontology, sparql
from groundwire.servers.all import DEFAULT_TOOLS, TOOLSETS, build, wanted
from groundwire.servers.composition import state
from groundwire.serving import EvidenceTools, GroundwireServer, Toolset, definitions_size
from groundwire.serving.toolsets import ToolDeclaration

pytestmark = pytest.mark.anyio

DEFAULT = ("ontology", "metrics", "sparql", "journeys")
EVERY = (*DEFAULT, "learning", "agents", "learning_agents")
RUNS = {"get_agent_result", "cancel_agent_run"}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Callable[..., GroundwireServer]]:
    """Builds servers, and closes them."""
    servers: list[GroundwireServer] = []

    def make(**settings: Any) -> GroundwireServer:
        servers.append(build(Settings(home=tmp_path / "home", **settings)))
        return servers[-1]

    yield make
    for server in servers:
        server.close()


Built = Callable[..., GroundwireServer]


async def names(server: GroundwireServer) -> list[str]:
    return [one.name for one in await server.list_tools()]


def declared(toolset: Toolset) -> tuple[str, ...]:
    return tuple(
        name for name, kind, _ in toolset.declarations() if isinstance(kind, ToolDeclaration)
    )


async def test_twelve_tools_within_the_budget_of_definitions_by_default(built: Built) -> None:
    server = built()
    assert sorted(await names(server)) == sorted(DEFAULT_TOOLS)
    assert len(DEFAULT_TOOLS) == 12
    assert await definitions_size(server) <= 20_000


@pytest.mark.parametrize("toolset", EVERY)
async def test_whole_toolsets_are_added_by_name(built: Built, toolset: str) -> None:
    offered = await names(built(toolsets=(toolset,)))
    # The tools for runs are there with whichever agents are.
    of_runs = RUNS if toolset == "learning_agents" else set[str]()
    assert set(offered) == {*DEFAULT_TOOLS, *TOOLSETS[toolset], *of_runs}


async def test_every_toolset_at_once_has_no_name_twice(built: Built) -> None:
    server = built(toolsets=EVERY)
    offered = await names(server)
    assert len(offered) == len(set(offered)) == sum(len(tools) for tools in TOOLSETS.values())
    async with Client(server) as client:
        prompts = [one.name for one in (await client.list_prompts()).prompts]
        resources = [str(one.uri) for one in (await client.list_resources()).resources]
    assert len(prompts) == len(set(prompts)) and len(resources) == len(set(resources))


async def test_single_tools_are_offered_alone(built: Built) -> None:
    assert await names(built(tools=("find_stops", "get_asset"))) == ["get_asset", "find_stops"]
    assert await names(built(tools=("verify_answer",))) == ["verify_answer"]
    both = built(toolsets=("metrics",), tools=("query_metric",))
    assert await names(both) == ["query_metric"]


async def test_read_only_hides_what_changes_or_writes(built: Built) -> None:
    offered = await names(built(toolsets=EVERY, read_only=True))
    hidden = {"set_kg_policy", "draw_map_for_plan", "set_default_journey_parameters"}
    assert not hidden & set(offered)
    assert {"journey_router_agent", "query_metric"} <= set(offered)


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"toolsets": ("metric",)}, "did you mean 'metrics'?"),
        ({"tools": ("submit_slot",)}, "did you mean 'submit_slots'?"),
        ({"tools": ("kg_agents",)}, "did you mean 'kg_agent'?"),
        ({"toolsets": ("metrics",), "tools": ("get_asset",)}, "add it to toolsets"),
    ],
)
def test_an_unknown_name_fails_at_start_with_the_nearest_of_all(
    built: Built, settings: dict[str, Any], hint: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        built(**settings)
    assert hint in str(raised.value)


def unasked() -> Any:
    raise AssertionError("nobody asks an agent")


def test_the_table_of_tools_is_that_of_the_toolsets(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    shared = state(settings)
    made = {
        "ontology": ontology.toolset(settings),
        "metrics": metrics.toolset(settings),
        "sparql": sparql.toolset(settings),
        "journeys": journeys.toolset(settings),
        "learning": learning.toolset(settings),
        "agents": agents.toolset(settings, shared, list),
        "learning_agents": agents.learning_toolset(unasked, shared, with_runs=False),
        "evidence": EvidenceTools(shared.ledger, shared.handles),
    }
    assert {name: sorted(declared(one)) for name, one in made.items()} == {
        name: sorted(tools) for name, tools in TOOLSETS.items()
    }
    for one in made.values():
        one.close()


@pytest.mark.parametrize(
    "tools",
    [
        ("get_asset", "query_metric"),
        ("query_metric", "verify_answer"),
        ("submit_slots", "metrics_agent", "get_agent_result"),
        ("list_metrics",),
    ],
)
async def test_instructions_name_no_tool_that_is_not_offered(
    built: Built, tools: tuple[str, ...]
) -> None:
    server = built(tools=tools)
    offered = set(await names(server))
    every = {name for one in TOOLSETS.values() for name in one}
    named = every & set(re.findall(r"\w+", server.instructions or ""))
    assert named <= offered == set(tools)
    assert "state no number, name, time or IRI that no result has" in (server.instructions or "")
    assert named or tools == ("list_metrics",)


@pytest.mark.parametrize("toolsets", [(), EVERY, ("agents",), ("evidence",)])
def test_instructions_keep_to_what_hosts_show(built: Built, toolsets: tuple[str, ...]) -> None:
    text = built(toolsets=toolsets).instructions or ""
    assert len(text) <= 2_048
    assert "verify_answer" in text[:500] and "ask the user" in text[:500]
    assert ("get_agent_result" in text) == ("agents" in toolsets)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, DEFAULT),
        ({"toolsets": ("agents",)}, (*DEFAULT, "agents")),
        ({"toolsets": ("learning",)}, (*DEFAULT, "learning")),
        ({"tools": ("query_metric", "verify_answer")}, ("metrics",)),
        ({"tools": ("get_evidence",)}, ()),
        ({"toolsets": ("journeys",), "tools": ("find_stops",)}, ("journeys",)),
        ({"tools": ("no_such_tool",)}, EVERY),
    ],
)
def test_only_toolsets_of_which_a_tool_is_asked_for_are_made(
    settings: dict[str, Any], expected: tuple[str, ...], tmp_path: Path
) -> None:
    assert wanted(Settings(home=tmp_path, **settings)) == expected


def test_toolsets_that_are_not_offered_are_not_imported(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib\n"
        "from groundwire.config import Settings\n"
        "from groundwire.servers.all import build\n"
        "build(Settings(home=pathlib.Path(sys.argv[1]), tools=tuple(sys.argv[2:]))).close()\n"
        "print(*sys.modules)"
    )

    def imported(*tools: str) -> set[str]:
        ran = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path), *tools],
            capture_output=True,
            text=True,
            check=True,
        )
        return set(ran.stdout.split())

    alone = imported("query_metric")
    assert "groundwire.servers.metrics" in alone
    for other in ("ontology", "sparql", "journeys", "learning", "agents"):
        assert f"groundwire.servers.{other}" not in alone
    default = imported()
    assert "groundwire.servers.journeys" in default
    assert "groundwire.servers.agents" not in default
    assert "groundwire.servers.learning" not in default
    agents_of = {name for name in default if name.startswith("groundwire.agents.")}
    assert agents_of == {"groundwire.agents.folders", "groundwire.agents.offers"}
    heavy = {"anthropic", "duckdb", "pyoxigraph", "rdflib", "jinja2", "rapidfuzz", "fsrs"}
    everything = imported(*(tool for tools in TOOLSETS.values() for tool in tools))
    assert "groundwire.servers.agents" in everything
    assert not heavy & everything


async def test_one_ledger_and_one_file_of_handles_serve_every_toolset(
    built: Built, tmp_path: Path
) -> None:
    server = built()
    async with Client(server) as client:
        found = await client.call_tool(
            "query_metric", {"metric": "revenue", "entity": "中国内地", "period": "FY2024"}
        )
        listed = await client.call_tool(
            "execute_query", {"query_language": "sparql", "query_string": "ASK {}"}
        )
        ids = [one.structured_content["evidence_id"] for one in (found, listed)]
        for evidence_id in ids:
            record = await client.call_tool("get_evidence", {"evidence_id": evidence_id})
            assert not record.is_error
        draft = {"draft": found.structured_content["answer"], "evidence_ids": ids[:1]}
        checked = await client.call_tool("verify_answer", draft)
        assert checked.structured_content["verdict"] == "supported", checked.structured_content
    kept = {path.name for path in (tmp_path / "home").glob("*.sqlite")}
    assert "evidence.sqlite" in kept
    assert len([name for name in kept if "evidence" in name or "handles" in name]) <= 2


async def test_agents_work_on_the_toolsets_of_this_process(
    built: Built, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[str] = []
    for module in (ontology, metrics, sparql, journeys, learning):
        original = module.toolset

        def counted(settings: Settings, original: Any = original) -> Toolset:
            one = original(settings)
            made.append(one.name)
            return one

        monkeypatch.setattr(module, "toolset", counted)
    server = built(toolsets=("agents",))
    assert sorted(made) == sorted(DEFAULT)
    settings = Settings(home=tmp_path)
    known: dict[str, Toolset] = {"metrics": metrics.toolset(settings)}
    made.clear()
    below = agents.servers_below(settings, state(settings), known)
    assert sorted(made) == ["journeys", "learning", "ontology", "sparql"]
    assert [one.name for one in below] == [
        "ontology", "metrics", "sparql", "journeys", "learning",
    ]  # fmt: skip
    for one in below:
        one.close()
    assert server.name == "groundwire"
