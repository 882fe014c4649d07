"""A real Virtuoso 7.2, asked as an endpoint of the registry is."""

from __future__ import annotations

import asyncio

import pytest

from groundwire.graph import remote
from groundwire.graph.gate_policy import REMOTE_POLICY, VIRTUOSO_POLICY
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.terms import XSD, iri, literal
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sparql_runner import SparqlRunner

PATIENCE = 120.0
HEAVY = "?a <http://e/p> ?x . ?b <http://e/p> ?y . ?c <http://e/p> ?z . ?d <http://e/p> ?w"


def run(url: str, text: str, policy=VIRTUOSO_POLICY, dialect="virtuoso", **request) -> Outcome:
    async def ask() -> Outcome:
        graph = RemoteGraph.configured(url, dialect=dialect)
        runner = SparqlRunner(graph, policy, endpoint="virtuoso")
        try:
            return await runner.run(Request("sparql", text, **request))
        finally:
            await runner.close()

    return asyncio.run(ask())


def test_select(virtuoso) -> None:
    text = "SELECT ?s ?n { ?s <http://e/p> ?n FILTER(?n < 3) } ORDER BY ?n"
    outcome = run(virtuoso.url, text)
    assert outcome.status == "complete"
    assert outcome.rows == tuple(
        (iri(f"http://e/s{n}"), literal(str(n), XSD + "integer")) for n in range(3)
    )
    assert outcome.audit.status_code == 200
    assert outcome.audit.result_summary == "3 rows of 2 columns"


def test_limits(virtuoso) -> None:
    text = "SELECT ?s { ?s <http://e/p> ?n }"
    outcome = run(virtuoso.url, text, limit=7)
    assert (outcome.status, len(outcome.rows)) == ("truncated", 7)
    # The server's own row limit, which is lower than ours.
    outcome = run(virtuoso.url, text, limit=1000)
    assert (outcome.status, len(outcome.rows)) == ("truncated", virtuoso.most_rows)
    assert "at most 200 rows" in outcome.reason
    assert run(virtuoso.url, "SELECT ?s { ?s <http://e/nothing> ?n }").status == "empty"


def test_ask(virtuoso) -> None:
    assert run(virtuoso.url, "ASK { ?s <http://e/p> 7 }").rows == ((True,),)
    assert run(virtuoso.url, "ASK { ?s <http://e/p> 7000 }").rows == ((False,),)


def test_construct_does_not_hide_the_servers_row_limit(virtuoso) -> None:
    text = "CONSTRUCT { ?s a <http://e/T> } WHERE { ?s <http://e/p> ?n }"
    outcome = run(virtuoso.url, text + " LIMIT 3")
    assert (outcome.status, len(outcome.rows)) == ("complete", 3)
    # Virtuoso cuts the solutions of a CONSTRUCT and says nothing of it.
    outcome = run(virtuoso.url, text, limit=1000)
    assert outcome.status == "truncated"
    assert virtuoso.most_rows <= len(outcome.rows) < 300
    assert "200 solutions" in outcome.reason


def test_describe(virtuoso) -> None:
    outcome = run(virtuoso.url, "DESCRIBE <http://e/s1>")
    assert outcome.status == "complete"
    assert set(outcome.rows) == {
        (iri("http://e/s1"), iri("http://e/p"), literal("1", XSD + "integer")),
        (iri("http://e/s1"), iri("http://e/label"), literal("label number 1", language="en")),
    }
    assert outcome.audit.query_text.startswith("DEFINE sql:describe-mode")
    outcome = run(virtuoso.url, "DESCRIBE ?s { ?s <http://e/p> 7 }")
    assert (outcome.status, len(outcome.rows)) == ("complete", 2)
    assert run(virtuoso.url, "DESCRIBE <http://e/none>").status == "empty"
    undescribed = run(virtuoso.url, "DESCRIBE <http://e/s1>", REMOTE_POLICY, "generic")
    assert (undescribed.status, len(undescribed.rows)) == ("complete", 2)


