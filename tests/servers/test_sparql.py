"""The sparql server as a host sees it, through the in-memory client."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import ElicitResult
from one_host import OneHost
from signed_in import user

from groundwire.config import Settings
from groundwire.errors import ConfigurationError
from groundwire.servers.sparql import build
from groundwire.serving import GroundwireServer
from groundwire.sparql import running, workspace

pytestmark = pytest.mark.anyio

LABELS = (
    "SELECT ?s ?label WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?label } "
    "ORDER BY ?s ?label"
)
CHINA = "SELECT country, value FROM population WHERE year = 2010 AND country = 'China'"
TERMS = (
    "SELECT count(*) AS terms FROM (SPARQL SELECT ?t { ?t a <http://schema.org/DefinedTerm> }) g"
)
FIELDS = "{ definedTerm(limit: 2) { name } }"
TERM = "https://groundwire.example/help#tri-state"
AUDIT = {
    "query_text",
    "endpoint_url",
    "start_timestamp",
    "end_timestamp",
    "per_query_status_and_error",
    "result_summary",
    "raw_response",
}
# A server's close is no coroutine, so sockets that wait for another request end with the process.
ANSWER = {"Content_Type": "application/sparql-results+json", "Connection": "close"}
HELP = """
default_endpoint = "help"
{settings}
[[endpoints]]
name = "help"
url = "local:help"
"""
REMOTE = """
[[endpoints]]
name = "{name}"
url = "{url}"
allow_private = true
{more}
"""


class Host(OneHost):
    """A host with the server that is tested."""

    async def query(self, language: str, text: str, /, **rest: Any) -> dict[str, Any]:
        return await self.call("execute_query", query_language=language, query_string=text, **rest)

    async def evidence(self, evidence_id: str, part: str) -> str:
        """A whole part of a record, page after page."""
        text, more = "", {}
        while True:
            page = await self.call("get_evidence", evidence_id=evidence_id, part=part, **more)
            text += page["text"]
            if "next_cursor" not in page:
                return text
            more = {"cursor": page["next_cursor"]}


@pytest.fixture(scope="module")
def host(home: Path) -> Iterator[Host]:
    server = build(Settings(home=home))
    yield Host(server)
    server.close()


@pytest.fixture
def made(home: Path) -> Iterator[Callable[..., Host]]:
    """Builds further servers, and closes them."""
    servers: list[GroundwireServer] = []

    def make(**settings: Any) -> Host:
        servers.append(build(Settings(**{"home": home} | settings)))
        return Host(servers[-1])

    yield make
    for server in servers:
        server.close()


@pytest.fixture
def registered(made: Callable[..., Host], tmp_path: Path) -> Callable[..., Host]:
    """Builds a server of a registry: the help graph, and endpoints that a test adds."""

    def make(*endpoints: str, settings: str = "", **rest: Any) -> Host:
        path = tmp_path / "endpoints.toml"
        path.write_text(HELP.format(settings=settings) + "".join(endpoints), "utf-8")
        return made(endpoints=path, **rest)

    return make


def remote(name: str, url: str, more: str = "") -> str:
    return REMOTE.format(name=name, url=url, more=more)


def nowhere() -> str:
    """The URL of an endpoint that is down."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"http://127.0.0.1:{free.getsockname()[1]}/sparql"


def table(*values: str) -> str:
    bindings = [{"v": {"type": "literal", "value": value}} for value in values]
    return json.dumps({"head": {"vars": ["v"]}, "results": {"bindings": bindings}})


# Every tool


async def test_every_tool_answers_with_text_equal_to_structured_content(host: Host) -> None:
    found = await host.query("sql", CHINA)
    calls: dict[str, dict[str, Any]] = {
        "execute_query": {"query_language": "sparql", "query_string": "ASK {}"},
        "describe_schema": {"search": "question"},
        "match_label": {"text": "tri-state", "limit": 2},
        "explore_types": {"types": ["http://schema.org/Question"]},
        "describe_entity": {"iri": TERM},
        "run_kg_workflow": {"prompt": "What is SPARQL?"},
        "list_endpoints": {},
        "set_kg_policy": {},
        "get_evidence": {"evidence_id": found["evidence_id"]},
        "verify_answer": {"draft": "China had 3 people."},
    }
    await host.check_every_tool(calls)


async def test_only_the_policy_is_changed_and_endpoints_are_elsewhere(host: Host) -> None:
    async with host.client() as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    assert [name for name, one in tools.items() if not one.read_only_hint] == ["set_kg_policy"]
    closed = {name for name, one in tools.items() if one.open_world_hint is False}
    assert closed == {"set_kg_policy", "get_evidence", "verify_answer"}


@pytest.mark.parametrize(
    ("language", "text", "columns", "rows"),
    [
        ("sparql", f"SELECT ?t {{ <{TERM}> a ?t }} ORDER BY ?t LIMIT 1", ["t"], 1),
        ("SPARQL", f"ASK {{ <{TERM}> ?p ?o }}", ["result"], 1),
        ("sparql", f"DESCRIBE <{TERM}>", ["subject", "predicate", "object"], None),
        ("sql", CHINA, ["country", "value"], 1),
        ("duckdb", "SELECT count(*) AS n FROM country", ["n"], 1),
        ("spasql", TERMS, ["terms"], 1),
        ("SPARQL within SQL", "SPARQL SELECT ?s { ?s ?p ?o } LIMIT 2", ["s"], 2),
        ("graphql", "{ __typename }", ["data"], 1),
    ],
)
async def test_four_languages(
    host: Host, era: str, language: str, text: str, columns: list[str], rows: int | None
) -> None:
    sent = {"query_language": language, "query_string": text, "limit": 100}
    async with host.client(mode=era) as client:
        result = await client.call_tool("execute_query", sent)
    answer = result.structured_content
    assert answer["status"] == "complete", answer
    assert answer["columns"] == columns
    assert answer["row_count"] == len(answer["rows"]) > 0
    assert rows in (None, len(answer["rows"]))
    audit = answer["audit"]
    assert audit.keys() >= AUDIT
    assert audit["endpoint_url"] == (
        "local:sample" if language in ("sql", "duckdb") else "local:help"
    )
    assert audit["start_timestamp"] <= audit["end_timestamp"]
    assert answer["evidence_id"].startswith("ev_")


