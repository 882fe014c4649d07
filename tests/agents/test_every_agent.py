"""The agent class specification, agent by agent: what every folder of an agent keeps to."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from groundwire.agents.folders import folders
from groundwire.agents.models.scripted import ScriptedModel
from groundwire.agents.runtime.contract import AgentOutput
from groundwire.agents.runtime.definition import load_definition
from groundwire.agents.runtime.model import ModelResponse, ToolCallPart, Usage
from tests.evals.agents_world import OTHERS, QUESTIONS, World, opened

AGENTS = tuple(folders())
pytestmark = pytest.mark.parametrize("agent", AGENTS)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with opened(tmp_path_factory.mktemp("home")) as made:
        yield made


def question(agent: str) -> str:
    return QUESTIONS.get(agent, OTHERS)[0]


def calls_nothing_known(cost: float = 0.0) -> ModelResponse:
    call = ToolCallPart("call_1", "no_such_tool", {})
    return ModelResponse(
        text="I look.",
        tool_calls=(call,),
        stop_reason="tool_use",
        usage=Usage(prompt=10, completion=5),
        cost_usd=cost,
    )


def holds_the_contract(output: AgentOutput) -> None:
    """What every output has, whatever became of the run."""
    assert (output.error is None) == output.success
    assert 0 <= output.reasoning.confidence <= 1 and output.reasoning.decision
    assert [step.step for step in output.reasoning.steps] == list(
        range(1, len(output.reasoning.steps) + 1)
    )
    for step in output.reasoning.steps:
        assert step.thought and datetime.fromisoformat(step.timestamp).tzinfo is not None
        assert step.action is None or step.observation
    taken = output.metadata
    assert taken.execution_time_ms > 0 and math.isfinite(taken.estimated_cost_usd)
    assert taken.token_usage.total_tokens == (
        taken.token_usage.prompt_tokens + taken.token_usage.completion_tokens
    )
    assert taken.agent_version.count(".") == 2 and taken.model
    assert len(set(taken.tools_used)) == len(taken.tools_used)


def test_it_answers_without_a_key_by_the_one_contract(world: World, agent: str) -> None:
    output = world.ask(agent, question(agent))
    assert output.error is None, output.error
    holds_the_contract(output)
    assert output.result is not None and isinstance(output.result["answer"], str)
    assert output.metadata.model == "rules" and output.metadata.estimated_cost_usd == 0


def test_its_prompt_has_role_tools_limits_and_task(world: World, agent: str) -> None:
    model = ScriptedModel("Done.", forever=True, free=True)
    world.ask(agent, question(agent), model)
    definition, (first, *_) = load_definition(agent), model.requests
    assert definition.role in first.system
    assert all(f"- {name}: " in first.system for name in definition.config.enabled_tools)
    assert f"At most {definition.config.behavior.max_iterations} rounds" in first.system
    assert question(agent) in first.system
    assert set(definition.tool_examples) <= set(definition.config.enabled_tools)


def test_it_stops_at_its_rounds_with_all_of_its_trace(world: World, agent: str) -> None:
    model = ScriptedModel(calls_nothing_known(), forever=True, free=True)
    output = world.ask(agent, question(agent), model)
    holds_the_contract(output)
    assert output.error is not None and output.error.code == "MaxIterationsError"
    assert output.metadata.iterations == world.rounds(agent) == len(model.requests)
    refused = [one.observation or "" for one in output.reasoning.steps if one.action]
    assert any("does not exist" in one for one in refused)


def test_it_stops_at_its_budget(world: World, agent: str) -> None:
    model = ScriptedModel(calls_nothing_known(cost=0.6), forever=True)
    output = world.ask(agent, question(agent), model, budget={"max_cost_usd": 1.0})
    holds_the_contract(output)
    assert output.error is not None and output.error.code == "BudgetExceededError"
    assert 0.6 * len(model.requests) <= 1.2


def test_it_stops_at_its_time(world: World, agent: str) -> None:
    output = world.ask(agent, question(agent), budget={"max_time_ms": 1})
    holds_the_contract(output)
    assert output.error is not None
    assert (output.error.code, output.error.recoverable) == ("TimeoutError", True)


def test_a_question_that_says_nothing_is_refused(world: World, agent: str) -> None:
    output = world.ask(agent, "   ")
    holds_the_contract(output)
    assert output.error is not None and output.error.code == "ValidationError"
    assert not output.reasoning.steps


def test_what_a_model_says_by_itself_is_left_out_and_flagged(world: World, agent: str) -> None:
    model = ScriptedModel("There are 90817 of them on 2061-04-11.", forever=True, free=True)
    output = world.ask(agent, question(agent), model)
    holds_the_contract(output)
    assert output.metadata.fabrication_guard_triggered
    assert "90817" not in str(output.result) and "2061" not in str(output.result)
