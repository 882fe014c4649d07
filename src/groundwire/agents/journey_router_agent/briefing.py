"""Mark the names of stops in a question, so that no word of one is read as anything else."""

from __future__ import annotations

from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.contract import AgentContext, AgentInput
from groundwire.agents.runtime.definition import Brief, Briefing


def build_briefing() -> Brief:
    """Return what makes a question ready."""
    return brief


async def brief(asked: AgentInput, context: AgentContext, tools: Toolbox) -> Briefing:
    """Return the question with the names that the tools know in marks."""
    del context
    return Briefing(question=await tools.with_marked_names(asked.question))