async def test_figures_are_exact(host: Host) -> None:
    assert (await host.query("sql", CHINA))["rows"] == [["China", 1337705000]]
    exact = await host.query("sql", "SELECT 0.1::DECIMAL(3,1) + 0.2::DECIMAL(3,1) AS n")
    assert exact["rows"] == [["0.3"]]


async def test_graphql_reads_the_graph_by_its_classes(host: Host) -> None:
    answer = await host.query("graphql", FIELDS)
    data = json.loads(answer["rows"][0][0])
    assert len(data["definedTerm"]) == 2
    assert all(one["name"] for one in data["definedTerm"])
    cut = await host.query("graphql", "{ definedTerm { iri } }", limit=3)
    assert cut["status"] == "truncated"
    assert len(json.loads(cut["rows"][0][0])["definedTerm"]) == 3
    wrong = await host.query("graphql", "{ definedTrem { iri } }")
    assert (wrong["status"], wrong["rows"]) == ("refused", [])
    assert "definedTerm" in wrong["reason"]


async def test_graphql_at_an_endpoint(registered: Callable[..., Host], hostile: Any) -> None:
    body = json.dumps({"data": {"hero": {"name": "Ann"}}})
    url = hostile.on(
        "graphql", lambda x: x.answer(body, Content_Type="application/json", Connection="close")
    )
    host = registered(
        remote("far", url, 'kind = "graphql"'),
        remote("down", nowhere(), 'kind = "graphql"'),
    )
    answer = await host.query("graphql", "{ hero { name } }", endpoint="far")
    assert json.loads(answer["rows"][0][0]) == {"hero": {"name": "Ann"}}
    assert answer["audit"]["endpoint_url"] == url
    refused = await host.query("graphql", "mutation { drop }", endpoint="far")
    assert refused["status"] == "refused"
    down = await host.query("graphql", "{ hero { name } }", endpoint="down")
    assert (down["status"], down["rows"]) == ("error", [])
    assert len(hostile.requests) == 1


# Statuses


async def test_truncated_and_empty(host: Host) -> None:
    answer = await host.query("sparql", LABELS, limit=3)
    assert (answer["status"], len(answer["rows"])) == ("truncated", 3)
    assert "more than these 3 rows" in answer["reason"]
    assert "there are more" in answer["answer"]
    assert answer["provenance"][0]["iri"] == answer["rows"][0][0]
    answer = await host.query("sparql", "SELECT ?s { ?s <urn:none> ?o }")
    assert (answer["status"], answer["rows"]) == ("empty", [])
    assert answer["answer"].startswith("No row at default")
    assert answer["audit"]["per_query_status_and_error"] == "empty"


@pytest.mark.parametrize(
    ("language", "text", "says"),
    [
        ("sparql", "", "There is no query"),
        ("sparql", "  # nothing\n", "query"),
        ("sparql", "DELETE WHERE { ?s ?p ?o }", "update"),
        ("sparql", "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE"),
        ("sparql", "SELECT * { \\u0053ERVICE <http://169.254.169.254/> { ?s ?p ?o } }", "SERVICE"),
        ("sparql", "SELECT ?s { ?s ?p", ""),
        ("sql", "", ""),
        ("sql", "DROP TABLE country", ""),
        ("sql", "SELECT * FROM read_text('/etc/hostname')", "read_text"),
        ("sql", "SELECT getenv('HOME')", "getenv"),
        ("sql", "SELECT 1; SELECT 2", ""),
        ("spasql", "", ""),
        ("spasql", "SELECT * FROM (SPARQL DELETE WHERE { ?s ?p ?o }) AS g", "update"),
        ("graphql", "", ""),
        ("graphql", "mutation { deleteAll }", ""),
        ("graphql", "{ noSuchField }", ""),
    ],
)
async def test_refused_with_the_reason_and_an_audit(
    host: Host, language: str, text: str, says: str
) -> None:
    answer = await host.query(language, text)
    assert answer["status"] == "refused", answer
    assert answer["rows"] == []
    assert says in answer["reason"]
    assert answer["answer"].startswith("The query was not run: ")
    assert answer["audit"].keys() >= AUDIT
    assert answer["audit"]["query_text"].strip() == text.strip()
    assert answer["audit"]["per_query_status_and_error"].startswith("refused: ")
    audit = await host.evidence(answer["evidence_id"], "audit")
    assert '"refused: ' in audit


async def test_a_remote_endpoint_that_answers_in_part(
    registered: Callable[..., Host], hostile: Any
) -> None:
    url = hostile.on("sparql", lambda x: x.answer(table("a", "b"), **ANSWER, X_SQL_State="S1TAT"))
    host = registered(remote("part", url, 'dialect = "virtuoso"'))
    answer = await host.query("sparql", "SELECT ?v { ?s ?p ?v }", endpoint="part")
    assert answer["status"] == "partial"
    assert answer["rows"] == [["a"], ["b"]]
    assert "not all" in answer["answer"]
    assert answer["audit"]["status_code"] == 200
    assert answer["audit"]["endpoint_url"] == url


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ("Virtuoso 37000 Error SP030", "400 Bad Request", "text/plain"),
        ("<html>Sign in</html>", "200 OK", "text/html"),
        ("out of memory", "500 Internal Server Error", "text/plain"),
        ("No space left on device", "507 Insufficient Storage", "text/plain"),
        ("<html>Sign in</html>", "200 OK", "application/sparql-results+json"),
        (table("a")[:-3], "200 OK", "application/sparql-results+json"),
    ],
)
async def test_a_remote_endpoint_that_fails(
    registered: Callable[..., Host], hostile: Any, body: str, status: str, kind: str
) -> None:
    url = hostile.on(
        "sparql", lambda x: x.answer(body, status, Content_Type=kind, Connection="close")
    )
    host = registered(remote("bad", url))
    answer = await host.query("sparql", "SELECT ?v { ?s ?p ?v }", endpoint="bad")
    assert (answer["status"], answer["rows"]) == ("error", [])
    assert answer["reason"]
    assert answer["audit"]["status_code"] == int(status[:3])
    assert answer["audit"]["per_query_status_and_error"].startswith("error: ")


