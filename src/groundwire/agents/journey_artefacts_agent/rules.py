"""The rules of artefacts: which of map, calendar and text a prompt wants of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import read_artefacts
from groundwire.agents.journey_requests.model import REPEATS, ArtefactKind, Artefacts
from groundwire.agents.journey_requests.outputs import DONE
from groundwire.agents.journey_requests.prompts import sentence_of, values_of
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
