"""PostgreSQL and ClickHouse as servers: rights, restarts, credentials, cancelling."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest
from postgres_cluster import Cluster

from groundwire.errors import DeadlineError, InputError, UnavailableError
from groundwire.tables.engine import Limits
from groundwire.tables.opening import open_engine

READER = {"GROUNDWIRE_WAREHOUSE_USER": "reader", "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim-1"}


def at(cluster: Cluster, user: str) -> dict[str, str]:
    return READER if user == "reader" else {"GROUNDWIRE_WAREHOUSE_USER": user}


@pytest.mark.parametrize(
    ("user", "said"),
    [("postgres", "superuser"), ("writer", "may change the table sales")],
)
def test_an_account_that_could_write_is_told_with_the_way_out(
    postgres: Cluster, user: str, said: str
) -> None:
    engine = open_engine(f"postgresql://127.0.0.1:{postgres.port}/postgres", at(postgres, user))
    check = engine.check()
    engine.close()
    assert check.can_write is True
    assert said in check.detail
    assert "SELECT" in check.detail


def test_tables_are_those_that_the_role_may_read(postgres: Cluster) -> None:
    engine = open_engine(f"postgresql://127.0.0.1:{postgres.port}/postgres", READER)
    names = [table.name for table in engine.tables()]
    engine.close()
    assert "hidden" not in names
    assert names == sorted(["sales", "names", "parts", 'app."Odd Table"'])


def test_a_wrong_password_is_told_and_not_shown(postgres: Cluster) -> None:
    environ = {**READER, "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim-2"}
    engine = open_engine(f"postgresql://127.0.0.1:{postgres.port}/postgres", environ)
    with pytest.raises(UnavailableError, match="does not let us in") as error:
        engine.run("SELECT 1")
    assert "geheim" not in str(error.value)


def test_postgres_cancels_the_query_on_the_server(postgres: Cluster) -> None:
    engine = open_engine(f"postgresql://127.0.0.1:{postgres.port}/postgres", READER)
    with pytest.raises(DeadlineError):
        engine.run(
            "SELECT count(*) AS endless FROM generate_series(1, 1000000000) a, "
            "generate_series(1, 1000000000) b",
            Limits(seconds=1),
        )
    engine.close()
    with psycopg.connect(
        host="127.0.0.1", port=postgres.port, user="postgres", dbname="postgres"
    ) as connection:
        for _ in range(50):
            (running,) = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' "
                "AND query LIKE '%endless%' AND pid <> pg_backend_pid()"
            ).fetchone() or (1,)
            if not running:
                return
            time.sleep(0.1)
    pytest.fail("the query still runs on the server")


def test_an_error_of_the_query_is_no_outage(postgres: Cluster) -> None:
    engine = open_engine(f"postgresql://127.0.0.1:{postgres.port}/postgres", READER)
    with pytest.raises(InputError, match="division by zero"):
        engine.run("SELECT 1 / (id - id) FROM sales")
    with pytest.raises(InputError, match="permission denied"):
        engine.run("SELECT * FROM hidden")
    engine.close()


def test_postgres_is_asked_again_after_it_was_started_anew(postgres: Cluster) -> None:
    engine = open_engine(f"postgresql://127.0.0.1:{postgres.port}/postgres", READER)
    assert engine.run("SELECT count(*) FROM sales").rows == ((4,),)
    postgres.stop()
    try:
        with pytest.raises(UnavailableError):
            engine.run("SELECT 1", Limits(seconds=5))
    finally:
        postgres.start()
    assert engine.run("SELECT count(*) FROM sales").rows == ((4,),)
    engine.close()


def test_clickhouse_gets_a_read_only_query_with_limits(clickhouse: Any) -> None:
    engine = open_engine(f"clickhouse://127.0.0.1:{clickhouse.port}/w", READER)
    engine.run("SELECT id FROM sales /* a comment */", Limits(seconds=7, rows=3))
    engine.close()
    (sent,) = [one for one in clickhouse.seen() if one["text"].startswith("SELECT id FROM sales")]
    assert sent["readonly"] == "1"
    assert sent["max_execution_time"] == "7"
    assert sent["timeout_overflow_mode"] == "throw"
    assert sent["max_result_rows"] == "4"
    assert "comment" not in sent["text"]


def test_clickhouse_kills_the_query_at_the_deadline(clickhouse: Any) -> None:
    engine = open_engine(f"clickhouse://127.0.0.1:{clickhouse.port}/w", READER)
    engine.run("SELECT 1")
    began = time.monotonic()
    with pytest.raises(DeadlineError):
        engine.run("SELECT sum(number) FROM numbers(1000000000000)", Limits(seconds=1))
    assert time.monotonic() - began < 30
    engine.close()
    seen = clickhouse.seen()
    (slow,) = [one for one in seen if "sum(number)" in one["text"]]
    assert any(
        one["text"].startswith("KILL QUERY") and slow["query_id"] in one["text"] for one in seen
    )


def test_clickhouse_says_who_may_write(clickhouse: Any) -> None:
    engine = open_engine(f"clickhouse://127.0.0.1:{clickhouse.port}/w", {})
    check = engine.check()
    engine.close()
    assert check.can_write is True
    assert "INSERT" in check.detail


def test_clickhouse_refuses_a_wrong_password_without_showing_it(clickhouse: Any) -> None:
    environ = {**READER, "GROUNDWIRE_WAREHOUSE_PASSWORD": "geheim-2"}
    engine = open_engine(f"clickhouse://127.0.0.1:{clickhouse.port}/w", environ)
    with pytest.raises(UnavailableError) as error:
        engine.run("SELECT 1")
    engine.close()
    assert "geheim" not in str(error.value)


def test_clickhouse_is_asked_again_after_it_was_started_anew(clickhouse: Any) -> None:
    engine = open_engine(f"clickhouse://127.0.0.1:{clickhouse.port}/w", READER)
    assert engine.run("SELECT count() FROM sales").rows == ((4,),)
    clickhouse.stop()
    try:
        with pytest.raises(UnavailableError, match="does not answer"):
            engine.run("SELECT 1", Limits(seconds=5))
    finally:
        clickhouse.start()
    assert engine.run("SELECT count() FROM sales").rows == ((4,),)
    engine.close()
