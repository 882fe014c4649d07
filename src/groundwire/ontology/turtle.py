"""The shapes of one domain as a Turtle document."""

from __future__ import annotations

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri_n3
from groundwire.ontology.catalogue import SCHEMA_GRAPH, Catalogue
from groundwire.ontology.naming import find_domain, told
from groundwire.ontology.results import Correction

_SH = "http://www.w3.org/ns/shacl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
# SHACL, sections 2 to 4: what leads from a shape to what belongs to it.
_PARTS = (
    *(
        _SH + name
        for name in (
            "property",
            "node",
            "and",
            "or",
            "xone",
            "not",
            "in",
            "path",
            "qualifiedValueShape",
            "inversePath",
            "alternativePath",
            "languageIn",
        )
    ),
    _RDF + "first",
    _RDF + "rest",
)
_MAX_TRIPLES = 3_000
_TIMEOUT = 10.0


async def shapes_of(catalogue: Catalogue, domain: str) -> str:
    """The shapes that target a domain, with everything they refer to.

    A domain that was read otherwise than it was sent is told in a comment at the beginning.

    Raises:
        InputError: the domain is unknown; the message names the nearest.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    found = find_domain(state, domain, corrections)
    roots = " ".join(
        dict.fromkeys(iri_n3(source.shape) for source in found.sources if source.shape)
    )
    graph = await catalogue.schema()
    steps = "|".join(iri_n3(part) for part in _PARTS)
    query = CompiledQuery(
        f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ VALUES ?root {{ {roots} }} "
        f"?root ({steps})* ?s . ?s ?p ?o }}"
    )
    triples = await graph.triples(
        query, timeout=_TIMEOUT, max_rows=_MAX_TRIPLES, default_graphs=[SCHEMA_GRAPH]
    )
    text = _serialized(triples.triples, state.index.prefixes)
    if not triples.complete:
        text += f"\n# Cut after {_MAX_TRIPLES:,} statements: long lists are in discover_values.\n"
    return f"# {told(corrections).strip()}\n{text}" if corrections else text


def _serialized(triples: list[tuple[Term, Term, Term]], prefixes: dict[str, str]) -> str:
    from rdflib import BNode, Graph, Literal, URIRef

    def node(term: Term) -> URIRef | BNode | Literal:
        if term.kind == "iri":
            return URIRef(term.value)
        if term.kind == "bnode":
            return BNode(term.value)
        language = term.language or None
        return Literal(term.value, lang=language, datatype=None if language else term.datatype)

    document = Graph(bind_namespaces="none")
    for prefix, namespace in prefixes.items():
        document.bind(prefix, namespace)
    for subject, predicate, value in triples:
        document.add((node(subject), node(predicate), node(value)))
    return document.serialize(format="turtle")
