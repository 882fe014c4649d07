"""The stores that tables come from, and which of them has a metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from groundwire.metrics.table.facts import FactTables
from groundwire.metrics.table.query import Dimension, Key, ResolvedValue, TableMetric, TableStore
from groundwire.vocabulary import Policy, Resolution, Term, Vocabulary

StoreName = Literal["facts", "warehouse"]


class Tables:
    """The facts of a profile and the warehouse beside them, where there is one.

    Attributes:
        facts: the facts as tables.
        warehouse: the warehouse, or None.
    """

    def __init__(self, facts: FactTables, warehouse: TableStore | None) -> None:
        """Join two stores; neither is asked yet."""
        self.facts = facts
        self.warehouse = warehouse

    def store(self, name: StoreName) -> TableStore:
        """Return a store by its name."""
        if name == "warehouse":
            assert self.warehouse is not None
            return self.warehouse
        return self.facts

    @cached_property
    def metrics(self) -> Mapping[str, tuple[StoreName, TableMetric]]:
        """Each metric with its store, by what it is asked for by.

        That is its code; of a code that both stores have it is "facts:CODE" or "warehouse:CODE".
        """
        every: list[tuple[StoreName, TableMetric]] = []
        for one in self.facts.metrics():
            every.append(("facts", one))
        for one in self.warehouse.metrics() if self.warehouse is not None else ():
            every.append(("warehouse", one))
        codes = Counter(one.code.casefold() for _, one in every)
        return {
            one.code if codes[one.code.casefold()] == 1 else f"{name}:{one.code}": (name, one)
            for name, one in every
        }

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(
            Term(name, one.label, (*((one.code,) if name != one.code else ()), *one.aliases))
            for name, (_, one) in self.metrics.items()
        )

    def metric(self, raw: str) -> Resolution:
        """Return the metric that a text names; of one in both stores both are candidates."""
        return self._vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)

    def dimensions(self, name: StoreName, metrics: Sequence[TableMetric]) -> tuple[Dimension, ...]:
        """Return the dimensions that every one of some metrics has."""
        every = self.store(name).dimensions()
        return tuple(one for one in every if all(one.code in m.dimensions for m in metrics))

    def resolve(
        self, name: StoreName, metrics: Sequence[TableMetric], dimension: str, raw: str
    ) -> ResolvedValue:
        """Return the stored value that a text names, of those that a metric can have."""
        if name == "facts":
            return self.facts.resolve_of_metric(metrics[0].code, dimension, raw)
        return self.store(name).resolve_value(dimension, raw)

    def called(self, name: StoreName, dimension: str, key: Key) -> str:
        """Return what a value is called."""
        if name == "facts":
            return self.facts.called(dimension, key)
        return "" if key is None else str(key)
