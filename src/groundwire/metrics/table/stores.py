"""The stores that tables come from, and which of them has a metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Literal

from groundwire.metrics.table.facts import FactTables
from groundwire.metrics.table.query import (
    PERIOD,
    Dimension,
    Key,
    Order,
    ResolvedValue,
    TableMetric,
    TableQuery,
    TableStore,
)
from groundwire.vocabulary import Candidate, Policy, Resolution, Term, Vocabulary

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
    def _vocabularies(self) -> Mapping[StoreName, Vocabulary]:
        terms: dict[StoreName, list[Term]] = {"facts": [], "warehouse": []}
        for name, (store, one) in self.metrics.items():
            code = (one.code,) if name != one.code else ()
            terms[store].append(Term(name, one.label, (*code, *one.aliases)))
        return {store: Vocabulary(own) for store, own in terms.items() if own}

    def metric(self, raw: str) -> Resolution:
        """Return the metric that a text names; of one in each store both are candidates."""
        found = [one.resolve(raw, Policy.CANDIDATES_ONLY) for one in self._vocabularies.values()]
        named = [one for one in found if one.term is not None]
        if len(named) == 1 and all(one.how != "ambiguous" for one in found):
            return named[0]
        terms = [Candidate(one.term, 1.0, raw) for one in named if one.term is not None]
        tied = [each for one in found if one.how == "ambiguous" for each in one.candidates]
        if terms or tied:
            return Resolution(raw, "ambiguous", candidates=(*terms, *tied))
        near = [each for one in found for each in one.candidates]
        near.sort(key=lambda one: -one.score)
        return Resolution(raw, "unknown", candidates=tuple(near[:5]))

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

    def last_day(self, name: StoreName, metric: TableMetric) -> date | None:
        """Return the newest day that a value of a metric covers, or None where it has no time.

        Raises:
            UnavailableError: the store cannot be asked.
        """
        if name == "facts":
            return self.facts.last_day(metric.code)
        if not metric.grains:
            return None
        order = (Order(PERIOD, descending=True),)
        query = TableQuery((metric.code,), (PERIOD,), grain=metric.grains[0], order=order, limit=1)
        rows = self.store(name).run(query).rows
        return rows[0].period.end if rows and rows[0].period else None

    def called(self, name: StoreName, dimension: str, key: Key) -> str:
        """Return what a value is called."""
        if name == "facts":
            return self.facts.called(dimension, key)
        return "" if key is None else str(key)
