"""The offer of a model: its metrics, what they can be told by, and the values that are stored.

Stored values are listed, and found by what people call them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.compiled import run_for_model
from groundwire.metrics.models.expressions import literal
from groundwire.metrics.models.joins import ManyWaysError, NoWayError, Reached, day_field
from groundwire.metrics.models.measures import Collected, Rowset
from groundwire.metrics.models.rows import Rows
from groundwire.metrics.models.semantic import Dataset, ModelField
from groundwire.metrics.table.query import Dimension, Key, ResolvedValue, TableMetric
from groundwire.quantities import PeriodGrain
from groundwire.tables.engine import Engine, Limits, Value
from groundwire.vocabulary import Policy, Term, Vocabulary

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
                    verbs=metric.verbs,
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


MOST_VALUES = 20_000
"""Most values of one dimension that are kept for matching."""
KEPT_SECONDS = 300.0
MOST_KEPT = 64
MOST_CANDIDATES = 5
_LONGEST_RAW = 400
_MOST_ALIKE = 200


@dataclass(frozen=True, slots=True)
class _Kept:
    """Values of one dimension, and when they were read."""

    values: tuple[Key, ...]
    complete: bool
    read_at: float
    vocabulary: Vocabulary
    by_text: dict[str, Key]


class StoredValues:
    """Looks values up in the engine and keeps them for five minutes."""

    def __init__(
        self, compiler: Compiler, offered: Offered, engine: Engine, limits: Limits
    ) -> None:
        """Take the model's compiler and the engine."""
        self._compiler = compiler
        self._offered = offered
        self._engine = engine
        self._limits = limits
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def listed(self, dimension: str, metric: str, most: int) -> tuple[tuple[Key, ...], bool]:
        """Return stored values, sorted, empty ones left out, and whether they are all.

        Args:
            dimension: its code.
            metric: code of a metric whose rows have them, or "" for any.
            most: most values.

        Raises:
            InputError: the dimension does not exist.
            UnavailableError: the engine cannot be asked.
        """
        bases = self._offered.bases(metric) if metric else frozenset[str]()
        if bases:
            found: set[Key] = set()
            complete = True
            for base in sorted(bases):
                values, whole = self._read(dimension, base, most)
                found |= set(values)
                complete = complete and whole
            ordered = tuple(sorted(found, key=_sort_key))
            return ordered[:most], complete and len(ordered) <= most
        return self._read(dimension, "", most)

    def resolve(self, dimension: str, raw: str) -> ResolvedValue:
        """Return the stored value that a text names, or candidates.

        Raises:
            InputError: the dimension does not exist.
            UnavailableError: the engine cannot be asked.
        """
        field = self._reached(dimension, "")[1].field
        text = raw.strip()
        typed = _typed(text, field)
        if field.datatype in ("integer", "decimal", "float", "boolean", "date", "timestamp"):
            return self._resolve_typed(dimension, typed)
        if len(raw) > _LONGEST_RAW:
            return ResolvedValue("unknown")
        kept = self._keep(dimension)
        if raw in kept.by_text:
            return ResolvedValue("exact", kept.by_text[raw])
        alike: tuple[Key, ...] = ()
        if not kept.complete:
            if self._holds(dimension, text):
                return ResolvedValue("exact", text)
            alike = self._alike(dimension, text)
        found = kept.vocabulary.resolve(text, Policy.CANDIDATES_ONLY, MOST_CANDIDATES)
        candidates = tuple(kept.by_text[one.term.id] for one in found.candidates)
        named: list[Key] = [kept.by_text[found.term.id]] if found.term is not None else []
        hits: tuple[Key, ...] = tuple(dict.fromkeys([*alike, *named]))
        if len(hits) == 1:
            how = found.how if found.how == "alias" else "folded"
            return ResolvedValue("exact" if str(hits[0]) == text else how, hits[0])
        if hits or found.how == "ambiguous":
            several: tuple[Key, ...] = tuple(dict.fromkeys([*hits, *candidates]))
            return ResolvedValue("ambiguous", None, several[:MOST_CANDIDATES])
        return ResolvedValue("unknown", None, candidates)

    def _resolve_typed(self, dimension: str, typed: Key) -> ResolvedValue:
        if typed is None:
            values, _ = self._read(dimension, "", MOST_CANDIDATES)
            return ResolvedValue("unknown", None, values)
        if self._holds(dimension, typed):
            return ResolvedValue("exact", typed)
        return ResolvedValue("unknown", None, self._nearest(dimension, typed))

    def _nearest(self, dimension: str, typed: Key) -> tuple[Key, ...]:
        values, _ = self._read(dimension, "", 2_000)
        if isinstance(typed, Decimal):
            numbers = [one for one in values if isinstance(one, Decimal)]
            return tuple(sorted(numbers, key=lambda one: abs(one - typed))[:MOST_CANDIDATES])
        if type(typed) is date:
            days = [one for one in values if type(one) is date]
            near = sorted(days, key=lambda one: abs((one - typed).days))
            return tuple(near[:MOST_CANDIDATES])
        return tuple(values[:MOST_CANDIDATES])

    def _reached(self, dimension: str, base: str) -> tuple[str, Reached]:
        """The dataset to start from, and the field."""
        parts = dimension.split(".")
        try:
            if len(parts) < 2:
                raise NotFoundError(f"{dimension[:80]!r} is no dimension: write dataset.field")
            start = base or self._compiler.joins.dataset(parts[0]).name
            found = self._compiler.joins.reach(start, parts)
        except (NotFoundError, NoWayError) as problem:
            raise InputError(str(problem)) from None
        except ManyWaysError as ways:
            raise InputError(f"{dimension} is one of {', '.join(ways.codes)}: send one") from None
        if not self._compiler.is_open(found.dataset, found.field.name):
            raise InputError(f"The dataset {found.dataset} has no field {found.field.name!r}")
        if not base:
            # The values of the dataset itself, whether or not anything refers to them.
            start, found = found.dataset, Reached((), found.dataset, found.field)
        return start, found

    def _select(
        self, dimension: str, base: str
    ) -> tuple[Rows, exp.Expr, exp.Expr | None, ModelField]:
        start, reached = self._reached(dimension, base)
        compiler = self._compiler
        rows = Rows(compiler.fields, compiler.joins, start, compiler.days)
        return rows, rows.value(reached), rows.own_filter(), reached.field

    def _read(self, dimension: str, base: str, most: int) -> tuple[tuple[Key, ...], bool]:
        from sqlglot import exp

        rows, value, own, field = self._select(dimension, base)
        select = rows.select(nodes.named(value, "k0")).distinct(copy=False)
        filled = exp.Not(this=exp.Is(this=value.copy(), expression=exp.null()))
        select = select.where(*([own] if own is not None else []), filled, copy=False)
        select = select.order_by(exp.Ordered(this=exp.Literal.number(1)), copy=False)
        result = self._ask(select.limit(most + 1, copy=False), most + 1)
        found = [_as_key(row[0], field) for row in result]
        return tuple(sorted(found[:most], key=_sort_key)), len(found) <= most

    def _holds(self, dimension: str, value: Key) -> bool:
        from sqlglot import exp

        rows, column, own, field = self._select(dimension, "")
        if type(value) is date and field.datatype == "timestamp":
            same = self._compiler.days.between(
                column, field.datatype, field.time_zone, value, value
            )
        else:
            same = exp.EQ(this=column, expression=literal(value, self._compiler.days))
        select = rows.select(nodes.named(exp.Literal.number(1), "k0"))
        select = select.where(*([own] if own is not None else []), same, copy=False)
        return bool(self._ask(select.limit(1, copy=False), 1))

    def _alike(self, dimension: str, text: str) -> tuple[Key, ...]:
        """Values that differ by case only, where there are too many to keep."""
        from sqlglot import exp

        rows, column, own, field = self._select(dimension, "")
        same = exp.EQ(
            this=exp.Lower(this=column),
            expression=exp.Lower(this=literal(text, self._compiler.days)),
        )
        select = rows.select(nodes.named(column.copy(), "k0")).distinct(copy=False)
        select = select.where(*([own] if own is not None else []), same, copy=False)
        found = self._ask(select.limit(_MOST_ALIKE, copy=False), _MOST_ALIKE)
        return tuple(sorted((_as_key(row[0], field) for row in found), key=_sort_key))

    def _ask(self, select: exp.Select, rows: int) -> tuple[tuple[Value, ...], ...]:
        sql = select.sql(self._compiler.dialect, comments=False, normalize_functions=False)
        limits = Limits(self._limits.seconds, rows, self._limits.characters)
        return run_for_model(self._engine, sql, limits).rows

    def _keep(self, dimension: str) -> _Kept:
        now = time.monotonic()
        with self._lock:
            kept = self._kept.get(dimension)
        if kept is not None and now - kept.read_at < KEPT_SECONDS:
            return kept
        values, complete = self._read(dimension, "", MOST_VALUES)
        by_text = {str(value): value for value in values}
        kept = _Kept(
            values, complete, now, Vocabulary(Term(text, text) for text in by_text), by_text
        )
        with self._lock:
            if len(self._kept) >= MOST_KEPT:
                oldest = min(self._kept, key=lambda one: self._kept[one].read_at)
                del self._kept[oldest]
            self._kept[dimension] = kept
        return kept


def _typed(text: str, field: ModelField) -> Key:
    """A text as a value of the field's type; None if it is none."""
    try:
        match field.datatype:
            case "integer" | "decimal" | "float":
                number = Decimal(text) if len(text) <= 60 else None
                return number if number is not None and number.is_finite() else None
            case "boolean":
                return {"true": True, "false": False}.get(text.casefold())
            case "date":
                return date.fromisoformat(text)
            case "timestamp":
                return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
            case _:
                return text
    except (ValueError, InvalidOperation):
        return None


def _as_key(value: Value, field: ModelField) -> Key:
    from groundwire.metrics.models.warehouse import as_day, as_key

    return as_day(value) if field.datatype == "date" else as_key(value, field.datatype)


def _sort_key(value: Key) -> tuple[int, object]:
    match value:
        case bool():
            return 0, value
        case Decimal():
            return 1, value
        case datetime():
            return 2, value
        case date():
            return 3, value
        case None:
            return 5, ""
        case _:
            return 4, value
