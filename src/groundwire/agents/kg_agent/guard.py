"""The guard: the answer is the workflow's own text about the user's own prompt, and nothing else.

A run counts only if it was asked the user's prompt, letter by letter, with nothing from the model
but variants and triples that bring in no figure and no IRI (the report quotes them as what was
asked). What the user has to decide, no model decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from groundwire.agents.kg_agent.answer import NOT_ASKED, WORKFLOW, is_synthesis, result_of
from groundwire.agents.kg_agent.briefing import pending, prompt_of
from groundwire.agents.runtime.evidence_guard import unsupported
from groundwire.agents.runtime.formatting import compact
from groundwire.agents.runtime.guards import Evidence, Guard, ToolAnswer, Verdict
from groundwire.agents.runtime.output import ReasoningStep

_OWN = frozenset(("prompt", "variants", "triples", "enforce"))
_BACKED = ("answered", "aborted", "needs_decision")


def build_guard() -> Guard:
    """The guard of this agent."""
    return KgGuard()


class KgGuard:
    """Hands on what the workflow says; what a model wrote is dropped."""

    def final(
        self, answer: JsonValue, trace: Sequence[ReasoningStep], evidence: Evidence
    ) -> Verdict:
        """Judge a draft."""
        draft = answer if isinstance(answer, str) else compact(answer) if answer else ""
        made_up = bool(unsupported(draft, evidence.answers))
        runs = list(_own_runs(evidence))
        decided = next((one for one in runs if is_synthesis(one.data)), None)
        if decided is not None:
            return _synthesized(draft, decided, evidence, made_up)
        ended = [one for status in _BACKED for one in runs if one.data.get("status") == status]
        if ended:
            return Verdict(result_of(ended[0].data, evidence.question), fabrication=made_up)
        told = f"Call {WORKFLOW} with prompt exactly as the user wrote it, and with no decision."
        if runs:
            told = f"The workflow is running: call {WORKFLOW} with run_id alone."
        result: dict[str, JsonValue] = {"answer": NOT_ASKED, "status": "not_run"}
        return Verdict(result, fabrication=made_up, ask_again=told)


def _own_runs(evidence: Evidence) -> Iterator[ToolAnswer]:
    """Answers of the workflow about the user's own prompt, in order."""
    known: set[str] = set()
    before = _decision(evidence)
    for position, one in enumerate(evidence.answers):
        if one.tool != WORKFLOW or one.is_error:
            continue
        run_id = one.arguments.get("run_id")
        goes_on = run_id in known and set(one.arguments) == {"run_id"}
        if position == before or goes_on or _is_own(one, evidence.question):
            known.add(str(one.data.get("run_id")))
            yield one


def _decision(evidence: Evidence) -> int | None:
    """Place of the call that carries out what the user decided, before everything of a model.

    Where the run of the turn before was gone, its prompt was run again up to the decision.
    """
    waiting = pending(evidence.turns[-1].result) if evidence.turns else ""
    calls = [(at, one) for at, one in enumerate(evidence.answers) if one.tool == WORKFLOW]
    if not waiting or not calls or calls[0][1].arguments.get("run_id") != waiting:
        return None
    if not calls[0][1].is_error:
        return calls[0][0]
    prompt = prompt_of(evidence.turns[-1].result)
    if len(calls) < 2 or calls[1][1].arguments != {"prompt": prompt} or calls[1][1].is_error:
        return None
    again = {"run_id": calls[1][1].data.get("run_id")}
    asked = {**calls[0][1].arguments, **again}
    for at, one in calls[2:]:
        if one.arguments != again:
            return at if one.arguments == asked else None
    return None


def _is_own(one: ToolAnswer, question: str) -> bool:
    """Whether a run was asked the user's prompt, and nothing was brought into it."""
    if set(one.arguments) - _OWN or one.arguments.get("prompt") != question:
        return False
    brought = [*_texts(one.arguments.get("variants")), *_texts(one.arguments.get("triples"))]
    source = ToolAnswer("", {}, question, {})
    return not any(unsupported(text, [source]) for text in brought)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)


def _synthesized(draft: str, run: ToolAnswer, evidence: Evidence, made_up: bool) -> Verdict:
    """What a model says where the user chose so, marked; no figure and no IRI of its own."""
    said = result_of(run.data, prompt_of(evidence.turns[-1].result) if evidence.turns else "")
    if draft.strip() and not made_up:
        told = str(said["answer"])
        return Verdict({**said, "answer": f"{told}\n\n{draft.strip()}", "kg_backed": False})
    again = "Answer without any figure and without any link." if made_up else ""
    refused: dict[str, JsonValue] = {**said, "answer": NOT_ASKED, "kg_backed": False}
    return Verdict(refused, fabrication=made_up, ask_again=again)
