"""The periods that rows of an answer are of, and those that they are compared with."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from groundwire.metrics.models.spans import Grain, length, moved, ranges_of, step
from groundwire.metrics.table.query import Key, TableQuery
from groundwire.quantities import FiscalCalendar, Period, interval_period


class RowPeriods:
    """Tells the period of a row by its keys."""

    def __init__(self, query: TableQuery, grain: Grain | None, fiscal: tuple[int, int]) -> None:
        """Take the query, the grain of "period" among its keys, and the fiscal year's start."""
        self._query = query
        self._grain = grain
        self._fiscal = FiscalCalendar(*fiscal)
        self._is_fiscal = grain is not None and (grain.month, grain.day) == fiscal
        self._place = query.by.index("period") if "period" in query.by else None
        self._only = self._of_all()

    def __call__(self, keys: tuple[Key, ...]) -> tuple[Period | None, Period | None]:
        """Return the period of a row, and with `compare` the one before; None: not known."""
        if self._place is None or self._grain is None:
            return self._only
        first = keys[self._place]
        if not isinstance(first, date):
            return None, None
        now = self._named(first, self._grain.last(first))
        back = self._back()
        if back is None:
            return now, None
        earlier = self._grain.first(step(first, -back[0], back[1]))
        return now, self._named(earlier, self._grain.last(earlier))

    def _of_all(self) -> tuple[Period | None, Period | None]:
        if len(self._query.periods) != 1:
            return None, None
        only = self._query.periods[0]
        if not self._query.compare:
            return only, None
        (low, high), *_ = ranges_of((only,), (self._fiscal.month, self._fiscal.day))
        year = self._query.compare == "previous_year"
        ((start, end),) = moved(((low, high),), ((1, "year") if year else length(low, high),))
        return only, self._named(start, end)

    def _back(self) -> tuple[int, str] | None:
        if not self._query.compare or self._grain is None:
            return None
        if self._query.compare == "previous_period":
            return 1, self._grain.unit
        return (52, "week") if self._grain.unit == "week" else (1, "year")

    def _named(self, start: date, end: date) -> Period:
        return _called(start, end, self._fiscal if self._is_fiscal else FiscalCalendar())


@lru_cache(maxsize=20_000)
def _called(start: date, end: date, calendar: FiscalCalendar) -> Period:
    return interval_period(start, end, calendar)
