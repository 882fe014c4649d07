"""Single values of metrics that a warehouse has: one row of one value each, or an honest no."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from groundwire.errors import InputError
from groundwire.evidence.answers import ResolvedItem
from groundwire.evidence.records import Draft
from groundwire.metrics.results import (
    AvailableItem,
    CandidateItem,
    Cell,
    IntervalItem,
    QueryResult,
    SourceItem,
    quoted,
    refusal,
)
from groundwire.metrics.table.conditions import RefusedError
from groundwire.metrics.table.listing import Chosen, dimension_of
from groundwire.metrics.table.proof import prove_refusal, prove_table
from groundwire.metrics.table.query import (
    PERIOD,
    AmbiguousQueryError,
    Condition,
    Dimension,
    Order,
    TableArguments,
    TableMetric,
    TableQuery,
    TableRows,
)
from groundwire.metrics.table.reading import Understood, read_table
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.table.rows import row_of
from groundwire.metrics.terms import MOST_PERIODS, TOTAL, Arguments
from groundwire.metrics.wording import exact, grouped, listed, number, with_unit
from groundwire.quantities import Period
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

WHOLE = "total"
_WHOLE = frozenset(map(fold, ("", WHOLE, "all", "everything", "合计", "全部", "gesamt")))
_MOST_CANDIDATES = 8
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Asked:
    """One value that is asked of the warehouse, in controlled terms.

    Attributes:
        sent: the arguments as they came.
        metric: the metric.
        entity: what the value is of: a stored value, or "total".
        read: the query for it.
    """

    sent: Arguments
    metric: TableMetric
    entity: str
    read: Understood

    @property
    def dimension(self) -> str:
        """The dimension that the entity is a value of; "" for the total."""
        conditions = self.read.query.conditions
        return conditions[0].dimension if conditions else ""


@dataclass(frozen=True, slots=True)
class Single:
    """The outcome of one value.

    Attributes:
        cell: the outcome.
        draft: what is recorded of it; its first value is the one found.
        asked: what was asked; None where an argument was refused.
        period: the period that the value is of, where one was found.
    """

    cell: Cell
    draft: Draft
    asked: Asked | None = None
    period: Period | None = None


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


def warehouse_metric(state: State, raw: str) -> TableMetric | Cell | None:
    """Return the metric of the warehouse that a text names.

    None without a warehouse, or where it does not have it; the question which one is meant where
    both stores have the code.
    """
    both = in_both(state, raw)
    if both is not None or state.warehouse is None:
        return both
    found = state.tables.metric(raw)
    if found.term is None or state.tables.metrics[found.term.id][0] != "warehouse":
        return None
    return state.tables.metrics[found.term.id][1]


def query_warehouse(state: State, sent: Arguments, today: date) -> tuple[QueryResult, Draft] | None:
    """Answer a query of a metric of the warehouse; None where the warehouse does not have it.

    The entity is a value of any dimension of the metric, or "total" for all of it.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    metric = warehouse_metric(state, sent.metric)
    if metric is None:
        return None
    if isinstance(metric, Cell):
        found = refused_single(state, metric)
    else:
        asked = read_singles(state, sent, metric, today)
        if isinstance(asked, Single):
            found = asked
        else:
            (one, *others) = asked
            if others or _is_open(one):
                found = refused_single(state, _several(asked))
            else:
                found = answer_single(state, one, today)
    return QueryResult(**dict(found.cell)), found.draft


def read_singles(
    state: State, sent: Arguments, metric: TableMetric, today: date
) -> tuple[Asked, ...] | Single:
    """Return what is asked for, one for each period of a range; or the refusal of an argument.

    The gate screens every argument before anything else is looked at. A range without an end is
    one period, whose last day is the last of all.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    for param in ("metric", "entity", "period", "channel", "as_of"):
        raw = str(getattr(sent, param))
        hits = state.gate.screen(raw).hits
        if hits:
            answer = state.gate.refusal(hits[0])
            return refused_single(state, refusal(param, raw, "out_of_scope_entity", answer, []))
    return _or_refused(state, lambda: _read(state, sent, metric, today))


def answer_single(state: State, asked: Asked, today: date) -> Single:
    """Ask the warehouse for one value.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    found = _or_refused(state, lambda: state.tables.store("warehouse").run(asked.read.query))
    return found if isinstance(found, Single) else told_single(state, asked, found, today)


