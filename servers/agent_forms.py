"""The forms of the agents' tools: which arguments a host sends, and what is asked with them.

Every agent of a form has the same signature, so a tool is its form filled in by its definition.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import Context
from pydantic import JsonValue

from groundwire.agents.offers import Offer
from groundwire.agents.runs.question import Question
from groundwire.agents.runs.results import AgentResult
from groundwire.servers.agent_arguments import (
    TASK_INPUTS,
    BudgetArgument,
    ConstraintsArgument,
    ContextArgument,
    ContinueRun,
    IncludeTrace,
    InputPrompt,
    QuestionText,
    ReferenceDate,
    TaskContext,
    TaskText,
    context_of,
    task_context,
)
from groundwire.serving.toolsets import ToolDeclaration

Answer = Callable[[Question, Context[Any, Any]], Awaitable[AgentResult]]
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
        made.__annotations__["input_structured"] = offer.structured
    made.__name__ = agent
    made.__doc__ = offer.description
    # A body is no method, so it says itself what its toolset says of links.
    toolset = getattr(answer, "__self__", None)
    made.makes_links = getattr(toolset, "makes_links", False)  # type: ignore[attr-defined]  # a function takes any attribute
    return made


def _question(agent: str, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    async def ask(
        ctx: Context[Any, Any],
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
        ctx: Context[Any, Any],
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
        ctx: Context[Any, Any],
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
        ctx: Context[Any, Any],
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
