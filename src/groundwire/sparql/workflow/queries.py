"""The queries of the workflow that are no label match: types, texts of entities, descriptions."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_SCHEMA = ("http://schema.org/", "https://schema.org/")


def _of_schema(*names: str) -> list[str]:
    return [scheme + name for name in names for scheme in _SCHEMA]


USUAL_TYPES = (
    *_of_schema("Question", "DefinedTermSet", "HowTo", "FAQPage"),
    f"{_SKOS}ConceptScheme",
)
"""What is explored where nothing else is asked for (seed 003, "Explore & Identify")."""

LABEL_PATHS = (
    f"{_SKOS}prefLabel",
    f"{_RDFS}label",
    *_of_schema("name", "headline"),
    "http://purl.org/dc/terms/title",
    "http://xmlns.com/foaf/0.1/name",
)
TEXT_PROPERTIES = (
    *_of_schema("text", "description", "abstract", "articleBody"),
    f"{_SKOS}definition",
    f"{_RDFS}comment",
    "http://purl.org/dc/terms/description",
    "http://dbpedia.org/ontology/abstract",
)
# Where the text that answers stands one step away from the entity that is found.
_ANSWERS = tuple(
    (answer, text)
    for answer, text in zip(
        _of_schema("acceptedAnswer", "suggestedAnswer", "step"),
        _of_schema("text", "text", "text"),
        strict=True,
    )
)


def types_query(types: Sequence[str], limit: int) -> CompiledQuery:
    """How many entities there are of each of some types; of all types where none is named."""
    listed = ", ".join(iri(one).n3() for one in types)
    condition = f"  FILTER(?type IN ({listed}))\n" if types else ""
    return CompiledQuery(
        "SELECT ?type (COUNT(DISTINCT ?entity) AS ?count)\n"
        f"WHERE {{\n  ?entity a ?type .\n{condition}}}\n"
        f"GROUP BY ?type\nORDER BY DESC(?count) ?type\nLIMIT {int(limit)}"
    )


def predicates_query(type_: str, limit: int) -> CompiledQuery:
    """The predicates of the entities of a type, the most used first."""
    return CompiledQuery(
        "SELECT ?predicate (COUNT(*) AS ?count)\n"
        f"WHERE {{\n  ?entity a {iri(type_).n3()} ; ?predicate ?value .\n}}\n"
        f"GROUP BY ?predicate\nORDER BY DESC(?count) ?predicate\nLIMIT {int(limit)}"
    )


def texts_query(entities: Sequence[str], limit: int, inference: str = "") -> CompiledQuery:
    """Labels and texts of some entities, those of their answers too.

    Args:
        entities: IRIs.
        limit: most rows.
        inference: rule set for reasoning, or "".
    """
    values = " ".join(iri(one).n3() for one in entities)
    labels = "|".join(iri(one).n3() for one in LABEL_PATHS)
    texts = "|".join(iri(one).n3() for one in TEXT_PROPERTIES)
    answers = "|".join(f"({iri(a).n3()}/{iri(t).n3()})" for a, t in _ANSWERS)
    asked = "|".join(iri(one).n3() for one in _of_schema("acceptedAnswer", "suggestedAnswer"))
    return CompiledQuery(
        f"{_pragma(inference)}SELECT DISTINCT ?entity ?label ?text ?question ?asked\nWHERE {{\n"
        f"  VALUES ?entity {{ {values} }}\n"
        f"  OPTIONAL {{ ?entity {labels} ?label }}\n"
        f"  OPTIONAL {{ ?entity {answers}|{texts} ?text }}\n"
        f"  OPTIONAL {{ ?question {asked} ?entity . OPTIONAL {{ ?question {labels} ?asked }} }}\n"
        f"}}\nLIMIT {int(limit)}"
    )


def description_query(entity: str, limit: int) -> CompiledQuery:
    """Every statement about an entity, those first in which it is the subject."""
    name = iri(entity).n3()
    return CompiledQuery(
        "SELECT ?predicate ?value ?inverse\nWHERE {\n"
        f"  {{ {name} ?predicate ?value . BIND(false AS ?inverse) }}\n  UNION\n"
        f"  {{ ?value ?predicate {name} . BIND(true AS ?inverse) }}\n}}\n"
        f"ORDER BY ?inverse ?predicate\nLIMIT {int(limit)}"
    )


def type_labels_query(types: Sequence[str], limit: int) -> CompiledQuery:
    """Labels of types, where the graph has them."""
    values = " ".join(iri(one).n3() for one in types)
    labels = "|".join(iri(one).n3() for one in LABEL_PATHS)
    return CompiledQuery(
        f"SELECT ?type ?label\nWHERE {{\n  VALUES ?type {{ {values} }}\n"
        f"  ?type {labels} ?label\n}}\nLIMIT {int(limit)}"
    )


def _pragma(inference: str) -> str:
    return f'DEFINE input:inference "{inference}"\n' if inference else ""
