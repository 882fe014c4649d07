"""Inputs of agents, checked before anything is called."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, TypeVar, cast

from pydantic import Field, JsonValue, ValidationError, field_validator

from groundwire.agents.runtime.errors import ValidationFailure
from groundwire.agents.runtime.output import Frozen
from groundwire.problems import phrase

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
