"""What DuckDB must not be made to do: each attack is refused, with a reason that fits it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from groundwire.sparql.outcome import Request
from groundwire.sparql.sql.files import DuckRunner
from groundwire.tables.bounds import listed
from groundwire.tables.duckdb.gate import FUNCTIONS, TABLE_FUNCTIONS

pytestmark = pytest.mark.anyio

SETTINGS = [
    "SELECT current_setting('secret_directory')",
    "SELECT CURRENT_SETTING ( 'home_directory' )",
    "SELECT \"current_setting\"('home_directory')",
    "SELECT system.main.current_setting('home_directory')",
    "SELECT main.current_setting('home_directory')",
    "SELECT 'home_directory'.current_setting()",
    "SELECT * FROM duckdb_settings()",
    'SELECT * FROM "duckdb_settings"()',
    "SELECT * FROM system.main.duckdb_settings()",
    "SELECT * FROM duckdb_settings",
    "SELECT * FROM pg_settings",
    "SELECT * FROM pg_catalog.pg_settings",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM duckdb_databases()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM duckdb_functions()",
    "SELECT * FROM duckdb_extensions()",
    "SELECT * FROM duckdb_memory()",
    "SELECT * FROM duckdb_logs()",
    "SELECT * FROM duckdb_temporary_files()",
    "SELECT * FROM duckdb_variables()",
    "SELECT * FROM pragma_version()",
    "SELECT * FROM pragma_platform()",
    "SELECT * FROM pragma_user_agent()",
    "SELECT * FROM pragma_database_size()",
    "SELECT * FROM pragma_table_info('cities')",
    "SELECT * FROM pragma_storage_info('cities')",
    "SELECT version()",
    "SELECT getenv('HOME')",
    "SELECT system.main.getenv('HOME')",
    "SELECT getvariable('a')",
    "SELECT current_query()",
    "SELECT pg_postmaster_start_time()",
    "SELECT inet_server_addr()",
    "SELECT current_database()",
    "SHOW DATABASES",
    "SELECT * FROM (SHOW DATABASES)",
]

FILES = [
    "SELECT * FROM '/etc/passwd'",
    "FROM '/etc/passwd'",
    "FROM 'secret.csv'",
    "SELECT * FROM './secret.csv'",
    "SELECT * FROM 'https://example.org/a.parquet'",
    "SELECT * FROM 's3://bucket/a.parquet'",
    'SELECT * FROM "file.csv"',
    "SELECT * FROM '*.csv'",
    "WITH x AS (FROM 'a.csv') SELECT 1",
    "SELECT (SELECT a FROM 'a.csv')",
    "SELECT 1 WHERE EXISTS (FROM '/etc/passwd')",
    "SELECT * FROM cities JOIN '/etc/passwd' ON true",
    "SELECT 1 UNION ALL SELECT * FROM '/etc/passwd'",
    "DESCRIBE FROM '/etc/passwd'",
    "SUMMARIZE '/etc/passwd'",
    "DESCRIBE '/etc/passwd'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM \"read_csv\"('/etc/passwd')",
    "SELECT * FROM ReAd_CsV_aUtO('/etc/passwd')",
    "SELECT * FROM read_csv/**/('/etc/passwd')",
    "SELECT * FROM system.main.read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM read_ndjson_objects('/etc/passwd')",
    "SELECT * FROM read_parquet('a.parquet')",
    "SELECT * FROM parquet_scan('a.parquet')",
    "SELECT * FROM parquet_metadata('a.parquet')",
    "SELECT * FROM read_duckdb('a.duckdb')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM glob('/' || '*')",
    "SELECT * FROM LATERAL (SELECT * FROM glob('/*'))",
    "SELECT * FROM sqlite_scan('a.db', 't')",
    "SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 't')",
    "SELECT * FROM pandas_scan(1)",
    "SELECT * FROM arrow_scan(1, 2, 3)",
    "SELECT [x FOR x IN (SELECT list(content) FROM read_text('/etc/passwd'))]",
    "SELECT list_transform([1], lambda x: (SELECT max(file) FROM glob('/*')))",
    "SELECT * FROM (PIVOT read_csv('/etc/passwd') ON a IN (1) USING count(*))",
    "SELECT count(*) OVER (ORDER BY (SELECT 1 FROM glob('/*'))) FROM cities",
    "SELECT CASE WHEN true THEN (FROM read_text('/etc/passwd') SELECT content) END",
    "SELECT 1 ORDER BY (SELECT file FROM glob('/*'))",
    "SELECT 1 LIMIT (SELECT count(*) FROM glob('/*'))",
    "SELECT max(people) FILTER (getenv('A') = '') FROM cities",
    "SELECT 1 FROM cities GROUP BY getenv('A')",
    "SELECT * REPLACE (getenv('A') AS name) FROM cities",
    "SELECT COLUMNS(c -> getenv(c) = '') FROM cities",
    "VALUES (getenv('A'))",
]

TEXT_AS_SQL = [
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('cities')",
    "SELECT * FROM query_table(['cities', 'countries'])",
    "SELECT * FROM json_execute_serialized_sql('{}')",
    "SELECT json_serialize_plan('SELECT 1')",
    "SELECT json_deserialize_sql('{}')",
    "SELECT * FROM seq_scan('cities')",
    "SELECT nextval('s')",
    "SELECT write_log('x')",
    "SELECT sleep_ms(10000)",
    "SELECT pg_sleep(10)",
    "SELECT setseed(0.5)",
]

STATEMENTS = [
    "SELECT current_/**/setting('a')",
    "SELECT 1::DECIMAL(getenv('A'), 1)",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE cities",
    "SELECT 1 /* ; */ ; DROP TABLE cities --",
    "SELECT 1;;DROP TABLE cities",
    "SELECT 1) ; DROP TABLE cities; SELECT (1",
    "SELECT 1) UNION ALL (SELECT 2",
    "SELECT 1) AS x; --",
    "COPY cities TO '/tmp/out.csv'",
    "COPY (SELECT 1) TO '/tmp/out.csv'",
    "COPY cities FROM '/etc/passwd'",
    "ATTACH '/tmp/other.duckdb'",
    "ATTACH '/tmp/other.duckdb' AS o (READ_ONLY)",
    "ATTACH ':memory:' AS m",
    "DETACH cities",
    "USE system",
    "INSTALL httpfs",
    "LOAD httpfs",
    "FORCE INSTALL 'a.duckdb_extension'",
    "PRAGMA database_list",
    "PRAGMA version",
    "PRAGMA enable_profiling",
    "SET threads = 1",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "SET VARIABLE x = 1",
    "CALL duckdb_settings()",
    "CALL pragma_version()",
    "EXPORT DATABASE '/tmp/out'",
    "IMPORT DATABASE '/tmp/out'",
    "CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "BEGIN",
    "COMMIT",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT 1",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "DEALLOCATE p",
    "CREATE TABLE x AS SELECT 1",
    "CREATE TEMP TABLE x AS SELECT 1",
    "CREATE TEMP MACRO f() AS current_setting('threads')",
    "CREATE SECRET s (TYPE s3)",
    "INSERT INTO cities SELECT * FROM cities",
    "UPDATE cities SET people = 0",
    "DELETE FROM cities",
    "TRUNCATE cities",
    "DROP TABLE cities",
    "ALTER TABLE cities ADD COLUMN x INTEGER",
    "MERGE INTO cities USING cities s ON true WHEN MATCHED THEN DELETE",
    "WITH d AS (DELETE FROM cities RETURNING *) SELECT * FROM d",
    "WITH i AS (INSERT INTO cities SELECT * FROM cities RETURNING *) SELECT * FROM i",
    "PIVOT cities ON country USING count(*)",
    "SELECT $1",
    "SELECT ?",
    "SELECT * FROM cities AT (VERSION => 1)",
    "SELECT 1 /* no end",
    "SELECT 'no end",
    "\\copy cities to 'x'",
    ".shell ls",
]

OF_THE_DATABASE = [
    "SELECT * FROM leaky",
    "SELECT * FROM main.leaky",
    "SELECT * FROM cities.main.leaky",
    "SELECT * FROM LEAKY",
    "SELECT * FROM leaky_twice",
    "SELECT * FROM a_file",
    "SELECT lower('threads')",
    "SELECT main.lower('threads')",
    "SELECT 'threads'.lower()",
    "SELECT * FROM settings()",
    "DESCRIBE leaky",
    "WITH leaky2 AS (SELECT * FROM leaky) SELECT * FROM leaky2",
]


async def refusal(duck: DuckRunner, text: str) -> str:
    outcome = await duck.run(Request("sql", text))
    assert outcome.status == "refused", outcome
    assert outcome.rows == ()
    assert outcome.audit.per_query_status_and_error == f"refused: {outcome.reason}"
    assert outcome.audit.query_text == text
    return outcome.reason


@pytest.mark.parametrize("text", SETTINGS)
async def test_the_server_is_not_shown(duck: DuckRunner, text: str) -> None:
    reason = await refusal(duck, text)
    assert "function" in reason or "no table" in reason or "SHOW" in reason


@pytest.mark.parametrize("text", FILES)
async def test_no_file_is_read(duck: DuckRunner, text: str) -> None:
    reason = await refusal(duck, text)
    assert "function" in reason or "no table" in reason


@pytest.mark.parametrize("text", TEXT_AS_SQL)
async def test_no_text_becomes_sql_and_nothing_waits(duck: DuckRunner, text: str) -> None:
    assert "The function" in await refusal(duck, text)


@pytest.mark.parametrize("text", STATEMENTS)
async def test_only_one_select_is_run(duck: DuckRunner, text: str, duck_file: Path) -> None:
    before = duck_file.read_bytes()
    assert await refusal(duck, text)
    assert duck_file.read_bytes() == before


@pytest.mark.parametrize("text", OF_THE_DATABASE)
async def test_views_and_macros_are_read_too(duck: DuckRunner, text: str) -> None:
    reason = await refusal(duck, text)
    assert "may not be used: " in reason
    assert "is not on the list" in reason


async def test_deep_nesting_ends_well(duck: DuckRunner) -> None:
    for text in (
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "-" * 1 + "- ".join(["1"] * 900),
        "SELECT " + " + ".join(["1"] * 5000),
        "SELECT * FROM " + "(SELECT * FROM " * 300 + "cities" + ")" * 300,
        "SELECT " + "[" * 3000 + "]" * 3000,
        "SELECT " + "NOT " * 9000 + "true",
        "SELECT " + "CASE WHEN true THEN " * 2000 + "1" + " END" * 2000,
    ):
        outcome = await duck.run(Request("sql", text))
        assert outcome.status in ("refused", "error", "complete")
    assert (await duck.run(Request("sql", "SELECT count(*) FROM cities"))).rows == ((5,),)


def test_the_lists_hold_nothing_that_reads_or_tells() -> None:
    telling = listed(
        """read_ pragma_ pg_ duckdb_ current_s getenv getvar parquet scan glob query secret
    log_ enable_ disable_ sleep"""
    )
    for name in FUNCTIONS | TABLE_FUNCTIONS:
        assert name == name.lower()
        assert not any(part in name for part in telling) or name == "pg_typeof", name


def test_every_listed_function_is_one_of_the_engine() -> None:
    with duckdb.connect() as connection:
        rows = connection.execute("SELECT DISTINCT function_name FROM duckdb_functions()")
        known = {name.lower() for (name,) in rows.fetchall()}
    assert (FUNCTIONS | TABLE_FUNCTIONS) - known == set()
