"""The statements of records of concepts: relations, read in the direction that their edges have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from groundwire.evidence.records import Names, Statement
from groundwire.evidence.statement_names import names_of, predicate_names
from groundwire.learning.concepts.graph import Node

PACKAGE = "groundwire.learning.concepts"
_MOST = 120
_MOST_NAMES = 8

NamedEdge = tuple[Node, str, Node]
"""Source, relation and target."""


def node_names(node: Node) -> Names:
    """Return what a sentence may call a node: its name, then its aliases."""
    return names_of(node.name, *node.aliases, most=_MOST_NAMES)


def edge_statements(
    edges: Iterable[NamedEdge], complete: Iterable[tuple[str, str]] = ()
) -> tuple[Statement, ...]:
    """Return edges as relations, those of one subject and relation in one statement.

    Args:
        edges: the edges.
        complete: relation and id of each subject of which every object is among the edges.
    """
    return tuple(_statements(edges, set(complete)))[:_MOST]


def _statements(edges: Iterable[NamedEdge], complete: set[tuple[str, str]]) -> Iterator[Statement]:
    grouped: dict[tuple[str, str], tuple[Node, list[Node]]] = {}
    for source, relation, target in edges:
        # The object of a prerequisite is what is needed, so that "all" can be said of it.
        subject, other = (target, source) if relation == "prerequisite" else (source, target)
        _, objects = grouped.setdefault((relation, subject.node_id), (subject, []))
        if other not in objects:
            objects.append(other)
    predicates = predicate_names(PACKAGE)
    for (relation, node_id), (subject, objects) in grouped.items():
        yield Statement(
            "relation",
            node_names(subject),
            predicates.get(relation, (relation.replace("_", " "),)),
            tuple(node_names(one) for one in objects),
            complete="all_listed" if (relation, node_id) in complete else "",
        )
