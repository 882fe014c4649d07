"""Answers to table queries over rows in plain Python: no SQL, and nothing of the compiler.

A world is tables of rows, how they refer to each other, and metrics told as what they mean. The
rules: a measure is taken over the rows of its own table; rows that refer to nothing have an empty
key; a group without rows has no value; a row of the answer stands where a measure that is not
read from earlier has rows.
"""

from __future__ import annotations

import calendar
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal, localcontext
from functools import cache
from zoneinfo import ZoneInfo

Row = Mapping[str, object]
Ranges = tuple[tuple[date, date], ...]


@dataclass(frozen=True)
class Link:
    """Rows of `many` refer to a row of `one`."""

    name: str
    many: str
    one: str
    columns: tuple[tuple[str, str], ...]
    label: str = ""


@dataclass(frozen=True)
class Test:
    """A condition on what is found along links: op is one of = <> > >= < <= in not_in range."""

    links: tuple[str, ...]
    column: str
    op: str
    value: object


@dataclass(frozen=True)
class Agg:
    """One aggregate of the products of columns, over the rows of a table that meet the tests."""

    func: str
    table: str
    factors: tuple[tuple[tuple[str, ...], str], ...] = ()
    tests: tuple[Test, ...] = ()
    case: Test | None = None


@dataclass(frozen=True)
class Spec:
    """A metric.

    `tree` is nested tuples: ("agg", Agg), ("const", Decimal), ("metric", name, offset, tests) and
    (operator, left, right). `time` is the links and the column that place its rows in time.
    """

    name: str
    tree: tuple
    time: tuple[tuple[str, ...], str] | None = None
    semi: str = ""
    window: tuple[int, str] | None = None
    to_date: str = ""
    cumulative: bool = False


@dataclass
class World:
    """Tables, links and metrics; `keep` leaves out rows of a table that nobody may read."""

    name: str
    tables: dict[str, list[dict[str, object]]]
    types: dict[str, dict[str, str]]
    links: dict[str, Link]
    specs: dict[str, Spec]
    keep: dict[str, Test] = field(default_factory=dict)
    zones: dict[tuple[str, str], str] = field(default_factory=dict)
    week_start: int = 0
    fiscal: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        self._rows: dict[str, dict[tuple, dict[str, object]]] = {}

    def referred(self, link: Link, row: Row) -> Row | None:
        if link.name not in self._rows:
            self._rows[link.name] = {
                tuple(other[one] for _, one in link.columns): other
                for other in self.readable(link.one)
            }
        key = tuple(row[many] for many, _ in link.columns)
        return None if None in key else self._rows[link.name].get(key)

    def readable(self, table: str) -> Iterator[dict[str, object]]:
        test = self.keep.get(table)
        return (row for row in self.tables[table] if test is None or holds(test, row[test.column]))

    def read(self, row: Row, links: Sequence[str], column: str) -> object:
        at: Row | None = row
        for name in links:
            at = self.referred(self.links[name], at)
            if at is None:
                return None
        return at[column]

    def ways(self, table: str, target: str) -> list[tuple[str, ...]]:
        """Every way along links from one table to another that passes no table twice."""
        found: list[tuple[str, ...]] = []

        def walk(at: str, seen: tuple[str, ...], way: tuple[str, ...]) -> None:
            if at == target:
                found.append(way)
                return
            for link in self.links.values():
                if link.many == at and link.one not in seen:
                    walk(link.one, (*seen, link.one), (*way, link.name))

        walk(table, (table,), ())
        return found

    def day(self, table: str, row: Row, time: tuple[tuple[str, ...], str]) -> date | None:
        links, column = time
        value = self.read(row, links, column)
        if isinstance(value, datetime):
            owner = self.links[links[-1]].one if links else table
            zone = self.zones.get((owner, column))
            if zone:
                value = value.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo(zone))
            return value.date()
        return value


def holds(test: Test, value: object) -> bool:
    if test.op == "in":
        return value in test.value
    if test.op == "not_in":
        return value not in test.value
    if value is None:
        return False
    if test.op == "range":
        low, high, low_in, high_in = test.value
        above = low is None or (value >= low if low_in else value > low)
        return above and (high is None or (value <= high if high_in else value < high))
    return {
        "=": value == test.value,
        "<>": value != test.value,
        ">": value > test.value,
        ">=": value >= test.value,
        "<": value < test.value,
        "<=": value <= test.value,
    }[test.op]


