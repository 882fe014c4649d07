"""What the guard has to know of a run: the request, and the conversation that it belongs to."""

from __future__ import annotations

from contextvars import ContextVar

from groundwire.agents.context import AgentContext
from groundwire.agents.definition import Brief, Briefing, Toolbox
from groundwire.agents.inputs import AgentInput
from groundwire.agents.journey_requests.driving import Task

ASKED: ContextVar[Task | None] = ContextVar("groundwire_journey_request", default=None)
"""What the run under way was asked; each run has its own."""


def build_briefing() -> Brief:
    """The briefing of the router."""
    return _brief


async def _brief(asked: AgentInput, context: AgentContext, tools: Toolbox) -> Briefing:
    ASKED.set(Task(asked.question, asked.reference_date, asked.context, context.turns))
    return Briefing()
