"""`run_kg_workflow`: begins a run or goes on with one, and shows its report when it is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from groundwire.errors import InputError
from groundwire.evidence.answers import names_of, sent
from groundwire.evidence.records import Condition, Draft, Names, Statement, Value
from groundwire.safe_text import inert_line, safe_name
from groundwire.sparql.answering import proof
from groundwire.sparql.classify import classify
from groundwire.sparql.endpoint import followed_url, shown_iri
from groundwire.sparql.looking import read_iri, source_at
from groundwire.sparql.outcome import RAW_SHOWN
from groundwire.sparql.registry import Mode
from groundwire.sparql.results import StepItem, WorkflowResult
from groundwire.sparql.runs import Runs
from groundwire.sparql.statements import source_stated, words
from groundwire.sparql.workflow.endings import found_by, shortened, steps_text
from groundwire.sparql.workflow.machine import Run
from groundwire.sparql.workflow.model import Asked, Decision, Report, Row, Step, Steps, Triple
from groundwire.sparql.workflow.sources import Unopened
from groundwire.sparql.workflow.trail import Budget
from groundwire.sparql.workspace import Desk, Workspace, effective, result_limit

_MOST_STEPS = 60
_LONGEST_STEP = 400
# What labels were looked for: the prompt, and what it asks about.
_LOOKED_FOR = re.compile(r"^labels that are “([^”]{2,80})”")
_MOST_PROMPT = 120

ANSWER_WITHIN = 25.0
"""Seconds after which a call says that the run goes on; hosts give up after 30."""
# Rows that a sentence names.
_MOST_SAID = 3
# Beside more rows than these little is shown of raw responses, so that the rows have room.
_MOST_BESIDE_RAW = 5
_LITTLE_RAW = 200


@dataclass(frozen=True, slots=True)
class WorkflowRequest:
    """A caller's request to the workflow.

    Attributes:
        prompt: the whole prompt; "" with a run_id.
        variants: other ways to say it.
        triples: its meaning as statements.
        entity_types: IRIs of types that the answer may be of.
        endpoint: name of the endpoint that is asked first; "" takes the registry's.
        limit: most rows; None takes the user's, the endpoint's or the registry's.
        enforce: a stricter policy for this prompt.
        run_id: a run to go on with.
        decision: what the user decided after a run found nothing.
    """

    prompt: str = ""
    variants: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    entity_types: tuple[str, ...] = ()
    endpoint: str = ""
    limit: int | None = None
    enforce: Mode | None = None
    run_id: str = ""
    decision: Decision | None = None


async def run_kg_workflow(
    workspace: Workspace,
    runs: Runs,
    owner: str,
    request: WorkflowRequest,
    seconds: float = ANSWER_WITHIN,
) -> tuple[WorkflowResult, Draft | None]:
    """Begin a run, or go on with one; its report, or a handle where it is still running.

    A call with a run_id waits for that run. With a decision, variants or a stricter policy too, a
    new run goes on with it: it has a run_id of its own and sends no query again.

    Raises:
        InputError: neither prompt nor run, a decision before there is anything to decide, a type
            that is not an IRI, or a limit that is out of bounds.
        NotFoundError: the run or the endpoint is unknown.
    """
    desk = await workspace.desk()
    run_id = request.run_id
    if run_id:
        await runs.find(owner, run_id)
    begun = _begun(workspace, desk, runs, owner, request)
    if begun is not None:
        asked, endpoint = begun

        async def work() -> Report:
            return await _work(desk, asked, endpoint)

        run_id = runs.start(owner, asked, endpoint, work)
    report = await runs.wait(owner, run_id, seconds)
    if report is None:
        running = WorkflowResult(
            answer="The workflow is still running: call again with its run_id.",
            status="running",
            run_id=run_id,
            rows=[],
            steps=[],
            audits=[],
        )
        return running, None
    prompt = runs.asked(owner, run_id)[0].prompt
    return _result(report, run_id, prompt), _proof(report, prompt)


def _begun(
    workspace: Workspace, desk: Desk, runs: Runs, owner: str, request: WorkflowRequest
) -> tuple[Asked, str] | None:
    """Return a new run's question and first endpoint; None to wait for one under way.

    The policy is that in force for this user and prompt: what was set since a run began counts.
    """
    stored = workspace.policies.stored(owner)
    mode = effective(desk.registry, stored, request.enforce)
    if request.run_id:
        return _gone_on(desk, runs, owner, request, mode)
    if not request.prompt.strip():
        raise InputError("Send `prompt`, or the `run_id` of a run to go on with.")
    if request.decision is not None:
        raise InputError("A decision is about a run: send its `run_id` too.")
    first = desk.endpoints.endpoint(request.endpoint or "default")
    if first.kind != "sparql":
        raise InputError(
            f"Endpoint {first.name} is no graph: send one that takes SPARQL (list_endpoints has "
            "them)."
        )
    mode, unsure = _of_prompt(desk, request.prompt, mode)
    asked = Asked(
        prompt=request.prompt,
        variants=tuple(one for one in request.variants if one.strip()),
        triples=request.triples,
        entity_types=tuple(read_iri(one) for one in request.entity_types),
        limit=result_limit(desk.registry, first, stored, request.limit),
        mode=mode,
        unsure=unsure,
    )
    return asked, request.endpoint or "default"


def _gone_on(
    desk: Desk, runs: Runs, owner: str, request: WorkflowRequest, mode: Mode
) -> tuple[Asked, str] | None:
    """A run as it goes on after the user's decision, never under a weaker policy than before."""
    before, endpoint = runs.asked(owner, request.run_id)
    resolved, _ = _of_prompt(desk, before.prompt, mode)
    strict = "strict" in (before.mode, resolved)
    decision = request.decision
    changed = request.variants not in ((), before.variants)
    if decision is None and changed and not runs.under_way(owner, request.run_id):
        decision = "variants"
    if decision is None and strict and before.mode != "strict":
        # A stricter policy is an answer to the question whether the workflow is mandatory.
        decision = "continue"
    if decision is None:
        return None
    if runs.under_way(owner, request.run_id):
        raise InputError("The run is still under way: call with its run_id alone, then decide.")
    if decision == "variants" and not request.variants:
        raise InputError("Send `variants` with the decision `variants`.")
    report = runs.report(owner, request.run_id)
    return replace(
        before,
        decision=decision,
        mode="strict" if strict else before.mode,
        variants=request.variants or before.variants,
        triples=request.triples or before.triples,
        tried=report.tried if report is not None else before.tried,
        before=report.audits if report is not None else (),
    ), endpoint