async def test_a_slow_endpoint_holds_up_no_other(
    registered: Callable[..., Host], hostile: Any
) -> None:
    ended = threading.Event()
    url = hostile.on("slow", lambda x: ended.wait(30))
    host = registered(remote("slow", url, "timeout = 4.0"))
    await host.query("sparql", "ASK {}", endpoint="help")
    answers: dict[str, dict[str, Any]] = {}

    async def ask(endpoint: str) -> None:
        answers[endpoint] = await host.query("sparql", "ASK {}", endpoint=endpoint)

    async with anyio.create_task_group() as tasks:
        for endpoint in ("slow", "help"):
            tasks.start_soon(ask, endpoint)
    ended.set()
    assert list(answers) == ["help", "slow"]
    assert (answers["help"]["status"], answers["slow"]["status"]) == ("complete", "error")
    assert answers["slow"]["audit"]["per_query_status_and_error"].startswith("error: ")
    assert answers["slow"]["rows"] == []


# The audit and the ledger


@pytest.mark.parametrize(
    ("language", "text"),
    [("sparql", LABELS), ("sql", CHINA), ("spasql", TERMS), ("sparql", "DROP ALL")],
)
async def test_the_audit_of_the_answer_is_that_of_the_ledger(
    host: Host, language: str, text: str
) -> None:
    answer = await host.query(language, text)
    recorded = json.loads(await host.evidence(answer["evidence_id"], "audit"))
    (block,) = recorded["queries"]
    assert _without_nulls(block) == answer["audit"]


def _without_nulls(block: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _without_nulls(value) if isinstance(value, dict) else value
        for name, value in block.items()
        if value is not None
    }


async def test_the_raw_response_is_read_page_by_page(host: Host) -> None:
    answer = await host.query("sparql", LABELS, limit=400)
    shown = answer["audit"]["raw_response"]
    assert len(shown["text"]) == 2_000 < shown["length"]
    raw = await host.evidence(answer["evidence_id"], "payload")
    assert raw.startswith(shown["text"])
    assert len(raw.encode()) == shown["length"]
    assert hashlib.sha256(raw.encode()).hexdigest() == shown["sha256"]


async def test_raw_responses_are_kept_as_far_as_the_registry_says(
    registered: Callable[..., Host],
) -> None:
    host = registered(settings="[limits]\nmax_stored_raw_payload_size_bytes = 100")
    answer = await host.query("sparql", LABELS)
    shown = answer["audit"]["raw_response"]
    assert len(shown["text"].encode()) == 100 < shown["length"]
    assert await host.evidence(answer["evidence_id"], "payload") == shown["text"]


# Pages and exports


async def test_a_long_answer_comes_page_by_page(host: Host) -> None:
    sent = {"query_language": "sparql", "query_string": LABELS, "limit": 300}
    seen: list[list[str]] = []
    page = await host.call("execute_query", **sent)
    pages = 1
    while True:
        seen += page["rows"]
        assert page["row_count"] == 300
        links = {one["iri"] for one in page["provenance"]}
        assert links <= {row[0] for row in page["rows"]}
        if "next_cursor" not in page:
            break
        assert "next_cursor" in page["left_out"]
        page = await host.call("execute_query", **sent, cursor=page["next_cursor"])
        pages += 1
    assert len(seen) == len({tuple(row) for row in seen}) == 300
    assert seen == sorted(seen)
    assert 1 < pages < 12
    line = await host.refused("execute_query", **sent | {"limit": 2, "cursor": "made-up"})
    assert "cursor" in line


async def test_a_cell_and_a_row_of_any_size_fit(host: Host) -> None:
    cell = await host.query("sql", "SELECT repeat('x', 50000) AS a, 1 AS b")
    assert cell["status"] == "truncated"
    assert cell["rows"][0][0].endswith("[cut at 10000 characters]")
    assert cell["rows"][0][1] == 1
    columns = ", ".join(f"'{n}' AS column_number_{n}" for n in range(500))
    wide = await host.query("sql", f"SELECT {columns}")
    assert wide["columns"][0] == "column_number_0"


async def test_rows_are_exported(host: Host, home: Path) -> None:
    sent = {"query_language": "sparql", "query_string": LABELS, "limit": 200, "export": "csv"}
    page = await host.call("execute_query", **sent)
    path = Path(page["export_path"])
    assert path.parent == home / "exports"
    lines = path.read_bytes().decode().split("\r\n")
    # All rows are in the file, whatever the limit of those that are shown.
    assert lines[0] == "s,label"
    assert len(lines) > 1_000
    assert f"{len(lines) - 2:,} rows as CSV" in page["answer"]
    # The first page writes every row; those after it write nothing.
    assert len(page["rows"]) < 200
    page = await host.call("execute_query", **sent, cursor=page["next_cursor"])
    assert "export_path" not in page
    formula = await host.query("sql", "SELECT '=1+1' AS a, -5 AS b", export="csv")
    assert Path(formula["export_path"]).read_text("utf-8") == "a,b\n'=1+1,-5\n"
    assert "an apostrophe before 1 cells" in formula["answer"]
    assert "export_path" not in await host.query("sparql", "DROP ALL", export="csv")


TRIPLES = "CONSTRUCT { ?s a ?o } WHERE { ?s a ?o }"


async def test_triples_and_rows_are_exported_in_formats_that_fit(host: Host) -> None:
    page = await host.query("sparql", TRIPLES, export="ntriples", limit=5)
    lines = Path(page["export_path"]).read_text("utf-8").splitlines()
    assert len(lines) > 100 > len(page["rows"])
    assert all(line.endswith(" .") for line in lines)
    sent = {"query_language": "sparql", "query_string": LABELS, "export": "ntriples"}
    assert "csv or parquet" in await host.refused("execute_query", **sent)
    sent |= {"query_string": TRIPLES, "export": "csv"}
    assert "as ntriples" in await host.refused("execute_query", **sent)
    table = await host.query("sql", "SELECT 1 AS a, 'x' AS b", export="parquet")
    assert Path(table["export_path"]).suffix == ".parquet"


async def test_rows_say_what_their_cells_are(host: Host) -> None:
    query = """SELECT ?i ?n ?t ?mixed ?none ?b WHERE {
      VALUES (?i ?n ?t ?mixed ?none) {
        (<http://a.example/x> 1 "ein"@de "a" UNDEF) (<http://a.example/y> 2 "zwei"@de 1.5 UNDEF) }
      OPTIONAL { SELECT ?b { BIND(BNODE() AS ?b) } } }"""
    page = await host.query("sparql", query)
    kinds = ["iri", "xsd:integer", "@de", [None, "xsd:decimal"], None, "bnode"]
    assert page["column_kinds"] == kinds
    # A node without a name is called the same wherever it stands in an answer.
    nodes = [row[5] for row in page["rows"]]
    assert nodes[0] == nodes[1]
    assert nodes[0].startswith("_:")


