"""What the periods of rows are called that a store answered by the first days of periods alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from groundwire.metrics.table.axes import PERIOD
from groundwire.metrics.table.query import Key, TableQuery, TableRow, TableRows
from groundwire.metrics.table.spans import before, called
from groundwire.quantities import CALENDAR_YEAR, Period, PeriodGrain
from groundwire.quantities.periods import MONTHS, later

_DAY = timedelta(days=1)


def with_period_names(found: TableRows, query: TableQuery, grain: PeriodGrain | None) -> TableRows:
    """Return rows with their periods, and with the names of these in place of first days.

    Args:
        found: rows whose period, where they have one, is a first day.
        query: what they answer.
        grain: the grain of their periods.
    """
    place = query.by.index(PERIOD) if PERIOD in query.by else None
    return replace(found, rows=tuple(_named(row, query, grain, place) for row in found.rows))


def _named(
    row: TableRow, query: TableQuery, grain: PeriodGrain | None, place: int | None
) -> TableRow:
    period: Period | None = None
    if place is not None:
        period = _starting(row.keys[place], grain)
    elif len(query.periods) == 1 and query.periods[0].end != date.max:
        period = query.periods[0]
    earlier = before(period, CALENDAR_YEAR, query.compare) if period and query.compare else None
    labels = row.labels
    if place is not None and period is not None:
        names = labels or tuple("none" if key is None else str(key) for key in row.keys)
        labels = tuple(period.label if at == place else one for at, one in enumerate(names))
    return replace(
        row,
        labels=labels,
        period=row.period or period,
        period_before=row.period_before or earlier,
    )


def _starting(first: Key, grain: PeriodGrain | None) -> Period | None:
    """The period of a grain that begins on a day."""
    if not isinstance(first, date) or grain is None:
        return None
    day = first.date() if isinstance(first, datetime) else first
    if grain == "day":
        return called(CALENDAR_YEAR, day, day)
    months = MONTHS.get(grain)
    return called(CALENDAR_YEAR, day, later(day, months) - _DAY) if months else None
