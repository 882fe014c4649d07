"""A plain model of a concept graph: sets of names and edges, judged by networkx, and random lists.

It keeps the graph by names, does each operation in the simplest way, and copies everything before
each list; so it is slow, short, and shares no code with what it judges.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import networkx

from groundwire.vocabulary.fold import fold

Edge = tuple[str, str, str]
SIZE = (393, 988)
RELATIONS = ("prerequisite", "prerequisite", "prerequisite", "is_a", "part_of", "related_to")
SYMMETRIC = ("related_to",)


class RefusedError(Exception):
    """An operation that cannot be done."""


@dataclass
class Model:
    """Nodes by name, edges, aliases that merges leave, and which card is about what."""

    nodes: set[str]
    edges: set[Edge]
    cards: set[tuple[str, str]] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    refused: str = ""
    shortest: int = 0
    ordered: tuple[list[str], list[Edge]] | None = None

    def in_order(self) -> tuple[list[str], list[Edge]]:
        """Nodes and edges in order, kept until the model becomes another."""
        if self.ordered is None:
            self.ordered = sorted(self.nodes), sorted(self.edges)
        return self.ordered

    def state(self) -> tuple[Any, ...]:
        """What is compared with the stored graph."""
        return self.nodes, {turned(e) for e in self.edges}, self.cards

    def take(self, other: Model) -> None:
        """Become another model."""
        self.nodes, self.edges = other.nodes, other.edges
        self.cards, self.aliases = other.cards, other.aliases
        self.ordered = None

    def after(self, operations: Sequence[dict[str, Any]], rules: Any) -> Model:
        """Return the model after a list, or one that says why it is refused."""
        made = replace(
            self,
            nodes=set(self.nodes),
            edges=set(self.edges),
            cards=set(self.cards),
            aliases=dict(self.aliases),
        )
        try:
            for one in operations:
                getattr(made, f"_{one['op']}")(**{k: v for k, v in one.items() if k != "op"})
        except RefusedError:
            return replace(self, refused="other")
        lengths = [made._shortest(relation, self.edges) for relation in _acyclic(rules)]
        found = [one for one in lengths if one]
        if found:
            return replace(self, refused="cycle", shortest=min(found))
        return made

    def has_cycle(self, rules: Any) -> bool:
        """Whether any acyclic relation has a cycle."""
        return any(
            not networkx.is_directed_acyclic_graph(self._graph(relation))
            for relation in _acyclic(rules)
        )

    def _graph(self, relation: str) -> Any:
        return networkx.DiGraph((a, b) for a, r, b in self.edges if r == relation)

    def _shortest(self, relation: str, before: set[Edge]) -> int:
        """Edges of the shortest cycle that an added edge closes; 0 where none does."""
        added = [(a, b) for a, r, b in self.edges - before if r == relation]
        if not added:
            return 0
        after: dict[str, list[str]] = {}
        for a, r, b in self.edges:
            if r == relation:
                after.setdefault(a, []).append(b)
        # What was there before is acyclic, so that a cycle has an added edge.
        found = [away + 1 for a, b in added if (away := _away(after, b, a)) is not None]
        return min(found, default=0)

    def _one(self, name: str) -> str:
        name = self.aliases.get(name, name)
        if name not in self.nodes:
            raise RefusedError
        return name

    def _edge(self, source: str, relation: str, target: str) -> Edge:
        a, b = self._one(source), self._one(target)
        if a == b:
            raise RefusedError
        return (a, relation, b)

    def _same(self, edge: Edge) -> Edge | None:
        """The stored form of an edge: of a symmetric relation it may stand the other way round."""
        a, relation, b = edge
        if edge in self.edges:
            return edge
        turned = (b, relation, a)
        return turned if relation in SYMMETRIC and turned in self.edges else None

    def _add_node(self, name: str) -> None:
        if name in self.nodes or name in self.aliases:
            raise RefusedError
        self.nodes.add(name)

    def _remove_node(self, node: str) -> None:
        name = self._one(node)
        if any(about == name for _, about in self.cards):
            raise RefusedError
        self._drop(name)

    def _drop(self, name: str) -> None:
        self.nodes.discard(name)
        self.edges = {e for e in self.edges if name not in (e[0], e[2])}
        self.aliases = {a: n for a, n in self.aliases.items() if n != name}

    def _update_node(self, node: str, name: str = "", definition: str = "") -> None:
        old = self._one(node)
        if name and name != old:
            if name in self.nodes or name in self.aliases:
                raise RefusedError
            self.nodes = (self.nodes - {old}) | {name}
            self.edges = {
                (name if a == old else a, r, name if b == old else b) for a, r, b in self.edges
            }
            self.cards = {(c, name if n == old else n) for c, n in self.cards}
            self.aliases = {a: name if n == old else n for a, n in self.aliases.items()}

    def _add_edge(self, source: str, relation: str, target: str) -> None:
        edge = self._edge(source, relation, target)
        if self._same(edge):
            raise RefusedError
        self.edges.add(edge)

    def _remove_edge(self, source: str, relation: str, target: str) -> None:
        found = self._same(self._edge(source, relation, target))
        if not found:
            raise RefusedError
        self.edges.discard(found)

    def _merge_nodes(self, nodes: list[str], into: str) -> None:
        kept = self._one(into)
        gone = {self._one(node) for node in nodes} - {kept}
        if not gone:
            raise RefusedError
        mapped = {(kept if a in gone else a, r, kept if b in gone else b) for a, r, b in self.edges}
        self.edges = set()
        for edge in sorted(mapped):
            if edge[0] != edge[2] and not self._same(edge):
                self.edges.add(edge)
        self.cards = {(c, kept if n in gone else n) for c, n in self.cards}
        aliases = {a: kept if n in gone else n for a, n in self.aliases.items()}
        self.nodes -= gone
        self.aliases = aliases | dict.fromkeys(gone, kept)

    def _split_node(
        self, node: str, into: list[dict[str, Any]], moves: list[dict[str, Any]]
    ) -> None:
        old = self._one(node)
        edges = {e for e in self.edges if old in (e[0], e[2])}
        cards = {c for c, n in self.cards if n == old}
        for move in moves:
            for one in move.get("edges", ()):
                other = self._one(one["other"])
                if not any(r == one["relation"] and other in (a, b) for a, r, b in edges):
                    raise RefusedError
        self.cards = {(c, n) for c, n in self.cards if n != old}
        self._drop(old)
        for part in into:
            self._add_node(part["name"])
        first = into[0]["name"]
        for a, r, b in edges:
            to = first
            for move in moves:
                for one in move.get("edges", ()):
                    other = self.aliases.get(one["other"], one["other"])
                    if one["relation"] == r and other in (a, b):
                        to = move["to"]
            self.edges.add((to if a == old else a, r, to if b == old else b))
        for card in cards:
            to = next((m["to"] for m in moves if card in m.get("cards", ())), first)
            self.cards.add((card, to))


def turned(edge: Edge) -> Edge:
    """Return an edge in one of its two forms where the relation has no direction."""
    a, relation, b = edge
    return (min(a, b), relation, max(a, b)) if relation in SYMMETRIC else edge


def _acyclic(rules: Any) -> list[str]:
    return [name for name, one in rules.relations.items() if one.acyclic]


Prerequisites = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]


@cache
def _real_graphs() -> tuple[Prerequisites, ...]:
    """Names and prerequisites of Metacademy and of AL-CPL, where the folder of real data has them.

    AL-CPL (github.com/harrylclc/AL-CPL-dataset, CC BY-NC-SA, not shipped) are four sets of pairs: a
    concept, and one that it needs.
    """
    folder = Path(os.environ.get("GROUNDWIRE_TEST_DATA", "/dev/null"), "data/learning")
    found: list[Prerequisites] = []
    path = folder / "metacademy.json"
    if path.is_file():
        tree = json.loads(path.read_text("utf-8"))
        found.append(_distinct(dict(sorted(tree["titles"].items())), tree["edges"]))
    for path in sorted(folder.glob("al_cpl_*.preqs")) if folder.is_dir() else ():
        lines = path.read_text("utf-8").splitlines()
        pairs = [(before, after) for after, before in (one.split(",") for one in lines if one)]
        names = sorted({name for pair in pairs for name in pair})
        found.append(_distinct({name: name.replace("_", " ") for name in names}, pairs))
    return tuple(found)


def _distinct(titles: dict[str, str], pairs: Sequence[Sequence[str]]) -> Prerequisites:
    """Concepts by their titles, without those whose title folds like another's."""
    kept: dict[str, str] = {}
    folded: set[str] = set()
    for tag, title in titles.items():
        if fold(title) not in folded:
            folded.add(fold(title))
            kept[tag] = title
    edges = [(kept[a], kept[b]) for a, b in pairs if a in kept and b in kept]
    return tuple(kept.values()), tuple(edges)


