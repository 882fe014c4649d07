"""The workflow against real servers on loopback, with the help graph and published graphs."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from groundwire.graph.remote import RemoteGraph
from groundwire.profiles import sparql_help
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.opening import policy_of
from groundwire.sparql.registry import Registry
from groundwire.sparql.sparql_runner import SparqlRunner
from groundwire.sparql.workflow.machine import Run
from groundwire.sparql.workflow.model import Asked, Report
from groundwire.sparql.workflow.queries import Explorer
from groundwire.sparql.workflow.sources import QueriedSource
from groundwire.sparql.workflow.trail import Budget

pytestmark = pytest.mark.anyio
LIMITS = {"seconds_between_retries": 0.0}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def help_server(serve_oxigraph: Callable[..., Any]) -> str:
    """An Oxigraph that holds the help graph."""
    return serve_oxigraph(sparql_help()).url


@pytest.fixture(scope="module")
def oxigraph_faq(serve_oxigraph: Callable[..., Any], faq_files: list[Any]) -> Any:
    """An Oxigraph that holds the published graphs."""
    return serve_oxigraph(faq_files[:3])


async def ask(asked: Asked, *endpoints: Endpoint) -> Report:
    registry = Registry(
        endpoints=endpoints,
        default_endpoint=endpoints[0].name,
        fallback_endpoints=tuple(one.name for one in endpoints[1:]),
        limits=LIMITS,
    )
    graphs = [RemoteGraph.configured(one.url, dialect=one.dialect) for one in endpoints]
    sources = [
        QueriedSource(one, SparqlRunner(graph, policy_of(one), endpoint=one.name))
        for one, graph in zip(endpoints, graphs, strict=True)
    ]
    try:
        run = Run(asked, registry, sources, Budget(registry.limits), explorer=Explorer())
        return await run.report()
    finally:
        for graph in graphs:
            await graph.close()


def remote(name: str, url: str, **more: object) -> Endpoint:
    origin = url.rpartition("/")[0]
    return Endpoint(
        name=name,
        url=url,
        allow_private=True,
        describe_template=f"{origin}/describe/?uri={{iri}}",
        **more,
    )


def said(report: Report) -> str:
    return "\n".join(f"{one.step} {one.status} {one.detail}" for one in report.steps)


async def test_oxigraph_answers_by_a_label(help_server: str) -> None:
    endpoint = remote("ox", help_server, dialect="oxigraph")
    report = await ask(Asked("What is SPARQL?"), endpoint)
    assert report.ending == "answered", said(report)
    assert report.rows[0].iri == "https://groundwire.example/help#what-is-sparql"
    assert "query language" in report.rows[0].text
    link = "/describe/?uri=https%3A%2F%2Fgroundwire.example%2Fhelp%23what-is-sparql"
    assert link in report.markdown
    assert all(audit.status_code == 200 for audit in report.audits)


async def test_oxigraph_answers_by_meaning(help_server: str) -> None:
    endpoint = remote("ox", help_server, dialect="oxigraph")
    prompt = "Which standard query language do RDF graphs have?"
    report = await ask(Asked(prompt), endpoint)
    assert report.ending == "entity_found", said(report)
    assert any(row.iri.endswith("#what-is-sparql") for row in report.rows), said(report)
    assert [one.status for one in report.steps if one.step == "query"] == ["done"]
    assert len(report.audits) <= 6


async def test_going_on_finds_what_an_unusual_property_says(oxigraph) -> None:
    endpoint = remote("items", oxigraph.url, dialect="oxigraph")
    asked = Asked("number 77 label")
    first = await ask(asked, endpoint)
    assert first.ending == "needs_decision", said(first)
    further = replace(asked, decision="continue", tried=first.tried)
    second = await ask(further, endpoint)
    assert [row.iri for row in second.rows] == ["http://e/s77"], said(second)
    assert second.rows[0].text == "" and second.rows[0].label == "label number 77"


async def test_a_dead_endpoint_is_followed_by_its_fallback(help_server: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        dead = remote("dead", f"http://127.0.0.1:{free.getsockname()[1]}/sparql")
    alive = remote("ox", help_server, dialect="oxigraph")
    report = await ask(Asked("What is SPARQL?"), dead, alive)
    assert report.ending == "answered", said(report)
    assert {row.endpoint.name for row in report.rows} == {"ox"}
    assert report.audits[0].endpoint == "dead"
    assert report.audits[0].per_query_status_and_error.startswith("error")


async def test_virtuoso_matches_a_label_by_its_index(virtuoso_faq) -> None:
    endpoint = remote("virtuoso", virtuoso_faq.url, dialect="virtuoso")
    report = await ask(Asked("What is a decision ontology?"), endpoint)
    assert report.ending == "answered", said(report)
    assert "bif:contains" in report.audits[0].query_text
    assert report.rows[0].label == "What is a decision ontology?"
    assert report.rows[0].text
    assert not [one for one in report.steps if one.status == "failed"], said(report)


@pytest.mark.parametrize("server", ["virtuoso_faq", "oxigraph_faq"])
async def test_of_labels_alike_a_question_answers_a_question(request, server: str) -> None:
    url = request.getfixturevalue(server).url
    dialect = "virtuoso" if server == "virtuoso_faq" else "oxigraph"
    endpoint = remote("a", url, dialect=dialect)
    found = await ask(Asked("What is an ontology?", limit=3), endpoint)
    assert found.ending in ("answered", "entity_found"), said(found)
    assert "BOUND" in found.audits[0].query_text
    assert "ontology" in found.rows[0].label.lower() or "ontology" in found.rows[0].text.lower()
    assert not [one for one in found.steps if one.status == "failed"], said(found)


async def test_virtuoso_answers_by_meaning_and_by_likeness(virtuoso_faq) -> None:
    endpoint = remote("virtuoso", virtuoso_faq.url, dialect="virtuoso")
    asked = Asked("How would ontology decisions help me?", variants=("ontology that decision",))
    report = await ask(asked, endpoint)
    assert not [one for one in report.steps if one.status == "failed"], said(report)
    prompt = "Tell me: zzyzx and the decision ontology"
    asked = Asked(prompt, decision="continue", tried=frozenset({"x"}))
    report = await ask(asked, endpoint)
    assert not [one for one in report.steps if one.status == "failed"], said(report)
    assert report.ending == "entity_found", said(report)
    assert all(row.match == "similar" and row.score < 0.6 for row in report.rows)


async def test_virtuoso_reasons_where_a_rule_set_is_named(isql_virtuoso) -> None:
    server, line = isql_virtuoso
    triples = (
        "<urn:w:Quux> <http://www.w3.org/2000/01/rdf-schema#subClassOf> "
        "<http://schema.org/Question> . "
        "<urn:w:one> a <urn:w:Quux> ; <http://schema.org/text> "
        '"grombulous frobnication explained at length" . '
    )
    line.run(
        f"DB.DBA.TTLP ('{triples}', '', 'urn:w:graph', 255)",
        "rdfs_rule_set ('urn:w:rules', 'urn:w:graph')",
        "DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ ()",
    )
    question = ("http://schema.org/Question",)
    # In another order, so that no label matches.
    asked = Asked("frobnication that is grombulous", entity_types=question)
    plain = remote("virtuoso", server.url, dialect="virtuoso")
    missed = await ask(asked, plain)
    assert missed.ending == "needs_decision", said(missed)
    reasoning = plain.model_copy(update={"inference": "urn:w:rules"})
    found = await ask(asked, reasoning)
    assert [row.iri for row in found.rows] == ["urn:w:one"], said(found)
    assert any("input:inference" in audit.query_text for audit in found.audits)
    # The ontology by itself says as much.
    named = plain.model_copy(update={"ontologies": ("urn:w:graph",)})
    found = await ask(asked, named)
    assert [row.iri for row in found.rows] == ["urn:w:one"], said(found)
    assert not [one for one in found.steps if one.status == "failed"], said(found)


@pytest.mark.parametrize(
    "prompt",
    [
        "What is \"this\" \\ (a AND b) OR * near 'x' ?",
        "') } } ; DROP # label of ontology graphs",
        "知识图谱和本体有什么关系？",
        "naïve café İstanbul straße ontology",
        "label\nnumber\x00\t7 \ud800 \U0001f642 of graphs",
    ],
)
@pytest.mark.parametrize("server", ["virtuoso_faq", "oxigraph"])
async def test_no_prompt_breaks_a_query(request, server: str, prompt: str) -> None:
    url = request.getfixturevalue(server).url
    dialect = "virtuoso" if server == "virtuoso_faq" else "oxigraph"
    endpoint = remote("a", url, dialect=dialect, ontologies=("urn:faq:x",))
    first = await ask(Asked(prompt), endpoint)
    further = Asked(prompt, decision="continue", tried=first.tried | {"x"})
    for report in (first, await ask(further, endpoint)):
        failed = [one.detail for one in report.steps if one.status == "failed"]
        # Only what an answer was cut at may fail, never what was asked.
        assert all("truncated" in one or "partial" in one for one in failed), failed
