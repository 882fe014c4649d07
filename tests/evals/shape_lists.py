"""The `sh:in` lists of a folder of shapes, and the texts beside them, for the evals."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox

SHACL = "http://www.w3.org/ns/shacl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
TEXT_PREDICATES = (
    SHACL + "description",
    SHACL + "name",
    SHACL + "message",
    RDFS + "comment",
    RDFS + "label",
    SKOS + "definition",
    SKOS + "example",
)


def _load(path: Path) -> ox.Store:
    store = ox.Store()
    store.bulk_load(path=str(path), format=ox.RdfFormat.TURTLE)
    return store


def _items(store: ox.Store, head: ox.NamedNode | ox.BlankNode) -> list[str]:
    found: list[str] = []
    nil = ox.NamedNode(RDF + "nil")
    while head != nil:
        for quad in store.quads_for_pattern(head, ox.NamedNode(RDF + "first"), None):
            value = quad.object.value
            if isinstance(quad.object, ox.NamedNode):
                value = value.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
            found.append(value)
        rest = list(store.quads_for_pattern(head, ox.NamedNode(RDF + "rest"), None))
        head = rest[0].object if rest else nil
    return list(dict.fromkeys(found))


def read_lists(folder: Path) -> list[tuple[str, ...]]:
    """Every different `sh:in` list of the Turtle files below a folder, in a stable order.

    IRIs stand as their local names.
    """
    lists: set[tuple[str, ...]] = set()
    for path in sorted(folder.rglob("*.ttl")):
        store = _load(path)
        for quad in store.quads_for_pattern(None, ox.NamedNode(SHACL + "in"), None):
            lists.add(tuple(_items(store, quad.object)))
    return sorted(items for items in lists if items)


def read_texts(folder: Path) -> list[str]:
    """Labels, names and descriptions in the Turtle files below a folder."""
    texts: list[str] = []
    for path in sorted(folder.rglob("*.ttl")):
        store = _load(path)
        for predicate in TEXT_PREDICATES:
            for quad in store.quads_for_pattern(None, ox.NamedNode(predicate), None):
                texts.append(quad.object.value)
    return texts
