"""Label searches by the text indexes of engines: their queries, and engines that have none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import anyio
import pytest

from groundwire.errors import InputError
from groundwire.graph.gate import REMOTE_POLICY, VIRTUOSO_POLICY, check
from groundwire.sparql.endpoint import ENGINE_SEARCHES, Endpoint
from groundwire.sparql.label_queries import ServiceQuery, engine_query
from groundwire.sparql.opening import Opener, Supplies
from groundwire.sparql.outcome import Outcome, Request
from groundwire.sparql.workflow.model import Hit, Wanted

JSON = "application/sparql-results+json"
HOSTILE = (
    "what's \"this\" \\ (a AND b) OR * near 'x' ?",
    "') } } ; DROP # label",
    'alpha" } SERVICE <http://127.0.0.1:9/> { #',
    "知识 label \U0001f642 \ud800 +must -not ~fuzzy~2 [a TO b] title:x^9",
    "<urn:a> <urn:b> <urn:c>",
)
MARKS = {
    "jena": "<http://jena.apache.org/text#query>",
    "lucene_connector": "connectors/lucene/instance#labels>",
    "lucene_sail": "lucenesail#matches>",
    "qlever": "contains-word>",
    "bds": "<http://www.bigdata.com/rdf/search#search>",
    "wikibase": "SERVICE <http://wikiba.se/ontology#mwapi>",
}


def made(kind: Any, text: str, mode: Any = "and") -> str:
    index = "labels" if kind == "lucene_connector" else ""
    return engine_query(
        kind, [text], mode, ["urn:T"], 7, properties=["urn:label"], preferred=["urn:P"], index=index
    )


@pytest.mark.parametrize("text", ["alpha beta", *HOSTILE])
@pytest.mark.parametrize("mode", ["and", "or"])
@pytest.mark.parametrize("kind", ENGINE_SEARCHES)
def test_every_query_passes_the_gate_whatever_the_text(kind: str, mode: str, text: str) -> None:
    query = made(kind, text, mode)
    assert MARKS[kind] in query
    outside = [part for place, part in enumerate(query.split('"')) if place % 2 == 0]
    assert not any(
        word in part for word in ("DROP", "AND", "TO b", "127.0.0.1") for part in outside
    )
    inside = [part for place, part in enumerate(query.split('"')) if place % 2]
    assert not any(sign in part for sign in "()[]*~^:\\" for part in inside if "." not in part)
    if kind != "wikibase":
        assert check(query, REMOTE_POLICY)


def test_a_service_is_ours_alone() -> None:
    query = made("wikibase", "alpha")
    assert isinstance(query, ServiceQuery)
    for policy in (REMOTE_POLICY, VIRTUOSO_POLICY):
        with pytest.raises(Exception, match="SERVICE"):
            check(str(query), policy)
    assert '"www.wikidata.org"' in query and '"alpha"' in query


def test_what_holds_no_word_is_no_query() -> None:
    with pytest.raises(InputError):
        engine_query("bds", ["?!"])
    with pytest.raises(InputError, match="text_index"):
        engine_query("lucene_connector", ["alpha"])


@pytest.mark.parametrize(("dialect", "search"), [
    ("fuseki", "jena"), ("rdf4j", "lucene_sail"), ("qlever", "qlever"), ("blazegraph", "bds"),
    ("oxigraph", "index"), ("graphdb", "regex"), ("generic", "regex"), ("virtuoso", "bif_contains"),
])  # fmt: skip
def test_the_dialect_names_the_search(dialect: Any, search: str) -> None:
    assert Endpoint(name="a", url="https://e/s", dialect=dialect).text_search == search
    assert (
        Endpoint(name="a", url="https://e/s", dialect=dialect, text_search="regex").text_search
        == "regex"
    )


def test_what_cannot_be_is_refused() -> None:
    for wrong in (
        {"text_search": "lucene_connector"},
        {"text_search": "jena", "url": "local:help"},
        {"text_search": "index", "url": "local:help"},
        {"text_index": "a b"},
    ):
        with pytest.raises(ValueError):
            Endpoint(**{"name": "a", "url": "https://e/s", **wrong})


def modelled(mark: str, index: list[str] | None, values: list[str]) -> Callable[[Any], None]:
    """A server: what its text index gives (None: an error), and what regular expressions give."""

    def answer(exchange: Any) -> None:
        (query,) = parse_qs(exchange.body.decode())["query"]
        if query == "ASK {}":
            exchange.answer('{"head":{},"boolean":true}', Content_Type=JSON)
            return
        found = index if mark in query else values
        if found is None:
            exchange.answer("unknown predicate", "400 Bad Request")
            return
        rows = [
            {"entity": {"type": "uri", "value": f"urn:{place}"},
             "value": {"type": "literal", "value": value},
             "attribute": {"type": "uri", "value": "http://www.w3.org/2000/01/rdf-schema#label"},
             "sc": {"type": "literal", "value": "1.5"}}
            for place, value in enumerate(found)
        ]  # fmt: skip
        names = ["entity", "value", "attribute", "sc"]
        body = {"head": {"vars": names}, "results": {"bindings": rows}}
        exchange.answer(json.dumps(body), Content_Type=JSON)

    return answer


def searches(
    where: Endpoint, texts: list[str], tmp_path: Any
) -> tuple[list[tuple[list[Hit], Outcome]], str]:
    """Searches at one endpoint, each with a source of its own, and what is asked for texts then."""

    async def run() -> tuple[list[tuple[list[Hit], Outcome]], str]:
        opener = Opener(Supplies(tmp_path, (), None))
        try:
            runner = await opener.graph_runner(where)
            found = [
                await (await opener.source(where, runner)).search(text, (), 5, 10.0)
                for text in texts
            ]
            source = await opener.source(where, runner)
            return found, source.matching(Wanted(("alpha",), "or", (), (), 5))
        finally:
            await opener.close()

    return anyio.run(run)


@pytest.mark.parametrize("kind", ENGINE_SEARCHES)
def test_the_index_is_asked_and_what_it_gives_is_looked_through(
    kind: Any, hostile: Any, tmp_path: Any
) -> None:
    said = ["Alpha beta", "alphabet beta", "beta, alpha and more"]
    url = hostile.on("s", modelled(MARKS[kind], said, ["never asked"]))
    where = Endpoint(name="a", url=url, allow_private=True, text_search=kind, text_index="labels")
    found, texts = searches(where, ["alpha beta", "atlantis"], tmp_path)
    assert [hit.value for hit in found[0][0]] == ["Alpha beta", "beta, alpha and more"]
    assert found[0][0][0].score == 1.0
    # It has answered before, so that its silence counts.
    assert found[1][0] == [] and "REGEX" not in found[1][1].audit.query_text
    assert MARKS[kind] in texts


@pytest.mark.parametrize("index", [None, []])
@pytest.mark.parametrize("kind", ENGINE_SEARCHES)
def test_an_engine_without_its_index_is_searched_by_expressions(
    kind: Any, index: list[str] | None, hostile: Any, tmp_path: Any
) -> None:
    url = hostile.on("s", modelled(MARKS[kind], index, ["Alpha beta"]))
    where = Endpoint(name="a", url=url, allow_private=True, text_search=kind, text_index="labels")
    found, texts = searches(where, ["alpha beta", "alpha"], tmp_path)
    assert [[hit.value for hit in hits] for hits, _ in found] == [["Alpha beta"], ["Alpha beta"]]
    first, second = (outcome.audit.query_text for _, outcome in found)
    assert MARKS[kind] in first and "REGEX" in first, "both queries are told"
    assert MARKS[kind] not in second and "REGEX" in second, "it is asked once"
    assert "REGEX" in texts


def test_a_server_that_calls_itself_virtuoso_and_is_not_is_searched_all_the_same(
    hostile: Any, tmp_path: Any
) -> None:
    url = hostile.on("s", modelled("bif:contains", None, ["Alpha beta"]))
    where = Endpoint(name="a", url=url, allow_private=True, dialect="virtuoso")
    found, _ = searches(where, ["alpha beta"], tmp_path)
    assert [hit.value for hit in found[0][0]] == ["Alpha beta"]
    assert "REGEX" in found[0][1].audit.query_text


def test_a_user_gets_no_service_through(hostile: Any, tmp_path: Any) -> None:
    url = hostile.on("s", modelled("SERVICE", ["x"], ["x"]))
    where = Endpoint(name="a", url=url, allow_private=True, text_search="wikibase")

    async def run() -> Outcome:
        opener = Opener(Supplies(tmp_path, (), None))
        try:
            runner = await opener.graph_runner(where)
            return await runner.run(Request("sparql", str(made("wikibase", "alpha")), 5, 5.0))
        finally:
            await opener.close()

    outcome = anyio.run(run)
    assert outcome.status == "refused" and hostile.requests == []
