"""A real Oxigraph, asked as an endpoint of the registry is."""

from __future__ import annotations

import asyncio

from groundwire.graph.gate_policy import REMOTE_POLICY
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.terms import XSD, iri, literal
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sparql_runner import SparqlRunner


def run(url: str, text: str, **request) -> Outcome:
    async def ask() -> Outcome:
        graph = RemoteGraph.configured(url, dialect="oxigraph")
        runner = SparqlRunner(graph, REMOTE_POLICY, endpoint="oxigraph")
        try:
            return await runner.run(Request("sparql", text, **request))
        finally:
            await runner.close()

    return asyncio.run(ask())


def test_select(oxigraph) -> None:
    text = "SELECT ?s ?n { ?s <http://e/p> ?n FILTER(?n < 3) } ORDER BY ?n"
    outcome = run(oxigraph.url, text)
    assert outcome.status == "complete"
    assert outcome.columns == ("s", "n")
    assert outcome.rows == tuple(
        (iri(f"http://e/s{n}"), literal(str(n), XSD + "integer")) for n in range(3)
    )
    assert outcome.audit.status_code == 200
    assert outcome.audit.query_text.endswith("LIMIT 11")
    assert outcome.audit.result_summary == "3 rows of 2 columns"
    assert outcome.audit.endpoint_url == oxigraph.url
    assert b'"bindings"' in outcome.audit.raw


def test_select_beyond_the_limit(oxigraph) -> None:
    text = "SELECT ?s { ?s <http://e/p> ?n }"
    outcome = run(oxigraph.url, text, limit=7)
    assert (outcome.status, len(outcome.rows)) == ("truncated", 7)
    assert "raise the limit" in outcome.reason
    assert run(oxigraph.url, text + " LIMIT 7", limit=7).status == "complete"
    assert run(oxigraph.url, text, limit=300).status == "complete"


def test_nothing_found(oxigraph) -> None:
    outcome = run(oxigraph.url, "SELECT ?s { ?s <http://e/nothing> ?n }")
    assert (outcome.status, outcome.rows) == ("empty", ())


def test_ask(oxigraph) -> None:
    assert run(oxigraph.url, "ASK { ?s <http://e/p> 7 }").rows == ((True,),)
    no = run(oxigraph.url, "ASK { ?s <http://e/p> 7000 }")
    assert (no.status, no.columns, no.rows) == ("complete", ("result",), ((False,),))


def test_construct(oxigraph) -> None:
    outcome = run(oxigraph.url, "CONSTRUCT { ?s a <http://e/Few> } { ?s <http://e/p> ?n } LIMIT 3")
    assert outcome.status == "complete"
    assert outcome.columns == ("subject", "predicate", "object")
    assert len(outcome.rows) == 3
    outcome = run(oxigraph.url, "CONSTRUCT { ?s a <http://e/T> } { ?s <http://e/p> ?n }", limit=4)
    assert (outcome.status, len(outcome.rows)) == ("truncated", 4)


def test_one_triple_of_many_solutions_is_not_the_whole_of_them(oxigraph) -> None:
    text = "CONSTRUCT { <http://e/all> <http://e/has> ?p } { ?s ?p ?o }"
    outcome = run(oxigraph.url, text, limit=4)
    assert outcome.status == "truncated"
    assert "5 solutions" in outcome.reason
    assert run(oxigraph.url, text, limit=1000).status == "complete"


def test_describe(oxigraph) -> None:
    outcome = run(oxigraph.url, "DESCRIBE <http://e/s1>")
    assert (outcome.status, len(outcome.rows)) == ("complete", 2)
    assert run(oxigraph.url, "DESCRIBE <http://e/none>").status == "empty"
    outcome = run(oxigraph.url, "DESCRIBE ?s { ?s <http://e/p> ?n }", limit=5)
    assert (outcome.status, len(outcome.rows)) == ("truncated", 5)


def test_out_of_time(brief_oxigraph) -> None:
    heavy = "SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z . ?d ?t ?w }"
    outcome = run(brief_oxigraph.url, heavy, timeout=0.5)
    assert outcome.status == "error"
    assert "did not answer within" in outcome.reason
    assert outcome.audit.status_code is None
    assert outcome.audit.per_query_status_and_error == f"error: {outcome.reason}"


def test_what_only_the_server_refuses(oxigraph) -> None:
    function = REMOTE_POLICY._replace(functions=REMOTE_POLICY.functions | {"http://e/f"})

    async def ask() -> Outcome:
        graph = RemoteGraph.configured(oxigraph.url.replace("/query", "/nowhere"))
        runner = SparqlRunner(graph, function)
        outcome = await runner.run(Request("sparql", "ASK {}"))
        await runner.close()
        return outcome

    outcome = asyncio.run(ask())
    assert outcome.status == "error"
    assert "check the URL's path" in outcome.reason
    assert outcome.audit.status_code == 404
