"""The changes of a graph as they are kept: sent, inverse, proof; and taking one back by them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, cast

from groundwire.learning.concepts.graph import Delta, EdgeKey, Node, StoredGraph, WorkingGraph
from groundwire.learning.concepts.language import Fault
from groundwire.learning.concepts.performing import CardMove
from groundwire.learning.concepts.proving import cards_about, cycles, name_clashes
from groundwire.learning.concepts.rules import Rules
from groundwire.safe_text import safe_name

Status = Literal["committed", "pending_review", "revision_requested", "rejected"]

_COLUMNS = (
    "sequence, change_id, author, status, rationale, operations, inverse, proof, undoes, at_ms"
)


@dataclass(frozen=True, slots=True)
class Change:
    """A change as it is kept.

    Attributes:
        sequence: its place among all changes; a change that was reviewed has that of its commit.
        change_id: its handle.
        author: who sent it.
        status: what became of it.
        rationale: why it was made.
        operations: what was sent.
        inverse: the change that takes it back; None where it was never committed.
        proof: hashes, order numbers, quotes and the words of reviewers.
        undoes: the handle of the change that it takes back, or None.
        at_ms: when, in milliseconds since 1970 in UTC.
    """

    sequence: int
    change_id: str
    author: str
    status: Status
    rationale: str
    operations: Sequence[dict[str, Any]]
    inverse: Delta | None
    proof: dict[str, Any]
    undoes: str | None
    at_ms: int


def delta_text(delta: Delta) -> str:
    """Return a delta as JSON."""
    nodes = [[key, _node_tree(a), _node_tree(b)] for key, (a, b) in delta.nodes.items()]
    tree = {"nodes": nodes, "added": delta.added, "removed": delta.removed}
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def delta_of(text: str) -> Delta | None:
    """Return a delta that was kept as JSON; None for that of a change that was never committed."""
    tree = json.loads(text)
    if not tree:
        return None
    nodes = {key: (_node(key, a), _node(key, b)) for key, a, b in tree["nodes"]}
    return Delta(nodes, _keys(tree["added"]), _keys(tree["removed"]))


def _keys(rows: Iterable[Sequence[str]]) -> tuple[EdgeKey, ...]:
    return tuple((a, relation, b) for a, relation, b in rows)


def _node_tree(node: Node | None) -> list[Any] | None:
    if node is None:
        return None
    return [node.type, node.name, node.definition, node.aliases, node.version]


def _node(node_id: str, tree: Sequence[Any] | None) -> Node | None:
    if tree is None:
        return None
    type_, name, definition, aliases, version = tree
    return Node(node_id, type_, name, definition, tuple(aliases), version)


def read_change(connection: sqlite3.Connection, owner: str, change_id: str) -> Change | None:
    """Return a change of a graph by its handle, or None."""
    # The columns are those of this module.
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM changes WHERE owner = ? AND change_id = ?",  # noqa: S608 - names of ours, no value of a caller
        (owner, change_id),
    ).fetchone()
    return row and _change(row)


def _change(row: Sequence[Any]) -> Change:
    sequence, change_id, author, status, rationale, operations, inverse, proof, undoes, at = row
    return Change(
        sequence, change_id, author, status, rationale, json.loads(operations), delta_of(inverse),
        json.loads(proof), undoes, at,
    )  # fmt: skip


def waiting(
    connection: sqlite3.Connection, owner: str, offset: int, limit: int
) -> tuple[list[Change], int]:
    """Return changes that wait for a second owner, oldest first, and how many there are."""
    states = ("pending_review", "revision_requested")
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM changes WHERE owner = ? AND status IN (?, ?)"  # noqa: S608 - names of ours, no value of a caller
        " ORDER BY sequence LIMIT ? OFFSET ?",
        (owner, *states, limit, offset),
    ).fetchall()
    (count,) = connection.execute(
        "SELECT count(*) FROM changes WHERE owner = ? AND status IN (?, ?)", (owner, *states)
    ).fetchone()
    return [_change(row) for row in rows], count


def undone_by(connection: sqlite3.Connection, owner: str, change_id: str) -> str | None:
    """Return the handle of the committed change that took this one back, or None."""
    row = connection.execute(
        "SELECT change_id FROM changes WHERE owner = ? AND undoes = ? AND status = 'committed'"
        " AND change_id NOT IN (SELECT undoes FROM changes WHERE owner = ? AND undoes IS NOT NULL"
        " AND status = 'committed')",
        (owner, change_id, owner),
    ).fetchone()
    return row and row[0]


def keep(connection: sqlite3.Connection, owner: str, change: Change, delta: Delta | None) -> int:
    """Keep a change, in place of an earlier state of it.

    Args:
        connection: in a transaction.
        owner: whose graph.
        change: the change; its `sequence` and `inverse` are not looked at.
        delta: what it changed, where it is committed.

    Returns:
        its place among all changes.
    """
    connection.execute(
        "DELETE FROM changes WHERE owner = ? AND change_id = ?", (owner, change.change_id)
    )
    cursor = connection.execute(
        "INSERT INTO changes (owner, change_id, author, status, rationale, operations, inverse,"
        " proof, undoes, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            owner,
            change.change_id,
            change.author,
            change.status,
            change.rationale,
            # As it was sent: escapes keep even what is no character.
            json.dumps(change.operations, separators=(",", ":")),
            delta_text(delta.inverse()) if delta else "{}",
            json.dumps(change.proof, ensure_ascii=False, separators=(",", ":")),
            change.undoes,
            change.at_ms,
        ),
    )
    sequence = cast("int", cursor.lastrowid)
    if delta is not None:
        connection.executemany(
            "INSERT INTO touched VALUES (?, ?, ?)",
            [(owner, node_id, sequence) for node_id in sorted(delta.touched())],
        )
    return sequence


def later_changes(
    connection: sqlite3.Connection, owner: str, sequence: int, nodes: Iterable[str]
) -> list[Change]:
    """Return committed changes after a place that touched any of these nodes and still stand."""
    found: dict[int, Change] = {}
    for node_id in nodes:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM changes WHERE sequence IN"  # noqa: S608 - names of ours, no value of a caller
            " (SELECT sequence FROM touched WHERE owner = ? AND node_id = ? AND sequence > ?)",
            (owner, node_id, sequence),
        )
        found |= {row[0]: _change(row) for row in rows}
    return [
        found[key]
        for key in sorted(found)
        if not undone_by(connection, owner, found[key].change_id)
    ]


def forget_learner(connection: sqlite3.Connection, owner: str, shared: str) -> None:
    """Erase a learner's graph and its changes, and the learner's name from shared changes.

    What a learner added to the shared graph stays, since others build on it; who proposed or
    reviewed it does not.

    Args:
        connection: in a transaction.
        owner: the learner.
        shared: the owner of the shared graph.
    """
    for table in (
        "nodes", "edges", "node_aliases", "places", "graphs", "changes", "touched", "moved_cards",
        "card_concepts",
    ):  # fmt: skip
        # The tables are those of this function.
        connection.execute(f"DELETE FROM {table} WHERE owner = ?", (owner,))  # noqa: S608 - names of ours, no value of a caller
    connection.execute(
        "UPDATE changes SET author = '' WHERE owner = ? AND author = ?", (shared, owner)
    )
    rows = connection.execute(
        "SELECT sequence, proof FROM changes WHERE owner = ? AND proof LIKE '%\"reviews\"%'",
        (shared,),
    ).fetchall()
    for sequence, text in rows:
        proof = json.loads(text)
        for review in proof.get("reviews", ()):
            if review["by"] == owner:
                review["by"] = ""
        connection.execute(
            "UPDATE changes SET proof = ? WHERE sequence = ?",
            (json.dumps(proof, ensure_ascii=False, separators=(",", ":")), sequence),
        )


_MOST_NAMED = 5


def moves_back(connection: sqlite3.Connection, change_id: str) -> tuple[list[CardMove], int]:
    """Return how the cards that a change moved go back, and how many stay where they are.

    A card stays that is no longer about the node that the change moved it to.
    """
    rows = connection.execute(
        "SELECT owner, card_id, from_id, to_id, how FROM moved_cards WHERE change_id = ?"
        " ORDER BY ordinal DESC",
        (change_id,),
    ).fetchall()
    about: dict[tuple[str, str], set[str]] = {}
    found: list[CardMove] = []
    stay = 0
    for owner, card, source, target, how in rows:
        key = (owner, card)
        if key not in about:
            stored = connection.execute(
                "SELECT node_id FROM card_concepts WHERE owner = ? AND card_id = ?", key
            )
            about[key] = {node_id for (node_id,) in stored}
        # Of a copy both are there: it is the second that goes again.
        if not ({source, target} if how == "copied" else {target}) <= about[key]:
            stay += 1
            continue
        if how == "copied":
            found.append(CardMove(key, target, source, "joined"))
            about[key].discard(target)
            continue
        found.append(CardMove(key, target, source, "moved" if how == "moved" else "copied"))
        about[key].add(source)
        if how == "moved":
            about[key].discard(target)
    return found, stay


class Undoing:
    """Checks whether the inverse of a change still fits the graph."""

    def __init__(
        self, connection: sqlite3.Connection, owner: str, change: Change, rules: Rules
    ) -> None:
        """Take the change; it has an inverse.

        Args:
            connection: the file of learning, in a transaction.
            owner: whose graph.
            change: the change that is taken back.
            rules: which relations are acyclic.
        """
        assert change.inverse is not None
        self._connection = connection
        self._owner = owner
        self._change = change
        self._rules = rules
        self.delta: Delta = change.inverse
        self.graph = WorkingGraph(StoredGraph(connection, owner))
        self._later: dict[frozenset[str], list[Change]] = {}

    def conflicts(self) -> list[Fault]:
        """Return what stands in the way of it; where nothing does, the graph has it laid over.

        Each fault names the later changes to be taken back first.
        """
        stored = self.graph.stored
        faults = [*self._changed_nodes(stored), *self._changed_edges(stored)]
        faults += [*self._hanging(stored), *self._missing(stored)]
        if faults:
            return faults
        self.graph.apply(self.delta)
        for node, other in name_clashes(self.graph, self.delta):
            said = f'"{safe_name(node.name)}" is what another node is called now'

            def named(one: Delta, other_id: str = other.node_id) -> bool:
                return other_id in one.nodes

            faults.append(self._fault(said, [other.node_id], named))
        for relation, ids in cycles(self.graph, self.delta, self._rules):
            closing = {(a, relation, b) for a, b in pairwise(ids)} - set(self.delta.added)

            def added(one: Delta, closing: set[EdgeKey] = closing) -> bool:
                return bool(closing & set(one.added))

            nodes = [self.graph.node(one) for one in ids]
            names = " -> ".join(safe_name(one.name, 80) for one in nodes if one is not None)
            said = f"{relation} would lead in a circle: {names}"
            faults.append(self._fault(said, ids, added))
        return faults

    def _changed_nodes(self, stored: StoredGraph) -> Iterable[Fault]:
        for node_id, (before, _) in self.delta.nodes.items():
            now = stored.node(node_id)
            same = now is None if before is None else before.says_as(now)
            if not same:
                name = next(one.name for one in (now, before) if one is not None)
                said = f'"{safe_name(name)}" was changed since'
                yield self._fault(said, [node_id], lambda one, key=node_id: key in one.nodes)

    def _changed_edges(self, stored: StoredGraph) -> Iterable[Fault]:
        expected = [(key, True) for key in self.delta.removed]
        expected += [(key, False) for key in self.delta.added]
        for key, there in expected:
            if stored.has_edge(key) != there:
                said = f"an edge {key[1]} was {'removed' if there else 'added'} since"
                yield self._fault(
                    said,
                    [key[0], key[2]],
                    lambda one, key=key: key in one.added or key in one.removed,
                )

    def _hanging(self, stored: StoredGraph) -> Iterable[Fault]:
        """Return the edges and cards that hang on nodes which the undo takes away."""
        gone = [key for key, (_, after) in self.delta.nodes.items() if after is None]
        back = {
            (one.card, one.source)
            for one in moves_back(self._connection, self._change.change_id)[0]
        }
        for node_id in gone:
            keys = {*stored.edges_from(node_id), *stored.edges_to(node_id)}
            more = keys - set(self.delta.removed)
            node = stored.node(node_id)
            name = safe_name(node.name) if node else node_id
            if more:
                said = f'"{name}" has edges that were added since'
                yield self._fault(said, [node_id], lambda one, m=more: bool(m & set(one.added)))
            cards = cards_about(self._connection, self._owner, node_id)
            left = [card for card in cards if (card, node_id) not in back]
            if left:
                said = f'"{name}" has cards that are about it since: {len(left)}'
                yield Fault("conflicts", 0, said)

    def _missing(self, stored: StoredGraph) -> Iterable[Fault]:
        """Ends of edges that the undo brings back, which are gone."""
        for key in self.delta.added:
            for end in (key[0], key[2]):
                if stored.node(end) is None and end not in self.delta.nodes:
                    said = f"the end of an edge {key[1]} is gone"
                    yield self._fault(said, [end], lambda one, end=end: end in one.nodes)

    def _fault(self, said: str, nodes: Sequence[str], concerns: Callable[[Delta], bool]) -> Fault:
        """A fault with the later changes that it is due to."""
        key = frozenset(nodes)
        if key not in self._later:
            self._later[key] = later_changes(
                self._connection, self._owner, self._change.sequence, nodes
            )
        found = [
            one.change_id
            for one in self._later[key]
            if one.inverse is not None and concerns(one.inverse.inverse())
        ]
        told = f": undo {', '.join(found[:_MOST_NAMED])} first" if found else ""
        return Fault("conflicts", 0, f"{said}{told}", depends=tuple(found[:_MOST_NAMED]))