def add_months(day: date, months: int) -> date:
    at = day.year * 12 + day.month - 1 + months
    year, month = divmod(at, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def step(day: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    return add_months(day, count * {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit])


def first_day(day: date, grain: str, week_start: int = 0, fiscal: tuple[int, int] = (1, 1)) -> date:
    """First day of the period of a grain that holds a day."""
    if grain == "day":
        return day
    if grain == "week":
        return day - timedelta(days=(day.weekday() - week_start) % 7)
    if grain == "month":
        return day.replace(day=1)
    months = {"quarter": 3, "half": 6, "year": 12}[grain]
    start = date(day.year - 1, *fiscal)
    while add_months(start, months) <= day:
        start = add_months(start, months)
    return start


def last_day(first: date, grain: str) -> date:
    return step(first, 1, grain) - timedelta(days=1)


def shifted(ranges: Ranges, count: int, unit: str) -> Ranges:
    """The same days earlier; the day after the last one is moved, so that months stay whole."""
    return tuple(
        (step(low, -count, unit), step(high + timedelta(days=1), -count, unit) - timedelta(days=1))
        for low, high in ranges
    )


@dataclass(frozen=True)
class Asked:
    """A query in the terms of a world: dimensions are links and a column, by table."""

    metrics: tuple[str, ...]
    by: tuple[object, ...]
    where: tuple[tuple[object, str, object], ...] = ()
    ranges: Ranges = ()
    grain: str = ""
    fiscal: bool = False
    compare: str = ""


@dataclass(frozen=True)
class Leaf:
    agg: Agg
    time: tuple[tuple[str, ...], str] | None
    semi: str
    window: tuple[int, str] | None
    to_date: str
    cumulative: bool
    offsets: tuple[tuple[int, str], ...]


class Brute:
    """Answers one query."""

    def __init__(self, world: World, asked: Asked) -> None:
        self.world = world
        self.asked = asked
        self.timed = "period" in asked.by
        self._span: list[date] | None = None
        self._leaf_rows: dict[Leaf, dict[tuple, list[tuple[date | None, Row]]]] = {}

    def trunc(self, day: date) -> date:
        fiscal = self.world.fiscal if self.asked.fiscal else (1, 1)
        return first_day(day, self.asked.grain, self.world.week_start, fiscal)

    def rows(self) -> dict[tuple, tuple[list[Decimal | None], list[Decimal | None]]]:
        """Keys to values and values before."""
        keys: set[tuple] = set()
        for name in self.asked.metrics:
            leaves = list(self.leaves(name))
            anchors = [leaf for leaf in leaves if not leaf.offsets]
            if not anchors:
                anchors = [self.now(leaf) for leaf in leaves]
            for leaf in anchors:
                keys |= self.keys(leaf)
        answer = {}
        for key in keys:
            values = [self.value(name, key, ()) for name in self.asked.metrics]
            before = []
            if self.asked.compare:
                back = self.back()
                before = [self.value(name, key, (back,)) for name in self.asked.metrics]
            answer[key] = (values, before)
        return answer

    def back(self) -> tuple[int, str]:
        if self.asked.compare == "previous_year":
            if self.timed and self.asked.grain == "week":
                return (52, "week")
            return (1, "year")
        if self.timed:
            return (1, self.asked.grain)
        (low, high), *_ = self.asked.ranges
        months = (high.year - low.year) * 12 + high.month - low.month + 1
        whole = low.day == 1 and (high + timedelta(days=1)).day == 1
        return (months, "month") if whole else ((high - low).days + 1, "day")

    @staticmethod
    def now(leaf: Leaf) -> Leaf:
        return Leaf(leaf.agg, leaf.time, leaf.semi, leaf.window, leaf.to_date, leaf.cumulative, ())

    def leaves(self, name: str, offsets: tuple = ()) -> Iterator[Leaf]:
        yield from self._tree_leaves(self.world.specs[name], self.world.specs[name].tree, offsets)

    def _tree_leaves(self, spec: Spec, tree: tuple, offsets: tuple) -> Iterator[Leaf]:
        if tree[0] == "agg":
            yield self.leaf(spec, tree[1], (), offsets, spec)
        elif tree[0] == "metric":
            inner = self.world.specs[tree[1]]
            more = offsets if tree[2] is None else (*offsets, tree[2])
            for leaf in self._tree_leaves(inner, inner.tree, more):
                yield self.with_outer(leaf, spec, tree[3])
        elif tree[0] != "const":
            for part in tree[1:]:
                yield from self._tree_leaves(spec, part, offsets)

    @staticmethod
    def with_outer(leaf: Leaf, outer: Spec, tests: tuple[Test, ...]) -> Leaf:
        agg = leaf.agg
        if tests:
            agg = Agg(agg.func, agg.table, agg.factors, (*agg.tests, *tests), agg.case)
        if not outer.cumulative:
            return Leaf(
                agg, leaf.time, leaf.semi, leaf.window, leaf.to_date, leaf.cumulative, leaf.offsets
            )
        return Leaf(agg, leaf.time, leaf.semi, outer.window, outer.to_date, True, leaf.offsets)

    @staticmethod
    def leaf(spec: Spec, agg: Agg, tests: tuple, offsets: tuple, outer: Spec) -> Leaf:
        return Leaf(agg, spec.time, spec.semi, outer.window, outer.to_date, False, offsets)

    def pool(self, leaf: Leaf) -> dict[tuple, list[tuple[date | None, Row]]]:
        """Rows that count, by the keys that are no period."""
        now = self.now(leaf)
        if now not in self._leaf_rows:
            found: dict[tuple, list[tuple[date | None, Row]]] = {}
            table = leaf.agg.table
            for day, row in self.base(leaf):
                if all(self.meets(table, row, one) for one in self.asked.where):
                    key = tuple(
                        self.world.read(row, *self.way(table, one))
                        for one in self.asked.by
                        if one != "period"
                    )
                    found.setdefault(key, []).append((day, row))
            self._leaf_rows[now] = found
        return self._leaf_rows[now]

    def base(self, leaf: Leaf) -> Iterator[tuple[date | None, Row]]:
        """Rows that the metric itself counts, whatever is asked."""
        agg = leaf.agg
        for row in self.world.readable(agg.table):
            if all(
                holds(test, self.world.read(row, test.links, test.column)) for test in agg.tests
            ):
                day = None if leaf.time is None else self.world.day(agg.table, row, leaf.time)
                yield day, row

    def meets(self, table: str, row: Row, condition: tuple[object, str, object]) -> bool:
        where, op, value = condition
        links, column = self.way(table, where)
        return holds(Test(links, column, op, value), self.world.read(row, links, column))

    def way(self, table: str, dimension: object) -> tuple[tuple[str, ...], str]:
        """Links and column of a dimension, given as (table, column) or (table, links, column)."""
        if len(dimension) == 3:
            start, links, column = dimension
            (ahead,) = self.world.ways(table, start)
            return (*ahead, *links), column
        target, column = dimension
        (links,) = self.world.ways(table, target)
        return links, column

    def ranges(self, leaf: Leaf, offsets: tuple) -> Ranges:
        ranges = self.asked.ranges
        for count, unit in offsets:
            ranges = shifted(ranges, count, unit)
        return ranges

    def keys(self, leaf: Leaf) -> set[tuple]:
        """Full keys of the groups that have rows."""
        found: set[tuple] = set()
        for key, rows in self.pool(leaf).items():
            if not self.timed:
                if self.chosen(leaf, key, None, ()):
                    found.add(key)
            elif leaf.cumulative:
                for first in self.axis(leaf):
                    if self.chosen(leaf, key, first, ()):
                        found.add(self.full(key, first))
            else:
                for first in {None if day is None else self.trunc(day) for day, _ in rows}:
                    if self.chosen(leaf, key, first, ()):
                        found.add(self.full(key, first))
        return found

    def full(self, key: tuple, first: date | None) -> tuple:
        left = iter(key)
        return tuple(first if one == "period" else next(left) for one in self.asked.by)

    def axis(self, leaf: Leaf) -> list[date]:
        ranges = self.asked.ranges
        if not ranges:
            days = self.span()
            if not days:
                return []
            ranges = ((min(days), max(days)),)
        found: set[date] = set()
        for low, high in ranges:
            day = low
            while day <= high:
                found.add(self.trunc(day))
                day = step(self.trunc(day), 1, self.asked.grain)
        return sorted(found)

    def span(self) -> list[date]:
        """First and last day of all tables that the query places in time."""
        if self._span is None:
            days = [
                day
                for name in self.asked.metrics
                for leaf in self.leaves(name)
                if leaf.time is not None and (self.timed or leaf.cumulative)
                for row in self.world.readable(leaf.agg.table)
                if (day := self.world.day(leaf.agg.table, row, leaf.time)) is not None
            ]
            self._span = [min(days), max(days)] if days else []
        return self._span

    def chosen(self, leaf: Leaf, key: tuple, first: date | None, offsets: tuple) -> list[Row]:
        """Rows of one group."""
        rows = self.pool(leaf).get(key, [])
        if leaf.cumulative:
            return self.accumulated(leaf, rows, first, offsets)
        ranges = self.ranges(leaf, offsets)
        if ranges:
            rows = [
                (day, row)
                for day, row in rows
                if day is not None and any(low <= day <= high for low, high in ranges)
            ]
        if self.timed:
            wanted = first
            for count, unit in offsets:
                wanted = None if wanted is None else step(wanted, -count, unit)
            if offsets and wanted is not None:
                wanted = self.trunc(wanted)
            rows = [
                (day, row)
                for day, row in rows
                if (None if day is None else self.trunc(day)) == wanted
            ]
        if leaf.semi and rows:
            pick = max if leaf.semi == "last" else min
            edge = self.edge(leaf, ranges, wanted if self.timed else None, pick)
            rows = [(day, row) for day, row in rows if day is not None and day == edge]
        return [row for _, row in rows]

    def edge(self, leaf: Leaf, ranges: Ranges, wanted: date | None, pick: object) -> date | None:
        """The first or last day that the table has in the period, whatever else is asked."""
        days = [
            day
            for day, _ in self.base(leaf)
            if day is not None
            and (not ranges or any(low <= day <= high for low, high in ranges))
            and (not self.timed or self.trunc(day) == wanted)
        ]
        return pick(days) if days else None

    def accumulated(self, leaf: Leaf, rows: list, first: date | None, offsets: tuple) -> list[Row]:
        ranges = self.ranges(leaf, offsets)
        if self.timed:
            for count, unit in offsets:
                first = self.trunc(step(first, -count, unit))
            end = last_day(first, self.asked.grain)
            inside = [high for low, high in ranges if low <= end and high >= first]
            if inside:
                end = min(end, max(inside))
        elif ranges:
            end = max(high for _, high in ranges)
        else:
            days = self.span()
            if not days:
                return []
            end = max(days)
            for count, unit in offsets:
                end = step(end + timedelta(days=1), -count, unit) - timedelta(days=1)
        low = date.min
        if leaf.window:
            count, unit = leaf.window
            low = step(end + timedelta(days=1), -count, unit)
        elif leaf.to_date:
            low = first_day(end, leaf.to_date, self.world.week_start, (1, 1))
        return [row for day, row in rows if day is not None and low <= day <= end]

    def value(self, name: str, key: tuple, offsets: tuple) -> Decimal | None:
        spec = self.world.specs[name]
        first = None
        if self.timed:
            first = key[self.asked.by.index("period")]
        rest = tuple(
            value for one, value in zip(self.asked.by, key, strict=True) if one != "period"
        )
        return self._evaluate(spec, spec.tree, rest, first, offsets, (), None)

    def _evaluate(
        self,
        spec: Spec,
        tree: tuple,
        key: tuple,
        first: date | None,
        offsets: tuple,
        tests: tuple,
        outer: Spec | None,
    ) -> Decimal | None:
        match tree[0]:
            case "agg":
                leaf = self.leaf(spec, tree[1], (), (), spec)
                leaf = self.with_outer(leaf, outer or spec, tests)
                if self.timed and first is None and (offsets or leaf.cumulative):
                    return None
                return self.aggregate(leaf.agg, self.chosen(leaf, key, first, offsets))
            case "const":
                return tree[1]
            case "metric":
                inner = self.world.specs[tree[1]]
                more = offsets if tree[2] is None else (*offsets, tree[2])
                next_outer = spec if spec.cumulative else outer
                return self._evaluate(
                    inner, inner.tree, key, first, more, (*tests, *tree[3]), next_outer
                )
        left, right = (
            self._evaluate(spec, part, key, first, offsets, tests, outer) for part in tree[1:]
        )
        if left is None or right is None:
            return None
        with localcontext() as context:
            context.prec = 40
            match tree[0]:
                case "+":
                    return left + right
                case "-":
                    return left - right
                case "*":
                    return left * right
            return None if right == 0 else left / right

    def aggregate(self, agg: Agg, rows: Iterable[Row]) -> Decimal | None:
        rows = list(rows)
        if not rows:
            return None
        if agg.case is not None:
            case = agg.case
            rows = [
                row for row in rows if holds(case, self.world.read(row, case.links, case.column))
            ]
        values: list[object] = []
        for row in rows:
            value: object = Decimal(1)
            for links, column in agg.factors:
                one = self.world.read(row, links, column)
                if one is None or value is None:
                    value = None
                elif len(agg.factors) == 1:
                    value = one
                else:
                    value = value * (Decimal(one) if isinstance(one, int) else one)
            if value is not None:
                values.append(value)
        return reduce_values(agg.func, values)


def reduce_values(func: str, values: list) -> Decimal | None:
    if func == "count":
        return Decimal(len(values))
    if func == "count_distinct":
        return Decimal(len(set(values)))
    if not values:
        return None
    numbers = [
        Decimal(repr(value)) if isinstance(value, float) else Decimal(value) for value in values
    ]
    with localcontext() as context:
        context.prec = 40
        match func:
            case "sum":
                return sum(numbers, Decimal(0))
            case "avg":
                return sum(numbers, Decimal(0)) / len(numbers)
            case "min":
                return min(numbers)
            case "max":
                return max(numbers)
            case "median":
                return statistics.median(numbers)
    raise ValueError(func)


@cache
def grains() -> tuple[str, ...]:
    return ("day", "week", "month", "quarter", "half", "year")
