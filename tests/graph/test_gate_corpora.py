"""The gate on the W3C syntax tests: every query as its manifest says."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pyoxigraph as ox
import pytest

from groundwire.errors import ForbiddenError, GroundwireError, InputError
from groundwire.graph.gate import Policy, check

ACTION = ox.NamedNode("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#action")
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
POLICY = Policy(allowed_graphs=None)


def cases(shared: Path, kind: str) -> list[tuple[str, str]]:
    """Name and text of every test of one kind, relative IRIs given a base."""
    found: list[tuple[str, str]] = []
    for manifest in sorted((shared / "data/sparql/w3c-rdf-tests").rglob("manifest.ttl")):
        store = ox.Store()
        store.load(manifest.read_bytes(), ox.RdfFormat.TURTLE, base_iri=manifest.as_uri())
        for quad in store.quads_for_pattern(None, TYPE, None):
            if isinstance(quad.object, ox.NamedNode) and f"#{kind}" in quad.object.value:
                (action,) = store.quads_for_pattern(quad.subject, ACTION, None)
                assert isinstance(action.object, ox.NamedNode)
                path = Path(unquote(urlparse(action.object.value).path))
                text = "BASE <http://example.org/base/> " + path.read_text("utf-8")
                found.append((path.name, text))
    return found


def test_positive_queries_are_accepted_or_refused_for_what_they_do(shared: Path) -> None:
    queries = cases(shared, "PositiveSyntaxTest")
    assert len(queries) == 215
    refused: dict[str, str] = {}
    for name, text in queries:
        try:
            check(text, POLICY)
        except ForbiddenError as error:
            refused[name] = str(error)
    assert len(refused) == 11
    for name, reason in refused.items():
        text = dict(queries)[name]
        forbidden = "SERVICE" if "SERVICE" in text else "The function <http://example"
        assert reason.startswith(forbidden), name


@pytest.mark.parametrize("kind", ["NegativeSyntaxTest", "NegativeUpdateSyntaxTest"])
def test_negative_queries_are_refused(shared: Path, kind: str) -> None:
    queries = cases(shared, kind)
    assert queries
    for name, text in queries:
        with pytest.raises((InputError, ForbiddenError)):
            pytest.fail(f"{name} was accepted as {check(text, POLICY)}")


def test_updates_are_refused(shared: Path) -> None:
    updates = cases(shared, "PositiveUpdateSyntaxTest")
    assert len(updates) == 42
    for name, text in updates:
        with pytest.raises(GroundwireError):
            pytest.fail(f"{name} was accepted as {check(text, POLICY)}")


def test_our_instance_of_the_grammar_reads_as_rdflibs_own(shared: Path) -> None:
    from rdflib.plugins.sparql.parser import parseQuery

    from groundwire.graph.lexer import tokenize, write
    from groundwire.graph.gate_grammar import grammar

    bnodes = re.compile(r"BNode\('\w+'\)")
    compared = 0
    for name, text in cases(shared, "PositiveSyntaxTest"):
        canonical = write(tokenize(text))
        try:
            theirs = parseQuery(canonical)
        except TypeError:  # it cannot negate decimals
            continue
        ours = grammar().parse_string(canonical, parse_all=True)
        assert bnodes.sub("_", repr(ours)) == bnodes.sub("_", repr(theirs)), name
        compared += 1
    assert compared == 214
    assert parseQuery("SELECT * { } # and rdflib still knows comments")
