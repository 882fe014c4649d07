"""For whom, under which ids and within which budget a run works, and its input, checked."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, date, datetime
from typing import Any, TypeVar, cast

from pydantic import Field, JsonValue, ValidationError, field_validator

from groundwire.agents.runtime.errors import ValidationFailure
from groundwire.agents.runtime.output import Frozen
from groundwire.problems import phrase
from groundwire.safe_text import new_handle

LONGEST_QUESTION = 8_000
Input = TypeVar("Input", bound="AgentInput")


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


def validated_input(model: type[Input], sent: Mapping[str, Any] | AgentInput) -> Input:
    """Return what was sent, as an agent's input.

    Raises:
        ValidationFailure: it is not valid; the message names the fields and what they must be.
    """
    if isinstance(sent, model):
        return sent
    if not isinstance(cast("object", sent), AgentInput | Mapping):
        raise ValidationFailure("The input must be an object with a `question`.", recoverable=True)
    tree = sent.model_dump() if isinstance(sent, AgentInput) else dict(sent)
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        told = "; ".join(
            f"`{'.'.join(map(str, one['loc'])) or 'input'}`: {phrase(one)}" for one in problems[:5]
        )
        raise ValidationFailure(f"The input cannot be used: {told}.", recoverable=True) from error


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
