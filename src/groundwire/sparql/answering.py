"""`execute_query`, and what proves an answer of any tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import anyio.to_thread

from groundwire.evidence.records import Draft, Value
from groundwire.graph.terms import Term
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.execution import Execution
from groundwire.sparql.links import describe_url
from groundwire.sparql.outcome import Cell, Outcome, QueryAudit
from groundwire.sparql.policy import result_limit
from groundwire.sparql.results import CellValue, LinkItem, QueryResult
from groundwire.sparql.workspace import Workspace

_MOST_LINKS = 100
_MOST_VALUES = 400
_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS = frozenset(
    _XSD + name for name in ("integer", "decimal", "double", "float", "int", "long")
)


async def execute_query(
    workspace: Workspace, asked: Execution, owner: str, offset: int = 0
) -> tuple[QueryResult, Draft]:
    """Run one query and show its rows.

    Args:
        workspace: the endpoints.
        asked: the query; without a limit, that of the user's policy.
        owner: whose policy it is.
        offset: rows of earlier pages.

    Raises:
        InputError, NotFoundError, ForbiddenError: language or endpoint cannot be used.
    """
    desk = await workspace.desk()
    endpoint = desk.endpoints.taking(asked.language, asked.endpoint)
    stored = await anyio.to_thread.run_sync(workspace.policies.stored, owner)
    limit = result_limit(desk.registry, endpoint, stored, asked.limit or None)
    outcome = await desk.endpoints.execute(replace(asked, limit=limit))
    rows = [[shown(cell) for cell in row] for row in outcome.rows[offset:]]
    links = _links(endpoint, outcome)
    result = QueryResult(
        answer=_sentence(outcome, endpoint),
        status=outcome.status,
        columns=list(outcome.columns),
        rows=rows,
        row_count=len(outcome.rows),
        reason=outcome.reason or None,
        provenance=links or None,
        audit=outcome.audit.block(),
        offset=offset,
    )
    return result, proof([outcome.audit], _values(outcome))


def shown(cell: Cell) -> CellValue:
    """A cell as JSON has it: IRIs as they are, literals as their text, numbers exactly."""
    if isinstance(cell, Term):
        return f"_:{cell.value}" if cell.kind == "bnode" else cell.value
    return str(cell) if isinstance(cell, Decimal) else cell


def proof(audits: Sequence[QueryAudit], values: Sequence[Value] = ()) -> Draft:
    """The record of an answer: its values, every audit block, and the raw responses."""
    blocks: list[dict[str, Any]] = [audit.block() for audit in audits]
    raw = b"\n".join(audit.raw for audit in audits if audit.raw)
    return Draft(values=tuple(values), audit={"queries": blocks}, payload=raw or None)


def _links(endpoint: Endpoint, outcome: Outcome) -> list[LinkItem]:
    iris = dict.fromkeys(
        cell.value
        for row in outcome.rows
        for cell in row
        if isinstance(cell, Term) and cell.kind == "iri"
    )
    return [
        LinkItem(iri=iri, describe_url=describe_url(endpoint, iri))
        for iri in list(iris)[:_MOST_LINKS]
    ]


def _values(outcome: Outcome) -> list[Value]:
    """The cells as the ledger keeps them; a row is about the first IRI in it."""
    values: list[Value] = []
    for row in outcome.rows:
        first = next((c.value for c in row if isinstance(c, Term) and c.kind == "iri"), None)
        for name, cell in zip(outcome.columns, row, strict=False):
            if cell is None or len(values) >= _MOST_VALUES:
                continue
            values.append(_value(name, cell, first))
    return values


def _value(name: str, cell: Cell, entity: str | None) -> Value:
    if isinstance(cell, Term):
        if cell.kind == "iri":
            return Value(name, cell.value, "iri", entity_iri=entity)
        kind = "number" if cell.datatype in _NUMBERS else "text"
        return Value(name, cell.value, kind, entity_iri=entity)
    if isinstance(cell, bool):
        return Value(name, str(cell).lower(), "boolean", entity_iri=entity)
    number = isinstance(cell, (int, float, Decimal))
    return Value(name, str(cell), "number" if number else "text", entity_iri=entity)


def _sentence(outcome: Outcome, endpoint: Endpoint) -> str:
    count = len(outcome.rows)
    rows = f"{count:,} row{'' if count == 1 else 's'}"
    where = f"at {endpoint.name}"
    match outcome.status:
        case "complete":
            return f"{rows} {where}, complete."
        case "empty":
            return f"No row {where}: the query ran and nothing matches."
        case "truncated":
            return f"The first {rows} {where}: there are more, raise the limit."
        case "partial":
            why = outcome.reason.rstrip(".") or "the endpoint stopped early"
            return f"{rows} {where}, not all: {why}."
        case "refused":
            return f"The query was not run: {outcome.reason}"
        case "error":
            return f"The query failed {where}: {outcome.reason}"
