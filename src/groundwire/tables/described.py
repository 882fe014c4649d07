"""Tables as workers describe them over the pipe: plain tuples, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from groundwire.tables.engine import Column, ForeignKey, Table


def unpacked(packed: Iterable[tuple[Any, ...]]) -> tuple[Table, ...]:
    """The tables of a worker's reply, by name.

    Args:
        packed: of each table its name, its columns (name, type, whether it may be empty, comment),
            primary key, unique keys, foreign keys (columns, table, columns there), comment, and
            about how many rows it has.
    """
    tables = [
        Table(
            name,
            tuple(Column(*column) for column in columns),
            tuple(primary),
            tuple(tuple(key) for key in unique),
            tuple(ForeignKey(tuple(own), other, tuple(to)) for own, other, to in foreign),
            comment or "",
            rows,
        )
        for name, columns, primary, unique, foreign, comment, rows in packed
    ]
    return tuple(sorted(tables, key=lambda table: table.name))
