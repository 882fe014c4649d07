"""A run that has ended, as its caller gets it: the answer, how sure it is, and how it came.

A run in a sentence or two: what was called, how it went, how it ended. No figure and no name of an
answer is repeated: the sentence is shown even where nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from pydantic import JsonValue

from groundwire.agents.runtime.contract import (
    AgentError,
    AgentOutput,
    AgentReasoning,
    Alternative,
    ReasoningStep,
    Verdict,
)
from groundwire.agents.runtime.hints import Confidence, calculate_confidence
from groundwire.agents.runtime.prompts import variables_of
from groundwire.agents.runtime.run import Run, evidence_ids
from groundwire.safe_text import safe_tree

_MOST_CALLS = 12

QUALITY_REACHED = "reaches_required_quality"
"""In a result whose caller requires a quality: whether the confidence is that high."""
# One word cannot state anything; of longer texts the beginning is looked for.
_NAME = re.compile(r"[\w.-]{0,40}")
_LEAST = 40
_BELOW = "the confidence is below the required quality"


def outcome(run: Run, verdict: Verdict | None, error: AgentError | None) -> AgentOutput:
    """The output of a run.

    Args:
        run: the run.
        verdict: what its guard made of the answer, or None if it failed.
        error: why it failed, or None.
    """
    answered = [one.answer.tool for one in run.judged if not one.answer.is_error]
    if verdict is not None and verdict.result:
        # What is quoted of a question or of data acts on nobody's terminal.
        result = dict(safe_tree(verdict.result, inert_answers=False))
    else:
        result = None if error is None else partial_result(answered)
    said = result.get("confidence") if result and error is None else None
    required = _required(run)
    confidence = calculate_confidence(
        run.judged,
        iterations=run.iterations,
        max_iterations=run.with_.config.behavior.max_iterations,
        said=said if isinstance(said, str) else "",
        failed=error is not None,
    )
    notes = list(run.notes)
    if error is None and result is not None and required is not None:
        reached = confidence.value >= required
        result |= {"required_quality": required, QUALITY_REACHED: reached}
        if not reached:
            notes.append(f"{_BELOW}: {_listed(confidence.reasons)}")
    return AgentOutput(
        run_id=run.context.run_id,
        success=error is None,
        result=result,
        error=error,
        reasoning=_reasoning(run, confidence, error, notes),
        metadata=run.metadata(),
        evidence_ids=evidence_ids([one.answer for one in run.judged]),
    )


def _required(run: Run) -> float | None:
    """The least confidence that the caller can use: the stricter of input and context."""
    named = (run.asked.constraints.required_quality, run.context.required_quality)
    return max((one for one in named if one is not None), default=None)


def _reasoning(
    run: Run, confidence: Confidence, error: AgentError | None, notes: list[str]
) -> AgentReasoning:
    notes += [note for turn in run.context.turns for note in turn.assumptions]
    last = run.judged[-1:]
    proposed = [
        (action.text, action.tool, action.impact)
        for one in last
        for action in one.hints.next_actions
        if not _repeats(action.text, one.answer.arguments, run.asked.question)
    ]
    used = [name for name in ("reference_date",) if getattr(run.asked, name) is not None]
    used += list(variables_of(run.asked))
    if run.context.turns:
        used.append("earlier turns of the conversation")
    return AgentReasoning(
        steps=tuple(run.steps),
        decision=extract_decision(run.steps, error),
        confidence=confidence.value,
        source_quality=confidence.source_quality,
        context_used=tuple(dict.fromkeys(used)),
        assumptions_made=tuple(dict.fromkeys(notes)),
        alternatives=_alternatives_of(proposed),
    )


def _repeats(text: str, sent: Mapping[str, JsonValue], question: str) -> bool:
    """Whether a proposal repeats words of the call that are not the question's own.

    A tool tells what it could not place as it was sent, and a model may have sent a sentence.
    """
    words = (one for one in _texts(dict(sent)) if not _NAME.fullmatch(one))
    return any(one[:_LEAST] in text and one not in question for one in words)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield " ".join(value.split())
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def _listed(reasons: Sequence[str]) -> str:
    return "; ".join(reasons) or "no better source is known"


def partial_result(tools: Iterable[str]) -> dict[str, JsonValue] | None:
    """Say which tools of a run without an answer had one, and no figure of theirs.

    What they answered is in the trace, with its evidence.

    Args:
        tools: those that answered, in order; a run in which none did has no partial result.
    """
    named = ", ".join(dict.fromkeys(tools))
    if not named:
        return None
    return {"answer": f"Before it ended, {named} had answered.", "partial": True}


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


def _alternatives_of(actions: Sequence[tuple[str, str | None, float]]) -> tuple[Alternative, ...]:
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
