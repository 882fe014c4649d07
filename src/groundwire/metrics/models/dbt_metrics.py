"""Metrics of dbt's semantic manifest, and the measures that they aggregate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from groundwire.errors import InputError
from groundwire.metrics.models.dbt_filters import (
    GRAINS,
    Base,
    Columns,
    column_of,
    compile_filter,
    identifier,
)
from groundwire.metrics.models.document import (
    Problems,
    Tree,
    count_of,
    list_of,
    meta_of,
    text_of,
    tree_of,
    unknown_keys,
    words_of,
)
from groundwire.metrics.models.semantic import (
    Dataset,
    MetricInput,
    ModelField,
    ModelMetric,
    Relationship,
)

MOST_DEPTH = 50
"""Metrics of metrics of metrics: deeper ones are left out."""

_AGGREGATIONS = {
    "sum": "SUM({0})",
    "min": "MIN({0})",
    "max": "MAX({0})",
    "count": "COUNT({0})",
    "count_distinct": "COUNT(DISTINCT {0})",
    "average": "AVG({0})",
    "sum_boolean": "SUM(CASE WHEN {0} THEN 1 WHEN NOT {0} THEN 0 END)",
    "median": "MEDIAN({0})",
}
_KINDS = ("simple", "ratio", "derived", "cumulative")
_METRIC_KEYS = frozenset([
    "name", "description", "type", "datatype", "type_params", "filter", "metadata", "label",
    "config", "time_granularity",
])  # fmt: skip
_TYPE_KEYS = frozenset([
    "measure", "numerator", "denominator", "expr", "window", "grain_to_date", "metrics",
    "conversion_type_params", "cumulative_type_params", "input_measures",
    "metric_aggregation_params", "join_to_timespine", "fill_nulls_with", "is_private",
])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure as the manifest has it: what is aggregated, and how.

    Attributes:
        dataset: name of the dataset whose rows are aggregated.
        name: its own name, which is free among the fields of the dataset or gets another.
        entry: the tree that holds `agg` and what belongs to it.
        place: where it stands.
    """

    dataset: str
    name: str
    entry: Tree
    place: str


class _LeftOutError(Exception):
    """A metric cannot be read; the message says why."""


