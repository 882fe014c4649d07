"""The rules of preferences: what a prompt says of its user, as defaults."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.subagents import (
    ASK,
    DONE,
    NOTHING_CHANGED,
    REFUSED,
    SENT,
    SET,
    OutputGuard,
    Row,
    exceeding,
    outputs_made,
    refused_rows,
    result_of,
    settings_call,
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

NOTHING_SAID = (
    "Nothing was changed. Say what is to be kept or forgotten, for example “remember that my home "
    "is Angel”, or ask for the defaults."
)


def build_rules() -> RulesModel:
    """The model that keeps preferences without a key."""
    return RulesModel(answer)


def answer(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelResponse:
    """Set what the prompt says, or tell what is set."""
    if answers_of(messages):
        return saying(DONE)
    task = task_of(messages)
    name, arguments = settings_call(task.text)
    if name not in {tool.name for tool in tools}:
        return saying("This tool is not offered here.")
    return calling((name, arguments), thought="The prompt says what to keep.")


def build_guard() -> OutputGuard:
    """Return the guard of this agent."""
    return OutputGuard(_result)


def _result(evidence: Evidence) -> dict[str, JsonValue]:
    """Return the outputs, and name what of the prompt was not kept or forgotten."""
    outputs = outputs_made(evidence)
    refused = [str(one[REFUSED]).removesuffix(ASK).strip() for one in refused_rows(evidence)]
    tool, asked = settings_call(evidence.question)
    sent: Row = {}
    for one in outputs:
        sent |= one[SENT] if one["tool"] == SET else {}
    left = exceeding(asked, sent) if tool == SET and not refused else ()
    lines = [f"Not kept or forgotten as asked: {', '.join(left)}."] if left else []
    if not outputs and not refused:
        lines.append(NOTHING_SAID)
    result = result_of(outputs, refused, lines)
    if left:
        result["confidence"] = "low"
    return result


def allows(change: Change) -> str | None:
    """Allow what the rules read in the prompt, and nothing beside it."""
    tool, asked = settings_call(change.question)
    beyond = exceeding(change.arguments, asked if tool == change.tool else {})
    return f"{NOTHING_CHANGED.format(', '.join(beyond))} {ASK}" if beyond else None
