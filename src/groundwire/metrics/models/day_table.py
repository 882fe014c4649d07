"""Days as a table within a query, written short: runs of days as their first day and length."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING

from groundwire.metrics.models import nodes
from groundwire.metrics.models.day_sql import DaySql

if TYPE_CHECKING:
    from sqlglot import exp

Days = tuple[date, ...]
Run = tuple[Days, tuple[int, ...], int]
"""A first row, whether each column goes on by a day (1) or stays (0), and how many rows."""

# Fewer rows than this are written one by one.
_FEW = 60
_DAY = timedelta(days=1)


def day_table(days: DaySql, columns: Sequence[str], rows: Sequence[Days]) -> exp.Expr:
    """Return days as a SELECT; of no rows one that holds nothing.

    Args:
        days: writes days in the engine's dialect.
        columns: names of the columns.
        rows: a day for each column.
    """
    from sqlglot import exp

    if not rows:
        nothing = [nodes.named(days.literal(date(1970, 1, 1)), name) for name in columns]
        return exp.select(*nothing, copy=False).where(exp.false(), copy=False)
    runs = _run_lengths(rows) if len(rows) >= _FEW else []
    if len(runs) > len(rows) // 4 or not runs:
        listed = _listed(days, columns, [[_text(days, day) for day in row] for row in rows])
        values = [nodes.named(_day(days, nodes.column(name, "gw_q")), name) for name in columns]
        return exp.select(*values, copy=False).from_(listed, copy=False)
    return _runs(days, columns, runs)


def _runs(days: DaySql, columns: Sequence[str], runs: Sequence[Run]) -> exp.Expr:
    """Runs of rows in which each column stays or goes on by a day, and numbers to count them by."""
    from sqlglot import exp

    names = ["n"]
    for at in range(len(columns)):
        names += [f"d{at}", f"s{at}"]
    cells: list[list[exp.Expr]] = []
    for first, steps, count in runs:
        row: list[exp.Expr] = [exp.Literal.number(count)]
        for day, step in zip(first, steps, strict=True):
            row += [_text(days, day), exp.Literal.number(step)]
        cells.append(row)
    listed = _listed(days, names, cells)
    values: list[exp.Expr] = []
    for at, name in enumerate(columns):
        passed = exp.Mul(this=nodes.column(f"s{at}", "gw_q"), expression=nodes.column("i", "gw_n"))
        first = _day(days, nodes.column(f"d{at}", "gw_q"))
        values.append(nodes.named(days.later(first, passed), name))
    select = exp.select(*values, copy=False).from_(listed, copy=False)
    on = exp.LT(this=nodes.column("i", "gw_n"), expression=nodes.column("n", "gw_q"))
    most = max(count for _, _, count in runs)
    nodes.join(select, _numbers(days, len(str(most - 1))), on, "")
    return select


def _run_lengths(rows: Sequence[Days]) -> list[Run]:
    found: list[Run] = []
    at = 0
    while at < len(rows):
        first = rows[at]
        steps = tuple(0 for _ in first)
        count = 1
        if at + 1 < len(rows):
            gaps = [(then - now).days for now, then in zip(first, rows[at + 1], strict=True)]
            if all(gap in (0, 1) for gap in gaps):
                steps = tuple(gaps)
                while at + count < len(rows) and rows[at + count] == tuple(
                    day + step * count * _DAY for day, step in zip(first, steps, strict=True)
                ):
                    count += 1
        found.append((first, steps, count))
        at += count
    return found


def _numbers(days: DaySql, places: int) -> exp.Subquery:
    """All numbers of so many digits."""
    from sqlglot import exp

    total: exp.Expr | None = None
    select = exp.select(copy=False)
    for place in range(places):
        alias = f"gw_{place}"
        digits = _listed(days, ["d"], [[exp.Literal.number(n)] for n in range(10)], alias)
        digit: exp.Expr = nodes.column("d", alias)
        if place:
            digit = exp.Mul(this=exp.Literal.number(10**place), expression=digit)
        total = digit if total is None else exp.Add(this=total, expression=digit)
        if place:
            select.append("joins", exp.Join(this=digits, kind="CROSS"))
        else:
            select = select.from_(digits, copy=False)
    assert total is not None
    select.set("expressions", [nodes.named(total, "i")])
    return exp.Subquery(this=select, alias=_alias("gw_n"))


def _listed(
    days: DaySql, names: Sequence[str], rows: Sequence[Sequence[exp.Expr]], alias: str = "gw_q"
) -> exp.Expr:
    """Rows of values as a table with named columns, as the dialect writes it."""
    from sqlglot import exp

    if days.dialect == "clickhouse":
        whole = [
            exp.Anonymous(this="tuple", expressions=list(row)) if len(row) > 1 else row[0]
            for row in rows
        ]
        each = exp.Anonymous(this="arrayJoin", expressions=[exp.Array(expressions=whole)])
        if len(names) == 1:
            only = exp.select(nodes.named(each, names[0]), copy=False)
            return exp.Subquery(this=only, alias=_alias(alias))
        inner = exp.select(nodes.named(each, "x"), copy=False)
        parts = [
            nodes.named(
                exp.Anonymous(
                    this="tupleElement",
                    expressions=[nodes.column("x"), exp.Literal.number(at + 1)],
                ),
                name,
            )
            for at, name in enumerate(names)
        ]
        select = exp.select(*parts, copy=False).from_(
            exp.Subquery(this=inner, alias=_alias("gw_x")), copy=False
        )
        return exp.Subquery(this=select, alias=_alias(alias))
    tuples = [exp.Tuple(expressions=list(row)) for row in rows]
    if days.dialect == "sqlite":
        columns = [
            nodes.named(nodes.column(f"column{at + 1}"), name) for at, name in enumerate(names)
        ]
        select = exp.select(*columns, copy=False).from_(
            exp.Subquery(this=exp.Values(expressions=tuples)), copy=False
        )
        return exp.Subquery(this=select, alias=_alias(alias))
    return exp.Values(expressions=tuples, alias=_alias(alias, names))


def _alias(name: str, columns: Sequence[str] = ()) -> exp.TableAlias:
    from sqlglot import exp

    return exp.TableAlias(
        this=exp.Identifier(this=name, quoted=False),
        columns=[exp.Identifier(this=one, quoted=False) for one in columns],
    )


def _text(days: DaySql, day: date) -> exp.Expr:
    """A day in a list: as text, which is made a day once for all rows."""
    from sqlglot import exp

    if days.dialect == "clickhouse":
        return days.literal(day)
    return exp.Literal.string(day.isoformat())


def _day(days: DaySql, value: exp.Expr) -> exp.Expr:
    return value if days.dialect in ("sqlite", "clickhouse") else nodes.cast(value, "DATE")
