"""A small shop for tests of semantic models: sales and returns around stores, items and days."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import duckdb

from groundwire.errors import InputError
from groundwire.metrics.models.checking import checked
from groundwire.metrics.models.ossie import ossie_model
from groundwire.metrics.models.semantic import SemanticModel
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.tables.engine import Check, Column, Limits, Result, Table

TABLES = """
CREATE TABLE sales (id INTEGER, day DATE, ship DATE, store_id INTEGER, item_id INTEGER,
  "at" TIMESTAMP, amount DECIMAL(12,2), weight DOUBLE, note VARCHAR);
INSERT INTO sales VALUES
  (1, DATE '2024-01-05', DATE '2024-02-01', 1, 1, TIMESTAMP '2024-03-30 23:30:00', 10.10, 0.1, 'a'),
  (2, DATE '2024-01-31', DATE '2024-02-02', 1, 2, TIMESTAMP '2024-03-31 21:59:00', 20.20, 0.2, 'b'),
  (3, DATE '2024-02-10', NULL, 2, 1, TIMESTAMP '2024-03-31 22:00:00', 30.30, NULL, 'c'),
  (4, DATE '2024-02-29', DATE '2024-03-05', 2, NULL, NULL, NULL, 'nan'::DOUBLE, 'd'),
  (5, DATE '2024-03-01', DATE '2024-03-06', NULL, 2, NULL, 0.01, 0.5, 'e');
CREATE TABLE returned (sale_id INTEGER, store_id INTEGER, day DATE, amount DECIMAL(12,2));
INSERT INTO returned VALUES (1, 1, DATE '2024-01-20', 1.00), (1, 1, DATE '2024-02-20', 2.00),
  (3, 2, DATE '2024-02-21', 4.00);
CREATE TABLE store (store_id INTEGER, state VARCHAR, staff INTEGER, region_id INTEGER,
  open INTEGER);
INSERT INTO store VALUES (1, 'TN', 5, 1, 1), (2, 'CA', 7, 2, 1), (3, 'NY', 9, 1, 0);
CREATE TABLE item (item_id INTEGER, brand VARCHAR, region_id INTEGER);
INSERT INTO item VALUES (1, 'Ostrel', 1), (2, 'O''Marra', 2);
CREATE TABLE region (region_id INTEGER, name VARCHAR);
INSERT INTO region VALUES (1, 'North'), (2, 'South');
CREATE TABLE calendar (day DATE, year INTEGER);
INSERT INTO calendar SELECT d::DATE, year(d) FROM range(DATE '2023-12-01', DATE '2024-06-01',
  INTERVAL 1 DAY) t(d);