async def test_who_may_not_export(host: Host, made: Callable[..., Host], home: Path) -> None:
    before = set((home / "exports").glob("*"))
    sent = {"query_language": "sparql", "query_string": "ASK {}", "export": "csv"}
    assert "read-only" in await made(read_only=True).refused("execute_query", **sent)
    with user("user:ann"):
        assert "local user alone" in await host.refused("execute_query", **sent)
    line = await host.refused("execute_query", **sent | {"export": "xlsx"})
    assert "csv" in line
    assert set((home / "exports").glob("*")) == before


# Arguments as models send them


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("execute_query", {"query_language": "cypher"}, "send sparql, sql, spasql, graphql"),
        ("execute_query", {"endpoint": "defalt"}, "nearest is default"),
        ("execute_query", {"endpoint_url": "sampel"}, "nearest is sample"),
        ("execute_query", {"endpoint": "default", "endpoint_url": "default"}, "sent twice"),
        ("execute_query", {"query_language": "sql", "endpoint": "sample", "query": "x"}, "`query`"),
        ("execute_query", {"query_language": "sparql", "endpoint": "sample"}, "use default"),
        ("execute_query", {"query_language": "sql", "endpoint": "DEFAULT "}, None),
        ("execute_query", {"endpoint": "http://198.51.100.1/sparql"}, "not accepted here"),
        ("execute_query", {"endpoint": "file:///etc/passwd"}, "No endpoint"),
        ("execute_query", {"limit": 1001}, "`limit`"),
        ("execute_query", {"limit": -1}, "`limit`"),
        ("execute_query", {"query_string": "x" * 1_000_000}, "`query_string`"),
        ("execute_query", {"query_string": "\ud800"}, "`query_string`"),
        ("execute_query", {"cursor": "made-up"}, "cursor"),
        ("match_label", {"text": ""}, "`text`"),
        ("match_label", {"text": "x", "endpoint": "sample"}, "sample"),
        ("explore_types", {"types": ["not an iri"]}, "IRI"),
        ("describe_entity", {"iri": "x> } DROP ALL #"}, "IRI"),
        ("describe_entity", {}, "`iri` is missing"),
        ("run_kg_workflow", {}, "`prompt`"),
        ("run_kg_workflow", {"run_id": "kg_made_up"}, "no such run"),
        ("run_kg_workflow", {"prompt": "x", "endpoint": "defualt"}, "nearest is default"),
        ("run_kg_workflow", {"prompt": "x", "enforce": "strictly"}, "did you mean `strict`?"),
        ("set_kg_policy", {"kg": "maybe"}, "one of on, off"),
        ("set_kg_policy", {"limit": 5000}, "`limit`"),
    ],
)
async def test_what_cannot_be_used_is_refused_in_one_line(
    host: Host, tool: str, arguments: dict[str, Any], says: str | None
) -> None:
    if tool == "execute_query":
        arguments = {"query_language": "sparql", "query_string": "ASK {}"} | arguments
    if says is None:
        assert (await host.call(tool, **arguments | {"query_string": CHINA}))["row_count"] == 1
    else:
        assert says in await host.refused(tool, **arguments)


async def test_endpoint_url_names_an_endpoint_too(host: Host) -> None:
    answer = await host.query("sql", CHINA, endpoint_url="sample")
    assert (answer["status"], answer["audit"]["endpoint"]) == ("complete", "sample")


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE country; --", "\x00", "\u202e", "%", '"', "x" * 19_999, "{{{{{"]
)
async def test_any_text_as_a_query_is_refused_or_fails_with_an_audit(host: Host, text: str) -> None:
    for language in ("sparql", "sql", "spasql", "graphql"):
        answer = await host.query(language, text)
        assert answer["status"] in ("refused", "error"), language
        assert answer["audit"].keys() >= {*AUDIT} - {"query_text"}
        assert answer["reason"]


# Single steps


async def test_labels_are_matched_with_links_and_audits(host: Host) -> None:
    answer = await host.call("match_label", text="tri-state", limit=2)
    assert answer["matches"][0]["iri"] == TERM
    assert answer["matches"][0]["describe_url"] == TERM
    assert [one["score"] for one in answer["matches"]] == sorted(
        (one["score"] for one in answer["matches"]), reverse=True
    )
    assert all(audit.keys() >= AUDIT for audit in answer["audits"])
    assert {audit["endpoint_url"] for audit in answer["audits"]} == {"local:help"}
    nothing = await host.call("match_label", text="zorblax", variants=["tri-state"])
    assert nothing["matches"][0]["iri"] == TERM
    assert len(nothing["audits"]) == 2


async def test_types_are_counted(host: Host) -> None:
    answer = await host.call("explore_types", types=["http://schema.org/Question"])
    (only,) = answer["types"]
    asked = await host.query(
        "sparql", "SELECT (COUNT(?s) AS ?n) { ?s a <http://schema.org/Question> }"
    )
    assert str(only["count"]) == asked["rows"][0][0]
    nothing = await host.call("explore_types", types=["urn:none"])
    assert nothing["types"] == []
    assert "No entity" in nothing["answer"]


async def test_an_entity_is_described(host: Host) -> None:
    answer = await host.call("describe_entity", iri=TERM)
    said = {(one["predicate"].rsplit("/", 1)[-1], one["value"]) for one in answer["triples"]}
    assert ("name", "tri-state") in said
    nothing = await host.call("describe_entity", iri="urn:none")
    assert nothing["triples"] == []
    assert nothing["answer"].startswith("Nothing is said about <urn:none>")


# Endpoints


