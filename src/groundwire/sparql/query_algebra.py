"""The algebra of a query that the gate let through, with the predicates and classes it names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, cast

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
# Triples of these make no pattern that has to match.
_NOT_MATCHED = frozenset(("template",))
# Predicates that an engine computes; no statement has them.
_COMPUTED = (
    "bif:",
    "sql:",
    "http://www.openlinksw.com/schemas/",
    "http://jena.apache.org/",
    "http://jena.hpl.hp.com/",
    "http://qlever.cs.uni-freiburg.de/",
    "http://www.bigdata.com/",
    "http://www.ontotext.com/",
    "http://www.openrdf.org/contrib/",
    "http://wikiba.se/ontology#label",
    "http://www.w3.org/2000/01/rdf-schema#member",
)


class NamedInQuery(NamedTuple):
    """IRIs that stand as predicates, and as classes, in the patterns of a query."""

    predicates: tuple[str, ...]
    classes: tuple[str, ...]


@lru_cache(maxsize=64)
def algebra_of(query: str) -> Any:
    """Return the algebra of a query as rdflib reads it; None where it does not."""
    from rdflib.plugins.sparql import prepareQuery

    try:
        return cast("Any", prepareQuery(query)).algebra
    except Exception:  # rdflib raises whatever its grammar actions do
        return None


def named_in(query: str) -> NamedInQuery:
    """Return the predicates and classes that the patterns of a query name.

    Those that an engine computes, and those that a path excludes, are left out. Nothing is
    returned of a query that is not understood.
    """
    from rdflib.term import URIRef

    predicates: dict[str, None] = {}
    classes: dict[str, None] = {}
    for _, predicate, value in _triples(algebra_of(query)):
        steps = list(_steps(predicate))
        predicates |= dict.fromkeys(steps)
        if RDF_TYPE in steps and isinstance(value, URIRef):
            classes[str(value)] = None
    held = (one for one in predicates if one != RDF_TYPE and not one.startswith(_COMPUTED))
    return NamedInQuery(tuple(held), tuple(classes))


def _triples(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The triples of every pattern in a query, those of filters too."""
    from rdflib.plugins.sparql.parserutils import CompValue

    if isinstance(node, CompValue):
        for key, value in cast("Any", node).items():
            if key == "triples":
                yield from (one for one in value if len(one) == 3)
            elif key not in _NOT_MATCHED:
                yield from _triples(value)
    elif isinstance(node, (list, tuple, set)):
        for one in cast("list[Any]", node):
            yield from _triples(one)


def _steps(predicate: Any) -> Iterator[str]:
    """The IRIs of a predicate or path, without those that it excludes."""
    from rdflib import paths
    from rdflib.term import URIRef

    if isinstance(predicate, URIRef):
        yield str(predicate)
    elif isinstance(predicate, (paths.SequencePath, paths.AlternativePath)):
        for one in cast("Any", predicate).args:
            yield from _steps(one)
    elif isinstance(predicate, (paths.InvPath, paths.MulPath)):
        inner = cast("Any", predicate)
        yield from _steps(inner.arg if isinstance(predicate, paths.InvPath) else inner.path)
