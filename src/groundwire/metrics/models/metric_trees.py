"""Metrics of every kind as one tree over measures, each with the rows that it is taken over."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from groundwire.errors import InputError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.expressions import (
    ExpressionError,
    column_parts,
    columns,
    is_aggregate,
    parse,
    written_for,
)
from groundwire.metrics.models.measures import Measure, Measures
from groundwire.metrics.models.semantic import ModelMetric, SemanticModel

if TYPE_CHECKING:
    from sqlglot import exp

Offsets = tuple[tuple[int, str], ...]
_DEEPEST = 12
_MOST_MEASURES = 200


@dataclass(frozen=True, slots=True)
class Rowset:
    """The rows that measures are taken over, as the metrics say it.

    Attributes:
        base: the dataset.
        filters: conditions of metrics, each with the dataset that plain names are of.
        time: code of the field that places rows in time; "" takes what the dataset has.
        semi: field over which values are not added, and which is taken: "first" or "last".
        cumulative: whether rows are those of a window that ends with each period.
        window: its length; None: from the beginning or `to_date`.
        to_date: grain at whose start the window starts, or "".
        offsets: how far back in time it is read.
    """

    base: str
    filters: tuple[tuple[str, str], ...] = ()
    time: str = ""
    semi: tuple[str, str] | None = None
    cumulative: bool = False
    window: tuple[int, str] | None = None
    to_date: str = ""
    offsets: Offsets = ()


@dataclass(slots=True)
class Collected:
    """Measures by the rows that they are taken over; each has a column of its own."""

    rowsets: dict[Rowset, dict[Measure, str]] = field(
        default_factory=dict[Rowset, dict[Measure, str]]
    )
    count: int = 0

    def column(self, rowset: Rowset, measure: Measure) -> str:
        """Return the name of the column of a measure.

        Raises:
            InputError: there are more than 200.
        """
        known = self.rowsets.setdefault(rowset, {})
        if measure not in known:
            if self.count >= _MOST_MEASURES:
                raise InputError(f"That needs more than {_MOST_MEASURES} measures: ask for less")
            known[measure] = f"c{self.count}"
            self.count += 1
        return known[measure]


@dataclass(frozen=True, slots=True)
class _Around:
    """The context that surrounding metrics give to one."""

    filters: tuple[tuple[str, str], ...] = ()
    offsets: Offsets = ()
    cumulative: bool = False
    window: tuple[int, str] | None = None
    to_date: str = ""
    above: tuple[str, ...] = ()


class MetricTrees:
    """Takes metrics apart down to measures."""

    def __init__(self, model: SemanticModel, measures: Measures, dialect: str) -> None:
        """Take the model, and the dialect whose expressions are preferred."""
        self._model = model
        self._measures = measures
        self._dialect = dialect

    def tree(self, name: str, collected: Collected, offsets: Offsets = ()) -> exp.Expr:
        """Return what a metric is computed from, over the columns of its measures.

        Args:
            name: of the metric.
            collected: takes the measures.
            offsets: how far back in time all of it is read.

        Raises:
            ExpressionError: the metric cannot be used.
        """
        return self._tree(name, collected, _Around(offsets=offsets))

    def _tree(self, name: str, collected: Collected, around: _Around) -> exp.Expr:
        metric = self._model.metrics.get(name)
        if metric is None:
            raise ExpressionError(f"the model has no metric {name[:80]!r}")
        if name in around.above or len(around.above) >= _DEEPEST:
            path = " of ".join((*around.above, name))[:200]
            raise ExpressionError(f"metrics are made of one another: {path}")
        around = replace(around, above=(*around.above, name))
        try:
            match metric.kind:
                case "simple":
                    return self._simple(metric, collected, around)
                case "ratio":
                    return self._ratio(metric, collected, around)
                case "derived":
                    return self._derived(metric, collected, around)
                case "cumulative":
                    return self._cumulative(metric, collected, around)
        except ExpressionError as problem:
            if str(problem).startswith("metric "):
                raise
            raise ExpressionError(f"metric {name}: {problem}") from None

    def _simple(self, metric: ModelMetric, collected: Collected, around: _Around) -> exp.Expr:
        from sqlglot import exp

        parts = self._measures.parts(metric)
        filters = around.filters
        if metric.filter:
            filters = (*filters, (metric.filter, metric.dataset))
        holder = exp.Paren(this=parts.tree.copy())
        for column in columns(holder):
            measure = parts.measures[int(column.name[1:])]
            rowset = Rowset(
                measure.base,
                tuple(dict.fromkeys(filters)),
                metric.time_field,
                metric.semi_additive,
                around.cumulative,
                around.window,
                around.to_date,
                around.offsets,
            )
            column.replace(nodes.column(collected.column(rowset, measure)))
        return holder.this

    def _inner(
        self, metric: ModelMetric, at: int, collected: Collected, around: _Around
    ) -> exp.Expr:
        from sqlglot import exp

        one = metric.inputs[at]
        filters = around.filters
        for condition in (metric.filter, one.filter):
            if condition:
                filters = (*filters, (condition, metric.dataset))
        offsets = around.offsets if one.offset is None else (*around.offsets, one.offset)
        inner = replace(around, filters=filters, offsets=offsets)
        return exp.Paren(this=self._tree(one.name, collected, inner))

    def _ratio(self, metric: ModelMetric, collected: Collected, around: _Around) -> exp.Expr:
        from sqlglot import exp

        if len(metric.inputs) != 2:
            raise ExpressionError("a ratio has two inputs: what is divided, and by what")
        top, bottom = (self._inner(metric, at, collected, around) for at in (0, 1))
        return exp.Div(this=top, expression=bottom)

    def _derived(self, metric: ModelMetric, collected: Collected, around: _Around) -> exp.Expr:
        from sqlglot import exp

        places = {one.alias or one.name: at for at, one in enumerate(metric.inputs)}
        tree = parse(*written_for(metric.expression, self._dialect)).copy()
        if any(is_aggregate(node) for node in tree.walk()):
            raise ExpressionError("a derived metric computes with metrics: it holds no aggregate")
        holder = exp.Paren(this=tree)
        for column in columns(holder):
            name = ".".join(column_parts(column))
            if name not in places:
                raise ExpressionError(f"{name[:80]!r} is none of its inputs: {', '.join(places)}")
            column.replace(self._inner(metric, places[name], collected, around))
        return holder.this

    def _cumulative(self, metric: ModelMetric, collected: Collected, around: _Around) -> exp.Expr:
        if len(metric.inputs) != 1:
            raise ExpressionError("a cumulative metric adds up one other: name it in inputs")
        if around.cumulative:
            raise ExpressionError("a cumulative metric cannot add up another one")
        inner = replace(around, cumulative=True, window=metric.window, to_date=metric.grain_to_date)
        return self._inner(metric, 0, collected, inner)
