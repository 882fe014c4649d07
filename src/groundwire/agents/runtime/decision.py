"""A run in a sentence or two: what was called, how it went, how it ended.

No figure and no name of an answer is repeated: the sentence is shown even where nothing else is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from groundwire.agents.runtime.output import AgentError, Alternative, ReasoningStep

_MOST_CALLS = 12


def extract_decision(steps: Sequence[ReasoningStep], error: AgentError | None = None) -> str:
    """Summarize the reasoning of a run.

    Args:
        steps: the trace.
        error: why it failed, if it did.
    """
    outcomes = [_outcome(step) for step in steps if step.action]
    told: list[str] = []
    for outcome, group in groupby(outcomes[:_MOST_CALLS]):
        times = len(list(group))
        told.append(outcome if times == 1 else f"{outcome}, repeatedly")
    if len(outcomes) > _MOST_CALLS:
        told.append("and further calls")
    called = f"Called {'; then '.join(told)}." if told else "Called no tool."
    if error is not None:
        return f"{called} Stopped with {error.code}."
    return f"{called} Answered from what the tools said." if told else f"{called} Answered."


def _outcome(step: ReasoningStep) -> str:
    """A call with what came of it: "query_metric (found)"."""
    assert step.action is not None
    output = step.action.output
    status = ""
    if isinstance(output, dict):
        said = output.get("status")
        status = said if isinstance(said, str) and said.replace("_", "").isalpha() else "answered"
        if "error" in output and "answer" not in output:
            status = "refused"
    return f"{step.action.tool} ({status or 'answered'})"


def alternatives_of(actions: Sequence[tuple[str, str | None, float]]) -> tuple[Alternative, ...]:
    """Return what tools proposed last and the run did not do, as alternatives.

    Args:
        actions: text, tool and impact of each proposal.
    """
    return tuple(
        Alternative(
            approach=text,
            confidence=0.3,
            reasoning=f"proposed by the answer of {tool}" if tool else "proposed by a tool",
            estimated_impact=impact,
        )
        for text, tool, impact in actions
    )
