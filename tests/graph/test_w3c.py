"""The gate on the W3C syntax tests, every query as its manifest says, and on queries of our own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlparse

import pyoxigraph as ox
import pytest
from pyparsing import ParseException
from shared_data import need, shared_folder

from groundwire.errors import ForbiddenError, GroundwireError, InputError
from groundwire.graph.gate import REMOTE_POLICY, VIRTUOSO_POLICY, Policy, check
from groundwire.graph.gate_grammar import parse
from groundwire.graph.lexer import tokenize, write

ACTION = ox.NamedNode("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#action")
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
QUERIES = Path(__file__).parent / "data" / "queries.txt"
OPEN = Policy(allowed_graphs=None)
POLICIES = {"local": OPEN, "any make": REMOTE_POLICY, "virtuoso": VIRTUOSO_POLICY}

# The positive tests that use what is forbidden, by what that is: the reason of the refusal.
FUNCTIONS = {
    "syntax-expr-05.rq": "<http://example.org/ns#myFunc>",
    "syntax-function-01.rq": "<http://example.org/name>",
    "syntax-function-02.rq": "<http://example.org/name>",
    "syntax-function-03.rq": "<http://example.org/name>",
    "syntax-function-04.rq": "<http://example.org/name>",
    "syntax-order-05.rq": "<http://example.org/ns#func>",
    "syntax-order-06.rq": "<http://example.org/ns#func2>",
    "syntax-select-expr-04.rq": "<http://example/function>",
}
SERVICES = {f"syntax-service-0{n}.rq": "SERVICE" for n in (1, 2, 3)}
SOURCES = {
    "syntax-construct-where-02.rq": "graph <http://example.org/base/file>",
    "syntax-dataset-01.rq": "graph <http://example.org/graph>",
    "syntax-dataset-02.rq": "graph <http://example.org/graph1>",
    "syntax-dataset-03.rq": "graph <http://example.org/graph1>",
    "syntax-dataset-04.rq": "graph <http://example.org/g1>",
}
FORBIDDEN = {
    "local": FUNCTIONS | SERVICES,
    "any make": FUNCTIONS | SERVICES | SOURCES,
    "virtuoso": FUNCTIONS | SERVICES | SOURCES,
}


def cases(shared: Path, kind: str, versions: str = "sparql1[01]") -> list[tuple[str, str]]:
    """Name and text of every test of one kind, relative IRIs given a base."""
    found: list[tuple[str, str]] = []
    folder = shared / "data/sparql/w3c-rdf-tests"
    for manifest in sorted(folder.glob(f"{versions}/**/manifest.ttl")):
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


def own_cases(kind: str) -> list[tuple[str, str, str]]:
    """Name, text and reason of refusal of our own queries of one kind."""
    found: list[tuple[str, str, str]] = []
    for record in QUERIES.read_text("utf-8").split("\n## ")[1:]:
        head, _, text = record.partition("\n")
        its_kind, name, *reason = head.split(" ", 2)
        if its_kind == kind:
            found.append((name, text.strip(), " ".join(reason)))
    return found


@pytest.mark.parametrize("kind", POLICIES)
def test_own_queries_are_accepted_or_refused_for_what_they_do(kind: str) -> None:
    queries = own_cases("query")
    assert len(queries) > 60
    for name, text, reason in queries:
        whom, _, feature = reason.partition(": ")
        if whom == "all" or (whom == "remote" and kind != "local"):
            with pytest.raises(ForbiddenError) as refused:
                pytest.fail(f"{name} was accepted as {check(text, POLICIES[kind])}")
            assert feature in str(refused.value), name
        else:
            accepted = check(text, POLICIES[kind])
            assert check(accepted, POLICIES[kind]) == accepted, "the result passes as it is"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("kind", "number"), [("bad-query", 45), ("update", 18), ("bad-update", 7)])
def test_own_faults_and_updates_are_refused(kind: str, number: int, policy: str) -> None:
    queries = own_cases(kind)
    assert len(queries) >= number
    for name, text, _ in queries:
        with pytest.raises((InputError, ForbiddenError)):
            pytest.fail(f"{name} was accepted as {check(text, POLICIES[policy])}")


@pytest.mark.parametrize("kind", POLICIES)
def test_positive_queries_are_accepted_or_refused_for_what_they_do(shared: Path, kind: str) -> None:
    queries = cases(shared, "PositiveSyntaxTest")
    assert len(queries) == 215
    refused: dict[str, str] = {}
    for name, text in queries:
        try:
            accepted = check(text, POLICIES[kind])
        except ForbiddenError as error:
            refused[name] = str(error)
        else:
            assert check(accepted, POLICIES[kind]) == accepted, "the result passes as it is"
    assert refused.keys() == FORBIDDEN[kind].keys()
    for name, feature in FORBIDDEN[kind].items():
        assert feature in refused[name], name


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("kind", "number"), [("NegativeSyntaxTest", 81), ("NegativeUpdateSyntaxTest", 13)]
)
def test_negative_queries_are_refused(shared: Path, kind: str, number: int, policy: str) -> None:
    queries = cases(shared, kind)
    assert len(queries) == number
    for name, text in queries:
        with pytest.raises((InputError, ForbiddenError)):
            pytest.fail(f"{name} was accepted as {check(text, POLICIES[policy])}")


@pytest.mark.parametrize("policy", POLICIES)
def test_updates_are_refused(shared: Path, policy: str) -> None:
    updates = cases(shared, "PositiveUpdateSyntaxTest")
    assert len(updates) == 42
    for name, text in updates:
        with pytest.raises(GroundwireError):
            pytest.fail(f"{name} was accepted as {check(text, POLICIES[policy])}")


@pytest.fixture
def newest(shared: Path) -> Path:
    """The folder of real data, where it has the tests of SPARQL 1.2."""
    need(shared / "data/sparql/w3c-rdf-tests/sparql12")
    return shared


@pytest.mark.parametrize("policy", [OPEN, REMOTE_POLICY])
def test_positive_queries_of_sparql_12_are_accepted(newest: Path, policy: Policy) -> None:
    queries = cases(newest, "PositiveSyntaxTest", "sparql12")
    assert len(queries) == 102
    for name, text in queries:
        accepted = check(text, policy)
        assert check(accepted, policy) == accepted, name


def test_virtuoso_gets_no_sparql_12(newest: Path) -> None:
    for name, text in cases(newest, "PositiveSyntaxTest", "sparql12"):
        if "<<" in text or "{|" in text:
            with pytest.raises(InputError, match=r"SPARQL 1\.2"):
                pytest.fail(f"{name} was accepted as {check(text, VIRTUOSO_POLICY)}")


@pytest.mark.parametrize("policy", [OPEN, REMOTE_POLICY])
@pytest.mark.parametrize(
    ("kind", "number"),
    [("NegativeSyntaxTest", 81), ("NegativeUpdateSyntaxTest", 2), ("PositiveUpdateSyntaxTest", 18)],
)
def test_negative_queries_and_updates_of_sparql_12_are_refused(
    newest: Path, kind: str, number: int, policy: Policy
) -> None:
    queries = cases(newest, kind, "sparql12")
    assert len(queries) == number
    for name, text in queries:
        with pytest.raises(GroundwireError):
            pytest.fail(f"{name} was accepted as {check(text, policy)}")


def own_texts() -> list[tuple[str, str]]:
    return [(n, text) for kind in ("query", "bad-query") for n, text, _ in own_cases(kind)]


def recorded_texts() -> list[tuple[str, str]]:
    shared = need(shared_folder())
    return [one for kind in ("Positive", "Negative") for one in cases(shared, f"{kind}SyntaxTest")]


@pytest.mark.parametrize(("texts", "number"), [(recorded_texts, 280), (own_texts, 100)])
def test_our_reader_of_the_grammar_makes_the_trees_of_rdflib(
    texts: Callable[[], list[tuple[str, str]]], number: int
) -> None:
    from rdflib.plugins.sparql.parser import parseQuery

    bnodes = re.compile(r"BNode\('\w+'\)")

    def read(text: str, parser: Callable[[str], object]) -> str:
        try:
            return bnodes.sub("_", repr(parser(text)))
        except (ParseException, TypeError) as error:  # it cannot negate decimals
            return type(error).__name__

    compared = 0
    for name, text in texts():
        try:
            canonical = write(tokenize(text))
        except InputError:
            continue
        assert read(canonical, parse) == read(canonical, parseQuery), name
        compared += 1
    assert compared > number
    assert parseQuery("SELECT * { } # and rdflib still knows comments")
