"""SQL in PostgreSQL, on a real server: as a superuser, so that nothing but the gate stands."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from decimal import Decimal

import anyio
import psycopg
import pytest
from postgres_cluster import cluster

from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sql.engines import PostgresRunner
from groundwire.tables.bounds import CUT, MAX_CELL

pytestmark = pytest.mark.anyio

SCHEMA = """
CREATE TABLE cities(name text, country text, people bigint, area numeric(10,2), founded date);
INSERT INTO cities VALUES ('Utrecht', 'NL', 374000, 99.21, '0122-01-01'),
    ('Leiden', 'NL', 127000, 23.27, NULL), ('Ghent', 'BE', 265000, 156.18, '0650-05-01'),
    ('Bruges', 'BE', 119000, 138.40, NULL), ('Trier', 'DE', 112000, 117.07, '0016-01-01');
CREATE VIEW dutch AS SELECT name, people FROM cities WHERE country = 'NL';
CREATE SEQUENCE counter;
CREATE SCHEMA app;
CREATE TABLE app.things(id int);
CREATE FUNCTION dense(cities) RETURNS text LANGUAGE sql AS $$ SELECT 'called'::text $$;
CREATE FUNCTION app.twice(x int) RETURNS int LANGUAGE sql AS $$ SELECT x * 2 $$;
CREATE ROLE reader LOGIN PASSWORD 'geheim-1';
GRANT SELECT ON cities TO reader;
"""
PASSWORD = "PG_TEST_PASSWORD"


@pytest.fixture(scope="session")
def server() -> Iterator[int]:
    """A server on loopback in a folder of its own; its port."""
    with cluster(SCHEMA) as running:
        yield running.port


@pytest.fixture(scope="session")
def pg(server: int) -> Iterator[PostgresRunner]:
    runner = PostgresRunner(
        f"postgresql://postgres@127.0.0.1:{server}/postgres", "cities", functions={"app.twice"}
    )
    yield runner
    runner.close_now()


async def ask(pg: PostgresRunner, text: str, limit: int = 10, timeout: float = 10.0) -> Outcome:
    return await pg.run(Request("sql", text, limit, timeout))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT name FROM cities WHERE people > 300000", [("Utrecht",)]),
        ("SELECT a.name FROM cities a JOIN cities b USING (country) WHERE b.name = 'Ghent' "
         "ORDER BY 1", [("Bruges",), ("Ghent",)]),
        ("SELECT country, count(*), sum(area) FROM cities GROUP BY 1 ORDER BY 1 LIMIT 1",
         [("BE", 2, Decimal("294.58"))]),
        ("WITH big AS (SELECT * FROM cities WHERE area > 130) SELECT count(*) FROM big", [(2,)]),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) TABLE n",
         [(1,), (2,), (3,)]),
        ("SELECT name, rank() OVER (PARTITION BY country ORDER BY people DESC) FROM cities "
         "ORDER BY 2 DESC, 1 LIMIT 1", [("Bruges", 2)]),
        ("SELECT name FROM dutch ORDER BY people DESC", [("Utrecht",), ("Leiden",)]),
        ("SELECT * FROM generate_series(3, 1, -1) g(i)", [(3,), (2,), (1,)]),
        ("SELECT u.a, u.b FROM unnest(ARRAY['x', 'y']) WITH ORDINALITY u(a, b)",
         [("x", 1), ("y", 2)]),
        ("SELECT value FROM jsonb_each_text('{\"a\": 1}'::jsonb)", [("1",)]),
        ("SELECT count(*) FROM app.things", [(0,)]),
        ("SELECT app.twice(21)", [(42,)]),
        ("SELECT table_name FROM information_schema.tables WHERE table_schema = 'app'",
         [("things",)]),
        ("SELECT c.name, (c).people FROM cities c WHERE (c).name = 'Trier'", [("Trier", 112000)]),
        ("VALUES (1, 'ä€𝄞')", [(1, "ä€𝄞")]),
        ("SELECT 'a; b' AS x; -- and no more;", [("a; b",)]),
        ("SELECT E'it\\'s', $$a'b$$, U&'\\0061' -- end", [("it's", "a'b", "a")]),
        ("SELECT 1 AS a, 2 AS a", [(1, 2)]),
        ("SELECT DISTINCT ON (country) country, name FROM cities ORDER BY country, people LIMIT 1",
         [("BE", "Bruges")]),
    ],
)  # fmt: skip
async def test_a_select_is_answered(pg: PostgresRunner, text: str, rows: list) -> None:
    outcome = await ask(pg, text)
    assert outcome.status == "complete", outcome.reason
    assert list(outcome.rows) == rows


@pytest.mark.parametrize(
    ("expression", "cell"),
    [
        ("1.50::numeric(10,2)", Decimal("1.50")),
        ("12345678901234567890.123456789", Decimal("12345678901234567890.123456789")),
        ("'NaN'::numeric", "NaN"),
        ("9223372036854775807", 9223372036854775807),
        ("0.1::float4", 0.1),
        ("0.1::float8 + 0.2", 0.30000000000000004),
        ("'-Infinity'::float8", "-Infinity"),
        ("true", True),
        ("NULL", None),
        ("NULL::bytea", None),
        ("DATE '2024-02-29'", "2024-02-29"),
        ("'infinity'::date", "infinity"),
        ("TIMESTAMP '2024-02-29 12:00:00.25'", "2024-02-29T12:00:00.25"),
        ("TIMESTAMPTZ '2024-02-29 12:00:00+02'", "2024-02-29T10:00:00+00:00"),
        ("INTERVAL '1 month 2 days'", "P1M2D"),
        ("TIME '12:30'", "12:30:00"),
        ("'\\xAA00'::bytea", "0xAA00 (2 bytes)"),
        ("convert_to(repeat('x', 100), 'UTF8')", "0x" + "78" * 32 + "… (100 bytes)"),
        ("ARRAY[1.10, NULL]", "[1.10,null]"),
        ("ROW(1, 'a')", '{"f1":1,"f2":"a"}'),
        ("'{\"a\": 1}'::jsonb", '{"a": 1}'),
        ("int4range(1, 3)", "[1,3)"),
        ("'10.0.0.1'::inet", "10.0.0.1/32"),
    ],
)
async def test_values_are_exact(pg: PostgresRunner, expression: str, cell: object) -> None:
    if "range(" in expression:
        expression = "'[1,3)'::int4range"
    outcome = await ask(pg, f"SELECT {expression} AS v")
    assert outcome.status == "complete", outcome.reason
    assert outcome.rows == ((cell,),)
    assert outcome.columns == ("v",)
    assert type(outcome.rows[0][0]) is type(cell)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        # What the gate alone cannot see, and the server is asked about.
        ("SELECT ('data_directory'::text).current_setting", "current_setting after a point"),
        ("SELECT (s.x).current_setting FROM (SELECT 'data_directory'::text AS x) s",
         "current_setting after a point"),
        ("SELECT (s).x.current_setting FROM (SELECT 'data_directory'::text AS x) s",
         "current_setting after a point"),
        ("SELECT (ARRAY['data_directory'])[1].current_setting", "current_setting"),
        ('SELECT (\'data_directory\'::text)."current_setting"', "current_setting after a point"),
        ("SELECT ('/etc/passwd'::text).lo_import", "lo_import after a point"),
        ("SELECT c.dense FROM cities c", "dense after a point"),
        ("SELECT (c).dense FROM cities c", "dense after a point"),
        ("SELECT dense(c) FROM cities c", "dense is not on the list"),
        ("SELECT (SELECT 'data_directory'::text).current_setting", "current_setting"),
        # What the server refuses.
        ("SELECT name INTO copy FROM cities", "INTO"),
        ("SELECT * FROM cities FOR UPDATE", "would change something"),
        ("SELECT * FROM cities FOR SHARE", "would change something"),
        ("SELECT FROM cities", "no columns"),
        ("SELECT * FROM t, LATERAL lower('x') AS (SELECT int)", "cannot be run"),
        ("SELECT 1 FROM", "cannot be run"),
        ("SELECT name FROM citys", "did you mean cities?"),
        ("SELECT id FROM app.thing", "did you mean app.things?"),
        ("SELECT peple FROM cities", "people"),
        ("SELECT lower(1, 2, 3)", "cannot be run"),
        # What the gate refuses, here as a superuser.
        ("SELECT pg_read_file('PG_VERSION')", "catalogue"),
        ("SELECT 1; SELECT 2", "several"),
        ("COPY cities TO PROGRAM 'id'", "COPY"),
        ("WITH d AS (DELETE FROM cities RETURNING *) SELECT * FROM d", "DELETE"),
        ("SELECT nextval('counter')", "nextval"),
    ],
)  # fmt: skip
async def test_attacks_are_refused(pg: PostgresRunner, text: str, hint: str) -> None:
    outcome = await ask(pg, text)
    assert outcome.status == "refused", outcome
    assert hint in outcome.reason
    assert (await ask(pg, "SELECT count(*) FROM cities")).rows == ((5,),)


async def test_the_limit_says_whether_there_is_more(pg: PostgresRunner) -> None:
    cut = await ask(pg, "SELECT name FROM cities ORDER BY people DESC", limit=2)
    assert (cut.status, cut.rows) == ("truncated", (("Utrecht",), ("Ghent",)))
    assert (await ask(pg, "SELECT name FROM cities", limit=5)).status == "complete"
    empty = await ask(pg, "SELECT name FROM cities WHERE people < 0")
    assert (empty.status, empty.columns) == ("empty", ("name",))
    long = await ask(pg, "SELECT repeat('x', 100000)")
    assert (long.status, long.rows) == ("truncated", (("x" * MAX_CELL + CUT,),))
    endless = await ask(pg, "SELECT * FROM generate_series(1, 1000000)", limit=100)
    assert (endless.status, len(endless.rows)) == ("truncated", 100)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT count(*) FROM generate_series(1, 10000000) a, generate_series(1, 1000) b",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        "SELECT count(*) FROM generate_series(1, 100000) i "
        "WHERE repeat(i::text, 500) ~ '(.*)*(.*)*(.*)*x$'",
        "SELECT string_agg(repeat('x', 1000000), '') FROM generate_series(1, 100000)",
    ],
)
async def test_endless_queries_end_on_time_and_the_next_is_right(
    pg: PostgresRunner, text: str, on_time
) -> None:
    for _ in on_time(0.9):
        outcome = await ask(pg, text, timeout=0.5)
        assert outcome.status == "error"
        assert "time limit of 0.5 s" in outcome.reason or "memory" in outcome.reason
    assert (await ask(pg, "SELECT count(*) FROM cities")).rows == ((5,),)


async def test_a_failing_query_says_what_failed(pg: PostgresRunner) -> None:
    outcome = await ask(pg, "SELECT 1 / (people - people) FROM cities")
    assert (outcome.status, outcome.reason) == (
        "error", "PostgreSQL: division by zero. Mend the query.",
    )  # fmt: skip
    assert (await ask(pg, "SELECT 1")).rows == ((1,),)


async def test_queries_run_beside_each_other(pg: PostgresRunner) -> None:
    found: list[Outcome] = []

    async def one(number: int) -> None:
        found.append(await ask(pg, f"SELECT {number}, count(*) FROM cities"))

    async with anyio.create_task_group() as group:
        for number in range(10):
            group.start_soon(one, number)
    assert sorted(outcome.rows for outcome in found) == [((number, 5),) for number in range(10)]


async def test_a_connection_that_the_server_ended_is_replaced(
    pg: PostgresRunner, server: int
) -> None:
    assert (await ask(pg, "SELECT 1")).rows == ((1,),)
    with psycopg.connect(
        host="127.0.0.1", port=server, user="postgres", dbname="postgres", autocommit=True
    ) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'groundwire'"
        )
        gone = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'groundwire'"
        while connection.execute(gone).fetchone() != (0,):
            await anyio.sleep(0.01)
    assert (await ask(pg, "SELECT 1")).rows == ((1,),)


async def test_credentials_come_from_the_environment(
    server: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"postgresql://reader@127.0.0.1:{server}/postgres"
    runner = PostgresRunner(url, "cities", password_variable=PASSWORD)
    monkeypatch.setenv(PASSWORD, "geheim-2")
    wrong = await ask(runner, "SELECT 1")
    assert wrong.status == "error"
    assert "geheim" not in str(wrong)
    monkeypatch.setenv(PASSWORD, "geheim-1")
    right = await ask(runner, "SELECT count(*) FROM cities")
    assert right.rows == ((5,),)
    assert "geheim" not in str(right)
    assert right.audit.endpoint_url == f"postgresql://127.0.0.1:{server}/postgres"
    assert json.loads(right.audit.raw) == {"columns": ["count"], "rows": [[5]]}
    denied = await ask(runner, "SELECT * FROM app.things")
    assert denied.status == "refused"
    assert "permission denied" in denied.reason
    await runner.close()


async def test_a_server_that_says_nothing_is_left_on_time(on_time) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        runner = PostgresRunner(f"postgresql://127.0.0.1:{silent.getsockname()[1]}/x", "x")
        for _ in on_time(0.9):
            outcome = await ask(runner, "SELECT 1", timeout=0.5)
            assert outcome.status == "error"
