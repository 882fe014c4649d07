"""Metrics taken apart: which aggregates they are made of, and over whose rows each is taken.

Each aggregate is a measure of its own. It is taken over the rows of the dataset that its own
fields are of, so no join can multiply them. What repeated rows cannot change (COUNT DISTINCT, MIN,
MAX) is taken over the rows that the metric's other aggregates are taken over, where these refer to
its dataset: `SUM(sales.amount) / COUNT(DISTINCT customer.id)` counts the customers that bought.
AVG is a sum and a count, so that it is never averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.expressions import (
    ExpressionError,
    column_parts,
    columns,
    is_aggregate,
    parse,
    written_for,
)
from groundwire.metrics.models.joins import Joins, ManyWaysError, NoWayError
from groundwire.metrics.models.semantic import ModelMetric, SemanticModel

if TYPE_CHECKING:
    from sqlglot import exp

# Aggregates that repeated rows do not change.
_REPEATABLE = ("Max", "Min")
_MOST_REFERENCES = 20


@dataclass(frozen=True, slots=True)
class Measure:
    """One aggregate.

    Attributes:
        base: the dataset over whose rows it is taken.
        sql: the aggregate over `dataset.field`, as ANSI; the same text is the same measure.
        adds_up: how values of parts make that of the whole: "sum", "min", "max"; "" if they do not.
    """

    base: str
    sql: str
    adds_up: str


@dataclass(frozen=True, slots=True)
class Parts:
    """A simple metric in its parts.

    Attributes:
        measures: its aggregates.
        tree: what is computed from them: the column `#0` is the first.
    """

    measures: tuple[Measure, ...]
    tree: exp.Expr


class Measures:
    """The simple metrics of a model in their parts, each taken apart when it is first asked for."""

    def __init__(self, model: SemanticModel, joins: Joins, dialect: str) -> None:
        """Take the model, and the dialect whose expressions are preferred."""
        self.model = model
        self._joins = joins
        self._dialect = dialect
        self._parts: dict[str, Parts] = {}

    def parts(self, metric: ModelMetric) -> Parts:
        """Return the parts of a simple metric.

        Raises:
            ExpressionError: it cannot be used.
        """
        if metric.name not in self._parts:
            self._parts[metric.name] = self._take_apart(metric)
        return self._parts[metric.name]

    def _take_apart(self, metric: ModelMetric) -> Parts:
        from sqlglot import exp

        tree = parse(*written_for(metric.expression, self._dialect)).copy()
        found: list[exp.Expr] = []
        for node in tree.walk(prune=is_aggregate):
            if is_aggregate(node):
                found.append(node)
            elif isinstance(node, exp.Column):
                raise ExpressionError(
                    f"{node.sql(comments=False)[:80]} stands outside an aggregate: write SUM, "
                    "COUNT or the like around it"
                )
        if not found:
            raise ExpressionError("the expression has no aggregate: write SUM, COUNT or the like")
        pieces: list[exp.Expr] = []
        holder = exp.Paren(this=tree)
        for node in found:
            if any(is_aggregate(inner) for inner in node.walk() if inner is not node):
                raise ExpressionError("an aggregate stands within another: make two metrics of it")
            whole = node.parent if isinstance(node.parent, exp.Filter) else node
            _replace(whole, _as_pieces(node, whole, pieces))
        for piece in pieces:
            self._qualify(piece, metric.dataset)
        bases = self._bases(pieces, metric.dataset)
        measures = tuple(
            Measure(base, piece.sql(comments=False), _adds_up(piece))
            for piece, base in zip(pieces, bases, strict=True)
        )
        return Parts(measures, holder.this)

    def _qualify(self, tree: exp.Expr, dataset: str) -> None:
        """Write `dataset.field` where only the field is written."""
        from sqlglot import exp

        for column in columns(tree):
            if column.table:
                continue
            name = column.name
            if dataset and _has(self.model, dataset, name):
                owners = [dataset]
            else:
                owners = [one for one in self.model.datasets if _has(self.model, one, name)]
            if len(owners) != 1:
                which = "several datasets have" if owners else "no dataset has"
                raise ExpressionError(f"{which} a field {name[:80]!r}: write dataset.field")
            column.set("table", exp.to_identifier(owners[0], quoted=True))

    def qualified(self, text: str, dataset: str) -> exp.Expr:
        """Return a condition on rows with `dataset.field` everywhere.

        Raises:
            ExpressionError: it cannot be used.
        """
        tree = parse(text, "").copy()
        if any(is_aggregate(node) for node in tree.walk()):
            raise ExpressionError("a filter is about single rows: it holds no aggregate")
        self._qualify(tree, dataset)
        return tree

    def _bases(self, pieces: Sequence[exp.Expr], dataset: str) -> list[str]:
        own = [self._own_base(piece) for piece in pieces]
        if dataset:
            own = [
                dataset if base and not _values(piece) and self._reaches(dataset, base) else base
                for piece, base in zip(pieces, own, strict=True)
            ]
        fixed = {
            base for piece, base in zip(pieces, own, strict=True) if base and not _repeatable(piece)
        }
        found: list[str] = []
        for piece, base in zip(pieces, own, strict=True):
            chosen = base or dataset
            if not chosen:
                others = {one for one in own if one}
                if len(others) == 1:
                    (chosen,) = others
                elif len(self.model.datasets) == 1:
                    (chosen,) = self.model.datasets
                else:
                    raise ExpressionError(
                        f"{piece.sql(comments=False)[:60]} does not say whose rows it counts: "
                        "write COUNT(dataset.field)"
                    )
            elif _repeatable(piece):
                wider = {dataset} if dataset else fixed
                reaching = [
                    one
                    for one in sorted(wider)
                    if one in self.model.datasets and len(self._joins.ways(one).get(base, ())) == 1
                ]
                if len(reaching) == 1:
                    chosen = reaching[0]
            if chosen not in self.model.datasets:
                raise ExpressionError(f"the model has no dataset {chosen[:80]!r}")
            found.append(chosen)
        return found

    def _reaches(self, dataset: str, base: str) -> bool:
        return dataset in self.model.datasets and len(self._joins.ways(dataset).get(base, ())) == 1

    def _own_base(self, piece: exp.Expr) -> str:
        """The dataset of its fields from which all of them are reached; "" if it has no field."""
        referred = list(dict.fromkeys(column_parts(column) for column in columns(piece)))
        if len(referred) > _MOST_REFERENCES:
            raise ExpressionError(f"an aggregate has more than {_MOST_REFERENCES} fields")
        try:
            starts = list(dict.fromkeys(self._joins.dataset(parts[0]).name for parts in referred))
        except NotFoundError as problem:
            raise ExpressionError(str(problem)) from None
        if not starts:
            return ""
        reasons: list[str] = []
        for base in starts:
            try:
                for parts in referred:
                    self._joins.reach(base, parts)
            except NotFoundError as problem:
                raise ExpressionError(str(problem)) from None
            except ManyWaysError as ways:
                reasons.append(f"several ways lead there: write one of {', '.join(ways.codes)}")
            except NoWayError as problem:
                reasons.append(str(problem))
            else:
                return base
        raise ExpressionError(
            f"{piece.sql(comments=False)[:80]} mixes datasets that do not refer to one another "
            f"many-to-one ({reasons[0]})"
        )


def _has(model: SemanticModel, dataset: str, name: str) -> bool:
    found = model.datasets.get(dataset)
    return found is not None and (
        name in found.fields or name.casefold() in {one.casefold() for one in found.fields}
    )


def _replace(node: exp.Expr, by: exp.Expr) -> None:
    node.replace(by)


def _as_pieces(node: exp.Expr, whole: exp.Expr, pieces: list[exp.Expr]) -> exp.Expr:
    """Return what stands for an aggregate in the tree; its pieces are added to the list."""
    from sqlglot import exp

    inner = node.this
    if isinstance(inner, exp.Star):
        inner = None
    distinct = isinstance(inner, exp.Distinct)
    if isinstance(inner, exp.Distinct):
        inner = inner.expressions[0]
    if isinstance(whole, exp.Filter):
        condition = whole.expression.this
        inner = exp.Case(ifs=[exp.If(this=condition.copy(), true=inner or exp.Literal.number(1))])
    if isinstance(node, exp.Avg) and inner is not None:
        top = _add(exp.Sum(this=_once(inner, distinct)), pieces)
        count = _add(exp.Count(this=_once(inner, distinct)), pieces)
        return exp.Paren(this=exp.Div(this=top, expression=count))
    if inner is None:
        return _add(exp.Count(this=exp.Star()), pieces)
    return _add(type(node)(this=_once(inner, distinct)), pieces)


def _once(inner: exp.Expr, distinct: bool) -> exp.Expr:
    from sqlglot import exp

    return exp.Distinct(expressions=[inner.copy()]) if distinct else inner.copy()


def _add(piece: exp.Expr, pieces: list[exp.Expr]) -> exp.Expr:

    pieces.append(piece)
    return nodes.column(f"#{len(pieces) - 1}")


def _repeatable(piece: exp.Expr) -> bool:
    from sqlglot import exp

    return type(piece).__name__ in _REPEATABLE or isinstance(piece.this, exp.Distinct)


def _values(piece: exp.Expr) -> bool:
    """Whether an aggregate takes values of fields, rather than only asks conditions of them."""
    from sqlglot import exp

    conditions = {
        id(column) for one in piece.find_all(exp.If) for column in one.this.find_all(exp.Column)
    }
    return any(id(column) not in conditions for column in columns(piece))


def _adds_up(piece: exp.Expr) -> str:
    from sqlglot import exp

    if isinstance(piece.this, exp.Distinct):
        return ""
    return {"Sum": "sum", "Count": "sum", "Min": "min", "Max": "max"}.get(type(piece).__name__, "")


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