def big_graph(choose: random.Random) -> Model:
    """Return a real graph, or a random one of Metacademy's size; every third concept has a card."""
    real = _real_graphs()
    if real:
        one = choose.choice(real)
        names, pairs = list(one[0]), set(one[1])
    else:
        names = [f"concept {number}" for number in range(SIZE[0])]
        pairs = set()
        while len(pairs) < SIZE[1]:
            a, b = sorted(choose.sample(range(SIZE[0]), 2))
            pairs.add((names[a], names[b]))
    edges = {(a, "prerequisite", b) for a, b in pairs}
    for relation in ("is_a", "part_of", "related_to"):
        order = choose.sample(range(len(names)), len(names))
        for _ in range(60):
            a, b = sorted(choose.sample(range(len(names)), 2))
            a, b = order[a], order[b]
            if relation not in SYMMETRIC or (names[b], relation, names[a]) not in edges:
                edges.add((names[a], relation, names[b]))
    cards = {(f"card {number}", name) for number, name in enumerate(names[::3])}
    return Model(set(names), edges, cards)


def _away(after: dict[str, list[str]], start: str, end: str) -> int | None:
    """Edges of the shortest way from a node to another, breadth first; None where none is."""
    level, seen, steps = [start], {start}, 0
    while level:
        if end in seen:
            return steps
        level = [b for a in level for b in after.get(a, ()) if b not in seen]
        seen.update(level)
        steps += 1
    return None