"""


class DuckEngine:
    """DuckDB in memory, which keeps the statements that it was sent."""

    dialect = "duckdb"

    def __init__(self, tables: str = TABLES) -> None:
        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")
        self.connection.execute(tables)
        self.statements: list[str] = []

    def run(self, sql: str, limits: Limits = Limits()) -> Result:  # noqa: B008
        self.statements.append(sql)
        try:
            cursor = self.connection.execute(sql)
        except duckdb.Error as problem:
            raise InputError(str(problem)) from None
        rows = cursor.fetchmany(limits.rows + 1)
        columns = tuple(Column(one[0], str(one[1])) for one in cursor.description or ())
        return Result(columns, tuple(rows[: limits.rows]), len(rows) <= limits.rows, 0.0)

    def tables(self) -> Sequence[Table]:
        return ()

    def check(self) -> Check:
        return Check("DuckDB", None)

    def close(self) -> None:
        self.connection.close()


def expression(sql: str, dialect: str = "ANSI_SQL") -> dict[str, Any]:
    return {"dialects": [{"dialect": dialect, "expression": sql}]}


def field(name: str, datatype: str, sql: str = "", **more: Any) -> dict[str, Any]:
    return {"name": name, "expression": expression(sql or name), "datatype": datatype, **more}


def own(**data: Any) -> list[dict[str, str]]:
    return [{"vendor_name": "GROUNDWIRE", "data": json.dumps(data)}]


def metric(name: str, sql: str, **data: Any) -> dict[str, Any]:
    return {"name": name, "expression": expression(sql), "custom_extensions": own(**data)}


def link(name: str, many: str, one: str, column: str, to: str, **data: Any) -> dict[str, Any]:
    return {
        "name": name,
        "from": many,
        "to": one,
        "from_columns": [column],
        "to_columns": [to],
        "custom_extensions": own(**data),
    }


def document() -> dict[str, Any]:
    """The shop's model as an Ossie document; tests change it."""
    return {
        "version": "0.2.0.dev0",
        "semantic_model": [
            {
                "name": "shop",
                "datasets": [
                    {
                        "name": "sales",
                        "source": "sales",
                        "primary_key": ["id"],
                        "fields": [
                            field("id", "Integer"),
                            field("day", "Date"),
                            field("ship", "Date", dimension={"is_time": False}),
                            field(
                                "at",
                                "DateTime",
                                '"at"',
                                dimension={"is_time": False},
                                custom_extensions=own(time_zone="Europe/Berlin"),
                            ),
                            field("amount", "Decimal"),
                            field("weight", "Float"),
                            field("note", "String", custom_extensions=own(level="RESTRICTED")),
                        ],
                    },
                    {
                        "name": "returned",
                        "source": "returned",
                        "fields": [field("day", "Date"), field("amount", "Decimal")],
                    },
                    {
                        "name": "store",
                        "source": "store",
                        "primary_key": ["store_id"],
                        "fields": [
                            field("store_id", "Integer"),
                            field(
                                "state",
                                "String",
                                ai_context={"synonyms": ["province", "Bundesland"]},
                            ),
                            field("staff", "Integer"),
                        ],
                    },
                    {
                        "name": "item",
                        "source": "item",
                        "primary_key": ["item_id"],
                        "fields": [field("brand", "String")],
                    },
                    {
                        "name": "region",
                        "source": "region",
                        "primary_key": ["region_id"],
                        "fields": [field("name", "String")],
                    },
                    {
                        "name": "calendar",
                        "source": "calendar",
                        "primary_key": ["day"],
                        "fields": [field("day", "Date"), field("year", "Integer")],
                    },
                ],
                "relationships": [
                    link("sales_store", "sales", "store", "store_id", "store_id"),
                    link("sales_item", "sales", "item", "item_id", "item_id"),
                    link("sold_on", "sales", "calendar", "day", "day", role="sold date"),
                    link("ship_on", "sales", "calendar", "ship", "day", role="ship date"),
                    link("returned_store", "returned", "store", "store_id", "store_id"),
                    link("store_region", "store", "region", "region_id", "region_id"),
                    link("item_region", "item", "region", "region_id", "region_id"),
                ],
                "metrics": [
                    metric("revenue", "SUM(sales.amount)", unit="USD"),
                    metric("mean_sale", "AVG(sales.amount)"),
                    metric("lines", "COUNT(sales.id)"),
                    metric("weight", "SUM(sales.weight)"),
                    metric("refunds", "SUM(returned.amount)"),
                    metric("staff", "SUM(store.staff)"),
                    metric("per_head", "SUM(sales.amount) / SUM(store.staff)"),
                    metric(
                        "per_buying_store", "SUM(sales.amount) / COUNT(DISTINCT store.store_id)"
                    ),
                    metric("net", "revenue - refunds"),
                    metric("notes", "COUNT(DISTINCT sales.note)"),
                ],
            }
        ],
    }


def parts(found: dict[str, Any]) -> dict[str, Any]:
    """The only model of a document."""
    return found["semantic_model"][0]


def model_of(found: dict[str, Any]) -> SemanticModel:
    return checked(ossie_model(found, "shop.json"))


def store_of(found: dict[str, Any] | None = None, **more: Any) -> WarehouseStore:
    return WarehouseStore(model_of(found or document()), DuckEngine(), **more)
