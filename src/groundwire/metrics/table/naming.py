"""Names of the things of a table in sentences: its metrics, its keys, its dimensions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from groundwire.evidence.records import Condition, Names
from groundwire.evidence.statement_names import RecordNames
from groundwire.metrics.table.query import (
    CHANNEL,
    ENTITY,
    GROUP,
    OF_ENTITIES,
    Dimension,
    Key,
    TableMetric,
)
from groundwire.metrics.table.spans import called
from groundwire.metrics.table.stores import StoreName
from groundwire.quantities import CALENDAR_YEAR, FiscalCalendar, Period

if TYPE_CHECKING:
    from groundwire.metrics.factbase import State

PACKAGE = "groundwire.metrics"
_FISCAL_GRAINS = ("year", "half", "quarter", "nine_months")


class TableNames:
    """The names of one record; each thing has all of its names where it is first named."""

    def __init__(self, state: State, store: StoreName) -> None:
        """Begin a record of a store."""
        self._state = state
        self._profile = state.profile
        self._store: StoreName = store
        self._names = RecordNames(PACKAGE)
        self._dimensions = {one.code: one for one in state.tables.store(store).dimensions()}
        self._keys: dict[tuple[str, Key], Names] = {}
        self._periods: dict[int, tuple[Period, FiscalCalendar, Names]] = {}
        self.said = self._names.predicate

    def metric(self, metric: TableMetric) -> Names:
        """Return the names of a metric."""
        names = (metric.label, metric.code, *metric.aliases)
        return self._names.thing("metric", tuple(dict.fromkeys(names)))

    def key(self, dimension: str, key: Key) -> Names:
        """Return the names of a value of a dimension, the one that is shown first."""
        return self._names.thing(dimension, self._every_name(dimension, key))

    def _every_name(self, dimension: str, key: Key) -> Names:
        if (dimension, key) not in self._keys:
            self._keys[dimension, key] = tuple(dict.fromkeys(self._names_of(dimension, key)))
        return self._keys[dimension, key]

    def _names_of(self, dimension: str, key: Key) -> Names:
        profile = self._profile
        if self._store == "facts" and dimension in OF_ENTITIES and key in profile.entity_by_code:
            entity = profile.entity_by_code[str(key)]
            return entity.name, entity.code, *entity.aliases
        if self._store == "facts" and dimension == CHANNEL and key in profile.channel_by_code:
            channel = profile.channel_by_code[str(key)]
            return channel.label, channel.code, *channel.aliases
        return (self._state.tables.called(self._store, dimension, key) or "none",)

    def all_names(self, dimension: str, key: Key) -> Names:
        """Return every name of a value, however often it was named before."""
        return self._every_name(dimension, key)

    def dimension(self, code: str, kind: str = "") -> Names:
        """Return the names of a dimension; of entities also what their kind is called."""
        if self._store == "facts" and code == GROUP:
            return self.said("group")
        if self._store == "facts" and code == ENTITY:
            return (*self.said("entity")[:1], *((kind,) if kind else ()))
        if code in ("period", "channel"):
            return self.said(code)
        one = self._dimensions.get(code) or Dimension(code, code)
        names = (one.label, code, code.rpartition(".")[2], *one.aliases)
        return self._names.thing("dimension", tuple(dict.fromkeys(names)))

    def kind_of(self, metric: TableMetric) -> str:
        """Return the kind of the entities of a metric of facts; "" of a warehouse."""
        if self._store != "facts":
            return ""
        return self._profile.metric_by_code[metric.base or metric.code].kind

    def period(self, period: Period, entity: Key = None) -> Names:
        """Return every name of a period: FY2024 is 2024, or 2024-04-01 to 2025-03-31."""
        own = CALENDAR_YEAR
        if self._store == "facts" and entity in self._profile.entity_by_code:
            own = self._profile.calendar(str(entity))
        # Rows of one period follow one another, as do those that it is compared with.
        known = self._periods.get(id(period))
        if known is None or known[0] is not period or known[1] is not own:
            known = self._periods[id(period)] = period, own, _names_of_period(period, own)
        return known[2]

    def grain(self, *grains: str) -> Condition:
        """Return that a value is of one of some grains."""
        named = tuple(self.said(f"grain_{one}") for one in dict.fromkeys(grains))
        return Condition(self.said("grain"), "any_of" if len(named) > 1 else "is", named)


@lru_cache(maxsize=16_384)
def _names_of_period(period: Period, own: FiscalCalendar) -> Names:
    named = [called(one, period.start, period.end) for one in (own, CALENDAR_YEAR)]
    labels = [period.label, *(one.label for one in named)]
    if own.is_calendar_year and named[0].grain in _FISCAL_GRAINS and not named[0].fiscal:
        labels.append(f"FY{named[0].label}")
    return tuple(dict.fromkeys(filter(None, labels)))