def _or_refused(state: State, make: Callable[[], Made]) -> Made | Single:
    """Return the result of `make`, or the refusal of the argument that stopped it."""
    try:
        return make()
    except RefusedError as refused:
        cell = refusal(
            refused.param, refused.raw, refused.reason, refused.answer, refused.candidates
        )
    except AmbiguousQueryError as asked:
        offered = [CandidateItem(value=value, label=label) for value, label in asked.candidates]
        cell = refusal(asked.param, asked.raw, "ambiguous", str(asked), offered)
    return refused_single(state, cell)


def refused_single(state: State, cell: Cell) -> Single:
    """Return the outcome of an argument that is refused, with its record."""
    told = TableResult(
        answer=cell.answer,
        status="unrecognized_param",
        param=cell.param,
        raw=cell.raw,
        reason=cell.reason,
        candidates=cell.candidates,
    )
    return Single(cell, prove_refusal(state, told))


def _read(state: State, sent: Arguments, metric: TableMetric, today: date) -> tuple[Asked, ...]:
    tables = state.tables
    if fold(sent.channel) not in _WHOLE and sent.channel != TOTAL:
        told = f"{metric.label} has no channels: send its dimensions to query_metric_table."
        raise RefusedError(told, "channel", sent.channel, "unsupported")
    conditions, entity = _whose(state, metric, sent.entity)
    latest = fold(sent.period) == "latest" or not sent.period.strip()
    table = TableArguments(
        (metric.code,), period="" if latest else sent.period, as_of=sent.as_of, limit=1
    )
    read = read_table(tables, table, today, lambda _: None)
    by = (PERIOD,) if latest and metric.grains else ()
    query = TableQuery(
        (metric.code,),
        by,
        conditions,
        grain=metric.grains[0] if by else None,
        order=(Order(PERIOD, descending=True),) if by else (),
        limit=1,
        as_of=read.query.as_of,
    )
    time = (Dimension(PERIOD, "Period", "time"),) if by else ()
    own = Understood("warehouse", (metric,), time, query, read.resolved)
    if not read.query.periods:
        return (Asked(sent, metric, entity, own),)
    return tuple(
        Asked(sent, metric, entity, replace(own, query=replace(query, periods=(one,))))
        for one in read.query.periods
    )


def _is_open(asked: Asked) -> bool:
    """Whether a period has no last day."""
    return any(one.end == date.max for one in asked.read.query.periods)


