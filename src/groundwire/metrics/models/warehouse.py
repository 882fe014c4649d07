"""A warehouse as a store of tables: a semantic model, and the engine that holds its tables."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from groundwire.errors import InputError, LimitError, NotFoundError
from groundwire.metrics.models.arithmetic import NotExactError, evaluate
from groundwire.metrics.models.compilation import Compilation
from groundwire.metrics.models.compiled import AskSpan, Compiled, Output, Span, run_for_model
from groundwire.metrics.models.day_sql import DaySql
from groundwire.metrics.models.expressions import DIALECTS
from groundwire.metrics.models.joins import Joins, ManyWaysError, NoWayError
from groundwire.metrics.models.measures import Collected, Measures, MetricTrees
from groundwire.metrics.models.offered import Offered, StoredValues
from groundwire.metrics.models.rows import FieldSql, repeated_key
from groundwire.metrics.models.semantic import SemanticModel
from groundwire.metrics.models.spans import GRAINS, Grain, RowPeriods
from groundwire.metrics.table.query import (
    Dimension,
    Key,
    ResolvedValue,
    TableMetric,
    TableQuery,
    TableRow,
    TableRows,
)
from groundwire.tables.engine import Engine, Limits, Result, Value


class Compiler:
    """Compiles queries on one model for one dialect; threads may share it."""

    def __init__(self, model: SemanticModel, dialect: str, withheld: Collection[str] = ()) -> None:
        """Take the model, the dialect, and the levels whose fields and metrics are not offered.

        Raises:
            InputError: queries cannot be written in that dialect.
        """
        if dialect not in DIALECTS:
            raise InputError(f"No such dialect as {dialect[:40]!r}: use {', '.join(DIALECTS)}")
        self.model = model
        self.dialect = dialect
        self.withheld = frozenset(withheld)
        self.joins = Joins(model)
        self.days = DaySql(dialect)
        self.fields = FieldSql(model, self.joins, dialect)
        self.measures = Measures(model, self.joins, dialect)
        self.trees = MetricTrees(model, self.measures, dialect)
        month, day = model.fiscal_year_start.split("-")
        self.fiscal = (int(month), int(day))

    def compile(self, query: TableQuery, ask_span: AskSpan | None = None) -> Compiled:
        """Write a query as SQL.

        Args:
            query: the query.
            ask_span: asks for the first and last day of rows, which cumulative metrics need where
                the query names no period.

        Raises:
            AmbiguousQueryError: a dimension is reached in several ways, or in none.
            InputError: the query cannot be asked of this model.
        """
        return Compilation(self, query, ask_span).compiled()

    def grain(self, query: TableQuery) -> Grain:
        """Return the grain of a query on the model's calendar.

        Years, halves and quarters are the fiscal year's where one of the query's periods is.

        Raises:
            InputError: the grain does not exist, or none is named.
        """
        text = str(query.grain or "")
        unit = text.removeprefix("fiscal_")
        if unit not in GRAINS:
            said = f"{text[:40]!r} is no grain" if text else "The period needs a grain"
            raise InputError(f"{said}: use one of {', '.join(GRAINS)}")
        fiscal = text != unit or any(one.fiscal for one in query.periods)
        month, day = self.fiscal if fiscal else (1, 1)
        return Grain(unit, self.model.week_start, month, day)

    def periods(self, query: TableQuery) -> RowPeriods:
        """Return what tells the periods that rows of a query's answer are of."""
        grain = self.grain(query) if "period" in query.by else None
        return RowPeriods(query, grain, self.fiscal)

    def is_open(self, dataset: str, name: str) -> bool:
        """Return whether a field may be read."""
        return self.model.datasets[dataset].fields[name].level not in self.withheld

    def is_offered(self, name: str) -> bool:
        """Return whether a metric may be asked for: neither it nor what it reads is withheld."""
        if not self.withheld:
            return True
        collected = Collected()
        try:
            self.trees.tree(name, collected)
            return not self._withheld_part(name, (), collected)
        except (InputError, NotFoundError, ManyWaysError, NoWayError):
            return False

    def _withheld_part(self, name: str, above: tuple[str, ...], collected: Collected) -> bool:
        from groundwire.metrics.models.expressions import column_parts, columns, parse

        metric = self.model.metrics[name]
        if metric.level in self.withheld:
            return True
        if any(self._withheld_part(one.name, (*above, name), collected) for one in metric.inputs):
            return True
        if above:
            return False
        for rowset, measures in collected.rowsets.items():
            trees = [parse(measure.sql, "") for measure in measures]
            for text, dataset in rowset.filters:
                trees.append(self.measures.qualified(text, dataset))
            for tree in trees:
                for column in columns(tree):
                    reached = self.joins.reach(rowset.base, column_parts(column))
                    if not self.is_open(reached.dataset, reached.field.name):
                        return True
        return False


