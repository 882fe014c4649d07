"""Which days of facts a table needs, so that no others are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from groundwire.metrics.facts.model import FactStore, Interval, Slice
from groundwire.metrics.profile import Metric
from groundwire.metrics.table.held_periods import HeldPeriods, InDoubtError, Whose
from groundwire.metrics.table.query import TableQuery
from groundwire.metrics.table.spans import on_calendar
from groundwire.quantities import FiscalCalendar, Period, PeriodGrain

_NEVER = Interval(date.min, date.min)


class Narrowing:
    """Narrows the slices of a table that has no rows by period."""

    def __init__(
        self,
        store: FactStore,
        query: TableQuery,
        metrics: Sequence[Metric],
        whose: Mapping[FiscalCalendar, tuple[str, ...]],
        channels: tuple[str, ...],
    ) -> None:
        """Begin.

        Args:
            store: where the facts are.
            query: what is asked.
            metrics: its metrics.
            whose: codes of the entities by their calendars.
            channels: codes of the channels.
        """
        self._store = store
        self._query = query
        self._metrics = metrics
        self._whose = whose
        self._channels = channels

    def narrowed(self, slices: Sequence[Slice], grains: Sequence[PeriodGrain]) -> Sequence[Slice]:
        """Return slices of the intervals that can be told; as they are where that is in doubt.

        Args:
            slices: the slice of each metric.
            grains: where no period is asked for, the newest of the first of these that is held is.
        """
        try:
            held = [self._held(*one) for one in zip(self._metrics, slices, strict=True)]
            asked = self._query.periods or self._newest(held, grains)
            return [
                replace(one, intervals=tuple(self._needed(some, asked)) or (_NEVER,))
                for one, some in zip(slices, held, strict=True)
            ]
        except InDoubtError:
            return slices

    def _held(self, metric: Metric, asked: Slice) -> list[HeldPeriods]:
        """The holdings of a metric, for the entities of each calendar.

        Raises:
            InDoubtError: its values are computed, or there are none.
        """
        holding = self._store.holding(metric.code)
        if holding is None:
            raise InDoubtError
        return [
            HeldPeriods(
                self._store,
                self._query,
                metric,
                Whose(entities, self._channels, calendar, asked),
                holding,
            )
            for calendar, entities in self._whose.items()
        ]

    def _newest(
        self, held: Sequence[Sequence[HeldPeriods]], grains: Sequence[PeriodGrain]
    ) -> tuple[Period, ...]:
        """The newest period that anything is held for.

        Raises:
            InDoubtError: facts must be read for it, or two calendars have a name for its end.
        """
        for grain in grains:
            every = [one.newest(grain) for some in held for one in some]
            found = {one for one in every if one is not None}
            if found:
                end = max(one.end for one in found)
                newest = [one for one in found if one.end == end]
                if len(newest) > 1:
                    raise InDoubtError
                return (newest[0],)
        return ()

    def _needed(self, held: Sequence[HeldPeriods], asked: Sequence[Period]) -> set[Interval]:
        """The intervals that can stand for some periods, or for those they are compared with."""
        found: set[Interval] = set()
        for some in held:
            for period in asked:
                found |= some.meant(period)
                own = on_calendar(period, some.calendar)
                if self._query.compare and own is not None:
                    found |= some.meant_before(own)[1]
        return found