class MetricReader:
    """Reads metrics in the order in which they are made of each other."""

    def __init__(
        self,
        datasets: Mapping[str, Dataset],
        identifying: Mapping[str, frozenset[str]],
        measures: Mapping[str, Mapping[str, Measure]],
        relationships: Sequence[Relationship],
        problems: Problems,
    ) -> None:
        """Prepare for the metrics of one manifest.

        Args:
            datasets: by name.
            identifying: of each dataset, names of the entities whose dimensions it holds.
            measures: of each dataset, by name.
            relationships: joins from many to one.
            problems: takes what is wrong.
        """
        self._fields = {name: dict(one.fields) for name, one in datasets.items()}
        self._datasets = datasets
        self._measures = {
            name: measure for own in measures.values() for name, measure in own.items()
        }
        self._problems = problems
        self._columns = Columns(self._fields, identifying, relationships)
        self._entries: Mapping[str, Tree] = {}
        self._read: dict[str, ModelMetric] = {}
        self._bases: dict[str, frozenset[Base]] = {}
        self._failed: set[str] = set()
        self._under_way: list[str] = []
        self._measure_fields: dict[tuple[str, str, str], str] = {}
        self._of_measure: dict[str, str] = {}

    @property
    def datasets(self) -> dict[str, Dataset]:
        """The datasets, with a field for the expression of each measure that was read."""
        return {
            name: replace(one, fields=self._fields[name]) for name, one in self._datasets.items()
        }

    def read(self, entries: Mapping[str, Tree]) -> dict[str, ModelMetric]:
        """Read all metrics, and those that measures make themselves; problems are told."""
        self._entries = entries
        for name in entries:
            self._try(name)
        made = {name: self._read[name] for name in entries if name in self._read}
        for measure in self._measures.values():
            if measure.entry.get("create_metric") is True and measure.name not in entries:
                self._try_measure(measure)
        return {**made, **self._read}

    def _try(self, name: str) -> bool:
        """Read a metric that was not read yet; returns whether it could be read."""
        if name in self._read:
            return True
        if name in self._failed or name not in self._entries:
            return False
        if name in self._under_way:
            circle = [*self._under_way[self._under_way.index(name) :], name]
            self._problems.error(f"metrics.{name}", f"is made of itself: {' -> '.join(circle[:8])}")
            return False
        if len(self._under_way) >= MOST_DEPTH:
            self._problems.error(f"metrics.{name}", f"lies {MOST_DEPTH} metrics deep")
            return False
        self._under_way.append(name)
        try:
            self._read[name] = self._metric(name, self._entries[name])
        except _LeftOutError as error:
            self._failed.add(name)
            self._problems.error(f"metrics.{name}", str(error))
            return False
        finally:
            self._under_way.pop()
        return True

    def _try_measure(self, measure: Measure) -> None:
        """Make the simple metric of a measure."""
        if measure.name in self._read:
            return
        try:
            self._read[measure.name] = self._of(measure.name, measure, measure.entry, [])
        except _LeftOutError as error:
            self._problems.error(measure.place, str(error))

    def _metric(self, name: str, entry: Tree) -> ModelMetric:
        place = f"metrics.{name}"
        kind = text_of(entry, "type").lower()
        if kind not in _KINDS:
            why = "conversions are not read" if kind == "conversion" else "is not known"
            raise _LeftOutError(f"is of type {kind[:40]!r}, which {why}: it is left out")
        params = tree_of(entry.get("type_params"))
        unknown_keys(entry, _METRIC_KEYS, place, self._problems)
        unknown_keys(params, _TYPE_KEYS, f"{place}.type_params", self._problems)
        if kind == "simple":
            measure, filters = self._measure_of(name, params, place)
            return self._of(name, measure, entry, [*filters, *_templates(entry)])
        read = {"ratio": self._ratio, "derived": self._derived, "cumulative": self._cumulative}
        return read[kind](name, entry, params)

    # Simple metrics.

    def _measure_of(self, name: str, params: Tree, place: str) -> tuple[Measure, list[str]]:
        """The measure of a simple metric, and the filters that stand with it."""
        own = tree_of(params.get("metric_aggregation_params"))
        given = params.get("measure")
        named = tree_of(given)
        if isinstance(given, str):
            named = {"name": given}
        for holder in (params, named):
            if holder.get("fill_nulls_with") is not None:
                self._problems.doubt(
                    f"{place}.type_params.fill_nulls_with",
                    "is not read: a period without rows has no value here, which is not 0",
                )
        if own:
            dataset = text_of(own, "semantic_model")
            if dataset not in self._fields:
                raise _LeftOutError(f"aggregates {dataset[:60]!r}, which is no dataset here")
            measured = {**own, "expr": params.get("expr")}
            return Measure(dataset, name, measured, f"{place}.type_params"), _templates(named)
        measure = self._measures.get(text_of(named, "name"))
        if measure is None:
            raise _LeftOutError(
                f"aggregates {text_of(named, 'name')[:60]!r}, which is no measure that is read"
            )
        return measure, _templates(named)

    def _of(
        self, name: str, measure: Measure, entry: Tree, templates: Sequence[str]
    ) -> ModelMetric:
        """The simple metric that aggregates a measure."""
        dataset = self._datasets[measure.dataset]
        time_field = text_of(measure.entry, "agg_time_dimension") or dataset.time_field
        if time_field and not self._columns.is_time(dataset.name, time_field):
            raise _LeftOutError(f"is placed in time by {time_field[:60]!r}, which is no time")
        base = Base(dataset.name, time_field)
        made = replace(
            self._described(name, "simple", entry, measure.entry),
            expression={"": self._aggregation(measure)},
            filter=self._filter(templates, frozenset((base,))),
            dataset=dataset.name,
            semi_additive=self._semi_additive(measure),
            time_field=f"{dataset.name}.{time_field}" if time_field else "",
        )
        self._bases[name] = frozenset((base,))
        if not templates:
            self._of_measure.setdefault(measure.name, name)
        return made

    def _aggregation(self, measure: Measure) -> str:
        agg = text_of(measure.entry, "agg").lower()
        column = column_of(measure.dataset, self._measure_field(measure))
        if agg == "percentile":
            return _percentile(tree_of(measure.entry.get("agg_params")), column)
        if agg not in _AGGREGATIONS:
            raise _LeftOutError(
                f"aggregates by {agg[:40]!r}: {', '.join(_AGGREGATIONS)} and percentile are read"
            )
        return _AGGREGATIONS[agg].format(column)

    def _measure_field(self, measure: Measure) -> str:
        """The field of a dataset that holds what a measure aggregates."""
        expression = text_of(measure.entry, "expr")
        if isinstance(number := measure.entry.get("expr"), int) and not isinstance(number, bool):
            expression = str(number)
        expression = expression or identifier(measure.name)
        fields = self._fields[measure.dataset]
        for taken in (expression, measure.name):
            known = fields.get(taken)
            if known is not None and known.expression.get("") == expression:
                return taken
        key = (measure.dataset, measure.name, expression)
        if key not in self._measure_fields:
            name = measure.name
            while name in fields:
                name += "_measure"
            fields[name] = ModelField(
                name,
                {"": expression},
                description=text_of(measure.entry, "description"),
                is_dimension=False,
            )
            self._measure_fields[key] = name
        return self._measure_fields[key]

    def _semi_additive(self, measure: Measure) -> tuple[str, Literal["first", "last"]] | None:
        told = tree_of(measure.entry.get("non_additive_dimension"))
        if not told:
            return None
        field = text_of(told, "name")
        if not self._columns.is_time(measure.dataset, field):
            raise _LeftOutError(f"is not added over {field[:60]!r}, which is no time of it")
        if list_of(told, "window_groupings"):
            raise _LeftOutError(
                "is not added over time within window_groupings, which cannot be said here"
            )
        choice = text_of(told, "window_choice").lower() or "min"
        if choice not in ("min", "max"):
            raise _LeftOutError(f"takes {choice[:40]!r} of the times: only min and max are read")
        return f"{measure.dataset}.{field}", "first" if choice == "min" else "last"

    # Metrics of metrics.

    def _ratio(self, name: str, entry: Tree, params: Tree) -> ModelMetric:
        own = _templates(entry)
        inputs = tuple(
            self._input(params.get(part), part, own) for part in ("numerator", "denominator")
        )
        return self._made_of(name, "ratio", entry, inputs)

    def _derived(self, name: str, entry: Tree, params: Tree) -> ModelMetric:
        own = _templates(entry)
        given = list_of(params, "metrics")
        if not given:
            raise _LeftOutError("is derived of no metrics")
        inputs = tuple(self._input(one, "metrics", own) for one in given)
        expression = text_of(params, "expr")
        _check_arithmetic(expression, {one.alias or one.name for one in inputs})
        made = self._made_of(name, "derived", entry, inputs)
        return replace(made, expression={"": expression})

    def _cumulative(self, name: str, entry: Tree, params: Tree) -> ModelMetric:
        told = tree_of(params.get("cumulative_type_params"))
        given: object = told.get("metric")
        if not tree_of(given) and not isinstance(given, str):
            given = self._cumulated(name, params)
        window = _window(told.get("window") or params.get("window"), "window")
        to_date = text_of(told, "grain_to_date").lower() or text_of(params, "grain_to_date").lower()
        if to_date and (to_date not in GRAINS or window):
            raise _LeftOutError(f"adds up to {to_date[:40]!r}: name one grain, and no window")
        if text_of(told, "period_agg").lower() in ("average", "first"):
            self._problems.doubt(
                f"metrics.{name}.type_params.cumulative_type_params.period_agg",
                "is not read: a period has the value that has added up at its end",
            )
        inputs = (self._input(given, "metric", _templates(entry)),)
        made = self._made_of(name, "cumulative", entry, inputs)
        return replace(made, window=window, grain_to_date=to_date)

    def _cumulated(self, name: str, params: Tree) -> Tree:
        """The simple metric of the measure that a cumulative metric adds up, as an input."""
        measure, filters = self._measure_of(name, params, f"metrics.{name}")
        if measure.name not in self._of_measure:
            for other, entry in self._entries.items():
                if _is_of_measure(entry, measure.name):
                    self._try(other)
        known = self._of_measure.get(measure.name)
        if known is None:
            known = measure.name
            while known in self._entries or known in self._read:
                known += "_measure"
            self._read[known] = self._of(known, measure, measure.entry, [])
        return {"name": known, "filter": [*filters]}

    def _made_of(
        self,
        name: str,
        kind: Literal["ratio", "derived", "cumulative"],
        entry: Tree,
        inputs: tuple[MetricInput, ...],
    ) -> ModelMetric:
        called = [one.alias or one.name for one in inputs]
        if kind == "derived" and len(set(called)) != len(called):
            raise _LeftOutError("calls two of its metrics alike: give them aliases")
        self._bases[name] = frozenset[Base]().union(*(self._bases[one.name] for one in inputs))
        return replace(self._described(name, kind, entry, {}), inputs=inputs)

    def _input(self, given: object, part: str, templates: Sequence[str]) -> MetricInput:
        """A metric that another is made of; filters of that other one hold for it too."""
        entry: Tree = {"name": given} if isinstance(given, str) else tree_of(given)
        name = text_of(entry, "name")
        if name not in self._read and not self._try(name):
            known = "could not be read" if name in self._entries else "is not in the file"
            raise _LeftOutError(f"is made of {name[:60]!r} ({part}), which {known}")
        if text_of(entry, "offset_to_grain"):
            raise _LeftOutError(
                f"reads {name!r} at the beginning of a {text_of(entry, 'offset_to_grain')[:40]} "
                "(offset_to_grain), which cannot be said here"
            )
        return MetricInput(
            name=name,
            alias=text_of(entry, "alias"),
            filter=self._filter([*_templates(entry), *templates], self._bases[name]),
            offset=_window(entry.get("offset_window"), "offset_window"),
        )

    def _described(
        self,
        name: str,
        kind: Literal["simple", "ratio", "derived", "cumulative"],
        entry: Tree,
        measure: Tree,
    ) -> ModelMetric:
        meta, beside = meta_of(entry), meta_of(measure)
        return ModelMetric(
            name=name,
            kind=kind,
            unit=text_of(meta, "unit") or text_of(beside, "unit"),
            label=text_of(entry, "label") or text_of(meta, "label"),
            description=text_of(entry, "description") or text_of(measure, "description"),
            synonyms=words_of(meta, "synonyms"),
            level=text_of(meta, "level") or text_of(beside, "level"),
            verbs=words_of(meta, "verbs"),
        )

    # Filters.

    def _filter(self, templates: Sequence[str], bases: frozenset[Base]) -> str:
        """Filters as one condition over `dataset.field`, or ""."""
        written: list[str] = []
        for template in templates:
            try:
                meant = {
                    compile_filter(
                        template, lambda call, base=base: self._columns.resolve(call, base)
                    )
                    for base in bases
                }
            except InputError as error:
                raise _LeftOutError(f"has a filter that is not read: {error}") from None
            if len(meant) != 1:
                raise _LeftOutError(
                    "has a filter that means other columns for each of its metrics: filter those"
                )
            if (condition := meant.pop()) not in written:
                written.append(condition)
        return " AND ".join(f"({one})" for one in written) if len(written) > 1 else "".join(written)


