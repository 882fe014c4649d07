"""One run from input to output."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from agent_bench import Bench, call, calls, context, says
from pydantic import Field

from groundwire.agents.models.scripted import ScriptedModel
from groundwire.agents.runtime.agent import Agent
from groundwire.agents.runtime.contract import AgentInput

pytestmark = pytest.mark.anyio


async def test_execute_answers_from_a_tool_with_the_whole_trace(bench: Bench) -> None:
    output = await bench.run(
        calls(call("look_up", thing="cars"), text="I look them up."), says("There are 42 cars.")
    )

    assert output.success
    assert output.error is None
    assert output.result == {"answer": "There are 42 cars."}
    assert output.evidence_ids == ("ev_00000001",)
    first, last = output.reasoning.steps
    assert (first.step, first.thought) == (1, "I look them up.")
    assert first.action is not None
    assert first.action.tool == "look_up"
    assert first.action.input == {"thing": "cars"}
    assert isinstance(first.action.output, dict)
    assert first.action.output["value_text"] == "42"
    assert first.observation is not None
    assert "There are 42 cars." in first.observation
    assert first.timestamp == "2026-11-21T12:00:00.000+00:00"
    assert (last.step, last.action) == (2, None)
    assert output.reasoning.decision == (
        "Called look_up (found). Answered from what the tools said."
    )
    assert output.reasoning.confidence == 0.9
    assert output.reasoning.source_quality == "high"
    taken = output.metadata
    assert (taken.iterations, taken.tools_used) == (2, ("look_up",))
    assert (taken.model, taken.agent_version) == ("scripted", "1.2.3")
    assert taken.token_usage.model_dump() == {
        "prompt_tokens": 150,
        "completion_tokens": 30,
        "total_tokens": 180,
    }


def test_execute_is_the_only_public_method() -> None:
    assert [name for name in dir(Agent) if not name.startswith("_")] == ["execute"]


async def test_the_properties_of_an_agent_are_those_of_the_specification(bench: Bench) -> None:
    model = ScriptedModel(says("Hello."))
    agent: Any = bench.agent(model)
    assert (agent._model, agent._tools) == (model, bench.registry)
    assert (agent._prompts, agent._config) == (bench.prompts, bench.config)
    assert agent._definition.version == "1.2.3"
    assert agent._logger.name == "groundwire.agents.shelf_agent"
    with pytest.raises(ValueError, match="frozen"):
        agent._config.enabled_tools = ()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "`question`: is missing"),
        ({"question": "  "}, "`question`: it is empty"),
        ({"question": 7}, "`question`: must be a text"),
        ({"question": "x", "colour": "red"}, "`colour`: is no name that is known here"),
        ("How many?", "must be an object"),
        ({"question": "x", "constraints": {"max_time_ms": 0}}, "`constraints.max_time_ms`"),
    ],
)
async def test_validate_input_refuses_before_anything_is_called(
    bench: Bench, sent: Any, told: str
) -> None:
    model = ScriptedModel(says("never"))
    output = await bench.agent(model).execute(sent)

    assert not output.success
    assert output.error is not None
    assert output.error.code == "ValidationError"
    assert told in output.error.message
    assert output.result is None
    assert output.reasoning.steps == ()
    assert output.metadata.iterations == 0
    assert model.requests == []


class Sized(AgentInput):
    size: int = Field(ge=1)


async def test_an_agent_may_have_an_input_of_its_own(make_bench: Any) -> None:
    bench: Bench = make_bench(input_model=Sized)
    good = await bench.run(says("I see."), size=3)
    bad = await bench.run(says("I see."), size=0)

    assert good.success
    assert good.reasoning.context_used == ("size",)
    assert bad.error is not None
    assert bad.error.code == "ValidationError"


async def test_ids_of_the_context_come_back_and_absent_ones_are_minted(bench: Bench) -> None:
    one = await bench.run(says("Hello."))
    other = await bench.run(says("Hello."), context=context(run_id="run_7"))
    assert one.run_id.startswith("run_")
    assert one.run_id != other.run_id == "run_7"


async def test_earlier_turns_are_part_of_the_exchange(bench: Bench) -> None:
    turn = {"question": "How many boats?", "result": {"answer": "There are 17."}}
    output = await bench.run(says("I see."), context=context(turns=[turn]))

    said = [part.text for one in bench.model.requests[0].messages for part in one.parts]
    assert said == ["How many boats?", "There are 17.", "How many cars?"]
    assert "earlier turns of the conversation" in output.reasoning.context_used


async def test_cancelling_a_run_cancels_it(bench: Bench) -> None:
    async def cancelled(scope: anyio.CancelScope) -> None:
        with scope:
            await bench.run(calls(call("pause", key="a")))
            raise AssertionError("a cancelled run does not go on")

    scope = anyio.CancelScope()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(cancelled, scope)
        while not bench.shelf.calls:
            await anyio.sleep(0.001)
        scope.cancel()
    assert bench.shelf.stopped == 1
    assert bench.log.of("agent_cancelled")


async def test_confidence_as_high_as_required_is_said_too(bench: Bench) -> None:
    look = calls(call("look_up", thing="cars"))
    output = await bench.run(
        look,
        says("There are 42 cars."),
        constraints={"required_quality": 0.5},
        context=context(required_quality=0.9),
    )
    assert output.result == {
        "answer": "There are 42 cars.",
        "required_quality": 0.9,
        "reaches_required_quality": True,
    }
    assert output.reasoning.assumptions_made == ()


async def test_confidence_below_what_is_required_is_said(bench: Bench) -> None:
    output = await bench.run(says("Perhaps."), constraints={"required_quality": 0.8})
    assert output.reasoning.confidence == 0.3
    assert output.success and output.result is not None
    assert output.result["required_quality"] == 0.8
    assert output.result["reaches_required_quality"] is False
    assert output.reasoning.assumptions_made[-1] == (
        "the confidence is below the required quality: no tool has answered"
    )


async def test_no_secret_of_the_environment_leaves_a_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "squirrel-bridge-lamp")
    output = await bench.run(
        calls(call("remember", text="squirrel-bridge-lamp"), text="squirrel-bridge-lamp"),
        says("The key is squirrel-bridge-lamp."),
    )
    assert "squirrel" not in output.model_dump_json()
    action = output.reasoning.steps[0].action
    assert action is not None
    assert action.input == {"text": "[redacted]"}
