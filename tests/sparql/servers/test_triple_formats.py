"""What real servers write of triples, in every format that is read."""

from __future__ import annotations

import asyncio

import pytest

from groundwire.graph import remote
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.remote_exchange import Exchange
from groundwire.graph.terms import XSD, iri, literal

QUERY = CompiledQuery("CONSTRUCT WHERE { <http://e/s7> ?p ?o }")


@pytest.mark.parametrize("dialect", ["oxigraph", "virtuoso"])
@pytest.mark.parametrize(
    "accepted",
    ["application/n-triples", "text/turtle", "application/rdf+xml", "application/ld+json"],
)
def test_triples(
    request: pytest.FixtureRequest, dialect, accepted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = request.getfixturevalue(dialect).url
    monkeypatch.setattr(remote, "ACCEPT_TRIPLES", accepted)
    exchanges: list[Exchange] = []

    async def ask():
        graph = RemoteGraph.configured(url, dialect=dialect)
        try:
            return await graph.triples(QUERY, observer=exchanges.append)
        finally:
            await graph.close()

    found = asyncio.run(ask())
    assert exchanges[0].content_type == accepted
    assert found.complete
    assert set(found.triples) == {
        (iri("http://e/s7"), iri("http://e/p"), literal("7", XSD + "integer")),
        (iri("http://e/s7"), iri("http://e/label"), literal("label number 7", language="en")),
    }
