"""Values of a query as literals of SQL, which no text can leave."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from groundwire.errors import InputError
from groundwire.metrics.models.day_sql import DaySql
from groundwire.metrics.models.semantic import ModelField
from groundwire.metrics.table.query import Condition

if TYPE_CHECKING:
    from sqlglot import exp

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
