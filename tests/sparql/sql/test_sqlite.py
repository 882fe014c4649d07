"""SQL in SQLite: what it answers, what it refuses, and how it ends."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import anyio
import pytest

from groundwire.errors import ConfigurationError
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sql.files import SqliteRunner
from groundwire.tables.bounds import CUT, MAX_CELL

pytestmark = pytest.mark.anyio


async def ask(lite: SqliteRunner, text: str, limit: int = 10, timeout: float = 10.0) -> Outcome:
    return await lite.run(Request("sql", text, limit, timeout))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT name FROM cities WHERE people > 300000", [("Utrecht",)]),
        ("SELECT flag FROM cities LIMIT 1", [("0x89504E47 (4 bytes)",)]),
        (
            "SELECT c.name, k.label FROM cities c JOIN countries k ON k.code = c.country "
            "WHERE area < 100 ORDER BY 1",
            [("Leiden", "Netherlands"), ("Utrecht", "Netherlands")],
        ),
        (
            "SELECT country, count(*), sum(people) FROM cities GROUP BY 1 ORDER BY 1 LIMIT 1",
            [("BE", 2, 384000)],
        ),
        ("WITH big AS (SELECT * FROM cities WHERE area > 130) SELECT count(*) FROM big", [(2,)]),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) "
            "SELECT i FROM n",
            [(1,), (2,), (3,)],
        ),
        (
            "SELECT name, rank() OVER (PARTITION BY country ORDER BY people DESC) AS place "
            "FROM cities ORDER BY place DESC, name LIMIT 2",
            [("Bruges", 2), ("Leiden", 2)],
        ),
        ("SELECT name FROM dutch ORDER BY people LIMIT 1", [("Leiden",)]),
        ("SELECT body FROM notes WHERE notes MATCH 'tower'", [("a tall tower",)]),
        ("SELECT highlight(notes, 0, '<', '>') FROM notes('river')",
         [("bridges over the <river>",)]),
        ("SELECT value FROM json_each('[1, \"a\"]')", [(1,), ("a",)]),
        ("SELECT 1.5, 9e999, -9e999, NULL, '', 9223372036854775807",
         [(1.5, "Infinity", "-Infinity", None, "", 9223372036854775807)]),
        ("WITH x AS (SELECT 1) SELECT count(*) FROM x", [(1,)]),
        ("VALUES (1, 'ä€𝄞')", [(1, "ä€𝄞")]),
        ("-- first\n/* then */ SELECT 1; -- and no more;", [(1,)]),
        ("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY 1 LIMIT 1", [("dutch",)]),
        ("SELECT date('2024-02-29', '+1 day')", [("2024-03-01",)]),
        ("SELECT CAST(x'FF41' AS TEXT)", [("\ufffdA",)]),
    ],
)  # fmt: skip
async def test_a_select_is_answered(lite: SqliteRunner, text: str, rows: list) -> None:
    outcome = await ask(lite, text)
    assert outcome.status == "complete", outcome.reason
    assert list(outcome.rows) == rows


ATTACKS = [
    "SELECT load_extension('/tmp/x.so')",
    "SELECT \"load_extension\"('/tmp/x.so')",
    "SELECT LOAD_EXTENSION('/tmp/x.so', 'init')",
    "SELECT writefile('/tmp/x', 'y')",
    "SELECT readfile('/etc/passwd')",
    "SELECT sqlite_version()",
    "SELECT sqlite_source_id()",
    "SELECT sqlite_compileoption_get(1)",
    "SELECT sqlite_log(1, 'x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT last_insert_rowid()",
    "SELECT changes()",
    "SELECT optimize(notes) FROM notes",
    "SELECT fts5(?1)",
    "SELECT edit('x')",
    "SELECT * FROM pragma_database_list",
    'SELECT * FROM "pragma_database_list"',
    "SELECT * FROM pragma_table_info('cities')",
    "SELECT * FROM pragma_compile_options",
    "SELECT (SELECT file FROM pragma_database_list LIMIT 1)",
    "SELECT 1 FROM pragma_database_list",
    "SELECT count(*) FROM sqlite_stmt",
    "SELECT 1 FROM pragma_table_info('cities')",
    "SELECT * FROM dbstat",
    "SELECT * FROM sqlite_stmt",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM fsdir('/')",
    "SELECT * FROM temp.sqlite_temp_master",
    "SELECT * FROM other.cities",
    "SELECT * FROM leaky",
    "SELECT * FROM loading",
    "SELECT * FROM paths",
    "WITH x AS (SELECT * FROM leaky) SELECT * FROM x",
    "PRAGMA database_list",
    "PRAGMA main.table_info(cities)",
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA temp_store_directory = '/tmp'",
    "ATTACH '/etc/passwd' AS p",
    "ATTACH DATABASE 'file:/tmp/x?mode=rwc' AS x",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO '/tmp/copy.db'",
    "ANALYZE",
    "REINDEX",
    "BEGIN",
    "COMMIT",
    "SAVEPOINT s",
    "EXPLAIN SELECT 1",
    "EXPLAIN QUERY PLAN SELECT 1",
    "CREATE TABLE x(y)",
    "CREATE TEMP TABLE x AS SELECT 1",
    "CREATE TEMP VIEW v AS SELECT 1",
    "CREATE VIRTUAL TABLE x USING fts5(y)",
    "DROP TABLE cities",
    "ALTER TABLE cities ADD COLUMN x",
    "INSERT INTO cities(name) VALUES ('x')",
    "INSERT INTO notes(notes) VALUES ('optimize')",
    "REPLACE INTO countries VALUES ('NL', 'x')",
    "UPDATE cities SET people = 0",
    "DELETE FROM cities",
    "WITH x AS (SELECT 1) DELETE FROM cities",
    "WITH x AS (SELECT 1) INSERT INTO countries SELECT 'x', 'y'",
    "WITH x AS (SELECT 1) UPDATE cities SET people = 0",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE cities",
    "SELECT 1 /* ; */; DELETE FROM cities --",
    "SELECT ?",
    "SELECT :name",
    "SELECT $name",
    "SELECT 1 UNION ALL SELECT",
    "SELECT 'no end",
    "/* nothing */",
    "-- nothing",
    ".read /etc/passwd",
    ".shell ls",
    "SELECT 1\0; DROP TABLE cities",
    "SELECT " + " + ".join(["1"] * 3000),
    "SELECT " + "(" * 3000 + "1" + ")" * 3000,
    " UNION ALL ".join(["SELECT 1"] * 1000),
]


@pytest.mark.parametrize("text", ATTACKS, ids=lambda text: text[:50])
async def test_attacks_are_refused(lite: SqliteRunner, lite_file: Path, text: str) -> None:
    before = lite_file.read_bytes()
    outcome = await ask(lite, text)
    assert outcome.status == "refused" or (len(text) > 1000 and outcome.status == "error"), outcome
    assert outcome.reason
    assert str(lite_file.parent) not in outcome.reason
    assert lite_file.read_bytes() == before
    assert [path.name for path in lite_file.parent.iterdir()] == [lite_file.name]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("SELECT * FROM citys", "did you mean cities"),
        ("SELECT * FROM zzz", "there are cities, countries"),
        ("SELECT peple FROM cities", "did you mean people"),
        ("SELECT lenght(name) FROM cities", "did you mean length"),
        ("SELECT * FROM pragma_database_list", "There is no table 'pragma_database_list'"),
        ("SELECT * FROM leaky", "The view leaky may not be used: The function sqlite_version"),
        ("WITH x AS (SELECT 1) DELETE FROM cities", "The query holds DELETE"),
        ("VACUUM INTO '/tmp/copy.db'", "kind VACUUM"),
        ("SELECT 1; SELECT 2", "several statements"),
        ("SELECT FROM x WHERE", "not well-formed SQL"),
    ],
)
async def test_reasons_say_what_to_send(lite: SqliteRunner, text: str, hint: str) -> None:
    outcome = await ask(lite, text)
    assert outcome.status == "refused"
    assert hint in outcome.reason


@pytest.mark.parametrize(
    "text",
    [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        "SELECT count(*) FROM cities a, cities b, cities c, cities d, cities e, cities f, cities g,"
        " cities h, cities i, cities j, cities k, cities l",
        # One call that the progress handler never sees: its process is killed.
        "SELECT instr(printf('%.*c', 16000000, 'x'), printf('%.*c', 8000000, 'x') || 'y')",
    ],
)
async def test_endless_queries_end_on_time_and_the_next_is_right(
    lite: SqliteRunner, text: str, on_time
) -> None:
    await ask(lite, "SELECT 1")
    for _ in on_time(0.9):
        outcome = await ask(lite, text, timeout=0.5)
        assert outcome.status == "error"
        assert "time limit of 0.5 s" in outcome.reason
    assert (await ask(lite, "SELECT count(*) FROM cities")).rows == ((5,),)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT hex(randomblob(2000000000))",
        "SELECT replace(printf('%.*c', 9000000, 'x'), 'x', 'yyyyyyyyyy')",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) "
        "SELECT group_concat(printf('%.*c', 100000, 'x')) FROM n",
        "WITH RECURSIVE n(i, x) AS (SELECT 1, randomblob(9000000) UNION ALL "
        "SELECT i + 1, randomblob(9000000) FROM n) SELECT * FROM n ORDER BY x",
    ],
)
async def test_memory_is_bounded_and_the_next_is_right(lite: SqliteRunner, text: str) -> None:
    outcome = await ask(lite, text, timeout=1.0)
    assert outcome.status == "error", outcome
    assert (await ask(lite, "SELECT count(*) FROM cities")).rows == ((5,),)


async def test_limits_and_cuts_are_said(lite: SqliteRunner) -> None:
    cut = await ask(lite, "SELECT name FROM cities ORDER BY people DESC", limit=2)
    assert (cut.status, cut.rows) == ("truncated", (("Utrecht",), ("Ghent",)))
    long = await ask(lite, "SELECT x FROM long")
    assert (long.status, long.rows) == ("truncated", (("x" * MAX_CELL + CUT,),))
    empty = await ask(lite, "SELECT name FROM cities WHERE people < 0")
    assert (empty.status, empty.columns) == ("empty", ("name",))


async def test_the_audit_names_the_file_only(lite: SqliteRunner, lite_file: Path) -> None:
    outcome = await ask(lite, "SELECT people FROM cities WHERE name = 'Ghent'")
    assert outcome.audit.endpoint_url == "sqlite:cities #1.db"
    assert str(lite_file.parent) not in str(outcome.audit)
    assert json.loads(outcome.audit.raw) == {"columns": ["people"], "rows": [[265000]]}


async def test_queries_run_beside_each_other(lite: SqliteRunner) -> None:
    found: list[Outcome] = []

    async def one(number: int) -> None:
        found.append(await ask(lite, f"SELECT {number}, count(*) FROM cities"))

    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(one, number)
    assert sorted(outcome.rows for outcome in found) == [((number, 5),) for number in range(8)]


async def test_what_others_write_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("CREATE TABLE t(x)")
    runner = SqliteRunner(path, "a")
    try:
        assert (await ask(runner, "SELECT x FROM t")).status == "empty"
        writer.execute("INSERT INTO t VALUES (1)")
        assert (await ask(runner, "SELECT x FROM t")).rows == ((1,),)
        writer.execute("CREATE TABLE u(y)")
        assert (await ask(runner, "SELECT y FROM u")).status == "empty"
    finally:
        await runner.close()
        writer.close()


async def test_places_are_paths_or_urls(lite_file: Path, tmp_path: Path) -> None:
    for place in (str(lite_file), f"sqlite://{lite_file.as_uri()[7:]}", lite_file.as_uri()):
        runner = SqliteRunner(place, "lite")
        assert (await ask(runner, "SELECT count(*) FROM cities")).rows == ((5,),)
        await runner.close()
    for place in ("mysql://x/y", "sqlite://elsewhere/a.db", "http://x/a.db"):
        with pytest.raises(ConfigurationError):
            SqliteRunner(place, "x")
    missing = SqliteRunner(tmp_path / "no.db", "x")
    outcome = await ask(missing, "SELECT 1")
    assert (outcome.status, (tmp_path / "no.db").exists()) == ("error", False)
    assert str(tmp_path) not in outcome.reason
    await missing.close()
