"""Days and periods in the SQL of each engine, and days as a table within a query.

Sessions are expected to be in UTC: a timestamp without a zone is taken as UTC where its field names
a zone, and as the days that it shows where it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from groundwire.errors import InputError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.spans import MONTHS_OF, Grain

if TYPE_CHECKING:
    from sqlglot import exp


_UTC = ZoneInfo("UTC")
_CLICKHOUSE_STARTS = {
    "month": "toStartOfMonth",
    "quarter": "toStartOfQuarter",
    "year": "toStartOfYear",
}
_SPARK_UNITS = {"week": "WEEK", "month": "MM", "quarter": "QUARTER", "year": "YEAR"}


class DaySql:
    """Builds expressions over days for one dialect."""

    def __init__(self, dialect: str) -> None:
        """Take the dialect, in the names of sqlglot."""
        self.dialect = dialect

    def literal(self, day: date) -> exp.Expr:
        """Return a day as a literal."""
        from sqlglot import exp

        text = exp.Literal.string(day.isoformat())
        if self.dialect == "sqlite":
            return text
        if self.dialect == "clickhouse":
            return _call("toDate32", text)
        return nodes.cast(text, "DATE")

    def moment(self, value: datetime) -> exp.Expr:
        """Return a timestamp without a zone as a literal."""
        from sqlglot import exp

        text = exp.Literal.string(value.isoformat(" "))
        if self.dialect == "sqlite":
            return text
        if self.dialect == "clickhouse":
            return _call("toDateTime64", text, exp.Literal.number(6), exp.Literal.string("UTC"))
        return nodes.cast(text, "TIMESTAMP")

    def day(self, value: exp.Expr, datatype: str, zone: str) -> exp.Expr:
        """Return the day of a date or timestamp, in a zone if it names one.

        Raises:
            InputError: the engine cannot count days in that zone.
        """
        if zone and datatype != "date":
            value = self._in_zone(value, zone)
        elif datatype == "date" and self.dialect != "sqlite":
            return value
        if self.dialect == "sqlite":
            return _call("date", value)
        if self.dialect == "clickhouse":
            return _call("toDate32", value)
        return nodes.cast(value, "DATE")

    def _in_zone(self, value: exp.Expr, zone: str) -> exp.Expr:
        from sqlglot import exp

        zone_text = exp.Literal.string(_zone(zone).key)
        if self.dialect == "sqlite":
            if _zone(zone).key == "UTC":
                return value
            raise InputError(f"SQLite cannot count days in {zone}: store days, or use DuckDB")
        if self.dialect == "clickhouse":
            return _call("toTimeZone", value, zone_text)
        if self.dialect == "spark":
            return _call("from_utc_timestamp", value, zone_text)
        plain = nodes.cast(value, "TIMESTAMP")
        if self.dialect == "trino":
            return _call(
                "at_timezone",
                _call("with_timezone", plain, exp.Literal.string("UTC")),
                zone_text,
            )
        return _call("timezone", zone_text, _call("timezone", exp.Literal.string("UTC"), plain))

    def between(
        self, value: exp.Expr, datatype: str, zone: str, low: date | None, high: date | None
    ) -> exp.Expr:
        """Return the condition that a date or timestamp is of the days from `low` to `high`.

        The bounds are moved, not the value, so that engines can use what they know of a column.
        """
        from sqlglot import exp

        found: list[exp.Expr] = []
        if datatype != "timestamp" or self.dialect == "sqlite":
            day = self.day(value, datatype, zone)
            if low is not None:
                found.append(exp.GTE(this=day.copy(), expression=self.literal(low)))
            if high is not None:
                found.append(exp.LTE(this=day.copy(), expression=self.literal(high)))
        else:
            if low is not None:
                start = self.moment(_midnight(low, zone))
                found.append(exp.GTE(this=value.copy(), expression=start))
            if high is not None:
                end = self.moment(_midnight(high + timedelta(days=1), zone))
                found.append(exp.LT(this=value.copy(), expression=end))
        return exp.and_(*found, copy=False) if found else exp.true()

    def later(
        self, day: exp.Expr, count: int | exp.Expr, unit: Literal["day", "month"] = "day"
    ) -> exp.Expr:
        """Return a day so many days or months later; months are counted from their first day.

        Args:
            day: the day.
            count: how many; days may be an expression.
            unit: what is counted.
        """
        from sqlglot import exp

        if count == 0:
            return day
        text, number = exp.Literal.string, exp.Literal.number
        if isinstance(count, int):
            size, plus = number(abs(count)), exp.Add if count > 0 else exp.Sub
            signed = exp.Neg(this=size) if count < 0 else size
            modifier = text(f"{count:+d} {unit}s")
        else:
            size, plus, signed = exp.Paren(this=count), exp.Add, count
            modifier = exp.DPipe(this=size, expression=text(f" {unit}s"))
        match self.dialect:
            case "sqlite":
                return _call("date", day, modifier)
            case "clickhouse":
                return _call(f"add{unit.title()}s", day, signed)
            case "trino":
                return _call("date_add", text(unit), signed, day)
            case "spark":
                return _call("date_add" if unit == "day" else "add_months", day, signed)
            case _ if unit == "day":
                return exp.Paren(this=plus(this=day, expression=size))
            case _:
                interval = exp.Interval(this=text(size.name), unit=exp.Var(this="MONTH"))
                return nodes.cast(exp.Paren(this=plus(this=day, expression=interval)), "DATE")

    def move(self, first: exp.Expr, count: int, unit: str, grain: Grain) -> exp.Expr:
        """Return the first day of a period so many units later."""
        if unit in ("day", "week"):
            return self.later(first, count * (7 if unit == "week" else 1))
        plain = self.later(first, 1 - grain.day) if grain.day > 1 else first
        return self.later(self.later(plain, count * MONTHS_OF[unit], "month"), grain.day - 1)

    def first(self, day: exp.Expr, grain: Grain) -> exp.Expr:
        """Return the first day of the period that holds a day."""
        if grain.unit == "day":
            return day
        if grain.unit == "week":
            moved = self.later(day, -grain.week_start)
            return self.later(self._trunc(moved, "week"), grain.week_start)
        if grain.unit == "month":
            return self._trunc(day, "month")
        if (grain.month, grain.day) == (1, 1):
            return self._part(day, grain.unit)
        moved = self._trunc(self.later(day, 1 - grain.day), "month")
        moved = self._part(self.later(moved, 1 - grain.month, "month"), grain.unit)
        return self.later(self.later(moved, grain.month - 1, "month"), grain.day - 1)

    def _part(self, day: exp.Expr, unit: str) -> exp.Expr:
        from sqlglot import exp

        if unit != "half":
            return self._trunc(day, unit)
        year = self._trunc(day, "year")
        second = self.later(year.copy(), 6, "month")
        return exp.Case(
            ifs=[exp.If(this=exp.GTE(this=day.copy(), expression=second), true=second.copy())],
            default=year,
        )

    def _trunc(self, day: exp.Expr, unit: str) -> exp.Expr:
        from sqlglot import exp

        match self.dialect:
            case "sqlite":
                return _sqlite_trunc(day, unit)
            case "clickhouse":
                if unit == "week":
                    monday = exp.Literal.number(1)
                    return _call("toDate32", _call("toStartOfWeek", day, monday))
                return _call("toDate32", _call(_CLICKHOUSE_STARTS[unit], day))
            case "spark":
                return _call("trunc", day, exp.Literal.string(_SPARK_UNITS[unit]))
            case _:
                return nodes.cast(_call("date_trunc", exp.Literal.string(unit), day), "DATE")


def _sqlite_trunc(day: exp.Expr, unit: str) -> exp.Expr:
    from sqlglot import exp

    text = exp.Literal.string
    if unit == "week":
        return _call("date", day, text("weekday 0"), text("-6 days"))
    if unit in ("month", "year"):
        return _call("date", day, text(f"start of {unit}"))
    month = nodes.cast(_call("strftime", text("%m"), day.copy()), "INT")
    before = exp.Mod(
        this=exp.Paren(this=exp.Sub(this=month, expression=exp.Literal.number(1))),
        expression=exp.Literal.number(3),
    )
    return _call("date", day, text("start of month"), _call("printf", text("-%d months"), before))


def _call(name: str, *arguments: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Anonymous(this=name, expressions=list(arguments))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(
            f"{name[:60]!r} is no time zone: use a name such as Europe/Berlin"
        ) from None


def _midnight(day: date, zone: str) -> datetime:
    """The first moment of a day in a zone, in UTC."""
    at = datetime(day.year, day.month, day.day, tzinfo=_zone(zone) if zone else _UTC)
    return at.astimezone(_UTC).replace(tzinfo=None)


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
