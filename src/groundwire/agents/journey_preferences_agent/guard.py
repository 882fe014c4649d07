"""The guard: the output of the tools is the answer; only the router interprets it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from groundwire.agents.journey_requests.outputs import (
    REFUSED,
    SENT,
    Row,
    outputs_made,
    refused_rows,
    result_of,
)
from groundwire.agents.journey_requests.settings_calls import ASK, SET, exceeding, settings_call
from groundwire.agents.runtime.guards import Evidence, Verdict
from groundwire.agents.runtime.output import ReasoningStep

NOTHING_SAID = (
    "Nothing was changed. Say what is to be kept or forgotten, for example “remember that my home "
    "is Angel”, or ask for the defaults."
)


def build_guard() -> PreferencesGuard:
    """The guard of this agent."""
    return PreferencesGuard()


class PreferencesGuard:
    """The output of the tools, and what of the prompt was not kept or forgotten."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft."""
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
        return Verdict(result)
