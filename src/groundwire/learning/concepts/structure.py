"""Numbers about the shape of a graph: those whose inputs exist, and what the others would need."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from groundwire.learning.concepts.graph import EdgeKey, StoredGraph
from groundwire.learning.concepts.results import MetricItem

# What each number is, and what those need that nothing here supplies.
_MEANS = {
    "prerequisite_depth": "edges of the longest chain of prerequisites",
    "isolated_share": "share of nodes that no edge touches",
    "parts": "number of parts that no edge joins",
    "mean_prerequisites": "mean number of direct prerequisites of a node that has any",
    "uncovered_share": "share of nodes that no card is about",
    "quoted_share": "share of edges that a quote stands behind",
    "agreement": "share of edges that two people drew independently",
    "difficulty_order": "share of prerequisites that are easier than what needs them",
    "study_time": "hours of study that a chain of prerequisites takes",
    "transfer": "how much mastery of a prerequisite helps with what needs it",
    "answered_misconceptions": "share of misconceptions that learners gave up",
}
_NEEDS = {
    "quoted_share": "edges that keep their own quotes",
    "agreement": "edges drawn by two people who did not see each other's",
    "difficulty_order": "a difficulty of each concept that was estimated apart from the graph",
    "study_time": "durations of study by concept, not only of reviews",
    "transfer": "answers about both ends of an edge from learners with and without the first",
    "answered_misconceptions": "answers that are marked as showing a misconception",
}


def structural_metrics(graph: StoredGraph) -> list[MetricItem]:
    """Return eleven numbers about a graph: five computed, six that say what they would need.

    An empty graph has none of them.
    """
    nodes = [one.node_id for one in graph.nodes()]
    edges = graph.edges()
    if not nodes:
        return [_lacking(name, "at least one node") for name in _MEANS]
    touched = {end for a, _, b in edges for end in (a, b)}
    needs: dict[str, list[str]] = {}
    for a, relation, b in edges:
        if relation == "prerequisite":
            needs.setdefault(b, []).append(a)
    covered = graph.covered()
    bare = sum(one not in covered for one in nodes)
    isolated = sum(1 for one in nodes if one not in touched)
    found = [
        _number("prerequisite_depth", Fraction(_depth(needs)), len(edges)),
        _number("isolated_share", Fraction(isolated, len(nodes)), len(nodes)),
        _number("parts", Fraction(_parts(nodes, edges)), len(nodes)),
        _number("uncovered_share", Fraction(bare, len(nodes)), len(nodes)),
    ]
    if needs:
        mean = Fraction(sum(map(len, needs.values())), len(needs))
        found.insert(3, _number("mean_prerequisites", mean, len(needs)))
    else:
        found.insert(3, _lacking("mean_prerequisites", "at least one edge prerequisite"))
    return [*found, *(_lacking(name, what) for name, what in _NEEDS.items())]


def _number(name: str, value: Fraction, n: int) -> MetricItem:
    whole = value.denominator == 1
    text = str(value.numerator) if whole else f"{float(value):.3f}"
    return MetricItem(
        metric=name, means=_MEANS[name], status="computed", value=float(value), value_text=text, n=n
    )


def _lacking(name: str, needs: str) -> MetricItem:
    return MetricItem(metric=name, means=_MEANS[name], status="not_enough", needs=needs)


def _depth(needs: dict[str, list[str]]) -> int:
    """Return the edges of the longest chain; what needs what has no cycle."""
    depths: dict[str, int] = {}
    for start in needs:
        stack = [start]
        while stack:
            node_id = stack[-1]
            before = needs.get(node_id, ())
            waiting = [one for one in before if one not in depths]
            if waiting:
                stack += waiting
                continue
            depths[node_id] = max((depths[one] + 1 for one in before), default=0)
            stack.pop()
    return max(depths.values(), default=0)


def _parts(nodes: Iterable[str], edges: Iterable[EdgeKey]) -> int:
    """Return how many parts of the graph no edge joins."""
    leader = {one: one for one in nodes}

    def first(node_id: str) -> str:
        while leader[node_id] != node_id:
            leader[node_id] = leader[leader[node_id]]
            node_id = leader[node_id]
        return node_id

    for a, _, b in edges:
        leader[first(a)] = first(b)
    return sum(leader[one] == one for one in leader)
