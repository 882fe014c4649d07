"""The quotable sentence of a table: its top rows, or the first and the last of a trend."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

from groundwire.language.sentences import number_text
from groundwire.metrics.intent.wording import say
from groundwire.metrics.table.query import (
    PERIOD,
    POINTS,
    TableMetric,
    TableQuery,
    TableRow,
    changes,
    order_of,
)
from groundwire.metrics.wording import Language, amount, grouped, listed, with_unit
from groundwire.quantities import Period
from groundwire.safe_text import safe_name

MOST_TOLD = 12
_MOST_ROWS = 10
_FEWEST_SPAN = 4
_MOST_BESIDE = 3
_DIGITS = 6


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
    along = place is not None and not query.compare and _is_one_series(query, rows, place)
    if along and len(rows) > 1:
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
        f"{_beside(row, metrics, units)}"
        for row in rows[: _told(rows)]
    )
    count = total if total is not None else len(rows)
    told = _told(rows)
    more = f" ({told} of {count:,} rows)" if count > told else ""
    return f"{what}{_way(query, count, 'en')}: {shown}{more}.{_none_so(query, rows, 'en')}"


def _told(rows: Sequence[TableRow]) -> int:
    """How many rows a sentence tells: all of a few more than it tells of many."""
    return len(rows) if len(rows) <= MOST_TOLD else _MOST_ROWS


def _is_one_series(query: TableQuery, rows: Sequence[TableRow], place: int) -> bool:
    """Whether all keys but the period are the same, and the rows run along time."""
    first = query.order[0] if query.order else None
    if first is not None and first.by not in query.by:
        return False
    if len(query.by) == 1:
        return bool(rows)
    others = {tuple(key for at, key in enumerate(row.keys) if at != place) for row in rows}
    return len(others) == 1


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
        return _span_of(query.periods) or listed([one.label for one in query.periods], 8)
    return found.pop() if len(found) == 1 else ""


def _span_of(periods: Sequence[Period]) -> str:
    """Several periods of one grain without a gap as a range; "" for others."""
    if len(periods) < _FEWEST_SPAN or len({one.grain for one in periods}) > 1:
        return ""
    if any(after.start - before.end != timedelta(days=1) for before, after in pairwise(periods)):
        return ""
    return f"{periods[0].label} to {periods[-1].label}"


def _called(row: TableRow) -> str:
    names = row.labels or tuple("none" if key is None else str(key) for key in row.keys)
    return ", ".join(safe_name(name) for name in names)


def _beside(row: TableRow, metrics: Sequence[TableMetric], units: Sequence[str]) -> str:
    """The values of the other metrics of a row, each with its name."""
    return "".join(
        f", {metric.label} {_value(row, at, units[at])}"
        for at, metric in enumerate(metrics[:_MOST_BESIDE])
        if at
    )


def _value(row: TableRow, place: int, unit: str) -> str:
    value = row.values[place]
    return "no value" if value is None else with_unit(grouped(value), unit)


def _change(query: TableQuery, row: TableRow, place: int, unit: str) -> str:
    """Return the compared value, to stand behind a value."""
    if not query.compare or not row.before:
        return ""
    value, before = row.values[place], row.before[place]
    if value is None or before is None:
        return say("table_no_before", "en")
    when = f" in {row.period_before.label}" if row.period_before else " before"
    return f" ({_by_how_much(value, before, unit, 'en')}{with_unit(grouped(before), unit)}{when})"


def _by_how_much(value: Decimal, before: Decimal, unit: str, language: Language) -> str:
    """Return the change in percent, or of percents in points; "" where there is none."""
    change, percent = changes(value, before)
    told, of = (change, POINTS) if unit == "%" else (percent, "%")
    if told is None:
        return ""
    number = amount(round(told, _DIGITS).normalize() + 0, of, language)
    return say("table_change", language, change=f"+{number}" if told > 0 else number)


def table_sentence_in(
    language: Language,
    query: TableQuery,
    metric: str,
    units: Sequence[str],
    filters: str,
    rows: Sequence[TableRow],
    names: Sequence[Sequence[str]],
    total: int | None,
) -> str:
    """Return the sentence of a table in a language other than English.

    Args:
        language: the language.
        query: the query.
        metric: the name of its first metric in the language.
        units: the unit of each metric.
        filters: what the conditions keep, by names in the language, or "".
        rows: the rows of the first page, in their order.
        names: the names of the keys of each row in the language.
        total: how many rows there are, or None.
    """

    def value(row: TableRow) -> str:
        held = row.values[0]
        return say("no_value", language) if held is None else amount(held, units[0], language)

    place = query.by.index(PERIOD) if PERIOD in query.by else None
    held = [row for row in rows if row.values[0] is not None]
    along = place is not None and not query.compare and _is_one_series(query, rows, place)
    if along and len(held) > 1:
        first, last = held[0], held[-1]
        before, after = first.values[0] or Decimal(0), last.values[0] or Decimal(0)
        key = "table_rose" if after > before else "table_fell" if after < before else "table_same"
        joined = f"{filters}{metric}" if language == "zh" else f"{metric} {filters}".strip()
        ends = {"start": _period(first), "end": _period(last)}
        return say(key, language, what=joined, first=value(first), last=value(last), **ends)
    when = _common_period(query, rows) if place is None else ""
    when = when.replace(" to ", say("between", language))
    count = total if total is not None else len(rows)
    joint = say("names_joint", language)
    shown = say("table_joint", language).join(
        f"{joint.join(map(safe_name, own))} {value(row)}{_before(row, units[0], language)}".strip()
        for row, own in zip(rows[: _told(rows)], names, strict=False)
    )
    told = _told(rows)
    number = number_text(count, "de") if language == "de" else f"{count:,}"
    more = say("table_more", language, told=str(told), count=number) if count > told else ""
    what = say("table_what", language, metric=metric, filters=filters, when=when)
    what = " ".join(what.split())
    way = _way(query, count, language)
    told_rows = say("table_rows", language, what=what, way=way, rows=shown, more=more)
    return told_rows + _none_so(query, rows, language)


def _before(row: TableRow, unit: str, language: Language) -> str:
    value, before = row.values[0], row.before[0] if row.before else None
    if value is None or before is None or row.period_before is None:
        return say("table_no_before", language) if row.before else ""
    told = amount(before, unit, language)
    change = _by_how_much(value, before, unit, language)
    return say("table_before", language, change=change, before=told, period=row.period_before.label)


def _none_so(query: TableQuery, rows: Sequence[TableRow], language: Language) -> str:
    """Say that nothing rose where the greatest change is a fall; and so of falls."""
    order = query.order[0] if query.order else None
    if order is None or query.offset or not rows or not query.compare:
        return ""
    metric, what = order_of(query, order.by)
    value, before = rows[0].values[0], rows[0].before[0] if rows[0].before else None
    change, _ = changes(value, before)
    if metric != query.metrics[0] or what == "value" or change is None:
        return ""
    if (change < 0) if order.descending else (change > 0):
        return say("none_rose" if order.descending else "none_fell", language)
    return ""


def _way(query: TableQuery, count: int, language: Language) -> str:
    """Which rows come first, where they are sorted by the first metric or its change."""
    order = query.order[0] if query.order else None
    if order is None or count < 2:
        return ""
    metric, what = order_of(query, order.by)
    if metric != query.metrics[0]:
        return ""
    if what == "value":
        return say("highest_first" if order.descending else "lowest_first", language)
    return say(f"{'most' if order.descending else 'least'}_{what}", language)