def test_full_text_with_score(virtuoso) -> None:
    outcome = run(
        virtuoso.url,
        """SELECT ?s ?o { ?s <http://e/label> ?o . ?o bif:contains "'label' AND '77'"
           OPTION (SCORE ?sc) } ORDER BY DESC(?sc)""",
    )
    assert outcome.status == "complete"
    assert outcome.rows == ((iri("http://e/s77"), literal("label number 77", language="en")),)
    refused = run(virtuoso.url, "SELECT (bif:http_get('http://127.0.0.1/') AS ?x) {}")
    assert refused.status == "refused"
    assert refused.audit.status_code is None


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Virtuoso is asked to stop after a second, and is waited for as long as it takes."""
    monkeypatch.setattr(remote, "server_seconds", lambda dialect, seconds: 1.0)


def test_an_anytime_answer_is_partial(soon, virtuoso) -> None:
    text = f"SELECT ?a ?b {{ {HEAVY} FILTER(?x + ?y + ?z + ?w > 100000) }}"
    outcome = run(virtuoso.url, text, timeout=PATIENCE)
    assert (outcome.status, outcome.rows) == ("partial", ())
    assert "does not mean that there is nothing" in outcome.reason
    assert outcome.audit.per_query_status_and_error.startswith("partial: ")


def test_an_anytime_count_is_partial(soon, virtuoso) -> None:
    text = f"SELECT (COUNT(*) AS ?n) {{ {HEAVY} FILTER(?x + ?y + ?z + ?w > 100000) }}"
    outcome = run(virtuoso.url, text, timeout=PATIENCE)
    assert outcome.status == "partial"
    # The threads of a query are stopped one by one: the count so far may come back, or nothing.
    if outcome.rows:
        assert outcome.rows == ((literal("0", XSD + "integer"),),)
        assert "are not those of the whole" in outcome.reason
    else:
        assert "does not mean that there is nothing" in outcome.reason


@pytest.mark.parametrize("sum_from", [950, 1000, 1050])
def test_an_answer_that_was_stopped_while_it_was_written_is_not_complete(
    sum_from, soon, virtuoso
) -> None:
    # Virtuoso may say nothing of it, so it is found out by the time that it took. There are more
    # solutions than the server gives at most.
    text = f"SELECT ?a ?b ?c {{ {HEAVY} FILTER(?x + ?y + ?z + ?w > {sum_from}) }}"
    outcome = run(virtuoso.url, text, timeout=PATIENCE, limit=1000)
    assert outcome.status in ("partial", "truncated"), outcome
    assert outcome.reason


def test_an_ask_that_ran_out_of_time_has_no_answer(soon, virtuoso) -> None:
    text = f"ASK {{ {HEAVY} FILTER(?x + ?y + ?z + ?w > 100000) }}"
    outcome = run(virtuoso.url, text, timeout=PATIENCE)
    assert (outcome.status, outcome.rows) == ("error", ())
    assert "ran out of time" in outcome.reason
    assert b"false" in outcome.audit.raw


def test_what_only_the_server_refuses(virtuoso) -> None:
    # Well formed, and beyond what Virtuoso compiles.
    text = "SELECT ?s { ?s <http://e/p>* ?o }"
    outcome = run(virtuoso.url, text)
    assert outcome.status == "error"
    assert "Virtuoso" in outcome.reason
    assert outcome.audit.status_code in (400, 500)
    assert b"Virtuoso" in outcome.audit.raw
    assert outcome.audit.per_query_status_and_error.startswith("error: ")


def test_published_graphs(virtuoso_faq) -> None:
    question = """PREFIX schema: <http://schema.org/>
      SELECT DISTINCT ?q ?name ?sc { ?q a schema:Question ; schema:name ?name .
      ?name bif:contains "'ontology' OR 'graph'" OPTION (SCORE ?sc) } ORDER BY DESC(?sc)"""
    outcome = run(virtuoso_faq.url, question, limit=5)
    assert outcome.status in ("complete", "truncated")
    assert outcome.rows
    names = [str(row[1].value).lower() for row in outcome.rows]
    assert all("ontolog" in name or "graph" in name for name in names)
    types = """PREFIX schema: <http://schema.org/> SELECT ?t (COUNT(?e) AS ?n) { ?e a ?t
      FILTER(?t IN (schema:Question, schema:FAQPage, schema:HowTo, schema:DefinedTermSet)) }
      GROUP BY ?t ORDER BY DESC(?n)"""
    outcome = run(virtuoso_faq.url, types, policy=REMOTE_POLICY)
    assert outcome.status == "complete"
    assert outcome.rows[0][0] == iri("http://schema.org/Question")
