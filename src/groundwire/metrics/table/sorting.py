"""The order of rows, as it is sent and as it is made, and the rows that meet a condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from groundwire.metrics.results import quoted
from groundwire.metrics.table.conditions import RefusedError, offered, term_of
from groundwire.metrics.table.query import (
    CHANGES,
    Condition,
    Key,
    TableQuery,
    TableRow,
    changes,
    order_of,
)


def sorted_rows(rows: Sequence[TableRow], query: TableQuery) -> list[TableRow]:
    """Return rows in the order of a query; ties by their keys, rows without a value last."""
    ordered = sorted(rows, key=lambda row: tuple(_sortable(key) for key in row.keys))
    for order in reversed(query.order):
        metric, what = order_of(query, order.by)
        if metric:
            place = query.metrics.index(metric)
            told = [(sorted_by(row, place, what), row) for row in ordered]
            held = [(value, row) for value, row in told if value is not None]
            held.sort(key=lambda pair: pair[0], reverse=order.descending)
            ordered = [row for _, row in held] + [row for value, row in told if value is None]
        else:
            place = query.by.index(order.by)
            ordered = _by_key(ordered, place, order.descending)
    return ordered


def sorted_by(row: TableRow, place: int, what: str) -> Decimal | None:
    """Return the value of a row, or what it changed by, or None."""
    value = row.values[place]
    if what == "value":
        return value
    before = row.before[place] if row.before else None
    return changes(value, before)[CHANGES.index(what)]


def _by_key(rows: list[TableRow], place: int, descending: bool) -> list[TableRow]:
    return sorted(rows, key=lambda row: _sortable(row.keys[place]), reverse=descending)


def _sortable(key: Key) -> tuple[int, Decimal, str]:
    """Return what a key is sorted by: numbers, then days and texts, then none."""
    if key is None:
        return 2, Decimal(0), ""
    if isinstance(key, bool):
        return 0, Decimal(int(key)), ""
    if isinstance(key, Decimal):
        return 0, key, ""
    text = key.isoformat() if isinstance(key, datetime) or not isinstance(key, str) else key
    return 1, Decimal(0), text


def meets(row: TableRow, query: TableQuery) -> bool:
    """Return whether the values of a row meet every condition on them."""
    return all(
        _in_range(row.values[query.metrics.index(one.dimension)], one) for one in query.having
    )


def _in_range(value: Decimal | None, condition: Condition) -> bool:
    if value is None:
        return False
    low, high = condition.low, condition.high
    if isinstance(low, Decimal) and (value < low or (value == low and not condition.low_included)):
        return False
    return not (
        isinstance(high, Decimal)
        and (value > high or (value == high and not condition.high_included))
    )


def with_direction(sent: str | Mapping[str, Any]) -> tuple[str, str | None]:
    """Return a column and its direction, where one was sent: "-x", "x desc", {by, direction}.

    Raises:
        RefusedError: the form is unknown, or the direction.
    """
    if isinstance(sent, Mapping):
        allowed = {"by", "column", "field", "metric", "direction", "order"}
        unknown = [key for key in sent if key not in allowed]
        raw = next((sent[key] for key in ("by", "column", "field", "metric") if key in sent), None)
        way = sent.get("direction", sent.get("order", ""))
        if unknown or not isinstance(raw, str) or not isinstance(way, str):
            told = "`order_by` is a column with a direction: send {by: ..., direction: desc}."
            raise RefusedError(told, "order_by", str(sent)[:80], "unknown")
        direction = term_of("directions", way)
        if way.strip() and not direction:
            told = f"{quoted(way)} is no direction: send asc or desc."
            raise RefusedError(
                told, "order_by", way, "unknown", offered(("asc", "asc"), ("desc", "desc"))
            )
        return raw, direction or None
    text = " ".join(sent.split())
    if text[:1] in ("-", "+"):
        return text[1:].strip(), "desc" if text[0] == "-" else "asc"
    head, _, last = text.replace(":", " ").rpartition(" ")
    direction = term_of("directions", last)
    if head and direction:
        return head.strip(), direction
    return text, None