def periods_with_values(state: State, asked: Asked, most: int) -> tuple[Asked, ...]:
    """Return what a range without an end asks for: each period of it that has a value.

    Its grain is that of the metric, or a coarser one that the range was named in.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    if not _is_open(asked) or not asked.metric.grains:
        return (asked,)
    (period,) = asked.read.query.periods
    named = period.label.removeprefix("since ")
    grain = asked.metric.grains[0]
    if len(named) == 4 and "year" in asked.metric.grains:
        grain = "year"
    elif "Q" in named and "quarter" in asked.metric.grains:
        grain = "quarter"
    query = replace(
        asked.read.query, by=(PERIOD,), grain=grain, order=(Order(PERIOD, descending=False),),
        limit=most,
    )  # fmt: skip
    rows = state.tables.store("warehouse").run(query).rows
    periods = [one.period for one in rows if one.period is not None]
    return tuple(
        replace(asked, read=replace(asked.read, query=replace(asked.read.query, periods=(one,))))
        for one in periods
    ) or (asked,)


def _several(asked: tuple[Asked, ...]) -> Cell:
    """A range of periods, which one value cannot answer."""
    sent = asked[0].sent
    labels = [one.read.query.periods[0].label for one in asked if not _is_open(one)]
    return refusal(
        "period",
        sent.period,
        "unsupported",
        f"{quoted(sent.period)} is more than one period: send one of them, or send them all to "
        "query_metric_grid.",
        [CandidateItem(value=one, label=one) for one in labels[:MOST_PERIODS]],
    )


def told_single(state: State, asked: Asked, found: TableRows, today: date) -> Single:
    """Return the outcome for the row of one value, or for none."""
    sent, metric, entity, query = asked.sent, asked.metric, asked.entity, asked.read.query
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
            answer=f"No value is held of {_what(asked)} for {label}.",
            status="not_found",
            normalized={"metric": metric.code, "entity": entity, "period": label, "channel": TOTAL},
            available=AvailableItem(periods=[], entities=[], channels=[]),
            resolved=resolved,
        )
        told = TableResult(
            answer=cell.answer, status="not_found", normalized=cell.normalized, available={}
        )
        return Single(cell, prove_refusal(state, told, found.statement), asked)
    doc = listed(row.sources) or "warehouse"
    start, end = (period.start, period.end) if period else (date.min, date.max)
    cell = Cell(
        answer=f"{_what(asked)} for {label}: {with_unit(grouped(value), metric.unit)} ({doc})"
        f"{_unfinished(period, today)}.",
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
    texts = [row_of(asked.read, one) for one in found.rows]
    draft = prove_table(state, asked.read, found, [metric.unit], texts)
    return Single(cell, draft, asked, period)


def _what(asked: Asked) -> str:
    label = asked.metric.label
    return f"{label} in total" if asked.entity == WHOLE else f"{label} of {asked.entity}"


def _unfinished(period: Period | None, today: date) -> str:
    """Say that a period is not over, so that its value is of a part of it."""
    if period is None or not period.start <= today <= period.end:
        return ""
    return f"; {period.label} is not over, so this is what is held of it so far"


def _whose(state: State, metric: TableMetric, raw: str) -> tuple[tuple[Condition, ...], str]:
    """The condition that a text names, of whichever dimension has the value; none for all.

    "dimension: value" names the dimension too.
    """
    if fold(raw) in _WHOLE:
        return (), WHOLE
    tables = state.tables
    found: list[Condition] = []
    near: list[CandidateItem] = []
    for dimension in tables.dimensions("warehouse", (metric,)):
        if dimension.kind != "category":
            continue
        one = tables.resolve("warehouse", (metric,), dimension.code, raw)
        if one.value is not None and one.how in ("exact", "folded", "alias"):
            found.append(Condition(dimension.code, "in", (one.value,)))
        near += [CandidateItem(value=str(key), label=dimension.label) for key in one.candidates[:2]]
    found = found or _qualified(state, metric, raw)
    if len(found) == 1:
        return (found[0],), tables.called("warehouse", found[0].dimension, found[0].values[0])
    if found:
        offered = [
            CandidateItem(value=name, label=name)
            for one in found
            for name in (
                f"{one.dimension}: {tables.called('warehouse', one.dimension, one.values[0])}",
            )
        ]
        names = listed([one.label for one in offered])
        told = f"{quoted(raw)} may be any of {names}: send one of them."
        raise RefusedError(told, "entity", raw, "ambiguous", offered)
    names = listed([one.value for one in near])
    hint = f"; near to it: {names}" if near else ": list_dimension_values has them"
    told = f"{quoted(raw)} is no value of any dimension of {metric.label}{hint}."
    raise RefusedError(told, "entity", raw, "unknown", near[:_MOST_CANDIDATES])


def _qualified(state: State, metric: TableMetric, raw: str) -> list[Condition]:
    """The condition that "dimension: value" names; none where it names none."""
    head, mark, value = raw.partition(":")
    if not mark:
        return []
    try:
        code = dimension_of(state.tables, Chosen("warehouse", metric), head.strip())
    except InputError:
        return []
    if code == PERIOD:
        return []
    one = state.tables.resolve("warehouse", (metric,), code, value.strip())
    if one.value is None or one.how not in ("exact", "folded", "alias"):
        return []
    return [Condition(code, "in", (one.value,))]


def answer_singles(state: State, asked: Sequence[Asked], today: date) -> list[Single]:
    """Ask the warehouse for several values; those that differ by a stored value alone at once.

    Raises:
        UnavailableError: the warehouse cannot be asked.
    """
    together: dict[tuple[str, str, tuple[Period, ...]], list[int]] = {}
    for at, one in enumerate(asked):
        query = one.read.query
        if one.dimension and query.periods:
            together.setdefault((one.metric.code, one.dimension, query.periods), []).append(at)
    found: dict[int, Single] = {}
    for places in together.values():
        some = [asked[at] for at in places]
        found |= dict(zip(places, _at_once(state, some, today), strict=False))
    return [
        found[at] if at in found else answer_single(state, one, today)
        for at, one in enumerate(asked)
    ]


def _at_once(state: State, asked: Sequence[Asked], today: date) -> list[Single]:
    """The values of several stored values by one query; none where one query cannot tell them."""
    if len(asked) < 2:
        return []
    values = tuple(dict.fromkeys(one.read.query.conditions[0].values[0] for one in asked))
    query = asked[0].read.query
    dimension = asked[0].dimension
    query = replace(
        query, by=(dimension,), conditions=(Condition(dimension, "in", values),), limit=len(values)
    )
    try:
        rows = state.tables.store("warehouse").run(query)
    except AmbiguousQueryError:
        return []
    if not rows.is_complete:
        return []
    by_key = {row.keys[0]: row._replace(keys=(), labels=()) for row in rows.rows}
    singles: list[Single] = []
    for one in asked:
        row = by_key.get(one.read.query.conditions[0].values[0])
        own = replace(rows, rows=(row,) if row else (), total_rows=1 if row else 0)
        singles.append(told_single(state, one, own, today))
    return singles
