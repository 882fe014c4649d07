"""One run while it happens: its messages, trace, clock and money, and what the tools said."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import anyio
from pydantic import JsonValue

from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.contract import (
    Action,
    AgentContext,
    AgentExecutionMetadata,
    AgentInput,
    Allows,
    Constraints,
    Evidence,
    Guard,
    Progress,
    ReasoningStep,
    TokenUsage,
    ToolAnswer,
    is_watched,
    iso,
    tell,
)
from groundwire.agents.runtime.errors import BudgetExceededFailure, TimeoutFailure
from groundwire.agents.runtime.hints import Judged
from groundwire.agents.runtime.model import Message, Model, ModelResponse, ToolSpec
from groundwire.agents.runtime.observability import RunLog, Spans
from groundwire.agents.runtime.prompts import as_thought, variables_of
from groundwire.agents.runtime.registry import ToolRegistry

if TYPE_CHECKING:
    from groundwire.evidence import Ledger


class Limits:
    """The budget that a run has left; the strictest of configuration, budget and request holds.

    Args:
        config: its timeout.
        context: its budget.
        constraints: what the request itself limits.
        clock: measures the time.
    """

    def __init__(
        self, config: AgentConfig, context: AgentContext, constraints: Constraints, clock: Clock
    ) -> None:
        times = [config.behavior.timeout_ms, context.budget.max_time_ms, constraints.max_time_ms]
        costs = [context.budget.max_cost_usd, constraints.max_cost_usd]
        self.max_time_ms = min(one for one in times if one is not None)
        self.max_cost_usd = min((one for one in costs if one is not None), default=None)
        self._clock = clock
        self._began = clock.monotonic()

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the run began."""
        return (self._clock.monotonic() - self._began) * 1e3

    @property
    def remaining_s(self) -> float:
        """Seconds that are left; 0 or less means none."""
        return (self.max_time_ms - self.elapsed_ms) / 1e3

    def is_timeout(self) -> bool:
        """Whether the time is over."""
        return self.elapsed_ms >= self.max_time_ms

    def check_time(self) -> None:
        """Go on only where time is left.

        Raises:
            TimeoutFailure: the time is over.
        """
        if self.is_timeout():
            raise self.timeout()

    def timeout(self) -> TimeoutFailure:
        """The failure of a run whose time is over."""
        return TimeoutFailure(
            "The time of this run is over: allow more time, or ask for less at once.",
            details={"max_time_ms": self.max_time_ms, "elapsed_ms": round(self.elapsed_ms)},
        )

    @contextmanager
    def within_time(self) -> Generator[None]:
        """Stop what runs inside at the deadline.

        Raises:
            TimeoutFailure: it was stopped.
        """
        self.check_time()
        with anyio.move_on_after(self.remaining_s) as scope:
            yield
        if scope.cancelled_caught:
            raise self.timeout()

    def check_cost(self, spent: float, dearest: float, *, priced: bool, free: bool) -> None:
        """Go on only if the next model call fits the budget, as far as that can be told.

        Args:
            spent: dollars up to here.
            dearest: dollars of the dearest response of this run: what the next may cost.
            priced: whether the price of every response up to here was known.
            free: whether responses of this model cost nothing.

        Raises:
            BudgetExceededFailure: it does not fit, or no price is known.
        """
        limit = self.max_cost_usd
        if limit is None or free:
            return
        if not priced:
            raise BudgetExceededFailure(
                "No price of this model is known, so its budget cannot be kept: name a model with "
                "a price, or ask without a cost budget.",
                details={"max_cost_usd": limit},
            )
        if spent >= limit or spent + dearest > limit:
            raise BudgetExceededFailure(
                "The cost budget of this run does not allow another answer of the model.",
                details={"max_cost_usd": limit, "spent_usd": round(spent, 6)},
            )


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from.

    Attributes:
        now: the moment, with its time zone.
        monotonic: seconds that only grow.
        sleep: waits some seconds.
    """

    now: Callable[[], datetime] = _now
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep


@dataclass(slots=True)
class Account:
    """The sums of one run.

    Attributes:
        prompt_tokens: of all model calls, cached ones among them.
        completion_tokens: of all model calls.
        cost_usd: of all responses whose price is known, and of agents that were called as tools.
        dearest_usd: of one response.
        priced: whether the price of every response is known.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    dearest_usd: float = 0.0
    priced: bool = True

    def add(self, response: ModelResponse, *, free: bool) -> None:
        """Count one response; prices go by tier, so each is priced by itself."""
        usage = response.usage
        self.prompt_tokens += usage.prompt + usage.cache_read + usage.cache_write
        self.completion_tokens += usage.completion
        if response.cost_usd is not None:
            self.cost_usd += response.cost_usd
            self.dearest_usd = max(self.dearest_usd, response.cost_usd)
        elif not free:
            self.priced = False

    def add_called_agent(self, data: Mapping[str, JsonValue]) -> None:
        """Count what an agent took that was called as a tool, by the metadata of its output."""
        metadata = data.get("metadata")
        if not isinstance(metadata, dict):
            return
        cost, usage = metadata.get("estimated_cost_usd"), metadata.get("token_usage")
        if isinstance(cost, int | float):
            self.cost_usd += cost
        if isinstance(usage, dict):
            self.prompt_tokens += _count(usage.get("prompt_tokens"))
            self.completion_tokens += _count(usage.get("completion_tokens"))

    def token_usage(self) -> TokenUsage:
        """Tokens of all model calls."""
        return TokenUsage(
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            total_tokens=self.prompt_tokens + self.completion_tokens,
        )


