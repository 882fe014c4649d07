"""The quotable sentence of a table: its top rows, or the first and the last of a trend."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from groundwire.metrics.table.axes import PERIOD
from groundwire.metrics.table.query import TableMetric, TableQuery, TableRow
from groundwire.metrics.wording import grouped, listed, with_unit, with_unit_in_chinese
from groundwire.safe_text import safe_name

_MOST_ROWS = 5


def table_sentence(
    query: TableQuery,
    metrics: Sequence[TableMetric],
    units: Sequence[str],
    filters: str,
    rows: Sequence[TableRow],
    total: int | None,
) -> str:
    """Return one sentence that tells a table.

    Args:
        query: the query.
        metrics: its metrics.
        units: the unit of each.
        filters: what the conditions keep, in words, or "".
        rows: the rows of the first page, in their order.
        total: how many rows there are, or None.
    """
    is_sum = any(row.added > 1 for row in rows)
    label = f"Sum of {metrics[0].label}" if is_sum else metrics[0].label
    place = query.by.index(PERIOD) if PERIOD in query.by else None
    if place is not None and _is_one_series(query, rows, place) and len(rows) > 1:
        return _trend(query, label, units[0], filters, rows, total)
    when = _common_period(query, rows) if place is None else ""
    of = f" of {filters}" if filters else ""
    what = f"{label}{of}{f' for {when}' if when else ''}"
    if not rows:
        return f"{what}: no row lies beyond the first {query.offset:,}."
    if not query.by:
        values = [
            f"{'Sum of ' if is_sum else ''}{metric.label}{of}{f' for {when}' if when else ''}: "
            f"{_value(rows[0], at, units[at])}"
            f"{_change(query, rows[0], at, units[at])}"
            for at, metric in enumerate(metrics)
        ]
        return f"{'; '.join(values)}."
    shown = "; ".join(
        f"{_called(row)} {_value(row, 0, units[0])}{_change(query, row, 0, units[0])}"
        for row in rows[:_MOST_ROWS]
    )
    count = total if total is not None else len(rows)
    told = min(len(rows), _MOST_ROWS)
    more = f" ({told} of {count:,} rows)" if count > told else ""
    order = query.order[0] if query.order else None
    ranked = order is not None and order.by == metrics[0].code
    way = ""
    if ranked and order is not None and count > 1:
        way = ", highest first" if order.descending else ", lowest first"
    return f"{what}{way}: {shown}{more}."


def _is_one_series(query: TableQuery, rows: Sequence[TableRow], place: int) -> bool:
    """Whether all keys but the period are the same, and the rows run along time."""
    others = {tuple(key for at, key in enumerate(row.keys) if at != place) for row in rows}
    first = query.order[0] if query.order else None
    return len(others) == 1 and (first is None or first.by in query.by)


def _trend(
    query: TableQuery,
    label: str,
    unit: str,
    filters: str,
    rows: Sequence[TableRow],
    total: int | None,
) -> str:
    place = query.by.index(PERIOD)
    held = [row for row in rows if row.values[0] is not None]
    held.sort(key=lambda row: str(row.keys[place]))
    if len(held) < 2:
        return f"{label}: {_period(held[0] if held else rows[0])}, {_value(rows[0], 0, unit)}."
    first, last = held[0], held[-1]
    names = [name for at, name in enumerate(first.labels or ()) if at != place]
    whose = listed(names) or filters
    of = f" of {whose}" if whose else ""
    before, after = first.values[0] or Decimal(0), last.values[0] or Decimal(0)
    way = "rose" if after > before else "fell" if after < before else "stayed the same"
    here = "" if total is None or total == len(rows) else f" (the first {len(rows)} of {total:,})"
    if way == "stayed the same":
        return (
            f"{label}{of} was {_value(first, 0, unit)} in {_period(first)} and "
            f"{_value(last, 0, unit)} in {_period(last)}{here}."
        )
    return (
        f"{label}{of} {way} from {_value(first, 0, unit)} in {_period(first)} to "
        f"{_value(last, 0, unit)} in {_period(last)}{here}."
    )


def _period(row: TableRow) -> str:
    return row.period.label if row.period else ""


def _common_period(query: TableQuery, rows: Sequence[TableRow]) -> str:
    found = {row.period.label for row in rows if row.period is not None}
    if not found:
        # Sums over several periods are of all that were asked for.
        return listed([one.label for one in query.periods], 8)
    return found.pop() if len(found) == 1 else ""


def _called(row: TableRow) -> str:
    names = row.labels or tuple("none" if key is None else str(key) for key in row.keys)
    return ", ".join(safe_name(name) for name in names)


def _value(row: TableRow, place: int, unit: str) -> str:
    value = row.values[place]
    return "no value" if value is None else with_unit(grouped(value), unit)


def _change(query: TableQuery, row: TableRow, place: int, unit: str) -> str:
    """What a value is compared with, behind it."""
    if not query.compare or not row.before:
        return ""
    value, before = row.values[place], row.before[place]
    if value is None or before is None:
        return " (nothing to compare with)"
    when = f" in {row.period_before.label}" if row.period_before else " before"
    return f" ({with_unit(grouped(before), unit)}{when})"


def table_sentence_in_chinese(
    query: TableQuery,
    metric: str,
    units: Sequence[str],
    filters: str,
    rows: Sequence[TableRow],
    names: Sequence[Sequence[str]],
    total: int | None,
) -> str:
    """Return the sentence of a table in Chinese.

    Args:
        query: the query.
        metric: the Chinese name of its first metric.
        units: the unit of each metric.
        filters: what the conditions keep, by Chinese names, or "".
        rows: the rows of the first page, in their order.
        names: the Chinese names of the keys of each row.
        total: how many rows there are, or None.
    """

    def value(row: TableRow) -> str:
        held = row.values[0]
        return "无数值" if held is None else with_unit_in_chinese(grouped(held), units[0])

    place = query.by.index(PERIOD) if PERIOD in query.by else None
    held = [row for row in rows if row.values[0] is not None]
    if place is not None and _is_one_series(query, rows, place) and len(held) > 1:
        first, last = held[0], held[-1]
        before, after = first.values[0] or Decimal(0), last.values[0] or Decimal(0)
        way = "升至" if after > before else "降至" if after < before else "变为"
        return (
            f"{filters}{metric}从 {_period(first)} 的{value(first)}{way} {_period(last)} 的"
            f"{value(last)}。"
        )
    when = _common_period(query, rows) if place is None else ""
    order = query.order[0] if query.order else None
    count = total if total is not None else len(rows)
    way = ""
    if order is not None and order.by == query.metrics[0] and count > 1:
        way = "（从高到低）" if order.descending else "（从低到高）"
    shown = "；".join(
        f"{'、'.join(map(safe_name, own))} {value(row)}"
        for row, own in zip(rows[:_MOST_ROWS], names, strict=False)
    )
    told = min(len(rows), _MOST_ROWS)
    more = f"（共 {count:,} 项，列出 {told} 项）" if count > told else ""
    return f"{' '.join(filter(None, (filters, when, metric)))}{way}：{shown}{more}。"
