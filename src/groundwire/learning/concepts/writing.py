"""Writes of a graph, edge by edge, with the order numbers that show that no relation has a cycle.

What is written in a trial is taken back unless it is kept.

Every node that a relation touches has a number, and every edge leads to a larger one. An edge that
already does so costs two look-ups. One that leads back is searched from both ends at once, among
the numbers between them alone: the side that is exhausted first is moved past the other end, and
where the two sides meet there is a cycle. Source of the search: Pearce and Kelly, "A dynamic
topological sort algorithm for directed acyclic graphs", 2006; Bender, Fineman, Gilbert and Tarjan,
"A new approach to incremental cycle detection and related problems", 2015, section 2.

Numbers are far apart, so that nodes are moved between two others without numbering them anew.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from heapq import heappop, heappush

from groundwire.learning.concepts.graph import (
    Delta,
    Graph,
    Node,
    StoredGraph,
    changed,
    edge_content,
)
from groundwire.learning.concepts.performing import CardMove
from groundwire.learning.concepts.rules import Rules
from groundwire.vocabulary.fold import fold

_GAP = 1 << 32
# Where numbers are made room for, this many lie between two neighbours at least.
_ROOM = 1 << 8
_LIMIT = (1 << 62) - 1


class Order:
    """The order numbers of one relation of one graph; they are read and written in place."""

    def __init__(self, connection: sqlite3.Connection, owner: str, relation: str) -> None:
        """Keep the order of a relation on a connection that is in a transaction."""
        self._connection = connection
        self._key = (owner, relation)

    def place(self, node_id: str) -> int | None:
        """Return the number of a node, or None where no edge of the relation ever met it."""
        found = self._connection.execute(
            "SELECT place FROM places WHERE owner = ? AND relation = ? AND node_id = ?",
            (*self._key, node_id),
        ).fetchone()
        return found and found[0]

    def admits(self, source: str, target: str) -> bool:
        """Make the order fit an edge that is not stored yet.

        Returns:
            False, and nothing is changed, where the edge closes a cycle with those stored.
        """
        if source == target:
            return False
        before, after = self.place(source), self.place(target)
        if before is None:
            first = self._end("min", -_GAP) if after is not None else self._end("max", _GAP)
            self._put([(source, first)])
            before = first
        if after is None:
            self._put([(target, self._end("max", _GAP))])
            return True
        if before < after:
            return True
        moved = self._searched(source, target, before, after)
        if moved is None:
            return False
        nodes, is_target_side = moved
        if is_target_side:
            self._move(nodes, source, after=True)
        else:
            self._move(nodes, target, after=False)
        return True

    def forget(self, node_id: str) -> None:
        """Drop the number of a node that is gone."""
        self._connection.execute(
            "DELETE FROM places WHERE owner = ? AND relation = ? AND node_id = ?",
            (*self._key, node_id),
        )

    def _end(self, which: str, gap: int) -> int:
        # `which` is min or max.
        text = f"SELECT {which}(place) FROM places WHERE owner = ? AND relation = ?"  # noqa: S608 - names of ours, no value of a caller
        (found,) = self._connection.execute(text, self._key).fetchone()
        place = (found or 0) + gap
        if abs(place) > _LIMIT:
            raise OverflowError("order numbers are used up")
        return place

    def _put(self, places: Iterable[tuple[str, int]]) -> None:
        self._connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?)"
            " ON CONFLICT (owner, relation, node_id) DO UPDATE SET place = excluded.place",
            [(*self._key, node_id, place) for node_id, place in places],
        )

    def _searched(
        self, source: str, target: str, high: int, low: int
    ) -> tuple[list[str], bool] | None:
        """Search between two numbers from both ends, by turns.

        Returns:
            the nodes of the side that was exhausted first in their order, and whether it is that
            of the target; None where the sides meet.
        """
        forward, backward = {target: low}, {source: high}
        # What is nearest to the other end comes first, so that a cycle is soon found.
        ahead, behind = [(-low, target)], [(high, source)]
        while True:
            if not ahead:
                return sorted(forward, key=forward.__getitem__), True
            for node_id, place in self._following(heappop(ahead)[1], high):
                if node_id in backward:
                    return None
                if node_id not in forward:
                    forward[node_id] = place
                    heappush(ahead, (-place, node_id))
            if not behind:
                return sorted(backward, key=backward.__getitem__), False
            for node_id, place in self._preceding(heappop(behind)[1], low):
                if node_id in forward:
                    return None
                if node_id not in backward:
                    backward[node_id] = place
                    heappush(behind, (place, node_id))

    def _following(self, node_id: str, high: int) -> list[tuple[str, int]]:
        owner, relation = self._key
        return self._connection.execute(
            "SELECT e.target_id, p.place FROM edges e CROSS JOIN places p ON p.owner = e.owner"
            " AND p.relation = e.relation AND p.node_id = e.target_id"
            " WHERE e.owner = ? AND e.source_id = ? AND e.relation = ? AND p.place <= ?",
            (owner, node_id, relation, high),
        ).fetchall()

    def _preceding(self, node_id: str, low: int) -> list[tuple[str, int]]:
        owner, relation = self._key
        return self._connection.execute(
            "SELECT e.source_id, p.place FROM edges e CROSS JOIN places p ON p.owner = e.owner"
            " AND p.relation = e.relation AND p.node_id = e.source_id"
            " WHERE e.owner = ? AND e.target_id = ? AND e.relation = ? AND p.place >= ?",
            (owner, node_id, relation, low),
        ).fetchall()

    def _move(self, nodes: Sequence[str], beside: str, *, after: bool) -> None:
        """Move nodes, in this order, right after or right before another."""
        place = self.place(beside)
        assert place is not None
        owner, relation = self._key
        side, order = (">", "") if after else ("<", " DESC")
        # What is moved lies on the other side of `beside`, but for what was moved before.
        text = (
            f"SELECT place FROM places WHERE owner = ? AND relation = ? AND place {side} ?"  # noqa: S608 - names of ours, no value of a caller
            f" ORDER BY place{order} LIMIT 1"
        )
        found = self._connection.execute(text, (owner, relation, place)).fetchone()
        other = found[0] if found else place + (_GAP if after else -_GAP) * (len(nodes) + 1)
        low, high = (place, other) if after else (other, place)
        step = (high - low) // (len(nodes) + 1)
        if step >= 1:
            self._put((one, low + step * (at + 1)) for at, one in enumerate(nodes))
        else:
            self._make_room(nodes, beside, place, after=after)

    def _make_room(self, nodes: Sequence[str], beside: str, place: int, *, after: bool) -> None:
        """Number a stretch around a node anew, with others moved in beside it."""
        moved = set(nodes)
        reach = max(8, len(nodes))
        while True:
            left, low = self._stretch(place, reach, "<", "DESC")
            right, high = self._stretch(place, reach, ">", "ASC")
            kept_left = [one for one in reversed(left) if one not in moved]
            kept_right = [one for one in right if one not in moved]
            middle = [beside, *nodes] if after else [*nodes, beside]
            stretch = [*kept_left, *middle, *kept_right]
            step = (high - low) // (len(stretch) + 1)
            if step >= _ROOM:
                self._put((one, low + step * (at + 1)) for at, one in enumerate(stretch))
                return
            reach *= 2

    def _stretch(self, place: int, reach: int, side: str, order: str) -> tuple[list[str], int]:
        """Return up to so many neighbours on one side, and a number beyond them."""
        text = (
            "SELECT node_id, place FROM places WHERE owner = ? AND relation = ?"  # noqa: S608 - names of ours, no value of a caller
            f" AND place {side} ? ORDER BY place {order} LIMIT ?"
        )
        found = self._connection.execute(text, (*self._key, place, reach + 1)).fetchall()
        if len(found) > reach:
            beyond = found[reach][1]
        else:
            last = found[-1][1] if found else place
            beyond = last + (_GAP if side == ">" else -_GAP) * (reach + 1)
        return [node_id for node_id, _ in found[:reach]], beyond


def shortest_path(graph: Graph, relation: str, start: str, end: str) -> list[str] | None:
    """Return a shortest path of a relation from one node to another, or None.

    It is searched from both ends, by turns of the smaller rim.
    """
    if start == end:
        return [start]
    forward: dict[str, str | None] = {start: None}
    backward: dict[str, str | None] = {end: None}
    ahead, behind = [start], [end]
    while ahead and behind:
        turn = len(ahead) <= len(behind)
        rim, seen, other = (ahead, forward, backward) if turn else (behind, backward, forward)
        step = graph.targets if turn else graph.sources
        reached: list[str] = []
        met: str | None = None
        for node_id in rim:
            for near in step(node_id, relation):
                if near not in seen:
                    seen[near] = node_id
                    reached.append(near)
                if near in other and met is None:
                    met = near
        if met is not None:
            return [*reversed(_trail(forward, met)), *_trail(backward, met)[1:]]
        if turn:
            ahead = reached
        else:
            behind = reached
    return None


def _trail(seen: dict[str, str | None], node_id: str) -> list[str]:
    found = [node_id]
    while (before := seen[found[-1]]) is not None:
        found.append(before)
    return found


@contextmanager
def trial(connection: sqlite3.Connection) -> Generator[Trial]:
    """Yield a trial whose writes are taken back unless they are kept."""
    connection.execute("SAVEPOINT trial")
    one = Trial()
    try:
        yield one
    finally:
        if not one.kept:
            connection.execute("ROLLBACK TO trial")
        connection.execute("RELEASE trial")


class Trial:
    """Writes that may be taken back."""

    def __init__(self) -> None:
        self.kept = False

    def keep(self) -> None:
        """Let the writes stay."""
        self.kept = True


def write(
    connection: sqlite3.Connection,
    owner: str,
    delta: Delta,
    rules: Rules,
    *,
    restored: bool = False,
) -> dict[str, dict[str, int]] | None:
    """Write a change, edge by edge with its order numbers.

    Args:
        connection: in a transaction that the caller takes back where this refuses.
        owner: whose graph.
        delta: the change.
        rules: which relations are acyclic.
        restored: whether nodes that are added were there before; their versions go on.

    Returns:
        the order numbers of the ends of new edges; None where an edge closes a cycle.
    """
    connection.executemany(
        "DELETE FROM edges WHERE owner = ? AND source_id = ? AND relation = ? AND target_id = ?",
        [(owner, *key) for key in delta.removed],
    )
    orders = {
        name: Order(connection, owner, name) for name, one in rules.relations.items() if one.acyclic
    }
    for node_id, (before, after) in delta.nodes.items():
        connection.execute(
            "DELETE FROM node_aliases WHERE owner = ? AND node_id = ? AND folded IN"
            " (SELECT value FROM json_each(?))",
            (owner, node_id, _folded(before)),
        )
        if after is None:
            connection.execute(
                "DELETE FROM nodes WHERE owner = ? AND node_id = ?", (owner, node_id)
            )
            for order in orders.values():
                order.forget(node_id)
        else:
            _write_node(connection, owner, before, after, restored=restored)
    for source, name, target in delta.added:
        if name in orders and not orders[name].admits(source, target):
            return None
        connection.execute(
            "INSERT INTO edges VALUES (?, ?, ?, ?, '{}')", (owner, source, name, target)
        )
    places: dict[str, dict[str, int]] = {}
    for source, name, target in delta.added:
        if name in orders:
            for node_id in (source, target):
                place = orders[name].place(node_id)
                if place is not None:
                    places.setdefault(name, {})[node_id] = place
    _write_summary(connection, owner, delta)
    return places


def _folded(node: Node | None) -> str:
    return json.dumps([fold(alias) for alias in node.aliases] if node else [])


def _write_node(
    connection: sqlite3.Connection, owner: str, before: Node | None, after: Node, *, restored: bool
) -> None:
    # A node that is restored was written once more when it was taken away.
    earlier = before.version if before else after.version + 1 if restored else 0
    version = earlier + 1
    connection.execute(
        "INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner, node_id) DO UPDATE SET"
        " type = excluded.type, name = excluded.name, folded = excluded.folded,"
        " data = excluded.data, version = excluded.version",
        (owner, after.node_id, after.type, after.name, after.folded, after.data, version),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO node_aliases VALUES (?, ?, ?)",
        [(owner, fold(alias), after.node_id) for alias in after.aliases],
    )


def _write_summary(connection: sqlite3.Connection, owner: str, delta: Delta) -> None:
    summary = StoredGraph(connection, owner).summary()
    pairs = list(delta.nodes.values())
    removed = [before.content for before, _ in pairs if before is not None]
    added = [after.content for _, after in pairs if after is not None]
    nodes = summary.nodes + len(added) - len(removed)
    edges = summary.edges + len(delta.added) - len(delta.removed)
    added += map(edge_content, delta.added)
    removed += map(edge_content, delta.removed)
    connection.execute(
        "INSERT OR REPLACE INTO graphs VALUES (?, ?, ?, ?)",
        (owner, changed(summary.lanes, added, removed), nodes, edges),
    )


def write_moves(connection: sqlite3.Connection, change_id: str, moves: Sequence[CardMove]) -> None:
    """Move cards from node to node, and note it so that it can be taken back."""
    for ordinal, one in enumerate(moves):
        owner, card = one.card
        if one.how != "copied":
            connection.execute(
                "DELETE FROM card_concepts WHERE owner = ? AND card_id = ? AND node_id = ?",
                (owner, card, one.source),
            )
        if one.how != "joined":
            connection.execute(
                "INSERT OR IGNORE INTO card_concepts VALUES (?, ?, ?)", (owner, card, one.target)
            )
        connection.execute(
            "INSERT INTO moved_cards VALUES (?, ?, ?, ?, ?, ?, ?)",
            (owner, change_id, ordinal, card, one.source, one.target, one.how),
        )
