"""How a run ends: with an answer, with a question for the user, or aborted, with its audits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.sparql.endpoint import markdown_text
from groundwire.sparql.patterns.answers import PatternAnswer
from groundwire.sparql.patterns.phrasing import graphs_text
from groundwire.sparql.workflow.markdown import (
    answer_text,
    final_report,
    found_text,
    frame_of,
    is_only_named,
    pattern_text,
    shortened,
)
from groundwire.sparql.workflow.model import (
    EXIT_MESSAGE,
    MANDATE_QUESTION,
    QUESTION,
    Asked,
    Ending,
    Report,
    Row,
)
from groundwire.sparql.workflow.trail import Trail

_MOST_PROMPT = 120
_MOST_LISTED = 12
_MOST_NAMED = 3


def answered(asked: Asked, trail: Trail, rows: Sequence[Row]) -> Report:
    """The rows that answer, with links."""
    shown = tuple(rows[: asked.limit])
    trail.note("format", "done", f"{len(shown)} rows with links")
    return _report(trail, "answered", answer_text(asked.prompt, shown, _chosen(asked)), shown)


def found(
    asked: Asked,
    trail: Trail,
    rows: Sequence[Row],
    bound: Sequence[Row],
) -> Report:
    """Entities of which none answers what was asked; where the workflow is mandatory, the end.

    Args:
        asked: what was asked.
        trail: what was done.
        rows: the entities.
        bound: those that answer a part of the prompt.
    """
    finding = _unanswered(asked, rows, bound)
    if trail.unread:
        finding += f" {trail.unread}"
    graphs = graphs_text(asked.prompt, trail.looked_at, trail.not_looked_at)
    finding += f" {graphs}"
    if _strict(asked):
        names = "; ".join(dict.fromkeys(row.label for row in rows[: asked.limit]))
        finding += frame_of(asked.prompt).ending["only_entities"].format(names=names)
        return _without_answer(asked, trail, final_report(asked.prompt, finding, trail), finding)
    shown = tuple(dict.fromkeys((*bound, *rows)))[: asked.limit]
    trail.note("format", "done", f"{len(shown)} entities with links, of which none is the answer")
    markdown = found_text(asked.prompt, shown, bound)
    beside = " ".join(part for part in (trail.unread, graphs) if part)
    markdown += f"\n\n{markdown_text(beside)}"
    return _report(trail, "entity_found", markdown, shown, finding=finding)


def by_pattern(asked: Asked, trail: Trail, found: PatternAnswer) -> Report:
    """The answer of a pattern, what it asks back, or that no such statement is held."""
    if found.ending != "answered" and not found.sentence.endswith(("?", "？")):
        graphs = graphs_text(asked.prompt, trail.looked_at, trail.not_looked_at)
        found = replace(found, sentence=f"{found.sentence} {graphs}")
    if found.ending != "answered" and _strict(asked):
        said = f"{found.sentence}"
        return _without_answer(asked, trail, final_report(asked.prompt, said, trail), said)
    trail.note("format", "done", f"{len(found.rows)} rows with links")
    ending: Ending = "entity_found"
    question = ""
    if found.ending == "answered":
        ending = "answered"
    elif found.ending == "needs_decision":
        ending, question = "needs_decision", QUESTION
    report = _report(
        trail, ending, pattern_text(asked.prompt, found.sentence, found.rows), found.rows,
        question=question, finding=found.sentence,
    )  # fmt: skip
    return replace(
        report,
        said=found.sentence,
        confidence=found.confidence,
        values=found.values,
        statements=found.statements,
    )


def abandoned(asked: Asked, trail: Trail) -> Report:
    """The final report; where the workflow is mandatory, the end."""
    finding = _finding(asked, trail)
    if trail.unread:
        finding += f" {trail.unread}"
    if not trail.audits:
        # All of it was asked in the run before.
        trail.audits[:0] = asked.before
        if trail.audits:
            finding += " There is nothing left to probe in these words: send variants."
    # Those that are in doubt are told with the finding.
    left = [one for one in trail.not_looked_at if one.partition(" (")[0] not in trail.doubts]
    if left:
        finding += f" {graphs_text(asked.prompt, (), left)}"
    markdown = final_report(asked.prompt, finding, trail, "" if _strict(asked) else QUESTION)
    return _without_answer(asked, trail, markdown, f"{finding}{_looked(asked, trail)}")


def asked_first(asked: Asked, trail: Trail) -> Report:
    """Nothing is run before the user has said whether the workflow is mandatory."""
    trail.note("policy", "done", asked.unsure)
    question = (
        f"{MANDATE_QUESTION} {asked.unsure}. Yes: call again "
        "with run_id and enforce strict. Run it without that: decision continue. Answer without "
        "KG backing: decision synthesize."
    )
    return _report(
        trail, "needs_decision", question, question=question, finding="Nothing was run yet."
    )


def synthesized(asked: Asked, trail: Trail) -> Report:
    """Report the user's decision: an answer without the graph, which strict mode does not allow."""
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
        tuple((name, tuple(dict.fromkeys(abouts))) for name, abouts in trail.looked.items()),
        bool(trail.doubts),
        () if rows else tuple(trail.named[:_MOST_NAMED]),
        looked_at=trail.looked_at,
        not_looked_at=trail.not_looked_at,
        unread=trail.unread,
    )


def _strict(asked: Asked) -> bool:
    return asked.mode == "strict"


def _unanswered(asked: Asked, rows: Sequence[Row], bound: Sequence[Row]) -> str:
    """That a prompt is not answered by the entities that were found, or in part only."""
    is_named = not bound and is_only_named(asked.prompt, rows)
    key = "part_only" if bound else "only_named" if is_named else "not_answered"
    prompt = shortened(asked.prompt, _MOST_PROMPT)
    return frame_of(asked.prompt).ending[key].format(prompt=prompt)


def _finding(asked: Asked, trail: Trail) -> str:
    """That nothing was found by what was looked for, or why that says nothing of the graph."""
    said = frame_of(asked.prompt).ending
    if trail.doubts:
        why = "; ".join(f"{name}: {' '.join(why.split())}" for name, why in trail.doubts.items())
        return said["in_doubt"].format(why=why.rstrip("."))
    held = "; ".join(f"{hit.label} ({hit.iri})" for hit in trail.named[:_MOST_NAMED])
    key = "nothing_looked" if not trail.looked else "names_held" if held else "nothing_held"
    return said[key].format(
        limits=said["limits"] if trail.budget.left_out else "",
        prompt=shortened(asked.prompt, _MOST_PROMPT),
        names=", ".join(trail.looked),
        held=held,
    )


def _looked(asked: Asked, trail: Trail) -> str:
    """Say what was looked for at each endpoint, and what the budget left out."""
    words = frame_of(asked.prompt).ending
    said = ""
    if trail.looked:
        looked = (
            f"at {name}: {'; '.join(dict.fromkeys(abouts))}"
            for name, abouts in trail.looked.items()
        )
        said = words["looked"].format(looked="; ".join(looked))
    left = list(dict.fromkeys(trail.budget.left_out))
    if left:
        more = words["more"].format(n=len(left) - _MOST_LISTED) if len(left) > _MOST_LISTED else ""
        said += words["not_looked"].format(left=f"{'; '.join(left[:_MOST_LISTED])}{more}")
    return said


def _chosen(asked: Asked) -> tuple[str, ...]:
    """The wordings that the user chose instead of the prompt."""
    return asked.variants if asked.decision == "variants" else ()
