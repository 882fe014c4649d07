"""Spark over Spark Connect, on a standalone cluster of two workers; `pytest -m spark`."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from spark_cluster import SparkCluster, missing
from warehouse_rows import NAMED, SALES

from groundwire.errors import DeadlineError, ForbiddenError, InputError
from groundwire.tables.engine import Engine, Limits
from groundwire.tables.opening import open_engine
from groundwire.tables.spark.engine import check

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]

HERE = Path(__file__).parent
HONEST = (HERE / "statements/spark_honest.txt").read_text("utf-8").splitlines()
ATTACKS = (HERE / "statements/spark_attacks.txt").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    running = SparkCluster(tmp_path_factory.mktemp("spark"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def session(cluster: SparkCluster) -> Iterator[Any]:
    """A session of the tests' own, which may write; it has made the tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        connect = "pyspark.sql.connect"
        policy = import_module(f"{connect}.client.retries").DefaultPolicy(max_retries=2)
        builder = import_module(f"{connect}.session").SparkSession.builder
        held = builder.remote(f"sc://127.0.0.1:{cluster.port}").create()
    held.client.set_retry_policies([policy])
    held.conf.set("spark.sql.session.timeZone", "UTC")
    rows = ", ".join(
        f"({one[0]}, '{one[1]}', '{one[2]}', {one[3]}BD, double('{one[4]}'), DATE '{one[5]}', "
        f"TIMESTAMP '{one[6]}:00', "
        + ("NULL" if one[7] is None else '"' + str(one[7]) + '"')
        + f", array('a', '{one[1]}'))"
        for one in SALES
    )
    held.sql(
        "CREATE TABLE sales(id INT, region STRING, product STRING, amount DECIMAL(12, 2) COMMENT "
        "'in EUR', rate DOUBLE, day DATE, moment TIMESTAMP, note STRING, tags ARRAY<STRING>) "
        "USING parquet COMMENT 'what was sold'"
    )
    held.sql(f"INSERT INTO sales VALUES {rows}")
    held.sql("CREATE TABLE names(id INT, name STRING) USING parquet")
    held.sql(f"INSERT INTO names VALUES {NAMED}")
    held.sql("CREATE DATABASE app")
    held.sql("CREATE TABLE app.`order`(id INT) USING parquet")
    yield held
    held.client.close()


@pytest.fixture(scope="module")
def engine(cluster: SparkCluster, session: Any) -> Iterator[Engine]:
    engine = open_engine(f"sc://127.0.0.1:{cluster.port}", {})
    yield engine
    engine.close()


def test_values_are_exact(engine: Engine) -> None:
    result = engine.run("SELECT id, amount, rate, day, moment, note FROM sales ORDER BY id")
    assert result.is_complete
    assert [column.type for column in result.columns] == [
        "int", "decimal(12,2)", "double", "date", "timestamp", "string",
    ]  # fmt: skip
    assert result.rows[1] == (
        2, Decimal("20.20"), None, date(2024, 2, 15),
        datetime(2024, 3, 31, 1, 30, tzinfo=UTC), "it's",
    )  # fmt: skip
    assert [row[5] for row in result.rows] == [None, "it's", "", "ü中"]


def test_honest_queries_mean_the_same_when_they_are_written_anew(session: Any) -> None:
    different: list[object] = []
    for one in HONEST:
        passed = check(one)
        plan, again = session.sql(one), session.sql(passed)
        if plan.sameSemantics(again) and plan.columns == again.columns:
            continue
        before = [repr(tuple(row)) for row in plan.collect()]
        after = [repr(tuple(row)) for row in again.collect()]
        if before != after:
            different.append((one, passed, before, after))
    assert different == []


def test_honest_queries_are_answered(engine: Engine) -> None:
    # What all of them mean was compared above; these go the whole way.
    for statement in HONEST[::7]:
        assert engine.run(statement).is_complete, statement


def test_attacks_read_nothing_write_nothing_and_call_nobody(
    engine: Engine, listener: Any, tmp_path: Path
) -> None:
    secret, written = tmp_path / "secret.csv", tmp_path / "written"
    secret.write_text("GEHEIM\n")
    for statement in ATTACKS:
        for mark, value in (
            ("{port}", listener.port), ("{secret}", secret), ("{written}", written),
        ):  # fmt: skip
            statement = statement.replace(mark, str(value))
        with pytest.raises(ForbiddenError) as error:
            engine.run(statement)
        assert "GEHEIM" not in str(error.value)
    assert not written.exists()
    assert listener.connections() == 0
    assert engine.run("SELECT count(*) FROM sales").rows == ((4,),)


def test_the_session_itself_reads_no_file_and_replaces_no_variable(
    engine: Any, tmp_path: Path
) -> None:
    """The second wall, behind the gate."""
    secret = tmp_path / "secret.csv"
    secret.write_text("GEHEIM\n")
    held = engine._session()
    with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND"):
        held.sql(f"SELECT * FROM text.`{secret}`").collect()
    (row,) = held.sql("SELECT '${spark.master}'").collect()
    assert row[0] == "${spark.master}"


def test_limits_cut_and_say_so(engine: Engine) -> None:
    cut = engine.run("SELECT id FROM sales ORDER BY id DESC", Limits(rows=2))
    assert cut.rows == ((4,), (3,))
    assert not cut.is_complete
    assert engine.run("SELECT id FROM sales", Limits(rows=4)).is_complete
    assert not engine.run("SELECT region, product FROM sales", Limits(characters=20)).is_complete


def test_a_query_that_is_late_is_interrupted_on_the_cluster(engine: Engine) -> None:
    """Its tasks hold both cores, so the next query has an answer only if they were ended."""
    with pytest.raises(DeadlineError, match="time limit"):
        engine.run(
            "SELECT sum(hash(a.id, b.id)) FROM range(0, 1000000, 1, 4) a "
            "CROSS JOIN range(1000000) b",
            Limits(seconds=3),
        )
    assert engine.run("SELECT count(*) FROM sales", Limits(seconds=30)).rows == ((4,),)


def test_errors_of_the_query_are_told_in_one_line(engine: Engine) -> None:
    for sql in ("SELECT nope FROM sales", "SELECT * FROM nope", "SELECT 1 / 0", "SELECT abs('x')"):
        with pytest.raises(InputError) as error:
            engine.run(sql)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 500


def test_threads_share_an_engine(engine: Engine) -> None:
    found: list[tuple[int, object]] = []

    def ask(number: int) -> None:
        sql = f"SELECT id FROM sales WHERE id = {number + 1}"
        found.append((number, engine.run(sql, Limits(seconds=60)).rows))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(number, ((number + 1,),)) for number in range(4)]


def test_tables_with_their_columns(engine: Engine) -> None:
    found = {table.name: table for table in engine.tables()}
    assert set(found) == {"sales", "names", "app.`order`"}
    assert found["sales"].comment == "what was sold"
    assert [(c.name, c.type, c.comment) for c in found["sales"].columns][3] == (
        "amount", "decimal(12,2)", "in EUR",
    )  # fmt: skip
    for name, table in found.items():
        assert len(engine.run(f"SELECT * FROM {name}").columns) == len(table.columns)


def test_the_check_says_what_is_not_known(engine: Engine) -> None:
    found = engine.check()
    assert found.version.startswith("Spark 4")
    assert found.can_write is None
    assert found.detail


def test_a_session_that_the_server_has_ended_is_made_anew(engine: Any) -> None:
    held = engine._session()
    held.client.release_session()
    assert engine.run("SELECT count(*) FROM sales").rows == ((4,),)
    assert engine._session() is not held
