"""Taking a change back: its stored inverse is applied, or what later depends on it is named."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from groundwire.learning.concepts.graph import Delta, EdgeKey, StoredGraph, WorkingGraph
from groundwire.learning.concepts.history import Change, later_changes
from groundwire.learning.concepts.language import Fault
from groundwire.learning.concepts.performing import CardMove
from groundwire.learning.concepts.proving import cards_about, cycles, name_clashes
from groundwire.learning.concepts.rules import Rules
from groundwire.safe_text import safe_name

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
