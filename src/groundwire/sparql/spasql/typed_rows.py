"""Terms of RDF as the values that SQL and JSON know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from groundwire.graph.terms import XSD, Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.sql.relations import Relation

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
        return [_text(cell) for cell in cells]
    return values


def _text(cell: Cell) -> Cell:
    if isinstance(cell, Term):
        return f"_:{cell.value}" if cell.kind == "bnode" else cell.value
    return cell
