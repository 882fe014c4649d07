"""The SPARQL that one level of a GraphQL query is resolved by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri_n3, literal_n3
from groundwire.sparql.label_store import LABEL_PROPERTIES

_LABELS = " ".join(map(iri_n3, LABEL_PROPERTIES))


class Root(NamedTuple):
    """One field of the query, and what it asks for.

    Attributes:
        class_iri: members of this class.
        limit: how many; the query finds one more, if there is one.
        offset: how many to skip.
        iri: only the member with this IRI; "" for all.
        label: only members with a label that holds this text; "" for all.
    """

    class_iri: str
    limit: int
    offset: int = 0
    iri: str = ""
    label: str = ""


class Wanted(NamedTuple):
    """Predicates of which the values are wanted, of some things."""

    things: Sequence[str]
    predicates: Sequence[str]


def roots_query(roots: Sequence[Root]) -> CompiledQuery:
    """The members for all fields of a query at once.

    As `?k`, the place of the field, `?s`, and `?x`: 0 where a label is the text that is asked for,
    else 1. Such members come first.
    """
    branches = (_branch(place, root) for place, root in enumerate(roots))
    return CompiledQuery(f"SELECT ?k ?s ?x {{ {_union(branches)} }}")


def values_query(wanted: Iterable[Wanted], most: int) -> CompiledQuery:
    """The values `?o` of predicates `?p` of things `?s`, for all parts of a level at once.

    It finds one more than `most`, if there is one.
    """
    # A second VALUES instead of the filter makes pyoxigraph read the whole graph: of 500,000
    # triples, 300 things take 8 s so, and 20 ms as it stands.
    branches = (
        f"VALUES ?s {{ {_listed(one.things)} }} ?s ?p ?o "
        f"FILTER(?p IN ({', '.join(map(iri_n3, one.predicates))}))"
        for one in wanted
    )
    return CompiledQuery(f"SELECT DISTINCT ?s ?p ?o {{ {_union(branches)} }} LIMIT {most + 1}")


def _branch(place: int, root: Root) -> str:
    parts = [f"?s a {iri_n3(root.class_iri)} . FILTER(isIRI(?s))"]
    if root.iri:
        parts.insert(0, f"VALUES ?s {{ {iri_n3(root.iri)} }}")
    exact = "1"
    if root.label:
        text = literal_n3(root.label)
        parts.append(
            f"FILTER EXISTS {{ VALUES ?lp {{ {_LABELS} }} ?s ?lp ?l . "
            f"FILTER(CONTAINS(LCASE(STR(?l)), LCASE({text}))) }} "
            f"OPTIONAL {{ VALUES ?ep {{ {_LABELS} }} ?s ?ep ?e . "
            f"FILTER(LCASE(STR(?e)) = LCASE({text})) }}"
        )
        exact = "IF(BOUND(?e), 0, 1)"
    return (
        f"{{ SELECT DISTINCT ({place} AS ?k) ?s ({exact} AS ?x) {{ {' '.join(parts)} }} "
        f"ORDER BY ?x ?s LIMIT {root.limit + 1} OFFSET {root.offset} }}"
    )


def _union(branches: Iterable[str]) -> str:
    return " UNION ".join(f"{{ {branch} }}" for branch in branches)


def _listed(iris: Iterable[str]) -> str:
    return " ".join(map(iri_n3, iris))
