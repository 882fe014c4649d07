"""Rows that come with a query and stand beside the tables, and terms of RDF as their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from groundwire.errors import InputError
from groundwire.graph.terms import XSD, Term
from groundwire.sparql.outcome import Cell

_WIDEST_DECIMAL = 38
_HUGE, _BIG = 1 << 127, 1 << 63


class Relation(NamedTuple):
    """A table of values.

    Attributes:
        columns: names, in order, unlike each other whatever their case.
        rows: one tuple a row. A column holds texts, integers, decimals, doubles or booleans;
            integers and decimals may stand among each other, with doubles they become doubles,
            any other mixture becomes text.
    """

    columns: Sequence[str]
    rows: Sequence[tuple[Cell, ...]]


Encoded = tuple[str, list[str], list[str], list[Any]]
"""Name, column names, their DuckDB types, and of each column its values."""


def encode(relations: Mapping[str, Relation | tuple[Sequence[str], Any]]) -> list[Encoded]:
    """`relations` as a worker takes them.

    Raises:
        InputError: two columns or relations share a name, or a row has another width.
    """
    encoded: list[Encoded] = []
    _unlike(list(relations), "relations")
    for name, (columns, rows) in relations.items():
        if not columns:
            raise InputError(f"The relation {name} has no columns: select at least one.")
        _unlike(list(columns), f"columns of {name}")
        if any(len(row) != len(columns) for row in rows):
            raise InputError(f"A row of {name} is not {len(columns)} cells wide: give it all.")
        values = [[row[place] for row in rows] for place in range(len(columns))]
        typed = [_typed(column) for column in values]
        encoded.append(
            (name, list(columns), [type_ for type_, _ in typed], [cells for _, cells in typed])
        )
    return encoded


def _unlike(names: list[str], what: str) -> None:
    folded = [name.lower() for name in names]
    for place, name in enumerate(folded):
        if not name or name in folded[:place]:
            raise InputError(f"Two {what} are called {names[place]!r}: rename one.")


def _typed(column: list[Any]) -> tuple[str, list[Any]]:
    """The type that holds every cell of a column, and the cells as that type takes them."""
    kinds: set[type[Any]] = {type(cell) for cell in column if cell is not None}
    if kinds == {bool}:
        return "BOOLEAN", column
    if kinds == {int}:
        widest = max(abs(cell) for cell in column if cell is not None)
        if widest < _HUGE:
            return ("BIGINT" if widest < _BIG else "HUGEINT"), column
    if kinds <= {int, float, Decimal} and float in kinds:
        return "DOUBLE", [None if cell is None else float(cell) for cell in column]
    if kinds and kinds <= {int, Decimal} and Decimal in kinds:
        type_ = _decimal([Decimal(cell) for cell in column if cell is not None])
        if type_:
            return type_, [None if cell is None else format(cell, "f") for cell in column]
    return "VARCHAR", [_text(cell) for cell in column]


def _decimal(numbers: list[Decimal]) -> str | None:
    """The DECIMAL that holds all `numbers` exactly, if there is one."""
    if not all(number.is_finite() for number in numbers):
        return None
    scale = max(max(0, -int(number.as_tuple().exponent)) for number in numbers)
    whole = max(max(0, number.adjusted() + 1) for number in numbers)
    width = max(1, whole + scale)
    return f"DECIMAL({width}, {scale})" if width <= _WIDEST_DECIMAL else None


def _text(cell: Any) -> str | None:
    if cell is None:
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, Decimal):
        return format(cell, "f")
    # A term of RDF stands for its text.
    return str(getattr(cell, "value", cell))


# XML Schema 1.1, part 2: sections 3.4.13 and what is derived from integer, 3.3.3, 3.3.4 and 3.3.5.
_INTEGERS = frozenset(
    XSD + name
    for name in (
        *("integer", "nonPositiveInteger", "negativeInteger", "nonNegativeInteger"),
        *("positiveInteger", "long", "int", "short", "byte"),
        *("unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
    )
)
_DOUBLES = frozenset((XSD + "double", XSD + "float"))
_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,1000}(?:\.[0-9]{0,1000})?|\.[0-9]{1,1000})")
_DOUBLE = re.compile(r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|INF)|NaN")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def typed(term: Cell) -> Cell:
    """A number or boolean where the term is one that is well written, else its text."""
    if not isinstance(term, Term):
        return term
    text = term.value
    if term.kind == "bnode":
        return f"_:{text}"
    if term.datatype in _INTEGERS and _INTEGER.fullmatch(text):
        return int(text)
    if term.datatype == XSD + "decimal" and _DECIMAL.fullmatch(text):
        return Decimal(text)
    if term.datatype in _DOUBLES and _DOUBLE.fullmatch(text):
        return float(text)
    if term.datatype == XSD + "boolean":
        return _BOOLEANS.get(text, text)
    return text


def relation(columns: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> Relation:
    """The rows of a query as a table of typed columns.

    A column is of numbers or of booleans where all its cells are; any other holds the texts as
    they are written in the graph.
    """
    read = [_column([row[place] for row in rows]) for place in range(len(columns))]
    return Relation(columns, [tuple(column[at] for column in read) for at in range(len(rows))])


def _column(cells: Sequence[Cell]) -> list[Cell]:
    values = [typed(cell) for cell in cells]
    booleans = {isinstance(value, bool) for value in values if value is not None}
    texts = any(isinstance(value, str) for value in values)
    if len(booleans) == 2 or texts:
        return [_written(cell) for cell in cells]
    return values


def _written(cell: Cell) -> Cell:
    if isinstance(cell, Term):
        return f"_:{cell.value}" if cell.kind == "bnode" else cell.value
    return cell
