"""The same ten questions on DuckDB, SQLite, PostgreSQL and Trino; changed schemas, a server down.

Trino's server is no package that tests could have: its client is asked, against a loopback server
of its protocol that translates each statement and asks DuckDB.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest
from postgres_cluster import Cluster
from trino_server import TrinoServer

from groundwire import profiles
from groundwire.errors import GroundwireError, UnavailableError
from groundwire.metrics.factbase import FactBase, Places, State
from groundwire.metrics.models.loading import load_model
from groundwire.metrics.models.warehouse import WarehouseStore
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import TableArguments
from groundwire.metrics.table.results import TableResult
from groundwire.tables.engine import Engine
from groundwire.tables.opening import open_engine
from tests.profiles import tolvarne_shops

TODAY = date(2026, 11, 21)
MODEL = profiles.metrics_profile().parent / "tolvarne_shops.yaml"
READER = {"GROUNDWIRE_WAREHOUSE_USER": "reader", "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim-1"}
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"metrics": ["Shop sales"], "by": ["shop"], "period": "2025"},
    {"metrics": ["SHOP_MARGIN"], "by": ["category"], "period": "2025"},
    {"metrics": ["SHOP_SALES"], "by": ["period"], "period": "2025", "grain": "month"},
    {"metrics": ["RETURN_RATE"], "by": ["shop"], "period": "2025", "compare": "previous_year"},
    {"metrics": ["UNITS_SOLD"], "by": ["product"], "where": {"category": "furniture"},
     "period": "2025", "limit": 3},
    {"metrics": ["SALES_PER_VISITOR"], "by": ["district"], "period": "2025Q2"},
    {"metrics": ["STOCK_UNITS"], "by": ["shop"], "period": "2025-06"},
    {"metrics": ["SHOPS_SELLING"], "by": ["product"], "period": "2025", "limit": 5},
    {"metrics": ["SALES_TO_DATE"], "by": ["period"], "period": "2025", "grain": "month"},
    {"metrics": ["RENT_SHARE"], "by": ["shop"], "period": "2025", "order_by": ["RENT_SHARE desc"],
     "limit": 4},
)  # fmt: skip
Write = Callable[[str], None]
Ask = Callable[..., TableResult]


def statements() -> Iterator[str]:
    for name, (columns, rows) in tolvarne_shops.made().items():
        yield f"CREATE TABLE {name} ({columns})"
        told = [", ".join(literal(one) for one in row) for row in rows]
        yield f"INSERT INTO {name} VALUES ({'), ('.join(told)})"


def literal(value: object) -> str:
    if value is None or isinstance(value, int | Decimal):
        return "NULL" if value is None else str(value)
    return "'" + str(value).replace("'", "''") + "'"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    places = Places(profiles.metrics_profile(), None, tmp_path_factory.mktemp("home"))
    base = FactBase(places, today=lambda: TODAY)
    yield base.state()
    base.close()


@pytest.fixture
def sqlite_shop(tmp_path: Path) -> tuple[Engine, Write]:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript("; ".join(statements()))

    def write(statement: str) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(statement)

    return open_engine(f"sqlite:{path}"), write


@pytest.fixture
def postgres_shop(postgres: Cluster) -> tuple[Engine, Write]:
    admin: dict[str, Any] = {"host": "127.0.0.1", "port": postgres.port, "user": "postgres"}
    with psycopg.connect(dbname="postgres", autocommit=True, **admin) as connection:
        connection.execute("DROP DATABASE IF EXISTS shop WITH (FORCE)")
        connection.execute("CREATE DATABASE shop")

    def write(statement: str) -> None:
        with psycopg.connect(dbname="shop", **admin) as connection:
            connection.execute(statement.encode())

    for one in statements():
        write(one)
    write("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    return open_engine(f"postgresql://127.0.0.1:{postgres.port}/shop", READER), write


def asking(facts: State, engine: Engine) -> Ask:
    store = WarehouseStore(load_model(MODEL, engine.dialect), engine, ("RESTRICTED",))
    state = replace(facts, warehouse=store)

    def ask(**sent: Any) -> TableResult:
        return query_table(state, TableArguments(**sent), TODAY)[0]

    return ask


def rounded(rows: list[list[str | None]] | None) -> list[list[str | None]]:
    """Rows with six digits behind the point: SQLite has no decimals."""

    def cell(text: str | None) -> str | None:
        try:
            return format(round(Decimal(text or ""), 6).normalize(), "f")
        except ArithmeticError:
            return text

    return [[cell(text) for text in row] for row in rows or []]


def test_ten_questions_have_equal_answers(
    facts: State,
    tmp_path: Path,
    sqlite_shop: tuple[Engine, Write],
    postgres_shop: tuple[Engine, Write],
) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for one in statements():
            connection.execute(one)
    server = TrinoServer(tables=path)
    engines = {
        "duckdb": open_engine(f"duckdb:{path}"),
        "sqlite": sqlite_shop[0],
        "postgres": postgres_shop[0],
    }
    if find_spec("trino") is not None:
        url = f"trino://127.0.0.1:{server.port}/hive/s"
        engines["trino"] = open_engine(url, {"GROUNDWIRE_WAREHOUSE_USER": "reader"})
    answers = {
        kind: [asking(facts, engine)(**sent) for sent in QUESTIONS]
        for kind, engine in engines.items()
    }
    for engine in engines.values():
        engine.close()
    server.close()
    assert ("trino" in engines) == (len(server.seen) > len(QUESTIONS))
    for at, sent in enumerate(QUESTIONS):
        first = answers["duckdb"][at]
        assert first.status == "found", (sent, first.answer)
        assert first.rows
        for kind in answers.keys() - {"duckdb", "sqlite"}:
            assert answers[kind][at].rows == first.rows, (kind, sent)
        assert rounded(answers["sqlite"][at].rows) == rounded(first.rows), sent


@pytest.fixture(params=["sqlite", "postgres"])
def shop(request: pytest.FixtureRequest) -> Iterator[tuple[Engine, Write]]:
    engine, write = request.getfixturevalue(f"{request.param}_shop")
    yield engine, write
    engine.close()


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE sales RENAME COLUMN net_sales TO net",
        "ALTER TABLE sales RENAME TO sales_old",
        "ALTER TABLE sales DROP COLUMN net_sales",
    ],
)
def test_a_schema_that_changed_is_said_and_gives_no_value(
    facts: State, shop: tuple[Engine, Write], change: str
) -> None:
    ask = asking(facts, shop[0])
    assert ask(**QUESTIONS[0]).status == "found"
    shop[1](change)
    with pytest.raises(GroundwireError) as problem:
        ask(**QUESTIONS[0])
    assert "\n" not in str(problem.value)
    assert "sales" in str(problem.value)
    assert ask(metrics=["VISITORS"], by=["shop"], period="2025").status == "found"


def test_rows_and_columns_that_come_are_seen(facts: State, shop: tuple[Engine, Write]) -> None:
    ask = asking(facts, shop[0])
    before = ask(**QUESTIONS[0]).rows or []
    shop[1]("ALTER TABLE sales ADD COLUMN note VARCHAR")
    shop[1]("INSERT INTO shops VALUES (77, 'Peak Gate', 'Hong Kong Island', 10, NULL, NULL)")
    shop[1]("INSERT INTO sales VALUES ('2025-03-01', 77, 1, 1, 99999999.25, 1, 'x')")
    after = ask(**QUESTIONS[0]).rows or []
    assert after[0] == ["Peak Gate", "99999999.25"]
    assert after[1:] == before
    named = ask(metrics=["SHOP_SALES"], where={"shop": "peak gate"}, period="2025")
    assert named.rows == [["99999999.25"]]


def test_a_number_that_became_text_gives_no_value(
    facts: State, sqlite_shop: tuple[Engine, Write]
) -> None:
    ask = asking(facts, sqlite_shop[0])
    sqlite_shop[1]("UPDATE sales SET net_sales = 'n/a' WHERE shop_id = 1 AND product_id = 1")
    sent = {"metrics": ["SHOP_SALES"], "where": {"shop": "Causeway Bay"}, "period": "2025"}
    with pytest.raises(GroundwireError):
        ask(**sent)
    sqlite_shop[0].close()


def test_what_is_no_number_and_no_name_is_no_value(
    facts: State, postgres_shop: tuple[Engine, Write]
) -> None:
    engine, write = postgres_shop
    ask = asking(facts, engine)
    write("UPDATE sales SET net_sales = 'NaN' WHERE shop_id = 1 AND product_id = 1")
    write("UPDATE shops SET name = NULL WHERE shop_id = 2")
    rows = ask(**QUESTIONS[0]).rows or []
    assert [row[0] for row in rows].count(None) == 1
    assert ["Causeway Bay", None] in rows or "Causeway Bay" not in [row[0] for row in rows]
    engine.close()


def test_a_server_that_went_down_is_no_empty_answer(
    facts: State, postgres: Cluster, postgres_shop: tuple[Engine, Write]
) -> None:
    engine, _ = postgres_shop
    ask = asking(facts, engine)
    first = ask(**QUESTIONS[0])
    postgres.stop()
    try:
        with pytest.raises(UnavailableError):
            ask(**QUESTIONS[0])
    finally:
        postgres.start()
    assert ask(**QUESTIONS[0]).rows == first.rows
    engine.close()
