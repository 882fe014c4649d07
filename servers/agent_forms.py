"""The forms of the agents' tools: which arguments a host sends, and what is asked with them.

Every agent of a form has the same signature, so a tool is its form filled in by its definition.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import Context

from groundwire.agents.offers import Offer
from groundwire.agents.runs.question import Question
from groundwire.agents.runs.results import AgentResult
from groundwire.servers.agent_arguments import (
    BudgetArgument,
    ContextArgument,
    ContinueRun,
    InputPrompt,
    QuestionText,
    ReferenceDate,
    context_of,
)
from groundwire.serving.toolsets import ToolDeclaration

Answer = Callable[[Question, Context[Any, Any]], Awaitable[AgentResult]]
"""Asks an agent, and tells its progress to the caller."""

RUN_SECONDS = 90.0
"""Until a call is stopped; it answers long before that, and this is for a busy machine."""
# An agent within another agent's run ends with that run.
_WITHIN_RUN_SECONDS = 3_600.0


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
        timeout=RUN_SECONDS if offer.takes == "question" else _WITHIN_RUN_SECONDS,
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
    elif offer.structured is None:
        made = _instruction(agent, answer)
    else:
        made = _structured_instruction(agent, answer)
        made.__annotations__["input_structured"] = offer.structured
    made.__name__ = agent
    made.__doc__ = offer.description
    return made


def _question(agent: str, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    async def ask(
        ctx: Context[Any, Any],
        question: QuestionText,
        reference_date: ReferenceDate = "",
        context: ContextArgument = None,
        budget: BudgetArgument = None,
        continue_run_id: ContinueRun = "",
    ) -> AgentResult:
        asked = Question(
            agent,
            question,
            reference_date,
            context=context_of(context, budget),
            continue_run_id=continue_run_id,
        )
        return await answer(asked, ctx)

    return ask


def _instruction(agent: str, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    async def instruct(
        ctx: Context[Any, Any],
        input_prompt: InputPrompt,
        context: ContextArgument = None,
        budget: BudgetArgument = None,
    ) -> AgentResult:
        asked = Question(agent, input_prompt, context=context_of(context, budget))
        return await answer(asked, ctx)

    return instruct


def _structured_instruction(agent: str, answer: Answer) -> Callable[..., Awaitable[AgentResult]]:
    async def instruct(
        ctx: Context[Any, Any],
        input_prompt: InputPrompt,
        input_structured: Any,
        context: ContextArgument = None,
        budget: BudgetArgument = None,
    ) -> AgentResult:
        asked = Question(
            agent,
            input_prompt,
            variables=input_structured.model_dump(),
            context=context_of(context, budget),
        )
        return await answer(asked, ctx)

    return instruct
