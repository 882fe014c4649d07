"""A warehouse that is opened when it is first asked: its models are read, and its engine is named.

Servers start without reading a model; hosts run for days, so a model whose file changes is read
anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import ConfigurationError
from groundwire.metrics.models.reading import read_model
from groundwire.metrics.models.semantic import SemanticModel
from groundwire.metrics.table.query import (
    Dimension,
    Key,
    ResolvedValue,
    TableMetric,
    TableQuery,
    TableRows,
)

if TYPE_CHECKING:
    from groundwire.metrics.models.warehouse import WarehouseStore
    from groundwire.tables.engine import Engine


class Warehouse:
    """The store of tables that models and a URL name; threads may share it."""

    def __init__(
        self,
        models: Sequence[Path],
        url: str,
        withheld: Callable[[], Collection[str]],
        kept: Path | None = None,
    ) -> None:
        """Name a warehouse; nothing is read or opened yet.

        Args:
            models: files of semantic models over the same engine.
            url: of the engine.
            withheld: gives the levels of which nothing is offered.
            kept: folder in which checked models are kept, or None.
        """
        self._models = tuple(models)
        self._url = url
        self._withheld = withheld
        self._kept = kept
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._read: tuple[SemanticModel, ...] = ()
        self._store: WarehouseStore | None = None

    def store(self) -> WarehouseStore:
        """Return the store over the models as their files are now.

        Raises:
            ConfigurationError: a model or the URL cannot be used.
            LimitError: a model is too large.
        """
        from groundwire.metrics.models.warehouse import WarehouseStore
        from groundwire.tables.opening import open_engine

        with self._lock:
            if self._engine is None:
                self._engine = open_engine(self._url)
            dialect = self._engine.dialect
            read = tuple(read_model(one, dialect, self._kept) for one in self._models)
            known = self._store
            if known is None or any(
                one is not other for one, other in zip(read, self._read, strict=True)
            ):
                known = WarehouseStore(joined(read), self._engine, self._withheld())
                self._store, self._read = known, read
            return known

    def close(self) -> None:
        """Close the engine, if it was opened."""
        with self._lock:
            if self._engine is not None:
                self._engine.close()
            self._engine = self._store = None

    def metrics(self) -> Sequence[TableMetric]:
        """Return all metrics."""
        return self.store().metrics()

    def dimensions(self) -> Sequence[Dimension]:
        """Return all dimensions."""
        return self.store().dimensions()

    def resolve_value(self, dimension: str, raw: str) -> ResolvedValue:
        """Return the stored value that a text names.

        Raises:
            UnavailableError: the engine cannot be asked.
        """
        return self.store().resolve_value(dimension, raw)

    def values(self, dimension: str, metric: str, most: int) -> tuple[tuple[Key, ...], bool]:
        """Return stored values of a dimension, sorted, and whether they are all.

        Raises:
            UnavailableError: the engine cannot be asked.
        """
        return self.store().values(dimension, metric, most)

    def run(self, query: TableQuery, *, dry_run: bool = False) -> TableRows:
        """Answer a query; a dry run only says what it would run.

        Raises:
            AmbiguousQueryError: the query can be read in several ways.
            UnavailableError: the engine cannot be asked, or not in time.
        """
        return self.store().run(query, dry_run=dry_run)


def joined(models: Sequence[SemanticModel]) -> SemanticModel:
    """Return several models as one.

    Raises:
        ConfigurationError: two of them use a name for different things, or count years apart.
    """
    first = models[0]
    if len(models) == 1:
        return first
    datasets: dict[str, Any] = {}
    metrics: dict[str, Any] = {}
    for one in models:
        _add(datasets, one.datasets, "dataset", one.source)
        _add(metrics, one.metrics, "metric", one.source)
        if (one.week_start, one.fiscal_year_start) != (first.week_start, first.fiscal_year_start):
            raise ConfigurationError(
                f"The models {first.source} and {one.source} begin weeks or fiscal years on other "
                "days: GROUNDWIRE_MODELS takes models of one calendar."
            )
    return replace(
        first,
        datasets=datasets,
        metrics=metrics,
        relationships=tuple(link for one in models for link in one.relationships),
        problems=tuple(problem for one in models for problem in one.problems),
    )


def _add(found: dict[str, Any], more: Mapping[str, Any], what: str, source: str) -> None:
    for name, one in more.items():
        if name in found and found[name] != one:
            raise ConfigurationError(
                f"Two models have a {what} {name!r}; the second is {source}: rename one of them."
            )
        found[name] = one
