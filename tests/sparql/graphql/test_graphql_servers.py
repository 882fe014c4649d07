"""GraphQL and SPARQL within SQL at a real SPARQL server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.graph.gate_policy import REMOTE_POLICY
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.terms import Rows
from groundwire.sparql.graphql.runner import KEPT_SECONDS, Dataset, GraphqlRunner, find_dataset
from groundwire.sparql.outcome import Request
from groundwire.sparql.sparql_runner import SparqlRunner
from groundwire.sparql.spasql import SpasqlRunner

pytestmark = pytest.mark.anyio

DATA = """
@prefix e: <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:golf a e:Car ; rdfs:label "Golf"@en, "Golf VW"@de ; e:doors 5 ; e:madeBy e:vw .
e:polo a e:Car ; rdfs:label "Polo" ; e:doors 3 ; e:madeBy e:vw .
e:vw a e:Maker ; rdfs:label "Volkswagen" ; e:makes e:golf, e:polo .
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def server(serve_oxigraph: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("cars") / "cars.ttl"
    file.write_text(DATA, "utf-8")
    return serve_oxigraph([file]).url


async def test_graphql(server: str) -> None:
    graph = RemoteGraph.configured(server)
    text = '{ car(label: "o", limit: 5) { label doors madeBy { label makes { iri } } } }'
    try:
        outcome = await GraphqlRunner(graph, endpoint="cars").run(Request("graphql", text))
    finally:
        await graph.close()
    assert outcome.status == "complete"
    assert outcome.audit.endpoint_url == server
    makes = [{"iri": "http://e/golf"}, {"iri": "http://e/polo"}]
    maker = [{"label": "Volkswagen", "makes": makes}]
    assert json.loads(str(outcome.rows[0][0])) == {
        "car": [
            {"label": "Golf", "doors": [5], "madeBy": maker},
            {"label": "Polo", "doors": [3], "madeBy": maker},
        ]
    }


NAMED = "e:golf a e:Car ; e:doors 5 . e:polo a e:Car ; e:doors 3 ."
PREFIX = "@prefix e: <http://e/> . "


async def over(url: str, text: str, dialect: str = "generic") -> Any:
    graph = RemoteGraph.configured(url, dialect=dialect)
    try:
        return await GraphqlRunner(graph, endpoint="cars").run(Request("graphql", text))
    finally:
        await graph.close()


async def test_graphs_that_an_endpoint_keeps_apart_are_named(
    serve_oxigraph: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("named") / "cars.trig"
    file.write_text(f"{PREFIX} e:one {{ {NAMED} }} e:two {{ e:golf e:doors 4 . }}", "utf-8")
    outcome = await over(serve_oxigraph([file]).url, "{ car { iri doors } }")
    assert outcome.status == "complete", outcome.reason
    cars = json.loads(str(outcome.rows[0][0]))["car"]
    assert cars[0] == {"iri": "http://e/golf", "doors": [4, 5]}
    assert "FROM" not in outcome.audit.query_text


async def test_graphs_that_cannot_be_read_with_the_default_graph_are_told(
    serve_oxigraph: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("both") / "cars.trig"
    file.write_text(f"{PREFIX} e:up a e:Car ; e:doors 2 . e:one {{ {NAMED} }}", "utf-8")
    outcome = await over(serve_oxigraph([file]).url, "{ car { doors } }")
    assert outcome.status == "partial"
    assert "keeps apart, are left out" in outcome.reason
    assert json.loads(str(outcome.rows[0][0])) == {"car": [{"doors": [2]}]}


async def test_virtuoso_reads_all_of_its_graphs_unasked(virtuoso_faq: Any) -> None:
    graph = RemoteGraph.configured(virtuoso_faq.url, dialect="virtuoso")

    async def ask(query: CompiledQuery, most: int) -> Rows:
        return await graph.select(query, max_rows=most)

    try:
        assert await find_dataset(ask, local=False) == Dataset()
    finally:
        await graph.close()


async def test_the_schema_of_an_endpoint_follows_it(server: str) -> None:
    now = [0.0]
    graph = RemoteGraph.configured(server)
    runner = GraphqlRunner(graph, endpoint="cars", clock=lambda: now[0])
    asked: list[str] = []
    select = graph.select

    async def counted(query: Any, **options: Any) -> Any:
        asked.append(str(query))
        return await select(query, **options)

    graph.select = counted  # pyright: ignore
    try:
        assert (await runner.run(Request("graphql", "{ car { iri } }"))).status == "complete"
        first = len(asked)
        wrong = Request("graphql", "{ plane { iri } }")
        # A schema that is young is not doubted.
        assert (await runner.run(wrong)).status == "refused"
        assert len(asked) == first
        now[0] = 100.0
        assert (await runner.run(wrong)).status == "refused"
        assert len(asked) == 2 * first - 1
        assert (await runner.run(Request("graphql", "{ car { iri } }"))).status == "complete"
        assert len(asked) == 2 * first
        now[0] = 100.0 + KEPT_SECONDS + 1
        assert (await runner.run(Request("graphql", "{ car { iri } }"))).status == "complete"
        assert len(asked) == 3 * first
    finally:
        await graph.close()


async def test_spasql(server: str) -> None:
    sparql = SparqlRunner(RemoteGraph.configured(server), REMOTE_POLICY, endpoint="cars")
    spasql = SpasqlRunner(sparql, endpoint="cars")
    text = "SELECT sum(doors) FROM (SPARQL SELECT ?doors { ?car <http://e/doors> ?doors }) AS c"
    try:
        outcome = await spasql.run(Request("spasql", text))
    finally:
        await spasql.close()
        await sparql.close()
    assert (outcome.status, outcome.rows) == ("complete", ((8,),))
    assert outcome.audit.endpoint_url == server
    assert outcome.audit.status_code == 200
