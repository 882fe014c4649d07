"""The queries by which a schema is read.

They are plain SPARQL 1.1 without VALUES in a UNION, which Virtuoso 7.2 does not match, and with no
function that one engine alone has, since an endpoint may be of another kind than its registry says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri_n3
from groundwire.sparql.schema.names import LONGEST_NAME
from groundwire.sparql.workflow.queries import LABEL_PATHS, RDF_TYPE

_VOID = "http://rdfs.org/ns/void#"
_SH = "http://www.w3.org/ns/shacl#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_DCT = "http://purl.org/dc/terms/"
MOST_EXAMPLE_QUERIES = 200
_TYPE = iri_n3(RDF_TYPE)
# What stands at the end of a statement: its kind, and of a text its language.
_KIND = (
    'BIND(IF(isIRI(?o), "iri", IF(isBLANK(?o), "node", STR(DATATYPE(?o)))) AS ?kind)'
    ' BIND(IF(isLITERAL(?o), LANG(?o), "") AS ?tag)'
)


def more_names_query(kind: Literal["predicate", "class"], offset: int, limit: int) -> CompiledQuery:
    """Return the query for further predicates or classes, by IRI and without counts."""
    pattern = "?s ?name ?o" if kind == "predicate" else f"?s {_TYPE} ?name"
    return CompiledQuery(
        f"SELECT DISTINCT ?name WHERE {{ {pattern} }}\n"
        f"ORDER BY ?name LIMIT {int(limit)} OFFSET {int(offset)}"
    )


def void_query(limit: int) -> CompiledQuery:
    """Return the query for the partitions of a dataset that a VoID description counts.

    Source: Describing Linked Datasets with the VoID Vocabulary (W3C, 2011), section 4.
    """
    return CompiledQuery(
        "SELECT ?class ?property ?count\nWHERE {\n"
        f"  {{ ?d <{_VOID}classPartition> ?part . ?part <{_VOID}class> ?class ;"
        f" <{_VOID}entities> ?count }}\n  UNION\n"
        f"  {{ ?d <{_VOID}propertyPartition> ?part . ?part <{_VOID}property> ?property ;"
        f" <{_VOID}triples> ?count }}\n}}\nLIMIT {int(limit)}"
    )


def labels_of_query(iris: Sequence[str], limit: int) -> CompiledQuery:
    """Return the query for the labels of some names."""
    values = " ".join(map(iri_n3, iris))
    paths = "|".join(map(iri_n3, LABEL_PATHS))
    return CompiledQuery(
        f"SELECT ?name ?label WHERE {{ VALUES ?name {{ {values} }} ?name {paths} ?label\n"
        f"  FILTER(STRLEN(STR(?label)) <= {LONGEST_NAME}) }} LIMIT {int(limit)}"
    )


def examples_query() -> CompiledQuery:
    """Return the query for example queries, as SHACL's vocabulary describes them.

    Source: the SIB's sparql-examples: an example is a `sh:SPARQLExecutable` with its text at
    `sh:select`, `sh:ask`, `sh:construct` or `sh:describe` and a comment that says what it asks.
    """
    kinds = ", ".join(
        f"<{_SH}SPARQL{form}Executable>" for form in ("", "Select", "Ask", "Construct", "Describe")
    )
    texts = "|".join(f"<{_SH}{form}>" for form in ("select", "ask", "construct", "describe"))
    return CompiledQuery(
        "SELECT ?example ?text ?title\nWHERE {\n"
        f"  ?example {_TYPE} ?kind ; {texts} ?text . FILTER(?kind IN ({kinds}))\n"
        f"  OPTIONAL {{ ?example <{_RDFS}comment>|<{_RDFS}label>|<{_DCT}title> ?title }}\n"
        f"}}\nLIMIT {MOST_EXAMPLE_QUERIES}"
    )


def overview_query(classes: Sequence[str], members: int) -> CompiledQuery:
    """Return the query for the predicates of some classes, by a few members of each."""
    parts = "  UNION\n".join(
        f"  {{ SELECT ({iri_n3(one)} AS ?class) ?s WHERE {{ ?s {_TYPE} {iri_n3(one)} }}"
        f" LIMIT {int(members)} }}\n"
        for one in classes
    )
    return CompiledQuery(
        f"SELECT DISTINCT ?class ?p ?kind ?tag ?in\nWHERE {{\n{parts}"
        f"  ?s ?p ?o . OPTIONAL {{ ?o {_TYPE} ?in }}\n  {_KIND}\n}}\nLIMIT 10000"
    )


def counts_query(class_: str, members: int) -> CompiledQuery:
    """Return the query that counts the statements of a class by predicate.

    Args:
        class_: its IRI.
        members: how many of its members are looked at; 0 for all.
    """
    sample = f"?s {_TYPE} {iri_n3(class_)} ."
    if members:
        sample = f"{{ SELECT ?s WHERE {{ {sample} }} LIMIT {int(members)} }}"
    return CompiledQuery(
        f"SELECT ?p (COUNT(*) AS ?count)\nWHERE {{ {sample} ?s ?p ?o }}\n"
        "GROUP BY ?p ORDER BY DESC(?count) LIMIT 1000"
    )


def sample_query(class_: str, members: int, limit: int) -> CompiledQuery:
    """Return the query for the statements of a few members of a class."""
    return CompiledQuery(
        "SELECT ?p ?o ?in\nWHERE {\n"
        f"  {{ SELECT ?s WHERE {{ ?s {_TYPE} {iri_n3(class_)} }} LIMIT {int(members)} }}\n"
        f"  ?s ?p ?o . OPTIONAL {{ ?o {_TYPE} ?in }}\n}}\nLIMIT {int(limit)}"
    )


def rare_query(class_: str, predicates: Sequence[str], each: int) -> CompiledQuery:
    """Return the query for a few statements of predicates that a sample did not have."""
    parts = "  UNION\n".join(
        f"  {{ SELECT ({iri_n3(p)} AS ?p) ?o WHERE {{ ?s {_TYPE} {iri_n3(class_)} ;"
        f" {iri_n3(p)} ?o }} LIMIT {int(each)} }}\n"
        for p in predicates
    )
    return CompiledQuery(
        f"SELECT ?p ?o ?in\nWHERE {{\n{parts}  OPTIONAL {{ ?o {_TYPE} ?in }}\n}}\nLIMIT 2000"
    )


def inverse_query(class_: str, members: int) -> CompiledQuery:
    """Return the query for the predicates whose objects are members of a class."""
    return CompiledQuery(
        "SELECT DISTINCT ?p ?in\nWHERE {\n"
        f"  {{ SELECT ?o WHERE {{ ?o {_TYPE} {iri_n3(class_)} }} LIMIT {int(members)} }}\n"
        f"  ?s ?p ?o . OPTIONAL {{ ?s {_TYPE} ?in }}\n}}\nLIMIT 1000"
    )


def inner_query(class_: str, predicates: Sequence[str], members: int, limit: int) -> CompiledQuery:
    """Return the query for the properties of the nodes without a class that members lead to."""
    listed = ", ".join(map(iri_n3, predicates))
    return CompiledQuery(
        "SELECT ?p ?q ?o ?in\nWHERE {\n"
        f"  {{ SELECT ?s WHERE {{ ?s {_TYPE} {iri_n3(class_)} }} LIMIT {int(members)} }}\n"
        f"  ?s ?p ?n . FILTER(?p IN ({listed}))\n"
        f"  ?n ?q ?o . OPTIONAL {{ ?o {_TYPE} ?in }}\n}}\nLIMIT {int(limit)}"
    )


def shapes_query(class_: str) -> CompiledQuery:
    """Return the query for what shapes declare of a class.

    Source: Shapes Constraint Language (W3C, 2017), sections 2.1.3.2, 2.3 and 4.1.
    """
    return CompiledQuery(
        "SELECT ?p ?datatype ?in\nWHERE {\n"
        f"  ?shape <{_SH}targetClass> {iri_n3(class_)} ; <{_SH}property> ?part .\n"
        f"  ?part <{_SH}path> ?p . FILTER(isIRI(?p))\n"
        f"  OPTIONAL {{ ?part <{_SH}datatype> ?datatype }}\n"
        f"  OPTIONAL {{ ?part <{_SH}class> ?in }}\n}}\nLIMIT 500"
    )


def predicate_query(predicate: str, limit: int) -> CompiledQuery:
    """Return the query for a few statements of a predicate with the classes of both ends."""
    return CompiledQuery(
        "SELECT ?of ?o ?in\nWHERE {\n"
        f"  {{ SELECT ?s ?o WHERE {{ ?s {iri_n3(predicate)} ?o }} LIMIT {int(limit)} }}\n"
        f"  OPTIONAL {{ ?s {_TYPE} ?of }}\n  OPTIONAL {{ ?o {_TYPE} ?in }}\n}}\n"
        f"LIMIT {8 * int(limit)}"
    )


def leading_query(predicate: str, limit: int) -> CompiledQuery:
    """Return the query for what leads to the subjects of a predicate, with the classes there."""
    return CompiledQuery(
        "SELECT DISTINCT ?via ?of\nWHERE {\n"
        f"  {{ SELECT ?s WHERE {{ ?s {iri_n3(predicate)} ?o }} LIMIT {int(limit)} }}\n"
        f"  ?m ?via ?s . OPTIONAL {{ ?m {_TYPE} ?of }}\n}}\nLIMIT 50"
    )


def held_query(predicates: Sequence[str], classes: Sequence[str]) -> CompiledQuery:
    """Return the query for those of some names that are held, in the graph or a named one."""
    parts = [
        f'{{ SELECT ({iri_n3(one)} AS ?name) ("{kind}" AS ?kind) WHERE {{ {{ {pattern} }} UNION'
        f" {{ GRAPH ?g {{ {pattern} }} }} }} LIMIT 1 }}"
        for one, kind, pattern in (
            *((p, "predicate", f"?s {iri_n3(p)} ?o") for p in predicates),
            *((c, "class", f"?s {_TYPE} {iri_n3(c)}") for c in classes),
        )
    ]
    return CompiledQuery(f"SELECT ?name ?kind WHERE {{ {' UNION '.join(parts)} }}")


def subclasses_query(class_: str, limit: int) -> CompiledQuery:
    """Return the query for the classes below a class that have members."""
    return CompiledQuery(
        f"SELECT DISTINCT ?sub WHERE {{ ?sub <{_RDFS}subClassOf>+ {iri_n3(class_)} ."
        f" FILTER EXISTS {{ ?m {_TYPE} ?sub }} }} LIMIT {int(limit)}"
    )
