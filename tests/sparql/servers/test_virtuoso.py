"""A real Virtuoso 7.2, asked as an endpoint of the registry is."""

from __future__ import annotations

import asyncio
import time

import pytest

from groundwire.graph.gate_policy import REMOTE_POLICY, VIRTUOSO_POLICY
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.terms import XSD, iri, literal
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.sparql_runner import SparqlRunner

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


@pytest.mark.parametrize("head", ["SELECT ?a ?b", "SELECT (COUNT(*) AS ?n)"])
def test_an_anytime_answer_is_partial(head, virtuoso) -> None:
    text = f"{head} {{ {HEAVY} FILTER(?x + ?y + ?z + ?w > 100000) }}"
    started = time.monotonic()
    outcome = run(virtuoso.url, text, timeout=4.0)
    assert outcome.status == "partial", outcome
    assert time.monotonic() - started < 4.0 * 1.1
    assert outcome.audit.status_code == 200
    # A count may come back as far as it got, and is not the count then.
    why = "are not those of the whole" if outcome.rows else "does not mean that there is nothing"
    assert why in outcome.reason


def test_an_ask_that_ran_out_of_time_has_no_answer(virtuoso) -> None:
    text = f"ASK {{ {HEAVY} FILTER(?x + ?y + ?z + ?w > 100000) }}"
    outcome = run(virtuoso.url, text, timeout=4.0)
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
