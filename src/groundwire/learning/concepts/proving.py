"""The proof of a change: it is carried out in a transaction, and stays only where it is sound.

Each stage is a promise about the graph after the whole list: the ends of every edge are of allowed
types, no acyclic relation leads back to where it began, nothing was changed in between, and quotes
stand behind what needs them. What fails leaves no trace in the graph.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from groundwire.learning.concepts.graph import (
    SHARED,
    Delta,
    Node,
    StoredGraph,
    WorkingGraph,
    digest,
)
from groundwire.learning.concepts.language import STAGES, Fault, Stage
from groundwire.learning.concepts.performing import Card
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.concepts.writing import shortest_path
from groundwire.safe_text import safe_name
from groundwire.vocabulary.fold import fold

_MOST_FAULTS = 20
_LONGEST_CYCLE = 40
_OWNERS = (
    "WITH RECURSIVE owners (name) AS (SELECT min(owner) FROM card_concepts UNION ALL"
    " SELECT (SELECT min(owner) FROM card_concepts WHERE owner > name) FROM owners"
    " WHERE name IS NOT NULL)"
    " SELECT c.owner, c.card_id FROM owners JOIN card_concepts c"
    " ON c.owner = owners.name AND c.node_id = ?"
)


@dataclass(frozen=True, slots=True)
class StageResult:
    """The result of one stage.

    Attributes:
        name: the stage.
        faults: what is wrong, so many and no more.
        count: how much is wrong.
    """

    name: Stage
    faults: tuple[Fault, ...]
    count: int

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


@dataclass(slots=True)
class Proof:
    """The results of all stages that were run.

    Attributes:
        stages: those that were run, in their order; the last one may have failed.
        hash_before: the hash of the graph before the change.
        hash_after: the hash after it; the one before where it was refused.
        places: order numbers of what the change touched, by relation and node.
    """

    hash_before: str
    hash_after: str
    stages: list[StageResult] = field(default_factory=list[StageResult])
    places: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])

    def take(self, name: Stage, faults: Sequence[Fault] = ()) -> bool:
        """Note a stage; whether it passed."""
        self.stages.append(StageResult(name, tuple(faults[:_MOST_FAULTS]), len(faults)))
        return not faults

    @property
    def passed(self) -> bool:
        """Whether every stage was run and passed."""
        return len(self.stages) == len(STAGES) and all(one.passed for one in self.stages)


def cards_about(connection: sqlite3.Connection, owner: str, node_id: str) -> list[Card]:
    """Return the cards about a node; of the shared graph those of every learner."""
    if owner == SHARED:
        return connection.execute(_OWNERS, (node_id,)).fetchall()
    return connection.execute(
        "SELECT owner, card_id FROM card_concepts WHERE owner = ? AND node_id = ?",
        (owner, node_id),
    ).fetchall()


def wrong_ends(graph: WorkingGraph, delta: Delta, rules: Rules) -> list[Fault]:
    """Return what is wrong with the ends of edges: of new ones, and of nodes of another type."""
    keys = dict.fromkeys(delta.added)
    for node_id, (before, after) in delta.nodes.items():
        if before is not None and (after is None or after.type != before.type):
            keys |= dict.fromkeys((*graph.edges_from(node_id), *graph.edges_to(node_id)))
    faults: list[Fault] = []
    for a, name, b in keys:
        source, target = graph.node(a), graph.node(b)
        if source is None or target is None:
            missing = a if source is None else b
            faults.append(Fault("ends", 0, f"an edge {name} leads to {missing}, which is gone"))
            continue
        rule = rules.relations[name]
        said = f'"{safe_name(source.name, 80)}" {rule.reads} "{safe_name(target.name, 80)}": '
        fits = source.type in rule.sources and target.type in rule.targets
        if rule.symmetric:
            fits = fits or (target.type in rule.sources and source.type in rule.targets)
        if not fits:
            allowed = f"from {', '.join(rule.sources)} to {', '.join(rule.targets)}"
            ends = f"{source.type} to {target.type}"
            faults.append(
                Fault("ends", 0, f"{said}{name} does not lead from {ends}, only {allowed}")
            )
        elif rule.same_type and source.type != target.type:
            faults.append(Fault("ends", 0, f"{said}both need one type"))
    return faults


def name_clashes(graph: WorkingGraph, delta: Delta) -> list[tuple[Node, Node]]:
    """Return new or renamed nodes of which another has the name, with that node.

    A new alias may be that of several nodes, but no other node's name.
    """
    found: list[tuple[Node, Node]] = []
    for before, after in delta.nodes.values():
        if after is None:
            continue
        others: list[Node] = []
        if before is None or before.name != after.name:
            others += [*graph.named(after.folded), *graph.also_named(after.folded)]
        new = set(after.aliases) - set(before.aliases if before else ())
        others += [one for alias in sorted(new) for one in graph.named(fold(alias))]
        found += [(after, other) for other in others if other.node_id != after.node_id]
    return found


def cycles(graph: WorkingGraph, delta: Delta, rules: Rules) -> list[tuple[str, list[str]]]:
    """Return for each acyclic relation a shortest cycle that new edges close, as ids of nodes."""
    shortest: dict[str, list[str]] = {}
    for a, name, b in delta.added:
        if not rules.relations[name].acyclic:
            continue
        path = shortest_path(graph, name, b, a)
        if path is not None and (name not in shortest or len(path) < len(shortest[name]) - 1):
            shortest[name] = [a, *path]
    return sorted(shortest.items())


def cycle_faults(graph: WorkingGraph, found: Sequence[tuple[str, list[str]]]) -> list[Fault]:
    """Say each cycle as its nodes' names."""
    faults: list[Fault] = []
    for relation, ids in found:
        nodes = [graph.node(node_id) for node_id in ids]
        names = tuple(safe_name(one.name, 80) for one in nodes if one is not None)
        shown = names if len(names) <= 8 else (*names[:4], "…", *names[-3:])
        said = f"{relation} would lead in a circle of {len(names) - 1}: {' -> '.join(shown)}"
        if len(names) > _LONGEST_CYCLE:
            half = _LONGEST_CYCLE // 2
            names = (*names[:half], "…", *names[-half:])
        faults.append(Fault("acyclicity", 0, said, cycle=names))
    return faults


def graph_hash(connection: sqlite3.Connection, owner: str) -> str:
    """Return the kept hash of an owner's graph."""
    return digest(StoredGraph(connection, owner).summary().lanes)
