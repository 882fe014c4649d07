"""What becomes of SPARQL queries at a local graph, and at endpoints that only seem to answer."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.graph.engine import LocalGraph
from groundwire.graph.gate import check
from groundwire.graph.gate_policy import REMOTE_POLICY, VIRTUOSO_POLICY, Policy
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.stores import build_store
from groundwire.graph.terms import XSD, iri, literal
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sparql_runner import SparqlRunner, solutions_query
from groundwire.transport.client import GuardedClient
from groundwire.transport.targets import RequestPolicy

LOCAL = Policy()
JSON = "application/sparql-results+json"
SELECT = "SELECT ?s { ?s <http://e/p> ?o }"
ITEMS = "".join(f"<http://e/s{n}> <http://e/p> {n} .\n" for n in range(30))


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalGraph]:
    folder = tmp_path_factory.mktemp("local")
    (folder / "items.ttl").write_text(ITEMS, "utf-8")
    graph = LocalGraph(build_store([folder], folder / "stores").path)
    yield graph
    graph.close_now()


def ask(graph: LocalGraph, text: str, policy: Policy = LOCAL, **request) -> Outcome:
    runner = SparqlRunner(graph, policy, endpoint="default")
    return asyncio.run(runner.run(Request("sparql", text, **request)))


def table(*values: int) -> str:
    bindings = [{"s": {"type": "uri", "value": f"http://e/s{v}"}} for v in values]
    return json.dumps({"head": {"vars": ["s"]}, "results": {"bindings": bindings}})


def run(url: str, text: str = SELECT, *, policy=REMOTE_POLICY, credentials=None, **request):
    async def one() -> Outcome:
        client = GuardedClient(RequestPolicy.naming(url))
        graph = RemoteGraph(url, client, credentials=credentials)
        try:
            return await SparqlRunner(graph, policy).run(Request("sparql", text, **request))
        finally:
            await client.aclose()

    return asyncio.run(one())


# --- a local graph ---------------------------------------------------------------------------


def test_select(local: LocalGraph) -> None:
    outcome = ask(local, "SELECT ?s ?o ?x { ?s <http://e/p> ?o FILTER(?o < 2) } ORDER BY ?o")
    assert outcome.status == "complete"
    assert outcome.columns == ("s", "o", "x")
    one = literal("1", XSD + "integer")
    assert outcome.rows[1] == (iri("http://e/s1"), one, None)
    audit = outcome.audit
    assert audit.endpoint_url == "local:default"
    assert audit.query_text.endswith("ORDER BY ?o LIMIT 11")
    assert audit.status_code is None
    assert audit.per_query_status_and_error == "complete"
    assert audit.result_summary == "2 rows of 3 columns"
    assert audit.start_timestamp <= audit.end_timestamp
    raw = json.loads(audit.raw)
    assert raw["head"]["vars"] == ["s", "o", "x"]
    assert raw["results"]["bindings"][1] == {
        "s": {"type": "uri", "value": "http://e/s1"},
        "o": {"type": "literal", "value": "1", "datatype": XSD + "integer"},
    }
    shown = audit.block()["raw_response"]
    assert shown["length"] == len(audit.raw)
    assert shown["sha256"] == hashlib.sha256(audit.raw).hexdigest()


@pytest.mark.parametrize(
    ("text", "limit", "status", "rows"),
    [
        (SELECT, 29, "truncated", 29),
        (SELECT, 30, "complete", 30),
        (SELECT + " LIMIT 5", 10, "complete", 5),
        (SELECT + " LIMIT 20", 10, "truncated", 10),
        (SELECT + " OFFSET 30", 10, "empty", 0),
        ("SELECT ?s { ?s <http://e/none> ?o }", 10, "empty", 0),
        ("CONSTRUCT { ?s a ?o } WHERE { ?s <http://e/p> ?o }", 29, "truncated", 29),
        ("CONSTRUCT WHERE { ?s <http://e/p> ?o }", 30, "complete", 30),
        ("CONSTRUCT { <x:a> <x:b> ?p } { ?s ?p ?o }", 29, "truncated", 1),
        ("CONSTRUCT { <x:a> <x:b> ?p } { ?s ?p ?o }", 30, "complete", 1),
        ("CONSTRUCT { <x:a> <x:b> ?p } { ?s ?p ?o } LIMIT 7", 10, "complete", 1),
        ("CONSTRUCT { ?s ?p ?none } { ?s ?p ?o }", 10, "truncated", 0),
        ("CONSTRUCT { ?s ?p ?o } { ?s <http://e/none> ?o }", 10, "empty", 0),
        ("DESCRIBE <http://e/s1>", 10, "complete", 1),
        ("DESCRIBE <http://e/none>", 10, "empty", 0),
        ("DESCRIBE ?s { ?s ?p 3 }", 10, "complete", 1),
        ("DESCRIBE ?s { ?s ?p ?o }", 10, "truncated", 10),
        ("DESCRIBE * { VALUES ?s { <http://e/s1> } ?s ?p ?o }", 10, "complete", 1),
    ],
)
def test_how_whole_an_answer_is(text, limit, status, rows, local: LocalGraph) -> None:
    outcome = ask(local, text, limit=limit)
    assert (outcome.status, len(outcome.rows)) == (status, rows)
    assert bool(outcome.reason) == (status == "truncated")
    if text.startswith(("CONSTRUCT", "DESCRIBE")):
        assert outcome.columns == ("subject", "predicate", "object")


@pytest.mark.parametrize(("text", "value"), [("ASK { ?s ?p 3 }", True), ("ASK { 3 ?p 3 }", False)])
def test_ask_is_one_row(text, value, local: LocalGraph) -> None:
    outcome = ask(local, text.replace("{ 3", "{ <x:y>"))
    assert (outcome.status, outcome.columns, outcome.rows) == (
        "complete",
        ("result",),
        ((value,),),
    )
    assert json.loads(outcome.audit.raw) == {"head": {}, "boolean": value}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT WHERE {",
        "",
        "DROP ALL",
        "SELECT * { SERVICE <http://user:geheim@e/> { ?s ?p ?o } }",
        "SELECT * FROM <http://e/g> { ?s ?p ?o }",
        "SELECT * { ?s ?p '\ud800' }",
        "SELECT * { " + "?s ?p ?o . " * 100_000 + "}",
    ],
)
def test_what_the_gate_refuses_is_not_run(text: str, local: LocalGraph) -> None:
    outcome = ask(local, text)
    assert (outcome.status, outcome.columns, outcome.rows) == ("refused", (), ())
    assert outcome.reason
    assert not outcome.answered
    audit = outcome.audit
    assert audit.query_text[:20] == text[:20] or "\ud800" in text
    assert audit.per_query_status_and_error == f"refused: {outcome.reason}"
    assert audit.result_summary == "not run"
    assert audit.raw == b""
    assert "geheim" not in json.dumps(audit.block())
    assert len(json.dumps(audit.block()).encode()) < 100_000


def test_another_language_is_refused(local: LocalGraph) -> None:
    runner = SparqlRunner(local, Policy())
    outcome = asyncio.run(runner.run(Request("sql", "SELECT 1")))
    assert outcome.status == "refused"
    assert "not sql" in outcome.reason


HEAVY = "{ ?a ?p ?x . ?b ?q ?y . ?c ?r ?z . ?d ?t ?w . ?e ?u ?v "


def test_a_local_query_that_runs_out_of_time(local: LocalGraph, on_time) -> None:
    asyncio.run(local.warm())
    for _ in on_time(2.8):
        counted = ask(local, f"SELECT (COUNT(*) AS ?n) {HEAVY} }}", timeout=2.0)
        assert counted.status == "partial"
        assert "does not mean that there is nothing" in counted.reason
    # One combination in two hundred of 24 million.
    some = f"SELECT ?a {HEAVY} FILTER(?x + ?y + ?z + ?w + ?v = 40) }}"
    for _ in on_time(2.8):
        found = ask(local, some, Policy(max_rows=1_000_000), timeout=2.0, limit=1_000_000)
        assert found.status == "partial"
        assert found.rows
        assert "found until then" in found.reason
    endless = f"{HEAVY} FILTER(?x + ?y + ?z + ?w + ?v > 1000) }}"
    for _ in on_time(0.9):
        asked = ask(local, f"ASK {endless}", timeout=0.6)
        assert (asked.status, asked.rows) == ("error", ())
        assert "time" in asked.reason


# --- solutions behind a graph ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("CONSTRUCT { ?s a ?o } WHERE { ?s ?p ?o }", True),
        ("PREFIX e: <http://e/> CONSTRUCT WHERE { ?s e:p ?o }", True),
        ("CONSTRUCT { ?s a '}' } { ?s ?p ?o { SELECT ?s { ?s ?p ?x } } } ORDER BY ?s", True),
        ("CONSTRUCT {} FROM <http://e/g> WHERE { ?s ?p ?o } OFFSET 2", True),
        ("DESCRIBE ?s <http://e/x> WHERE { ?s ?p ?o } VALUES ?s { <http://e/s1> }", True),
        ("DESCRIBE * FROM <http://e/g> { ?describe ?construct ?o }", True),
        ("DESCRIBE <http://e/x>", False),
        ("DESCRIBE <http://e/x> FROM <http://e/g>", False),
        ("PREFIX construct: <http://e/> DESCRIBE construct:x", False),
    ],
)
def test_solutions_are_counted_by_a_query_that_the_gate_knows(text: str, counts: bool) -> None:
    policy = Policy(allowed_graphs=("http://e/g",))
    gated = check(text, policy)
    counting = solutions_query(str(gated))
    assert (counting is not None) == counts
    if counting is not None:
        again = check(counting, policy)
        assert again.verdict.form == "select"
        assert again.verdict.columns == ("groundwire_solution",)
        assert again.verdict.limit == gated.verdict.limit
        assert again.verdict.default_graphs == gated.verdict.default_graphs


def test_solutions_of_a_graph_with_pragmas() -> None:
    gated = check('DEFINE input:inference "r" CONSTRUCT WHERE { ?s ?p ?o }', VIRTUOSO_POLICY)
    counting = solutions_query(str(gated))
    assert counting is not None
    assert counting.startswith('DEFINE input:inference "r" SELECT (1 AS')
    assert check(counting, VIRTUOSO_POLICY)


# --- endpoints that are honest ---------------------------------------------------------------


def test_an_endpoint_that_answers(hostile) -> None:
    url = hostile.on("sparql", lambda x: x.answer(table(1, 2), Content_Type=JSON))
    outcome = run(url + "?token=abcdef", credentials=("alice", "geheim"))
    assert (outcome.status, len(outcome.rows), outcome.reason) == ("complete", 2, "")
    audit = outcome.audit
    assert audit.endpoint_url == f"{url}?token=***"
    assert audit.status_code == 200
    assert audit.raw == table(1, 2).encode()
    assert audit.raw_size == len(audit.raw)
    assert "LIMIT 11" in audit.query_text


@pytest.mark.parametrize(
    ("headers", "values", "limit", "status", "why"),
    [
        ({"X_SQL_State": "S1TAT"}, (1, 2), 10, "partial", "not those of the whole"),
        ({"X_SQL_State": "S1TAT"}, (), 10, "partial", "does not mean that there is nothing"),
        ({"X_SQL_State": "S1TAT"}, (1, 2, 3), 2, "partial", "not those of the whole"),
        ({"X_SPARQL_MaxRows": "2"}, (1, 2), 10, "truncated", "at most 2 rows"),
        ({"X_SPARQL_MaxRows": "2"}, (1, 2), 2, "truncated", "more than these 2 rows"),
        ({"X_SPARQL_MaxRows": "9"}, (1, 2), 10, "complete", ""),
        ({}, (1, 2, 3), 2, "truncated", "raise the limit"),
        ({}, (), 2, "empty", ""),
    ],
)
def test_how_whole_an_endpoint_says_its_answer_is(
    headers, values, limit, status, why, hostile
) -> None:
    url = hostile.on("s", lambda x: x.answer(table(*values), Content_Type=JSON, **headers))
    outcome = run(url, limit=limit)
    assert outcome.status == status
    assert why in outcome.reason
    assert bool(outcome.reason) == bool(why)
    assert len(outcome.rows) == min(len(values), limit)


def test_partial_content(hostile) -> None:
    url = hostile.on("s", lambda x: x.answer(table(1), "206 Partial Content", Content_Type=JSON))
    outcome = run(url)
    assert (outcome.status, outcome.audit.status_code) == ("partial", 206)


def test_a_graph_whose_solutions_cannot_be_counted_is_partial(hostile) -> None:
    def handler(exchange) -> None:
        if b"CONSTRUCT" in exchange.body:
            exchange.answer("<http://e/s> <http://e/p> <x:o> .\n", Content_Type="text/turtle")
        else:
            exchange.answer("no", "500 Failed")

    outcome = run(hostile.on("s", handler), "CONSTRUCT WHERE { ?s ?p ?o }")
    assert (outcome.status, len(outcome.rows)) == ("partial", 1)
    assert "could not be found out" in outcome.reason
    assert outcome.audit.status_code == 200
    assert b"<x:o>" in outcome.audit.raw


# --- endpoints that are not ------------------------------------------------------------------

WHOLE = table(1, 2, 3)


@pytest.mark.parametrize(
    ("body", "kind", "why"),
    [
        (WHOLE[:-20], JSON, "cut off"),
        (WHOLE + "\nVirtuoso S1T00 Error", JSON, "cut off"),
        ("<html><h1>504 Gateway Timeout</h1></html>", "text/html", "text/html"),
        ("<html>Login</html>", JSON, "cut off"),
        ("Virtuoso 37000 Error SP030", "text/plain", "text/plain"),
        (WHOLE, "application/octet-stream", "octet-stream"),
        ('{"exception":"out of memory"}', JSON, "carries an error"),
        ("s\nhttp://e/s1\n", "text/csv", "text/csv"),
        ("", JSON, "cut off"),
    ],
)
def test_what_is_no_answer_is_an_error_with_its_body_kept(body, kind, why, hostile) -> None:
    outcome = run(hostile.on("s", lambda x: x.answer(body, Content_Type=kind)))
    assert (outcome.status, outcome.columns, outcome.rows) == ("error", (), ())
    assert why in outcome.reason
    audit = outcome.audit
    assert audit.status_code == 200
    assert audit.raw == body.encode()
    assert audit.result_summary == "an answer that could not be used"
    assert audit.per_query_status_and_error == f"error: {outcome.reason}"


@pytest.mark.parametrize("status", ["400 Bad Request", "403 Forbidden", "500 Failed"])
def test_a_status_that_is_an_error_keeps_what_was_said(status: str, hostile) -> None:
    url = hostile.on("s", lambda x: x.answer("Virtuoso 37000 Error", status))
    outcome = run(url)
    assert outcome.status == "error"
    assert outcome.audit.status_code == int(status[:3])
    assert outcome.audit.raw == b"Virtuoso 37000 Error"


def test_secrets_that_a_server_repeats_are_in_no_part_of_the_outcome(hostile) -> None:
    def echo(exchange) -> None:
        exchange.answer(exchange.request + b" geheim-1", "500 Failed", Content_Type="text/plain")

    outcome = run(hostile.on("s", echo) + "?key=k-12345", credentials=("alice", "geheim-1"))
    everything = f"{outcome.reason} {outcome.audit} {outcome.audit.raw!r} {outcome.audit.block()}"
    assert "authorization" in everything.lower()
    for secret in ("geheim-1", "k-12345", "YWxpY2U6"):
        assert secret not in everything


def test_an_address_that_may_not_be_reached_is_refused(hostile) -> None:
    async def one() -> Outcome:
        client = GuardedClient()
        graph = RemoteGraph(hostile.url + "/s", client)
        outcome = await SparqlRunner(graph, REMOTE_POLICY).run(Request("sparql", SELECT))
        await client.aclose()
        return outcome

    outcome = asyncio.run(one())
    assert (outcome.status, outcome.audit.result_summary) == ("refused", "not run")
    assert hostile.connections == 0


def test_an_endpoint_that_is_down() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    outcome = run(f"http://127.0.0.1:{port}/sparql")
    assert outcome.status == "error"
    assert "cannot be reached" in outcome.reason
    assert outcome.audit.status_code is None
    assert outcome.audit.result_summary == "no answer"


# --- time, size and patience -----------------------------------------------------------------


def test_a_drip_feed_ends_at_the_deadline(hostile, on_time) -> None:
    def drip(exchange) -> None:
        exchange.send(f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\n\r\n".encode() + b'{"head":')
        while exchange.pause(0.02):
            exchange.send(b" ")

    url = hostile.on("s", drip)
    for _ in on_time(1.65, least=1.5):
        outcome = run(url, timeout=1.5)
        assert outcome.status == "error"
    assert "did not answer within" in outcome.reason
    assert outcome.audit.query_text.startswith("SELECT")


def peak_of(work) -> tuple[Outcome, int]:
    """The outcome, and the most bytes that were held at once on the way to it."""
    tracemalloc.start()
    try:
        outcome = work()
        return outcome, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_endless_body_is_cut(hostile) -> None:
    def endless(exchange) -> None:
        exchange.send(f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\n\r\n".encode())
        while exchange.pause(0):
            exchange.send(b" " * 65_536)

    url = hostile.on("s", endless)
    outcome, peak = peak_of(lambda: run(url, timeout=300))
    assert outcome.status == "error"
    assert "larger than 5,242,880 bytes" in outcome.reason
    assert len(outcome.audit.raw) == 5_242_880
    assert "cut at 5,242,880 bytes" in outcome.audit.result_summary
    assert peak < 40_000_000


def test_a_gzip_bomb_is_cut(hostile) -> None:
    bomb = gzip.compress(b'{"head":' + b" " * 200_000_000, 9)
    url = hostile.on("s", lambda x: x.answer(bomb, Content_Type=JSON, Content_Encoding="gzip"))
    outcome, peak = peak_of(lambda: run(url, timeout=300))
    assert outcome.status == "error"
    assert "larger than" in outcome.reason
    assert len(outcome.audit.raw) == 5_242_880
    assert "cut at 5,242,880 bytes" in outcome.audit.result_summary
    assert peak < 40_000_000


@pytest.mark.parametrize("again", [True, False])
def test_a_busy_server_is_waited_for_once(again: bool, hostile, on_time) -> None:
    def busy(exchange) -> None:
        if again and len(hostile.requests) > 1:
            exchange.answer(table(1), Content_Type=JSON)
        else:
            exchange.answer("slow down", "429 Too Many Requests", Retry_After="1")

    url = hostile.on("s", busy)
    for _ in on_time(2.0, least=1.0):
        hostile.requests.clear()
        outcome = run(url, timeout=20.0)
        assert len(hostile.requests) == 2
    if again:
        assert (outcome.status, len(outcome.rows)) == ("complete", 1)
    else:
        assert (outcome.status, outcome.audit.status_code) == ("error", 429)
        assert "try again in 1 s" in outcome.reason
        assert outcome.audit.raw == b"slow down"


def test_a_wait_that_is_too_long_is_not_waited(hostile, on_time) -> None:
    url = hostile.on("s", lambda x: x.answer("", "429 Too Many", Retry_After="60"))
    for _ in on_time(1.0):
        hostile.requests.clear()
        outcome = run(url, timeout=20.0)
        assert outcome.status == "error"
        assert len(hostile.requests) == 1


def test_stores_stay_as_they_were(local: LocalGraph, tmp_path: Path) -> None:
    """An update is refused at the gate, so nothing in the store changes by a query."""
    before = ask(local, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").rows
    assert ask(local, "INSERT DATA { <x:a> <x:b> 1 }").status == "refused"
    assert ask(local, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").rows == before
