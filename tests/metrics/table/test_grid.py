"""`query_metric_grid` over a warehouse: cells and what is derived, beside sums made by hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from groundwire import profiles
from groundwire.errors import LimitError, UnavailableError
from groundwire.evidence.claims.check import check
from groundwire.metrics.factbase import State, warehouse_of
from groundwire.metrics.grid import GridRequest, query_grid
from groundwire.metrics.models.opening import Warehouse
from groundwire.metrics.query import query_metric
from groundwire.metrics.results import GridResult
from groundwire.metrics.terms import Arguments

from .conftest import record_of

TODAY = date(2026, 11, 21)
Grid = Callable[..., GridResult]
Sale = dict[str, Any]


@pytest.fixture(scope="module")
def shops() -> Iterator[Warehouse]:
    """The embedded warehouse, of which RESTRICTED is withheld."""
    model, tables = profiles.warehouse()
    warehouse = warehouse_of((model,), f"duckdb:{tables}", ("RESTRICTED",))
    yield warehouse
    warehouse.close()


def test_a_closed_warehouse_is_not_opened_again_by_a_call_that_was_cut() -> None:
    model, tables = profiles.warehouse()
    for opened in (True, False):
        warehouse = warehouse_of((model,), f"duckdb:{tables}")
        if opened:
            assert warehouse.metrics()
        warehouse.close()
        with pytest.raises(UnavailableError, match="closed"):
            warehouse.metrics()


@pytest.fixture(scope="module")
def sales() -> list[Sale]:
    """Every row of the sales with its shop and product, joined by hand."""
    folder: Path = profiles.warehouse()[1]

    def rows(name: str) -> list[Sale]:
        with duckdb.connect() as connection:
            found = connection.execute(f"SELECT * FROM '{folder / name}.parquet'")
            names = [one[0] for one in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    shop = {one["shop_id"]: one for one in rows("shops")}
    product = {one["product_id"]: one for one in rows("products")}
    return [
        {
            **one,
            "shop": shop[one["shop_id"]]["name"],
            "district": shop[one["shop_id"]]["district"],
            "category": product[one["product_id"]]["category"],
        }
        for one in rows("sales")
    ]


@pytest.fixture
def stored(state: State, shops: Warehouse) -> State:
    return replace(state, warehouse=shops)


@pytest.fixture
def grid(stored: State) -> Grid:
    def ask(metrics: list[str], entities: list[str], periods: list[str], **rest: Any) -> GridResult:
        return query_grid(stored, GridRequest(metrics, entities, periods, **rest), TODAY)[0]

    return ask


def total(sales: list[Sale], period: str, **kept: str) -> Decimal | None:
    """The sum of the rows; None where there is no row, which is not 0."""

    def within(month: date) -> bool:
        if "Q" in period:
            return f"{month.year}Q{(month.month + 2) // 3}" == period
        return month.isoformat().startswith(period)

    found = [
        one["net_sales"]
        for one in sales
        if within(one["month"]) and all(one[key] == value for key, value in kept.items())
    ]
    return sum(found, Decimal(0)) if found else None


def test_drawn_cells_are_the_sums_of_their_rows(grid: Grid, sales: list[Sale]) -> None:
    rng = random.Random(7)
    periods = ["2024", "2025", "2024Q3", "2025Q1", "2025-06", "2026-02", "2026Q3"]
    for _ in range(12):
        dimension = rng.choice(("shop", "district", "category"))
        every = sorted({one[dimension] for one in sales})
        entities = rng.sample(every, min(len(every), rng.randint(1, 4)))
        asked = rng.sample(periods, 3)
        result = grid(["shop sales"], [*entities, "total"], asked)
        wanted = [
            total(sales, period, **({dimension: one} if one != "total" else {}))
            for one in (*entities, "total")
            for period in asked
        ]
        assert [
            Decimal(one.value_text) if one.value_text else None for one in result.cells
        ] == wanted


def test_each_cell_is_what_query_metric_answers(stored: State, grid: Grid) -> None:
    metrics = ["shop sales", "return rate", "stock", "shops selling", "sales to date"]
    entities, periods = ["Kowloon", "Kitchen", "Nowhere", "total"], ["2024", "2025Q2", "2031"]
    cells = iter(grid(metrics, entities, periods).cells)
    for metric in metrics:
        for entity in entities:
            for period in periods:
                sent = Arguments(metric, entity, period, "TOTAL")
                single, _ = query_metric(stored, sent, TODAY)
                cell = next(cells)
                assert (cell.status, cell.value_text, cell.answer) == (
                    single.status, single.value_text, single.answer,
                )  # fmt: skip


def test_shares_are_of_the_total_or_of_those_listed(grid: Grid, sales: list[Sale]) -> None:
    result = grid(["shop sales"], ["Kowloon"], ["2025"], derive=["share"], share_of="total")
    (share,) = result.derived
    part, whole = total(sales, "2025", district="Kowloon"), total(sales, "2025")
    assert part and whole
    wanted = part / whole * 100
    assert abs(Decimal(share.value) - wanted) < Decimal("0.000001")
    asked = grid(["shop sales"], ["Kowloon"], ["2025"], derive=["share"])
    assert not asked.derived
    assert asked.not_derived and "which whole is meant" in asked.not_derived[0].reason
    other = grid(["shop sales"], ["Kowloon"], ["2025"], derive=["share"], share_of="Kitchen")
    assert not other.derived


def test_nothing_is_added_that_counts_a_row_twice(grid: Grid, sales: list[Sale]) -> None:
    result = grid(["shop sales"], ["Kowloon", "New Territories"], ["2025"], derive=["sum"])
    wanted = sum(total(sales, "2025", district=d) or 0 for d in ("Kowloon", "New Territories"))
    assert Decimal(result.derived[0].value) == wanted
    for entities in (["Kowloon", "Kitchen"], ["Kowloon", "total"]):
        assert not grid(["shop sales"], entities, ["2025"], derive=["sum"]).derived
    for metric in ("shops selling", "return rate", "stock", "price per unit"):
        result = grid([metric], ["Kowloon", "New Territories"], ["2025"], derive=["sum", "share"])
        assert not result.derived, metric
        assert result.not_derived, metric
    over_time = grid(["sales to date"], ["Kowloon"], ["2025Q1", "2025Q2"], derive=["sum"])
    assert not over_time.derived


def test_growth_looks_the_earlier_period_up_and_adds_it_to_nothing(
    grid: Grid, sales: list[Sale]
) -> None:
    result = grid(["shop sales"], ["Kowloon"], ["2025Q1", "2025Q2"], derive=["growth", "sum"])
    growths = [one for one in result.derived if one.operation == "percent_change"]
    assert [[each.period for each in one.operands] for one in growths] == [
        ["2025Q1", "2024Q1"], ["2025Q2", "2024Q2"],
    ]  # fmt: skip
    (added,) = [one for one in result.derived if one.operation == "sum"]
    wanted = sum(total(sales, period, district="Kowloon") or 0 for period in ("2025Q1", "2025Q2"))
    assert Decimal(added.value) == wanted


def test_a_year_that_is_not_over_is_compared_with_none(grid: Grid) -> None:
    result = grid(["shop sales"], ["total"], ["since 2024"], derive=["percent_change", "cagr"])
    assert [one.period for one in result.cells] == ["2024", "2025", "2026"]
    assert "2026 is not over" in result.cells[-1].answer
    assert {tuple(each.period for each in one.operands) for one in result.derived} == {
        ("2025", "2024")
    }
    assert all("2026 is not over" in one.reason for one in result.not_derived or ())


def test_two_stores_in_one_grid(grid: Grid) -> None:
    result = grid(["shop sales", "revenue"], ["Kowloon", "HK"], ["2025"], derive=["ratio"])
    assert [(one.status, one.metric or one.param) for one in result.cells] == [
        ("unrecognized_param", "entity"),
        ("found", "REVENUE"),
        ("found", "SHOP_SALES"),
        ("unrecognized_param", "entity"),
    ]
    assert [one.operation for one in result.not_derived or ()] == ["ratio"]


def test_names_out_of_scope_and_levels_hold_as_everywhere(grid: Grid, stored: State) -> None:
    external = stored.profile.external[0].name
    (cell,) = grid(["shop sales"], [external], ["2025"]).cells
    assert (cell.param, cell.reason) == ("entity", "out_of_scope_entity")
    result = grid(["cost of staff"], ["Kowloon"], ["2025"])
    assert all(one.status == "unrecognized_param" for one in result.cells)
    (cell,) = grid(["shop sales"], ["manager: Wong"], ["2025"]).cells
    assert cell.status == "unrecognized_param"


def test_a_value_of_two_dimensions_is_asked_about_and_can_be_named(stored: State) -> None:
    def ask(entity: str) -> Any:
        return query_metric(stored, Arguments("shop sales", entity, "2025", "TOTAL"), TODAY)[0]

    assert ask("district: Kowloon").value_text == ask("Kowloon").value_text
    assert ask("district: Kitchen").reason == "unknown"


def test_one_value_is_of_one_period(stored: State) -> None:
    for period in ("2024-2025", "since 2024"):
        sent = Arguments("shop sales", "Kowloon", period, "TOTAL")
        result, _ = query_metric(stored, sent, TODAY)
        assert (result.status, result.param) == ("unrecognized_param", "period")


def test_sentences_about_a_grid_are_judged_by_its_record(stored: State) -> None:
    request = GridRequest(
        ["shop sales"], ["Kowloon", "New Territories"], ["2024", "2025"],
        derive=["percent_change", "share"], share_of="total",
    )  # fmt: skip
    result, draft = query_grid(stored, request, TODAY)
    record = record_of(replace(draft, answer=result.answer))
    first = result.cells[0].value_text or ""
    assert check(f"Shop sales of Kowloon were {first} CNY in 2024.", [record]).verdict == (
        "supported"
    )
    assert check(f"Shop sales of Kowloon were {first} CNY in 2025.", [record]).verdict == (
        "contradicted"
    )
    assert check(result.answer, [record]).verdict == "supported"


def test_too_many_cells_are_refused(grid: Grid) -> None:
    with pytest.raises(LimitError):
        grid(["shop sales"], ["Kowloon"], [f"{1500 + at}" for at in range(401)])
