"""Tables of the embedded fact base, and a small warehouse in memory beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Draft, Record
from groundwire.metrics.factbase import State
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import (
    Dimension,
    Key,
    ResolvedValue,
    TableArguments,
    TableMetric,
    TableQuery,
    TableRow,
    TableRows,
)
from groundwire.metrics.table.results import TableResult
from groundwire.metrics.table.sorting import meets, sorted_rows
from groundwire.quantities import CALENDAR_YEAR, read_period

TODAY = date(2026, 11, 21)
Asked = Callable[..., TableResult]


class Warehouse:
    """Orders by state and product: a `TableStore` over a list."""

    ROWS = (
        ("Texas", "Books", "2024", "10.50"),
        ("Texas", "Toys", "2024", "4"),
        ("Ohio", "Books", "2024", "7.25"),
        ("Ohio", "Books", "2023", "6"),
        (None, "Toys", "2024", "1"),
    )

    def __init__(self, code: str = "orders.amount") -> None:
        self.asked: list[TableQuery] = []
        self._code = code

    def metrics(self) -> Sequence[TableMetric]:
        dimensions = ("store.state", "item.product")
        return [
            TableMetric(self._code, "Order amount", "USD", dimensions, ("year",), ("bookings",))
        ]

    def dimensions(self) -> Sequence[Dimension]:
        return [
            Dimension("store.state", "State", aliases=("province",)),
            Dimension("item.product", "Product"),
            Dimension("item.weight", "Weight", "number"),
        ]

    def _of(self, dimension: str) -> dict[str, str]:
        at = 0 if dimension == "store.state" else 1
        return {str(row[at]).casefold(): str(row[at]) for row in self.ROWS if row[at]}

    def resolve_value(self, dimension: str, raw: str) -> ResolvedValue:
        held = self._of(dimension)
        if raw in held.values():
            return ResolvedValue("exact", raw)
        if raw.casefold() in held:
            return ResolvedValue("folded", held[raw.casefold()])
        near = tuple(value for key, value in held.items() if key[:1] == raw[:1].casefold())
        return ResolvedValue("unknown", None, near)

    def values(self, dimension: str, metric: str, most: int) -> tuple[tuple[Key, ...], bool]:
        found = sorted(self._of(dimension).values())
        return tuple(found[:most]), len(found) <= most

    def run(self, query: TableQuery, *, dry_run: bool = False) -> TableRows:
        self.asked.append(query)
        sql = "SELECT sum(amount) FROM orders"
        if dry_run:
            return TableRows((), None, statement=sql)
        sums: dict[tuple[Key, ...], Decimal] = {}
        for state, product, year, amount in self.ROWS:
            row = {"store.state": state, "item.product": product, "period": date(int(year), 1, 1)}
            days = [(one.start, one.end) for one in query.periods]
            if days and not any(a <= date(int(year), 7, 1) <= b for a, b in days):
                continue
            if all((row[c.dimension] in c.values) == (c.op == "in") for c in query.conditions):
                key = tuple(row[one] for one in query.by)
                sums[key] = sums.get(key, Decimal(0)) + Decimal(amount)
        rows = [TableRow(key, (value,), sources=("orders",)) for key, value in sums.items()]
        if "period" in query.by:
            at = query.by.index("period")
            named = {
                year: read_period(year).on(CALENDAR_YEAR, TODAY).periods[0]  # type: ignore[union-attr]
                for year in ("2023", "2024")
            }
            rows = [row._replace(period=named[str(row.keys[at])[:4]]) for row in rows]
        rows = [row for row in sorted_rows(rows, query) if meets(row, query)]
        page = rows[query.offset : query.offset + query.limit]
        return TableRows(tuple(page), len(rows), statement=sql)


@pytest.fixture
def warehouse() -> Warehouse:
    return Warehouse()


@pytest.fixture
def both(state: State, warehouse: Warehouse) -> State:
    """The embedded facts with a warehouse beside them."""
    return replace(state, warehouse=warehouse)


def _asker(state: State) -> Asked:
    def ask(metrics: Sequence[str], by: Sequence[str] = (), /, **more: Any) -> TableResult:
        return query_table(state, TableArguments(metrics, by, **more), TODAY)[0]

    return ask


@pytest.fixture
def ask(state: State) -> Asked:
    """Tables of the embedded facts."""
    return _asker(state)


@pytest.fixture
def ask_both(both: State) -> Asked:
    """Tables of the embedded facts and of a warehouse."""
    return _asker(both)


@pytest.fixture
def asker() -> Callable[[State], Asked]:
    """Tables of a fact base of a test's own."""
    return _asker


@pytest.fixture
def verdict(state: State) -> Callable[..., str]:
    """The verdict on a sentence about one table."""

    def judge(sentence: str, metrics: Sequence[str], by: Sequence[str] = (), /, **more: Any) -> str:
        result, draft = query_table(state, TableArguments(metrics, by, **more), TODAY)
        return check(sentence, [record_of(replace(draft, answer=result.answer))]).verdict

    return judge


def record_of(draft: Draft) -> Record:
    """A draft as the ledger would hold it."""
    made = "2026-11-21T00:00:00.000Z"
    return Record(
        "ev", 1, "local", "query_metric_table", {}, made, draft, None, None, False, "", ""
    )
