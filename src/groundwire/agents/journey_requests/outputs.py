"""Results of the agents below the router: the output of their tools, and nothing of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue

from groundwire.agents.runtime.contract import Evidence, ReasoningStep, ToolAnswer, Verdict
from groundwire.agents.runtime.evidence_guard import NOTHING_KNOWN

Row = dict[str, Any]
PLAN = "compute_journey_plans"
SENT = "arguments"
"""In an output: what was sent to its tool."""
REFUSED = "refused"
"""In the place of an output: why its tool refused."""
DONE = "The tools have answered."
"""How rules end a run whose answer is made of what its tools returned."""
_LEFT_OUT = frozenset({"credit"})


@dataclass(frozen=True, slots=True)
class OutputGuard:
    """Returns what the tools answered; of the draft nothing passes, whatever it says.

    Attributes:
        result_from: makes the result, `answer` first, from what the tools of a run answered.
    """

    result_from: Callable[[Evidence], dict[str, JsonValue]]

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Return what the tools answered; of the draft nothing is repeated."""
        return Verdict(self.result_from(evidence))


def result_of(
    outputs: Sequence[Row], refused: Sequence[str] = (), lines: Sequence[str] = ()
) -> dict[str, JsonValue]:
    """The result of an agent that returns what its tools answered.

    Args:
        outputs: what they answered, each as `output_of` has it.
        refused: what they refused, in their words.
        lines: what is to be said beside it.
    """
    said = [sentence for one in outputs if (sentence := answered(one))]
    told = dict.fromkeys((*said, *refused, *lines))
    result: dict[str, JsonValue] = {"answer": "\n".join(told) or NOTHING_KNOWN}
    if outputs:
        result["outputs"] = list(outputs)
    if refused:
        result["refused"] = list(refused)
    return result


def refused_rows(evidence: Evidence) -> list[Row]:
    """Return the last few refusals of tools that nothing came of afterwards."""
    made = {one.tool for one in evidence.answers if not one.is_error}
    left = [one for one in evidence.answers if one.is_error and one.tool not in made]
    return [
        {"tool": one.tool, SENT: dict(one.arguments), REFUSED: one.refusal} for one in left[-3:]
    ]


def answered(output: Row) -> str:
    """The words of an answer that can be shown: the text of a plan, else its sentence."""
    for key in ("text", "answer"):
        said = output.get(key)
        if isinstance(said, str) and said.strip():
            return said.strip()
    return ""


def outputs_made(evidence: Evidence) -> list[Row]:
    """The outputs of a run, in the order of its calls."""
    return [output_of(one) for one in evidence.answers if not one.is_error]


def output_of(one: ToolAnswer) -> dict[str, JsonValue]:
    """An answer of a tool as agents return it: what was sent, and all that came back."""
    data = {key: value for key, value in one.data.items() if key not in _LEFT_OUT}
    return {"tool": one.tool, SENT: dict(one.arguments), **data}


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
