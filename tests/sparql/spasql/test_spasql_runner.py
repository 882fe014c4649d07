"""SPARQL within SQL at a local graph and in DuckDB."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest

from groundwire.graph.engine import LocalGraph
from groundwire.graph.gate_policy import Policy
from groundwire.graph.stores import build_store
from groundwire.graph.terms import XSD, iri, literal
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sparql_runner import SparqlRunner
from groundwire.sparql.spasql import SpasqlRunner
from groundwire.sparql.sql.files import DuckRunner
from groundwire.sparql.sql.relations import relation

pytestmark = pytest.mark.anyio

DATA = """
@prefix e: <http://e/> .
e:utrecht e:name "Utrecht" ; e:people 374000 ; e:area 99.21 ; e:share 1.5e-1 ; e:port false .
e:leiden e:name "Leiden" ; e:people 127000 ; e:area 23.27 ; e:share 2.5e-1 ; e:port false .
e:ghent e:name "Ghent" ; e:people 265000 ; e:area 156.18 ; e:share 6.0e-1 ; e:port true .
"""
PEOPLE = "SELECT ?city ?name ?people { ?city <http://e/name> ?name ; <http://e/people> ?people }"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalGraph]:
    folder = tmp_path_factory.mktemp("local")
    (folder / "cities.ttl").write_text(DATA, "utf-8")
    graph = LocalGraph(build_store([folder], folder / "stores").path)
    yield graph
    graph.close_now()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckRunner]:
    file = tmp_path_factory.mktemp("tables") / "visits.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE visits(city VARCHAR, visits INTEGER)")
        connection.execute("INSERT INTO visits VALUES ('Utrecht', 12), ('Ghent', 30)")
    runner = DuckRunner(file, "visits", memory=256 << 20)
    yield runner
    runner.close_now()


@pytest.fixture(scope="module")
def spasql(local: LocalGraph, tables: DuckRunner) -> SpasqlRunner:
    return SpasqlRunner(SparqlRunner(local, Policy()), tables)


async def ask(runner: SpasqlRunner, text: str, limit: int = 10, timeout: float = 10.0) -> Outcome:
    return await runner.run(Request("spasql", text, limit, timeout))


async def test_a_graph_joins_a_table(spasql: SpasqlRunner) -> None:
    text = (
        "SELECT g.name, g.people // v.visits AS each FROM "
        f"(SPARQL {PEOPLE}) AS g JOIN visits v ON v.city = g.name ORDER BY each"
    )
    outcome = await ask(spasql, text)
    assert outcome.status == "complete"
    assert outcome.columns == ("name", "each")
    assert outcome.rows == (("Ghent", 8833), ("Utrecht", 31166))
    audit = outcome.audit
    assert audit.query_text == text
    assert audit.query_language == "spasql"
    assert audit.endpoint_url == "local:default"
    assert audit.per_query_status_and_error == ("complete; block 1: complete (3 rows of 3 columns)")
    assert json.loads(audit.raw)["rows"] == [["Ghent", 8833], ["Utrecht", 31166]]
    assert audit.start_timestamp <= audit.end_timestamp


async def test_columns_have_the_types_of_the_graph(spasql: SpasqlRunner) -> None:
    outcome = await ask(
        spasql,
        "SELECT typeof(people), typeof(area), typeof(share), typeof(port), city, area + 1 FROM "
        "(SPARQL SELECT * { ?city <http://e/people> ?people ; <http://e/area> ?area ; "
        "<http://e/share> ?share ; <http://e/port> ?port FILTER(?people > 300000) }) AS g",
    )
    assert outcome.rows == (
        ("BIGINT", "DECIMAL(4,2)", "DOUBLE", "BOOLEAN", "http://e/utrecht", Decimal("100.21")),
    )


def test_a_mixed_column_holds_texts_as_they_are_written() -> None:
    rows = [
        (literal("01", XSD + "integer"), literal("x", XSD + "integer"), literal("1")),
        (iri("http://e/a"), literal("2", XSD + "integer"), None),
    ]
    found = relation(("a", "b", "c"), rows)
    assert found.rows == [("01", "x", "1"), ("http://e/a", "2", None)]


async def test_several_blocks(spasql: SpasqlRunner) -> None:
    outcome = await ask(
        spasql,
        f"WITH a AS (SPARQL {PEOPLE}), b AS (SPARQL ASK {{ ?s <http://e/port> true }}) "
        "SELECT sum(a.people), any_value(b.result) FROM a, b",
    )
    assert outcome.rows == ((766000, True),)
    assert "block 2: complete (ASK: true)" in outcome.audit.per_query_status_and_error


async def test_sparql_alone(spasql: SpasqlRunner) -> None:
    text = "SPARQL SELECT ?n { ?s <http://e/name> ?n } ORDER BY ?n"
    outcome = await ask(spasql, text, limit=2)
    assert outcome.status == "truncated"
    assert [row[0] for row in outcome.rows] == [literal("Ghent"), literal("Leiden")]
    assert outcome.audit.query_text == text


async def test_an_answer_of_part_of_a_block_is_partial(
    local: LocalGraph, tables: DuckRunner
) -> None:
    runner = SpasqlRunner(SparqlRunner(local, Policy()), tables, block_rows=2)
    outcome = await ask(runner, f"SELECT count(*) FROM (SPARQL {PEOPLE}) AS g")
    assert outcome.status == "partial"
    assert outcome.rows == ((2,),)
    assert outcome.reason.startswith("SPARQL block 1 is truncated: There are more than these 2")
    assert "block 1: truncated" in outcome.audit.per_query_status_and_error


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SELECT * FROM (SPARQL SELECT * { SERVICE <http://x/> { ?s ?p ?o } }) g", "SERVICE"),
        ("SELECT * FROM (SPARQL DELETE WHERE { ?s ?p ?o }) g", "SPARQL block 1:"),
        (
            "SELECT * FROM (SPARQL SELECT * { ?s ?p ?o }) g, (SPARQL LOAD <http://x/>) h",
            "SPARQL block 2:",
        ),
        ("SPARQL INSERT DATA { <a:b> <a:b> <a:b> }", "."),
        (f"SELECT getenv('HOME') FROM (SPARQL {PEOPLE}) g", "getenv"),
        (f"SELECT * FROM (SPARQL {PEOPLE}) g, read_csv('/etc/passwd')", "read_csv"),
        (f"SELECT * FROM (SPARQL {PEOPLE}) g; DROP TABLE visits", "one"),
        (f"CREATE TABLE t AS SELECT * FROM (SPARQL {PEOPLE}) g", "."),
        (f"SELECT * FROM (SPARQL {PEOPLE} ) UNION SELECT 1) g", "."),
        (f"SELECT * FROM (SPARQL {PEOPLE}) ) g", "."),
        (f"SELECT * FROM (SPARQL {PEOPLE}; DROP TABLE visits) g", "SPARQL block 1:"),
        ("SELECT * FROM (SPARQL SELECT ?a ?A { ?a ?A ?o }) g", "columns"),
        ("SELECT 1", "no SPARQL in this SQL"),
        ("x" * 60_000, "60000 characters"),
    ],
)
async def test_what_is_refused_runs_nowhere(spasql: SpasqlRunner, text: str, why: str) -> None:
    outcome = await ask(spasql, text)
    assert outcome.status == "refused"
    assert why in outcome.reason
    assert outcome.rows == ()
    assert outcome.audit.query_text == text[:50_000]
    assert outcome.audit.per_query_status_and_error.startswith("refused: ")


async def test_a_block_that_found_nothing_is_named_where_its_columns_fail(
    spasql: SpasqlRunner,
) -> None:
    none = "SELECT ?n { ?s <http://e/no> ?n }"
    outcome = await ask(spasql, f"SELECT count(n) FROM (SPARQL {none}) AS g")
    assert (outcome.status, outcome.rows) == ("complete", ((0,),))
    outcome = await ask(spasql, f"SELECT sum(n) FROM (SPARQL {none}) AS g")
    assert not outcome.answered
    assert outcome.reason.endswith("SPARQL block 1 has no rows, so its columns are text.")


async def test_the_time_is_shared(spasql: SpasqlRunner) -> None:
    slow = "SELECT (COUNT(*) AS ?n) { " + "".join(f"?a{n} ?b{n} ?c{n} . " for n in range(9)) + "}"
    outcome = await ask(spasql, f"SELECT * FROM (SPARQL {slow}) g", timeout=0.5)
    assert outcome.status == "error"
    assert "time" in outcome.reason


async def test_another_language_is_refused(spasql: SpasqlRunner) -> None:
    outcome = await spasql.run(Request("sql", "SELECT 1"))
    assert outcome.status == "refused"


async def test_without_a_database_there_are_the_blocks_only(local: LocalGraph) -> None:
    runner = SpasqlRunner(SparqlRunner(local, Policy()))
    try:
        outcome = await ask(runner, f"SELECT max(people) FROM (SPARQL {PEOPLE}) AS g")
        assert outcome.rows == ((374000,),)
        outcome = await ask(runner, f"SELECT 1 FROM (SPARQL {PEOPLE}) AS g, visits")
        assert not outcome.answered
    finally:
        await runner.close()


async def test_passwords_in_urls_are_not_in_the_audit(spasql: SpasqlRunner) -> None:
    text = "SELECT * FROM (SPARQL SELECT * FROM <http://me:hunter2@x/> { ?s ?p ?o }) g"
    outcome = await ask(spasql, text)
    assert outcome.status == "refused"
    assert "hunter2" not in f"{outcome.reason} {outcome.audit.block()}"
