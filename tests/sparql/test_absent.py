"""Names of a query that a graph does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.graph.terms import Term, iri
from groundwire.sparql.absent import absent, named_iris, slices
from groundwire.sparql.outcome import Outcome, QueryAudit, Status

pytestmark = pytest.mark.anyio

QUESTION = "http://schema.org/Question"
KNOWN = (QUESTION, "http://schema.org/name", "http://e/a")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def answering(status: Status = "complete") -> Callable[[str], object]:
    """A graph of a few names, all of them classes or properties."""

    async def run(query: str) -> Outcome:
        audit = QueryAudit("sparql", query, "e", "local:e", "", "", None, status, "")
        asked = "VALUES" in query
        found = [one for one in KNOWN if not asked or f"<{one}>" in query]
        rows: tuple[tuple[Term], ...] = tuple((iri(one),) for one in found)
        return Outcome(status, ("iri",), rows if status == "complete" else (), "", audit)

    return run


@pytest.mark.parametrize(
    ("query", "iris"),
    [
        ("SELECT ?s { ?s a <http://e/T> }", ["http://e/T"]),
        (
            "PREFIX s: <http://s/> SELECT ?x { ?x s:a/s:b s:c }",
            ["http://s/a", "http://s/b", "http://s/c"],
        ),
        ("PREFIX : <http://s/> ASK { :a ?p :a }", ["http://s/a"]),
        ("BASE <http://b/> SELECT ?s FROM NAMED <http://g/> { GRAPH <http://g/> { ?s ?p 1 } }", []),
        ('SELECT ?s { ?s ?p "1"^^<http://t/int> FILTER(<http://f/f>(?s)) }', []),
        ("SELECT ?s { ?s ?p other:x }", []),
        ("SELECT ?s { ?s ?p 'open", []),
    ],
)
def test_iris_that_a_pattern_matches(query: str, iris: list[str]) -> None:
    assert named_iris(query) == iris


@pytest.mark.parametrize(
    ("query", "says"),
    [
        (f"ASK {{ ?s a <{QUESTION}> }}", ""),
        ("ASK { ?s ?p ?o }", ""),
        (
            "ASK { ?s a <https://schema.org/Question> }",
            f"This graph knows no <https://schema.org/Question>, but <{QUESTION}>.",
        ),
        (
            "ASK { ?s a <http://schema.org/Questoin> }",
            f"This graph knows no <http://schema.org/Questoin>, but <{QUESTION}>.",
        ),
        (
            "ASK { ?s a <http://elsewhere.example/terms#Question> }",
            f"This graph knows no <http://elsewhere.example/terms#Question>, but <{QUESTION}>.",
        ),
        ("ASK { ?s <urn:x:zebra> ?o }", "This graph knows no <urn:x:zebra>."),
    ],
)
async def test_what_is_nowhere_is_told_with_what_is_alike(query: str, says: str) -> None:
    assert await absent(query, answering()) == says  # type: ignore[arg-type]


async def test_a_graph_that_cannot_tell_is_not_spoken_for() -> None:
    assert await absent("ASK { ?s ?p <urn:x:zebra> }", answering("partial")) == ""  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("SELECT ?s { ?s ?p ?o } LIMIT 0", ["LIMIT 0"]),
        ("SELECT ?s { ?s ?p ?o } offset 20 limit 11", ["OFFSET 20"]),
        ("SELECT ?s { ?s ?p ?o } OFFSET 0 LIMIT 10", []),
        ('SELECT ?s { ?s ?p "LIMIT 0" } LIMIT 10', []),
    ],
)
def test_what_leaves_solutions_out(query: str, found: list[str]) -> None:
    assert slices(query) == found
