"""The changes of a graph as they are kept: what was sent, its inverse, its proof."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from groundwire.learning.concepts.graph import Delta, EdgeKey, Node

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
