"""The forms of the agents' tools: which arguments a host sends, and what is asked with them.

Every agent of a form has the same signature, so a tool is its form filled in by its definition.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context as ToolContext
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from groundwire.agents.offers import STRUCTURED, Offer
from groundwire.agents.runs.results import AgentResult, Question
from groundwire.errors import InputError
from groundwire.problems import phrase
from groundwire.serving.toolsets import ToolDeclaration

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


Answer = Callable[[Question, ToolContext[Any, Any]], Awaitable[AgentResult]]
"""Asks an agent, and tells its progress to the caller."""

RUN_SECONDS = 90.0
"""Until a call is stopped; it answers long before that, and this is for a busy machine."""
# An agent within another agent's run ends with that run.
_WITHIN_RUN_SECONDS = 3_600.0
_NOTHING: dict[str, JsonValue] = {}


def declaration(offer: Offer) -> ToolDeclaration:
    """Return the declaration of an agent's tool."""
    return ToolDeclaration(
        title=offer.title,
        read_only=offer.read_only,
        # A model need not say the same twice, and what it is asked may reach other machines.
        idempotent=False,
        open_world=True,
        destructive=False,
        writes_files=offer.writes_files,
        changes_state=offer.changes_state,
        timeout=_WITHIN_RUN_SECONDS if offer.takes == "instruction" else RUN_SECONDS,
        meta=None,
    )


def body(agent: str, offer: Offer, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    """The body of an agent's tool; its signature and docstring are what the host sees.

    Args:
        agent: name of the agent.
        offer: what it takes.
        answer: asks it.
    """
    if offer.takes == "question":
        made = _question(agent, answer)
    elif offer.takes == "task":
        made = _task(agent, offer, answer)
    elif offer.structured is None:
        made = _instruction(agent, answer)
    else:
        made = _structured_instruction(agent, answer)
        made.__annotations__["input_structured"] = STRUCTURED[offer.structured]
    made.__name__ = agent
    made.__doc__ = offer.description
    # A body is no method, so it says itself what its toolset says of links.
    toolset = getattr(answer, "__self__", None)
    made.makes_links = getattr(toolset, "makes_links", False)  # type: ignore[attr-defined]  # a function takes any attribute
    return made


def _question(agent: str, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    async def ask(
        ctx: ToolContext[Any, Any],
        question: QuestionText,
        reference_date: ReferenceDate = "",
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        continue_run_id: ContinueRun = "",
        include_trace: IncludeTrace = False,
    ) -> AgentResult:
        asked = Question(
            agent,
            question,
            reference_date,
            context=context_of(context, budget),
            continue_run_id=continue_run_id,
            include_trace=include_trace,
        )
        return await answer(asked, ctx)

    return ask


def _task(agent: str, offer: Offer, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    """The form of a task: its signature has the inputs that the agent's offer names."""

    async def do(
        ctx: ToolContext[Any, Any],
        question: TaskText = "",
        constraints: ConstraintsArgument = None,
        context: TaskContext = _NOTHING,
        continue_run_id: ContinueRun = "",
        include_trace: IncludeTrace = False,
        **inputs: Any,
    ) -> AgentResult:
        named = {name: one for name, one in inputs.items() if one}
        ids, rest = task_context(context, str(named.pop("user_id", "")))
        if constraints is not None:
            rest["constraints"] = constraints.model_dump(exclude_none=True)
        asked = Question(
            agent,
            question.strip() or f"{offer.title}.",
            variables={**rest, **named},
            context=ids,
            continue_run_id=continue_run_id,
            include_trace=include_trace,
        )
        return await answer(asked, ctx)

    whole = inspect.signature(do, eval_str=True)
    fixed = [one for one in whole.parameters.values() if one.kind is not one.VAR_KEYWORD]
    own = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=0 if name == "count" else "",
            annotation=TASK_INPUTS[name],
        )
        for name in offer.inputs
    ]
    parameters = [*fixed[:2], *own, *fixed[2:]]
    do.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]  # a function takes any attribute
    do.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": AgentResult}
    return do


def _instruction(agent: str, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    async def instruct(
        ctx: ToolContext[Any, Any],
        input_prompt: InputPrompt,
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        include_trace: IncludeTrace = False,
    ) -> AgentResult:
        asked = Question(
            agent,
            input_prompt,
            context=context_of(context, budget),
            include_trace=include_trace,
        )
        return await answer(asked, ctx)

    return instruct


def _structured_instruction(agent: str, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    async def instruct(
        ctx: ToolContext[Any, Any],
        input_prompt: InputPrompt,
        input_structured: Any,
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        include_trace: IncludeTrace = False,
    ) -> AgentResult:
        asked = Question(
            agent,
            input_prompt,
            variables=input_structured.model_dump(),
            context=context_of(context, budget),
            include_trace=include_trace,
        )
        return await answer(asked, ctx)

    return instruct
