"""Which graphs of a store GraphQL reads: its default graph, and every named graph with it.

Most endpoints answer from all graphs at once. Some, and local stores, keep named graphs apart, as
SPARQL 1.1 Query, section 13, leaves it to them.
"""

from __future__ import annotations

from typing import NamedTuple

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri_n3
from groundwire.sparql.graphql.shapes import Ask

MAX_GRAPHS = 200
_NAMES = CompiledQuery(
    f"SELECT DISTINCT ?g {{ GRAPH ?g {{ ?s ?p ?o }} }} ORDER BY ?g LIMIT {MAX_GRAPHS + 1}"
)
# A look at a few statements tells whether named graphs are part of the default graph.
_APART = CompiledQuery(
    "SELECT ?s { { SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } LIMIT 50 }"
    " FILTER(!isBLANK(?s) && !isBLANK(?o)) FILTER NOT EXISTS { ?s ?p ?o } } LIMIT 1"
)
_ANY = CompiledQuery("SELECT ?s { ?s ?p ?o } LIMIT 1")


class Dataset(NamedTuple):
    """The data that queries are asked of.

    Attributes:
        named: named graphs that have to be named to be read; empty where none has.
        left_out: why other graphs cannot be read with these, or "".
    """

    named: tuple[str, ...] = ()
    left_out: str = ""


async def find_dataset(ask: Ask, *, local: bool) -> Dataset:
    """Find out which graphs there are, and whether they have to be named.

    Args:
        ask: runs SPARQL.
        local: it is a store of ours, of which graphs are chosen beside the query.

    Raises:
        GroundwireError: the graph does not answer.
    """
    if not local and not (await ask(_APART, 1)).rows:
        return Dataset()
    found = (await ask(_NAMES, MAX_GRAPHS + 1)).rows
    names = tuple(row[0].value for row in found if row[0] is not None)
    if not names:
        return Dataset()
    if len(names) > MAX_GRAPHS:
        return Dataset((), f"It has more than {MAX_GRAPHS} named graphs, which are left out.")
    if not local and (await ask(_ANY, 1)).rows:
        # FROM takes graphs by name alone, and the default graph has none.
        return Dataset((), "Its named graphs, which it keeps apart, are left out.")
    return Dataset(names)


def with_graphs(query: CompiledQuery, graphs: tuple[str, ...]) -> CompiledQuery:
    """A query of this package, whose first brace begins its pattern, over the union of graphs."""
    named = " ".join(f"FROM {iri_n3(one)}" for one in graphs)
    return CompiledQuery(query.replace("{", f"{named} {{", 1)) if graphs else query
