"""SQL expressions of models: parsed in their dialect and checked against a list of what is allowed.

What an expression may hold stands in `allowed_sql.toml`. The functions are those that the
expression language of Apache Ossie requires, less windows, and less what changes from call to
call.
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from groundwire.errors import InputError
from groundwire.metrics.models.semantic import Expressions

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
