"""A warehouse that is opened by the first question to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from typing import TYPE_CHECKING

from groundwire.errors import UnavailableError
from groundwire.metrics.models.arithmetic import DIGITS
from groundwire.metrics.table.query import (
    Dimension,
    Key,
    ResolvedValue,
    TableMetric,
    TableQuery,
    TableRows,
)

# A server names its warehouse when it starts, and needs no engine before the first question.
if TYPE_CHECKING:
    from groundwire.metrics.models.warehouse import WarehouseStore
    from groundwire.tables.engine import Engine

_SHORT = Context(prec=12)
_ROUNDED = "Quotients that do not come out even are rounded to 12 digits."


class Warehouse:
    """Answers table queries from an engine, by the models of its tables. Threads may share it.

    Args:
        url: of the engine, see `groundwire.tables.opening`.
        make: makes the store above the engine when it is first asked.
    """

    def __init__(self, url: str, make: Callable[[Engine], WarehouseStore]) -> None:
        self._url = url
        self._make = make
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._store: WarehouseStore | None = None
        self._is_closed = False

    def metrics(self) -> Sequence[TableMetric]:
        """All metrics.

        Raises:
            ConfigurationError: a model cannot be read; so for every question.
        """
        return self.store().metrics()

    def dimensions(self) -> Sequence[Dimension]:
        """All dimensions."""
        return self.store().dimensions()

    def resolve_value(self, dimension: str, raw: str) -> ResolvedValue:
        """The stored value that a text names.

        Raises:
            UnavailableError: the engine does not answer.
        """
        return self.store().resolve_value(dimension, raw)

    def values(self, dimension: str, metric: str, most: int) -> tuple[tuple[Key, ...], bool]:
        """Stored values of a dimension, sorted, and whether they are all.

        Raises:
            UnavailableError: the engine does not answer.
        """
        return self.store().values(dimension, metric, most)

    def run(self, query: TableQuery, *, dry_run: bool = False) -> TableRows:
        """Answer a query; a dry run only says what it would run.

        Raises:
            AmbiguousQueryError: it can be read in several ways.
            UnavailableError: the engine does not answer, or not in time.
        """
        found = self.store().run(query, dry_run=dry_run)
        rows = tuple(
            row._replace(values=_told(row.values), before=_told(row.before)) for row in found.rows
        )
        if rows == found.rows:
            return found
        return replace(found, rows=rows, notes=(*found.notes, _ROUNDED))

    def store(self) -> WarehouseStore:
        """The store, opened by the first who asks.

        Raises:
            ConfigurationError: a model cannot be read, or the engine cannot be opened.
            UnavailableError: it was closed. A call that was cut may ask on in its thread.
        """
        with self._lock:
            if self._is_closed:
                raise UnavailableError("The warehouse was closed: open it again.")
            if self._store is None:
                from groundwire.tables.opening import open_engine

                self._engine = self._engine or open_engine(self._url)
                self._store = self._make(self._engine)
            return self._store

    def close(self) -> None:
        """Close the engine. Closing twice does nothing."""
        with self._lock:
            self._is_closed = True
            engine, self._engine, self._store = self._engine, None, None
        if engine is not None:
            engine.close()


def _told(values: Sequence[Decimal | None]) -> tuple[Decimal | None, ...]:
    """Values as people are told them: quotients that do not come out even are rounded."""
    return tuple(
        _SHORT.plus(one) if one is not None and len(one.as_tuple().digits) >= DIGITS else one
        for one in values
    )
