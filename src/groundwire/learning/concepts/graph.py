"""A stored graph of concepts: nodes and edges as rows, read as they are asked for.

`StoredGraph` reads one owner's graph. `WorkingGraph` lays changes over it without writing them, so
that a list of operations can be checked as a whole before a row is touched.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from groundwire.vocabulary.fold import fold

_LANES = 1_024
_BITS = 32
_BYTES = _LANES * _BITS // 8
_ONES = sum(1 << (_BITS * lane) for lane in range(_LANES))
# Of each 32 bits the lower 16 hold the number, and the others take what is carried.
_NUMBERS = _ONES * 0xFFFF
_CARRIES = _ONES << 16

EMPTY = bytes(_BYTES)
"""The lanes of a graph without rows."""


def row_text(*cells: str) -> bytes:
    """Return a row of texts as bytes that no other row has."""
    return json.dumps(cells, ensure_ascii=True, separators=(",", ":")).encode()


def changed(lanes: bytes, added: Iterable[bytes], removed: Iterable[bytes]) -> bytes:
    """Return the lanes of a set of rows after some were added and some taken away."""
    total = int.from_bytes(lanes, "little")
    for row in added:
        total = (total + _numbers(row)) & _NUMBERS
    for row in removed:
        total = ((total | _CARRIES) - _numbers(row)) & _NUMBERS
    return total.to_bytes(_BYTES, "little")


def digest(lanes: bytes) -> str:
    """Return the hash that lanes stand for: 64 hexadecimal digits (SHA-256)."""
    return hashlib.sha256(lanes).hexdigest()


def _numbers(row: bytes) -> int:
    return int.from_bytes(hashlib.shake_128(row).digest(_BYTES), "little") & _NUMBERS


SHARED = "*"
"""The owner of the graph that all learners share; no learner is called so."""

EdgeKey = tuple[str, str, str]
"""Source, relation, target."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node.

    Attributes:
        node_id: its handle, random.
        type: one of the profile's types.
        name: its name; no other node of the graph has one that folds alike.
        definition: what it means, or empty.
        aliases: its other names.
        version: how often it was written; it grows when a change is undone, too.
    """

    node_id: str
    type: str
    name: str
    definition: str = ""
    aliases: tuple[str, ...] = ()
    version: int = 1

    @property
    def folded(self) -> str:
        """The key under which all spellings of the name are the same."""
        return fold(self.name)

    @property
    def data(self) -> str:
        """The JSON that is stored of it beside its name."""
        said: dict[str, object] = {}
        if self.aliases:
            said["aliases"] = list(self.aliases)
        if self.definition:
            said["definition"] = self.definition
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))

    @property
    def content(self) -> bytes:
        """The text that enters the hash of the graph: all but the version."""
        return row_text("node", self.node_id, self.type, self.name, self.data)

    def says_as(self, other: Node | None) -> bool:
        """Whether another node is the same but for its version."""
        return other is not None and self.content == other.content


def edge_content(key: EdgeKey) -> bytes:
    """Return the bytes of an edge for the hash of its graph."""
    return row_text("edge", *key)


class Graph(Protocol):
    """The questions that any graph answers."""

    def node(self, node_id: str) -> Node | None:
        """Return a node, or None."""
        ...

    def has_edge(self, key: EdgeKey) -> bool:
        """Whether there is an edge."""
        ...

    def edges_from(self, node_id: str) -> Iterable[EdgeKey]:
        """Return the edges that leave a node."""
        ...

    def edges_to(self, node_id: str) -> Iterable[EdgeKey]:
        """Return the edges that lead to a node."""
        ...

    def targets(self, node_id: str, relation: str) -> Iterable[str]:
        """Return where edges of a relation lead from a node."""
        ...

    def sources(self, node_id: str, relation: str) -> Iterable[str]:
        """Return where edges of a relation come from that lead to a node."""
        ...

    def folded_names(self) -> dict[str, str]:
        """Return the folded name of every node, by its id."""
        ...

    def named(self, folded: str) -> Iterable[Node]:
        """Return the nodes whose names fold so: at most one in a stored graph."""
        ...

    def also_named(self, folded: str) -> Iterable[Node]:
        """Return the nodes that have an alias that folds so."""
        ...


class StoredGraph:
    """The graph of one owner as it is stored.

    Args of each method are ids of nodes; a connection in a transaction sees one state throughout.
    """

    def __init__(self, connection: sqlite3.Connection | None, owner: str) -> None:
        """Read the graph of an owner; without a connection it is empty."""
        self._connection = connection
        self.owner = owner

    def _rows(self, text: str, *arguments: object) -> Iterable[tuple[str, ...]]:
        if self._connection is None:
            return ()
        return self._connection.execute(text, (self.owner, *arguments))

    def node(self, node_id: str) -> Node | None:
        """Return a node, or None."""
        found = self._nodes("node_id = ?", node_id)
        return found[0] if found else None

    def _nodes(self, condition: str, *arguments: object) -> list[Node]:
        # The conditions are those of this module.
        text = (
            f"SELECT node_id, type, name, data, version FROM nodes WHERE owner = ? AND {condition}"  # noqa: S608 - names of ours, no value of a caller
        )
        return [_node(*row) for row in self._rows(text, *arguments)]

    def named(self, folded: str) -> list[Node]:
        """Return the nodes whose names fold so: at most one."""
        return self._nodes("folded = ?", folded)

    def also_named(self, folded: str) -> list[Node]:
        """Return the nodes that have an alias that folds so."""
        rows = self._rows("SELECT node_id FROM node_aliases WHERE owner = ? AND folded = ?", folded)
        found = [self.node(node_id) for (node_id,) in list(rows)]
        return [one for one in found if one is not None]

    def folded_names(self) -> dict[str, str]:
        """Return the folded name of every node, by its id."""
        return dict(self._rows("SELECT node_id, folded FROM nodes WHERE owner = ?"))  # type: ignore[arg-type]  # each row has two columns

    def nodes(self) -> list[Node]:
        """Return every node, by id."""
        return self._nodes("1 ORDER BY node_id")

    def edges(self) -> list[EdgeKey]:
        """Return every edge."""
        text = "SELECT source_id, relation, target_id FROM edges WHERE owner = ? ORDER BY 1, 2, 3"
        return [(a, relation, b) for a, relation, b in self._rows(text)]

    def has_edge(self, key: EdgeKey) -> bool:
        """Whether there is an edge."""
        text = (
            "SELECT 1 FROM edges WHERE owner = ? AND source_id = ? AND relation = ?"
            " AND target_id = ?"
        )
        return any(True for _ in self._rows(text, *key))

    def edges_from(self, node_id: str) -> list[EdgeKey]:
        """Return the edges that leave a node."""
        text = "SELECT source_id, relation, target_id FROM edges WHERE owner = ? AND source_id = ?"
        return [(a, relation, b) for a, relation, b in self._rows(text, node_id)]

    def edges_to(self, node_id: str) -> list[EdgeKey]:
        """Return the edges that lead to a node."""
        text = "SELECT source_id, relation, target_id FROM edges WHERE owner = ? AND target_id = ?"
        return [(a, relation, b) for a, relation, b in self._rows(text, node_id)]

    def targets(self, node_id: str, relation: str) -> list[str]:
        """Return where edges of a relation lead from a node."""
        text = "SELECT target_id FROM edges WHERE owner = ? AND source_id = ? AND relation = ?"
        return [target for (target,) in self._rows(text, node_id, relation)]

    def sources(self, node_id: str, relation: str) -> list[str]:
        """Return where edges of a relation come from that lead to a node."""
        text = "SELECT source_id FROM edges WHERE owner = ? AND target_id = ? AND relation = ?"
        return [source for (source,) in self._rows(text, node_id, relation)]

    def covered(self) -> set[str]:
        """Return the ids of the nodes that cards are about; of the shared graph, anybody's."""
        if self.owner == SHARED:
            rows = self._rows(
                "SELECT DISTINCT c.node_id FROM card_concepts c JOIN nodes n"
                " ON n.owner = ? AND n.node_id = c.node_id"
            )
        else:
            rows = self._rows("SELECT DISTINCT node_id FROM card_concepts WHERE owner = ?")
        return {node_id for (node_id,) in rows}

    def summary(self) -> Summary:
        """Return the graph's hash and size."""
        if self._connection is not None:
            text = "SELECT lanes, nodes, edges FROM graphs WHERE owner = ?"
            for row in self._connection.execute(text, (self.owner,)):
                return Summary(*row)
        return Summary(EMPTY, 0, 0)

    def hash(self) -> str:
        """Return the hash of the graph from the summary that is kept of it."""
        return digest(self.summary().lanes)

    def computed_hash(self) -> str:
        """Return the hash of the graph, computed from every row of it."""
        rows = [one.content for one in self.nodes()]
        rows += [edge_content(key) for key in self.edges()]
        return digest(changed(EMPTY, rows, ()))


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary that is kept of a whole graph.

    Attributes:
        lanes: its hash as it is added to.
        nodes: how many nodes it has.
        edges: how many edges it has.
    """

    lanes: bytes
    nodes: int
    edges: int


def _node(node_id: str, type_: str, name: str, data: str, version: str) -> Node:
    said = json.loads(data)
    aliases = tuple(said.get("aliases", ()))
    return Node(node_id, type_, name, said.get("definition", ""), aliases, int(version))


@dataclass(frozen=True, slots=True)
class Delta:
    """The difference that a change makes to a graph.

    Attributes:
        nodes: what each changed node was and is, by its id; None where there is none.
        added: edges that are new.
        removed: edges that are gone.
    """

    nodes: Mapping[str, tuple[Node | None, Node | None]]
    added: tuple[EdgeKey, ...]
    removed: tuple[EdgeKey, ...]

    def touched(self) -> set[str]:
        """Return the ids of the nodes that it touches, ends of edges too."""
        ends = {end for a, _, b in (*self.added, *self.removed) for end in (a, b)}
        return ends | set(self.nodes)

    def inverse(self) -> Delta:
        """Return the change that takes it back."""
        nodes = {node_id: (after, before) for node_id, (before, after) in self.nodes.items()}
        return Delta(nodes, self.removed, self.added)


@dataclass(slots=True)
class WorkingGraph:
    """A graph with changes laid over what is stored; nothing is written."""

    stored: StoredGraph
    _nodes: dict[str, Node | None] = field(default_factory=dict[str, Node | None])
    _edges: dict[EdgeKey, bool] = field(default_factory=dict[EdgeKey, bool])
    _names: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    _aliases: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    _leaving: dict[str, set[EdgeKey]] = field(default_factory=dict[str, set[EdgeKey]])
    _coming: dict[str, set[EdgeKey]] = field(default_factory=dict[str, set[EdgeKey]])

    def node(self, node_id: str) -> Node | None:
        """Return a node, or None."""
        return self._nodes[node_id] if node_id in self._nodes else self.stored.node(node_id)

    def folded_names(self) -> dict[str, str]:
        """Return the folded name of every node, by its id."""
        found = self.stored.folded_names()
        for node_id, node in self._nodes.items():
            if node is None:
                found.pop(node_id, None)
            else:
                found[node_id] = node.folded
        return found

    def put(self, node: Node) -> None:
        """Add a node, or write it anew."""
        self._nodes[node.node_id] = node
        self._names.setdefault(node.folded, set()).add(node.node_id)
        for alias in node.aliases:
            self._aliases.setdefault(fold(alias), set()).add(node.node_id)

    def drop(self, node_id: str) -> None:
        """Take a node away; its edges are the caller's to take."""
        self._nodes[node_id] = None

    def named(self, folded: str) -> Iterator[Node]:
        """Return the nodes whose names fold so."""
        for one in self._candidates(self.stored.named(folded), self._names.get(folded, ())):
            if one.folded == folded:
                yield one

    def also_named(self, folded: str) -> Iterator[Node]:
        """Return the nodes that have an alias that folds so."""
        found = self._candidates(self.stored.also_named(folded), self._aliases.get(folded, ()))
        for one in found:
            if any(fold(alias) == folded for alias in one.aliases):
                yield one

    def _candidates(self, stored: Iterable[Node], laid: Iterable[str]) -> Iterator[Node]:
        for node_id in dict.fromkeys([*(one.node_id for one in stored), *sorted(laid)]):
            found = self.node(node_id)
            if found is not None:
                yield found

    def has_edge(self, key: EdgeKey) -> bool:
        """Whether there is an edge."""
        return self._edges[key] if key in self._edges else self.stored.has_edge(key)

    def put_edge(self, key: EdgeKey) -> None:
        """Add an edge."""
        self._lay(key, there=True)

    def drop_edge(self, key: EdgeKey) -> None:
        """Take an edge away."""
        self._lay(key, there=False)

    def _lay(self, key: EdgeKey, *, there: bool) -> None:
        self._edges[key] = there
        self._leaving.setdefault(key[0], set()).add(key)
        self._coming.setdefault(key[2], set()).add(key)

    def edges_from(self, node_id: str) -> list[EdgeKey]:
        """Return the edges that leave a node."""
        return self._laid(self.stored.edges_from(node_id), self._leaving.get(node_id))

    def edges_to(self, node_id: str) -> list[EdgeKey]:
        """Return the edges that lead to a node."""
        return self._laid(self.stored.edges_to(node_id), self._coming.get(node_id))

    def _laid(self, stored: list[EdgeKey], laid: set[EdgeKey] | None) -> list[EdgeKey]:
        if not laid:
            return stored
        kept = [key for key in stored if key not in laid]
        return kept + sorted(key for key in laid if self._edges[key])

    def targets(self, node_id: str, relation: str) -> list[str]:
        """Return where edges of a relation lead from a node."""
        stored = self.stored.targets(node_id, relation)
        laid = self._leaving.get(node_id)
        if not laid:
            return stored
        keys = self._laid([(node_id, relation, one) for one in stored], laid)
        return [b for _, name, b in keys if name == relation]

    def sources(self, node_id: str, relation: str) -> list[str]:
        """Return where edges of a relation come from that lead to a node."""
        stored = self.stored.sources(node_id, relation)
        laid = self._coming.get(node_id)
        if not laid:
            return stored
        keys = self._laid([(one, relation, node_id) for one in stored], laid)
        return [a for a, name, _ in keys if name == relation]

    def apply(self, delta: Delta) -> None:
        """Lay a change over the graph, whether or not it fits."""
        for node_id, (_, after) in delta.nodes.items():
            if after is None:
                self.drop(node_id)
            else:
                self.put(after)
        for key in delta.removed:
            self.drop_edge(key)
        for key in delta.added:
            self.put_edge(key)

    def delta(self) -> Delta:
        """Return what is different from the stored graph; what came and went again is not."""
        nodes: dict[str, tuple[Node | None, Node | None]] = {}
        for node_id, after in sorted(self._nodes.items()):
            before = self.stored.node(node_id)
            same = after is None if before is None else before.says_as(after)
            if not same:
                nodes[node_id] = (before, after)
        there = {key: self.stored.has_edge(key) for key in self._edges}
        added = sorted(key for key, now in self._edges.items() if now and not there[key])
        removed = sorted(key for key, now in self._edges.items() if there[key] and not now)
        return Delta(nodes, tuple(added), tuple(removed))