def _is_of_measure(entry: Tree, measure: str) -> bool:
    """Whether a metric is the plain aggregate of a measure."""
    given = tree_of(entry.get("type_params")).get("measure")
    name = given if isinstance(given, str) else text_of(tree_of(given), "name")
    return text_of(entry, "type").lower() == "simple" and name == measure


def _templates(holder: Tree) -> list[str]:
    """The filters of a metric, an input or a measure, in any of the layouts there have been."""
    given = holder.get("filter")
    if given is None:
        return []
    found: list[str] = []
    waiting: list[object] = [given]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, str):
            found.append(one.strip())
        elif isinstance(one, list):
            waiting[:0] = cast("list[object]", one)
        elif (kept := _template_of(tree_of(one))) is not None:
            waiting[:0] = [kept]
        else:
            raise _LeftOutError("has a filter of an unknown layout")
    return [one for one in found if one]


def _template_of(tree: Tree) -> object:
    """Return the content of the object of a filter, or None."""
    for key in ("where_filters", "where_sql_template"):
        if tree.get(key) is not None:
            return tree[key]
    return None


def _window(given: object, key: str) -> tuple[int, str] | None:
    """A span of time: `{"count": 7, "granularity": "day"}` or "7 days"; None where none is told."""
    if not given:
        return None
    tree = tree_of(given)
    count, grain = tree.get("count"), text_of(tree, "granularity").lower()
    if isinstance(given, str):
        count, _, grain = given.strip().lower().partition(" ")
        grain = grain.strip()
    grain = grain.removesuffix("s")
    number = count_of(count)
    if number is None or grain not in GRAINS:
        raise _LeftOutError(f"has a {key} that is not read: write it as `7 days`")
    return number, grain


