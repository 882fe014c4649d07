"""Leaf statements of a catalogue, read by a plain walk over its graph.

A leaf statement is a literal, or an IRI without statements of its own, that an asset reaches over
its parts: nodes with statements that are no assets themselves, and nodes without a type that name
the asset from their side. The type of a node is its kind and no leaf.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SHACL = "http://www.w3.org/ns/shacl#"
TYPE = ox.NamedNode(RDF + "type")
LABEL = ox.NamedNode(RDFS + "label")
NAMES = {"label", "prefLabel", "altLabel", "name", "title"}
_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".rdf": ox.RdfFormat.RDF_XML,
}
_MAX_DEPTH = 8

Node = ox.NamedNode | ox.BlankNode


@dataclass(frozen=True)
class Leaf:
    """A leaf statement.

    Attributes:
        asset: IRI of the asset.
        path: predicates from the asset, those that are followed backwards with "^".
        value: of the literal, the IRI, or a label of the IRI.
        language: tag of the literal.
        is_iri: whether the value is an IRI, or a label of one.
        in_blank: whether the path leads through a node without a name.
    """

    asset: str
    path: tuple[str, ...]
    value: str
    language: str = ""
    is_iri: bool = False
    in_blank: bool = False

    @property
    def predicate(self) -> str:
        """IRI of the last predicate."""
        return self.path[-1]

    @property
    def name(self) -> str:
        """Local name of the last predicate."""
        return local(self.predicate)


def local(iri: str) -> str:
    """Return the part of an IRI after its last separator."""
    return re.split("[#/:]", iri.rstrip("/#:"))[-1]


def load(files: Sequence[Path]) -> ox.Store:
    """Return the statements of files and of the files of folders."""
    store = ox.Store()
    for path in files:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in _FORMATS and not file.name.endswith(".context.jsonld"):
                store.load(path=str(file), format=_FORMATS[file.suffix])
    return store


def assets_of(store: ox.Store, classes: Collection[str]) -> dict[str, set[str]]:
    """Return the assets: IRIs of a class that has assets, and typed IRIs that nothing names.

    The value of each are the IRIs of its classes.
    """
    found: dict[str, set[str]] = {}
    for quad in store.quads_for_pattern(None, TYPE, None):
        subject = quad.subject
        if isinstance(subject, ox.NamedNode) and not quad.object.value.startswith(
            ("http://www.w3.org/2002/07/owl#", RDFS, SHACL)
        ):
            named = next(store.quads_for_pattern(None, None, subject), None)
            if quad.object.value in classes or named is None or subject.value in found:
                found.setdefault(subject.value, set()).add(quad.object.value)
    for asset, kinds in found.items():
        kinds |= {
            quad.object.value for quad in store.quads_for_pattern(ox.NamedNode(asset), TYPE, None)
        }
    return found


def leaves(store: ox.Store, schema: ox.Store, assets: Collection[str]) -> Iterator[Leaf]:
    """Return every leaf statement of assets.

    Args:
        store: of the assets.
        schema: shapes and classes, where IRIs of values may have their labels.
        assets: their IRIs.
    """
    for asset in assets:
        node = ox.NamedNode(asset)
        walk = _Walk(store, schema, assets, asset)
        yield from walk.forward(node, (), False)
        for quad in store.quads_for_pattern(None, None, node):
            part = quad.subject
            typed = next(store.quads_for_pattern(part, TYPE, None), None)
            if isinstance(part, Node) and typed is None and part.value not in assets:
                yield from walk.forward(part, ("^" + quad.predicate.value,), True)


class _Walk:
    """The walk from one asset; it meets every node once."""

    def __init__(
        self, store: ox.Store, schema: ox.Store, assets: Collection[str], asset: str
    ) -> None:
        self._store = store
        self._schema = schema
        self._assets = assets
        self._asset = asset
        self._seen: set[Node] = set()

    def forward(self, node: Node, path: tuple[str, ...], in_blank: bool) -> Iterator[Leaf]:
        """Return the leaf statements of a node and of its parts."""
        if node in self._seen or len(path) >= _MAX_DEPTH:
            return
        self._seen.add(node)
        for quad in self._store.quads_for_pattern(node, None, None):
            step = (*path, quad.predicate.value)
            value = quad.object
            if quad.predicate == TYPE:
                continue
            if isinstance(value, ox.Literal):
                tag = value.language or ""
                yield Leaf(self._asset, step, value.value, tag, False, in_blank)
            elif isinstance(value, Node) and value.value not in self._assets:
                if self._is_leaf(value):
                    for said in (value.value, *self._labels(value)):
                        yield Leaf(self._asset, step, said, "", True, in_blank)
                else:
                    blank = in_blank or isinstance(value, ox.BlankNode)
                    yield from self.forward(value, step, blank)

    def _is_leaf(self, value: Node) -> bool:
        """Whether a node is an IRI that has a label and a type at most."""
        own = self._store.quads_for_pattern(value, None, None)
        return isinstance(value, ox.NamedNode) and all(
            one.predicate in (LABEL, TYPE) for one in own
        )

    def _labels(self, value: Node) -> list[str]:
        graphs = (self._store, self._schema)
        found = (quad for graph in graphs for quad in graph.quads_for_pattern(value, LABEL, None))
        return sorted({quad.object.value for quad in found})


def declared(schema: ox.Store) -> set[str]:
    """Return the IRIs of all predicates that a path of the shapes holds."""
    found: set[str] = set()
    for quad in schema.quads_for_pattern(None, ox.NamedNode(SHACL + "path"), None):
        nodes = [quad.object]
        while nodes:
            node = nodes.pop()
            if isinstance(node, ox.NamedNode):
                found.add(node.value)
            elif isinstance(node, ox.BlankNode):
                nodes += [one.object for one in schema.quads_for_pattern(node, None, None)]
    return found