_HANDLE = re.compile(r"ev_[0-9a-z]{1,40}")


@dataclass(frozen=True, slots=True)
class Equipment:
    """The equipment that a run works with.

    Attributes:
        config: the agent's configuration.
        model: its model.
        tools: the registry.
        guard: makes the final answer.
        allows: whether a call that changes something may be made.
        clock: where time comes from.
        limits: what may still be taken.
        log: the run's log.
        spans: the run's spans.
        version: of the agent.
        ledger: where the answers of its tools are recorded, or None.
    """

    config: AgentConfig
    model: Model
    tools: ToolRegistry
    guard: Guard
    allows: Allows
    clock: Clock
    limits: Limits
    log: RunLog
    spans: Spans
    version: str
    ledger: Ledger | None = None


@dataclass(slots=True)
class Run:
    """The state of one run.

    Attributes:
        asked: the input.
        context: for whom and under which ids.
        with_: what it works with.
        specs: the enabled tools.
        system: the system prompt.
        messages: the exchange with the model.
        steps: the trace.
        judged: every tool answer with its hints.
        account: tokens and money.
        iterations: rounds begun.
        notes: assumptions and caveats.
        fabrication: whether a guard withheld or rewrote an answer.
        unreachable: calls in a row that no server took.
        kept: answers that still hold, by call: until when, the answer, and its step.
    """

    asked: AgentInput
    context: AgentContext
    with_: Equipment
    specs: tuple[ToolSpec, ...] = ()
    system: str = ""
    messages: list[Message] = field(default_factory=list[Message])
    steps: list[ReasoningStep] = field(default_factory=list[ReasoningStep])
    judged: list[Judged] = field(default_factory=list[Judged])
    account: Account = field(default_factory=Account)
    iterations: int = 0
    notes: list[str] = field(default_factory=list[str])
    fabrication: bool = False
    unreachable: int = 0
    kept: dict[str, tuple[float, Judged, int]] = field(
        default_factory=dict[str, tuple[float, Judged, int]]
    )

    @property
    def today(self) -> date:
        """The day that the question is asked on."""
        return self.asked.reference_date or self.with_.clock.now().date()

    def step(
        self, thought: str, action: Action | None = None, observation: str | None = None
    ) -> ReasoningStep:
        """Add a step to the trace and log it."""
        taken = ReasoningStep(
            step=len(self.steps) + 1,
            thought=as_thought(thought),
            action=action,
            observation=observation,
            timestamp=iso(self.with_.clock.now()),
        )
        if self.with_.log.private:
            asked = (self.asked.question, *(turn.question for turn in self.context.turns))
            taken = without_questions(taken, asked)
        self.steps.append(taken)
        self.with_.log.event(
            "agent_step",
            step=taken.step,
            tool=action.tool if action else None,
            texts={
                "thought": taken.thought,
                "input": taken.action.input if taken.action else None,
                "observation": taken.observation,
            },
        )
        return taken

    def tells(self, doing: str) -> None:
        """Tell a watching caller what the run does now, as in "it thinks"."""
        if is_watched():
            tell(Progress(doing, tuple(self.steps), self.metadata(), self.evidence().ids))

    def metadata(self) -> AgentExecutionMetadata:
        """Return what the run took up to here."""
        return AgentExecutionMetadata(
            execution_time_ms=round(self.with_.limits.elapsed_ms, 3),
            iterations=self.iterations,
            tools_used=tools_used(self.steps),
            token_usage=self.account.token_usage(),
            estimated_cost_usd=round(self.account.cost_usd, 8),
            model=self.with_.model.name,
            agent_version=self.with_.version,
            fabrication_guard_triggered=self.fabrication,
        )

    def evidence(self) -> Evidence:
        """Return what the tools answered up to here."""
        answers = tuple(one.answer for one in self.judged)
        return Evidence(
            answers,
            evidence_ids(answers),
            self.asked.question,
            self.context.turns,
            variables_of(self.asked),
            self.asked.reference_date,
        )


