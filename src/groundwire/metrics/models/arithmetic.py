"""Exact values of metrics: what is computed from sums and counts is computed in decimals."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, DecimalException, localcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

DIGITS = 40
"""Significant digits of a quotient that does not come out even."""


class NotExactError(Exception):
    """A tree holds what is not computed here: the engine's own value is to be taken."""


def evaluate(tree: exp.Expr, values: Mapping[str, Decimal | None]) -> Decimal | None:
    """Return what a tree of arithmetic gives; empty values and divisions by 0 give None.

    Args:
        tree: sums, differences, products, quotients, NULLIF, COALESCE and ABS of columns.
        values: of the columns.

    Raises:
        NotExactError: it holds something else.
    """
    with localcontext() as context:
        context.prec = DIGITS
        try:
            return _value(tree, values)
        except DecimalException:
            raise NotExactError("the numbers are too large") from None


def _value(tree: exp.Expr, values: Mapping[str, Decimal | None]) -> Decimal | None:
    from sqlglot import exp

    match tree:
        case exp.Column():
            return values[tree.name]
        case exp.Literal():
            if tree.is_string:
                raise NotExactError("a text")
            return Decimal(tree.this)
        case exp.Null():
            return None
        case exp.Paren():
            return _value(tree.this, values)
        case exp.Neg():
            inner = _value(tree.this, values)
            return None if inner is None else -inner
        case exp.Abs():
            inner = _value(tree.this, values)
            return None if inner is None else abs(inner)
        case exp.Coalesce():
            for part in (tree.this, *tree.expressions):
                found = _value(part, values)
                if found is not None:
                    return found
            return None
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Div() | exp.Nullif():
            return _binary(tree, _value(tree.this, values), _value(tree.expression, values))
        case _:
            raise NotExactError(type(tree).__name__)


def _binary(tree: exp.Expr, left: Decimal | None, right: Decimal | None) -> Decimal | None:
    from sqlglot import exp

    if isinstance(tree, exp.Nullif):
        return None if left is None or left == right else left
    if left is None or right is None:
        return None
    match tree:
        case exp.Add():
            return left + right
        case exp.Sub():
            return left - right
        case exp.Mul():
            return left * right
        case _:
            return None if right == 0 else left / right