SPAN_SECONDS = 300.0
"""How long the first and last day of a table are kept."""

KEY_SECONDS = 3600.0
"""How long it is remembered that a key stands once."""

INEXACT = "{} holds values of floating numbers: they are near, not exact."
NO_NUMBER = "A value that is not a number (NaN or infinite) is told as none."
MAY_BE_NO_NUMBER = (
    "{} has rows without a value: there is none, or it is not a number (NaN or infinite)."
)
_FLOATING = ("DOUBLE", "FLOAT", "REAL")
_MOST_TRIES = 4


class WarehouseStore:
    """Answers table queries from a warehouse; threads may share it."""

    def __init__(
        self,
        model: SemanticModel,
        engine: Engine,
        withheld: Collection[str] = (),
        limits: Limits | None = None,
    ) -> None:
        """Take the model and its engine.

        Args:
            model: what the tables mean.
            engine: holds them.
            withheld: levels whose fields and metrics are not offered, in no way.
            limits: what one query may take.

        Raises:
            InputError: queries cannot be written for this engine.
        """
        self.model = model
        self._engine = engine
        self._limits = limits or Limits()
        self._compiler = Compiler(model, engine.dialect, withheld)
        self._offered = Offered(self._compiler)
        self._values = StoredValues(self._compiler, self._offered, engine, self._limits)
        self._spans: dict[str, tuple[float, Span]] = {}
        self._keys: dict[int, tuple[float, bool]] = {}
        self._lock = threading.Lock()

    def metrics(self) -> Sequence[TableMetric]:
        """Return all metrics that may be asked for and can be computed."""
        return self._offered.metrics()

    def dimensions(self) -> Sequence[Dimension]:
        """Return all dimensions; one in several roles is offered in each."""
        return self._offered.dimensions()

    def resolve_value(self, dimension: str, raw: str) -> ResolvedValue:
        """Return the stored value that a text names.

        Raises:
            InputError: the dimension does not exist.
            UnavailableError: the engine cannot be asked.
        """
        return self._values.resolve(dimension, raw)

    def values(self, dimension: str, metric: str, most: int) -> tuple[tuple[Key, ...], bool]:
        """Return stored values of a dimension, sorted, and whether they are all.

        Raises:
            InputError: the dimension does not exist.
            UnavailableError: the engine cannot be asked.
        """
        return self._values.listed(dimension, metric, most)

    def run(self, query: TableQuery, *, dry_run: bool = False) -> TableRows:
        """Answer a query; a dry run only says what it would run.

        A dry run of a cumulative metric without a period still asks for the first and last day.

        Raises:
            AmbiguousQueryError: a dimension is reached in several ways, or in none.
            InputError: the query cannot be asked of this model.
            ConfigurationError: the model does not fit the tables.
            UnavailableError: the engine cannot be asked, or not in time.
        """
        compiled = self._compiler.compile(query, self._span)
        if dry_run:
            return TableRows((), None, False, compiled.sql, (), compiled.plan)
        for at in compiled.joined:
            self._check_key(at)
        limits = replace(self._limits, rows=max(self._limits.rows, query.limit))
        result = run_for_model(self._engine, compiled.sql, limits)
        notes: dict[str, None] = {}
        rows = self._rows(result, compiled, query, notes)
        floating = [
            any(word in result.columns[one.column].type.upper() for word in _FLOATING)
            for one in compiled.values
        ]
        place = _ordered_value(query)
        if place is not None and floating[place]:
            result, rows = self._numbers_first(query, result, rows, notes)
        for at, name in enumerate(query.metrics):
            lacks = floating[at] and any(one.values[at] is None for one in rows)
            if lacks and NO_NUMBER not in notes:
                notes[MAY_BE_NO_NUMBER.format(name)] = None
        if not result.is_complete and len(rows) < query.limit:
            cut = (f"The engine's limits cut the answer after {len(rows):,} rows.",)
        else:
            cut = ()
        total = _total(result.rows, query)
        if total is None and query.offset:
            total = self._counted(query)
        complete = not cut and total is not None and query.offset + len(rows) >= total
        return TableRows(rows, total, complete, compiled.sql, cut, tuple(notes))

    def _rows(
        self, result: Result, compiled: Compiled, query: TableQuery, notes: dict[str, None]
    ) -> tuple[TableRow, ...]:
        periods = self._compiler.periods(query)
        place = query.by.index("period") if "period" in query.by else None
        return tuple(
            _in_time(_row(one, compiled, query, notes), periods, place) for one in result.rows
        )

    def _numbers_first(
        self, query: TableQuery, result: Result, rows: tuple[TableRow, ...], notes: dict[str, None]
    ) -> tuple[Result, tuple[TableRow, ...]]:
        """Return the rows with those first that have a number of the metric that orders them.

        Engines sort NaN and the infinities among numbers; they have no value here, and more rows
        are asked for where these fill the first ones.
        """
        asked = query
        for _ in range(_MOST_TRIES):
            lead = _without_value_first(rows, query)
            if not lead or query.offset or len(result.rows) < asked.limit:
                break
            asked = replace(asked, limit=2 * asked.limit + lead)
            compiled = self._compiler.compile(asked, self._span)
            limits = replace(self._limits, rows=max(self._limits.rows, asked.limit))
            result = run_for_model(self._engine, compiled.sql, limits)
            rows = self._rows(result, compiled, query, notes)
        if _without_value_first(rows, query):
            notes[NO_NUMBER] = None
            place = _ordered_value(query) or 0
            rows = tuple(sorted(rows, key=lambda row: row.values[place] is None))
        return result, rows[: query.limit]

    def _counted(self, query: TableQuery) -> int | None:
        """How many rows there are, where the offset is past all of them."""
        first = replace(query, offset=0, limit=1)
        result = run_for_model(
            self._engine, self._compiler.compile(first, self._span).sql, self._limits
        )
        return _total(result.rows, first)

    def _check_key(self, at: int) -> None:
        """See that rows refer to one row each; a key that stands twice would multiply them.

        Raises:
            InputError: it stands twice.
        """
        now = time.monotonic()
        with self._lock:
            seen = self._keys.get(at)
        if seen is None or now - seen[0] >= KEY_SECONDS:
            one = self.model.relationships[at]
            compiler = self._compiler
            select = repeated_key(compiler.fields, compiler.joins, one, compiler.days)
            sql = select.sql(compiler.dialect, comments=False, normalize_functions=False)
            seen = (now, bool(run_for_model(self._engine, sql, self._limits).rows))
            with self._lock:
                self._keys[at] = seen
        if seen[1]:
            one = self.model.relationships[at]
            raise InputError(
                f"{one.one} has several rows for one {', '.join(one.one_columns)[:80]}: what "
                f"refers to it would be counted several times; mend the relationship {one.name}"
            )

    def _span(self, sql: str) -> Span:
        now = time.monotonic()
        with self._lock:
            kept = self._spans.get(sql)
        if kept is not None and now - kept[0] < SPAN_SECONDS:
            return kept[1]
        result = run_for_model(self._engine, sql, self._limits)
        low, high = result.rows[0] if result.rows else (None, None)
        first, last = as_day(low), as_day(high)
        span = None if first is None or last is None else (first, last)
        with self._lock:
            self._spans[sql] = (now, span)
        return span


