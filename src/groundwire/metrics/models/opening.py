"""A warehouse that is opened by the first question to it."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.metrics.models.arithmetic import DIGITS
from groundwire.metrics.models.semantic import SemanticModel
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
        models: files of the models, all of one engine.
        url: of the engine, see `groundwire.tables.opening`.
        withheld: levels of which nothing is offered.
        kept: folder in which models are kept as they were read; None: nowhere.
    """

    def __init__(
        self,
        models: Sequence[Path],
        url: str,
        withheld: Collection[str] = (),
        kept: Path | None = None,
    ) -> None:
        self._models = tuple(models)
        self._url = url
        self._withheld = tuple(withheld)
        self._kept = kept
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
                self._store = self._opened()
            return self._store

    def close(self) -> None:
        """Close the engine. Closing twice does nothing."""
        with self._lock:
            self._is_closed = True
            engine, self._engine, self._store = self._engine, None, None
        if engine is not None:
            engine.close()

    def _opened(self) -> WarehouseStore:
        from groundwire.metrics.models.loading import load_model
        from groundwire.metrics.models.warehouse import WarehouseStore
        from groundwire.tables.opening import open_engine

        self._engine = self._engine or open_engine(self._url)
        read = [load_model(one, self._engine.dialect, self._kept) for one in self._models]
        return WarehouseStore(_joined(read), self._engine, self._withheld)


def _told(values: Sequence[Decimal | None]) -> tuple[Decimal | None, ...]:
    """Values as people are told them: quotients that do not come out even are rounded."""
    return tuple(
        _SHORT.plus(one) if one is not None and len(one.as_tuple().digits) >= DIGITS else one
        for one in values
    )


def _joined(models: Sequence[SemanticModel]) -> SemanticModel:
    """Several models of one warehouse as one.

    Raises:
        ConfigurationError: two of them call different things by one name.
    """
    first, *others = models
    for other in others:
        for kind, mine, theirs in (
            ("dataset", first.datasets, other.datasets),
            ("metric", first.metrics, other.metrics),
        ):
            twice = sorted(
                name for name in mine.keys() & theirs.keys() if mine[name] != theirs[name]
            )
            if twice:
                raise ConfigurationError(
                    f"The models {first.source} and {other.source} both have a {kind} {twice[0]}: "
                    "rename one, or leave one file out of GROUNDWIRE_MODELS."
                )
        first = replace(
            first,
            datasets={**first.datasets, **other.datasets},
            relationships=tuple(dict.fromkeys((*first.relationships, *other.relationships))),
            metrics={**first.metrics, **other.metrics},
            problems=(*first.problems, *other.problems),
        )
    return first