def _percentile(params: Tree, column: str) -> str:
    given = params.get("percentile")
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise _LeftOutError("has a percentile that is no number from 0 to 1")
    if params.get("use_approximate_percentile") is True:
        raise _LeftOutError("takes an approximate percentile: only exact ones are read")
    function = "DISC" if params.get("use_discrete_percentile") is True else "CONT"
    return f"PERCENTILE_{function}({given}) WITHIN GROUP (ORDER BY {column})"


def _check_arithmetic(expression: str, known: set[str]) -> None:
    """Refuse an expression other than arithmetic over these names."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        parsed = sqlglot.parse(expression)
    except (SqlglotError, RecursionError):
        raise _LeftOutError("has an expression that is no SQL") from None
    tree = parsed[0] if len(parsed) == 1 else None
    if tree is None or not isinstance(tree, exp.Condition):
        raise _LeftOutError("has an expression that is no single value")
    for node in tree.walk():
        if isinstance(node, exp.Query | exp.Subquery | exp.Star | exp.AggFunc | exp.Anonymous):
            raise _LeftOutError(f"computes with {node.sql()[:60]}: only arithmetic is read")
        if isinstance(node, exp.Column) and (node.table or node.name not in known):
            raise _LeftOutError(
                f"computes with {node.sql()[:60]}, which is none of its metrics: "
                f"{', '.join(sorted(known))[:200]}"
            )
