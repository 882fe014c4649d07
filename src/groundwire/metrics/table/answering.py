"""`query_metric_table`: rows that answer, or an honest no. Exactly one of three statuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from groundwire.evidence.records import Draft
from groundwire.metrics.results import CandidateItem
from groundwire.metrics.standing import year_notes, years_held
from groundwire.metrics.table.chart import CHART, INSTALL, NoChart, can_draw, chart_of
from groundwire.metrics.table.conditions import RefusedError
from groundwire.metrics.table.proof import prove_refusal, prove_table
from groundwire.metrics.table.query import (
    CHANNEL,
    ENTITY,
    GROUP,
    PERIOD,
    AmbiguousQueryError,
    Condition,
    TableArguments,
    TableMetric,
    TableRow,
    TableRows,
)
from groundwire.metrics.table.reading import Understood, read_table
from groundwire.metrics.table.results import DifferingItem, TableResult
from groundwire.metrics.table.rolling import rolled
from groundwire.metrics.table.rows import (
    called,
    columns_of,
    key_text,
    names_of,
    plain_key,
    row_of,
    tied_rows,
    told_tied,
)
from groundwire.metrics.table.sentences import MOST_TOLD, table_sentence, table_sentence_in
from groundwire.metrics.terms import TOTAL
from groundwire.metrics.wording import Language, amount, exact, grouped, listed, name_in, say
from groundwire.quantities import CALENDAR_YEAR, read_period

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State
    from groundwire.metrics.table.stores import Tables

PAGE = 200
_MOST_AVAILABLE = 24
_MOST_LOOKED_AT = 96
_MOST_SOURCES = 12
_MOST_DIFFERING = 50
_MOST_LACKING = 8


def query_table(state: State, sent: TableArguments, today: date) -> tuple[TableResult, Draft]:
    """Answer one table query.

    Args:
        state: the fact base with its stores of tables.
        sent: the arguments as they came.
        today: the day that relative periods count from.

    Returns:
        the outcome and what is recorded of it.

    Raises:
        InputError: it would add what must not be added; the message says what to send.
        UnavailableError: a store cannot be read.
    """
    tables = state.tables

    def screen(text: str) -> None:
        hits = state.gate.screen(text).hits
        if hits:
            raise RefusedError(state.gate.refusal(hits[0]), "", text, "out_of_scope_entity")

    try:
        read = read_table(tables, sent, today, screen)
        return _answer(state, sent, read, today)
    except RefusedError as refused:
        result = _refusal(_named_param(refused, sent), refused)
    except AmbiguousQueryError as asked:
        offered = [CandidateItem(value=value, label=label) for value, label in asked.candidates]
        refused = RefusedError(str(asked), asked.param, asked.raw, "ambiguous", offered)
        result = _refusal(refused.param, refused)
    return result, prove_refusal(state, result)


def _named_param(refused: RefusedError, sent: TableArguments) -> str:
    """The argument that a refused text stands in."""
    if refused.param:
        return refused.param
    raw = refused.raw
    if raw in sent.metrics:
        return "metrics"
    if raw in sent.by:
        return "by"
    simple = {"period": sent.period, "grain": sent.grain, "as_of": sent.as_of}
    return next((name for name, text in simple.items() if text == raw), "where")


def _refusal(param: str, refused: RefusedError) -> TableResult:
    return TableResult(
        answer=refused.answer,
        status="unrecognized_param",
        param=param,
        raw=refused.raw[:200],
        reason=refused.reason,
        candidates=refused.candidates,
    )


def _answer(
    state: State, sent: TableArguments, read: Understood, today: date
) -> tuple[TableResult, Draft]:
    tables, query = state.tables, read.query
    store = tables.store(read.store)
    left = query.limit - query.offset
    paged = _with_page(read, max(min(left, PAGE), 0))
    if read.rolling is not None and not sent.dry_run:
        found = rolled(store.run, paged.query, read.rolling)
    else:
        found = store.run(paged.query, dry_run=sent.dry_run)
    tied = () if read.rolling or sent.dry_run else tied_rows(store, paged.query, found)
    units = _units(state, read)
    columns = columns_of(read, units)
    if sent.dry_run:
        result = TableResult(
            answer="Nothing was run: `sql` holds what would run for this table.",
            status="found",
            columns=columns,
            rows=[],
            is_complete=False,
            sql=found.statement,
            resolved=list(read.resolved) or None,
        )
        return result, prove_refusal(state, result, found.statement)
    if not found.rows and not query.offset:
        result = _not_found(state, read, found)
        return result, prove_refusal(state, result, found.statement)
    total = found.total_rows
    reached = query.offset + len(found.rows)
    more = reached < query.limit and (total is None or reached < total) and len(found.rows) == PAGE
    complete = found.is_complete and (total is None or total <= query.limit)
    filters = in_words(tables, read)
    told, unfinished = _told_rows(read, found.rows, today)
    answer = table_sentence(query, read.metrics, units, filters, told, total)
    answer += told_tied("en", tables, read, tied)
    answer += _without_value("en", tables, read, found) + year_notes(state, read, found, "en")
    notes = [say("not_over", "en", period=one) for one in unfinished]
    # A trend ends with the last whole period; any other table tells the part that is held.
    open_periods = unfinished if query.compare or PERIOD not in query.by else []
    answer += _not_over("en", open_periods)
    notes += [f"Left out: {one}." for one in found.left_out if one]
    notes += found.notes
    if total is not None and total > query.limit:
        notes.append(f"{total:,} rows in all; limit is {query.limit:,}.")
    rows = [row_of(read, one) for one in found.rows]
    sources = list(dict.fromkeys(name for row in found.rows for name in row.sources))
    chart = None
    if sent.chart:
        part = f"{len(found.rows):,} of {total:,} rows" if total and total > len(found.rows) else ""
        drawn = chart_of(read, found.rows, sent.chart, units[0], sources, part)
        if isinstance(drawn, NoChart):
            notes.append(f"Not drawn: {drawn.reason}.")
        else:
            chart = drawn
            notes += [] if can_draw() else [INSTALL]
    result = TableResult(
        answer=answer,
        status="found",
        columns=columns,
        rows=rows,
        chart=chart,
        total_rows=total,
        is_complete=complete,
        differing=_differing(read, found.rows) or None,
        sources=sources[:_MOST_SOURCES] or None,
        resolved=list(read.resolved) or None,
        notes=notes or None,
        answer_in_chinese=_in_language("zh", state, read, replace(found, rows=told), units, tied)
        + _not_over("zh", open_periods),
        answer_in_german=_in_language("de", state, read, replace(found, rows=told), units, tied)
        + _not_over("de", open_periods),
        offset=query.offset,
        next_offset=reached if more else None,
    )
    every = replace(found, rows=(*found.rows, *tied))
    draft = prove_table(state, read, every, units, [*rows, *(row_of(read, one) for one in tied)])
    if chart is not None:
        draft = replace(draft, audit={**draft.audit, CHART: chart})
    return result, draft


def _not_over(language: Language, periods: Sequence[str]) -> str:
    gap = "" if language == "zh" else " "
    return "".join(f"{gap}{say('not_over', language, period=one)}" for one in periods)


def _told_rows(
    read: Understood, rows: Sequence[TableRow], today: date
) -> tuple[Sequence[TableRow], list[str]]:
    """The rows that a sentence tells, and the labels of periods that are not over.

    What a warehouse has of a period that is not over is a part of it, which no trend ends with.
    """
    if read.store == "facts":
        return rows, []
    periods = dict.fromkeys(row.period for row in rows if row.period is not None)
    now = [one for one in periods if one.start <= today <= one.end and one.start != one.end]
    if PERIOD not in read.query.by:
        return rows, [one.label for one in now]
    over = [row for row in rows if row.period not in now]
    told = over if over and read.query.by == (PERIOD,) else rows
    return told, [one.label for one in now]


def _in_language(
    language: Language,
    state: State,
    read: Understood,
    found: TableRows,
    units: Sequence[str],
    tied: Sequence[TableRow],
) -> str:
    """The sentence of a table in another language; a warehouse has its values by one name each."""
    tables, query = state.tables, read.query
    names = [names_of(language, tables, read, row) for row in found.rows[:MOST_TOLD]]
    metrics = [name_in(language, one.label, one.aliases, one.labels) for one in read.metrics]
    filters = _filters_in(language, tables, read)
    told = table_sentence_in(
        language, query, metrics, units, filters, found.rows, names, found.total_rows
    )
    beside = year_notes(state, read, found, language)
    told += told_tied(language, tables, read, tied)
    return told + _without_value(language, tables, read, found) + beside


def _without_value(language: Language, tables: Tables, read: Understood, found: TableRows) -> str:
    """The few entities that have no value: a ranking without them may have another end."""
    if not 0 < len(found.lacking) <= _MOST_LACKING:
        return ""
    names = [
        called(language, tables, read, ENTITY, code, tables.called(read.store, ENTITY, code))
        for code in found.lacking
    ]
    return say("table_lacking", language, names=say("names_joint", language).join(names))


def _filters_in(language: Language, tables: Tables, read: Understood) -> str:
    """Return what the conditions keep, by names and figures in a language."""
    kept = [
        called(language, tables, read, one.dimension, key, key_text(key))
        for one in read.query.conditions
        if one.op == "in"
        for key in one.values[:4]
    ]
    for one in read.query.having:
        bounds = ((one.low, "from", "above"), (one.high, "to", "below"))
        for bound, least, more in bounds:
            if isinstance(bound, Decimal):
                included = one.low_included if bound is one.low else one.high_included
                key = f"table_{least if included else more}"
                kept.append(say(key, language, bound=amount(bound, "", language)))
    return say("names_joint", language).join(kept)


def _none_held(
    language: Language, tables: Tables, read: Understood, available: Mapping[str, list[str]]
) -> str:
    """Return that a value is not held, of what and for when, and which periods there are."""
    first = read.metrics[0]
    when = say("names_joint", language).join(one.label for one in read.query.periods[:3])
    metric = name_in(language, first.label, first.aliases, first.labels)
    filters = _filters_in(language, tables, read)
    what = say("table_what", language, metric=metric, filters=filters, when=when)
    held = ""
    if periods := available.get("period"):
        shown = say("names_joint", language).join(periods[:6])
        held = say("table_held", language, periods=shown)
    elif last := available.get("last_day"):
        held = say("table_held_until", language, day=last[0])
    if read.rolling is not None:
        held += say("table_window", language)
    return say("table_none", language, what=" ".join(what.split()), held=held)


def _available(tables: Tables, read: Understood) -> dict[str, list[str]]:
    """The grains, periods and values that there are."""
    query, store = read.query, tables.store(read.store)
    available: dict[str, list[str]] = {"grain": [*read.metrics[0].grains]}
    code = query.metrics[0]
    if read.store == "facts":
        available["period"] = _alike(read, tables.facts.period_labels(code, _MOST_LOOKED_AT))
    elif newest := tables.last_day(read.store, _base_of(tables, read), by_day=True):
        available["last_day"] = [newest.isoformat()]
    for one in read.dimensions:
        if one.code != PERIOD:
            values, _ = store.values(one.code, code, _MOST_AVAILABLE)
            available[one.code] = [tables.called(read.store, one.code, key) for key in values]
    return available


def _alike(read: Understood, labels: Sequence[str]) -> list[str]:
    """The newest periods that are held, those as long as the one asked for where there are any."""
    grains = {one.grain for one in read.query.periods}
    alike = [
        label
        for label in labels
        if (expression := read_period(label)) is not None
        and {one.grain for one in expression.on(CALENDAR_YEAR, date.max).periods} & grains
    ]
    return (alike or list(labels))[:_MOST_AVAILABLE]


def _base_of(tables: Tables, read: Understood) -> TableMetric:
    """The first metric itself, where an average is made of it."""
    metric = read.metrics[0]
    base = metric.base or metric.code
    return next((one for _, one in tables.metrics.values() if one.code == base), metric)


def _with_page(read: Understood, limit: int) -> Understood:
    return replace(read, query=replace(read.query, limit=limit))


def _units(state: State, read: Understood) -> list[str]:
    """The unit of each metric: its own, or that of its facts."""
    found: list[str] = []
    for metric in read.metrics:
        unit = metric.unit
        if not unit and read.store == "facts":
            unit = state.tables.facts.unit_of(metric.base or metric.code)
        found.append(unit)
    return found


def in_words(tables: Tables, read: Understood) -> str:
    """Return the conditions in words, as "China, India"; "" without any."""
    parts: list[str] = []
    for one in read.query.conditions:
        if one.dimension == CHANNEL and one.op == "not_in" and one.values == (TOTAL,):
            # Channels without their total are what a table by channel is.
            continue
        names = [tables.called(read.store, one.dimension, key) for key in one.values]
        if read.store == "facts" and one.dimension == GROUP:
            names = [f"members of {name}" for name in names]
        if one.op == "in":
            parts.append(listed(names, 4))
        elif one.op == "not_in":
            parts.append(f"all but {listed(names, 4)}")
        else:
            parts.append(f"{one.dimension} {_bounds(one)}")
    labels = {one.base or one.code: one.label for one in read.metrics}
    parts += [f"those with {labels[one.dimension]} {_bounds(one)}" for one in read.query.having]
    return ", ".join(parts)


def _bounds(one: Condition) -> str:
    told: list[str] = []
    for bound, least, more in ((one.low, "from", "above"), (one.high, "to", "below")):
        if bound is not None:
            included = one.low_included if bound is one.low else one.high_included
            text = grouped(bound) if isinstance(bound, Decimal) else plain_key(bound)
            told.append(f"{least if included else more} {text}")
    return " ".join(told)


def _differing(read: Understood, rows: Sequence[TableRow]) -> list[DifferingItem]:
    return [
        DifferingItem(
            row=read.query.offset + at + 1,
            column=read.metrics[one.place].code,
            value_text=exact(one.value),
            source=one.source,
        )
        for at, row in enumerate(rows)
        for one in row.differing
    ][:_MOST_DIFFERING]


def _not_found(state: State, read: Understood, found: TableRows) -> TableResult:
    """No row: what was looked for, and what there is."""
    tables, query = state.tables, read.query
    available = _available(tables, read)
    labels = listed([one.label for one in read.metrics])
    filters = in_words(tables, read)
    when = listed([one.label for one in query.periods], 3)
    said = f"No value is held of {labels}"
    said += f" of {filters}" if filters else ""
    said += f" for {when}" if when else ""
    said += f" by {query.grain.replace('_', ' ')}" if query.grain else ""
    normalized = {"metrics": ", ".join(query.metrics)}
    if query.by:
        normalized["by"] = ", ".join(query.by)
    if filters:
        normalized["where"] = filters
    if when:
        normalized["period"] = when
    if query.grain:
        normalized["grain"] = query.grain
    if query.as_of:
        normalized["as_of"] = query.as_of.isoformat()
        said += f" as known on {query.as_of.isoformat()}"
    if query.having:
        normalized["having"] = "; ".join(f"{one.dimension} {_bounds(one)}" for one in query.having)
    if available.get("period"):
        said += f". Periods that are held: {listed(available['period'])}"
    if last := available.get("last_day"):
        said += f". The last day that is held is {last[0]}"
    notes = [f"Left out: {one}." for one in found.left_out] + list(found.notes)
    if read.rolling is not None and found.notes:
        said += f". {found.notes[-1].rstrip('.')}"
    return TableResult(
        answer=f"{said}.{years_held(state, read, 'en')}",
        answer_in_chinese=_none_held("zh", tables, read, available) + years_held(state, read, "zh"),
        answer_in_german=_none_held("de", tables, read, available) + years_held(state, read, "de"),
        status="not_found",
        normalized=normalized,
        available=available,
        resolved=list(read.resolved) or None,
        notes=notes or None,
    )
