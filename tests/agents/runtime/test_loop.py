"""Reason, act, observe: how rounds go on and how they end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from agent_bench import Bench, call, calls, context, says, text_model

from groundwire.agents.models.scripted import ScriptedModel
from groundwire.agents.runtime.errors import LLMFailure
from groundwire.agents.runtime.model import ModelResponse, TextPart, ToolResultPart

pytestmark = pytest.mark.anyio
Make = Callable[..., Bench]
LOOK = calls(call("look_up", thing="cars"))


async def test_execute_agent_loop_observes_what_it_did_before_it_reasons_again(
    bench: Bench,
) -> None:
    await bench.run(LOOK, says("There are 42 cars."))
    first, second = bench.model.requests
    assert [message.role for message in first.messages] == ["user"]
    assert [message.role for message in second.messages] == ["user", "assistant", "user"]
    result = second.messages[-1].parts[0]
    assert isinstance(result, ToolResultPart)
    assert (result.id, result.name, result.is_error) == ("call_1", "look_up", False)
    assert result.data is not None
    assert result.data["value_text"] == "42"
    assert first.tools[0] is second.tools[0]
    assert first.system == second.system


async def test_the_text_form_drives_the_same_loop(bench: Bench) -> None:
    model = text_model(
        'Thought: I look.\nAction: look_up\nAction Input: {"thing": "cars"}\n'
        "Observation: There are 99 cars.\nFinal Answer: 99",
        "Thought: I have it.\nFinal Answer: There are 42 cars.",
    )
    output = await bench.run(model=model)

    assert output.success
    assert output.result == {"answer": "There are 42 cars."}
    assert [step.thought for step in output.reasoning.steps] == ["I look.", "I have it."]
    assert model.requests[0].tools == ()
    spoken, observed = (message.parts[0] for message in model.requests[1].messages[-2:])
    assert isinstance(spoken, TextPart)
    assert isinstance(observed, TextPart)
    assert "99" not in spoken.text
    assert observed.text.startswith("Observation: ")
    assert "There are 42 cars." in observed.text


async def test_a_native_model_may_fall_back_to_the_text_form(bench: Bench) -> None:
    output = await bench.run(
        says('Action: look_up\nAction Input: {"thing": "cars"}'),
        says("Final Answer: There are 42 cars."),
    )
    assert output.metadata.tools_used == ("look_up",)
    assert output.result == {"answer": "There are 42 cars."}


async def test_max_iterations_end_a_loop_with_its_trace(make_bench: Make) -> None:
    bench = make_bench(behavior={"max_iterations": 3})
    output = await bench.run(model=ScriptedModel(LOOK, forever=True))

    assert output.error is not None
    assert output.error.code == "MaxIterationsError"
    assert output.error.recoverable
    assert output.metadata.iterations == len(output.reasoning.steps) == 3
    assert len(bench.model.requests) == 3
    assert output.result is not None
    assert output.result["partial"] is True
    assert not any(character.isdigit() for character in str(output.result["answer"]))
    assert output.reasoning.confidence == 0.3
    assert output.evidence_ids == ("ev_00000001",)


async def test_timeout_is_checked_every_iteration(make_bench: Make) -> None:
    bench = make_bench(behavior={"timeout_ms": 5_000})

    def slow(request: object) -> ModelResponse:
        bench.time.seconds += 3
        return LOOK

    output = await bench.run(model=ScriptedModel(slow, forever=True))
    assert output.error is not None
    assert output.error.code == "TimeoutError"
    assert len(bench.model.requests) == 2
    # The second answer of the model came too late for another call.
    assert len(bench.shelf.calls) == 1
    assert output.result is not None
    assert "42 cars" not in str(output.result)
    assert len(output.reasoning.steps) == 2


@pytest.mark.parametrize("limit", ["configuration", "budget", "constraints"])
async def test_a_running_model_call_is_stopped_at_the_deadline(
    make_bench: Make, limit: str
) -> None:
    import anyio

    ended: list[str] = []

    async def hang(request: object) -> ModelResponse:
        try:
            await anyio.sleep(600)
        finally:
            ended.append("stopped")
        raise AssertionError

    changes = {"behavior": {"timeout_ms": 50}} if limit == "configuration" else {}
    bench = make_bench(**changes)
    # Opened before, so that what the deadline stops is the model however slow the machine is.
    await bench.registry.open()
    more: dict[str, Any] = {}
    if limit == "budget":
        more = {"context": context(budget={"max_time_ms": 50})}
    if limit == "constraints":
        more = {"constraints": {"max_time_ms": 50}}
    output = await bench.run(hang, **more)
    assert output.error is not None
    assert output.error.code == "TimeoutError"
    assert ended == ["stopped"]


async def test_a_running_tool_call_is_stopped_at_the_deadline_and_traced(
    make_bench: Make,
) -> None:
    bench = make_bench(behavior={"timeout_ms": 1_500})
    await bench.registry.open()
    both = calls(call("look_up", thing="cars"), call("pause", 2, key="a"))
    output = await bench.run(both, says("never"))

    assert output.error is not None
    assert output.error.code == "TimeoutError"
    assert bench.shelf.stopped == 1
    assert len(bench.model.requests) == 1
    done, stopped = output.reasoning.steps
    assert done.action is not None
    assert done.action.output is not None
    assert stopped.action is not None
    assert stopped.action.output is None
    assert stopped.observation is not None
    assert stopped.observation.startswith("Stopped")
    assert output.evidence_ids == ("ev_00000001",)


async def test_cost_is_checked_before_every_model_call(bench: Bench) -> None:
    step = calls(call("look_up", thing="cars"), cost=0.4)
    output = await bench.run(
        model=ScriptedModel(step, forever=True), context=context(budget={"max_cost_usd": 1.0})
    )
    assert output.error is not None
    assert output.error.code == "BudgetExceededError"
    assert not output.error.recoverable
    # A third answer may cost 0.4 as well, which the budget does not hold.
    assert len(bench.model.requests) == 2
    assert output.metadata.estimated_cost_usd == pytest.approx(0.8)
    assert output.result is not None
    assert not any(character.isdigit() for character in str(output.result["answer"]))


async def test_a_budget_needs_a_price(bench: Bench) -> None:
    unpriced = calls(call("look_up", thing="cars"), cost=None)
    output = await bench.run(unpriced, LOOK, context=context(budget={"max_cost_usd": 5}))
    assert output.error is not None
    assert output.error.code == "BudgetExceededError"
    assert len(bench.model.requests) == 1


async def test_a_free_model_passes_no_budget(bench: Bench) -> None:
    model = ScriptedModel(LOOK, says("There are 42 cars.", cost=None), free=True)
    output = await bench.run(model=model, context=context(budget={"max_cost_usd": 0}))
    assert output.success


async def test_a_budget_of_nothing_calls_no_model_that_costs(bench: Bench) -> None:
    output = await bench.run(says("never"), context=context(budget={"max_cost_usd": 0}))
    assert output.error is not None
    assert output.error.code == "BudgetExceededError"
    assert bench.model.requests == []


async def test_model_calls_are_tried_again_with_backoff(bench: Bench) -> None:
    output = await bench.run(
        LLMFailure("busy"), LLMFailure("busy", retry_after_s=4), says("Hello.")
    )
    assert output.success
    assert bench.time.slept == [0.25, 4]


async def test_model_calls_are_given_up_after_the_attempts(make_bench: Make) -> None:
    bench = make_bench(behavior={"retry_attempts": 2})
    output = await bench.run(model=ScriptedModel(LLMFailure("busy"), forever=True))
    assert output.error is not None
    assert (output.error.code, output.error.recoverable) == ("LLMError", True)
    assert len(bench.model.requests) == 3
    assert bench.time.slept == [0.25, 0.5]


async def test_what_cannot_pass_is_not_tried_again(bench: Bench) -> None:
    output = await bench.run(LLMFailure("no such model", recoverable=False))
    assert output.error is not None
    assert (output.error.code, output.error.recoverable) == ("LLMError", False)
    assert len(bench.model.requests) == 1


async def test_a_model_that_breaks_tells_its_kind_alone(bench: Bench) -> None:
    output = await bench.run(ValueError("api_key=sk-abc"))
    assert output.error is not None
    assert output.error.message == "The model failed (ValueError)."


@pytest.mark.parametrize("reason", ["refusal", "model_context_window_exceeded"])
async def test_a_refusal_ends_the_run(bench: Bench, reason: str) -> None:
    output = await bench.run(says("", stop_reason=reason))
    assert output.error is not None
    assert (output.error.code, output.error.recoverable) == ("LLMError", False)


async def test_a_paused_turn_goes_on(bench: Bench) -> None:
    raw = object()
    output = await bench.run(says("I think", stop_reason="pause_turn", raw=raw), says("The end."))
    assert output.success
    assert bench.model.requests[1].messages[-1].raw is raw
    assert output.metadata.iterations == 2


async def test_malformed_responses_are_asked_for_again_and_then_given_up(bench: Bench) -> None:
    good = await bench.run(model=text_model("hm", "Thought: so.\nFinal Answer: Hello."))
    assert good.success
    first = good.reasoning.steps[0]
    assert first.observation is not None
    assert "Final Answer:" in first.observation

    bad = await bench.run(model=text_model("hm", forever=True))
    assert bad.error is not None
    assert bad.error.code == "ParseError"
    assert len(bench.model.requests) == 3


async def test_a_response_that_was_cut_makes_no_call(bench: Bench) -> None:
    cut = ModelResponse(
        tool_calls=(call("remember", text="x"),), stop_reason="max_tokens", cost_usd=0.0
    )
    output = await bench.run(cut, says("Hello."))
    assert output.success
    assert bench.shelf.calls == []


async def test_a_forced_tool_is_asked_for_once_more_by_name(make_bench: Make) -> None:
    bench = make_bench(behavior={"forced_tool": "look_up"})
    output = await bench.run(says("42."), LOOK, says("There are 42 cars."))
    assert [request.tool_choice for request in bench.model.requests] == [
        ("tool", "look_up"),
        "auto",
        "auto",
    ]
    assert output.reasoning.steps[0].observation == "Call look_up first."
    assert output.success


async def test_a_model_that_skips_the_forced_tool_says_no_figure(make_bench: Make) -> None:
    bench = make_bench(behavior={"forced_tool": "look_up"})
    output = await bench.run(says("42."), says("It is 42."))
    assert output.result == {"answer": "The tools have no answer to this, so none is given."}
    assert output.metadata.fabrication_guard_triggered


async def test_a_final_tool_ends_the_run_without_more_words(make_bench: Make) -> None:
    bench = make_bench(behavior={"final_tools": ["look_up"]})
    output = await bench.run(LOOK)
    assert output.result == {"answer": "There are 42 cars."}
    assert len(bench.model.requests) == 1


async def test_a_final_tool_that_asks_for_other_arguments_does_not(make_bench: Make) -> None:
    bench = make_bench(behavior={"final_tools": ["look_up"]})
    output = await bench.run(calls(call("look_up", thing="carz")), LOOK)
    assert output.result == {"answer": "There is none. There are 42 cars."}
    assert len(bench.model.requests) == 2


async def test_nothing_is_called_after_a_final_answer(bench: Bench) -> None:
    await bench.run(says("Hello."), LOOK)
    assert len(bench.model.requests) == 1
    assert bench.shelf.calls == []
