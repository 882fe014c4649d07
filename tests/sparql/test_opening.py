"""What runs a language at an endpoint, wherever the endpoint is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.graph.gate_policy import REMOTE_POLICY, VIRTUOSO_POLICY
from groundwire.profiles import sparql_help, sparql_sample
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.execution import Execution
from groundwire.sparql.opening import Opener, Supplies, policy_of
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.workspace import Workspace, list_endpoints

pytestmark = pytest.mark.anyio

REGISTRY = """
default_endpoint = "help"
[[endpoints]]
name = "help"
url = "local:help"
[[endpoints]]
name = "mine"
files = ["mine.ttl"]
[[endpoints]]
name = "other"
url = "local:other"
[[endpoints]]
name = "sample"
kind = "sql"
url = "local:sample"
[[endpoints]]
name = "lite"
kind = "sql"
url = "sqlite:///lite.db"
[[endpoints]]
name = "gone"
kind = "sql"
url = "duckdb:gone.db"
"""
MIXED = "SELECT count(*) AS n FROM (SPARQL SELECT ?s { ?s ?p ?o } LIMIT 3) AS g"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def space(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workspace]:
    folder = tmp_path_factory.mktemp("registry")
    (folder / "endpoints.toml").write_text(REGISTRY, "utf-8")
    (folder / "mine.ttl").write_text("<urn:a> <urn:p> 1 .", "utf-8")
    with sqlite3.connect(folder / "lite.db") as lite:
        lite.execute("CREATE TABLE t AS SELECT 41 + 1 AS n")
    lite.close()
    supplies = Supplies(folder / "home", tuple(sparql_help()), sparql_sample())
    opened = Workspace(folder / "endpoints.toml", supplies)
    yield opened
    await opened.close()


async def ask(space: Workspace, endpoint: str, language: str, text: str) -> Outcome:
    desk = await space.desk()
    return await desk.endpoints.execute(Execution(language, text, endpoint))


@pytest.mark.parametrize(
    ("endpoint", "language", "text", "cell"),
    [
        ("mine", "sparql", "SELECT ?o { <urn:a> <urn:p> ?o }", "1"),
        ("mine", "spasql", "SELECT count(*) AS n FROM (SPARQL SELECT ?s { ?s ?p ?o }) g", "1"),
        ("lite", "sql", "SELECT n FROM t", "42"),
        ("sample", "sql", "SELECT count(*) AS n FROM country WHERE country = 'China'", "1"),
        ("sample", "spasql", MIXED, "3"),
        ("help", "spasql", MIXED, "3"),
        # The embedded tables stand beside the embedded graph.
        (
            "help",
            "spasql",
            f"SELECT n + (SELECT count(*) FROM country WHERE country = 'China') FROM ({MIXED})",
            "4",
        ),
    ],
)
async def test_a_language_at_a_place(
    space: Workspace, endpoint: str, language: str, text: str, cell: str
) -> None:
    outcome = await ask(space, endpoint, language, text)
    assert outcome.status == "complete", outcome.reason
    value = outcome.rows[0][0]
    assert str(getattr(value, "value", value)) == cell
    assert outcome.audit.endpoint == endpoint


@pytest.mark.parametrize(
    ("endpoint", "language", "says"),
    [
        ("other", "sparql", "there are local:help, local:sample and local:countries"),
        ("other", "spasql", "which is not embedded"),
        ("gone", "sql", "there is no such file"),
    ],
)
async def test_what_cannot_be_opened_says_why(
    space: Workspace, endpoint: str, language: str, says: str
) -> None:
    outcome = await ask(space, endpoint, language, MIXED if language == "spasql" else "SELECT 1")
    assert outcome.status in ("error", "refused")
    assert says in outcome.reason


async def test_the_list_says_what_answers_and_why_the_rest_does_not(space: Workspace) -> None:
    listed = await list_endpoints(space)
    down = {one.name: one.detail or "" for one in listed.endpoints if not one.reachable}
    assert set(down) == {"other", "gone"}
    assert "not embedded" in down["other"]
    assert listed.answer.endswith("; not answering: other, gone.")
    assert {one.name: one.url for one in listed.endpoints}["lite"] == "sqlite:lite.db"
    unasked = await list_endpoints(space, probe=False)
    assert {one.reachable for one in unasked.endpoints} == {None}


@pytest.mark.parametrize("end", ["close", "forget"])
async def test_the_languages_at_a_remote_graph_share_its_connections_which_end_with_it(
    hostile: Any, tmp_path: Path, end: str
) -> None:
    body = json.dumps({"head": {}, "boolean": True})
    kind = "application/sparql-results+json"
    url = hostile.on("sparql", lambda x: x.answer(body, Content_Type=kind))
    opener = Opener(Supplies(tmp_path / "home", (), None))
    endpoint = Endpoint(name="far", url=url, allow_private=True)
    for request in (Request("sparql", "ASK {}"), Request("spasql", "SPARQL ASK {}")):
        runner = await opener.runner(endpoint, request.language)
        outcome = await runner.run(request)
        assert outcome.status == "complete", outcome.reason
    assert hostile.connections == 1
    # A socket that stays open is a warning, and so a failure.
    await (opener.close() if end == "close" else opener.forget(endpoint))


def test_policies_follow_place_and_registry() -> None:
    local = policy_of(Endpoint(name="a", url="local:help"))
    assert local.allowed_graphs is None
    virtuoso = policy_of(Endpoint(name="b", url="https://example.org/sparql", dialect="virtuoso"))
    assert virtuoso.functions == VIRTUOSO_POLICY.functions
    remote = policy_of(
        Endpoint(
            name="c",
            url="https://example.org/sparql",
            functions=("http://e/f",),
            graphs=("http://e/g",),
        )
    )
    assert remote.functions == REMOTE_POLICY.functions | {"http://e/f"}
    assert remote.sources == ("http://e/g",)
