"""Read a question before any model does; refuse it or ask back where that is needed.

The order is strict (seed 001): out of scope first, on the raw question and before any tool or
model; then what has to be asked; only then is something looked up.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from groundwire.agents.metrics_agent.answer import asking
from groundwire.agents.metrics_agent.conversation import completions
from groundwire.agents.metrics_agent.plan import (
    Plan,
    clarifying,
    kinds_of,
    lookups,
    naming,
    read_plan,
)
from groundwire.agents.runtime.context import AgentContext, AgentInput
from groundwire.agents.runtime.definition import Brief, Briefing, Toolbox
from groundwire.agents.runtime.errors import ValidationFailure

_WAYS = {
    "structured": "structured, it asks for values",
    "narrative": "narrative, it asks what documents say",
    "composite": "composite, it asks for values and what documents say of them",
}


def build_briefing() -> Brief:
    """The briefing of this agent."""
    return brief


async def brief(asked: AgentInput, context: AgentContext, tools: Toolbox) -> Briefing:
    """Read the question.

    Raises:
        ValidationFailure: it cannot be read, as one that is too long.
    """
    day = asked.reference_date.isoformat() if asked.reference_date else ""
    plan, data = await _read(tools, asked.question, day)
    before = context.turns[-1].result if context.turns else {}
    for fuller in completions(asked.question, data, before):
        plan, _ = await _read(tools, fuller, day)
        if not plan.ends:
            break
    if plan.ends:
        return Briefing(verdict=asking(plan))
    said = [
        (await tools.call(call.tool, call.arguments, "Looks up how it is called.")).data
        for call in naming(plan)
    ]
    calls = [call._asdict() for call in lookups(plan, kinds_of(said))]
    reading = {"way": _WAYS[plan.route], "note": plan.note, "calls": calls}
    return Briefing({"reading": reading}, notes=(plan.note,) if plan.note else ())


async def _read(tools: Toolbox, question: str, day: str) -> tuple[Plan, Mapping[str, JsonValue]]:
    call = clarifying(question, day)
    answer = await tools.call(call.tool, call.arguments, "Reads the question.")
    if answer.is_error:
        raise ValidationFailure(f"The question cannot be read: {answer.text}", recoverable=True)
    return read_plan(question, answer.data), answer.data
