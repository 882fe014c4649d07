"""How a run ends: with an answer, with a question for the user, or aborted, with its audits."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.sparql.workflow.markdown import answer_text, final_report
from groundwire.sparql.workflow.model import (
    EXIT_MESSAGE,
    QUESTION,
    Asked,
    Ending,
    Report,
    Row,
)
from groundwire.sparql.workflow.trail import Trail

NO_ANSWER = "The graph has no answer."


def answered(asked: Asked, trail: Trail, rows: Sequence[Row]) -> Report:
    """The rows with links."""
    shown = tuple(rows[: asked.limit])
    trail.note("format", "done", f"{len(shown)} rows with links")
    return _report(trail, "answered", answer_text(asked.prompt, shown), shown)


def abandoned(asked: Asked, trail: Trail) -> Report:
    """The final report; where the workflow is mandatory, the end."""
    finding = _finding(trail)
    if not trail.audits:
        # All of it was asked in the run before.
        trail.audits[:0] = asked.before
        finding += " There is nothing left to probe in these words: send variants."
    markdown = final_report(asked.prompt, finding, trail, "" if _strict(asked) else QUESTION)
    return _without_answer(asked, trail, markdown, finding)


def asked_first(asked: Asked, trail: Trail) -> Report:
    """Nothing is run before the user has said whether the workflow is mandatory."""
    trail.note("policy", "done", asked.unsure)
    question = (
        f"Shall the KG workflow be mandatory for this prompt? {asked.unsure}. Yes: call again "
        "with run_id and enforce strict. Run it without that: decision continue. Answer without "
        "KG backing: decision synthesize."
    )
    return _report(
        trail, "needs_decision", question, question=question, finding="Nothing was run yet."
    )


def synthesized(asked: Asked, trail: Trail) -> Report:
    """What the user decided: an answer without the graph, which strict mode does not allow."""
    trail.audits[:0] = asked.before
    if _strict(asked):
        trail.note("policy", "failed", "strict mode allows no answer without the graph")
        finding = "The KG workflow is mandatory, so there is no answer without KG backing."
        return _without_answer(asked, trail, final_report(asked.prompt, finding, trail), finding)
    trail.note("policy", "done", "the user chose an answer without KG backing")
    text = (
        "The user chose an answer without KG backing. What follows is not from the graph: say so."
    )
    return _report(trail, "answered", text)


def _without_answer(asked: Asked, trail: Trail, markdown: str, finding: str) -> Report:
    strict = _strict(asked)
    trail.note("report", "done", "aborted" if strict else "the user decides")
    return _report(
        trail,
        "aborted" if strict else "needs_decision",
        markdown,
        question="" if strict else QUESTION,
        exit_message=EXIT_MESSAGE if strict else "",
        finding=finding,
    )


def _report(
    trail: Trail,
    ending: Ending,
    markdown: str,
    rows: tuple[Row, ...] = (),
    *,
    question: str = "",
    exit_message: str = "",
    finding: str = "",
) -> Report:
    return Report(
        ending,
        markdown,
        rows,
        tuple(trail.steps),
        tuple(trail.audits),
        question,
        exit_message,
        finding,
        frozenset(trail.tried),
    )


def _strict(asked: Asked) -> bool:
    return asked.mode == "strict"


def _finding(trail: Trail) -> str:
    """That nothing was found; and what that does not prove."""
    if trail.doubts:
        said = "; ".join(f"{name}: {' '.join(why.split())}" for name, why in trail.doubts.items())
        return (
            "Nothing was found, which does not mean that there is nothing: not every endpoint "
            f"could be asked in full ({said.rstrip('.')})."
        )
    if trail.budget.left_out:
        return "Nothing was found within the limits of a run; what they left out is in its steps."
    return NO_ANSWER
