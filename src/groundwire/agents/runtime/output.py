"""Output of a run: the answer, the error, the whole trace, what it took, and how far it is.

Names are those of the agent class specification in snake_case (design.md, "Contracts > agents").

The watcher is found by the run's own context, so that neither `Agent.execute` nor what lies between
takes it as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

SourceQuality = Literal["high", "medium", "low", "unknown"]
ErrorCode = Literal[
    "ValidationError",
    "TimeoutError",
    "MaxIterationsError",
    "ToolExecutionError",
    "LLMError",
    "ParseError",
    "BudgetExceededError",
    "InternalError",
    # Of the store of runs: its caller stopped the run, or its server ended.
    "CancelledError",
    "InterruptedError",
]


class Frozen(BaseModel):
    """A value of the runtime: unchangeable, without fields that nobody declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    def dumped(self) -> dict[str, Any]:
        """The value as JSON, without what is not there."""
        return self.model_dump(mode="json", exclude_none=True)


class AgentError(Frozen):
    """Why a run failed.

    Attributes:
        code: the kind of error, by the specification's name.
        message: one line for people and models, without secrets.
        details: what else is known.
        recoverable: whether the same request may succeed later, or with what the message says.
    """

    code: ErrorCode
    message: str
    details: dict[str, JsonValue] | None = None
    recoverable: bool


class Action(Frozen):
    """One call of a tool, with what was sent and what came back."""

    tool: str
    input: JsonValue
    output: JsonValue = None


class ReasoningStep(Frozen):
    """One step of the trace: a thought, and where a tool was called the call and its answer.

    Attributes:
        step: number, from 1.
        thought: what the model said before it acted.
        action: the call, if there was one.
        observation: what the model was shown of the answer.
        timestamp: when the step was taken, ISO 8601 with its time zone.
    """

    step: int = Field(ge=1)
    thought: str
    action: Action | None = None
    observation: str | None = None
    timestamp: str


class Alternative(Frozen):
    """Another way that could have been taken; `confidence` and `estimated_impact` are 0 to 1."""

    approach: str
    confidence: float = Field(ge=0, le=1)
    reasoning: str
    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()
    estimated_impact: float | None = Field(default=None, ge=0, le=1)


class AgentReasoning(Frozen):
    """How the answer came about; never left out, not even of a failure."""

    steps: tuple[ReasoningStep, ...] = ()
    decision: str
    confidence: float = Field(ge=0, le=1)
    source_quality: SourceQuality = "unknown"
    context_used: tuple[str, ...] = ()
    assumptions_made: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


class TokenUsage(Frozen):
    """Tokens of all model calls; cached ones count as prompt."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    total_tokens: int = 0


class AgentExecutionMetadata(Frozen):
    """The time, tokens and money that a run took.

    Attributes:
        execution_time_ms: from the first check of the input to the output.
        iterations: rounds of the loop, each with one answer of the model.
        tools_used: names of the tools called, each once, first use first.
        token_usage: of all model calls.
        estimated_cost_usd: sum of what each response cost.
        model: name of the model.
        agent_version: version of the agent's definition.
        fabrication_guard_triggered: whether an answer was withheld or rewritten because tools had
            answered and nothing of it was found.
    """

    execution_time_ms: float
    iterations: int
    tools_used: tuple[str, ...] = ()
    token_usage: TokenUsage = TokenUsage()
    estimated_cost_usd: float = 0.0
    model: str
    agent_version: str
    fabrication_guard_triggered: bool = False


class AgentOutput(Frozen):
    """The output of `Agent.execute`.

    Attributes:
        run_id: handle of the run.
        success: whether the task was done.
        result: `answer` and what it is made of. A failure has one only if something partial is
            known, and then without figures that nothing proves.
        error: why the run failed; there exactly if `success` is false.
        reasoning: the trace.
        metadata: what it took.
        evidence_ids: records of every tool answer that has one, first use first.
    """

    run_id: str
    success: bool
    result: dict[str, JsonValue] | None = None
    error: AgentError | None = None
    reasoning: AgentReasoning
    metadata: AgentExecutionMetadata
    evidence_ids: tuple[str, ...] = ()


def iso(moment: datetime) -> str:
    """A moment as ISO 8601 in milliseconds."""
    return moment.isoformat(timespec="milliseconds")


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run: what it has done so far, and what it does now.

    Attributes:
        doing: what it does now, as in "it ...": `thinks`, `calls submit_slots`.
        steps: the trace so far.
        metadata: what it took so far.
        evidence_ids: what proves it so far.
    """

    doing: str
    steps: tuple[ReasoningStep, ...]
    metadata: AgentExecutionMetadata
    evidence_ids: tuple[str, ...] = ()


Watcher = Callable[[Progress], None]
_watcher: ContextVar[Watcher | None] = ContextVar("agent_run_watcher", default=None)


@contextmanager
def watched(by: Watcher) -> Generator[None]:
    """Tell the progress of what runs inside to `by`; a run inside of that run tells nothing."""
    token = _watcher.set(by)
    try:
        yield
    finally:
        _watcher.reset(token)


def is_watched() -> bool:
    """Whether anyone wants to know, so that progress need be put together."""
    return _watcher.get() is not None


def tell(progress: Progress) -> None:
    """Tell how far the run is; nothing happens where it is not watched."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(progress)
