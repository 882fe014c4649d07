"""Compute hash, order numbers and aliases of a graph again from its nodes and edges."""

from __future__ import annotations

import sqlite3
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.learning.concepts.fingerprint import EMPTY, changed, digest
from groundwire.learning.concepts.graph import EdgeKey, StoredGraph, edge_content
from groundwire.learning.concepts.rules import Rules
from groundwire.vocabulary.fold import fold

_GAP = 1 << 32


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The findings of a rebuild.

    Attributes:
        hash_kept: the hash that was kept.
        hash: the hash of the rows.
        unordered: acyclic relations whose edges lead in a circle; they have no order numbers now.
    """

    hash_kept: str
    hash: str
    unordered: tuple[str, ...]

    @property
    def was_sound(self) -> bool:
        """Whether the kept hash was that of the rows and no relation leads in a circle."""
        return self.hash_kept == self.hash and not self.unordered


def rebuild_graph(connection: sqlite3.Connection, owner: str, rules: Rules) -> Rebuilt:
    """Compute hash, sizes, aliases and order numbers of a graph from its rows.

    It takes as long as reading the graph; no node and no edge is changed.

    Args:
        connection: in a transaction.
        owner: whose graph.
        rules: which relations are acyclic.
    """
    graph = StoredGraph(connection, owner)
    kept = graph.hash()
    nodes, edges = graph.nodes(), graph.edges()
    rows = [one.content for one in nodes]
    rows += [edge_content(key) for key in edges]
    lanes = changed(EMPTY, rows, ())
    connection.execute(
        "INSERT OR REPLACE INTO graphs VALUES (?, ?, ?, ?)", (owner, lanes, len(nodes), len(edges))
    )
    connection.execute("DELETE FROM node_aliases WHERE owner = ?", (owner,))
    connection.executemany(
        "INSERT OR IGNORE INTO node_aliases VALUES (?, ?, ?)",
        [(owner, fold(alias), one.node_id) for one in nodes for alias in one.aliases],
    )
    connection.execute("DELETE FROM places WHERE owner = ?", (owner,))
    unordered: list[str] = []
    for name, relation in rules.relations.items():
        if not relation.acyclic:
            continue
        ordered = _sorted(key for key in edges if key[1] == name)
        if ordered is None:
            unordered.append(name)
            continue
        connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?)",
            [(owner, name, node_id, at * _GAP) for at, node_id in enumerate(ordered)],
        )
    return Rebuilt(kept, digest(lanes), tuple(unordered))


def _sorted(edges: Iterable[EdgeKey]) -> list[str] | None:
    """Return the ends of edges so that each leads to a later one; None where they cannot."""
    following: dict[str, list[str]] = defaultdict(list)
    waits: dict[str, int] = {}
    for source, _, target in edges:
        following[source].append(target)
        waits.setdefault(source, 0)
        waits[target] = waits.get(target, 0) + 1
    ready = deque(node_id for node_id, count in waits.items() if not count)
    found: list[str] = []
    while ready:
        node_id = ready.popleft()
        found.append(node_id)
        for other in following[node_id]:
            waits[other] -= 1
            if not waits[other]:
                ready.append(other)
    return found if len(found) == len(waits) else None
