"""The values of DuckDB, exact: how each type is selected, sent over the pipe, and read there.

What Python would change on the way (instants without pytz, infinite dates, months in intervals,
single precision) is turned into text by DuckDB itself. Standard library only.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

from groundwire.tables.bounds import MAX_BLOB, MAX_CELL, Budget, blob, instant, listed

_WHOLE = listed(
    """boolean tinyint smallint integer bigint hugeint utinyint usmallint uinteger ubigint uhugeint
    double"""
)
_NESTED = listed("list array struct map union tuple variant")
_DECIMAL = re.compile(r"DECIMAL\(\d+, ?\d+\)")
_INFINITE = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}


def projection(position: int, type_: Any) -> str:
    """Return what to select in place of the column at `position`, counted from 1.

    Functions are named in full: a macro of the database may bear the name of any of them.

    Args:
        position: its place.
        type_: its type, as DuckDB describes it.
    """
    column = f"#{position}"
    if type_.id in _WHOLE:
        return column
    if type_.id == "blob":
        # The first bytes, and the length before them.
        return (
            f"CASE WHEN {column} IS NOT NULL "
            f"THEN system.main.octet_length({column})::VARCHAR || ' ' || "
            f"system.main.hex({column}[1:{MAX_BLOB}]) END"
        )
    if type_.id in _NESTED:
        # A decimal in JSON would be a double: it is written as a text.
        exact = _DECIMAL.sub("VARCHAR", str(type_)) if type_.id != "variant" else "VARIANT"
        text = f"CAST(system.main.to_json(CAST({column} AS {exact})) AS VARCHAR)"
    else:
        text = f"CAST({column} AS VARCHAR)"
    return f"system.main.left({text}, {MAX_CELL + 1})"


def shown(row: tuple[Any, ...], kinds: list[str], budget: Budget) -> tuple[Any, ...]:
    """A row as it goes over the pipe: plain values, decimals as text."""
    return tuple(
        None if value is None else _shown(value, kind, budget)
        for value, kind in zip(row, kinds, strict=True)
    )


def _shown(value: Any, kind: str, budget: Budget) -> Any:
    if kind in ("double", "float"):
        number = float(value)
        return number if math.isfinite(number) else _INFINITE[str(number)]
    if not isinstance(value, str):
        return value
    if kind == "blob":
        size, _, head = value.partition(" ")
        return blob(bytes.fromhex(head), int(size))
    if kind.startswith("timestamp"):
        return instant(value)
    return budget.clipped(value)


def read(rows: list[tuple[Any, ...]], kinds: list[str]) -> list[tuple[Any, ...]]:
    """Rows as they came over the pipe, with their decimals."""
    decimals = [position for position, kind in enumerate(kinds) if kind == "decimal"]
    if not decimals:
        return rows
    read: list[tuple[Any, ...]] = []
    for row in rows:
        cells = list(row)
        for position in decimals:
            if cells[position] is not None:
                cells[position] = Decimal(cells[position])
        read.append(tuple(cells))
    return read
