"""`query_metric` of a metric that a warehouse has: one row of one value, or an honest no."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from groundwire.evidence.records import Draft
from groundwire.metrics.reading import Arguments, quoted, refusal
from groundwire.metrics.results import (
    AvailableItem,
    CandidateItem,
    Cell,
    IntervalItem,
    QueryResult,
    ResolvedItem,
    SourceItem,
)
from groundwire.metrics.table.axes import PERIOD
from groundwire.metrics.table.proof import prove_refusal, prove_table
from groundwire.metrics.table.query import (
    AmbiguousQueryError,
    Condition,
    Dimension,
    Order,
    TableMetric,
    TableQuery,
)
from groundwire.metrics.table.reading import TableArguments, Understood, read_table
from groundwire.metrics.table.refusing import RefusedError
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import exact, grouped, listed, number, with_unit
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

_WHOLE = frozenset(map(fold, ("", "total", "all", "everything", "合计", "全部", "gesamt")))
_MOST_CANDIDATES = 8


def in_both(state: State, raw: str) -> Cell | None:
    """Return the question which of two metrics is meant, where both stores have the code."""
    if state.warehouse is None:
        return None
    found = state.tables.metric(raw)
    if found.how != "ambiguous":
        return None
    stores = {state.tables.metrics[one.term.id][0] for one in found.candidates}
    if "warehouse" not in stores:
        return None
    offered = [
        CandidateItem(value=one.term.id, label=one.term.label, likeness="same name")
        for one in found.candidates
    ]
    names = listed([one.value for one in offered])
    answer = f"{quoted(raw)} may be any of {names}: send one of them."
    return refusal("metric", raw, "ambiguous", answer, offered)


def query_warehouse(state: State, sent: Arguments, today: date) -> tuple[QueryResult, Draft] | None:
    """Answer a query of a metric of the warehouse; None where the warehouse does not have it.

    The entity is a value of any dimension of the metric, or "total" for all of it.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    if state.warehouse is None:
        return None
    both = in_both(state, sent.metric)
    if both is not None:
        return _refused(state, both)
    found = state.tables.metric(sent.metric)
    if found.term is None or state.tables.metrics[found.term.id][0] != "warehouse":
        return None
    metric = state.tables.metrics[found.term.id][1]
    for param in ("metric", "entity", "period", "channel", "as_of"):
        raw = str(getattr(sent, param))
        hits = state.gate.screen(raw).hits
        if hits:
            return _refused(
                state, refusal(param, raw, "out_of_scope_entity", state.gate.refusal(hits[0]), [])
            )
    try:
        return _answer(state, sent, metric, today)
    except RefusedError as refused:
        cell = refusal(
            refused.param, refused.raw, refused.reason, refused.answer, refused.candidates
        )
    except AmbiguousQueryError as asked:
        offered = [CandidateItem(value=value, label=label) for value, label in asked.candidates]
        cell = refusal(asked.param, asked.raw, "ambiguous", str(asked), offered)
    return _refused(state, cell)


def _refused(state: State, cell: Cell) -> tuple[QueryResult, Draft]:
    told = TableResult(
        answer=cell.answer,
        status="unrecognized_param",
        param=cell.param,
        raw=cell.raw,
        reason=cell.reason,
        candidates=cell.candidates,
    )
    return QueryResult(**dict(cell)), prove_refusal(state, told)


