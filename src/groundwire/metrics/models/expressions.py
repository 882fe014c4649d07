"""SQL expressions of models: parsed in their dialect and checked against a list of what is allowed.

What an expression may hold stands in `allowed_sql.toml`. The functions are those that the
expression language of Apache Ossie requires, less windows, and less what changes from call to
call. Values of a query become literals, which no text can leave.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from groundwire.errors import InputError
from groundwire.metrics.models.day_sql import DaySql
from groundwire.metrics.models.semantic import Expressions, ModelField
from groundwire.metrics.table.query import Condition

if TYPE_CHECKING:
    from sqlglot import exp

LONGEST_EXPRESSION = 10_000
MOST_NODES = 2_000
# sqlglot reads nested brackets by recursion, and slowly where they are deep.
DEEPEST_BRACKETS = 50

DIALECTS = ("duckdb", "sqlite", "postgres", "clickhouse", "trino", "spark")
"""Dialects that queries are written in, in the names of sqlglot."""


class ExpressionError(InputError):
    """An expression cannot be used: the message says why, in one line."""


@cache
def _allowed() -> dict[str, frozenset[str]]:
    text = (files("groundwire.metrics.models") / "allowed_sql.toml").read_text("utf-8")
    return {name: frozenset(values) for name, values in tomllib.loads(text).items()}


def written_for(expressions: Expressions, dialect: str) -> tuple[str, str]:
    """Return the expression to use for a dialect, and the dialect that it is written in.

    The engine's own comes first, then ANSI, then the first by name of the others.

    Raises:
        ExpressionError: there is none.
    """
    for name in (dialect, ""):
        if expressions.get(name):
            return expressions[name], name
    for name in sorted(expressions):
        if expressions[name]:
            return expressions[name], name
    raise ExpressionError("there is no expression: write one of dialect ANSI_SQL")


@lru_cache(maxsize=20_000)
def parse(text: str, dialect: str) -> exp.Expr:
    """Parse an expression and check it. The tree is shared: copy it before changing it.

    Args:
        text: SQL.
        dialect: the dialect it is written in, in the names of sqlglot; "" for ANSI.

    Raises:
        ExpressionError: it is not an expression, or holds what is not on the list.
    """
    if len(text) > LONGEST_EXPRESSION:
        raise ExpressionError(f"the expression is longer than {LONGEST_EXPRESSION:,} characters")
    if _deepest(text) > DEEPEST_BRACKETS:
        raise ExpressionError(f"the expression has more than {DEEPEST_BRACKETS} nested brackets")
    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    try:
        found = sqlglot.parse(text, read=dialect)
    except SqlglotError as problem:
        line = str(problem).partition("\n")[0].partition(". Line")[0]
        raise ExpressionError(f"the expression is no SQL: {line[:160]}") from None
    except RecursionError:
        raise ExpressionError("the expression is nested too deeply") from None
    except ValueError as problem:
        raise ExpressionError(f"the expression cannot be read: {str(problem)[:160]}") from None
    if len(found) != 1 or found[0] is None:
        raise ExpressionError("the expression must be one expression, without a semicolon")
    tree: exp.Expr = found[0]
    _check(tree)
    return tree


def _deepest(text: str) -> int:
    depth = most = 0
    for letter in text:
        if letter in "([{":
            depth += 1
            most = max(most, depth)
        elif letter in ")]}":
            depth -= 1
    return most


def _check(tree: exp.Expr) -> None:
    from sqlglot import exp

    allowed = _allowed()
    known = allowed["aggregates"] | allowed["operators"] | allowed["functions"]
    for count, node in enumerate(tree.walk()):
        if count > MOST_NODES:
            raise ExpressionError(f"the expression has more than {MOST_NODES:,} parts")
        name = type(node).__name__
        if name not in known:
            raise ExpressionError(_refusal(node))
        if isinstance(node, exp.DataType) and node.this.name not in allowed["types"]:
            raise ExpressionError(f"casts to {node.this.name} are not allowed")
        if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
            raise ExpressionError("* stands only in COUNT(*)")
        if isinstance(node, exp.Distinct) and not (
            isinstance(node.parent, exp.Count | exp.Sum | exp.Avg) and len(node.expressions) == 1
        ):
            raise ExpressionError("DISTINCT stands only in COUNT, SUM or AVG, with one expression")
        if isinstance(node, exp.Where) and not isinstance(node.parent, exp.Filter):
            raise ExpressionError("WHERE stands only in FILTER (WHERE ...)")
        if node.args.get("joins") or node.args.get("laterals"):
            raise ExpressionError("an expression joins nothing")


def _refusal(node: exp.Expr) -> str:
    from sqlglot import exp

    if isinstance(node, exp.Query | exp.Subquery | exp.Exists):
        return "subqueries are not allowed in expressions: use a field of a dataset"
    if isinstance(node, exp.Window):
        return "windows are not allowed in expressions: use a cumulative metric"
    if isinstance(node, exp.Func):
        name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
        return f"the function {name[:60]} is not on the list of allowed functions"
    return f"{type(node).__name__} is not allowed in expressions"


def is_aggregate(node: exp.Expr) -> bool:
    """Return whether a node is an aggregate: COUNT, SUM and so on, with or without FILTER."""
    return type(node).__name__ in _allowed()["aggregates"]


def column_parts(column: exp.Column) -> tuple[str, ...]:
    """Return the names that a column is written by: ("store", "s_state")."""
    return tuple(part.name for part in column.parts)


def columns(tree: exp.Expr) -> Sequence[exp.Column]:
    """Return the columns of a tree, in no certain order."""
    from sqlglot import exp

    return list(tree.find_all(exp.Column))


_DAY = timedelta(days=1)


def literal(value: object, days: DaySql) -> exp.Expr:
    """Return a value as a literal.

    Raises:
        InputError: it is none that can be compared with.
    """
    from sqlglot import exp

    if isinstance(value, bool):
        return exp.true() if value else exp.false()
    if isinstance(value, Decimal | int | float):
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        if not number.is_finite() or abs(number.adjusted()) > 400:
            raise InputError(f"{str(value)[:40]} is no number that can be compared with")
        text = exp.Literal.number(format(abs(number), "f"))
        return exp.Neg(this=text) if number < 0 else text
    if isinstance(value, datetime):
        return days.moment(value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value)
    if isinstance(value, date):
        return days.literal(value)
    if isinstance(value, str):
        if "\x00" in value:
            raise InputError("A value with a zero byte is stored nowhere: send another")
        return exp.Literal.string(value)
    raise InputError(f"A {type(value).__name__} cannot be compared with: send a stored value")


def condition_sql(
    condition: Condition, value: exp.Expr, field: ModelField, days: DaySql
) -> exp.Expr:
    """Return a condition on a field; an empty value is in no range, and is none of any values.

    Raises:
        InputError: it compares with what cannot be compared with.
    """
    from sqlglot import exp

    if condition.op == "range":
        return _range(condition, value, field, days)
    stored = [one for one in condition.values if one is not None]
    parts: list[exp.Expr] = []
    plain = [one for one in stored if not _is_day_of_moment(one, field)]
    if plain:
        literals = [literal(one, days) for one in plain]
        parts.append(exp.In(this=value.copy(), expressions=literals))
    parts += [
        days.between(value, field.datatype, field.time_zone, one, one)
        for one in stored
        if _is_day_of_moment(one, field) and isinstance(one, date)
    ]
    empty = exp.Is(this=value.copy(), expression=exp.null())
    listed = exp.or_(*parts, copy=False) if parts else exp.false()
    if condition.op == "in":
        return exp.Paren(
            this=exp.or_(listed, empty, copy=False) if None in condition.values else listed
        )
    if None in condition.values:
        filled = exp.Not(this=empty)
        return exp.Paren(
            this=exp.and_(filled, exp.not_(exp.Paren(this=listed)), copy=False) if parts else filled
        )
    if not parts:
        return exp.true()
    return exp.Paren(this=exp.or_(empty, exp.not_(exp.Paren(this=listed)), copy=False))


def _is_day_of_moment(value: object, field: ModelField) -> bool:
    return field.datatype == "timestamp" and type(value) is date


def _range(condition: Condition, value: exp.Expr, field: ModelField, days: DaySql) -> exp.Expr:
    from sqlglot import exp

    low, high = condition.low, condition.high
    if type(low) is date or type(high) is date:
        first = low if condition.low_included or type(low) is not date else low + _DAY
        last = high if condition.high_included or type(high) is not date else high - _DAY
        if isinstance(first, date | None) and isinstance(last, date | None):
            return exp.Paren(this=days.between(value, field.datatype, field.time_zone, first, last))
    parts: list[exp.Expr] = []
    if low is not None:
        kind = exp.GTE if condition.low_included else exp.GT
        parts.append(kind(this=value.copy(), expression=literal(low, days)))
    if high is not None:
        kind = exp.LTE if condition.high_included else exp.LT
        parts.append(kind(this=value.copy(), expression=literal(high, days)))
    if not parts:
        return exp.Not(this=exp.Is(this=value.copy(), expression=exp.null()))
    return exp.Paren(this=exp.and_(*parts, copy=False))
