"""The guard: the answer is the workflow's own text about the user's own prompt, and nothing else.

A run counts only if it was asked the user's prompt, letter by letter, with nothing from the model
but variants and triples that bring in no figure and no IRI. Where they bring in other words than
the prompt's, that is told, and the words are not repeated. What the user has to decide, no model
decides, and no sentence of a model is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from groundwire.agents.kg_agent.answer import NOT_ASKED, WORKFLOW, result_of
from groundwire.agents.runtime.evidence_guard import unsupported
from groundwire.agents.runtime.formatting import compact
from groundwire.agents.runtime.guards import Evidence, Guard, ToolAnswer, Verdict
from groundwire.agents.runtime.output import ReasoningStep
from groundwire.sparql.workflow.breakdown import ASKING
from groundwire.sparql.workflow.markdown import is_reworded

_OWN = frozenset(("prompt", "variants", "triples", "enforce"))
_ENDED = ("answered", "entity_found", "aborted", "needs_decision")


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
        ended = [one for status in _ENDED for one in runs if one.data.get("status") == status]
        if ended:
            reworded = any(_is_reworded(one, evidence.question) for one in runs)
            result = result_of(ended[0].data, evidence.question, reworded=reworded)
            return Verdict(result, fabrication=made_up)
        told = f"Call {WORKFLOW} with prompt exactly as the user wrote it, and with no decision."
        if runs:
            told = f"The workflow is running: call {WORKFLOW} with run_id alone."
        refused: dict[str, JsonValue] = {
            "answer": NOT_ASKED,
            "status": "not_run",
            "confidence": "low",
        }
        return Verdict(refused, fabrication=made_up, ask_again=told)


def _own_runs(evidence: Evidence) -> Iterator[ToolAnswer]:
    """Answers of the workflow about the user's own prompt, in order."""
    known: set[str] = set()
    for one in evidence.of(WORKFLOW):
        run_id = one.arguments.get("run_id")
        goes_on = run_id in known and set(one.arguments) == {"run_id"}
        if goes_on or _is_own(one, evidence.question):
            known.add(str(one.data.get("run_id")))
            yield one


def _is_own(one: ToolAnswer, question: str) -> bool:
    """Whether a run was asked the user's prompt, and no figure or IRI was brought into it."""
    if set(one.arguments) - _OWN or one.arguments.get("prompt") != question:
        return False
    source = ToolAnswer("", {}, question, {})
    return not any(unsupported(text, [source]) for text in _brought(one))


def _is_reworded(one: ToolAnswer, question: str) -> bool:
    """Whether a model brought words into a run that are not the user's."""
    return any(is_reworded(text, question) for text in _brought(one) if text not in ASKING)


def _brought(one: ToolAnswer) -> Iterator[str]:
    yield from _texts(one.arguments.get("variants"))
    yield from _texts(one.arguments.get("triples"))


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
