"""A run's input and context, the answers of its tools, the verdict of its guard, and its output."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from groundwire.safe_text import new_handle

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


LONGEST_QUESTION = 8_000


class Constraints(Frozen):
    """Limits that come with the request; the stricter of these and the context's holds."""

    max_time_ms: int | None = Field(default=None, ge=1)
    max_cost_usd: float | None = Field(default=None, ge=0)
    required_quality: float | None = Field(default=None, ge=0, le=1)


class AgentInput(Frozen):
    """The input of every agent; an agent may add fields of its own.

    Attributes:
        question: the task, in the user's own words.
        reference_date: what "today" is for this question, or None for the server's day.
        constraints: limits of this request.
        context: anything that the prompt should be told beside the question.
    """

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    reference_date: date | None = None
    constraints: Constraints = Constraints()
    context: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])

    @field_validator("question")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("it is empty: send the question")
        return value.strip()

    @classmethod
    def unread(cls) -> AgentInput:
        """Return a stand-in for an input before it is known to be one."""
        return AgentInput(question="(not read)")


LOCAL_USER = "local"


class Budget(Frozen):
    """The limits of a run; absent means the configuration's own limits.

    Attributes:
        max_cost_usd: dollars for all model calls together.
        max_time_ms: milliseconds from start to output.
    """

    max_cost_usd: float | None = Field(default=None, ge=0)
    max_time_ms: int | None = Field(default=None, ge=1)


class Turn(Frozen):
    """An earlier exchange of the conversation that a run carries on.

    Attributes:
        question: what was asked.
        result: what was answered: `answer` and what it is made of (journeys, slots).
        assumptions: what was assumed.
        evidence_ids: what proves it.
    """

    question: str
    result: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    assumptions: tuple[str, ...] = ()
    evidence_ids: tuple[str, ...] = ()


class AgentContext(Frozen):
    """The context of one run; absent ids are minted. It reaches every tool call.

    Attributes:
        user_id: who asks; owns what is stored.
        session_id: the conversation at the host, if it told one.
        correlation_id: joins this run to what caused it.
        trace_id: 32 hexadecimal digits, as in W3C trace context.
        run_id: handle of this run.
        timestamp: when it was asked for.
        metadata: anything that the host wants kept with it; `private: true` keeps texts out of
            logs and spans.
        required_quality: least confidence that the caller can use, 0 to 1.
        budget: what it may take.
        turns: what was said before, oldest first.
    """

    user_id: str = LOCAL_USER
    session_id: str | None = None
    correlation_id: str = Field(default_factory=lambda: new_handle("cor"))
    trace_id: str = Field(default_factory=lambda: secrets.token_hex(16))
    run_id: str = Field(default_factory=lambda: new_handle("run"))
    timestamp: datetime = Field(default_factory=lambda: datetime.now(UTC))
    metadata: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    required_quality: float | None = Field(default=None, ge=0, le=1)
    budget: Budget = Budget()
    turns: tuple[Turn, ...] = ()

    def ids(self) -> dict[str, str]:
        """The ids that go with every tool call, log line and span."""
        named = {
            "run_id": self.run_id,
            "user_id": self.user_id,
            "session_id": self.session_id,
            "correlation_id": self.correlation_id,
            "trace_id": self.trace_id,
        }
        return {name: value for name, value in named.items() if value is not None}


RUNNING: ContextVar[AgentContext | None] = ContextVar("groundwire_agent_context", default=None)
"""The context of the run that this code serves; tools of this process read it here."""


# Statuses of a result that answers what was asked.
_ANSWERED = ("found", "results", "answered")
# Status of a result that refuses the whole question for something that it names.
_OUT_OF_SCOPE = "out_of_scope_entity"


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """One answered call of a tool.

    Attributes:
        tool: its name.
        arguments: what was sent.
        text: the answer as text, whole.
        data: the structured answer; empty where a tool has none.
        is_error: whether the tool refused or failed; then `text` is its line.
        evidence_id: the record that proves it, or None.
        seconds: how long it took.
    """

    tool: str
    arguments: Mapping[str, JsonValue]
    text: str
    data: Mapping[str, JsonValue]
    is_error: bool = False
    evidence_id: str | None = None
    seconds: float = 0.0

    @property
    def refusal(self) -> str:
        """A refusal as a sentence, without the code of its error."""
        error = self.data.get("error")
        message = error.get("message") if isinstance(error, dict) else None
        return message if isinstance(message, str) else self.text


@dataclass(frozen=True, slots=True)
class Evidence:
    """The answers of a run's tools, in the order of the calls.

    Attributes:
        answers: every answer, refusals among them.
        ids: evidence ids, each once, first use first.
        question: what the run was asked, in the user's own words.
        turns: what was said before, oldest first.
        variables: values that came with the question.
        reference_date: what "today" is for the question, or None for the server's day.
    """

    answers: tuple[ToolAnswer, ...] = ()
    ids: tuple[str, ...] = ()
    question: str = ""
    turns: tuple[Turn, ...] = ()
    variables: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    reference_date: date | None = None

    def of(self, *tools: str) -> tuple[ToolAnswer, ...]:
        """The successful answers of some tools."""
        return tuple(one for one in self.answers if one.tool in tools and not one.is_error)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A guard's decision on a draft.

    Attributes:
        result: what is answered, `answer` first; None if nothing of the draft can be.
        fabrication: whether the draft stated what no tool had answered.
        notes: assumptions and caveats for the trace.
        ask_again: what to tell the model so that it drafts once more, or empty to end here.
        leaves: the requests of the question that it does not answer.
    """

    result: Mapping[str, JsonValue] | None
    fabrication: bool = False
    notes: tuple[str, ...] = ()
    ask_again: str = ""
    leaves: tuple[str, ...] = ()

    @property
    def is_answered(self) -> bool:
        """Whether it answers what was asked, leaves no part of it open and asks nothing."""
        result = self.result or {}
        status = result.get("status")
        return (
            # That no asset matches is an answer, that no passage does is none.
            (status in _ANSWERED or (status == "empty" and "assets" in result))
            and not result.get("gaps")
            and not result.get("pending")
            and result.get("confidence") != "low"
        )

    @property
    def is_whole(self) -> bool:
        """Whether it answers every request of the question, or refuses the question as a whole."""
        if (self.result or {}).get("status") == _OUT_OF_SCOPE:
            return True
        return self.is_answered and not self.leaves


class Guard(Protocol):
    """Makes the result of a run from a draft and what the tools answered."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict | Awaitable[Verdict]:
        """Judge a final answer.

        Args:
            answer: what the model said: a text, or an object if it wrote one.
            trace: the steps up to here.
            evidence: what the tools answered.
        """
        ...


NOT_ALLOWED = "This agent changes nothing, so the call was not made."


@dataclass(frozen=True, slots=True)
class Change:
    """A call that would change something, before it is made.

    Attributes:
        question: what the run was asked, in the user's own words.
        turns: what was said before, oldest first.
        tool: the tool that is to be called.
        arguments: what is to be sent.
        variables: values that came with the question.
        answers: what the tools of this run have answered, refusals among them.
    """

    question: str
    turns: Sequence[Turn]
    tool: str
    arguments: Mapping[str, JsonValue]
    variables: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    answers: Sequence[ToolAnswer] = ()


Allows = Callable[[Change], str | None]
"""None where the change was asked for, else the sentence that tells why the call is not made."""


def nothing_allowed(change: Change) -> str:
    """The check of an agent that brings none."""
    return NOT_ALLOWED
