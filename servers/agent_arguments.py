"""Arguments of the agents beside the question."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from groundwire.errors import InputError
from groundwire.problems import phrase

_LONGEST = 8_000
_Id = Annotated[str | None, Field(max_length=200)]

QuestionText = Annotated[
    str, Field(description="In the user's own words.", min_length=1, max_length=_LONGEST)
]
InputPrompt = Annotated[str, Field(description="The task.", min_length=1, max_length=_LONGEST)]
ReferenceDate = Annotated[
    str, Field(description="The day that counts as today, YYYY-MM-DD.", max_length=40)
]
ContinueRun = Annotated[
    str, Field(description="run_id of the answer that this goes on from.", max_length=64)
]
IncludeTrace = Annotated[bool, Field(description="With every step.")]
RunId = Annotated[str, Field(description="As an agent returned it.", max_length=64)]


class Context(BaseModel):
    """For whom and under which ids a run works."""

    model_config = ConfigDict(extra="forbid")

    user_id: _Id = None
    session_id: _Id = None
    correlation_id: _Id = None
    trace_id: _Id = None
    metadata: dict[str, JsonValue] | None = None
    required_quality: Annotated[float | None, Field(ge=0, le=1)] = None


class Limits(BaseModel):
    """The limits of a run."""

    model_config = ConfigDict(extra="forbid")

    max_cost_usd: Annotated[float | None, Field(ge=0)] = None
    max_time_ms: Annotated[int | None, Field(ge=1)] = None


ContextArgument = Annotated[Context | None, Field(description="Ids, and the quality needed.")]
BudgetArgument = Annotated[Limits | None, Field(description="Ends the run when passed.")]

# Of tasks of learners. Their context also takes the inputs by name, so it is an open object, whose
# ids are checked when it is read.
TaskText = Annotated[str, Field(description="In the learner's words.", max_length=_LONGEST)]
TaskContext = Annotated[
    dict[str, JsonValue], Field(description="Ids, and anything else of the task.", max_length=40)
]
TASK_INPUTS: dict[str, Any] = {
    "user_id": Annotated[str, Field(max_length=200)],
    "deck_id": Annotated[str, Field(description="Or its name.", max_length=400)],
    "session_mode": Literal["", "exploration", "goal-driven", "exam", "synthesis"],
    "topic": Annotated[str, Field(max_length=400)],
    "card_type": Literal["", "atomic", "cloze", "image_occlusion"],
    "count": Annotated[int, Field(ge=0, le=50)],
}
"""The inputs of the agent class specification, each of which a task may leave out."""


class Constraints(BaseModel):
    """The limits of a task, by the names of the agent class specification."""

    model_config = ConfigDict(extra="forbid")

    max_time: Annotated[int | None, Field(description="Milliseconds.", ge=1)] = None
    max_cost: Annotated[float | None, Field(description="US dollars.", ge=0)] = None
    required_quality: Annotated[float | None, Field(ge=0, le=1)] = None


ConstraintsArgument = Annotated[Constraints | None, Field()]


def task_context(
    sent: dict[str, JsonValue], user_id: str
) -> tuple[dict[str, Any], dict[str, JsonValue]]:
    """Return the ids of a task's context by the names of the runtime, and what else it holds.

    Raises:
        InputError: an id is none.
    """
    ids = {name: one for name, one in sent.items() if name in Context.model_fields}
    if user_id:
        ids["user_id"] = user_id
    try:
        context = Context.model_validate(ids)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"context.{where}: {phrase(first)}") from error
    rest = {name: one for name, one in sent.items() if name not in Context.model_fields}
    return context_of(context, None), rest


def context_of(context: Context | None, budget: Limits | None) -> dict[str, Any]:
    """Return what was sent of both, by the names of the runtime's context."""
    sent: dict[str, Any] = {} if context is None else context.model_dump(exclude_none=True)
    if budget is not None:
        sent["budget"] = budget.model_dump(exclude_none=True)
    return sent
