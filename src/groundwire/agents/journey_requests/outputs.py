"""What the agents below the router return: the output of their tools, and nothing of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.runtime.evidence_guard import NOTHING_KNOWN, unsupported
from groundwire.agents.runtime.formatting import compact
from groundwire.agents.runtime.guards import Evidence, ToolAnswer, Verdict
from groundwire.agents.runtime.output import ReasoningStep

Row = dict[str, Any]
_LEFT_OUT = frozenset({"credit"})


class OutputGuard:
    """Returns what the tools answered; of the draft nothing passes, whatever it says."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """The output of the tools; a draft with figures that none of them gave is told."""
        made = [one for one in evidence.answers if not one.is_error]
        refused = [one for one in evidence.answers if one.is_error]
        draft = answer if isinstance(answer, str) else compact(answer) if answer is not None else ""
        invented = bool(unsupported(draft, made)) if draft else False
        outputs: list[JsonValue] = [_output(one) for one in made]
        said = [sentence for one in made if (sentence := answered(one))]
        # A refusal counts only where nothing came of the tool afterwards.
        open_ones = [one for one in refused if one.tool not in {other.tool for other in made}]
        said += [one.text for one in open_ones[-3:]]
        result: dict[str, JsonValue] = {"answer": "\n".join(dict.fromkeys(said)) or NOTHING_KNOWN}
        if outputs:
            result["outputs"] = outputs
        if open_ones:
            result["refused"] = [one.text for one in open_ones[-3:]]
        return Verdict(result, fabrication=invented)


def answered(one: ToolAnswer) -> str:
    """The words of an answer that can be shown: the text of a plan, else its sentence."""
    for key in ("text", "answer"):
        said = one.data.get(key)
        if isinstance(said, str) and said.strip():
            return said.strip()
    return ""


def _output(one: ToolAnswer) -> dict[str, JsonValue]:
    return {"tool": one.tool, **{k: v for k, v in one.data.items() if k not in _LEFT_OUT}}


def rows(tree: Mapping[str, Any], key: str) -> list[Row]:
    """The objects of a list in an answer; none where it has no such list."""
    listed = tree.get(key)
    found = cast("list[object]", listed) if isinstance(listed, list) else []
    return [cast("Row", one) for one in found if isinstance(one, dict)]


def texts(tree: Mapping[str, Any], key: str) -> list[str]:
    """The items of a list in an answer as texts; none where it has no such list."""
    listed = tree.get(key)
    return [str(one) for one in cast("list[object]", listed)] if isinstance(listed, list) else []


def outputs_of(data: Mapping[str, JsonValue]) -> list[Row]:
    """The outputs of tools in what an agent returned."""
    result = data.get("result")
    return rows(result, "outputs") if isinstance(result, dict) else []


def refusals_of(data: Mapping[str, JsonValue]) -> list[str]:
    """Why an agent has no output: what its tools refused, or how it failed."""
    result = data.get("result")
    if isinstance(result, dict):
        listed = result.get("refused")
        if isinstance(listed, list):
            return [str(one) for one in listed]
    error = data.get("error")
    if isinstance(error, dict):
        return [str(error.get("message", "it failed"))]
    return []
