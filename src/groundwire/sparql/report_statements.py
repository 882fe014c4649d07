"""Statements of a run of the workflow: entities and their names, steps in order, absences."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.evidence.records import Condition, Names, Statement, Value
from groundwire.evidence.statement_names import names_of, sent
from groundwire.sparql.statements import source_stated, words
from groundwire.sparql.workflow.markdown import shortened
from groundwire.sparql.workflow.model import Report, Row, Steps

_MOST_STEPS = 60
_LONGEST_STEP = 400
_MOST_PROMPT = 120


def report_stated(report: Report, prompt: str, values: list[Value]) -> list[Statement]:
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
    subject = names_of(sent(shortened(prompt, _MOST_PROMPT)))
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
    return [*found, *report_sources(report, endpoints)]


def report_sources(report: Report, endpoints: Sequence[str] | dict[str, None]) -> list[Statement]:
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
