"""Days and periods in the SQL of each engine.

Sessions are expected to be in UTC: a timestamp without a zone is taken as UTC where its field names
a zone, and as the days that it shows where it does not.
"""

from __future__ import annotations

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
