"""The embedded warehouse: its tables, its model, and that it never contradicts the facts."""

from __future__ import annotations

from collections.abc import Generator
from decimal import Decimal

import duckdb
import pytest

from groundwire.language.ordinals import has_superlative
from groundwire.metrics.factbase import warehouse_of
from groundwire.metrics.models.loading import load_model
from groundwire.metrics.models.opening import Warehouse
from groundwire.metrics.profile import load_profile
from groundwire.metrics.table.query import Condition, Order, TableQuery
from groundwire.profiles import metrics_profile
from groundwire.profiles import warehouse as embedded
from tests.profiles import tolvarne_shops

MODEL, TABLES = embedded()


@pytest.fixture(scope="module")
def shops() -> Generator[Warehouse]:
    """The warehouse as the server opens it."""
    opened = warehouse_of([MODEL], f"duckdb:{TABLES}", ("RESTRICTED",))
    yield opened
    opened.close()


def test_the_files_are_those_that_are_made() -> None:
    with duckdb.connect() as connection:
        for name, (columns, rows) in tolvarne_shops.made().items():
            path = str(TABLES / f"{name}.parquet")
            found = connection.execute("SELECT * FROM read_parquet(?)", [path])
            assert [one[0] for one in found.description] == [
                one.split()[0] for one in columns.split(", ")
            ]
            assert found.fetchall() == rows, name


def test_the_files_are_small() -> None:
    assert sum(one.stat().st_size for one in TABLES.iterdir()) < 100_000


def test_the_model_has_no_problem() -> None:
    assert load_model(MODEL).problems == ()


def test_sales_are_the_stated_revenue_of_retail(shops: Warehouse) -> None:
    query = TableQuery(
        ("SHOP_SALES",), ("period",), grain="quarter", order=(Order("period", descending=False),)
    )
    rows = shops.run(query).rows
    assert {row.labels[0]: row.values[0] for row in rows} == {
        quarter: Decimal(cents) / 100
        for quarter, cents in tolvarne_shops.stated().items()
        if quarter >= "2024"
    }


def test_sales_are_not_multiplied_by_what_they_are_shown_beside(shops: Warehouse) -> None:
    """A shop has many rows of sales and one of rent in a month; a join would count rents anew."""
    made = tolvarne_shops.made()
    district = {row[0]: row[2] for row in made["shops"][1]}
    rent: dict[str, Decimal] = {}
    sold: dict[str, Decimal] = {}
    for _, shop, _, amount, _ in made["shop_months"][1]:
        rent[district[shop]] = rent.get(district[shop], Decimal(0)) + amount
    for row in made["sales"][1]:
        sold[district[row[1]]] = sold.get(district[row[1]], Decimal(0)) + row[4]
    query = TableQuery(("SHOP_SALES", "RENT"), ("shops.district",))
    assert {row.keys[0]: row.values for row in shops.run(query).rows} == {
        one: (sold[one], rent[one]) for one in sold
    }


def test_stock_is_that_of_the_last_day(shops: Warehouse) -> None:
    made = tolvarne_shops.made()["stock"][1]
    last = max(row[0] for row in made)
    [row] = shops.run(TableQuery(("STOCK_UNITS",))).rows
    assert row.values == (Decimal(sum(one[3] for one in made if one[0] == last)),)


def test_rent_has_no_product(shops: Warehouse) -> None:
    [rent] = [one for one in shops.metrics() if one.code == "RENT"]
    assert not [one for one in rent.dimensions if one.startswith("products.")]


def test_what_is_restricted_is_not_there(shops: Warehouse) -> None:
    assert "STAFF_COST" not in {one.code for one in shops.metrics()}
    assert "shops.manager" not in {one.code for one in shops.dimensions()}


def test_a_month_without_sales_has_no_row(shops: Warehouse) -> None:
    query = TableQuery(
        ("SHOP_SALES",),
        ("period",),
        (Condition("shops.shop", "in", ("Quarry Bay",)),),
        grain="month",
        order=(Order("period", descending=False),),
        limit=100,
    )
    found = shops.run(query)
    assert found.total_rows == 12
    assert (found.rows[0].labels[0], found.rows[-1].labels[0]) == ("2024-01", "2024-12")


_ENDS = frozenset(("the", "a", "an", "most", "least", "der", "die", "das", "meisten", "wenigsten"))


def test_no_name_of_a_metric_ends_in_an_article_or_a_superlative() -> None:
    model = load_model(MODEL)
    profile = load_profile(metrics_profile())
    named = {one.name: (one.label, *one.synonyms) for one in model.metrics.values()}
    named |= {one.code: (one.label, *one.aliases) for one in profile.metrics}
    wrong = [
        (code, name)
        for code, names in named.items()
        for name in names
        if name.split()[-1].casefold() in _ENDS or has_superlative(name)
    ]
    assert not wrong


def test_verbs_are_no_names() -> None:
    units = load_model(MODEL).metrics["UNITS_SOLD"]
    assert "sell the" in units.verbs
    assert not set(units.verbs) & {units.label, *units.synonyms}
