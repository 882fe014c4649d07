"""Days as a table within a query."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from groundwire.metrics.models import nodes
from groundwire.metrics.models.day_sql import DaySql

if TYPE_CHECKING:
    from sqlglot import exp


def day_table(days: DaySql, columns: Sequence[str], rows: Sequence[tuple[date, ...]]) -> exp.Expr:
    """Return days as a table; of no rows one that holds nothing."""
    from sqlglot import exp

    if not rows:
        nothing = [nodes.named(days.literal(date(1970, 1, 1)), name) for name in columns]
        return exp.select(*nothing, copy=False).where(exp.false(), copy=False)
    if days.dialect == "clickhouse":
        tuples = [exp.Tuple(expressions=[days.literal(day) for day in row]) for row in rows]
        each = exp.Anonymous(this="arrayJoin", expressions=[exp.Array(expressions=tuples)])
        inner = exp.select(nodes.named(each, "x"), copy=False)
        parts = [
            nodes.named(
                exp.Anonymous(
                    this="tupleElement",
                    expressions=[nodes.column("x"), exp.Literal.number(at + 1)],
                ),
                name,
            )
            for at, name in enumerate(columns)
        ]
        return exp.select(*parts, copy=False).from_(
            exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier("q"))),
            copy=False,
        )
    # Days are written as text and cast once for all rows.
    texts = [
        exp.Tuple(expressions=[exp.Literal.string(day.isoformat()) for day in row]) for row in rows
    ]
    if days.dialect == "sqlite":
        names = [f"column{at + 1}" for at in range(len(columns))]
        values: exp.Expr = exp.Subquery(this=exp.Values(expressions=texts))
    else:
        names = [f"v{at}" for at in range(len(columns))]
        values = exp.Values(
            expressions=texts,
            alias=exp.TableAlias(
                this=exp.to_identifier("q"),
                columns=[exp.to_identifier(name) for name in names],
            ),
        )
    casts = [
        nodes.named(
            nodes.column(name)
            if days.dialect == "sqlite"
            else nodes.cast(nodes.column(name), "DATE"),
            column,
        )
        for name, column in zip(names, columns, strict=True)
    ]
    return exp.select(*casts, copy=False).from_(values, copy=False)
