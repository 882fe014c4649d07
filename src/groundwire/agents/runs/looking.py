"""Runs of agents as people look at them: the list of an owner's runs, and a run with its trace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from groundwire.agents.runs.records import RunView
from groundwire.agents.runs.runs import Runs
from groundwire.agents.runtime.contract import AgentOutput, ReasoningStep
from groundwire.apps import asset, template
from groundwire.evidence.page.rendering import style
from groundwire.serving.sections import Entry, Listing, Shown

LONGEST = 8_000
"""Characters of one text of a trace that are shown; the rest is counted."""
MOST_STEPS = 200
"""Steps that are shown; the rest is counted."""
_LONGEST_TITLE = 240


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of the trace, its values as text."""

    thought: str
    tool: str
    sent: str
    answered: str
    observation: str
    timestamp: str


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run of an agent as it is shown.

    Attributes:
        question: what it was asked.
        agent: name of the agent.
        status: how it stands or ended.
        mark: the class of the status, by which it is coloured.
        facts: the model, time, tokens and cost, one text each.
        answer: its answer, or empty.
        error: why it failed, or empty.
        evidence_ids: the records that prove its answer.
        steps: the trace.
        left_out: how many steps are not shown, or empty.
        decision: what was decided.
        lists: assumptions, context and alternatives, each with its heading.
    """

    question: str
    agent: str
    status: str
    mark: str
    facts: tuple[str, ...]
    answer: str
    error: str
    evidence_ids: tuple[str, ...]
    steps: tuple[ShownStep, ...]
    left_out: str
    decision: str
    lists: tuple[tuple[str, tuple[str, ...]], ...]


def list_runs(runs: Runs, owner: str, limit: int, before: str) -> Listing:
    """Return runs of an owner, the newest first.

    Raises:
        NotFoundError: the owner has no run `before`.
        UnavailableError: the file of runs cannot be read.
    """
    found = runs.listed(owner, limit + 1, before)
    entries = tuple(_entry(view, seen) for view, seen in found[:limit])
    return Listing(entries, entries[-1].key if len(found) > limit else "")


def show_run(runs: Runs, owner: str, run_id: str) -> Shown:
    """Return the page of a run.

    Raises:
        NotFoundError: this owner has not started such a run.
        UnavailableError: the file of runs cannot be read.
    """
    run = shown_run(runs.kept(owner, run_id))
    package = __package__ or ""
    body = template(package, "trace.html.jinja").render(run=run)
    css = style() + asset(package, "trace.css")
    return Shown(_cut(run.question, _LONGEST_TITLE), f"<main>{body}</main>", css)


def shown_run(view: RunView) -> ShownRun:
    """Return a run with its texts in the form in which a page shows them."""
    output = view.output
    steps = view.steps if output is None else output.reasoning.steps
    over = len(steps) - MOST_STEPS
    status = _standing(view)
    mark = {"completed": "supported", "failed": "unsupported"}.get(status, "")
    return ShownRun(
        question=_cut(view.asked.question, LONGEST),
        agent=view.asked.agent,
        status=status,
        mark=mark,
        facts=tuple(_facts(view)),
        answer=_answer(output),
        error="" if output is None or output.error is None else output.error.message,
        evidence_ids=() if output is None else output.evidence_ids,
        steps=tuple(map(_step, steps[:MOST_STEPS])),
        left_out=f"{over:,} more steps are not shown here." if over > 0 else "",
        decision="" if output is None else _cut(output.reasoning.decision, LONGEST),
        lists=() if output is None else tuple(_lists(output)),
    )


def _standing(view: RunView) -> str:
    """Return how a run stands; one that ended without success has failed to a reader."""
    output = view.output
    if view.status == "completed" and (output is None or not output.success):
        return "failed"
    return view.status


def _entry(view: RunView, seen: float) -> Entry:
    asked = view.asked
    title = _cut(" ".join(asked.question.split()), _LONGEST_TITLE) or "(no question)"
    return Entry(asked.run_id, title, (asked.agent, _standing(view), asked.run_id), seen)


def _facts(view: RunView) -> Iterator[str]:
    yield view.asked.run_id
    if view.output is None:
        yield f"{view.seconds:.1f} s so far"
        return
    used = view.output.metadata
    yield used.model
    yield f"{used.execution_time_ms / 1_000:.1f} s"
    if used.token_usage.total_tokens:
        yield f"{used.token_usage.total_tokens:,} tokens"
    if used.estimated_cost_usd:
        yield f"about {used.estimated_cost_usd:.4f} USD"
    yield f"confidence {view.output.reasoning.confidence:.2f}"


def _answer(output: AgentOutput | None) -> str:
    said = (output.result or {}).get("answer") if output is not None else None
    return _cut(said, LONGEST) if isinstance(said, str) else ""


def _step(step: ReasoningStep) -> ShownStep:
    action = step.action
    return ShownStep(
        thought=_cut(step.thought, LONGEST),
        tool="" if action is None else action.tool,
        sent="" if action is None else _text(action.input),
        answered="" if action is None or action.output is None else _text(action.output),
        observation=_cut(step.observation or "", LONGEST),
        timestamp=step.timestamp,
    )


def _lists(output: AgentOutput) -> Iterator[tuple[str, tuple[str, ...]]]:
    reasoning = output.reasoning
    yield "Assumed", _cut_all(reasoning.assumptions_made)
    yield "Context used", _cut_all(reasoning.context_used)
    others = [f"{one.approach}: {one.reasoning}" for one in reasoning.alternatives]
    yield "Not done", _cut_all(others)


def _cut_all(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(_cut(one, LONGEST) for one in texts)


def _text(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    return _cut(text, LONGEST)


def _cut(text: str, longest: int) -> str:
    over = len(text) - longest
    return text if over <= 0 else f"{text[:longest]}… ({over:,} more characters)"
