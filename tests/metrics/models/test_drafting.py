"""Models that are drafted from tables: what is told is taken, what is guessed is marked."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from shared_data import need, shared_folder

from groundwire.errors import InputError
from groundwire.metrics.models.drafting import draft_model, words
from groundwire.metrics.models.loading import load_model
from groundwire.metrics.models.semantic import SemanticModel
from groundwire.tables.engine import Engine
from groundwire.tables.opening import open_engine

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, "Full Name" TEXT, email TEXT, city TEXT);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, title TEXT, unit_price DECIMAL(10, 2));
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),
  product_id INTEGER, courier_id INTEGER, created_at TIMESTAMP, order_date DATE,
  amount DECIMAL(12, 2), discount_rate FLOAT, status TEXT, "Order" INTEGER
);
CREATE TABLE couriers (courier_id INTEGER PRIMARY KEY, company TEXT);
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, day DATE, balance DECIMAL(12, 2));
INSERT INTO customers VALUES (1, 'A', 'a@example.org', 'Oslo'), (2, 'B', 'b@example.org', 'Bonn');
INSERT INTO products VALUES (1, 'Lamp', 10), (2, 'Rug', 20);
INSERT INTO couriers VALUES (1, 'Swift');
INSERT INTO orders VALUES
  (1, 1, 1, 1, '2024-01-01 10:00:00', '2024-01-01', 10, 0.1, 'open', 3),
  (2, 2, 2, 9, '2024-01-02 10:00:00', '2024-01-02', 20, 0.2, 'paid', 4);
INSERT INTO accounts VALUES (1, '2024-01-31', 5);
"""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Engine]:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(SHOP)
    engine = open_engine(f"sqlite:{path}")
    yield engine
    engine.close()


def drafted(engine: Engine, folder: Path) -> tuple[SemanticModel, str, tuple[str, ...]]:
    draft = draft_model(engine, "shop")
    path = folder / "shop.yaml"
    path.write_text(draft.text, "utf-8")
    return load_model(path, engine.dialect), draft.text, draft.notes


def test_a_draft_has_no_problems_and_is_valid_by_the_schema(shop: Engine, tmp_path: Path) -> None:
    model, text, _ = drafted(shop, tmp_path)
    assert [one for one in model.problems if one.is_error] == []
    schema = need(shared_folder("data", "warehouse", "ossie-schema-0.2.0.dev0.json"))
    import yaml
    from jsonschema import validate

    validate(yaml.safe_load(text), json.loads(schema.read_text("utf-8")))


def test_relationships_are_told_by_keys_or_by_names_whose_values_all_occur(
    shop: Engine, tmp_path: Path
) -> None:
    model, text, notes = drafted(shop, tmp_path)
    joins = {(one.many, one.one) for one in model.relationships}
    # One courier of an order is in no row of couriers.
    assert joins == {("orders", "customers"), ("orders", "products")}
    told, guessed = text.split("orders_to_customers")[0], text.split("orders_to_products")[0]
    assert not told.rstrip(' \n-name:"').endswith("every value has a row there")
    assert "# guess: by its name; every value has a row there" in guessed[-120:]
    assert any("courier_id" in note and "1 values" in note for note in notes)


def test_numbers_are_added_averaged_or_taken_last_by_their_names(
    shop: Engine, tmp_path: Path
) -> None:
    model, _, _ = drafted(shop, tmp_path)
    said = {name: one.expression[""].split("(")[0] for name, one in model.metrics.items()}
    assert said["orders_amount"] == "SUM"
    assert said["orders_discount_rate"] == said["products_unit_price"] == "AVG"
    assert model.metrics["accounts_balance"].semi_additive == ("accounts.day", "last")
    assert said["orders_count"] == "COUNT"
    assert not any(name.endswith("_id") for name in model.metrics)


def test_rows_are_placed_by_the_time_that_is_no_bookkeeping(shop: Engine, tmp_path: Path) -> None:
    model, text, _ = drafted(shop, tmp_path)
    assert model.datasets["orders"].time_field == "order_date"
    assert "# guess: rows are placed in time by order_date, of created_at, order_date" in text


def test_things_that_others_are_of_last_and_are_called_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "fire.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            """CREATE TABLE stations (station_id TEXT PRIMARY KEY, name TEXT, opened DATE);
            CREATE TABLE callouts (callout_id INTEGER PRIMARY KEY,
              station_id TEXT REFERENCES stations (station_id), alarm DATE);"""
        )
    with closing(open_engine(f"sqlite:{path}")) as engine:
        model, text, _ = drafted(engine, tmp_path)
    stations = model.datasets["stations"]
    assert (stations.time_field, stations.fields["opened"].is_time) == ("", False)
    assert stations.fields["name"].synonyms == ("station",)
    assert model.datasets["callouts"].time_field == "alarm"
    assert "stations_count" in model.metrics
    assert "# guess: its rows are there all the time, whatever opened says" in text


def test_what_may_be_of_a_person_is_withheld_and_told(shop: Engine, tmp_path: Path) -> None:
    model, _, notes = drafted(shop, tmp_path)
    levels = {name: one.level for name, one in model.datasets["customers"].fields.items()}
    assert levels["email"] == levels["Full_Name"] == "RESTRICTED"
    assert levels["city"] == ""
    assert any("customers.email" in note for note in notes)


def test_names_that_are_words_of_sql_or_have_blanks_are_quoted(
    shop: Engine, tmp_path: Path
) -> None:
    fields = drafted(shop, tmp_path)[0].datasets["customers"].fields
    assert fields["Full_Name"].expression == {"": '"Full Name"'}


def test_an_engine_without_tables_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE t (a INTEGER)")
        made.execute("DROP TABLE t")
        made.commit()
    engine = open_engine(f"sqlite:{path}")
    with closing(engine), pytest.raises(InputError, match="no tables"):
        draft_model(engine, "empty")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("orderDate", ["order", "date"]),
        ("ORDER_ID", ["order", "id"]),
        ("HTTPStatus2", ["http", "status", "2"]),
        ("订单金额", ["订单金额"]),
        ("", []),
    ],
)
def test_words_of_a_name(name: str, found: list[str]) -> None:
    assert words(name) == found
