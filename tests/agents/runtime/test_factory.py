"""Agents by name: their folders, their defaults, and what is injected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agent_bench import ALL_TOOLS, Bench, says

from groundwire.agents import folders as agents
from groundwire.agents.models.scripted import ScriptedModel
from groundwire.agents.runtime import definition
from groundwire.agents.runtime.agent import AgentFactory
from groundwire.agents.runtime.contract import AgentInput
from groundwire.agents.runtime.definition import AgentDefinition, load_definition
from groundwire.agents.runtime.evidence_guard import EvidenceGuard
from groundwire.errors import ConfigurationError

FILE = """
name = "shelf_agent"
version = "2.1.0"
title = "Shelf"
role = "a keeper"
capabilities = ["counting"]
enabled_tools = ["look_up"]

[llm]
temperature = 0.0

[behavior]
max_iterations = 3
final_tools = ["look_up"]

[tool_examples]
look_up = {thing = "cars"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of agents with one agent in it."""
    (tmp_path / "shelf_agent").mkdir()
    (tmp_path / "shelf_agent" / "agent.toml").write_text(FILE, "utf-8")
    monkeypatch.setattr(agents, "HERE", tmp_path)
    monkeypatch.setattr(definition, "found", lambda *_: None)
    return tmp_path


def test_a_definition_is_read_from_its_folder(folder: Path) -> None:
    found = load_definition("shelf_agent")
    assert (found.name, found.version, found.role) == ("shelf_agent", "2.1.0", "a keeper")
    assert found.config.llm.temperature == 0
    assert found.config.behavior.max_iterations == 3
    assert found.config.behavior.timeout_ms == 30_000
    assert found.config.enabled_tools == ("look_up",)
    assert found.tool_examples == {"look_up": {"thing": "cars"}}
    assert isinstance(found.guard, EvidenceGuard)
    assert found.input_model is AgentInput
    assert found.rules is None


def test_every_agent_is_named_as_its_folder_is() -> None:
    for name in agents.folders():
        assert name.endswith("_agent")
        assert load_definition(name).name == name


def test_the_code_of_an_agent_is_found_beside_its_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = EvidenceGuard()
    made: dict[tuple[str, str], Any] = {
        ("guard", "build_guard"): lambda: guard,
        ("rules", "build_rules"): ScriptedModel,
    }
    monkeypatch.setattr(definition, "found", lambda _, *which: made.get(which))
    found = load_definition("shelf_agent")
    assert found.guard is guard
    assert found.rules is ScriptedModel
    assert found.briefing is None


def test_a_wrong_definition_is_refused_with_its_place(folder: Path) -> None:
    path = folder / "shelf_agent" / "agent.toml"
    path.write_text(FILE.replace('version = "2.1.0"', 'version = "two"'), "utf-8")
    with pytest.raises(ConfigurationError, match="version"):
        load_definition("shelf_agent")
    path.write_text(FILE.replace('name = "shelf_agent"', 'name = "box_agent"'), "utf-8")
    with pytest.raises(ConfigurationError, match="'box_agent', and its folder shelf_agent"):
        load_definition("shelf_agent")
    with pytest.raises(ConfigurationError, match="no agent 'other'; agents are: shelf_agent"):
        load_definition("other")


@pytest.mark.anyio
async def test_create_merges_overrides_over_defaults_and_injects(bench: Bench) -> None:
    model = ScriptedModel(says("Hello."))
    asked: list[Any] = []

    def choose(llm: Any, definition: AgentDefinition) -> ScriptedModel:
        asked.append((llm.model, definition.name))
        return model

    shelf = AgentDefinition("shelf_agent", "1.0.0", "a keeper", "shelf_agent", config=bench.config)
    factory = AgentFactory(
        bench.registry,
        choose=choose,
        prompts=bench.prompts,
        logger=bench.logger,
        clock=bench.time.clock(),
        definitions={"shelf_agent": shelf},
    )
    agent: Any = factory.create(
        "shelf_agent", behavior={"max_iterations": 4}, llm={"model": "claude-opus-5-5"}
    )
    assert agent._config.behavior.max_iterations == 4
    assert agent._config.behavior.timeout_ms == 30_000
    assert agent._config.enabled_tools == ALL_TOOLS
    assert asked == [("claude-opus-5-5", "shelf_agent")]

    output = await agent.execute({"question": "Hello?"})
    assert output.success
    assert factory.metrics("shelf_agent").snapshot()["executions"] == 1


@pytest.mark.anyio
async def test_create_refuses_what_cannot_be_made(bench: Bench) -> None:
    shelf = AgentDefinition("shelf_agent", "1.0.0", "a keeper", "shelf_agent")
    factory = AgentFactory(
        bench.registry, prompts=bench.prompts, logger=bench.logger, definitions={"it": shelf}
    )
    with pytest.raises(ConfigurationError, match="has no rules"):
        factory.create("it")
    with pytest.raises(ConfigurationError, match="needs a provider"):
        factory.create("it", llm={"model": "gpt"})
    with pytest.raises(ConfigurationError, match="max_iterations"):
        factory.create("it", behavior={"max_iterations": 0})


@pytest.mark.anyio
async def test_a_tool_that_no_server_offers_is_an_error_of_the_run(make_bench: Any) -> None:
    bench: Bench = make_bench(enabled_tools=["look_up", "lookup"])
    output = await bench.run(says("never"))
    assert output.error is not None
    assert output.error.code == "ValidationError"
    assert "did you mean look_up" in output.error.message
