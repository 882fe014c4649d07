"""The queries of patterns: every part is a constant of the code or a term that is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri, literal
from groundwire.sparql.workflow.queries import (
    LABEL_PATHS,
    OTHER_NAMES,
    RDF_FIRST,
    RDF_REST,
    RDF_TYPE,
)

MOST_ROWS = 500
UNITS = ("http://schema.org/unitText", "http://schema.org/unitCode")


class Way(NamedTuple):
    """A property, in its direction or against it."""

    property: str
    inverse: bool


Step = tuple[Way, ...]
"""Ways that say the same."""


def _n3(name: str) -> str:
    return iri(name).n3()


def _hop(start: str, step: Step, end: str, direction: str) -> str:
    """One hop; where there are several ways, ?d says which one was gone."""
    parts = [
        f"{end} {_n3(way.property)} {start} ."
        if way.inverse
        else f"{start} {_n3(way.property)} {end} ."
        for way in step
    ]
    if len(parts) == 1:
        return f"  {parts[0]}\n"
    return (
        "  "
        + "  UNION ".join(
            f"{{ {part} BIND({at} AS {direction}) }}" for at, part in enumerate(parts)
        )
        + "\n"
    )


def path_query(
    start: str, steps: Sequence[Step], classes: Sequence[Sequence[str]], limit: int = MOST_ROWS
) -> CompiledQuery:
    """Return the query that follows steps from an entity: ?n1, ?d1, ?n2, ...

    Args:
        start: IRI of the entity.
        steps: one for each hop.
        classes: of which the node after each hop has to be; nothing for any.
        limit: most rows.
    """
    body, at = "", _n3(start)
    columns: list[str] = []
    for number, (step, of) in enumerate(zip(steps, classes, strict=True), 1):
        node = f"?n{number}"
        body += _hop(at, step, node, f"?d{number}")
        if of:
            kind = f"?c{number}"
            body += f"  FILTER EXISTS {{ {node} a {kind} . FILTER({kind} IN ({_listed(of)})) }}\n"
        columns += [node, f"?d{number}"] if len(step) > 1 else [node]
        at = node
    return CompiledQuery(
        f"SELECT DISTINCT {' '.join(columns)}\nWHERE {{\n{body}}}\nLIMIT {int(limit)}"
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(_n3, names))


def links_query(start: str, classes: Sequence[str]) -> CompiledQuery:
    """Return the query for entities of a class that any property joins with an entity."""
    return CompiledQuery(
        f"SELECT DISTINCT ?p ?out ?x\nWHERE {{\n  {{ ?x ?p {_n3(start)} . BIND(false AS ?out) }}\n"
        f"  UNION {{ {_n3(start)} ?p ?x . BIND(true AS ?out) }}\n"
        f"  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n}}\nLIMIT {MOST_ROWS}"
    )


def joined_query(one: str, other: str) -> CompiledQuery:
    """Return the query for the properties that join two entities."""
    return CompiledQuery(
        "SELECT DISTINCT ?p ?out\nWHERE {\n"
        f"  {{ {_n3(one)} ?p {_n3(other)} . BIND(true AS ?out) }}\n"
        f"  UNION {{ {_n3(other)} ?p {_n3(one)} . BIND(false AS ?out) }}\n}}\nLIMIT 50"
    )


def one_sided_query(name: str) -> CompiledQuery:
    """Return the query for a statement of a property that is not stated the other way round too."""
    p = _n3(name)
    return CompiledQuery(
        f"SELECT ?a ?b\nWHERE {{\n  ?a {p} ?b . FILTER NOT EXISTS {{ ?b {p} ?a }}\n}}\nLIMIT 1"
    )


def several_query(name: str) -> CompiledQuery:
    """Return the query for a subject of which a property has more than one object."""
    p = _n3(name)
    return CompiledQuery(f"SELECT ?s\nWHERE {{\n  ?s {p} ?a , ?b . FILTER(?a != ?b)\n}}\nLIMIT 1")


def values_query(entities: Sequence[str], name: str, limit: int = 50) -> CompiledQuery:
    """Return the query for the values of a property of some entities."""
    values = " ".join(map(_n3, entities))
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?v\nWHERE {{\n  VALUES ?x {{ {values} }}\n  ?x {_n3(name)} ?v\n}}\n"
        f"LIMIT {int(limit)}"
    )


def units_query(properties: Sequence[str]) -> CompiledQuery:
    """Return the query for the names of the units of some properties."""
    values = " ".join(map(_n3, properties))
    return CompiledQuery(
        f"SELECT DISTINCT ?unit\nWHERE {{\n  VALUES ?p {{ {values} }}\n"
        f"  ?p {'|'.join(map(_n3, UNITS))} ?unit . FILTER(isLITERAL(?unit))\n}}\nLIMIT 50"
    )


def most_linked_query(classes: Sequence[str], name: str, limit: int) -> CompiledQuery:
    """Return the query for the entities of a class with the most objects of a property."""
    return CompiledQuery(
        "SELECT ?x (COUNT(DISTINCT ?o) AS ?v)\nWHERE {\n"
        f"  {{ SELECT DISTINCT ?x WHERE {{ ?x a ?c . FILTER(?c IN ({_listed(classes)})) }} }}\n"
        f"  ?x {_n3(name)} ?o\n}}\nGROUP BY ?x\nORDER BY DESC(?v) ?x\nLIMIT {int(limit)}"
    )


def ranked_query(
    classes: Sequence[str], name: str, near: str, descending: bool, limit: int
) -> CompiledQuery:
    """Return the query for entities of a class in the order of a value.

    Args:
        classes: IRIs.
        name: the property that says the value.
        near: an entity that they are joined with, or "".
        descending: the greatest first.
        limit: most rows.
    """
    order = "DESC(?v)" if descending else "?v"
    link, column = "", ""
    if near:
        column = " ?p"
        link = f"  ?x ?p {_n3(near)} .\n"
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?v{column}\nWHERE {{\n  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n"
        f"{link}  ?x {_n3(name)} ?v . FILTER(isLITERAL(?v))\n}}\n"
        f"ORDER BY {order} ?x\nLIMIT {int(limit)}"
    )


def without_query(classes: Sequence[str], name: str) -> CompiledQuery:
    """Return the query for how many entities of a class state nothing by a property."""
    return CompiledQuery(
        "SELECT (COUNT(DISTINCT ?x) AS ?count)\nWHERE {\n"
        f"  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n"
        f"  FILTER NOT EXISTS {{ ?x {_n3(name)} ?v }}\n}}"
    )


def bounded_query(
    classes: Sequence[str], name: str, sign: str, bound: str, is_date: bool, near: str = ""
) -> CompiledQuery:
    """Return the query for entities of a class whose value is within a bound.

    Args:
        classes: IRIs.
        name: the property.
        sign: <, <=, > or >=.
        bound: digits; of dates a year.
        is_date: the values are dates.
        near: an entity that they are joined with by ?p, or "".
    """
    link, column = (f"  ?x ?p {_n3(near)} .\n", " ?p") if near else ("", "")
    value = (
        f"SUBSTR(STR(?v), 1, 4) {sign} {literal(bound).n3()}" if is_date else f"?v {sign} {bound}"
    )
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?v{column}\nWHERE {{\n  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n"
        f"{link}  ?x {_n3(name)} ?v . FILTER({value})\n}}\nORDER BY ?v ?x\nLIMIT {MOST_ROWS}"
    )


def members_query(classes: Sequence[str]) -> CompiledQuery:
    """Return the query for how many entities a class has."""
    return CompiledQuery(
        "SELECT (COUNT(DISTINCT ?x) AS ?count)\nWHERE {\n"
        f"  ?x a ?c . FILTER(?c IN ({_listed(classes)}))\n}}"
    )


def counted_query(
    start: str, steps: Sequence[Step], classes: Sequence[Sequence[str]]
) -> CompiledQuery:
    """Return the query for how many nodes stand at the end of some steps."""
    inner = path_query(start, steps, classes).partition("WHERE")[2].rpartition("LIMIT")[0]
    return CompiledQuery(f"SELECT (COUNT(DISTINCT ?n{len(steps)}) AS ?count)\nWHERE{inner}")


def observed_query(entity: str, name: str) -> CompiledQuery:
    """Return the query for values of nodes that are joined with an entity and have a time."""
    e = _n3(entity)
    return CompiledQuery(
        f"SELECT DISTINCT ?n ?link ?out ?v ?yp ?y\nWHERE {{\n"
        f"  {{ ?n ?link {e} . BIND(false AS ?out) }}\n"
        f"  UNION {{ {e} ?link ?n . BIND(true AS ?out) }}\n"
        f"  ?n {_n3(name)} ?v ; ?yp ?y .\n"
        f"  FILTER(isLITERAL(?y) && ?yp != {_n3(name)})\n}}\nLIMIT {MOST_ROWS}"
    )


def list_query(start: str, step: Step) -> CompiledQuery:
    """Return the query for the nodes of an RDF list: ?h, ?n, ?item, ?rest."""
    return CompiledQuery(
        f"SELECT DISTINCT ?h ?n ?item ?rest\nWHERE {{\n{_hop(_n3(start), step[:1], '?h', '?d')}"
        f"  ?h {_n3(RDF_REST)}* ?n .\n  OPTIONAL {{ ?n {_n3(RDF_FIRST)} ?item }}\n"
        f"  OPTIONAL {{ ?n {_n3(RDF_REST)} ?rest }}\n}}\nLIMIT {MOST_ROWS}"
    )


def places_query(nodes: Sequence[str], properties: Sequence[str]) -> CompiledQuery:
    """Return the query for the numbers that say the places of some nodes."""
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?v\nWHERE {{\n  VALUES ?x {{ {' '.join(map(_n3, nodes))} }}\n"
        f"  ?x ?p ?v . FILTER(?p IN ({_listed(properties)}))\n}}\nLIMIT {MOST_ROWS}"
    )


def labels_query(entity: str) -> CompiledQuery:
    """Return the query for the names of an entity, with the property that says each."""
    listed = _listed((*LABEL_PATHS, *OTHER_NAMES))
    return CompiledQuery(
        "SELECT DISTINCT ?p ?label\nWHERE {\n"
        f"  {_n3(entity)} ?p ?label . FILTER(?p IN ({listed}))\n}}\n"
        f"LIMIT {MOST_ROWS}"
    )


def called_query(texts: Sequence[str], languages: Sequence[str]) -> CompiledQuery:
    """Return the query for entities that are called a text, letter by letter, with their types."""
    values = " ".join(
        literal(text, language=language).n3() for text in texts for language in ("", *languages)
    )
    paths = "|".join(map(_n3, (*LABEL_PATHS, *OTHER_NAMES)))
    return CompiledQuery(
        f"SELECT DISTINCT ?x ?label ?type\nWHERE {{\n  VALUES ?label {{ {values} }}\n"
        f"  ?x {paths} ?label .\n  OPTIONAL {{ ?x {_n3(RDF_TYPE)} ?type }}\n}}\nLIMIT {MOST_ROWS}"
    )
