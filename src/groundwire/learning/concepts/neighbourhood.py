"""The neighbours of a concept by their relations, and the statements that records make of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from groundwire.evidence.answers import names_of, predicate_names
from groundwire.evidence.records import Names, Statement
from groundwire.learning.concepts.graph import EdgeKey, Node, StoredGraph
from groundwire.learning.concepts.results import RelatedConcept
from groundwire.learning.concepts.rules import Rules
from groundwire.safe_text import safe_name

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


MOST_REACHED = 2_000
"""Concepts that are looked at around one."""

NEEDED = (("prerequisite", "sources"), ("depends_on", "targets"))
"""Relations that say what a concept needs, and at which of its sides that stands."""

_PARENTS = ("is_a", "part_of")


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that was reached: how far away, and by which edge."""

    node_id: str
    layer: int
    edge: EdgeKey


@dataclass(slots=True)
class Neighbourhood:
    """The neighbourhood of a concept.

    Attributes:
        graph: where it lies.
        rules: types and relations.
        centre: the concept.
        depth: how many edges away is looked at.
        cut: whether there were too many nodes to look at.
        goes_on: whether edges lead on beyond the depth.
        walked: every edge that was met.
    """

    graph: StoredGraph
    rules: Rules
    centre: Node
    depth: int
    cut: bool = False
    goes_on: bool = False
    walked: dict[EdgeKey, None] = field(default_factory=dict[EdgeKey, None])
    _nodes: dict[str, Node] = field(default_factory=dict[str, Node])

    def node(self, node_id: str) -> Node:
        """Return a node that an edge ends in."""
        if node_id not in self._nodes:
            found = self.graph.node(node_id)
            assert found is not None
            self._nodes[node_id] = found
        return self._nodes[node_id]

    def prerequisites(self, relations: Iterable[tuple[str, str]] = NEEDED) -> list[Reached]:
        """Return what has to be known before, by layers of the longest path."""
        return self._layered([(r, side) for r, side in relations])

    def dependents(self) -> list[Reached]:
        """Return what needs the concept, by layers of the longest path."""
        turned = {"sources": "targets", "targets": "sources"}
        return self._layered([(relation, turned[side]) for relation, side in NEEDED])

    def _steps(self, node_id: str, relations: Iterable[tuple[str, str]]) -> list[EdgeKey]:
        found: list[EdgeKey] = []
        for relation, side in relations:
            if side == "sources":
                found += [(a, relation, node_id) for a in self.graph.sources(node_id, relation)]
            else:
                found += [(node_id, relation, b) for b in self.graph.targets(node_id, relation)]
        return found

    def _layered(self, relations: Sequence[tuple[str, str]]) -> list[Reached]:
        """Breadth first to the depth, then the longest path to each node that was reached."""
        near = {self.centre.node_id: 0}
        by: dict[str, EdgeKey] = {}
        steps: dict[str, list[str]] = {}
        rim = [self.centre.node_id]
        for distance in range(1, self.depth + 1):
            reached: list[str] = []
            for node_id in rim:
                others: list[str] = []
                for key in self._steps(node_id, relations):
                    other = key[0] if key[2] == node_id else key[2]
                    others.append(other)
                    self.walked[key] = None
                    if other not in near:
                        if len(near) > MOST_REACHED:
                            self.cut = True
                            continue
                        near[other] = distance
                        by[other] = key
                        reached.append(other)
                steps[node_id] = others
            rim = reached
        self.goes_on |= any(
            end not in near
            for node_id in rim
            for key in self._steps(node_id, relations)
            for end in (key[0], key[2])
        )
        layers = _longest(self.centre.node_id, near, steps)
        found = [Reached(one, layers[one], by[one]) for one in by]
        return sorted(found, key=lambda one: (one.layer, self.node(one.node_id).name.casefold()))

    def siblings(self) -> list[Reached]:
        """Return nodes that share a broader concept or a whole with the concept."""
        found: dict[str, Reached] = {}
        for relation in _PARENTS:
            for parent in self.graph.targets(self.centre.node_id, relation):
                for child in self.graph.sources(parent, relation):
                    if child != self.centre.node_id and len(found) < MOST_REACHED:
                        found.setdefault(child, Reached(child, 1, (child, relation, parent)))
        return sorted(found.values(), key=lambda one: self.node(one.node_id).name.casefold())

    def others(self) -> list[Reached]:
        """Return nodes that an edge of another relation joins to the concept."""
        needed = {relation for relation, _ in NEEDED}
        own = self.centre.node_id
        keys = [key for key in self.graph.edges_from(own) if key[1] not in needed]
        keys += [key for key in self.graph.edges_to(own) if key[1] not in needed]
        found = [Reached(key[2] if key[0] == own else key[0], 1, key) for key in keys]
        return sorted(found, key=lambda r: (r.edge[1], self.node(r.node_id).name.casefold()))

    def along(self, relation: str, *, turned: bool) -> list[Reached]:
        """Return what one relation leads to, forward or, turned, backward."""
        if self.rules.relations[relation].symmetric:
            return self._layered([(relation, "sources"), (relation, "targets")])
        return self._layered([(relation, "sources" if turned else "targets")])

    def item(self, one: Reached) -> RelatedConcept:
        """Return a reached node as results show it."""
        a, relation, b = one.edge
        rule = self.rules.relations.get(relation)
        reads = rule.reads if rule else relation.replace("_", " ")
        source, target = (safe_name(self.node(end).name, 80) for end in (a, b))
        return RelatedConcept(
            name=safe_name(self.node(one.node_id).name),
            node_id=one.node_id,
            relation=relation,
            layer=one.layer,
            says=f"{source} {reads} {target}",
        )

    def named_edge(self, key: EdgeKey) -> NamedEdge:
        """Return an edge with its nodes."""
        return self.node(key[0]), key[1], self.node(key[2])


def _longest(start: str, near: dict[str, int], steps: dict[str, list[str]]) -> dict[str, int]:
    """Return how many edges the longest path to each node has; the steps have no cycle.

    Where relations together lead in a circle, as no single one does, the shortest way counts.
    """
    waits = dict.fromkeys(near, 0)
    for node_id in near:
        for other in steps.get(node_id, ()):
            if other in waits:
                waits[other] += 1
    layers = {start: 0}
    ready = [start] if not waits[start] else []
    while ready:
        node_id = ready.pop()
        for other in steps.get(node_id, ()):
            if other in waits:
                layers[other] = max(layers.get(other, 0), layers[node_id] + 1)
                waits[other] -= 1
                if not waits[other]:
                    ready.append(other)
    done = all(not count for count in waits.values())
    return layers if done else near


def statements_beyond(
    around: Neighbourhood, paged: Mapping[str, Sequence[Reached]]
) -> Iterator[Statement]:
    """Yield what is needed before the concept, and what needs it, more than one edge away."""
    names, centre = predicate_names(PACKAGE)["indirect_prerequisite"], node_names(around.centre)
    for key in ("prerequisites", "dependents"):
        for one in paged.get(key, ()):
            node = around.graph.node(one.node_id)
            if one.layer > 1 and node is not None:
                other = node_names(node)
                needs, needed = (centre, other) if key == "prerequisites" else (other, centre)
                yield Statement("relation", needs, names, (needed,))