def _answer(
    state: State, sent: Arguments, metric: TableMetric, today: date
) -> tuple[QueryResult, Draft]:
    tables = state.tables
    if fold(sent.channel) not in _WHOLE and sent.channel != TOTAL:
        told = f"{metric.label} has no channels: send its dimensions to query_metric_table."
        raise RefusedError(told, "channel", sent.channel, "unsupported")
    conditions, entity = _whose(state, metric, sent.entity)
    latest = fold(sent.period) == "latest" or not sent.period.strip()
    asked = TableArguments(
        (metric.code,), period="" if latest else sent.period, as_of=sent.as_of, limit=1
    )
    read = read_table(tables, asked, today, lambda _: None)
    by = (PERIOD,) if latest and metric.grains else ()
    grain = metric.grains[0] if by else None
    order = (Order(PERIOD, descending=True),) if by else ()
    query = TableQuery(
        (metric.code,), by, conditions, read.query.periods, grain, order=order, limit=1,
        as_of=read.query.as_of,
    )  # fmt: skip
    time = (Dimension(PERIOD, "Period", "time"),) if by else ()
    read = Understood("warehouse", (metric,), time, query, read.resolved)
    found = tables.store("warehouse").run(query)
    row = found.rows[0] if found.rows else None
    period = row.period if row and row.period else next(iter(query.periods), None)
    label = period.label if period else sent.period or "all time"
    resolved = [
        ResolvedItem(param="metric", raw=sent.metric, resolved=metric.code, how="read"),
        ResolvedItem(param="entity", raw=sent.entity, resolved=entity, how="read"),
        ResolvedItem(param="period", raw=sent.period, resolved=label, how="read"),
    ]
    value = row.values[0] if row else None
    if row is None or value is None:
        cell = Cell(
            answer=f"No value is held of {metric.label} of {entity} for {label}.",
            status="not_found",
            normalized={"metric": metric.code, "entity": entity, "period": label, "channel": TOTAL},
            available=AvailableItem(periods=[], entities=[], channels=[]),
            resolved=resolved,
        )
        told = TableResult(
            answer=cell.answer, status="not_found", normalized=cell.normalized, available={}
        )
        return QueryResult(**dict(cell)), prove_refusal(state, told, found.statement)
    doc = listed(row.sources) or "warehouse"
    start, end = (period.start, period.end) if period else (date.min, date.max)
    cell = Cell(
        answer=f"{metric.label} of {entity} for {label}: "
        f"{with_unit(grouped(value), metric.unit)} ({doc}).",
        status="found",
        value=number(value),
        value_text=exact(value),
        unit=metric.unit,
        metric=metric.code,
        entity=entity,
        period=label,
        channel=TOTAL,
        interval=IntervalItem(
            start=start.isoformat(), end=end.isoformat(), grain=period.grain if period else "other"
        ),
        source=SourceItem(doc=doc, locator=row.lineage[0] if row.lineage else "query"),
        as_of=(query.as_of or today).isoformat(),
        resolved=resolved,
    )
    return QueryResult(**dict(cell)), prove_table(state, read, found, [metric.unit])


def _whose(state: State, metric: TableMetric, raw: str) -> tuple[tuple[Condition, ...], str]:
    """The condition that a text names, of whichever dimension has the value; none for all."""
    if fold(raw) in _WHOLE:
        return (), "total"
    tables = state.tables
    found: list[tuple[Condition, str]] = []
    near: list[CandidateItem] = []
    for dimension in tables.dimensions("warehouse", (metric,)):
        if dimension.kind != "category":
            continue
        one = tables.resolve("warehouse", (metric,), dimension.code, raw)
        if one.value is not None and one.how in ("exact", "folded", "alias"):
            condition = Condition(dimension.code, "in", (one.value,))
            found.append((condition, tables.called("warehouse", dimension.code, one.value)))
        near += [CandidateItem(value=str(key), label=dimension.label) for key in one.candidates[:2]]
    if len(found) == 1:
        return (found[0][0],), found[0][1]
    if found:
        offered = [
            CandidateItem(value=one.dimension, label=f"{one.dimension}: {name}")
            for one, name in found
        ]
        names = listed([one.label for one in offered])
        told = f"{quoted(raw)} may be any of {names}: send it to query_metric_table in `where`."
        raise RefusedError(told, "entity", raw, "ambiguous", offered)
    names = listed([one.value for one in near])
    hint = f"; near to it: {names}" if near else ": list_dimension_values has them"
    told = f"{quoted(raw)} is no value of any dimension of {metric.label}{hint}."
    raise RefusedError(told, "entity", raw, "unknown", near[:_MOST_CANDIDATES])
