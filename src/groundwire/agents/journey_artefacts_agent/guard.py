"""The guard: what the tools made of the plan that came along is the answer.

Only the router interprets it. What a model made of another plan is left out, and what the prompt
asks for and was not made is told.
"""

from __future__ import annotations

from pydantic import JsonValue

from groundwire.agents.journey_artefacts_agent.rules import ASK_PLAN, plan_of, tools_asked
from groundwire.agents.journey_requests.outputs import (
    REFUSED,
    SENT,
    OutputGuard,
    Row,
    outputs_made,
    refused_rows,
    result_of,
)
from groundwire.agents.runtime.contract import Evidence

_NAMES = {
    "draw_map_for_plan": "map",
    "create_ics_file_for_plan": "calendar file",
    "get_computed_journey_plan": "description",
}


def build_guard() -> OutputGuard:
    """Return the guard of this agent."""
    return OutputGuard(_result)


def _result(evidence: Evidence) -> dict[str, JsonValue]:
    """Return the files that were made of the plan, and name those that were not."""
    plan = plan_of(evidence.question, evidence.variables)
    if "journey_id" not in plan:
        return {"answer": ASK_PLAN}
    made = outputs_made(evidence)
    kept = [one for one in made if _is_of(plan, one[SENT])]
    refused = [str(one[REFUSED]) for one in refused_rows(evidence) if _is_of(plan, one[SENT])]
    asked = tools_asked(evidence.question, evidence.variables)
    left = [_NAMES[tool] for tool in asked if tool not in {one["tool"] for one in kept}]
    lines = [f"The {name} is not made." for name in left] if not refused else []
    if len(kept) < len(made):
        lines.append("What was made of another plan than this one is not told.")
    result = result_of(kept, refused, lines)
    if lines:
        result["confidence"] = "low"
    return result


def _is_of(plan: Row, sent: Row) -> bool:
    """Whether a call is about a plan; an index that was not sent is the first."""
    indices = ("journey_index", "plan_index")
    return sent.get("journey_id") == plan["journey_id"] and all(
        (sent.get(name) or 0) == (plan.get(name) or 0) for name in indices
    )
