"""GraphQL and SPARQL within SQL at a real SPARQL server on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.graph.gate_policy import REMOTE_POLICY
from groundwire.graph.remote import RemoteGraph
from groundwire.sparql.graphql.runner import GraphqlRunner
from groundwire.sparql.outcome import Request
from groundwire.sparql.sparql_runner import SparqlRunner
from groundwire.sparql.spasql.runner import SpasqlRunner

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
