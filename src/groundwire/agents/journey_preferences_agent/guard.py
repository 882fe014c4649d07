"""The guard: the output of the tools is the answer; only the router interprets it."""

from __future__ import annotations

from pydantic import JsonValue

from groundwire.agents.journey_requests.outputs import (
    REFUSED,
    SENT,
    OutputGuard,
    Row,
    outputs_made,
    refused_rows,
    result_of,
)
from groundwire.agents.journey_requests.settings_calls import ASK, SET, exceeding, settings_call
from groundwire.agents.runtime.contract import Evidence

NOTHING_SAID = (
    "Nothing was changed. Say what is to be kept or forgotten, for example “remember that my home "
    "is Angel”, or ask for the defaults."
)


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
