"""GraphQL and SPARQL within SQL at a real SPARQL server on loopback."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    beside = str(Path(sys.executable).parent)
    program = shutil.which("oxigraph", path=beside) or shutil.which("oxigraph")
    if program is None:
        pytest.skip("the program oxigraph is not here (pip install oxigraph)")
    folder = tmp_path_factory.mktemp("oxigraph")
    (folder / "cars.ttl").write_text(DATA, "utf-8")
    store = ["--location", str(folder / "store")]
    load = [program, "load", *store, "--file", str(folder / "cars.ttl")]
    subprocess.run(load, check=True, capture_output=True, timeout=60)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    said = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    bound = ["--bind", f"127.0.0.1:{port}"]
    process = subprocess.Popen([program, "serve-read-only", *store, *bound], **said)
    try:
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < end
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/query"
    finally:
        process.terminate()
        process.wait(10)


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
