"""What every engine does alike: the same tests on each that is here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from groundwire.errors import DeadlineError, ForbiddenError, InputError
from groundwire.tables.engine import Engine, Limits

Named = Callable[[str], str]
EXACT = ("duckdb", "lake", "postgres", "chdb", "clickhouse")
SLOW = {
    "duckdb": "SELECT count(*) FROM range(1000000000) a, range(1000000000) b",
    "lake": "SELECT count(*) FROM range(1000000000) a, range(1000000000) b",
    "sqlite": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT max(x) FROM n",
    "postgres": "SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 9) b",
    "chdb": "SELECT sum(cityHash64(number)) FROM numbers(1000000000000)",
    "clickhouse": "SELECT sum(cityHash64(number)) FROM numbers(1000000000000)",
}
WRITES = (
    "DROP TABLE {}", "DELETE FROM {} WHERE 1 = 1", "INSERT INTO {} (id) VALUES (99)",
    "UPDATE {} SET id = 1", "CREATE TABLE x (a INT)", "SELECT 1; DROP TABLE {}",
)  # fmt: skip


def test_values_are_exact_and_alike(engine: Engine, kind: str, table: Named) -> None:
    sql = f"SELECT id, region, amount, rate, day, moment, note FROM {table('sales')} ORDER BY id"
    result = engine.run(sql)
    assert [column.name for column in result.columns] == [
        "id", "region", "amount", "rate", "day", "moment", "note",
    ]  # fmt: skip
    assert result.is_complete
    assert [row[0] for row in result.rows] == [1, 2, 3, 4]
    assert [row[6] for row in result.rows] == [None, "it's", "", "ü中"]
    assert [row[3] for row in result.rows] == [1.5, None, -2.5, 0.1]
    if kind not in EXACT:
        return
    amounts = [row[2] for row in result.rows]
    assert amounts == [Decimal("10.10"), Decimal("20.20"), Decimal("30.35"), Decimal("0.01")]
    assert all(isinstance(one, Decimal) and one.as_tuple().exponent == -2 for one in amounts)
    assert result.rows[1][4] == date(2024, 2, 15)
    assert result.rows[1][5] == datetime(2024, 3, 31, 1, 30, tzinfo=UTC)
    assert result.rows[2][5] == datetime(2024, 10, 27, 0, 30, tzinfo=UTC)


def test_sums_are_exact(engine: Engine, kind: str, table: Named) -> None:
    result = engine.run(
        f"SELECT region, sum(amount) AS total FROM {table('sales')} GROUP BY region "
        "ORDER BY total DESC"
    )
    if kind in EXACT:
        assert result.rows == (
            ("north", Decimal("40.45")), ("south", Decimal("20.20")), ("west", Decimal("0.01")),
        )  # fmt: skip
    assert [row[0] for row in result.rows] == ["north", "south", "west"]


def test_nothing_that_is_no_number_looks_like_one(engine: Engine, kind: str) -> None:
    if kind == "sqlite":
        assert engine.run("SELECT 9e999, -9e999").rows == ((None, None),)
        return
    cast = "CAST('nan' AS {0}), CAST('inf' AS {0}), CAST('-inf' AS {0}), CAST('1.5' AS {0})"
    type_ = {"postgres": "double precision"}.get(kind, "Float64" if kind[0] == "c" else "DOUBLE")
    assert engine.run("SELECT " + cast.format(type_)).rows == ((None, None, None, 1.5),)


def test_rows_past_the_limit_are_left_out_and_told(engine: Engine, table: Named) -> None:
    sql = f"SELECT id FROM {table('sales')} ORDER BY id"
    cut = engine.run(sql, Limits(rows=2))
    assert cut.rows == ((1,), (2,))
    assert not cut.is_complete
    assert engine.run(sql, Limits(rows=4)).is_complete
    assert not engine.run(sql, Limits(rows=0)).is_complete


def test_characters_past_the_limit_are_left_out_and_told(engine: Engine, table: Named) -> None:
    sql = f"SELECT region, product FROM {table('sales')} ORDER BY id"
    cut = engine.run(sql, Limits(characters=30))
    assert 0 < len(cut.rows) < 4
    assert not cut.is_complete


def test_a_slow_query_is_cancelled_and_the_next_one_runs(
    engine: Engine, kind: str, table: Named, took: Callable[[], float]
) -> None:
    engine.run("SELECT 1")
    with pytest.raises(DeadlineError, match="time limit"):
        engine.run(SLOW[kind], Limits(seconds=1.0))
    assert took() < 8.0
    assert engine.run(f"SELECT count(*) FROM {table('sales')}").rows == ((4,),)


@pytest.mark.parametrize("statement", WRITES)
def test_writing_is_refused(engine: Engine, table: Named, statement: str) -> None:
    with pytest.raises(ForbiddenError):
        engine.run(statement.format(table("sales")))
    assert engine.run(f"SELECT count(*) FROM {table('sales')}").rows == ((4,),)


def test_what_is_not_there_is_told_in_one_line(engine: Engine, table: Named) -> None:
    for sql in (f"SELECT nope FROM {table('sales')}", f"SELECT 1 FROM {table('nope')}"):
        with pytest.raises((InputError, ForbiddenError)) as error:
            engine.run(sql)
        assert "nope" in str(error.value)
        assert "\n" not in str(error.value) and len(str(error.value)) < 500


@pytest.mark.parametrize("text", ["", "  \n", "\0", "x" * 60_000, "-- nothing"])
def test_no_query_is_refused(engine: Engine, text: str) -> None:
    with pytest.raises(ForbiddenError):
        engine.run(text)


def test_threads_share_an_engine(engine: Engine, table: Named) -> None:
    found: list[object] = []

    def ask(number: int) -> None:
        sql = f"SELECT id FROM {table('sales')} WHERE id = {number % 4 + 1}"
        found.append((number, engine.run(sql).rows))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(number, ((number % 4 + 1,),)) for number in range(12)]  # type: ignore[type-var]


def test_tables_and_their_columns(engine: Engine, kind: str) -> None:
    found = {table.name: table for table in engine.tables()}
    assert list(found) == sorted(found)
    name = "w.sales" if kind == "chdb" else "sales"
    sales = found[name]
    columns = [column.name for column in sales.columns]
    assert columns[:4] == ["id", "region", "product", "amount"]
    assert all(column.type for column in sales.columns)
    if kind in ("duckdb", "postgres", "sqlite"):
        assert sales.primary_key == ("id",)
        assert sales.unique_keys == (("region", "product"),)
        (key,) = found["parts"].foreign_keys
        assert (key.columns, key.table, key.to_columns) == (("sale",), "sales", ("id",))
        assert [column.nullable for column in sales.columns[:3]] == [False, False, True]
    if kind in ("duckdb", "postgres"):
        assert sales.comment == "what was sold"
        assert sales.columns[3].comment == "in EUR"
        assert 'app."Odd Table"' in found
    if kind in ("chdb", "clickhouse"):
        assert (sales.comment, sales.rows, sales.primary_key) == ("what was sold", 4, ())


def test_every_table_that_is_told_can_be_read(engine: Engine) -> None:
    for table in engine.tables():
        names = [column.name for column in engine.run(f"SELECT * FROM {table.name}").columns]
        assert names == [column.name for column in table.columns]


def test_the_check_tells_version_and_that_nothing_can_be_written(engine: Engine) -> None:
    check = engine.check()
    assert check.version.split()[0] in ("DuckDB", "SQLite", "PostgreSQL", "ClickHouse")
    assert check.version.split()[1][0].isdigit()
    assert check.can_write is False
    assert check.detail == ""


def test_closing_twice_does_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    from groundwire.tables.opening import open_engine

    if kind in ("postgres", "clickhouse", "chdb"):
        pytest.skip("its own test closes it")
    path = request.getfixturevalue("lake" if kind == "lake" else f"{kind}_file")
    engine = open_engine(f"{'duckdb' if kind == 'lake' else kind}:{path}", {})
    assert engine.run("SELECT 1").rows == ((1,),)
    engine.close()
    engine.close()
