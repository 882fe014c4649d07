"""Nodes of SQL, made directly: the builders of sqlglot parse names and copy what they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp


def column(name: str, table: str = "") -> exp.Column:
    """Return a column of a subquery."""
    from sqlglot import exp

    found = exp.Column(this=exp.Identifier(this=name, quoted=False))
    if table:
        found.set("table", exp.Identifier(this=table, quoted=False))
    return found


def table(name: str) -> exp.Table:
    """Return a subquery by its name."""
    from sqlglot import exp

    return exp.Table(this=exp.Identifier(this=name, quoted=False))


def cast(value: exp.Expr, kind: str) -> exp.Cast:
    """Return a cast to a type of sqlglot: DATE, DOUBLE, TIMESTAMP, INT."""
    from sqlglot import exp

    return exp.Cast(this=value, to=exp.DataType(this=exp.DType[kind], nested=False))


def named(value: exp.Expr, name: str) -> exp.Alias:
    """Return a value under a name."""
    from sqlglot import exp

    return exp.Alias(this=value, alias=exp.Identifier(this=name, quoted=False))


def with_tables(
    select: exp.Select, tables: Iterable[tuple[str, exp.Expr]], *, kept: bool
) -> exp.Select:
    """Return a SELECT with named subqueries before it.

    Args:
        select: the SELECT.
        tables: names and subqueries.
        kept: whether the engine is told to run each once and keep its rows.
    """
    from sqlglot import exp

    parts = [
        exp.CTE(
            this=one,
            alias=exp.TableAlias(this=exp.Identifier(this=name, quoted=False)),
            materialized=True if kept else None,
        )
        for name, one in tables
    ]
    select.set("with_", exp.With(expressions=parts))
    return select


def join(select: exp.Select, what: exp.Expr, on: exp.Expr, side: str) -> None:
    """Join a table: side is LEFT, or "" for rows that match only."""
    from sqlglot import exp

    kind = {"side": side} if side else {"kind": "INNER"}
    select.append("joins", exp.Join(this=what, on=on, **kind))


def all_of(conditions: Sequence[exp.Expr]) -> exp.Expr:
    """Return the condition that all of some conditions hold; each is in brackets if it needs it."""
    from sqlglot import exp

    first, *others = conditions
    for one in others:
        first = exp.And(this=first, expression=one)
    return first
