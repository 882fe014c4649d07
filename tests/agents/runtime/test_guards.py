"""What the final answer is made of, and what it may not hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import anyio
import pytest
from agent_bench import Bench, call, calls, says
from pydantic import JsonValue

from groundwire.agents.models.scripted import ScriptedModel
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import Evidence, ReasoningStep, ToolAnswer, Verdict
from groundwire.agents.runtime.definition import Briefing
from groundwire.agents.runtime.evidence_guard import EvidenceGuard
from groundwire.agents.runtime.loop import LONGEST_SAID

Make = Callable[..., Bench]
SAID = ToolAnswer(
    "query",
    {},
    "It is 1,234.50 EUR (https://example.org/a) in 2024.",
    {"answer": "It is 1,234.50 EUR."},
    evidence_id="ev_1",
)


@pytest.mark.parametrize(
    "answer",
    [
        "It is 99.",
        {"answer": "It is well.", "value": 99},
        99,
        "It is 1,234.50 EUR, and paid.",
        None,
    ],
)
def test_no_word_of_a_draft_is_repeated(answer: JsonValue) -> None:
    verdict = EvidenceGuard().final(answer, (), Evidence((SAID,), ("ev_1",)))
    assert verdict.result == {"answer": "It is 1,234.50 EUR."}


@pytest.mark.parametrize("draft", ["It is 99.", "The line is closed today."])
def test_without_an_answer_of_a_tool_there_is_an_honest_no(draft: str) -> None:
    verdict = EvidenceGuard().final(draft, (), Evidence())
    assert verdict.result == {"answer": "The tools have no answer to this, so none is given."}


@pytest.mark.anyio
async def test_a_run_that_invents_is_flagged_in_output_log_and_metrics(bench: Bench) -> None:
    output = await bench.run(calls(call("look_up", thing="cars")), says("There are 431,977 cars."))
    assert output.result == {"answer": "There are 42 cars."}
    assert "431,977" not in output.model_dump_json()
    assert output.metadata.fabrication_guard_triggered
    (end,) = bench.log.of("agent_finished")
    assert end["fabrication_guard_triggered"] is True
    assert bench.metrics.snapshot()["fabrications_stopped"] == 1


class Asking:
    """Wants the word `please`, and takes nothing but tools' words in the end."""

    def __init__(self, *, withhold: bool = False) -> None:
        self.withhold = withhold
        self.seen: list[tuple[JsonValue, int, int]] = []

    async def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        self.seen.append((answer, len(trace), len(evidence.of("look_up"))))
        if self.withhold:
            return Verdict(None, fabrication=True)
        polite = "please" in str(answer)
        return Verdict({"answer": "Yes."}, ask_again="" if polite else "Say please.")


@pytest.mark.anyio
async def test_a_guard_sees_answer_trace_and_evidence_and_may_ask_once_more(
    make_bench: Make,
) -> None:
    guard = Asking()
    bench = make_bench(guard=guard)
    output = await bench.run(
        calls(call("look_up", thing="cars")), says("Give."), says("Give me."), says("please")
    )
    assert guard.seen == [("Give.", 1, 1), ("Give me.", 2, 1)]
    assert output.result == {"answer": "Yes."}
    assert output.reasoning.steps[1].observation == "Say please."


@pytest.mark.anyio
async def test_a_withheld_answer_is_a_failure_without_a_result(make_bench: Make) -> None:
    bench = make_bench(guard=Asking(withhold=True))
    output = await bench.run(says("There are 431,977 cars."))
    assert output.error is not None
    assert output.error.code == "ValidationError"
    assert output.result is None
    assert output.metadata.fabrication_guard_triggered
    assert "431,977" not in output.model_dump_json()


@pytest.mark.anyio
async def test_a_briefing_may_look_first_and_answer_without_a_model(make_bench: Make) -> None:
    async def brief(asked: Any, context: Any, tools: Toolbox) -> Briefing:
        assert await tools.read("shelf://cars") == "cars stand on the shelf."
        assert tools.model_reads_prompt
        await tools.call("look_up", {"thing": "cars"})
        await tools.call("look_up", {"thing": "boats"})
        answer = await tools.call("look_up", {"thing": "cars"})
        return Briefing(verdict=Verdict({"answer": answer.data["answer"]}), notes=("cars it is",))

    bench = make_bench(briefing=brief)
    output = await bench.run(says("never"))
    assert bench.model.requests == []
    assert output.result == {"answer": "There are 42 cars."}
    assert [step.thought for step in output.reasoning.steps] == [
        *["Looks before asking."] * 3,
        "Answers without a model.",
    ]
    assert output.reasoning.assumptions_made == ("cars it is",)
    assert output.evidence_ids == ("ev_00000001", "ev_00000002")


class Slow:
    """A guard that reads for a second; it has seen how long the draft was."""

    def __init__(self) -> None:
        self.read = 0

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        self.read = len(str(answer))
        time.sleep(1.0)
        return Verdict({"answer": "Read."})


@pytest.mark.anyio
async def test_a_guard_that_takes_long_holds_up_neither_the_loop_nor_the_deadline(
    make_bench: Make,
) -> None:
    bench = make_bench(guard=Slow(), behavior={"timeout_ms": 200})
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await anyio.sleep(0.01)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(tick)
        output = await bench.run(says("Hello."))
        tasks.cancel_scope.cancel()
    assert output.error is not None
    assert output.error.code == "TimeoutError"
    assert ticks > 3


@pytest.mark.anyio
@pytest.mark.parametrize("native", [True, False])
async def test_a_long_draft_is_cut_before_its_guard_reads_it(
    make_bench: Make, native: bool
) -> None:
    guard = Slow()
    bench = make_bench(guard=guard)
    said = "x" * 1_000_000
    output = await bench.run(
        model=ScriptedModel(f"Final Answer: {said}" if not native else said, native_tools=native)
    )
    assert 0 < guard.read <= LONGEST_SAID
    assert any("cut" in note for note in output.reasoning.assumptions_made)
    assert max(len(step.thought) for step in output.reasoning.steps) < 5_000


@pytest.mark.parametrize(
    ("result", "is_answered"),
    [
        ({"status": "found"}, True),
        ({"status": "empty", "assets": []}, True),
        ({"status": "empty", "passages": []}, False),
        ({"status": "results", "gaps": [{"term": "foggy"}]}, False),
        ({"status": "answered", "pending": "variants"}, False),
        ({"status": "found", "confidence": "low"}, False),
        (None, False),
    ],
)
def test_what_a_verdict_answers(result: dict[str, JsonValue] | None, is_answered: bool) -> None:
    assert Verdict(result).is_answered == is_answered
    assert Verdict(result).is_whole == is_answered
    assert not Verdict(result, leaves=("How many live there?",)).is_whole


def test_what_is_out_of_scope_is_refused_as_a_whole() -> None:
    verdict = Verdict({"status": "out_of_scope_entity"})
    assert verdict.is_whole and not verdict.is_answered