def evidence_ids(answers: Sequence[ToolAnswer]) -> tuple[str, ...]:
    """Evidence ids of some answers, those of parts and of called agents among them, each once."""
    found: dict[str, None] = {}
    for answer in answers:
        found.update(dict.fromkeys(_ids(dict(answer.data))))
    return tuple(found)


def _ids(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            if key == "evidence_id":
                yield from _handles([below])
            elif key == "evidence_ids" and isinstance(below, list):
                yield from _handles(below)
            else:
                yield from _ids(below)
    elif isinstance(value, list):
        for one in value:
            yield from _ids(one)


def _handles(values: Sequence[JsonValue]) -> Iterator[str]:
    """The handles among some values; a text of any other form is none, whoever wrote it."""
    return (one for one in values if isinstance(one, str) and _HANDLE.fullmatch(one))


def without_questions(step: ReasoningStep, questions: Sequence[str]) -> ReasoningStep:
    """A step in which the questions' own texts are replaced wherever they stand."""
    forms = sorted({form for text in questions for form in _forms(text)}, key=len, reverse=True)
    action = step.action and step.action.model_copy(
        update={
            "input": _masked(step.action.input, forms),
            "output": _masked(step.action.output, forms),
        }
    )
    return step.model_copy(
        update={
            "thought": _masked(step.thought, forms),
            "observation": _masked(step.observation, forms),
            "action": action,
        }
    )


def _forms(question: str) -> Iterator[str]:
    """A question as it stands in texts and in JSON, with and without its last mark."""
    for text in (question, question.rstrip("?!.？。！ ")):
        if text:
            yield text
            yield json.dumps(text, ensure_ascii=False)[1:-1]
            yield json.dumps(text)[1:-1]


def _masked(value: JsonValue, forms: Sequence[str]) -> JsonValue:
    if isinstance(value, str):
        for form in forms:
            value = value.replace(form, "[question]")
        return value
    if isinstance(value, dict):
        return {key: _masked(below, forms) for key, below in value.items()}
    if isinstance(value, list):
        return [_masked(below, forms) for below in value]
    return value


def tools_used(steps: Iterable[ReasoningStep]) -> tuple[str, ...]:
    """Names of the tools that the trace called, each once, first use first."""
    return tuple(dict.fromkeys(step.action.tool for step in steps if step.action))


def _count(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0
