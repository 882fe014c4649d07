"""The values of PostgreSQL, exact: how each type is selected, and read from its text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from groundwire.tables.bounds import MAX_BLOB, MAX_CELL, Budget, blob, instant

Cell = str | int | float | Decimal | bool | None

# Object ids of built-in types (src/include/catalog/pg_type.dat); they never change.
BOOL, BYTEA, NUMERIC = 16, 17, 1700
_WHOLE = frozenset((20, 21, 23, 26))
_FLOATS = frozenset((700, 701))
_TIMESTAMPS = frozenset((1114, 1184))


def projection(column: str, type_: int, *, nested: bool) -> str:
    """Return what to select in place of a column, as text of bounded length.

    Args:
        column: its name, quoted and qualified.
        type_: object id of its type.
        nested: whether it is an array or a row.
    """
    if type_ == BYTEA:
        return (
            f"pg_catalog.octet_length({column})::pg_catalog.text || ' ' || pg_catalog.encode("
            f"pg_catalog.substring({column}, 1, {MAX_BLOB}), 'hex')"
        )
    text = (
        f"pg_catalog.to_json({column})::pg_catalog.text" if nested else f"{column}::pg_catalog.text"
    )
    return f'pg_catalog."left"({text}, {MAX_CELL + 1})'


def shown(row: Sequence[str | None], types: Sequence[int], budget: Budget) -> tuple[Cell, ...]:
    """A row of texts as an answer shows it."""
    return tuple(
        None if text is None else _shown(text, type_, budget)
        for text, type_ in zip(row, types, strict=True)
    )


def _shown(text: str, type_: int, budget: Budget) -> Cell:
    if type_ in _WHOLE:
        return int(text)
    if type_ == BOOL:
        return text == "true"
    if type_ == NUMERIC:
        number = Decimal(text)
        return number if number.is_finite() else text
    if type_ in _FLOATS:
        value = float(text)
        return value if math.isfinite(value) else text
    if type_ == BYTEA:
        size, _, head = text.partition(" ")
        return blob(bytes.fromhex(head), int(size))
    if type_ in _TIMESTAMPS:
        return instant(text)
    return budget.clipped(text)
