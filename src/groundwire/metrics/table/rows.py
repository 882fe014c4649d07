"""Columns and rows of a table as answers have them, and the names of rows in a language.

Rows that are equal to the last one that is told are told too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import takewhile
from typing import TYPE_CHECKING

from groundwire.metrics.table.query import (
    PERIOD,
    POINTS,
    Key,
    TableQuery,
    TableRow,
    TableRows,
    TableStore,
    changes,
    order_of,
)
from groundwire.metrics.table.reading import Understood
from groundwire.metrics.table.results import ColumnItem, Role
from groundwire.metrics.table.sentences import MOST_TOLD
from groundwire.metrics.wording import Language, exact, say
from groundwire.safe_text import safe_name

if TYPE_CHECKING:
    from groundwire.metrics.table.stores import Tables


def columns_of(read: Understood, units: Sequence[str]) -> list[ColumnItem]:
    """Return the columns: keys, then each metric with what it is compared with."""
    columns = [
        ColumnItem(
            code=one.code,
            label=f"{one.label} ({read.query.grain})"
            if one.code == PERIOD and read.query.grain
            else one.label,
            role="key",
        )
        for one in read.dimensions
    ]
    for metric, unit in zip(read.metrics, units, strict=True):
        columns.append(
            ColumnItem(code=metric.code, label=metric.label, role="value", unit=unit or None)
        )
        if read.query.compare:
            change = POINTS if unit == "%" else unit or None
            added: tuple[tuple[Role, str | None], ...] = (
                ("before", unit or None),
                ("change", change),
                ("percent_change", "%"),
            )
            columns += [
                ColumnItem(
                    code=f"{metric.code}.{role}",
                    label=f"{metric.label}, {role.replace('_', ' ')}",
                    role=role,
                    unit=its_unit,
                )
                for role, its_unit in added
            ]
    return columns


def row_of(read: Understood, row: TableRow) -> list[str | None]:
    """Return the cells of a row, each exact."""
    keys: list[str | None] = [
        label or None if row.labels else plain_key(key)
        for key, label in zip(row.keys, row.labels or [""] * len(row.keys), strict=True)
    ]
    cells = keys
    for at, value in enumerate(row.values):
        cells.append(None if value is None else exact(value))
        if read.query.compare:
            before = row.before[at] if row.before else None
            cells.append(None if before is None else exact(before))
            made = changes(value, before)
            cells += [None if one is None else exact(one) for one in made]
    return cells


def called(
    language: Language, tables: Tables, read: Understood, dimension: str, key: Key, label: str
) -> str:
    """The name of a value in a language; a warehouse has one name for each."""
    if read.store != "facts":
        return label
    return tables.facts.called_in(language, dimension, key, label)


def names_of(language: Language, tables: Tables, read: Understood, row: TableRow) -> list[str]:
    """Return the names of the keys of a row, in a language."""
    labels = row.labels or map(key_text, row.keys)
    return [
        called(language, tables, read, code, key, label)
        for code, key, label in zip(read.query.by, row.keys, labels, strict=True)
    ]


def tied_rows(store: TableStore, query: TableQuery, found: TableRows) -> tuple[TableRow, ...]:
    """The rows behind the last one of a ranking that have its value: none of them comes later."""
    metric, of = order_of(query, query.order[0].by) if query.order else ("", "")
    cut = found.total_rows is not None and found.total_rows > len(found.rows) + query.offset
    if of != "value" or not found.rows or not cut or len(found.rows) < query.limit:
        return ()
    at = query.metrics.index(metric)
    last = found.rows[-1].values[at]
    behind = replace(query, offset=query.offset + len(found.rows), limit=MOST_TOLD)
    rows = store.run(behind).rows
    return tuple(takewhile(lambda one: one.values[at] == last, rows)) if last is not None else ()


def told_tied(
    language: Language, tables: Tables, read: Understood, tied: Sequence[TableRow]
) -> str:
    """The sentence of what is equal to the last row that is told."""
    if not tied:
        return ""
    joint = say("names_joint", language)
    names = [joint.join(map(safe_name, names_of(language, tables, read, one))) for one in tied]
    gap = "" if language == "zh" else " "
    return gap + say("tied", language, names=say("comma", language).join(names))


def key_text(key: Key) -> str:
    """The text of a key, a dash for an empty one."""
    return plain_key(key) or "–"


def plain_key(key: object) -> str | None:
    """The text of a key, or None where it has none."""
    if key is None:
        return None
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, Decimal):
        return exact(key)
    return key.isoformat() if isinstance(key, date) else str(key)