async def test_an_endpoint_that_is_down_harms_no_other(registered: Callable[..., Host]) -> None:
    url = nowhere()
    host = registered(remote("down", url))
    listed = await host.call("list_endpoints")
    by_name = {one["name"]: one for one in listed["endpoints"]}
    assert by_name["help"]["reachable"] is True
    assert by_name["down"]["reachable"] is False
    assert by_name["down"]["detail"]
    assert listed["answer"] == "Endpoints: help, down; not answering: down."
    answers: dict[str, dict[str, Any]] = {}

    async def ask(name: str) -> None:
        answers[name] = await host.query("sparql", f"DESCRIBE <{TERM}>", endpoint=name)

    async with anyio.create_task_group() as group:
        for name in ("down", "help"):
            group.start_soon(ask, name)
    assert answers["help"]["status"] != "error"
    assert answers["down"]["status"] == "error"
    assert answers["down"]["audit"]["endpoint_url"] == url
    assert await host.call("match_label", text="tri-state", endpoint="help")


async def test_a_registry_with_an_error_is_told_and_works_once_it_is_mended(
    made: Callable[..., Host], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "_LOOK_AGAIN_AFTER", 0.0)
    path = tmp_path / "endpoints.toml"
    host = made(endpoints=path)
    sent = {"query_language": "sparql", "query_string": "ASK {}"}
    assert "set GROUNDWIRE_ENDPOINTS" in await host.refused("execute_query", **sent)
    good = HELP.format(settings="")
    path.write_text("[[endpoints", "utf-8")
    assert "is no TOML" in await host.refused("list_endpoints")
    path.write_text(good.replace("local:help", "ftp://x/"), "utf-8")
    assert "https://host/sparql or local:NAME" in await host.refused("execute_query", **sent)
    path.write_text(good, "utf-8")
    assert (await host.call("execute_query", **sent))["status"] == "complete"
    path.write_text(good.replace("default_endpoint", "default_endpiont"), "utf-8")
    assert "check its spelling" in await host.refused("execute_query", **sent)
    path.write_text(good + "\n", "utf-8")
    assert (await host.call("execute_query", **sent))["status"] == "complete"


async def test_a_registry_that_changes_is_read_anew_within_a_second(
    registered: Callable[..., Host], tmp_path: Path, hostile: Any
) -> None:
    url = hostile.on("sparql", lambda x: x.answer(table("a"), **ANSWER))
    host = registered()
    sent = {"query_language": "sparql", "query_string": "SELECT ?v { ?s ?p ?v }"}
    assert "No endpoint is called 'new'" in await host.refused(
        "execute_query", **sent, endpoint="new"
    )
    path = tmp_path / "endpoints.toml"
    path.write_text(path.read_text("utf-8") + remote("new", url), "utf-8")
    await asyncio.sleep(1.1)
    answer = await host.call("execute_query", **sent, endpoint="new")
    assert answer["rows"] == [["a"]]


