"""The shape index of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from groundwire.ontology.index.expansion import Expanded, Expander
from groundwire.ontology.index.model import (
    ANY_DOMAIN,
    Connection,
    Domain,
    Path,
    Property,
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
    expander = Expander(shapes)
    expanded: dict[str, Expanded] = {}
    for class_iri, name in names.items():
        if progress:
            progress(name)
        expanded[class_iri] = expander.expand(class_iri)
    parts = {part for each, found in expanded.items() for part in found.parts - {each}}
    domains: dict[str, Domain] = {}
    for class_iri in sorted(names, key=lambda iri: names[iri].casefold()):
        domains[names[class_iri]] = Domain(
            names[class_iri],
            class_iri,
            schema.curie(class_iri),
            properties=partial(_held, expanded[class_iri].properties),
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
    connections = sorted(_connections(schema, names, expanded), key=_order)
    return ShapeIndex(
        domains,
        tuple(connections),
        schema.prefixes,
        graph.told(),
        digest,
    )


def _connections(
    schema: Schema, names: dict[str, str], expanded: dict[str, Expanded]
) -> Iterator[Connection]:
    """Each connection once, with the uppermost classes that it holds for.

    A class that has all that a class above it has is named by what it has beside.
    """
    for class_iri, found in expanded.items():
        above = [expanded[each].links for each in schema.targets_above(class_iri)]
        if any(links is found.links for links in above):
            continue
        for link, nested in found.links.items():
            if all(links.get(link) is not nested for links in above):
                target, path, via = link
                yield Connection(names[class_iri], target, path, via, nested)


def _held(properties: dict[str, Property]) -> dict[str, Property]:
    return properties


def _order(connection: Connection) -> tuple[str, bool, str, int, Path]:
    source, target, path = connection.source, connection.target, connection.path
    return (source, target == ANY_DOMAIN, target, len(path.steps), path)
