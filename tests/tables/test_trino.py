"""Trino by its client, against a loopback server of its protocol."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from trino_server import TrinoServer

from groundwire.errors import DeadlineError, ForbiddenError, InputError, UnavailableError
from groundwire.tables.engine import Engine, Limits
from groundwire.tables.opening import open_engine

pytest.importorskip("trino", reason="pip install 'groundwire[trino]'")

ENVIRON = {"GROUNDWIRE_WAREHOUSE_USER": "reader"}
SQL = Path(__file__).parents[2] / "src/groundwire/tables/trino"
VALUES = "SELECT id, amount, rate, day, moment, data, tags, note FROM orders"


@pytest.fixture
def server() -> Iterator[TrinoServer]:
    server = TrinoServer()
    server.answers[VALUES] = (
        [("id", "bigint"), ("amount", "decimal(12, 2)"), ("rate", "double"), ("day", "date"),
         ("moment", "timestamp(3) with time zone"), ("data", "varbinary"),
         ("tags", "array(varchar)"), ("note", "varchar")],
        [[1, "10.10", 1.5, "2024-01-15", "2024-03-31 03:30:00.000 Europe/Berlin", "AP8=",
          ["a", "b"], None],
         [2, "0.01", "NaN", None, None, None, None, "it's"],
         [3, "-5.00", "Infinity", None, None, None, None, ""],
         *([number, "0.00", 0.0, None, None, None, None, ""] for number in range(4, 12))],
    )  # fmt: skip
    server.answers["SELECT version()"] = ([("_col0", "varchar")], [["479"]])
    server.answers[(SQL / "tables.sql").read_text("utf-8")] = (
        [("table_schema", "varchar"), ("table_name", "varchar")],
        [["s", "orders"], ["other", "Odd Table"]],
    )
    server.answers[(SQL / "columns.sql").read_text("utf-8")] = (
        [(name, "varchar") for name in ("s", "t", "c", "d", "n", "m")],
        [["s", "orders", "id", "bigint", "NO", None],
         ["s", "orders", "amount", "decimal(12,2)", "YES", "in EUR"],
         ["other", "Odd Table", "x", "varchar", "YES", None]],
    )  # fmt: skip
    yield server
    server.close()


@pytest.fixture
def engine(server: TrinoServer) -> Iterator[Engine]:
    engine = open_engine(f"trino://127.0.0.1:{server.port}/hive/s", ENVIRON)
    yield engine
    engine.close()


def test_values_are_exact_over_pages(engine: Engine) -> None:
    result = engine.run(VALUES)
    assert result.is_complete
    assert [column.type for column in result.columns][:2] == ["bigint", "decimal(12, 2)"]
    assert result.rows[0] == (
        1, Decimal("10.10"), 1.5, date(2024, 1, 15), datetime(2024, 3, 31, 1, 30, tzinfo=UTC),
        "0x00FF (2 bytes)", '["a","b"]', None,
    )  # fmt: skip
    assert [row[2] for row in result.rows[:3]] == [1.5, None, None]
    assert [row[1] for row in result.rows[:3]] == [
        Decimal("10.10"),
        Decimal("0.01"),
        Decimal("-5.00"),
    ]


def test_a_query_runs_in_a_read_only_transaction_with_a_limit_of_time(
    engine: Engine, server: TrinoServer
) -> None:
    engine.run(VALUES, Limits(seconds=7))
    texts = [text for text, _ in server.seen]
    assert texts == ["START TRANSACTION READ ONLY", VALUES, "ROLLBACK"]
    heads = next(headers for text, headers in server.seen if text == VALUES)
    assert heads["X-Trino-Transaction-Id"] == "tx-1"
    assert "query_max_run_time=7.00s" in heads["X-Trino-Session"]
    assert (heads["X-Trino-Catalog"], heads["X-Trino-Schema"]) == ("hive", "s")
    assert heads["X-Trino-User"] == "reader"


def test_rows_past_the_limit_are_left_out_and_the_query_is_cancelled(
    engine: Engine, server: TrinoServer
) -> None:
    result = engine.run(VALUES, Limits(rows=1))
    assert len(result.rows) == 1
    assert not result.is_complete
    assert server.cancelled


def test_characters_past_the_limit_are_left_out(engine: Engine) -> None:
    result = engine.run(VALUES, Limits(characters=80))
    assert 0 < len(result.rows) < 3
    assert not result.is_complete


def test_a_query_that_is_late_is_cancelled_on_the_server(
    engine: Engine, server: TrinoServer
) -> None:
    began = time.monotonic()
    with pytest.raises(DeadlineError, match="time limit"):
        engine.run("SELECT * FROM forever", Limits(seconds=1))
    assert time.monotonic() - began < 30
    assert server.cancelled
    assert engine.run(VALUES).is_complete


def test_an_error_of_the_query_is_told_in_one_line(engine: Engine) -> None:
    with pytest.raises(InputError, match="nope") as error:
        engine.run("SELECT * FROM nope")
    assert "\n" not in str(error.value)


def test_an_attack_is_not_sent(engine: Engine, server: TrinoServer) -> None:
    attacks = (Path(__file__).parent / "statements/trino_attacks.txt").read_text("utf-8")
    for statement in attacks.splitlines():
        with pytest.raises(ForbiddenError):
            engine.run(statement)
    assert server.seen == []


def test_tables_of_the_catalog(engine: Engine) -> None:
    orders, odd = sorted(engine.tables(), key=lambda table: len(table.name))
    assert (orders.name, odd.name) == ("orders", 'other."Odd Table"')
    assert [(c.name, c.type, c.nullable, c.comment) for c in orders.columns] == [
        ("id", "bigint", False, ""), ("amount", "decimal(12,2)", True, "in EUR"),
    ]  # fmt: skip


def test_the_check_says_what_is_not_known(engine: Engine) -> None:
    check = engine.check()
    assert check.version == "Trino 479"
    assert check.can_write is None
    assert "SELECT" in check.detail


def test_the_check_says_who_may_write(engine: Engine, server: TrinoServer) -> None:
    server.answers[(SQL / "writing.sql").read_text("utf-8")] = (
        [("p", "varchar"), ("s", "varchar"), ("t", "varchar")],
        [["INSERT", "s", "orders"]],
    )
    check = engine.check()
    assert check.can_write is True
    assert "INSERT s.orders" in check.detail


def test_a_server_that_comes_back_is_asked_again(server: TrinoServer) -> None:
    engine = open_engine(f"trino://127.0.0.1:{server.port}/hive/s", ENVIRON)
    assert engine.run(VALUES).rows[0][0] == 1
    server.close()
    with pytest.raises(UnavailableError):
        engine.run(VALUES, Limits(seconds=5))
    again = TrinoServer(server.port)
    again.answers = server.answers
    try:
        assert engine.run(VALUES).rows[0][0] == 1
    finally:
        again.close()
        engine.close()
