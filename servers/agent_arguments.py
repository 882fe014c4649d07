"""Arguments of the agents beside the question."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

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


def context_of(context: Context | None, budget: Limits | None) -> dict[str, Any]:
    """Return what was sent of both, by the names of the runtime's context."""
    sent: dict[str, Any] = {} if context is None else context.model_dump(exclude_none=True)
    if budget is not None:
        sent["budget"] = budget.model_dump(exclude_none=True)
    return sent
