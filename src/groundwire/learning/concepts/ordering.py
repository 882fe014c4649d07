"""Order numbers that show that a relation has no cycle, kept up to date edge by edge.

Every node that a relation touches has a number, and every edge leads to a larger one. An edge that
already does so costs two look-ups. One that leads back is searched from both ends at once, among
the numbers between them alone: the side that is exhausted first is moved past the other end, and
where the two sides meet there is a cycle. Source of the search: Pearce and Kelly, "A dynamic
topological sort algorithm for directed acyclic graphs", 2006; Bender, Fineman, Gilbert and Tarjan,
"A new approach to incremental cycle detection and related problems", 2015, section 2.

Numbers are far apart, so that nodes are moved between two others without numbering them anew.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from groundwire.learning.concepts.graph import Graph

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
