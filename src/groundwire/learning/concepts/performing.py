"""Doing a list of operations on a working graph, one after the other; nothing is written.

What is wrong with an operation is noted, and the next one is done. Names are resolved against the
graph as the operations before have left it, and never by likeness.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from groundwire.learning.concepts.graph import EdgeKey, Node, StoredGraph, WorkingGraph
from groundwire.learning.concepts.language import (
    DEFAULT_TYPE,
    AddEdge,
    AddNode,
    Fault,
    MergeNodes,
    NewNode,
    Operation,
    RemoveEdge,
    RemoveNode,
    SplitNode,
    Stage,
    UpdateNode,
)
from groundwire.learning.concepts.names import Named, clean_name, find_named, near_names
from groundwire.learning.concepts.rules import Rules
from groundwire.safe_text import safe_characters, safe_name
from groundwire.vocabulary.fold import fold

Card = tuple[str, str]
"""Whose card it is, and its handle."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """How a name of an operation was read, where it is not the node's own."""

    operation: int
    raw: str
    node: Node
    how: str


@dataclass(frozen=True, slots=True)
class CardMove:
    """A card that leaves a node for another.

    Attributes:
        card: whose card it is, and its handle.
        source: the node that it leaves.
        target: the node that it is about now.
        how: moved; joined, where it was about the target already; copied, where it stays about
            the source, too.
    """

    card: Card
    source: str
    target: str
    how: Literal["moved", "joined", "copied"]


@dataclass(slots=True)
class Outcome:
    """The effect of a list of operations on a graph.

    Attributes:
        graph: the working graph after the list.
        faults: what is wrong.
        resolved: names that were read folded or by an alias.
        moves: cards that change their node, in this order.
        effects: what an operation does beside what it names, one sentence each.
        about: by operation the nodes whose names a quote for it has to hold.
    """

    graph: WorkingGraph
    faults: list[Fault] = field(default_factory=list[Fault])
    resolved: list[Resolved] = field(default_factory=list[Resolved])
    moves: list[CardMove] = field(default_factory=list[CardMove])
    effects: list[str] = field(default_factory=list[str])
    about: dict[int, list[Node]] = field(default_factory=dict[int, list[Node]])


def carried_out(
    graph: StoredGraph,
    operations: Sequence[tuple[int, Operation]],
    rules: Rules,
    cards: Callable[[str], Iterable[Card]],
    seed: str,
) -> Outcome:
    """Do operations one after the other on a working graph; nothing is written.

    Args:
        graph: the stored graph.
        operations: operations with their places, as `parsed` returns them.
        rules: types, relations and limits.
        cards: which cards are about a node, by its id, as it is stored.
        seed: a random text from which the handles of new nodes are made, so that a change that is
            reviewed later makes the same nodes.
    """
    doing = _Doing(Outcome(WorkingGraph(graph)), rules, cards, seed)
    for number, one in operations:
        doing.do(number, one)
    return doing.outcome


