"""How sure an answer is, and how a run is summed up."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.agents.runtime.contract import Action, AgentError, ReasoningStep, ToolAnswer
from groundwire.agents.runtime.hints import Judged, calculate_confidence, contradictions, hints_of
from groundwire.agents.runtime.outcome import extract_decision


def judged(tool: str = "query", error: bool = False, key: str = "", **data: Any) -> Judged:
    answer = ToolAnswer(tool, {"key": key}, "", data, is_error=error)
    return Judged(answer, hints_of(answer, open_world=False))


FOUND = judged(status="found")


def confidence(*answers: Judged, iterations: int = 1, **more: Any) -> float:
    return calculate_confidence(answers, iterations=iterations, max_iterations=10, **more).value


@pytest.mark.parametrize(
    ("answers", "value"),
    [
        ((FOUND,), 0.9),
        ((FOUND, judged(status="results", confidence="medium")), 0.6),
        ((FOUND, judged("other", status="rejected")), 0.3),
        ((judged(status="rejected"), FOUND), 0.9),
        ((judged(error=True), FOUND), 0.9),
        ((judged(error=True), judged(error=True), FOUND), 0.6),
        ((judged(error=True),), 0.3),
        ((), 0.3),
        ((judged(kind="unknown"),), 0.6),
    ],
)
def test_calculate_confidence_is_the_least_of_its_parts(
    answers: tuple[Judged, ...], value: float
) -> None:
    assert confidence(*answers) == value


def test_few_iterations_mean_more_confidence() -> None:
    assert confidence(FOUND, iterations=5) == 0.9
    assert confidence(FOUND, iterations=6) == 0.6


def test_contradictions_mean_less_confidence() -> None:
    one, other = (
        judged(status="found", answer="It is 1."),
        judged(status="found", answer="It is 2."),
    )
    assert contradictions([one, other]) == ["query"]
    assert confidence(one, other) == 0.3
    assert contradictions([one, judged(status="found", key="else", answer="It is 2.")]) == []


def test_what_the_answer_says_of_itself_counts() -> None:
    assert confidence(FOUND, said="medium") == 0.6
    assert confidence(FOUND, said="certain") == 0.9


def test_a_failed_run_is_not_to_be_relied_on() -> None:
    assert confidence(FOUND, failed=True) == 0.3
    assert confidence(failed=True) == 0.0


def step(tool: str | None, output: Any = None, number: int = 1) -> ReasoningStep:
    action = Action(tool=tool, input={}, output=output) if tool else None
    return ReasoningStep(step=number, thought="t", action=action, timestamp="2026-11-21T12:00:00Z")


def test_extract_decision_tells_the_course_without_figures() -> None:
    steps = [
        step("clarify", {"answer": "x"}),
        step("query", {"status": "found", "value": 42}),
        step("query", {"status": "found", "value": 43}),
        step("find", {"error": {"code": "ToolExecutionError", "message": "no"}}),
        step(None),
    ]
    assert extract_decision(steps) == (
        "Called clarify (answered); then query (found), repeatedly; then find (refused). "
        "Answered from what the tools said."
    )
    assert extract_decision([]) == "Called no tool. Answered."


def test_extract_decision_tells_how_a_run_failed() -> None:
    error = AgentError(code="TimeoutError", message="over", recoverable=True)
    assert extract_decision([step("query", {"status": "found"})], error) == (
        "Called query (found). Stopped with TimeoutError."
    )
    many = [step(f"tool_{at}", {}) for at in range(20)]
    assert "and further calls" in extract_decision(many, error)
