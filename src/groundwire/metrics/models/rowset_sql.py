"""One rowset as a subquery: its rows, grouped by the keys of the query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Protocol

from groundwire.errors import InputError
from groundwire.metrics.models import nodes
from groundwire.metrics.models.day_sql import DaySql, day_table
from groundwire.metrics.models.expressions import ExpressionError, condition_sql, parse
from groundwire.metrics.models.joins import Joins, ManyWaysError, NoWayError, Reached
from groundwire.metrics.models.measures import Measure, Measures, Rowset
from groundwire.metrics.models.rows import FieldSql, Rows
from groundwire.metrics.models.semantic import SemanticModel
from groundwire.metrics.models.spans import (
    Grain,
    Ranges,
    axis,
    is_whole,
    moved,
    moved_end,
    step,
    window_start,
)
from groundwire.metrics.table.query import Condition

if TYPE_CHECKING:
    from sqlglot import exp


class ModelSql(Protocol):
    """The parts of a model that a rowset needs."""

    model: SemanticModel
    dialect: str
    joins: Joins
    days: DaySql
    fields: FieldSql
    measures: Measures


@dataclass(frozen=True, slots=True)
class Settled:
    """The part of a query for one rowset, every field found.

    Attributes:
        number: of the rowset.
        by: keys; None stands for the period.
        conditions: conditions with their fields.
        ranges: days that are asked about, or empty.
        grain: grain of the period, or None.
        time: what places rows in time, or None.
        moment: place among the keys of the time that the grain is about, or None.
    """

    number: int
    by: tuple[Reached | None, ...]
    conditions: tuple[tuple[Condition, Reached], ...]
    ranges: Ranges
    grain: Grain | None
    time: Reached | None
    moment: int | None


@dataclass(frozen=True, slots=True)
class RowsetSelect:
    """A rowset as SQL, and the subqueries that it needs, by name."""

    select: exp.Select
    needed: tuple[tuple[str, exp.Expr], ...] = ()


class RowsetSql:
    """Writes one rowset."""

    def __init__(
        self,
        sql: ModelSql,
        rowset: Rowset,
        settled: Settled,
        days_there: Callable[[], Ranges],
    ) -> None:
        """Take the rowset.

        Args:
            sql: the model as SQL.
            rowset: the rowset.
            settled: what the query asks of it.
            days_there: tells from which day to which the query's tables have rows.
        """
        self._sql = sql
        self._rowset = rowset
        self._settled = settled
        self._days_there = days_there
        self._days = sql.days
        self._needed: list[tuple[str, exp.Expr]] = []
        self._made: list[Rows] = []

    def select(self, measures: Mapping[Measure, str]) -> RowsetSelect:
        """Return the subquery: keys k0, k1, ..., then the measures by their columns' names.

        Raises:
            InputError: the query cannot be asked of these rows.
            ExpressionError: the model cannot be used.
        """
        try:
            write = self._cumulative if self._rowset.cumulative else self._plain
            found = write(measures)
        except ManyWaysError as ways:
            raise ExpressionError(
                f"a filter can be read in several ways: write one of {', '.join(ways.codes)}"
            ) from None
        except NoWayError as problem:
            raise ExpressionError(f"a filter does not apply: {problem}") from None
        return RowsetSelect(found, tuple(self._needed))

    def _rows(self) -> Rows:
        made = Rows(self._sql.fields, self._sql.joins, self._rowset.base, self._days)
        self._made.append(made)
        return made

    def joined(self) -> set[int]:
        """Return the relationships that the subquery joins along."""
        return set[int]().union(*(rows.joined() for rows in self._made))

    def _own_conditions(self, rows: Rows) -> list[exp.Expr]:
        """Return the conditions that the metric itself puts on its rows."""
        found: list[exp.Expr] = []
        own = rows.own_filter()
        if own is not None:
            found.append(own)
        found += [self._filter(rows, text, dataset) for text, dataset in self._rowset.filters]
        return found

    def _filter(self, rows: Rows, text: str, dataset: str) -> exp.Expr:
        from sqlglot import exp

        tree = self._sql.measures.qualified(text, dataset or self._rowset.base)
        return exp.Paren(this=rows.bound(tree))

    def _conditions(self, rows: Rows) -> list[exp.Expr]:
        found = self._own_conditions(rows)
        found += [
            condition_sql(condition, rows.value(reached), reached.field, self._days)
            for condition, reached in self._settled.conditions
        ]
        return found

    def _within(self, rows: Rows, ranges: Sequence[tuple[date | None, date]]) -> list[exp.Expr]:
        """The condition that rows are of some days."""
        from sqlglot import exp

        time = self._settled.time
        if not ranges or time is None:
            return []
        value = rows.value(time)
        field = time.field
        parts = [
            exp.Paren(this=self._days.between(value, field.datatype, field.time_zone, low, high))
            for low, high in ranges
        ]
        return [exp.Paren(this=exp.or_(*parts, copy=False))]

    def _keys(self, rows: Rows, moment: exp.Expr | None) -> list[exp.Expr]:
        found: list[exp.Expr] = []
        for at, reached in enumerate(self._settled.by):
            if at == self._settled.moment and moment is not None:
                found.append(moment)
            elif reached is not None:
                found.append(rows.value(reached))
        return found

    def _measured(self, rows: Rows, measure: Measure) -> exp.Expr:
        return self._exact_median(rows.bound(parse(measure.sql, "")))

    def _exact_median(self, tree: exp.Expr) -> exp.Expr:
        """Medians and deviations are of floating numbers; engines without an exact one refuse."""
        from sqlglot import exp

        name = type(tree).__name__
        if name in ("Median", "Stddev", "StddevPop", "StddevSamp", "Variance", "VariancePop"):
            dialect = self._sql.dialect
            if dialect == "sqlite" or (dialect == "trino" and name == "Median"):
                raise InputError(f"{dialect} has no exact {name.upper()}: ask another metric")
            floating = nodes.cast(tree.this.copy(), "DOUBLE")
            if dialect == "clickhouse" and name == "Median":
                return exp.ParameterizedAgg(
                    this="quantileExactInclusive",
                    expressions=[exp.Literal.number("0.5")],
                    params=[floating],
                )
            tree.set("this", floating)
        return tree

    def _grouped(
        self,
        source: Rows,
        keys: Sequence[exp.Expr],
        values: Sequence[tuple[str, exp.Expr]],
        conditions: Sequence[exp.Expr],
    ) -> exp.Select:
        columns = _named(keys, values)
        select = source.select(*columns)
        if conditions:
            select = select.where(*conditions, copy=False)
        return _group(select, len(keys))

    def _plain(self, measures: Mapping[Measure, str]) -> exp.Select:
        from sqlglot import exp

        settled, rowset = self._settled, self._rowset
        rows = self._rows()
        ranges = moved(settled.ranges, rowset.offsets)
        conditions = [*self._conditions(rows), *self._within(rows, ranges)]
        moment: exp.Expr | None = None
        mapped = ""
        if settled.moment is not None and settled.time is not None and settled.grain is not None:
            day = rows.day(settled.time)
            if rowset.offsets:
                conditions.append(exp.Not(this=exp.Is(this=day.copy(), expression=exp.null())))
            if self._whole_offsets(settled.grain):
                moment = self._days.first(day, settled.grain)
                for count, unit in rowset.offsets:
                    moment = self._days.move(moment, count, unit, settled.grain)
            else:
                mapped = self._day_map()
                moment = nodes.column("p", mapped)
        elif rowset.offsets and not settled.ranges:
            raise InputError("A metric that is read from earlier needs a period here: name one")
        keys = self._keys(rows, moment)
        values = [(name, self._measured(rows, one)) for one, name in measures.items()]
        edge = self._edge(ranges) if rowset.semi is not None else ""
        extra = self._edge_join(rows, edge) if edge else []
        if mapped and settled.time is not None:
            same = exp.EQ(this=rows.day(settled.time), expression=nodes.column("d", mapped))
            extra.append((mapped, same))
        select = rows.select(*_named(keys, values))
        for name, on in extra:
            nodes.join(select, nodes.table(name), on, "")
        if conditions:
            select = select.where(*conditions, copy=False)
        return _group(select, len(keys))

    def _whole_offsets(self, grain: Grain) -> bool:
        offsets = self._rowset.offsets
        if all(is_whole(count, unit, grain.unit) for count, unit in offsets):
            return True
        if grain.unit == "day":
            return False
        count, unit = next(one for one in offsets if not is_whole(*one, grain.unit))
        raise InputError(
            f"{count} {unit} earlier is no whole number of {grain.unit}s: ask by {unit} or by day"
        )

    def _day_map(self) -> str:
        """A table of days with the day that each is compared with."""
        grain = self._settled.grain or Grain("day")
        rows: list[tuple[date, ...]] = []
        for first in axis(self._ranges_or_span(), grain):
            day = first
            for count, unit in self._rowset.offsets:
                day = step(day, -count, unit)
            rows.append((first, day))
        name = f"gw_x{self._settled.number}"
        self._needed.append((name, day_table(self._days, ("p", "d"), rows)))
        return name

    def _edge(self, ranges: Ranges) -> str:
        """The first or last day that the metric's rows have, in each period."""
        from sqlglot import exp

        assert self._rowset.semi is not None
        settled = self._settled
        rows = self._rows()
        field = self._semi_field()
        conditions = [*self._own_conditions(rows), *self._within(rows, ranges)]
        day = rows.day(field)
        kind = exp.Max if self._rowset.semi[1] == "last" else exp.Min
        columns: list[exp.Expr] = [nodes.named(kind(this=day), "d")]
        timed = settled.moment is not None
        if timed and settled.time is not None and settled.grain is not None:
            first = self._days.first(rows.day(settled.time), settled.grain)
            columns.insert(0, nodes.named(first, "p"))
        select = rows.select(*columns)
        if conditions:
            select = select.where(*conditions, copy=False)
        if timed:
            select = select.group_by(exp.Literal.number(1), copy=False)
        name = f"gw_e{settled.number}"
        self._needed.append((name, select))
        return name

    def _semi_field(self) -> Reached:
        assert self._rowset.semi is not None
        return self._sql.joins.reach(self._rowset.base, self._rowset.semi[0].split("."))

    def _edge_join(self, rows: Rows, edge: str) -> list[tuple[str, exp.Expr]]:
        from sqlglot import exp

        settled = self._settled
        on: exp.Expr = exp.EQ(this=rows.day(self._semi_field()), expression=nodes.column("d", edge))
        if settled.moment is not None and settled.time is not None and settled.grain is not None:
            first = self._days.first(rows.day(settled.time), settled.grain)
            same = exp.EQ(this=first, expression=nodes.column("p", edge))
            on = exp.and_(on, same, copy=False)
        return [(edge, on)]

    def _cumulative(self, measures: Mapping[Measure, str]) -> exp.Select:
        settled = self._settled
        if self._rowset.semi is not None:
            raise InputError("What is taken at the end of a period cannot be added up over time")
        if settled.time is None:
            raise InputError("A cumulative metric needs a time: the model names none")
        if settled.moment is None or settled.grain is None:
            return self._cumulative_total(measures)
        return self._cumulative_series(measures, settled.grain)

    def _cumulative_total(self, measures: Mapping[Measure, str]) -> exp.Select:
        """All rows of one window, which ends with what is asked about."""
        rows = self._rows()
        ranges = self._ranges_or_span()
        conditions = self._conditions(rows)
        if ranges:
            offsets = self._rowset.offsets
            if self._settled.ranges:
                end = max(high for _, high in moved(ranges, offsets))
            else:
                end = moved_end(max(high for _, high in ranges), offsets)
            low = self._window_start(end)
            conditions += self._within(rows, ((low, end),))
        keys = self._keys(rows, None)
        values = [(name, self._measured(rows, one)) for one, name in measures.items()]
        return self._grouped(rows, keys, values, conditions)

    def _window_start(self, end: date) -> date | None:
        to_date = self._rowset.to_date
        grain = Grain(to_date, self._sql.model.week_start) if to_date else None
        return window_start(end, self._rowset.window, grain)

    def _cumulative_series(self, measures: Mapping[Measure, str], grain: Grain) -> exp.Select:
        """For each period the rows of the window that ends with it."""
        from sqlglot import exp

        windows = self._windows(grain)
        name = f"gw_x{self._settled.number}"
        self._needed.append((name, day_table(self._days, ("p", "low", "high"), windows)))
        rows = self._rows()
        assert self._settled.time is not None
        conditions = self._conditions(rows)
        if windows:
            low = min(one[1] for one in windows)
            widest = (None if low == date(1, 1, 1) else low, max(one[2] for one in windows))
            conditions += self._within(rows, (widest,))
        day = rows.day(self._settled.time)
        period = nodes.column("p", name)
        if not all(one.adds_up for one in measures):
            keys = self._keys(rows, period)
            values = [(column, self._measured(rows, one)) for one, column in measures.items()]
            select = rows.select(*_named(keys, values))
            nodes.join(select, nodes.table(name), _inside(day, name), "")
            if conditions:
                select = select.where(*conditions, copy=False)
            return _group(select, len(keys))
        inner_keys = self._keys(rows, day)
        inner = self._grouped(
            rows,
            inner_keys,
            [(column, self._measured(rows, one)) for one, column in measures.items()],
            conditions,
        )
        by_day = f"gw_d{self._settled.number}"
        self._needed.append((by_day, inner))
        keys = [
            period if at == self._settled.moment else nodes.column(f"k{at}", by_day)
            for at in range(len(self._settled.by))
        ]
        again = {"sum": exp.Sum, "min": exp.Min, "max": exp.Max}
        values = [
            (column, again[one.adds_up](this=nodes.column(column, by_day)))
            for one, column in measures.items()
        ]
        at_day = nodes.column(f"k{self._settled.moment}", by_day)
        select = exp.select(*_named(keys, values), copy=False).from_(
            nodes.table(by_day), copy=False
        )
        nodes.join(select, nodes.table(name), _inside(at_day, name), "")
        return _group(select, len(keys))

    def _windows(self, grain: Grain) -> list[tuple[date, ...]]:
        found: list[tuple[date, ...]] = []
        asked = moved(self._settled.ranges, self._rowset.offsets)
        for first in axis(self._ranges_or_span(), grain):
            start = first
            for count, unit in self._rowset.offsets:
                start = grain.first(step(start, -count, unit))
            end = grain.last(start)
            inside = [high for low, high in asked if low <= end and high >= start]
            if inside:
                end = min(end, max(inside))
            found.append((first, self._window_start(end) or date(1, 1, 1), end))
        return found

    def _ranges_or_span(self) -> Ranges:
        """The days that are asked about, or all that there are."""
        return self._settled.ranges or self._days_there()

    def span_sql(self) -> str:
        """Return a SELECT of the first and last day of the dataset's rows; "" without a time."""
        from sqlglot import exp

        if self._settled.time is None:
            return ""
        rows = self._rows()
        day = rows.day(self._settled.time)
        own = rows.own_filter()
        select = rows.select(
            nodes.named(exp.Min(this=day), "low"),
            nodes.named(exp.Max(this=day.copy()), "high"),
        )
        if own is not None:
            select = select.where(own, copy=False)
        return select.sql(self._sql.dialect, comments=False, normalize_functions=False)


def _named(keys: Sequence[exp.Expr], values: Sequence[tuple[str, exp.Expr]]) -> list[exp.Expr]:
    from sqlglot import exp

    found: list[exp.Expr] = [nodes.named(key, f"k{at}") for at, key in enumerate(keys)]
    found += [nodes.named(value, name) for name, value in values]
    return found or [nodes.named(exp.Count(this=exp.Star()), "a0")]


def _group(select: exp.Select, keys: int) -> exp.Select:
    """Group by the first columns; without any, rows that are none make no group either."""
    from sqlglot import exp

    if keys:
        return select.group_by(*(exp.Literal.number(at + 1) for at in range(keys)), copy=False)
    some = exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(0))
    return select.having(some, copy=False)


def _inside(day: exp.Expr, window: str) -> exp.Expr:
    from sqlglot import exp

    return exp.and_(
        exp.GTE(this=day.copy(), expression=nodes.column("low", window)),
        exp.LTE(this=day.copy(), expression=nodes.column("high", window)),
        copy=False,
    )
