"""Values of dimensions as they are stored: listed, and found by what people call them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from groundwire.errors import InputError, NotFoundError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.compiled import run_for_model
from groundwire.metrics.models.expressions import literal
from groundwire.metrics.models.joins import ManyWaysError, NoWayError, Reached
from groundwire.metrics.models.rows import Rows
from groundwire.metrics.models.semantic import ModelField
from groundwire.metrics.table.query import Key, ResolvedValue
from groundwire.tables.engine import Engine, Limits, Value
from groundwire.vocabulary import Policy, Term, Vocabulary

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.metrics.models.offered import Offered
    from groundwire.metrics.models.warehouse import Compiler

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
