"""The embedded warehouse: its files are those that are made, and its totals are the facts'."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from shared_data import need, shared_folder
from tolvarne_warehouse import quarterly_revenue, write

from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.metrics.models.opening import Warehouse
from groundwire.metrics.models.reading import read_model
from groundwire.metrics.table.query import TableQuery, TableStore
from groundwire.profiles import FOLDER, metrics_warehouse
from groundwire.servers.metrics import MetricsTools, toolset
from groundwire.servers.warehouse import warehouse_of

NAMES = {"Mainland China": "Tolvarne China", "Hong Kong": "Tolvarne Hong Kong"}


@pytest.fixture
def warehouse() -> Iterator[TableStore]:
    model, url = metrics_warehouse()
    opened = Warehouse((model,), url, lambda: ("RESTRICTED",))
    yield opened
    opened.close()


def test_the_files_are_those_that_the_generator_writes(tmp_path: Path) -> None:
    write(tmp_path)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert written == {path.name: path.read_bytes() for path in (FOLDER / "warehouse").iterdir()}
    assert sum(map(len, written.values())) < 400_000


def test_orders_of_a_quarter_and_channel_are_the_revenue_that_is_reported(
    warehouse: TableStore,
) -> None:
    by = ("outlets.company", "outlets.channel", "period")
    found = warehouse.run(TableQuery(("order_value",), by, grain="quarter", limit=500))
    told = {
        (NAMES[company], channel, date(year, 3 * quarter - 2, 1)): amount
        for (company, channel, year, quarter), amount in quarterly_revenue().items()
        if channel != "Total" and year > 2022
    }
    assert {row.keys: row.values[0] for row in found.rows} == told


def test_orders_of_a_year_are_the_revenue_of_the_annual_report(warehouse: TableStore) -> None:
    by = ("outlets.company", "period")
    found = warehouse.run(TableQuery(("order_value",), by, grain="year"))
    years = {row.keys: row.values[0] for row in found.rows}
    assert years["Tolvarne China", date(2024, 1, 1)] == Decimal("3998900000")
    assert years["Tolvarne Hong Kong", date(2025, 1, 1)] == Decimal("392500000")


def test_returns_do_not_multiply_the_orders_beside_them(warehouse: TableStore) -> None:
    alone = warehouse.run(TableQuery(("order_value",), ("products.category",)))
    both = warehouse.run(TableQuery(("order_value", "refunds"), ("products.category",)))
    assert [row.values[0] for row in both.rows] == [row.values[0] for row in alone.rows]


def test_stock_is_not_added_over_months(warehouse: TableStore) -> None:
    year = warehouse.run(TableQuery(("stock_units",), ("period",), grain="year")).rows
    month = warehouse.run(TableQuery(("stock_units",), ("period",), grain="month")).rows
    last = {row.keys[0]: row.values[0] for row in month}
    assert [row.values[0] for row in year[:3]] == [
        last[date(one, 12, 1)] for one in (2023, 2024, 2025)
    ]


def test_names_of_customers_are_withheld(warehouse: TableStore) -> None:
    assert "customers.name" not in {one.code for one in warehouse.dimensions()}
    assert "customers.segment" in {one.code for one in warehouse.dimensions()}


def test_no_name_of_a_metric_is_one_of_the_facts(warehouse: TableStore) -> None:
    from groundwire.metrics.profile import load_profile

    profile = load_profile(FOLDER / "metrics.toml")
    facts = {
        name.casefold() for one in profile.metrics for name in (one.code, one.label, *one.aliases)
    }
    own = {
        name.casefold()
        for one in warehouse.metrics()
        for name in (one.code, one.label, *one.aliases)
    }
    assert not facts & own


def test_the_model_has_no_problems_and_is_valid_by_the_schema_of_its_format() -> None:
    path, _ = metrics_warehouse()
    assert read_model(path).problems == ()
    schema = need(shared_folder("data", "warehouse", "ossie-schema-0.2.0.dev0.json"))
    import yaml
    from jsonschema import validate

    validate(yaml.safe_load(path.read_text("utf-8")), json.loads(schema.read_text("utf-8")))


def test_it_stands_beside_the_embedded_profile_and_no_other(tmp_path: Path) -> None:
    assert warehouse_of(Settings(tmp_path), tuple) is not None
    assert warehouse_of(Settings(tmp_path, profile=tmp_path / "own.toml"), tuple) is None
    assert isinstance(toolset(Settings(tmp_path)), MetricsTools)


def test_a_model_without_an_engine_is_refused_and_the_other_way_round(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="GROUNDWIRE_WAREHOUSE is not"):
        warehouse_of(Settings(tmp_path, models=(tmp_path / "m.yaml",)), tuple)
    with pytest.raises(ConfigurationError, match="model draft"):
        warehouse_of(Settings(tmp_path, warehouse="duckdb:x"), tuple)