class _FaultError(Exception):
    """An operation cannot be done."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class _Doing:
    """Does operations on a working graph."""

    def __init__(
        self,
        outcome: Outcome,
        rules: Rules,
        cards: Callable[[str], Iterable[Card]],
        seed: str,
    ) -> None:
        self.outcome = outcome
        self._graph = outcome.graph
        self._rules = rules
        self._cards = cards
        self._held: dict[str, set[Card]] = {}
        self._number = 0
        self._seed = seed
        self._made_count = 0
        self._kinds: Mapping[type[BaseModel], Callable[[Any], None]] = {
            AddNode: self._add_node,
            RemoveNode: self._remove_node,
            UpdateNode: self._update_node,
            AddEdge: self._add_edge,
            RemoveEdge: self._remove_edge,
            MergeNodes: self._merge_nodes,
            SplitNode: self._split_node,
        }

    def do(self, number: int, operation: Operation) -> None:
        """Do one operation, or note why it cannot be done."""
        self._number = number
        try:
            self._kinds[type(operation)](operation)
        except _FaultError as error:
            self.outcome.faults.append(error.fault)

    def _refuse(
        self, message: str, *, stage: Stage = "schema", candidates: Iterable[Node] = ()
    ) -> _FaultError:
        names = tuple(safe_name(one.name) for one in candidates)
        return _FaultError(Fault(stage, self._number, message, candidates=names))

    # Names and texts

    def _node(self, raw: str, version: int | None = None) -> Node:
        """Return the node that an operation names."""
        found: Named = find_named(self._graph, raw)
        shown = safe_name(raw, 80)
        if found.how == "ambiguous":
            said = f'"{shown}" is a name of several nodes: send one of the candidates'
            raise self._refuse(said, candidates=found.candidates)
        if found.node is None:
            near = near_names(self._graph, raw)
            said = f'no node is called "{shown}": add it first'
            said += ", or send one of the candidates" if near else ""
            raise self._refuse(said, candidates=near)
        node = found.node
        if found.how != "exact":
            self.outcome.resolved.append(Resolved(self._number, shown, node, found.how))
        if version is not None:
            stored = self._graph.stored.node(node.node_id)
            now = stored.version if stored else node.version
            if version != now:
                said = (
                    f'"{safe_name(node.name)}" has version {now}, not {version}: read it again, '
                    "and send what is still to be changed"
                )
                self.outcome.faults.append(Fault("conflicts", self._number, said))
        return node

    def _name(self, raw: str, own: str = "") -> str:
        """Return a name that a node may have; `own` is the id of the node that is renamed."""
        limit = self._rules.graph.longest_name
        if len(raw) > limit:
            raise self._refuse(f"a name of {len(raw):,} characters is too long: at most {limit}")
        name = clean_name(raw)
        if not any(char.isalnum() for char in name):
            raise self._refuse("a name needs a letter or a digit")
        for one in (*self._graph.named(fold(name)), *self._graph.also_named(fold(name))):
            if one.node_id != own:
                called = safe_name(one.name)
                alias = "" if one.folded == fold(name) else f', an alias of "{called}"'
                said = (
                    f'"{name}" is there already{alias}: use it, or send a name that tells the two '
                    'apart, such as "Mercury (planet)"'
                )
                raise self._refuse(said, candidates=(one,))
        return name

    def _aliases(self, raw: Sequence[str], name: str, own: str = "") -> tuple[str, ...]:
        limits = self._rules.graph
        if len(raw) > limits.most_aliases:
            raise self._refuse(f"{len(raw)} aliases are too many: at most {limits.most_aliases}")
        kept: dict[str, str] = {}
        for one in raw:
            alias = clean_name(one) if len(one) <= limits.longest_name else ""
            if not any(char.isalnum() for char in alias):
                said = f"an alias needs a letter or a digit, and {limits.longest_name} at most"
                raise self._refuse(said)
            for other in self._graph.named(fold(alias)):
                if other.node_id != own:
                    said = f'the alias "{alias}" is the name of another node: leave it out'
                    raise self._refuse(said, candidates=(other,))
            if fold(alias) != fold(name):
                kept.setdefault(fold(alias), alias)
        return tuple(kept.values())

    def _definition(self, raw: str) -> str:
        limit = self._rules.graph.longest_definition
        if len(raw) > limit:
            said = f"a definition of {len(raw):,} characters is too long: at most {limit:,}"
            raise self._refuse(said)
        return safe_characters(raw).strip()

    def _type(self, raw: str) -> str:
        kind = raw or DEFAULT_TYPE
        if kind not in self._rules.nodes:
            known = ", ".join(self._rules.nodes)
            raise self._refuse(f'no type is called "{safe_name(raw, 40)}": send one of {known}')
        return kind

    def _edge(self, source: Node, relation: str, target: Node) -> EdgeKey:
        """Return an edge in its stored form: an inverse turned round, a symmetric one sorted."""
        found = self._rules.relation_named(relation)
        if found is None:
            known = ", ".join(self._rules.relations)
            said = f'no relation is called "{safe_name(relation, 40)}": send one of {known}'
            raise self._refuse(said)
        name, turned = found
        a, b = (target, source) if turned else (source, target)
        return stored_key((a.node_id, name, b.node_id), self._rules)

    # Cards

    def _about(self, node_id: str) -> set[Card]:
        """Return the cards about a node, as the operations before have left them."""
        if node_id not in self._held:
            self._held[node_id] = set(self._cards(node_id))
        return self._held[node_id]

    def _take(self, cards: Iterable[Card], source: str, target: str) -> None:
        for card in sorted(cards):
            how = "joined" if card in self._about(target) else "moved"
            self._about(source).discard(card)
            self._about(target).add(card)
            self.outcome.moves.append(CardMove(card, source, target, how))

    # Operations

    def _made(self, new: NewNode) -> Node:
        name = self._name(new.name)
        node = Node(
            self._new_id(),
            self._type(new.type),
            name,
            self._definition(new.definition),
            self._aliases(new.aliases, name),
        )
        self._graph.put(node)
        return node

    def _new_id(self) -> str:
        self._made_count += 1
        made = hashlib.sha256(f"{self._seed} {self._made_count}".encode())
        return f"n_{made.hexdigest()[:20]}"

    def _add_node(self, one: AddNode) -> None:
        self.outcome.about[self._number] = [self._made(one)]

    def _remove_node(self, one: RemoveNode) -> None:
        node = self._node(one.node, one.version)
        count = len(self._about(node.node_id))
        if count:
            cards = "a card is" if count == 1 else f"{count:,} cards are"
            said = (
                f'{cards} about "{safe_name(node.name)}": merge it into another node, or move the '
                "cards first"
            )
            raise self._refuse(said)
        self._drop(node)

    def _drop(self, node: Node, told: bool = True) -> list[EdgeKey]:
        """Take a node and its edges away; returns the edges."""
        edges = [*self._graph.edges_from(node.node_id), *self._graph.edges_to(node.node_id)]
        for key in edges:
            self._graph.drop_edge(key)
        self._graph.drop(node.node_id)
        if edges and told:
            said = f'"{safe_name(node.name)}" takes {len(edges)} of its edges along'
            self.outcome.effects.append(said)
        return edges

    def _update_node(self, one: UpdateNode) -> None:
        node = self._node(one.node, one.version)
        own = node.node_id
        name = node.name if one.name is None else self._name(one.name, own)
        aliases = node.aliases
        if one.aliases is not None or one.name is not None:
            aliases = self._aliases(one.aliases if one.aliases is not None else aliases, name, own)
        made = Node(
            own,
            node.type if one.type is None else self._type(one.type),
            name,
            node.definition if one.definition is None else self._definition(one.definition),
            aliases,
            node.version,
        )
        self._graph.put(made)
        self.outcome.about[self._number] = [made]

    def _add_edge(self, one: AddEdge) -> None:
        source, target = self._node(one.source), self._node(one.target)
        key = self._edge(source, one.relation, target)
        if source.node_id == target.node_id:
            said = f'"{safe_name(source.name)}" would stand at both ends of the edge'
            raise self._refuse(said, stage="ends")
        if self._graph.has_edge(key):
            raise self._refuse("the edge is there already: leave the operation out")
        self._graph.put_edge(key)
        self.outcome.about[self._number] = [source, target]

    def _remove_edge(self, one: RemoveEdge) -> None:
        source, target = self._node(one.source), self._node(one.target)
        key = self._edge(source, one.relation, target)
        if not self._graph.has_edge(key):
            turned = (key[2], key[1], key[0])
            there = self._graph.has_edge(turned)
            said = "there is no such edge" + (": it stands the other way round" if there else "")
            raise self._refuse(said)
        self._graph.drop_edge(key)

    def _merge_nodes(self, one: MergeNodes) -> None:
        kept = self._node(one.into, one.version)
        gone = {node.node_id: node for node in map(self._node, one.nodes)}
        gone.pop(kept.node_id, None)
        if not gone:
            raise self._refuse("merge_nodes needs a node that is not the one it is merged into")
        other = [node for node in gone.values() if node.type != kept.type]
        if other:
            said = (
                f'"{safe_name(other[0].name)}" is of type {other[0].type}, and '
                f'"{safe_name(kept.name)}" of type {kept.type}: change the type of one first'
            )
            raise self._refuse(said, stage="ends")
        names = dict.fromkeys(kept.aliases)
        moved: list[EdgeKey] = []
        for node_id, node in gone.items():
            names |= dict.fromkeys((node.name, *node.aliases))
            moved += self._drop(node, told=False)
            self._take(self._about(node_id), node_id, kept.node_id)
        unique = {fold(name): name for name in reversed(names) if fold(name) != kept.folded}
        aliases = tuple(reversed(unique.values()))
        made = Node(kept.node_id, kept.type, kept.name, kept.definition, aliases, kept.version)
        self._graph.put(made)
        lost = 0
        for a, relation, b in dict.fromkeys(moved):
            ends = (kept.node_id if a in gone else a, kept.node_id if b in gone else b)
            key = stored_key((ends[0], relation, ends[1]), self._rules)
            if ends[0] == ends[1] or self._graph.has_edge(key):
                lost += 1
            else:
                self._graph.put_edge(key)
        if lost:
            said = f'{lost} edges of what is merged into "{safe_name(kept.name)}" fall together'
            self.outcome.effects.append(said)
        self.outcome.about[self._number] = [made, *gone.values()]

    def _split_node(self, one: SplitNode) -> None:
        node = self._node(one.node, one.version)
        moves = self._moved_edges(one, node)
        edges = self._drop(node, told=False)
        parts = {fold(new.name): self._made(self._typed(new, node)) for new in one.into}
        if len(parts) < len(one.into):
            raise self._refuse("two parts of the split have one name")
        first = parts[fold(one.into[0].name)]
        held = self._about(node.node_id)
        for move in one.moves:
            part = parts.get(fold(move.to))
            if part is None:
                said = f'"{safe_name(move.to, 80)}" is no part of the split: name one of `into`'
                raise self._refuse(said, candidates=parts.values())
            named = {card for card in held if card[1] in move.cards}
            missing = sorted(set(move.cards) - {handle for _, handle in named})
            if missing:
                said = f'the card "{safe_name(missing[0], 80)}" is not about the node that is split'
                raise self._refuse(said)
            self._take(named, node.node_id, part.node_id)
        self._take(held, node.node_id, first.node_id)
        for key in dict.fromkeys(edges):
            part = parts[fold(moves[key])] if key in moves else first
            a, relation, b = key
            source, target = (part.node_id if end == node.node_id else end for end in (a, b))
            self._graph.put_edge(stored_key((source, relation, target), self._rules))
        self.outcome.about[self._number] = [*parts.values()]

    def _typed(self, new: NewNode, node: Node) -> NewNode:
        """Return a part that has a type: its own, or else the type of the whole."""
        return new if new.type else new.model_copy(update={"type": node.type})

    def _moved_edges(self, one: SplitNode, node: Node) -> dict[EdgeKey, str]:
        """Return to which part the edges go that moves name."""
        found: dict[EdgeKey, str] = {}
        names = {fold(new.name) for new in one.into}
        for move in one.moves:
            for edge in move.edges:
                other = self._node(edge.other)
                keys = {
                    self._edge(node, edge.relation, other),
                    self._edge(other, edge.relation, node),
                }
                there = [key for key in sorted(keys) if self._graph.has_edge(key)]
                if not there:
                    said = f'no edge {safe_name(edge.relation, 40)} joins "{safe_name(other.name)}"'
                    raise self._refuse(said)
                if fold(move.to) in names:
                    found |= dict.fromkeys(there, move.to)
        return found


def stored_key(key: EdgeKey, rules: Rules) -> EdgeKey:
    """Return an edge in its stored form: of a symmetric relation the smaller id comes first."""
    a, relation, b = key
    return (b, relation, a) if rules.relations[relation].symmetric and b < a else key
