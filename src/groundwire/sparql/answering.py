"""`execute_query`, and what proves an answer of any tool."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from groundwire.evidence.answers import by_language, names_of
from groundwire.evidence.records import Draft, Statement, Value, ValueKind
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import XSD, XSD_STRING, Term
from groundwire.sparql.absent import absent, slices
from groundwire.sparql.endpoint import Endpoint, describe_url
from groundwire.sparql.execution import Audited, Execution, read_language
from groundwire.sparql.exports import MOST_BYTES, Export, Format, export_outcome, shown
from groundwire.sparql.outcome import Cell, Outcome, QueryAudit, Request
from groundwire.sparql.patterns.units import Units, units_of
from groundwire.sparql.query_pattern import NO_PATTERN, pattern_of
from groundwire.sparql.results import CellKinds, LinkItem, QueryResult
from groundwire.sparql.row_constants import PERIODS, ColumnConstants, row_constants, rows_stated
from groundwire.sparql.sparql_runner import RESULT_COLUMN, SparqlRunner
from groundwire.sparql.statements import (
    LABEL_SECONDS,
    Labels,
    labels_in,
    labels_needed,
    labels_query,
    same_labels_in,
    same_labels_query,
    texts_needed,
)
from groundwire.sparql.workspace import MAX_LIMIT, Desk, Workspace, result_limit

if TYPE_CHECKING:
    from groundwire.sparql.schema.checking import Unknown

# A look at what is not there is worth so much time, and no more.
_LOOKING_SECONDS = 2.0
EXPORT_SECONDS = 50.0
"""Seconds of one export: a host waits for a call about a minute."""
# A file of so many bytes is told with its size.
_TOLD_BYTES = 1 << 20
_MOST_LINKS = 100
_MOST_VALUES = 400
_LONGEST_NAME = 120
_NOTHING_FIXED = ColumnConstants((), {})
_NUMBERS = frozenset(
    XSD + name for name in ("integer", "decimal", "double", "float", "int", "long")
)


async def execute_query(
    workspace: Workspace,
    asked: Execution,
    owner: str,
    offset: int = 0,
    exports: Path | None = None,
    format: Format = "csv",
) -> tuple[QueryResult, Draft]:
    """Run one query and show its rows.

    Args:
        workspace: the endpoints.
        asked: the query; without a limit, that of the user's policy.
        owner: whose policy it is.
        offset: rows of earlier pages.
        exports: folder of a file with every row, which the first page writes; None for none.
        format: of that file.

    Raises:
        InputError, NotFoundError, ForbiddenError: language, endpoint or format cannot be used.
        UnavailableError: the file cannot be written.
    """
    desk = await workspace.desk()
    endpoint = desk.endpoints.taking(asked.language, asked.endpoint)
    stored = await anyio.to_thread.run_sync(workspace.policies.stored, owner)
    limit = result_limit(desk.registry, endpoint, stored, asked.limit or None)
    outcome = await desk.endpoints.execute(replace(asked, limit=limit))
    unknown = await _unknown(workspace, desk, endpoint, outcome)
    if (outcome.status == "empty" and not _skipped(outcome)) or _yes_or_no(outcome) is False:
        absent = await _not_there(desk, endpoint, outcome, unknown.names)
        outcome = replace(outcome, reason=f"{unknown.said} {absent}".strip())
    elif unknown.said:
        outcome = replace(outcome, reason=f"{outcome.reason} {unknown.said}".strip())
    export: Export | None = None
    if exports is not None and outcome.answered and not offset:
        export, outcome = await _exported(desk, endpoint, asked, outcome, exports, format)
    rows = [[shown(cell) for cell in row] for row in outcome.rows]
    links = _links(endpoint, outcome.rows[offset:])
    result = QueryResult(
        answer=_sentence(outcome, endpoint, limit, unknown.said) + _export_text(export),
        status=outcome.status,
        columns=list(outcome.columns),
        rows=rows[offset:],
        row_count=len(outcome.rows),
        column_kinds=_kinds(outcome.rows[offset:]),
        reason=outcome.reason or None,
        provenance=links or None,
        audit=outcome.audit.block(),
        export_path=str(export.path) if export else None,
        offset=offset,
    )
    labels, units = await _names(desk, endpoint, outcome)
    values = _values(outcome, labels, units)
    if outcome.answered and outcome.reason:
        values.append(Value("remark", outcome.reason, "text"))
    statements = rows_stated(outcome, endpoint, values, labels, units)
    return result, proof([outcome.audit], values, statements)


async def _names(desk: Desk, endpoint: Endpoint, outcome: Outcome) -> tuple[Labels, Units]:
    """Return what an embedded graph calls the things of some rows, and units of its properties.

    Others are not asked twice.
    """
    cells = [cell for row in outcome.rows for cell in row]
    language, query = outcome.audit.query_language, outcome.audit.query_text
    pattern = pattern_of(query) if language == "sparql" else NO_PATTERN
    held = (cell.value for cell in cells if isinstance(cell, Term) and cell.kind == "iri")
    iris = labels_needed((*pattern.iris(), *held))
    texts = texts_needed(cells)
    if not (iris or texts) or endpoint.kind != "sparql" or not endpoint.url.startswith("local:"):
        return {}, {}
    runner = await desk.endpoints.runner(endpoint, "sparql")

    async def asked(query: CompiledQuery, limit: int) -> Outcome:
        return await runner.run(Request("sparql", query, limit, LABEL_SECONDS))

    labels = dict(labels_in(await asked(*labels_query(iris)))) if iris else {}
    if texts:
        labels |= same_labels_in(await asked(*same_labels_query(texts)))
    return labels, await units_of(asked)


def proof(
    audits: Sequence[QueryAudit],
    values: Sequence[Value] = (),
    statements: Sequence[Statement] = (),
) -> Draft:
    """The record of an answer: its values and statements, every audit block, raw responses."""
    blocks: list[dict[str, Any]] = [audit.block() for audit in audits]
    raw = b"\n".join(audit.raw for audit in audits if audit.raw)
    return Draft(
        values=tuple(values),
        audit={"queries": blocks},
        payload=raw or None,
        statements=tuple(statements),
    )


async def _exported(
    desk: Desk, endpoint: Endpoint, asked: Execution, outcome: Outcome, folder: Path, format: Format
) -> tuple[Export, Outcome]:
    """Write all rows of a query into a file: streamed, or those of the highest limit.

    An outcome that was cut at its limit is asked again where its rows cannot be streamed.
    """
    language = read_language(asked.language)
    audited = await desk.endpoints.runner(endpoint, language)
    runner = audited.runner if isinstance(audited, Audited) else audited
    request = Request(language, asked.text, MAX_LIMIT, EXPORT_SECONDS)
    streams = isinstance(runner, SparqlRunner) and runner.streams
    rows = outcome
    if outcome.status == "truncated" and not streams:
        again = await audited.run(request)
        rows = again if again.answered else outcome
    return await export_outcome(folder, format, runner, request, rows), outcome


def _export_text(export: Export | None) -> str:
    """The sentence about the file, with what was changed in it."""
    if export is None:
        return ""
    kind = {".csv": "CSV", ".parquet": "Parquet", ".nt": "N-Triples"}[export.path.suffix]
    noun = "triple" if kind == "N-Triples" else "row"
    rows = f"{export.rows:,} {noun}{'' if export.rows == 1 else 's'}"
    said = f" The exported file has {rows} as {kind}"
    if export.size >= _TOLD_BYTES:
        said += f" ({export.size:,} bytes)"
    if not export.is_whole:
        said += f", not all: a file has at most {MOST_BYTES:,} bytes, and only graphs on this"
        said += f" machine give more than {MAX_LIMIT:,} rows"
    if export.prefixed:
        said += f", and an apostrophe before {export.prefixed:,} cells that begin like a formula"
    return f"{said}."


def _kinds(rows: Sequence[Sequence[Cell]]) -> list[CellKinds] | None:
    """Return the RDF kind of the cells of each column; None where a cell is but its text."""
    if not rows:
        return None
    columns: list[CellKinds] = []
    for cells in zip(*rows, strict=True):
        kinds = [_kind(cell) for cell in cells]
        filled = {kind for kind, cell in zip(kinds, cells, strict=True) if cell is not None}
        columns.append(next(iter(filled), None) if len(filled) <= 1 else kinds)
    return columns if any(columns) else None


def _kind(cell: Cell) -> str | None:
    if not isinstance(cell, Term):
        return None
    if cell.kind != "literal":
        return cell.kind
    if cell.language:
        return f"@{cell.language}"
    if cell.datatype in ("", XSD_STRING):
        return None
    return f"xsd:{cell.datatype[len(XSD) :]}" if cell.datatype.startswith(XSD) else cell.datatype


def _links(endpoint: Endpoint, rows: Sequence[Sequence[Cell]]) -> list[LinkItem]:
    iris = dict.fromkeys(
        cell.value for row in rows for cell in row if isinstance(cell, Term) and cell.kind == "iri"
    )
    return [
        LinkItem(iri=iri, describe_url=describe_url(endpoint, iri))
        for iri in list(iris)[:_MOST_LINKS]
    ]


def _values(outcome: Outcome, labels: Labels, units: Units) -> list[Value]:
    """The cells as the ledger keeps them.

    A row is about the first IRI in it and is called by its first short text, and holds for the year
    or other period in it or in the query, so that a draft which gives the figure of one row to
    another is found out.
    """
    values: list[Value] = []
    language, query = outcome.audit.query_language, outcome.audit.query_text
    known = row_constants(language, query)
    properties = pattern_of(query).properties if language == "sparql" else {}
    for row in outcome.rows:
        cells = [read_cell(cell) for cell in row]
        iri = next((text for text, kind in cells if kind == "iri"), None)
        name = next(
            (text for text, kind in cells if kind == "text" and 0 < len(text) <= _LONGEST_NAME),
            None,
        )
        when = [
            text
            for column, (text, _) in zip(outcome.columns, cells, strict=False)
            if column.lower() in PERIODS
        ]
        period = when[0] if len(when) == 1 and when[0] else None
        for column, cell, (text, kind) in zip(outcome.columns, row, cells, strict=False):
            if cell is not None and len(values) < _MOST_VALUES:
                constants = known.get(column, _NOTHING_FIXED)
                own = None if column.lower() in PERIODS else period or _period(constants)
                predicate = properties.get(column, "")
                named = constants.names if kind == "number" else ()
                named += (*by_language(labels.get(predicate, ())),)
                unit = units.get(predicate) if kind == "number" else None
                values.append(Value(column, text, kind, unit, name, iri, names_of(*named), own))
    return values


def _period(constants: ColumnConstants) -> str | None:
    """The one year or other period that a query fixes for a column."""
    fixed = {text for name, text in constants.fixed.items() if name.lower() in PERIODS}
    return next(iter(fixed)) if len(fixed) == 1 else None


def read_cell(cell: Cell) -> tuple[str, ValueKind]:
    """Return the text of a cell, and how it is to be read."""
    if isinstance(cell, Term):
        if cell.kind == "iri":
            return cell.value, "iri"
        return cell.value, "number" if cell.datatype in _NUMBERS else "text"
    if isinstance(cell, bool):
        return str(cell).lower(), "boolean"
    if isinstance(cell, (int, float, Decimal)):
        return str(cell), "number"
    return cell or "", "text"


async def _unknown(
    workspace: Workspace, desk: Desk, endpoint: Endpoint, outcome: Outcome
) -> Unknown:
    """Find out which predicates and classes of a query its graph does not hold."""
    from groundwire.sparql.schema.checking import Unknown, unknown_names

    if not outcome.answered or outcome.audit.query_language != "sparql":
        return Unknown()
    return await unknown_names(workspace, desk, endpoint, outcome)


async def _not_there(
    desk: Desk, endpoint: Endpoint, outcome: Outcome, checked: Collection[str]
) -> str:
    """Say which names of a query that matched nothing an embedded graph does not have."""
    audit = outcome.audit
    if audit.query_language != "sparql" or not endpoint.url.startswith("local:"):
        return ""
    runner = await desk.endpoints.runner(endpoint, "sparql")

    async def run(query: str) -> Outcome:
        return await runner.run(Request("sparql", query, MAX_LIMIT, _LOOKING_SECONDS))

    return await absent(audit.query_text, run, checked)


def _sentence(outcome: Outcome, endpoint: Endpoint, limit: int, unknown: str) -> str:
    count = len(outcome.rows)
    rows = f"{count:,} row{'' if count == 1 else 's'}"
    where = f"at {endpoint.name}"
    if unknown and (outcome.status == "empty" or _yes_or_no(outcome) is False):
        no = "No row" if outcome.status == "empty" else "No"
        return f"{no} {where}: {outcome.reason[:1].lower()}{outcome.reason[1:]}"
    match outcome.status:
        case "complete" if unknown and _yes_or_no(outcome) is None:
            return f"{rows} {where}, complete. {unknown}"
        case "complete" if (asked := _yes_or_no(outcome)) is not None:
            return (
                f"Yes {where}: the pattern matches." if asked else f"No {where}: nothing matches."
            )
        case "complete":
            return f"{rows} {where}, complete."
        case "empty" if skipped := _skipped(outcome):
            return f"No row {where}: the query ran, and its {skipped} leaves none."
        case "empty":
            return f"No row {where}: the query ran and nothing matches. {outcome.reason}".rstrip()
        case "truncated" if outcome.audit.query_language == "graphql":
            return f"A part of the answer {where}. {outcome.reason}"
        case "truncated":
            way = (
                "raise the limit" if limit < MAX_LIMIT else "narrow the query, or page with OFFSET"
            )
            return f"The first {rows} {where}: there are more, {way}."
        case "partial":
            why = outcome.reason.rstrip(".") or "the endpoint stopped early"
            return f"{rows} {where}, not all: {why}."
        case "refused":
            return f"The query was not run: {outcome.reason}"
        case "error":
            return f"The query failed {where}: {outcome.reason}"


def _skipped(outcome: Outcome) -> str:
    """The LIMIT 0 or the OFFSET of an empty query: what it skips may well match."""
    if outcome.audit.query_language != "sparql":
        return ""
    return next(iter(slices(outcome.audit.query_text)), "")


def _yes_or_no(outcome: Outcome) -> bool | None:
    """Return the answer to an ASK, or None for another query."""
    if outcome.audit.query_language == "sparql" and outcome.columns == (RESULT_COLUMN,):
        [[value]] = outcome.rows
        return value if isinstance(value, bool) else None
    return None