def _of_prompt(desk: Desk, prompt: str, mode: Mode) -> tuple[Mode, str]:
    """Return a prompt's mode by policy, and why the user is asked first where that is unsure."""
    if mode != "classes":
        return mode, ""
    enforcement = desk.registry.enforcement
    found = classify(prompt)
    if found.confidence < enforcement.confidence_threshold:
        kind = found.kind.replace("_", " ")
        return "off", (
            f"It is taken for {kind} ({found.reason}) with confidence {found.confidence:g}, below "
            f"{enforcement.confidence_threshold:g}"
        )
    return ("strict" if found.kind in enforcement.classes else "off"), ""


async def _work(desk: Desk, asked: Asked, endpoint: str) -> Report:
    """One run over the endpoint asked first and the fallbacks in order."""
    named = desk.endpoints.endpoint(endpoint)
    attempts = desk.registry.attempts
    if endpoint.casefold() != "default":
        # Who names an endpoint is not answered by the default one.
        attempts = attempts[1:]
    wanted = [named, *(one for one in attempts if one.name != named.name)]
    sources = [Unopened(one, partial(source_at, desk, one)) for one in wanted]
    names = {one.name for one in wanted}
    others = [
        one.name
        for one in desk.registry.endpoints
        if one.kind == "sparql" and one.name not in names
    ]
    budget = Budget(desk.registry.limits)
    return await Run(asked, desk.registry, sources, budget, others=others).report()