def random_list(model: Model, choose: random.Random) -> list[dict[str, Any]]:
    """Return one to five operations on a graph; many of them cannot be done."""
    names, edges = model.in_order()
    return [_random(model, names, edges, choose) for _ in range(choose.choice((1, 1, 1, 2, 3, 5)))]


def _random(
    model: Model, names: list[str], edges: list[Edge], choose: random.Random
) -> dict[str, Any]:
    kind = choose.choices(
        ("add_edge", "remove_edge", "turn", "add_node", "update_node", "remove_node",
         "merge_nodes", "split_node", "unknown"),
        (40, 12, 8, 10, 8, 6, 7, 7, 2),
    )[0]  # fmt: skip
    a, b = choose.sample(names, 2)
    new = f"new {choose.randrange(10**9)}"
    if kind == "add_edge":
        return {"op": kind, "source": a, "relation": choose.choice(RELATIONS), "target": b}
    if kind in ("remove_edge", "turn"):
        source, relation, target = choose.choice(edges)
        if kind == "remove_edge":
            return {"op": kind, "source": source, "relation": relation, "target": target}
        return {"op": "add_edge", "source": target, "relation": relation, "target": source}
    if kind == "add_node":
        return {"op": kind, "name": choose.choice((new, new, new, a))}
    if kind == "update_node":
        changed = choose.choice(({"name": new}, {"definition": f"what {new} is"}))
        return {"op": kind, "node": a, **changed}
    if kind == "remove_node":
        return {"op": kind, "node": a}
    if kind == "merge_nodes":
        return {"op": kind, "nodes": choose.sample(names, choose.choice((1, 1, 2))), "into": b}
    if kind == "split_node":
        return _random_split(model, a, new, choose)
    return {"op": "add_edge", "source": new, "relation": "prerequisite", "target": a}


def _random_split(model: Model, node: str, new: str, choose: random.Random) -> dict[str, Any]:
    touching = sorted(e for e in model.edges if node in (e[0], e[2]))
    cards = sorted(card for card, about in model.cards if about == node)
    move: dict[str, Any] = {"to": f"{new} b"}
    moved = choose.sample(touching, len(touching) // 2)
    pairs = {(r, b if a == node else a) for a, r, b in moved}
    if pairs:
        move["edges"] = [{"relation": r, "other": other} for r, other in sorted(pairs)]
    if cards and choose.random() < 0.5:
        move["cards"] = cards[:1]
    parts = [{"name": f"{new} a"}, {"name": f"{new} b"}]
    moves = [move] if len(move) > 1 else []
    return {"op": "split_node", "node": node, "into": parts, "moves": moves}
