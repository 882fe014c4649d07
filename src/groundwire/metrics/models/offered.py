"""The offer of a model: dimensions by their codes, and metrics with what they can be told by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.models.joins import ManyWaysError, NoWayError, day_field
from groundwire.metrics.models.measures import Collected, Rowset
from groundwire.metrics.models.semantic import Dataset, ModelField
from groundwire.metrics.table.query import Dimension, TableMetric
from groundwire.quantities import PeriodGrain

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.metrics.models.warehouse import Compiler

_GRAINS: tuple[PeriodGrain, ...] = ("month", "day", "quarter", "half", "year")
_ORDER = ("day", "week", "month", "quarter", "half", "year")


def dimension_codes(compiler: Compiler, base: str) -> dict[str, str]:
    """Return the dimensions of a dataset's rows: codes with labels.

    A dataset that several ways lead to is offered in each of its roles.
    """
    return {code: one.label for code, one in _reached(compiler, base).items()}


def _reached(compiler: Compiler, base: str) -> dict[str, Dimension]:
    found: dict[str, Dimension] = {}
    for name, ways in compiler.joins.ways(base).items():
        dataset = compiler.model.datasets[name]
        for field in dataset.fields.values():
            if not field.is_dimension or field.level in compiler.withheld:
                continue
            for way in ways:
                code = compiler.joins.code(base, way, field.name)
                label = _label(dataset, field)
                aliases = field.synonyms
                if len(ways) > 1:
                    one = compiler.model.relationships[way[-1]]
                    role = one.label or words(one.name)
                    # By its own name alone it is asked about, where there are several.
                    plain = (label, *aliases)
                    label = f"{label} ({role})"
                    aliases = (*(f"{alias} ({role})" for alias in aliases), *plain)
                found[code] = Dimension(code, label, _kind(field), aliases, field.description)
    return found


def _kind(field: ModelField) -> Literal["category", "time", "number"]:
    if field.datatype in ("date", "timestamp"):
        return "time"
    return "number" if field.datatype in ("integer", "decimal", "float") else "category"


def _label(dataset: Dataset, field: ModelField) -> str:
    return field.label or words(field.name)


def words(name: str) -> str:
    """Return a name in words: "s_state" is "s state"."""
    return name.replace("_", " ").strip()


class Offered:
    """Metrics and dimensions of a model, found when they are first asked for."""

    def __init__(self, compiler: Compiler) -> None:
        """Take the compiler of the model."""
        self._compiler = compiler
        self._reached: dict[str, Mapping[str, Dimension]] = {}
        self._shared: dict[frozenset[str], tuple[str, ...]] = {}
        self._grains: dict[tuple[str, str], tuple[PeriodGrain, ...]] = {}
        # Metrics that cannot be computed, with the reason.
        self.broken: dict[str, str] = {}

    def reached(self, base: str) -> Mapping[str, Dimension]:
        """Return the dimensions of a dataset's rows by code."""
        if base not in self._reached:
            self._reached[base] = _reached(self._compiler, base)
        return self._reached[base]

    def metrics(self) -> Sequence[TableMetric]:
        """Return the metrics that can be computed and may be asked for."""
        return self._metrics

    @cached_property
    def _metrics(self) -> tuple[TableMetric, ...]:
        found: list[TableMetric] = []
        for metric in self._compiler.model.metrics.values():
            collected = Collected()
            try:
                tree = self._compiler.trees.tree(metric.name, collected)
            except (InputError, NotFoundError) as problem:
                self.broken[metric.name] = str(problem)
                continue
            if not self._compiler.is_offered(metric.name):
                continue
            rowsets = tuple(collected.rowsets)
            found.append(
                TableMetric(
                    metric.name,
                    metric.label or words(metric.name),
                    metric.unit,
                    self._codes(frozenset(one.base for one in rowsets)),
                    self._common_grains(rowsets),
                    metric.synonyms,
                    metric.description,
                    adding_up(tree, collected),
                    labels=metric.labels,
                )
            )
        return tuple(found)

    def bases(self, metric: str) -> frozenset[str]:
        """Return the datasets whose rows a metric counts.

        Raises:
            InputError: the metric does not exist, or cannot be computed.
        """
        if not self._compiler.is_offered(metric):
            raise InputError(f"The model has no metric {metric[:80]!r}")
        collected = Collected()
        self._compiler.trees.tree(metric, collected)
        return frozenset(one.base for one in collected.rowsets)

    def _codes(self, bases: frozenset[str]) -> tuple[str, ...]:
        if bases not in self._shared:
            first, *others = sorted(bases)
            self._shared[bases] = tuple(
                code
                for code in self.reached(first)
                if all(code in self.reached(other) for other in others)
            )
        return self._shared[bases]

    def _common_grains(self, rowsets: Sequence[Rowset]) -> tuple[PeriodGrain, ...]:
        each = [self._grains_of(one) for one in rowsets]
        return tuple(grain for grain in _GRAINS if all(grain in known for known in each))

    def _grains_of(self, rowset: Rowset) -> tuple[PeriodGrain, ...]:
        key = (rowset.base, rowset.time)
        if key not in self._grains:
            try:
                finest = (
                    day_field(self._compiler.model, self._compiler.joins, *key).field.grain or "day"
                )
            except (ManyWaysError, NoWayError, NotFoundError):
                self._grains[key] = ()
            else:
                least = _ORDER.index(finest) if finest in _ORDER else 0
                self._grains[key] = tuple(
                    grain for grain in _GRAINS if _ORDER.index(grain) >= least
                )
        return self._grains[key]

    def dimensions(self) -> Sequence[Dimension]:
        """Return every dimension that some dataset's rows have, by any of its codes."""
        return self._dimensions

    @cached_property
    def _dimensions(self) -> tuple[Dimension, ...]:
        found: dict[str, Dimension] = {}
        for base in self._compiler.model.datasets:
            found |= {code: one for code, one in self.reached(base).items() if code not in found}
        return tuple(found.values())


def adding_up(tree: exp.Expr, collected: Collected) -> Literal["always", "at_once", ""]:
    """Return how a metric adds up: sums and counts of rows do, and sums of these.

    What is added up to a day does so at that day alone. Anything else is not known to: a stock is
    counted on the last day that each part has, which may be another for each.

    Args:
        tree: what the metric is computed from, over the columns of its measures.
        collected: the measures.
    """
    from sqlglot import exp

    added = (exp.Column, exp.Identifier, exp.Paren, exp.Add, exp.Sub, exp.Neg)
    measures = [measure for own in collected.rowsets.values() for measure in own]
    if not measures or any(one.adds_up != "sum" for one in measures):
        return ""
    if not all(isinstance(node, added) for node in tree.walk()):
        return ""
    if any(one.semi for one in collected.rowsets):
        return ""
    return "at_once" if any(one.cumulative for one in collected.rowsets) else "always"
