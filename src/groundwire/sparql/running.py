"""`run_kg_workflow`: begins a run or goes on with one, and shows its report when it is there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.errors import GroundwireError, InputError
from groundwire.evidence.records import Draft, Value
from groundwire.sparql.answering import proof
from groundwire.sparql.classify import classify
from groundwire.sparql.links import describe_url
from groundwire.sparql.policy import effective, result_limit
from groundwire.sparql.registry import Mode
from groundwire.sparql.results import StepItem, WorkflowResult
from groundwire.sparql.runs import Runs
from groundwire.sparql.workflow.budget import Budget
from groundwire.sparql.workflow.machine import Run
from groundwire.sparql.workflow.model import Asked, Decision, Report, Source, Step, Triple
from groundwire.sparql.workspace import Desk, Workspace

ANSWER_WITHIN = 25.0
"""Seconds after which a call says that the run goes on; hosts give up after 30."""


@dataclass(frozen=True, slots=True)
class WorkflowRequest:
    """What a caller asks of the workflow.

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

    Raises:
        InputError: neither prompt nor run, or the limit is out of bounds.
        NotFoundError: there is no such run or endpoint.
    """
    desk = await workspace.desk()
    if request.run_id and request.decision is None and not request.variants:
        run_id = request.run_id
    else:
        asked, endpoint = _asked(workspace, desk, runs, owner, request)

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
    return _result(report, run_id), _proof(report)


def _asked(
    workspace: Workspace, desk: Desk, runs: Runs, owner: str, request: WorkflowRequest
) -> tuple[Asked, str]:
    """What the run is asked, with the policy that is in force for this user and prompt."""
    if request.run_id:
        before, endpoint = runs.asked(owner, request.run_id)
        decision = request.decision or "variants"
        if decision == "variants" and not request.variants:
            raise InputError("Send `variants` with the decision `variants`.")
        runs.end(owner, request.run_id)
        changed = replace(before, decision=decision)
        return (
            replace(changed, variants=request.variants) if request.variants else changed
        ), endpoint
    if not request.prompt.strip():
        raise InputError("Send `prompt`, or the `run_id` of a run to go on with.")
    stored = workspace.policies.stored(owner)
    first = desk.endpoints.endpoint(request.endpoint or "default")
    mode = effective(desk.registry, stored, request.enforce)
    if mode == "classes":
        mode = _of_class(desk, request.prompt)
    asked = Asked(
        prompt=request.prompt,
        variants=request.variants,
        triples=request.triples,
        entity_types=request.entity_types,
        limit=result_limit(desk.registry, first, stored, request.limit),
        mode=mode,
    )
    return asked, first.name


def _of_class(desk: Desk, prompt: str) -> Mode:
    """`strict` for a prompt of an enforced class; where nobody can be sure, the user is asked."""
    enforcement = desk.registry.enforcement
    found = classify(prompt)
    if found.kind not in enforcement.classes:
        return "off"
    return "strict" if found.confidence >= enforcement.confidence_threshold else "off"


async def _work(desk: Desk, asked: Asked, endpoint: str) -> Report:
    """One run over the endpoint asked first and the fallbacks in order."""
    named = desk.endpoints.endpoint(endpoint)
    wanted = [named, *(one for one in desk.registry.attempts if one.name != named.name)]
    sources: list[Source] = []
    failures: dict[str, str] = {}
    for one in wanted:
        try:
            runner = await desk.endpoints.runner(one, "sparql")
            sources.append(await desk.opener.source(one, runner))
        except GroundwireError as error:
            failures[one.name] = " ".join(str(error).split())
    run = Run(asked, desk.registry, sources, Budget(desk.registry.limits), failures)
    return await run.report()


def _result(report: Report, run_id: str) -> WorkflowResult:
    rows = [
        {
            "iri": row.iri,
            "label": row.label,
            "text": row.text,
            "score": row.score,
            "endpoint": row.endpoint.name,
            "describe_url": describe_url(row.endpoint, row.iri),
        }
        for row in report.rows
    ]
    return WorkflowResult(
        answer=_sentence(report),
        status=report.ending,
        run_id=run_id,
        markdown=report.markdown,
        rows=rows,
        steps=_steps(report.steps),
        audits=[audit.block() for audit in report.audits],
        question=report.question or None,
        exit_message=report.exit_message or None,
    )


def _steps(steps: Sequence[Step]) -> list[StepItem]:
    return [StepItem(step=one.step, status=one.status, detail=one.detail) for one in steps]


def _sentence(report: Report) -> str:
    if report.ending == "aborted":
        return report.exit_message
    if report.ending == "needs_decision":
        return f"The graph has no answer. {report.question}"
    if not report.rows:
        return report.markdown
    first = report.rows[0]
    said = " ".join(first.text.split())
    text = f": {said[:300]}{'...' if len(said) > 300 else ''}" if said else ""
    return f"{first.label} <{first.iri}>{text}"


def _proof(report: Report) -> Draft:
    values: list[Value] = []
    for row in report.rows:
        values.append(Value("iri", row.iri, "iri", entity=row.label, entity_iri=row.iri))
        if row.text:
            values.append(
                Value(
                    "text", row.text, "text", entity=row.label, entity_iri=row.iri, source=row.iri
                )
            )
    return proof(report.audits, values)