def _result(report: Report, run_id: str, prompt: str) -> WorkflowResult:
    return WorkflowResult(
        answer=_sentence(report, prompt),
        status=report.ending,
        run_id=run_id,
        markdown=report.markdown,
        rows=[_row(row, prompt) for row in report.rows],
        steps=_steps(report.steps),
        audits=[
            audit.block(RAW_SHOWN if len(report.rows) <= _MOST_BESIDE_RAW else _LITTLE_RAW)
            for audit in report.audits
        ],
        question=report.question or None,
        exit_message=report.exit_message or None,
        confidence=_confidence(report),
        coverage=_coverage(report),
    )


def _coverage(report: Report) -> dict[str, Any] | None:
    """Return what was not understood, and which graphs were looked at, where none answered."""
    if report.ending == "answered":
        return None
    found: dict[str, Any] = {
        "looked_at": list(report.looked_at),
        "not_looked_at": list(report.not_looked_at),
        "not_understood": inert_line(report.unread),
    }
    return {name: one for name, one in found.items() if one}


def _confidence(report: Report) -> Literal["high", "medium"] | None:
    """Return the confidence of the pattern that answered, if one did."""
    if report.ending != "answered" or not report.said:
        return None
    return "medium" if report.confidence == "medium" else "high"


def _row(row: Row, prompt: str) -> dict[str, Any]:
    """A row as data; what the graph says in it makes no link by itself."""
    shown: dict[str, Any] = {
        "iri": row.iri,
        "label": inert_line(row.label),
        "text": inert_line(row.text),
        "score": row.score,
        "endpoint": row.endpoint.name,
        "match": row.match,
        "found_by": inert_line(found_by(row, prompt)),
    }
    if url := followed_url(row.endpoint, row.iri):
        shown["describe_url"] = url
    if row.triples:
        shown["triples"] = [
            {
                "subject": one.subject,
                "predicate": one.predicate,
                "object": inert_line(one.object),
                "said": inert_line(one.said),
            }
            for one in row.triples
        ]
    if row.steps is not None:
        about = "" if row.steps.texts else row.text
        shown["text"] = inert_line(f"{about} {steps_text(row.steps, prompt)}")
        shown["steps"] = [inert_line(one) for one in row.steps.texts]
        shown["steps_are_whole"] = bool(row.steps.texts) and not row.steps.missing
    return shown


def _steps(steps: Sequence[Step]) -> list[StepItem]:
    return [StepItem(step=one.step, status=one.status, detail=one.detail) for one in steps]


def _sentence(report: Report, prompt: str) -> str:
    if report.ending == "aborted":
        return report.exit_message
    if report.said and report.ending in ("answered", "entity_found"):
        return inert_line(report.said)
    if report.ending == "needs_decision":
        return inert_line(" ".join(part for part in (report.finding, report.question) if part))
    if not report.rows:
        return report.markdown
    shown = report.rows[: _MOST_SAID if report.ending == "answered" else 1]
    more = len(report.rows) - len(shown)
    others = f" And {more} more in rows." if more else ""
    said = " ".join(_said(row, prompt) for row in shown) + others
    if report.ending == "answered":
        return said
    how = inert_line(found_by(shown[0], prompt))
    return f"{inert_line(report.finding)} {how}, at {shown[0].endpoint.name}: {said}"


def _said(row: Row, prompt: str) -> str:
    said = steps_text(row.steps, prompt) if row.steps is not None else ""
    if not said:
        text = " ".join(row.text.split())
        said = f"{text[:300]}{'...' if len(text) > 300 else ''}"
    named = f"{safe_name(row.label)} {shown_iri(row.iri)}"
    return f"{named}: {inert_line(said)}" if said else named


