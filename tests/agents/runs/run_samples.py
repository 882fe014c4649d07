"""Runs for the tests of their store: what was asked, and what came of it."""

from __future__ import annotations

from typing import Any

from groundwire.agents.runs.records import Asked
from groundwire.agents.runtime.contract import (
    Action,
    AgentExecutionMetadata,
    AgentOutput,
    AgentReasoning,
    Progress,
    ReasoningStep,
)

TIME = "2026-11-21T12:00:00.000+00:00"


def asked(run_id: str = "run_1", owner: str = "ada", agent: str = "find_agent") -> Asked:
    return Asked(run_id, owner, agent, "What is it?", model="scripted", version="1.2.0")


def metadata(iterations: int = 1) -> AgentExecutionMetadata:
    return AgentExecutionMetadata(
        execution_time_ms=3.5, iterations=iterations, model="scripted", agent_version="1.2.0"
    )


def step(number: int = 1, output: Any = "seven") -> ReasoningStep:
    return ReasoningStep(
        step=number,
        thought="Look it up.",
        action=Action(tool="find", input={"query": "it"}, output=output),
        observation="seven",
        timestamp=TIME,
    )


def answered(run_id: str = "run_1", answer: str = "It is 7.", **result: Any) -> AgentOutput:
    return AgentOutput(
        run_id=run_id,
        success=True,
        result={"answer": answer, **result},
        reasoning=AgentReasoning(
            steps=(step(),), decision="Found.", confidence=0.9, assumptions_made=("it is it",)
        ),
        metadata=metadata(),
        evidence_ids=("ev_1",),
    )


def progress(steps: int) -> Progress:
    return Progress(
        doing="calls find",
        steps=tuple(step(at) for at in range(1, steps + 1)),
        metadata=metadata(steps),
        evidence_ids=tuple(f"ev_{at}" for at in range(1, steps + 1)),
    )
