"""SQL in DuckDB: what it answers, and in which form."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path

import anyio
import duckdb
import pytest

from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sql.files import DuckRunner
from groundwire.sparql.sql.relations import Relation
from groundwire.tables.bounds import CUT, MAX_CELL, MAX_QUERY, MAX_RAW

pytestmark = pytest.mark.anyio


async def ask(duck: DuckRunner, text: str, limit: int = 10, timeout: float = 10.0) -> Outcome:
    return await duck.run(Request("sql", text, limit, timeout))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT name FROM cities WHERE people > 300000", [("Utrecht",)]),
        (
            "SELECT c.name, k.label FROM cities c JOIN countries k ON k.code = c.country "
            "WHERE founded IS NULL ORDER BY 1",
            [("Bruges", "Belgium"), ("Leiden", "Netherlands")],
        ),
        (
            "SELECT country, count(*), sum(area) FROM cities GROUP BY ALL ORDER BY country",
            [
                ("BE", 2, Decimal("294.58")),
                ("DE", 1, Decimal("117.07")),
                ("NL", 2, Decimal("122.48")),
            ],
        ),
        ("WITH big AS (SELECT * FROM cities WHERE area > 130) SELECT count(*) FROM big", [(2,)]),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) FROM n",
            [(1,), (2,), (3,)],
        ),
        (
            "SELECT name, rank() OVER (PARTITION BY country ORDER BY people DESC) AS place "
            "FROM cities QUALIFY place = 2 ORDER BY name",
            [("Bruges", 2), ("Leiden", 2)],
        ),
        ("SELECT name FROM dutch ORDER BY people LIMIT 1", [("Leiden",)]),
        ('SELECT a FROM "odd AS one" ORDER BY a LIMIT 1', [("Bruges",)]),
        ("SELECT round(dense(people, area)) FROM cities WHERE name = 'Trier'", [(957.0,)]),
        ("SELECT name FROM smaller(115000)", [("Trier",)]),
        ("SELECT i FROM range(3) r(i) WHERE i IN (1, 2) ORDER BY i DESC", [(2,), (1,)]),
        ("SELECT unnest([x * 2 FOR x IN [1, 2]])", [(2,), (4,)]),
        ("SELECT list_transform([1, 2], lambda x: x + 1)", [("[2,3]",)]),
        ("VALUES (1, 'a'), (2, NULL)", [(1, "a"), (2, None)]),
        ("TABLE countries ORDER BY code LIMIT 1", [("BE", "Belgium")]),
        ("SELECT 'a; b' AS x; -- and no more;", [("a; b",)]),
        ("SELECT 'ä€𝄞' AS x /* ; */ ;", [("ä€𝄞",)]),
        ("SELECT 1 -- the end", [(1,)]),
        ("SELECT 1 UNION SELECT 2 ORDER BY 1", [(1,), (2,)]),
        (
            "SELECT * FROM (PIVOT cities ON country IN ('BE') USING count(*) GROUP BY founded) "
            "WHERE founded IS NULL",
            [(None, 1)],
        ),
        ("SHOW TABLES", 7),
        ("DESCRIBE countries", 2),
        ("SUMMARIZE countries", 2),
        ("SELECT column_name FROM information_schema.columns WHERE table_name = 'countries'", 2),
        ("SELECT count(*) FROM cities.main.cities", [(5,)]),
        ("SELECT count(*) FROM main.cities", [(5,)]),
        ("SELECT EXISTS (SELECT 1 FROM cities WHERE people > 1000000)", [(False,)]),
        ("SELECT max(people) FILTER (country = 'DE') FROM cities", [(112000,)]),
        ("SELECT string_agg(name, ', ' ORDER BY name) FROM dutch", [("Leiden, Utrecht",)]),
    ],
)
async def test_a_select_is_answered(duck: DuckRunner, text: str, rows: list | int) -> None:
    outcome = await ask(duck, text)
    assert outcome.status == "complete", outcome.reason
    if isinstance(rows, int):
        assert len(outcome.rows) == rows
    else:
        assert list(outcome.rows) == rows


@pytest.mark.parametrize(
    ("expression", "cell"),
    [
        ("1.50::DECIMAL(10,2)", Decimal("1.50")),
        (
            "12345678901234567890.123456789::DECIMAL(38,9)",
            Decimal("12345678901234567890.123456789"),
        ),
        ("170141183460469231731687303715884105727", 170141183460469231731687303715884105727),
        ("0.1::FLOAT", 0.1),
        ("1e-300", 1e-300),
        ("'nan'::DOUBLE", "NaN"),
        ("'-inf'::FLOAT", "-Infinity"),
        ("TRUE", True),
        ("NULL", None),
        ("DATE '2024-02-29'", "2024-02-29"),
        ("'infinity'::DATE", "infinity"),
        ("TIMESTAMP '2024-02-29 12:00:00.25'", "2024-02-29T12:00:00.25"),
        ("TIMESTAMPTZ '2024-02-29 12:00:00+02'", "2024-02-29T10:00:00+00:00"),
        ("INTERVAL '1 month 2 days'", "1 month 2 days"),
        ("TIME '12:30'", "12:30:00"),
        ("'\\xAA\\x00'::BLOB", "0xAA00 (2 bytes)"),
        ("repeat('x', 100)::BLOB", "0x" + "78" * 32 + "… (100 bytes)"),
        ("[1, NULL]", "[1,null]"),
        ("{'a': 1.25, 'b': [DATE '2024-02-29']}", '{"a":"1.25","b":["2024-02-29"]}'),
        ("MAP {'k': 1}", '{"k":1}'),
        ("'b'::ENUM('a', 'b')", "b"),
        ("'{\"a\": 1}'::JSON", '{"a": 1}'),
        ("'00000000-0000-0000-0000-000000000001'::UUID", "00000000-0000-0000-0000-000000000001"),
        ("'101'::BIT", "101"),
    ],
)
async def test_values_are_exact(duck: DuckRunner, expression: str, cell: object) -> None:
    outcome = await ask(duck, f"SELECT {expression} AS v")
    assert outcome.status == "complete", outcome.reason
    assert outcome.rows == ((cell,),)
    assert outcome.columns == ("v",)
    assert type(outcome.rows[0][0]) is type(cell)


async def test_the_limit_says_whether_there_is_more(duck: DuckRunner) -> None:
    cut = await ask(duck, "SELECT name FROM cities ORDER BY people DESC", limit=2)
    assert (cut.status, cut.rows) == ("truncated", (("Utrecht",), ("Ghent",)))
    assert cut.reason == "Only the first 2 rows are here, the query has more"
    assert (await ask(duck, "SELECT name FROM cities", limit=5)).status == "complete"
    empty = await ask(duck, "SELECT name FROM cities WHERE people < 0")
    assert (empty.status, empty.columns, empty.rows, empty.reason) == ("empty", ("name",), (), "")


async def test_the_audit_proves_the_query(duck: DuckRunner, duck_file: Path) -> None:
    outcome = await ask(duck, "SELECT name, area FROM cities WHERE name = 'Ghent'")
    block = outcome.audit.block()
    assert block["query_text"] == "SELECT name, area FROM cities WHERE name = 'Ghent'"
    assert (block["endpoint"], block["endpoint_url"]) == ("cities", "duckdb:cities.duckdb")
    assert block["per_query_status_and_error"] == "complete"
    assert block["result_summary"] == "1 row of 2 columns"
    assert block["start_timestamp"] <= block["end_timestamp"]
    assert json.loads(outcome.audit.raw) == {
        "columns": ["name", "area"],
        "rows": [["Ghent", "156.18"]],
    }
    refused = await ask(duck, "SELECT getenv('HOME')")
    assert refused.audit.block()["per_query_status_and_error"].startswith("refused: The function")
    assert str(duck_file.parent) not in str(refused.audit) + str(outcome.audit)


async def test_long_cells_are_cut_and_said_to_be(duck: DuckRunner) -> None:
    outcome = await ask(duck, "SELECT repeat('x', 2000000) AS x, 'short' AS y")
    assert outcome.status == "truncated"
    assert outcome.reason == f"1 cells were cut at {MAX_CELL} characters"
    assert outcome.rows == (("x" * MAX_CELL + CUT, "short"),)


async def test_a_large_answer_is_bounded(duck: DuckRunner) -> None:
    text = f"SELECT repeat('x', {MAX_CELL}) AS x FROM range(100000)"
    outcome = await ask(duck, text, limit=100_000)
    assert outcome.status == "truncated"
    assert 1000 < len(outcome.rows) < 2000
    assert len(outcome.audit.raw) == MAX_RAW < outcome.audit.raw_size


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("SELECT * FROM citys", "did you mean cities"),
        ("SELECT * FROM nothing_alike", "there are a_file, cities"),
        ("SELECT peple FROM cities", 'Candidate bindings: "people"'),
        ("SELECT lenght(name) FROM cities", "did you mean length"),
        ("SELECT FROM", "not well-formed SQL"),
        ("", "is empty"),
        ("-- nothing", "only comments"),
    ],
)
async def test_mistakes_come_back_with_a_way_out(duck: DuckRunner, text: str, hint: str) -> None:
    outcome = await ask(duck, text)
    assert outcome.status in ("refused", "error")
    assert hint in outcome.reason
    assert "\n" not in outcome.reason


async def test_a_failing_query_says_what_failed(duck: DuckRunner) -> None:
    outcome = await ask(duck, "SELECT 'abc'::INTEGER")
    assert outcome.status == "error"
    assert "abc" in outcome.reason
    assert (await ask(duck, "SELECT 1")).status == "complete"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT count(*) FROM range(1000000000) a, range(100000) b",
        "WITH RECURSIVE b(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM b) SELECT max(i) FROM b",
        "SELECT sum(length(repeat(i::VARCHAR, 1000))) FROM range(1000000000) r(i)",
        "SELECT count(*) FROM range(1000000000) r(i) WHERE regexp_matches(repeat(i::VARCHAR, 99), "
        "'(.*)*(.*)*(.*)*x')",
    ],
)
async def test_endless_queries_end_on_time_and_the_next_is_right(
    duck: DuckRunner, text: str, on_time
) -> None:
    await ask(duck, "SELECT 1")
    for _ in on_time(1.0, least=0.6):
        outcome = await ask(duck, text, timeout=0.6)
        assert outcome.status == "error"
        assert "time limit of 0.6 s" in outcome.reason
    assert (await ask(duck, "SELECT count(*) FROM cities")).rows == ((5,),)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT repeat('x', 2000000000) AS x",
        "SELECT list(i) FROM range(1000000000) r(i)",
        "SELECT count(*) FROM range(1000000000) a, range(1000000000) b",
        "SELECT string_agg(repeat('x', 1000)) FROM range(10000000)",
        "SELECT * FROM range(1000000000) r(i) ORDER BY hash(i)",
        "SELECT range(2000000000)",
        "SELECT lpad('x', 2000000000, 'y')",
    ],
)
async def test_memory_is_bounded_and_the_next_is_right(
    duck: DuckRunner, text: str, on_time
) -> None:
    for _ in on_time(2.4):
        outcome = await ask(duck, text, timeout=2.0)
        assert outcome.status in ("error", "truncated"), outcome.rows
    assert (await ask(duck, "SELECT count(*) FROM cities")).rows == ((5,),)


async def test_an_endless_answer_is_cut_at_the_limit(duck: DuckRunner) -> None:
    outcome = await ask(duck, "SELECT * FROM range(100000000000)", limit=3)
    assert (outcome.status, outcome.rows) == ("truncated", ((0,), (1,), (2,)))


async def test_queries_run_beside_each_other(duck: DuckRunner) -> None:
    outcomes: dict[int, Outcome] = {}

    async def one(number: int) -> None:
        text = f"SELECT {number}, count(*) FROM range({number * 1000})"
        outcomes[number] = await ask(duck, text)

    async with anyio.create_task_group() as group:
        for number in range(12):
            group.start_soon(one, number)
    assert [outcomes[number].rows for number in range(12)] == [
        ((number, number * 1000),) for number in range(12)
    ]


async def test_a_cancelled_query_gives_its_worker_back(duck: DuckRunner) -> None:
    await ask(duck, "SELECT 1")
    # More often than there are workers. The query ends by itself neither in time nor for want of
    # memory: the smaller side, which is kept, is last.
    for _ in range(3):
        with anyio.move_on_after(0.2) as scope:
            await ask(duck, "SELECT count(*) FROM range(1000000000) a, range(100000) b", timeout=60)
        assert scope.cancelled_caught
    assert (await ask(duck, "SELECT 1")).rows == ((1,),)


async def test_a_long_query_is_refused_at_once(duck: DuckRunner, on_time) -> None:
    for _ in on_time(0.1):
        outcome = await ask(duck, "SELECT " + "1 + " * 250_000 + "1")
        assert outcome.status == "refused"
        assert str(MAX_QUERY) in outcome.reason


async def test_relations_stand_beside_the_tables(duck: DuckRunner) -> None:
    rated = Relation(
        ("city", "score", "weight", "seen", "big"),
        [
            ("Ghent", 3, Decimal("0.10"), 1.5, True),
            ("Trier", None, Decimal("2"), 2, False),
            ("Rome", 1, None, None, None),
        ],
    )
    outcome = await duck.run(
        Request(
            "sql",
            "SELECT c.name, r.* EXCLUDE city FROM cities c JOIN rated r "
            "ON r.city = c.name ORDER BY 1",
        ),
        {"rated": rated},
    )
    assert outcome.rows == (
        ("Ghent", 3, Decimal("0.10"), 1.5, True),
        ("Trier", None, Decimal("2.00"), 2.0, False),
    )
    gone = await ask(duck, "SELECT * FROM rated")
    assert gone.status == "refused"


async def test_relations_without_a_database() -> None:
    runner = DuckRunner(None, "spasql")
    try:
        people = Relation(("Name", 'odd "name'), [("Ada", "x"), ("Bob", 1)])
        request = Request("sql", 'SELECT "Name", "odd ""name" FROM People ORDER BY 1')
        outcome = await runner.run(request, {"people": people, "none": (("a",), [])})
        assert outcome.rows == (("Ada", "x"), ("Bob", "1"))
        assert outcome.audit.endpoint_url == "duckdb::memory:"
        empty = await runner.run(Request("sql", "SELECT * FROM none"), {"none": (("a",), [])})
        assert (empty.status, empty.columns) == ("empty", ("a",))
        huge = Relation(("n",), [(1 << 100,), (-1,)])
        summed = await runner.run(Request("sql", "SELECT sum(n)::VARCHAR FROM h"), {"h": huge})
        assert summed.rows == ((str((1 << 100) - 1),),)
        twice = await runner.run(Request("sql", "SELECT 1"), {"r": (("a", "A"), [])})
        assert twice.status == "refused"
        many = Relation(("i", "t"), [(i, f"text {i}") for i in range(50_000)])
        counted = await runner.run(
            Request("sql", "SELECT count(DISTINCT t), sum(i) FROM m"), {"m": many}
        )
        assert counted.rows == ((50_000, 1249975000),)
    finally:
        await runner.close()


async def test_relations_do_not_open_the_gate(duck: DuckRunner) -> None:
    relation = {"secret.csv": (("a",), [(1,)]), "t": (("a",), [(1,)])}
    named = await duck.run(Request("sql", "SELECT * FROM 'secret.csv'"), relation)
    assert named.rows == ((1,),)
    outcome = await duck.run(Request("sql", "SELECT getenv(a) FROM t"), relation)
    assert outcome.status == "refused"


async def test_a_file_that_changed_is_opened_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS x")
    runner = DuckRunner(path, "a", workers=1)
    try:
        assert (await ask(runner, "SELECT x FROM t")).rows == ((1,),)
        other = tmp_path / "b.duckdb"
        with duckdb.connect(str(other)) as connection:
            connection.execute("CREATE TABLE t AS SELECT 22 AS x")
        shutil.move(other, path)
        assert (await ask(runner, "SELECT x FROM t")).rows == ((22,),)
    finally:
        await runner.close()


async def test_a_missing_or_broken_file_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.duckdb"
    broken.write_text("no database at all" * 1000, "utf-8")
    for path in (tmp_path / "missing.duckdb", broken):
        runner = DuckRunner(path, "x")
        try:
            outcome = await ask(runner, "SELECT 1")
            assert outcome.status == "error"
            assert "cannot be opened" in outcome.reason
            assert str(tmp_path) not in outcome.reason
        finally:
            await runner.close()
    assert not (tmp_path / "missing.duckdb").exists()