def _proof(report: Report, prompt: str) -> Draft:
    # What the statements of a pattern count on stands first.
    values: list[Value] = list(report.values)
    for row in report.rows:
        values.append(Value("iri", row.iri, "iri", entity=row.label, entity_iri=row.iri))
        values += [
            Value("text", one, "text", entity=row.label, entity_iri=row.iri, source=row.iri)
            for one in (row.steps.texts if row.steps is not None else ())
        ]
        if row.text:
            values.append(
                Value(
                    "text", row.text, "text", entity=row.label, entity_iri=row.iri, source=row.iri
                )
            )
    return proof(report.audits, values, _report_stated(report, prompt, values))


def _report_stated(report: Report, prompt: str, values: list[Value]) -> list[Statement]:
    """Return what a report states; entities that a prompt only names are added to the values.

    Args:
        report: the report.
        prompt: what was asked.
        values: the values of the answer.
    """
    found: list[Statement] = list(report.statements)
    for row in report.rows:
        if not row.triples:
            found += _row_stated(row)
    every = (about for _, abouts in report.looked for about in abouts)
    terms = dict.fromkeys(sent(term) for about in every for term in _LOOKED_FOR.findall(about))
    asked = sent(shortened(prompt, _MOST_PROMPT))
    # Of several terms none is all that is asked about.
    subject = names_of(asked, *(terms if len({*terms} - {asked}) == 1 else ()))
    endpoints = {audit.endpoint: None for audit in report.audits}
    if report.ending == "entity_found" and not report.statements:
        where = ", ".join(endpoints) or None
        found.append(Statement("absence", subject, words("answer"), source=where))
    if report.ending in ("needs_decision", "aborted") and not report.is_doubtful:
        for endpoint, abouts in report.looked:
            looked = Condition(words("looked_for"), "all_of", tuple((sent(one),) for one in abouts))
            found.append(
                Statement("absence", subject, words("answer"), (), (looked,), source=endpoint)
            )
    for hit in report.named:
        names = names_of(hit.label, hit.value, hit.iri)
        values.append(Value("iri", hit.iri, "iri", entity=hit.label, entity_iri=hit.iri))
        found.append(Statement("relation", names, words("name"), (names[:1],)))
    return [*found, *_report_sources(report, endpoints)]


def _report_sources(report: Report, endpoints: Sequence[str] | dict[str, None]) -> list[Statement]:
    """Return the endpoints that were asked; those of rows with the words for their kind."""
    known = {row.endpoint.name: source_stated(row.endpoint) for row in report.rows}
    return [
        known.get(name) or Statement("source", names_of(name, *words("sparql")))
        for name in endpoints
    ]


def _row_stated(row: Row) -> list[Statement]:
    subject = names_of(row.label, *row.names, row.iri)
    found: list[Statement] = []
    if row.kind:
        found.append(Statement("relation", subject, words("kind"), (words(row.kind),)))
    else:
        found.append(Statement("relation", subject, words("name"), (subject[:1],)))
    if row.steps is not None and row.steps.texts:
        found += _steps_stated(subject, row.steps)
    return found


def _steps_stated(subject: Names, steps: Steps) -> list[Statement]:
    """Return steps in their order; without one, as related to the how-to in no order."""
    others = steps.others or ((),) * len(steps.texts)
    texts = tuple(
        names_of(text[:_LONGEST_STEP], *(one[:_LONGEST_STEP] for one in more))
        for text, more in list(zip(steps.texts, others, strict=True))[:_MOST_STEPS]
    )
    is_whole = not steps.missing and len(texts) == len(steps.texts)
    if not steps.numbers:
        return [Statement("relation", subject, words("step"), texts)]
    if steps.numbers == tuple(range(1, len(steps.texts) + 1)):
        complete = "all_listed" if is_whole else ""
        return [Statement("order", subject, words("step"), texts, complete=complete)]
    return [
        Statement("part", subject, words("step"), (text,), position=number)
        for number, text in zip(steps.numbers, texts, strict=False)
    ]