async def test_a_registry_that_was_replaced_is_closed_when_nothing_is_at_work_there(
    registered: Callable[..., Host], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[workspace.Desk] = []

    async def close(desk: workspace.Desk) -> None:
        closed.append(desk)

    monkeypatch.setattr(workspace, "_LOOK_AGAIN_AFTER", 0.0)
    host = registered()
    path = tmp_path / "endpoints.toml"
    await host.call("set_kg_policy")
    monkeypatch.setattr(workspace.Desk, "close", close)
    path.write_text(path.read_text("utf-8") + "# one\n", "utf-8")
    await host.call("set_kg_policy")
    assert closed == []
    monkeypatch.setattr(workspace, "_CLOSED_AFTER", -1.0)
    await host.call("set_kg_policy")
    assert len(closed) == 1


@pytest.mark.parametrize("allowed", ["", "allow_urls = true"])
async def test_a_loopback_url_is_never_admitted_unless_the_registry_says_so(
    registered: Callable[..., Host], hostile: Any, allowed: str
) -> None:
    url = hostile.on("sparql", lambda x: x.answer(table("a"), **ANSWER))
    host = registered(settings=allowed)
    sent = {"query_language": "sparql", "query_string": "ASK {}"}
    says = "only the registry can name" if allowed else "not accepted here: send a name, help"
    for form in (url, f"http://localhost:{hostile.port}/sparql"):
        for name in ("endpoint", "endpoint_url"):
            assert says in await host.refused("execute_query", **sent, **{name: form})
    if allowed:
        # What a URL leads to is judged when it is called.
        answer = await host.call("execute_query", **sent, endpoint="http://169.254.169.254/")
        assert answer["status"] == "refused"
        assert "reserved or link-local" in answer["reason"]
    for tool, arguments in (
        ("match_label", {"text": "x"}),
        ("explore_types", {}),
        ("describe_entity", {"iri": TERM}),
        ("run_kg_workflow", {"prompt": "What is SPARQL?"}),
    ):
        assert await host.refused(tool, **arguments, endpoint=url)
    assert hostile.connections == 0


async def test_a_url_is_admitted_where_the_registry_allows_it(
    registered: Callable[..., Host], hostile: Any
) -> None:
    url = hostile.on("sparql", lambda x: x.answer(table("a"), **ANSWER))
    host = registered(settings="allow_urls = true\nallow_private_urls = true")
    answer = await host.query("sparql", "SELECT ?v { ?s ?p ?v }", endpoint_url=url)
    assert answer["rows"] == [["a"]]
    assert answer["audit"]["endpoint_url"] == url
    line = await host.refused(
        "execute_query",
        query_language="sparql",
        query_string="ASK {}",
        endpoint=f"{url}?apikey=s3cret",
    )
    assert "s3cret" not in line


@pytest.mark.parametrize(
    "named", ['token_env = "T_TOKEN"', 'username_env = "T_USER"\npassword_env = "T_PASSWORD"']
)
async def test_credentials_are_sent_and_never_shown(
    registered: Callable[..., Host],
    hostile: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    home: Path,
    named: str,
) -> None:
    secrets = {"T_TOKEN": "s3cret-t0ken", "T_USER": "s3cret-us3r", "T_PASSWORD": "s3cret-w0rd"}
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    seen: list[str] = []

    def tell(exchange: Any) -> None:
        """A server that says everything that it was told."""
        raw = exchange.request.decode("latin-1")
        (sent,) = [line for line in raw.splitlines() if line.lower().startswith("authorization")]
        seen.append(sent)
        if b"fail" in exchange.request:
            exchange.answer(
                f"denied: {sent}", "403 Forbidden", Content_Type="text/plain", Connection="close"
            )
        else:
            exchange.answer(table(sent, *secrets.values()), **ANSWER)

    host = registered(remote("closed", hostile.on("sparql", tell), named))
    told: list[str] = []
    for text in ("SELECT ?v { ?s ?p ?v }", "SELECT ?v { ?s <urn:fail> ?v }"):
        answer = await host.query("sparql", text, endpoint="closed")
        told.append(json.dumps(answer))
        for part in ("summary", "values", "audit", "payload"):
            told.append(await host.evidence(answer["evidence_id"], part))
    told.append(json.dumps(await host.call("list_endpoints")))
    for prompt in ("help", "config", "troubleshoot"):
        async with host.client() as client:
            told.append((await client.get_prompt(prompt, {})).model_dump_json())
    assert seen
    scheme, word = seen[0].split(": ", 1)[1].split(" ", 1)
    sent = [secrets["T_TOKEN"]] if scheme == "Bearer" else [secrets["T_PASSWORD"], word]
    for secret in {*sent, word}:
        assert secret not in "\n".join(told)
        assert secret not in caplog.text
        assert not [path for path in home.glob("*.sqlite*") if secret.encode() in path.read_bytes()]


async def test_a_credential_that_is_missing_is_named_and_the_rest_works(
    registered: Callable[..., Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("T_MISSING", raising=False)
    host = registered(remote("closed", "http://127.0.0.1:9/sparql", 'token_env = "T_MISSING"'))
    answer = await host.query("sparql", "ASK {}", endpoint="closed")
    assert answer["status"] == "error"
    assert "needs the variable T_MISSING: set it" in answer["reason"]
    assert answer["audit"].keys() >= AUDIT
    assert (await host.query("sparql", "ASK {}"))["status"] == "complete"


async def test_a_fallback_that_is_missing_is_named_in_the_workflow(
    registered: Callable[..., Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("T_MISSING", raising=False)
    host = registered(
        remote("closed", "http://127.0.0.1:9/sparql", 'token_env = "T_MISSING"'),
        settings='fallback_endpoints = ["closed"]',
    )
    answer = await host.call("run_kg_workflow", prompt="What is SPARQL?")
    assert answer["status"] == "answered"


# The policy


async def test_the_policy_is_of_one_user(host: Host) -> None:
    with user("user:policy-ann"):
        answer = await host.call("set_kg_policy", kg="on", limit=2)
        assert (answer["kg"], answer["limit"]) == ("strict", 2)
        rows = await host.query("sparql", LABELS)
        assert (rows["status"], rows["row_count"]) == ("truncated", 2)
        assert (await host.query("sparql", LABELS, limit=4))["row_count"] == 4
        aborted = await host.call("run_kg_workflow", prompt="Who won the chess match yesterday?")
        assert aborted["status"] == "aborted"
    for other in ("user:policy-bob", "policy-ann"):
        with user(other):
            answer = await host.call("set_kg_policy")
            assert (answer["kg"], answer["limit"]) == ("off", 10)
    with user("user:policy-ann"):
        assert (await host.call("set_kg_policy"))["kg"] == "strict"
        assert (await host.call("set_kg_policy", kg="off"))["kg"] == "off"
        answer = await host.call("set_kg_policy", reset=True)
        assert (answer["kg"], answer["limit"]) == ("off", 10)


@pytest.mark.parametrize(
    ("demand", "mode"),
    [
        ("kg_mandatory_for_all_prompts = true", "strict"),
        ('must_run_kg_workflow_for_prompt_classes = ["fact_lookup"]', "classes"),
    ],
)
async def test_a_user_never_weakens_what_the_registry_demands(
    registered: Callable[..., Host], demand: str, mode: str
) -> None:
    host = registered(settings=f"[enforcement]\n{demand}")
    with user(f"user:weak-{mode}"):
        for change in ({"kg": "off"}, {"reset": True}, {}):
            answer = await host.call("set_kg_policy", **change)
            assert (answer["kg"], answer["demanded_by_registry"]) == (mode, mode)
            if change:
                assert "only its administrator can lift that" in answer["answer"]
        answer = await host.call(
            "run_kg_workflow", prompt="Who won the chess match yesterday?", enforce="off"
        )
        assert answer["status"] == "aborted"
        assert (await host.call("set_kg_policy", kg="on"))["kg"] == "strict"


# The workflow


async def test_the_workflow_answers_with_links_on_a_fresh_machine(host: Host, era: str) -> None:
    async with host.client(mode=era) as client:
        result = await client.call_tool("run_kg_workflow", {"prompt": "What is SPARQL?"})
    answer = result.structured_content
    assert answer["status"] == "answered"
    first = answer["rows"][0]
    assert first["iri"].startswith("https://groundwire.example/help#")
    assert f"]({first['describe_url']})" in answer["markdown"]
    assert answer["audits"]
    for audit in answer["audits"]:
        assert audit.keys() >= AUDIT
        assert audit["endpoint_url"] == "local:help"
    recorded = json.loads(await host.evidence(answer["evidence_id"], "audit"))
    assert [_without_nulls(one) for one in recorded["queries"]] == answer["audits"]


async def test_a_prompt_without_an_answer_is_decided_by_the_user(host: Host) -> None:
    prompt = "Who won the chess match yesterday?"
    asked = await host.call("run_kg_workflow", prompt=prompt)
    assert asked["status"] == "needs_decision"
    assert asked["question"] == ("Synthesize an answer without KG backing or continue probing?")
    assert asked["audits"]
    with user("user:other"):
        line = await host.refused("run_kg_workflow", run_id=asked["run_id"], decision="synthesize")
        assert "no such run" in line
    line = await host.refused("run_kg_workflow", run_id=asked["run_id"], decision="variants")
    assert "`variants`" in line
    found = await host.call(
        "run_kg_workflow", run_id=asked["run_id"], decision="variants", variants=["tri-state"]
    )
    assert found["status"] == "entity_found"
    found = await host.call(
        "run_kg_workflow",
        run_id=asked["run_id"],
        decision="variants",
        variants=["What is a tri-state?"],
    )
    assert found["status"] == "answered"
    assert found["rows"][0]["iri"].startswith("https://groundwire.example/help#")


async def test_without_backing_the_answer_says_so(host: Host) -> None:
    asked = await host.call("run_kg_workflow", prompt="Who won the chess match yesterday?")
    answer = await host.call("run_kg_workflow", run_id=asked["run_id"], decision="synthesize")
    assert answer["status"] == "answered"
    assert answer["rows"] == []
    assert "graph" in answer["answer"]


async def test_strict_aborts_with_the_audit(host: Host) -> None:
    answer = await host.call(
        "run_kg_workflow", prompt="Who won the chess match yesterday?", enforce="strict"
    )
    assert answer["status"] == "aborted"
    assert answer["exit_message"] == (
        "KG workflow required but could not be completed. See audit block for executed queries "
        "and errors."
    )
    assert answer["rows"] == []
    assert answer["audits"]


async def test_a_run_goes_on_after_the_call_that_began_it(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One connection, as a host has it: what began goes on between its calls.
    async with host.client() as client:
        with monkeypatch.context() as patched:
            patched.setattr(running, "ANSWER_WITHIN", 0.0)
            begun = await client.call_tool("run_kg_workflow", {"prompt": "What is SPARQL?"})
        first = begun.structured_content
        assert first["status"] == "running"
        assert first["answer"].startswith("The workflow is still running")
        assert "evidence_id" not in first
        ended = await client.call_tool("run_kg_workflow", {"run_id": first["run_id"]})
        answer = ended.structured_content
    assert (answer["status"], answer["run_id"]) == ("answered", first["run_id"])
    assert answer["rows"]
    with user("user:other"):
        assert "no such run" in await host.refused("run_kg_workflow", run_id=first["run_id"])


# Evidence


async def claims(host: Host, draft: str, *evidence: str) -> dict[str, str]:
    checked = await host.call("verify_answer", draft=draft, evidence_ids=list(evidence))
    return {claim["text"]: claim["status"] for claim in checked["claims"]}


async def test_a_draft_of_a_sql_answer_is_checked(host: Host) -> None:
    answer = await host.query(
        "sql",
        "SELECT country, value FROM population WHERE year = 2010 AND country IN ('China', 'India')",
    )
    proof = answer["evidence_id"]
    figures = {country: f"{value:,}" for country, value in answer["rows"]}
    right = f"The value of China is {figures['China']}, and that of India {figures['India']}."
    found = await claims(host, right, proof)
    assert found[figures["China"]] == found[figures["India"]] == "supported"
    assert set(found.values()) == {"supported"}
    # Another figure, one of another size, and one of another country.
    for wrong in ("1,500,000,000", "133,770,500", figures["India"]):
        found = await claims(host, f"China had {wrong} people in 2010.", proof)
        assert found[wrong] in ("contradicted", "unsupported"), wrong
    # The table is called population, and its values are of the year that the query asks for.
    for said, status in (("people in 2010", "supported"), ("people in 2011", "not_judged")):
        found = await claims(host, f"China had {figures['China']} {said}.", proof)
        assert (found[figures["China"]] == "supported") == (status == "supported"), found
    found = await claims(host, f"China had {figures['China']} cars.", proof)
    assert found[figures["China"]] != "supported"


async def test_a_draft_of_a_workflow_answer_is_checked(host: Host) -> None:
    answer = await host.call("run_kg_workflow", prompt="What is SPARQL?")
    proof = answer["evidence_id"]
    iri = answer["rows"][0]["iri"]
    found = await claims(host, f"{answer['markdown']}\n\nSee <{iri}>.", proof)
    assert set(found.values()) == {"supported"}, found
    found = await claims(host, "See <https://groundwire.example/help#invented>.", proof)
    assert set(found.values()) <= {"unsupported", "contradicted"} and found


# Prompts


@pytest.mark.parametrize(
    ("name", "arguments", "tools"),
    [
        ("help", {}, ["run_kg_workflow"]),
        ("query", {"question": "How many?"}, ["execute_query", "explore_types", "describe_entity"]),
        ("config", {}, ["GROUNDWIRE_ENDPOINTS", "groundwire doctor", "list_endpoints"]),
        ("troubleshoot", {"error": "IM002"}, ["list_endpoints", "run_kg_workflow"]),
        ("limit", {"number": "25"}, ["set_kg_policy with limit 25"]),
        ("kg-on", {}, ["set_kg_policy with kg on", "run_kg_workflow for every prompt"]),
        ("kg-off", {}, ["set_kg_policy with kg off"]),
        ("kg-verify", {"prompt": "Is it so?"}, ["run_kg_workflow", "strict", "verify_answer"]),
    ],
)
async def test_commands_name_the_tool_to_call(
    host: Host, era: str, name: str, arguments: dict[str, str], tools: list[str]
) -> None:
    async with host.client(mode=era) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
        listed = [prompt.name for prompt in (await client.list_prompts()).prompts]
        text = (await client.get_prompt(name, arguments)).messages[0].content.text
    assert listed == [
        "help", "query", "config", "troubleshoot", "limit", "kg-on", "kg-off", "kg-verify",
    ]  # fmt: skip
    for said in tools:
        assert said in text
    for value in arguments.values():
        assert value in text
    named = {word.strip(".,;()") for word in text.split()}
    assert {word for word in named if word in offered}


@pytest.mark.parametrize("number", ["abc", "1e9"])
async def test_a_limit_that_is_none_is_asked_about(host: Host, number: str) -> None:
    async with host.client() as client:
        got = await client.get_prompt("limit", {"number": number})
    assert "ask which limit is meant" in got.messages[0].content.text


# What is offered, and when


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({"tools": ("execute_query", "verify_answer")}, {"execute_query", "verify_answer"}),
        ({"toolsets": ("evidence",)}, {"get_evidence", "verify_answer"}),
        ({"read_only": True, "tools": ("list_endpoints",)}, {"list_endpoints"}),
    ],
)
async def test_toolsets_and_tools(
    made: Callable[..., Host], changes: Any, offered: set[str]
) -> None:
    async with made(**changes).client() as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == offered


async def test_read_only_hides_the_policy_alone(made: Callable[..., Host]) -> None:
    host = made(read_only=True)
    async with host.client() as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert "set_kg_policy" not in names
    assert {"execute_query", "run_kg_workflow"} <= names
    assert (await host.query("sparql", "ASK {}"))["status"] == "complete"


def test_an_unknown_tool_fails_at_start(home: Path) -> None:
    with pytest.raises(ConfigurationError, match="did you mean 'execute_query'"):
        build(Settings(home=home, tools=("execute_qery",)))


async def test_the_registry_of_public_endpoints_is_there_by_its_name(
    made: Callable[..., Host], tmp_path: Path
) -> None:
    host = made(endpoints=tmp_path / "openlink")
    async with host.client() as client:
        text = (await client.get_prompt("config", {})).messages[0].content.text
    assert "uriburner" in text


async def test_many_calls_at_once(host: Host) -> None:
    answers: list[int] = []

    async def ask(client: Client, year: int) -> None:
        language, text = (
            ("sql", f"SELECT {year} AS n")
            if year % 2
            else ("sparql", f"SELECT ({year} AS ?n) {{}}")
        )
        sent = {"query_language": language, "query_string": text}
        result = await client.call_tool("execute_query", sent)
        answers.append(int(result.structured_content["rows"][0][0]))

    async with host.client() as client, anyio.create_task_group() as group:
        for year in range(24):
            group.start_soon(ask, client, year)
    assert sorted(answers) == list(range(24))


@pytest.mark.skipif(os.name == "nt", reason="a folder below a file is a matter of POSIX")
async def test_what_needs_no_writing_is_answered_on_a_home_that_cannot_be_written(
    made: Callable[..., Host], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    host = made(home=tmp_path / "file" / "home")
    async with host.client() as client:
        sent = {"query_language": "sparql", "query_string": "ASK {}"}
        result = await client.call_tool("execute_query", sent)
    answer = result.structured_content
    assert answer["status"] == "complete"
    assert answer["evidence_id"] is None
    assert "GROUNDWIRE_HOME" in answer["evidence_error"]


def test_a_start_imports_no_engine(tmp_path: Path) -> None:
    heavy = ("rdflib", "SPARQLWrapper", "duckdb", "pyoxigraph", "graphql", "psycopg", "rapidfuzz")
    code = (
        "import sys; from pathlib import Path; from groundwire.config import Settings\n"
        "from groundwire.servers.sparql import build\n"
        f"build(Settings(home=Path({str(tmp_path)!r})))\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert said.stdout.strip() == "[]"


# The user's decision


NOT_HELD = "Who won the chess match yesterday?"


async def test_a_user_decides_where_the_graph_has_no_answer(host: Host, era: str) -> None:
    asked: list[Any] = []

    async def choose(context: object, params: Any) -> ElicitResult:
        asked.append(params)
        return ElicitResult(action="accept", content={"decision": "synthesize"})

    async with host.client(mode=era, elicitation_callback=choose) as client:
        result = await client.call_tool("run_kg_workflow", {"prompt": NOT_HELD})
    (params,) = asked
    assert params.message == "Synthesize an answer without KG backing or continue probing?"
    answer = result.structured_content
    assert answer["status"] == "answered"
    assert answer["rows"] == []


async def test_a_user_may_bring_variants(host: Host, era: str) -> None:
    asked: list[Any] = []

    async def vary(context: object, params: Any) -> ElicitResult:
        asked.append(params)
        content = {"decision": "variants", "variants": " zzyzx ; What is a tri-state?"}
        return ElicitResult(action="accept", content=content)

    async with host.client(mode=era, elicitation_callback=vary) as client:
        result = await client.call_tool("run_kg_workflow", {"prompt": NOT_HELD})
    (params,) = asked
    decisions = params.requested_schema["properties"]["decision"]["enum"]
    assert decisions == ["synthesize", "continue", "variants"]
    answer = result.structured_content
    assert answer["status"] == "answered"
    assert answer["rows"][0]["iri"].endswith("#what-is-a-tri-state")


async def test_a_user_who_says_variants_and_gives_none_has_decided_nothing(host: Host) -> None:
    async def vary(context: object, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"decision": "variants", "variants": " ; "})

    async with host.client(elicitation_callback=vary) as client:
        result = await client.call_tool("run_kg_workflow", {"prompt": NOT_HELD})
    assert result.structured_content["status"] == "needs_decision"


@pytest.mark.parametrize(
    ("decision", "status"), [("mandatory", "aborted"), ("continue", "needs_decision")]
)
async def test_a_user_is_asked_whether_the_workflow_is_mandatory(
    registered: Callable[..., Host], era: str, decision: str, status: str
) -> None:
    host = registered(
        settings='[enforcement]\nmust_run_kg_workflow_for_prompt_classes = ["fact_lookup"]'
    )
    asked: list[str] = []

    async def decide(context: object, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"decision": decision})

    async with host.client(mode=era, elicitation_callback=decide) as client:
        result = await client.call_tool("run_kg_workflow", {"prompt": "Zzyzx founders"})
    (question,) = asked
    assert question.startswith("Shall the KG workflow be mandatory for this prompt?")
    assert result.structured_content["status"] == status
    assert result.structured_content["audits"]


async def test_a_user_is_asked_when_a_run_that_went_on_has_ended(
    host: Host, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def choose(context: object, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"decision": "synthesize"})

    async with host.client(mode=era, elicitation_callback=choose) as client:
        with monkeypatch.context() as patched:
            patched.setattr(running, "ANSWER_WITHIN", 0.0)
            begun = await client.call_tool("run_kg_workflow", {"prompt": NOT_HELD})
        assert begun.structured_content["status"] == "running"
        run_id = begun.structured_content["run_id"]
        ended = await client.call_tool("run_kg_workflow", {"run_id": run_id})
    assert ended.structured_content["status"] == "answered"
    assert ended.structured_content["rows"] == []


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_user_who_does_not_decide_leaves_it_open(host: Host, era: str, action: Any) -> None:
    async def refuse(context: object, params: Any) -> ElicitResult:
        return ElicitResult(action=action)

    async with host.client(mode=era, elicitation_callback=refuse) as client:
        result = await client.call_tool("run_kg_workflow", {"prompt": NOT_HELD})
    answer = result.structured_content
    assert answer["status"] == "needs_decision"
    assert answer["audits"]


async def test_a_user_is_not_asked_where_nothing_is_to_decide(host: Host, era: str) -> None:
    async def fail(context: object, params: Any) -> ElicitResult:
        raise AssertionError(params)

    calls = [
        ({"prompt": "What is SPARQL?"}, "answered"),
        ({"prompt": NOT_HELD, "enforce": "strict"}, "aborted"),
    ]
    async with host.client(mode=era, elicitation_callback=fail) as client:
        for arguments, status in calls:
            result = await client.call_tool("run_kg_workflow", arguments)
            assert result.structured_content["status"] == status
            assert len(result.structured_content["audits"]) >= 1