def _ordered_value(query: TableQuery) -> int | None:
    """The place of the metric whose values order the rows, or None."""
    first = query.order[0].by if query.order else ""
    return query.metrics.index(first) if first in query.metrics else None


def _without_value_first(rows: Sequence[TableRow], query: TableQuery) -> int:
    """How many rows without a value stand before one that has one; all, where none has one."""
    place = _ordered_value(query) or 0
    held = [at for at, row in enumerate(rows) if row.values[place] is not None]
    return sum(row.values[place] is None for row in rows[: held[-1]]) if held else len(rows)


def _total(rows: Sequence[tuple[Value, ...]], query: TableQuery) -> int | None:
    if rows:
        last = rows[0][-1]
        return int(last) if isinstance(last, int | Decimal) else None
    return None if query.offset else 0


def _in_time(row: TableRow, periods: RowPeriods, place: int | None) -> TableRow:
    """The row with its periods; where a key is one, it is called by its name."""
    now, before = periods(row.keys)
    if now is None:
        return row
    labels = tuple(
        now.label if at == place else "none" if key is None else str(key)
        for at, key in enumerate(row.keys)
    )
    return row._replace(
        period=now, period_before=before, labels=labels if place is not None else ()
    )


def _row(
    row: tuple[Value, ...], compiled: Compiled, query: TableQuery, notes: dict[str, None]
) -> TableRow:
    keys = tuple(
        as_day(value) if kind == "date" else as_key(value, kind)
        for value, kind in zip(row, compiled.keys, strict=False)
    )
    values = tuple(
        _exact(row, one, name, notes)
        for one, name in zip(compiled.values, query.metrics, strict=True)
    )
    before = tuple(
        _exact(row, one, name, notes)
        for one, name in zip(compiled.before, query.metrics, strict=False)
    )
    return TableRow(keys, values, before, compiled.sources)


