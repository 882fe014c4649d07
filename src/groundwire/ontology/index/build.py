"""The shape index of a graph."""

from __future__ import annotations

from collections.abc import Callable

from groundwire.ontology.index.expansion import Expanded, expand
from groundwire.ontology.index.model import (
    ANY_DOMAIN,
    Connection,
    Domain,
    Path,
    ShapeIndex,
    Source,
)
from groundwire.ontology.index.schema import Schema
from groundwire.ontology.index.shapes import Shapes
from groundwire.ontology.index.triples import Graph


def build_index(
    graph: Graph, digest: str = "", progress: Callable[[str], None] | None = None
) -> ShapeIndex:
    """Every domain of the graph with its properties and connections, and all problems."""
    schema = Schema(graph)
    names = schema.domain_names()
    shapes = Shapes(graph, schema, names)
    expanded: dict[str, Expanded] = {}
    for class_iri, name in names.items():
        if progress:
            progress(name)
        expanded[class_iri] = expand(shapes, class_iri)
    parts = {part for each, found in expanded.items() for part in found.parts - {each}}
    domains: dict[str, Domain] = {}
    for class_iri in sorted(names, key=lambda iri: names[iri].casefold()):
        domains[names[class_iri]] = Domain(
            names[class_iri],
            class_iri,
            schema.curie(class_iri),
            properties=expanded[class_iri].properties,
            subclasses=schema.subclasses(class_iri),
            superclasses=schema.superclasses(class_iri),
            part=class_iri in parts,
            labels=schema.labels(class_iri),
            descriptions=schema.descriptions(class_iri),
            sources=tuple(
                Source(graph.origin.get(shape, ""), graph.lines.get(shape), shape)
                for shape in schema.targets[class_iri]
            ),
        )
    connections = sorted(
        (connection for found in expanded.values() for connection in found.connections),
        key=_order,
    )
    return ShapeIndex(
        domains,
        tuple(connections),
        schema.prefixes,
        tuple(graph.problems),
        digest,
    )


def _order(connection: Connection) -> tuple[str, bool, str, int, Path]:
    source, target, path = connection.source, connection.target, connection.path
    return (source, target == ANY_DOMAIN, target, len(path.steps), path)
