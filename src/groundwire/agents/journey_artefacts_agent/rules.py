"""The rules of artefacts: which of map, calendar and text a prompt wants of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import read_artefacts
from groundwire.agents.journey_requests.model import REPEATS, ArtefactKind, Artefacts
from groundwire.agents.journey_requests.subagents import (
    DONE,
    REFUSED,
    SENT,
    OutputGuard,
    Row,
    outputs_made,
    refused_rows,
    result_of,
    sentence_of,
    values_of,
)
from groundwire.agents.runtime.contract import Change, Evidence
from groundwire.agents.runtime.model import (
    Message,
    ModelResponse,
    RulesModel,
    ToolSpec,
    answers_of,
    calling,
    saying,
    task_of,
)

_TOOLS: dict[ArtefactKind, str] = {
    "map": "draw_map_for_plan",
    "calendar": "create_ics_file_for_plan",
    "text": "get_computed_journey_plan",
}
ASK_PLAN = "Which plan is meant? Send journey_id, journey_index and plan_index."
_WHICH = ("journey_id", "journey_index", "plan_index")
_NAMES = {
    "draw_map_for_plan": "map",
    "create_ics_file_for_plan": "calendar file",
    "get_computed_journey_plan": "description",
}
_NOT_ASKED = "The prompt asks for no such file ({}), so none was written."


def build_rules() -> RulesModel:
    """The model that makes artefacts without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Make what the prompt asks for, of the plan that came along."""
    if answers_of(messages):
        return saying(DONE)
    task = task_of(messages)
    values = {**(task.variables or {}), **values_of(task.text)}
    which = plan_of(task.text, task.variables or {})
    if "journey_id" not in which:
        return saying(ASK_PLAN)
    asked = _asked(sentence_of(task.text), values)
    offered = {tool.name for tool in tools}
    calls = [
        (_TOOLS[kind], {**which, **_options(kind, asked)})
        for kind in asked.kinds
        if _TOOLS[kind] in offered
    ]
    if not calls:
        return saying("This cannot be made here.")
    return calling(*calls, thought="The prompt says what to make of the plan.")


def plan_of(prompt: str, variables: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The plan that is meant, by the values that came along."""
    values = {**variables, **values_of(prompt)}
    structured = values.get("input_structured")
    values |= structured if isinstance(structured, dict) else {}
    return {name: values[name] for name in _WHICH if name in values}


def tools_asked(prompt: str, variables: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The tools of what a prompt asks for, by its values or else by its words."""
    asked = _asked(sentence_of(prompt), {**variables, **values_of(prompt)})
    return tuple(_TOOLS[kind] for kind in asked.kinds)


def _asked(sentence: str, values: Mapping[str, JsonValue]) -> Artefacts:
    """Return what is to be made; the text of the plan where the prompt says nothing."""
    read = read_artefacts(sentence).artefacts or Artefacts(("text",))
    listed = values.get("kinds")
    kinds = [one for one in listed if one in _TOOLS] if isinstance(listed, list) else []
    alarm = values.get("alarm_minutes")
    return Artefacts(
        cast("tuple[ArtefactKind, ...]", tuple(kinds)) or read.kinds,
        alarm_minutes=alarm if isinstance(alarm, int) else read.alarm_minutes,
        per_leg=values.get("per_leg") is True or read.per_leg,
        browser=values.get("browser_display") is True or read.browser,
        whole_day=values.get("whole_day") is True or read.whole_day,
        repeats={name: values[name] for name in REPEATS if name in values},
    )


def _options(kind: ArtefactKind, asked: Artefacts) -> dict[str, JsonValue]:
    if kind == "text":
        return {"detail": "full"}
    made: dict[str, JsonValue] = {"whole_day": True} if asked.whole_day else {}
    if kind == "map":
        return made | ({"browser_display": True} if asked.browser else {})
    made |= {"per_leg": True} if asked.per_leg else {}
    if asked.alarm_minutes is not None:
        made["alarm_minutes"] = asked.alarm_minutes
    return {**made, **asked.repeats}


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


def allows(change: Change) -> str | None:
    """Allow a map or a calendar file where the prompt names it."""
    if change.tool in tools_asked(change.question, change.variables):
        return None
    return _NOT_ASKED.format(change.tool)
