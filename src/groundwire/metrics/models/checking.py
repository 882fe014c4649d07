"""A model checked as a whole: what refers to what is not there, goes round, or cannot be computed.

Whoever reads a file of models ends with `checked`: parts that cannot be used are taken out, each
with a problem that says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.models.expressions import (
    ExpressionError,
    column_parts,
    columns,
    is_aggregate,
    parse,
    written_for,
)
from groundwire.metrics.models.joins import Joins, ManyWaysError, NoWayError
from groundwire.metrics.models.measures import Collected, Measures, MetricTrees
from groundwire.metrics.models.rows import FieldSql, source_parts
from groundwire.metrics.models.semantic import (
    Dataset,
    ModelMetric,
    Problem,
    Relationship,
    SemanticModel,
)
from groundwire.metrics.models.spans import GRAINS
from groundwire.vocabulary import fold

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUALIFIED = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]*)\.([A-Za-z_][A-Za-z0-9_]*)\b")
MOST_PROBLEMS = 1_000


def checked(model: SemanticModel, dialect: str = "duckdb") -> SemanticModel:
    """Return a model without what cannot be used, which its problems tell.

    Args:
        model: as it was read, with the problems of reading it.
        dialect: the engine's, whose own expressions are preferred.
    """
    return _Check(model, dialect).checked()


class _Check:
    """One check."""

    def __init__(self, model: SemanticModel, dialect: str) -> None:
        self._model = model
        self._dialect = dialect
        self._problems = list(model.problems)

    def _wrong(self, place: str, text: str) -> None:
        self._problems.append(Problem(place, text))

    def _doubt(self, place: str, text: str) -> None:
        self._problems.append(Problem(place, text, is_error=False))

    def checked(self) -> SemanticModel:
        """Return the model without what is wrong."""
        self._model = replace(self._model, datasets=dict(self._datasets()))
        self._model = replace(self._model, relationships=tuple(self._relationships()))
        self._tell_rings()
        self._joins = Joins(self._model)
        self._check_fields()
        self._check_row_filters()
        self._check_times()
        self._model = replace(self._model, metrics=self._metrics())
        self._tell_shared_names()
        if len(self._problems) > MOST_PROBLEMS:
            more = len(self._problems) - MOST_PROBLEMS
            self._problems = self._problems[:MOST_PROBLEMS]
            self._wrong("model", f"{more:,} more problems are not listed: mend these first")
        return replace(self._model, problems=tuple(self._problems))

    def _datasets(self) -> Iterator[tuple[str, Dataset]]:
        for name, one in self._model.datasets.items():
            try:
                source_parts(one.source)
            except ExpressionError as problem:
                self._wrong(f"datasets.{name}.source", str(problem))
            else:
                yield name, one

    def _relationships(self) -> Iterator[Relationship]:
        seen: set[tuple[object, ...]] = set()
        for one in self._model.relationships:
            place = f"relationships.{one.name}"
            missing = [name for name in (one.many, one.one) if name not in self._model.datasets]
            if missing:
                self._wrong(place, f"there is no dataset {missing[0][:80]!r}")
                continue
            target = self._model.datasets[one.one]
            keys = [key for key in (target.primary_key, *target.unique_keys) if key]
            named = {column.casefold() for column in one.one_columns}
            if not keys:
                self._doubt(
                    place,
                    f"{one.one} names no key: that {', '.join(one.one_columns)[:80]} is unique in "
                    "it is taken on trust",
                )
            elif not any({column.casefold() for column in key} <= named for key in keys):
                self._wrong(
                    place,
                    f"{', '.join(one.one_columns)[:80]} is no key of {one.one}: rows would be "
                    "multiplied; name a primary or unique key",
                )
                continue
            same = (one.many, one.one, one.many_columns, one.one_columns)
            if same in seen:
                self._wrong(place, "another relationship says the same: leave one out")
                continue
            seen.add(same)
            yield one

    def _tell_rings(self) -> None:
        """Tell datasets that refer to one another in a ring; no way goes round it twice."""
        graph: dict[str, list[str]] = {}
        for one in self._model.relationships:
            graph.setdefault(one.many, []).append(one.one)
        for ring in _rings(graph):
            self._doubt(
                "relationships",
                f"{', '.join(ring)[:200]} refer to one another in a ring: none is passed twice",
            )

    def _tell_shared_names(self) -> None:
        """Tell names that several metrics have: a question by one of them is asked back."""
        named: dict[str, dict[str, str]] = {}
        for metric in self._model.metrics.values():
            for name in filter(None, (metric.name, metric.label, *metric.synonyms)):
                named.setdefault(fold(name), {}).setdefault(metric.name, name)
        for sharing in named.values():
            if len(sharing) > 1:
                first, *others = sharing
                self._doubt(
                    f"metrics.{first}",
                    f"{sharing[first][:80]!r} is a name of {', '.join(others)[:160]} too",
                )

    def _check_fields(self) -> None:
        fields = FieldSql(self._model, self._joins, self._dialect)
        datasets: dict[str, Dataset] = {}
        for name, dataset in self._model.datasets.items():
            kept = dict(dataset.fields)
            for field in dataset.fields.values():
                place = f"datasets.{name}.fields.{field.name}"
                try:
                    text, _ = written_for(field.expression, self._dialect)
                    if not _PLAIN_NAME.fullmatch(text):
                        fields.row(name, field)
                except InputError as problem:
                    self._wrong(f"{place}.expression", str(problem))
                    del kept[field.name]
                    continue
                if field.grain and field.grain not in GRAINS:
                    self._wrong(f"{place}.grain", f"{field.grain[:40]!r} is no grain: write day")
                    del kept[field.name]
                elif field.time_zone and not _is_zone(field.time_zone):
                    self._wrong(
                        f"{place}.time_zone",
                        f"{field.time_zone[:40]!r} is no time zone: write Europe/Berlin",
                    )
                    del kept[field.name]
            datasets[name] = (
                dataset if len(kept) == len(dataset.fields) else replace(dataset, fields=kept)
            )
        self._model = replace(self._model, datasets=datasets)
        self._joins = Joins(self._model)

    def _check_row_filters(self) -> None:
        """A dataset whose rows cannot be withheld as it says is not read at all."""
        fields = FieldSql(self._model, self._joins, self._dialect)
        wrong: set[str] = set()
        for name, dataset in self._model.datasets.items():
            if dataset.row_filter:
                try:
                    fields.condition(dataset, dataset.row_filter, "")
                except InputError as problem:
                    self._wrong(f"datasets.{name}.row_filter", f"{problem}; it is not read at all")
                    wrong.add(name)
        if wrong:
            self._model = replace(
                self._model,
                datasets={
                    name: one for name, one in self._model.datasets.items() if name not in wrong
                },
                relationships=tuple(
                    one
                    for one in self._model.relationships
                    if one.one not in wrong and one.many not in wrong
                ),
            )
            self._joins = Joins(self._model)

    def _check_times(self) -> None:
        datasets = dict(self._model.datasets)
        for name, dataset in self._model.datasets.items():
            told = dataset.time_field.split(".") if dataset.time_field else []
            if told:
                parts = [name, *told] if len(told) == 1 else told
                reason = self._unreachable(name, parts)
                if reason:
                    self._wrong(f"datasets.{name}.time_field", reason)
                    datasets[name] = replace(dataset, time_field="")
        self._model = replace(self._model, datasets=datasets)
        self._joins = Joins(self._model)

    def _unreachable(self, base: str, parts: list[str]) -> str:
        try:
            self._joins.reach(base, parts)
        except (NotFoundError, NoWayError) as problem:
            return str(problem)
        except ManyWaysError as ways:
            return f"several ways lead there: write one of {', '.join(ways.codes)}"
        return ""

    def _metrics(self) -> dict[str, ModelMetric]:
        measures = Measures(self._model, self._joins, self._dialect)
        kept = dict(self._model.metrics)
        for name, metric in self._model.metrics.items():
            reason = self._simple_problem(metric, measures)
            if reason:
                self._wrong(f"metrics.{name}", reason)
                del kept[name]
        while broken := [
            (one, part.name)
            for one in kept.values()
            for part in one.inputs
            if part.name not in kept
        ]:
            for one, missing in broken:
                if one.name in kept:
                    self._wrong(
                        f"metrics.{one.name}", f"it needs {missing[:80]!r}, which is not there"
                    )
                    del kept[one.name]
        graph = {
            one.name: [part.name for part in one.inputs] for one in kept.values() if one.inputs
        }
        for ring in _rings(graph):
            for name in ring:
                if kept.pop(name, None) is not None:
                    text = f"it is made of itself: {' of '.join((*ring, ring[0]))[:200]}"
                    self._wrong(f"metrics.{name}", text)
        model = replace(self._model, metrics=kept)
        trees = MetricTrees(model, measures, self._dialect)
        for name, metric in list(kept.items()):
            if metric.kind != "simple":
                try:
                    trees.tree(name, Collected())
                except InputError as problem:
                    self._wrong(f"metrics.{name}", str(problem))
                    del kept[name]
        return kept

    def _simple_problem(self, metric: ModelMetric, measures: Measures) -> str:
        """Why a metric cannot be computed, as far as it says itself; or ""."""
        try:
            if metric.kind == "simple" and not self._is_plain(metric):
                measures.parts(metric)
            if metric.filter:
                self._check_filter(metric.filter, metric, measures)
            for one in metric.inputs:
                if one.filter:
                    self._check_filter(one.filter, metric, measures)
            if metric.grain_to_date and metric.grain_to_date not in GRAINS:
                return f"{metric.grain_to_date[:40]!r} is no grain: write month"
            return self._time_problem(metric)
        except (InputError, NotFoundError) as problem:
            return str(problem)

    def _time_problem(self, metric: ModelMetric) -> str:
        for code in (metric.time_field, metric.semi_additive[0] if metric.semi_additive else ""):
            if not code:
                continue
            start = code.split(".")[0]
            if "." not in code:
                return f"the time {code[:80]!r} is no dataset.field"
            if start not in self._model.datasets:
                return f"there is no dataset {start[:80]!r}"
            reason = self._unreachable(start, code.split("."))
            if reason:
                return reason
        return ""

    def _check_filter(self, text: str, metric: ModelMetric, measures: Measures) -> None:
        for column in columns(measures.qualified(text, metric.dataset)):
            start, *roles, name = column_parts(column)
            if not roles:
                self._joins.field(self._joins.dataset(start), name)

    def _is_plain(self, metric: ModelMetric) -> bool:
        """Whether a metric is right by its shape, so that it need not be parsed on its own."""
        text, dialect = written_for(metric.expression, self._dialect)
        if dialect or "'" in text or '"' in text or "--" in text or "/*" in text:
            return False
        owners: set[str] = set()
        for dataset, name in _QUALIFIED.findall(text):
            known = self._model.datasets.get(dataset)
            if known is None or name not in known.fields:
                return False
            owners.add(dataset)
        return len(owners) == 1 and _is_right_shape(_QUALIFIED.sub("d.f", text))


@lru_cache(maxsize=4_096)
def _is_right_shape(text: str) -> bool:
    """Whether an expression over `d.f` alone is allowed, every field within an aggregate."""
    from sqlglot import exp

    try:
        tree = parse(text, "")
    except ExpressionError:
        return False
    found = False
    for node in tree.walk(prune=is_aggregate):
        if isinstance(node, exp.Column):
            return False
        if is_aggregate(node):
            found = True
            if any(is_aggregate(inner) for inner in node.walk() if inner is not node):
                return False
            if any(not column.table for column in node.find_all(exp.Column)):
                return False
    return found


def _is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _rings(graph: dict[str, list[str]]) -> Iterable[list[str]]:
    """Return the rings of a graph: names that lead to one another, and those that name themselves.

    By Tarjan's algorithm, without recursion.
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    rings: list[list[str]] = []
    for root in graph:
        if root in order:
            continue
        work = [(root, iter(graph.get(root, ())))]
        order[root] = lowest[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, further = work[-1]
            for other in further:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(graph.get(other, ()))))
                    break
                if other in on_stack:
                    lowest[name] = min(lowest[name], order[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == order[name]:
                    ring: list[str] = []
                    while not ring or ring[-1] != name:
                        ring.append(stack.pop())
                        on_stack.discard(ring[-1])
                    if len(ring) > 1 or name in graph.get(name, ()):
                        rings.append(sorted(ring))
    return rings
