"""Formulas of metrics: `GDP / POPULATION`, `growth(REVENUE)`, checked when a profile is loaded.

A formula has codes of metrics, numbers, the four operations, parentheses and `growth(CODE)`, the
percent change from the same period a year before. Nothing else is read, and nothing is executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, DivisionByZero, InvalidOperation
from functools import lru_cache

_LONGEST = 300
_MOST_NODES = 60
_CODE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLURALS = {"people": "person"}
_QUOTIENT = Context(prec=28)
PERCENT = "%"

# The value of a metric: of the period that is asked for, or with True of the year before.
Lookup = Callable[[str, bool], Decimal]


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that was read.

    Attributes:
        text: as it is declared.
        body: its tree, of allowed nodes alone.
    """

    text: str
    body: ast.expr

    @property
    def codes(self) -> tuple[str, ...]:
        """Codes of its metrics, each once, in their order."""
        return tuple(dict.fromkeys(code for code, _ in self.operands))

    @property
    def operands(self) -> tuple[tuple[str, bool], ...]:
        """Codes of its metrics in their order, each with whether it is of the year before."""
        return tuple(dict.fromkeys(_operands(self.body)))


@lru_cache(maxsize=1024)
def read_formula(text: str) -> Formula:
    """Read a formula.

    Raises:
        ValueError: it is none; the message says what is wrong with it.
    """
    if len(text) > _LONGEST:
        raise ValueError(f"a formula has at most {_LONGEST} characters")
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text[:80]!r} is no formula: write it as GDP / POPULATION") from None
    if sum(1 for _ in ast.walk(body)) > _MOST_NODES:
        raise ValueError("a formula has at most some twenty terms")
    _check(body)
    formula = Formula(text.strip(), body)
    if not formula.codes:
        raise ValueError(f"{text[:80]!r} names no metric")
    return formula


def _check(node: ast.expr) -> None:
    """Refuse everything outside the grammar."""
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right):
            _check(left)
            _check(right)
        case ast.Name():
            pass
        case ast.Constant(value) if isinstance(value, int | float) and not isinstance(value, bool):
            pass
        case ast.Call(ast.Name("growth"), [ast.Name()], []):
            pass
        case _:
            raise ValueError(
                "a formula has codes of metrics, numbers, + - * / and growth(CODE), no "
                f"{ast.unparse(node)[:40]!r}"
            )


def _operands(node: ast.expr) -> Iterator[tuple[str, bool]]:
    match node:
        case ast.BinOp(left, _, right):
            yield from _operands(left)
            yield from _operands(right)
        case ast.Name(code):
            yield code, False
        case ast.Call(_, [ast.Name(code)], _):
            yield code, False
            yield code, True
        case _:
            return


def value_of(formula: Formula, lookup: Lookup) -> Decimal | None:
    """The value with up to 28 digits; None where it would divide by nothing or less than nothing.

    Args:
        formula: the formula.
        lookup: the value of each operand.
    """
    try:
        return _value(formula.body, lookup)
    except (DivisionByZero, InvalidOperation, _NoGrowth):
        return None


class _NoGrowth(Exception):
    """A growth is told from a value that is not above zero."""


def _value(node: ast.expr, lookup: Lookup) -> Decimal:
    match node:
        case ast.BinOp(left, operation, right):
            one, other = _value(left, lookup), _value(right, lookup)
            match operation:
                case ast.Add():
                    return _QUOTIENT.add(one, other)
                case ast.Sub():
                    return _QUOTIENT.subtract(one, other)
                case ast.Mult():
                    return _QUOTIENT.multiply(one, other)
                case _:
                    return _QUOTIENT.divide(one, other)
        case ast.Name(code):
            return lookup(code, False)
        case ast.Call(_, [ast.Name(code)], _):
            before, after = lookup(code, True), lookup(code, False)
            if before <= 0:
                raise _NoGrowth
            change = _QUOTIENT.divide(_QUOTIENT.subtract(after, before), before)
            return _QUOTIENT.multiply(change, Decimal(100))
        case ast.Constant(value):
            return Decimal(str(value))
        case _:
            raise TypeError(ast.dump(node))


def written(formula: Formula, lookup: Lookup) -> str:
    """The formula with the values of its operands in it."""

    def shown(code: str, earlier: bool = False) -> str:
        text = format(lookup(code, earlier), "f")
        return f"({text})" if text.startswith("-") else text

    text = formula.text
    for code in formula.codes:
        if (code, True) in formula.operands:
            now, before = shown(code), shown(code, True)
            grown = f"({now} - {before}) / {before} * 100"
            text = re.sub(rf"growth\(\s*{code}\s*\)", grown, text)
    return _CODE.sub(lambda one: shown(one[0]) if one[0] in formula.codes else one[0], text)


def unit_of(formula: Formula, units: Mapping[str, str]) -> str:
    """The unit of its values: USD and people make USD/person; "" is a bare number.

    Raises:
        ValueError: values of different units are added.
    """
    over, under = _unit(formula.body, units)
    if not over and not under:
        return ""
    top = "*".join(over) or "1"
    return "/".join((top, *(_PLURALS.get(one, one) for one in under)))


def _unit(node: ast.expr, units: Mapping[str, str]) -> tuple[list[str], list[str]]:
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() as operation, right):
            one, other = _unit(left, units), _unit(right, units)
            if one != other:
                sign = "added to" if isinstance(operation, ast.Add) else "taken from"
                raise ValueError(f"values of different units cannot be {sign} one another")
            return one
        case ast.BinOp(left, operation, right):
            one, other = _unit(left, units), _unit(right, units)
            if isinstance(operation, ast.Div):
                other = (other[1], other[0])
            over, under = [*one[0], *other[0]], [*one[1], *other[1]]
            for unit in list(over):
                if unit in under:
                    over.remove(unit)
                    under.remove(unit)
            return over, under
        case ast.Name(code):
            return ([units[code]] if units[code] else []), []
        case ast.Call():
            return [PERCENT], []
        case _:
            return [], []