def _exact(
    row: tuple[Value, ...], output: Output, name: str, notes: dict[str, None]
) -> Decimal | None:
    """A value from its parts where these are exact; else the engine's own, which is told."""
    own = row[output.column]
    if output.tree is not None:
        parts = {one: row[at] for one, at in output.parts.items()}
        if not any(isinstance(part, float) for part in parts.values()):
            try:
                return evaluate(
                    output.tree, {one: as_number(part, notes) for one, part in parts.items()}
                )
            except NotExactError:
                pass
    if isinstance(own, float):
        notes[INEXACT.format(name)] = None
    return as_number(own, notes)


def as_number(value: Value, notes: dict[str, None]) -> Decimal | None:
    """Return a value as a decimal, or None with a note where it is not a number.

    Raises:
        InputError: it is a text or a day: the metric has no number.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return Decimal(int(value))
    if isinstance(value, float):
        value = Decimal(repr(value))
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            notes[NO_NUMBER] = None
            return None
        return value
    raise InputError(f"The metric gives a {type(value).__name__}, not a number: mend the model")


def as_key(value: Value, kind: str) -> Key:
    """Return a value of a dimension as tables hold it; kind is its field's type, if known."""
    if isinstance(value, bool) or (kind == "boolean" and value in (0, 1)):
        return bool(value)
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        number = Decimal(repr(value))
        return number if number.is_finite() else None
    if isinstance(value, Decimal | str | datetime | date) or value is None:
        return value
    return value.isoformat()


def as_day(value: object) -> date | None:
    """Return a day, which SQLite holds as text.

    Raises:
        LimitError: the value is not a day.
    """
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        raise LimitError(
            f"{str(value)[:40]!r} is no day: the time field holds something else"
        ) from None
