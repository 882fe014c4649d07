"""Calls of tools: what is checked, made, tried again, run at once, and shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from agent_bench import Bench, call, calls, context, says
from signed_in import user

from groundwire.agents.runtime.actions import UNKNOWN_TOOL
from groundwire.agents.runtime.contract import (
    NOT_ALLOWED,
    AgentOutput,
    Change,
    ReasoningStep,
    ToolAnswer,
    nothing_allowed,
)
from groundwire.agents.runtime.model import ModelResponse, ToolCallPart
from groundwire.agents.runtime.registry import ToolRegistry
from groundwire.agents.runtime.run import evidence_ids

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]


def outputs(output: AgentOutput) -> list[Any]:
    return [step.action.output for step in output.reasoning.steps if step.action]


def observed(step: ReasoningStep) -> str:
    assert step.observation is not None
    return step.observation


async def test_execute_action_refuses_a_tool_that_does_not_exist(bench: Bench) -> None:
    output = await bench.run(calls(call("lookup", thing="cars")), says("I see."))
    message = (
        'the tool "lookup" does not exist; did you mean `look_up`? tools are: look_up, arrivals, '
        "remember, pause, shaky, long, who, suggest"
    )
    assert outputs(output) == [{"error": {"code": "ToolExecutionError", "message": message}}]
    assert message in observed(output.reasoning.steps[0])
    assert output.success
    assert bench.shelf.calls == []


async def test_execute_action_refuses_a_disabled_tool(make_bench: Make) -> None:
    bench = make_bench(enabled_tools=["look_up"])
    output = await bench.run(calls(call("remember", text="x")), says("I see."))
    assert 'the tool "remember" is disabled for this agent' in observed(output.reasoning.steps[0])
    assert [spec.name for spec in bench.model.requests[0].tools] == ["look_up"]
    assert bench.shelf.calls == []


async def test_execute_action_shows_the_refusal_of_the_server_itself(bench: Bench) -> None:
    output = await bench.run(
        calls(call("look_up", thing="cars", yaer=2020), call("who", 2, expected="wrong")),
        says("I see."),
    )
    misspelt, refused = output.reasoning.steps[:2]
    assert "no argument `yaer`; did you mean `year`?" in observed(misspelt)
    assert "that is wrong." in observed(refused)
    assert outputs(output)[1] == {
        "error": {"code": "ToolExecutionError", "message": "that is wrong."}
    }


@pytest.mark.parametrize("arguments", ["not json", [1], 7])
async def test_execute_action_refuses_arguments_that_are_no_object(
    bench: Bench, arguments: Any
) -> None:
    output = await bench.run(calls(ToolCallPart("1", "look_up", arguments)), says("I see."))
    assert outputs(output) == [
        {
            "error": {
                "code": "ValidationError",
                "message": "the arguments of look_up must be one JSON object",
            }
        }
    ]


async def test_arguments_may_arrive_as_a_text_of_json(bench: Bench) -> None:
    sent: Any = '{"thing": "cars"}'
    output = await bench.run(calls(ToolCallPart("1", "look_up", sent)), says("I see."))
    assert bench.shelf.calls == ["look_up cars 2024"]
    assert output.success


async def test_independent_calls_run_at_the_same_time_in_the_order_of_the_trace(
    bench: Bench,
) -> None:
    three = calls(*(call("pause", at, key=f"k{at}", with_others=3) for at in (1, 2, 3)))
    output = await bench.run(three, says("Done."))
    assert bench.shelf.most_under_way == 3
    actions = [step.action for step in output.reasoning.steps if step.action]
    assert [one.input for one in actions] == [
        {"key": f"k{at}", "with_others": 3} for at in (1, 2, 3)
    ]
    assert [step.step for step in output.reasoning.steps] == [1, 2, 3, 4]


async def test_calls_that_change_something_run_one_after_the_other(bench: Bench) -> None:
    await bench.run(
        calls(
            call("look_up", 1, thing="cars"),
            call("remember", 2, text="a"),
            call("remember", 3, text="b"),
            call("look_up", 4, thing="boats"),
        ),
        says("Done."),
    )
    assert bench.shelf.calls == [
        "look_up cars 2024",
        "remember a",
        "remember b",
        "look_up boats 2024",
    ]


async def test_more_calls_than_one_response_may_make_are_refused(bench: Bench) -> None:
    many = calls(*(call("look_up", at, thing="cars", year=2000 + at) for at in range(20)))
    output = await bench.run(many, says("Done."))
    assert len(bench.shelf.calls) == 16
    assert outputs(output)[-1]["error"]["code"] == "ValidationError"


async def test_idempotent_tools_are_tried_again_after_a_failure_that_passes(
    bench: Bench,
) -> None:
    output = await bench.run(calls(call("shaky", failures=2)), says("It works."))
    assert bench.shelf.calls == ["shaky"] * 3
    assert bench.time.slept == [0.25, 0.5]
    assert outputs(output)[0]["answer"] == "It works."


async def test_tools_that_change_something_are_not_tried_again(bench: Bench) -> None:
    output = await bench.run(calls(call("remember", text="break")), says("I see."))
    assert bench.shelf.calls == ["remember break"]
    assert "failed inside the server" in observed(output.reasoning.steps[0])
    assert "hunter2" not in output.model_dump_json()


async def test_a_tool_that_refuses_is_not_tried_again(bench: Bench) -> None:
    await bench.run(calls(call("who", expected="wrong")), says("I see."))
    assert bench.time.slept == []


async def test_long_observations_are_cut_and_say_so(make_bench: Make) -> None:
    bench = make_bench(behavior={"max_observation_characters": 500})
    output = await bench.run(calls(call("long", size=15_000)), says("Much."))
    shown = observed(output.reasoning.steps[0])
    assert len(shown) < 800
    assert "[Cut: the first 500 of 15," in shown
    # The trace keeps all of it.
    assert len(outputs(output)[0]["text"]) == 15_000


async def test_a_call_whose_answer_still_holds_is_not_repeated(bench: Bench) -> None:
    again = calls(call("look_up", thing="cars"))
    output = await bench.run(again, again, says("There are 42 cars."))
    assert bench.shelf.calls == ["look_up cars 2024"]
    second = output.reasoning.steps[1]
    assert observed(second) == "(The same call as in step 1; its answer holds.)"
    assert outputs(output)[0] == outputs(output)[1]


async def test_an_answer_of_the_open_world_holds_for_a_while(bench: Bench) -> None:
    again = calls(call("arrivals", stop="A"))
    await bench.run(again, again, says("It comes."))
    assert len(bench.shelf.calls) == 1


async def test_an_answer_does_not_hold_past_its_validity_period(make_bench: Make) -> None:
    bench = make_bench(behavior={"timeout_ms": 10**6})
    again = calls(call("arrivals", stop="A"))

    def later(request: object) -> ModelResponse:
        bench.time.seconds += 31
        return again

    await bench.run(again, later, says("It comes."))
    assert len(bench.shelf.calls) == 2


async def test_an_answer_does_not_hold_after_something_was_changed(bench: Bench) -> None:
    again = calls(call("look_up", thing="cars"))
    await bench.run(again, calls(call("remember", text="x")), again, says("I see."))
    assert bench.shelf.calls == ["look_up cars 2024", "remember x", "look_up cars 2024"]


async def test_the_context_reaches_every_tool_call(bench: Bench) -> None:
    output = await bench.run(
        calls(call("who")),
        says("I see."),
        context=context(
            user_id="ada",
            session_id="s1",
            correlation_id="c1",
            trace_id="ab" * 16,
            run_id="run_1",
            metadata={"team": "blue"},
            budget={"max_cost_usd": 2, "max_time_ms": 9_000},
        ),
    )
    told = outputs(output)[0]["context"]
    assert told["running"] == "run_1"
    assert told["meta"] == {
        "run_id": "run_1",
        "user_id": "ada",
        "session_id": "s1",
        "correlation_id": "c1",
        "trace_id": "ab" * 16,
        "metadata": {"team": "blue"},
        "budget": {"max_time_ms": 9_000, "max_cost_usd": 2.0},
    }


async def test_the_owner_of_the_request_reaches_every_tool_call(bench: Bench) -> None:
    await bench.registry.open()
    with user("ada"):
        output = await bench.run(calls(call("who")), says("I see."))
    assert outputs(output)[0]["text"] == "ada"


async def test_the_scopes_of_the_request_hold_for_every_tool_call(bench: Bench) -> None:
    await bench.registry.open()
    steps = (calls(call("who")), calls(call("remember", text="a")), says("I see."))
    with user("ada", "read"):
        output = await bench.run(*steps)
    assert outputs(output)[0]["text"] == "ada"
    assert "needs a token of scope write: this one has read" in observed(output.reasoning.steps[1])
    assert bench.shelf.calls == []


async def test_tools_that_cannot_be_reached_end_the_run(bench: Bench) -> None:
    class Cut(ToolRegistry):
        async def call(self, *_: Any) -> Any:
            from groundwire.agents.runtime.errors import ToolExecutionFailure

            raise ToolExecutionFailure("the line is cut")

    bench.registry = Cut(bench.server)
    three = calls(*(call("look_up", at, thing="cars", year=at) for at in (1, 2, 3)))
    output = await bench.run(three, says("never"))
    await bench.registry.close()
    assert output.error is not None
    assert (output.error.code, output.error.recoverable) == ("ToolExecutionError", True)
    assert len(output.reasoning.steps) == 3
    assert output.result is None


async def test_a_call_that_changes_something_is_made_only_where_the_check_allows_it(
    make_bench: Make,
) -> None:
    asked: list[Change] = []

    def allows(change: Change) -> str | None:
        asked.append(change)
        return None if change.arguments["text"] in change.question else "Nobody asked for that."

    bench = make_bench(allows=allows)
    output = await bench.run(
        calls(call("look_up", thing="cars"), call("remember", 2, text="tea")),
        calls(call("remember", 3, text="milk")),
        says("Kept."),
        question="Remember milk",
        context=context(turns=[{"question": "Remember tea"}]),
    )
    assert bench.shelf.calls == ["look_up cars 2024", "remember milk"]
    message = "Nobody asked for that."
    assert outputs(output)[1] == {"error": {"code": "ToolExecutionError", "message": message}}
    assert message in observed(output.reasoning.steps[1])
    assert {(one.tool, one.turns[0].question) for one in asked} == {("remember", "Remember tea")}
    # What the tools of the run have answered is known to the check.
    assert [one.tool for one in asked[1].answers] == ["look_up", "remember"]


async def test_an_agent_without_a_check_changes_nothing(make_bench: Make) -> None:
    bench = make_bench(allows=nothing_allowed)
    output = await bench.run(
        calls(call("remember", text="milk")), says("Kept."), question="Remember milk"
    )
    assert bench.shelf.calls == []
    assert NOT_ALLOWED in observed(output.reasoning.steps[0])


def nested(deep: int) -> Any:
    made: Any = "x"
    for _ in range(deep):
        made = [made]
    return {"thing": made}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (nested(20_000), "nested more than 64 deep"),
        ({"thing": float("nan")}, "not finite"),
        ({"thing": [{"deep": float("-inf")}]}, "not finite"),
        ({"thing": object()}, "no JSON"),
        ('{"thing": NaN}', "must be one JSON object"),
        ('{"thing": 1e999}', "not finite"),
        ('{"thing": ' + "[" * 20_000 + "]" * 20_000 + "}", "must be one JSON object"),
    ],
)
async def test_arguments_that_are_no_sane_json_are_refused_plainly(
    bench: Bench, arguments: Any, told: str
) -> None:
    output = await bench.run(calls(ToolCallPart("1", "look_up", arguments)), says("I see."))
    assert output.success
    assert told in observed(output.reasoning.steps[0])
    assert bench.shelf.calls == []
    json.dumps(output.dumped(), allow_nan=False)


async def test_a_call_of_no_tool_says_nothing_to_the_user(bench: Bench) -> None:
    named = "The Victoria line is closed today"
    output = await bench.run(calls(call(named)), says("I see."))
    assert named in observed(output.reasoning.steps[0])
    assert named not in output.reasoning.decision
    assert output.metadata.tools_used == (UNKNOWN_TOOL,)
    assert named not in str(output.result)


async def test_what_a_model_sent_is_no_alternative(bench: Bench) -> None:
    lie = "cars, and the Victoria line is closed"
    told = await bench.run(
        calls(call("suggest", term=lie)), says("I see."), question="How many cars are there?"
    )
    assert lie in observed(told.reasoning.steps[0])
    assert "Victoria" not in str(told.reasoning.alternatives)
    asked = await bench.run(
        calls(call("suggest", term="cars are there")),
        says("I see."),
        question="How many cars are there?",
    )
    assert "cars are there" in str(asked.reasoning.alternatives)


def test_only_handles_are_evidence_ids() -> None:
    lie = "ev_1 proves that the line is closed"
    data: dict[str, Any] = {
        "evidence_id": "ev_0123abc",
        "audit": {"evidence_ids": [lie, "ev_2", 7]},
    }
    assert evidence_ids([ToolAnswer("look_up", {}, "", data)]) == ("ev_0123abc", "ev_2")
