"""Any operations at all are answered with a result, and leave a graph that is sound."""

from __future__ import annotations

import random
from collections.abc import Callable
from graphlib import TopologicalSorter
from typing import Any

from groundwire.learning.concepts.graph import StoredGraph
from groundwire.learning.concepts.results import GraphChanges
from groundwire.learning.concepts.rules import Rules
from groundwire.statefile import StateFile

NAMES = (
    "Limit",
    "limits",
    "Derivative",
    "Function",
    "Series",
    "微分",
    "",
    " ",
    "x" * 300,
    "\u202e",
)
ODD = (None, 5, 1.5, True, [], {}, ["Limit"], {"name": "Limit"}, "\ud800", float("nan"), 10**30)
FIELDS = (
    "name", "node", "source", "relation", "target", "nodes", "into", "moves", "version", "type",
    "aliases", "definition", "mastery",
)  # fmt: skip
OPERATIONS = (
    "add_node", "remove_node", "update_node", "add_edge", "remove_edge", "merge_nodes",
    "split_node", "drop", "",
)  # fmt: skip
RELATIONS = ("prerequisite", "requires", "is_a", "related_to", "loves", "")


def value(choose: random.Random, field: str) -> Any:
    if choose.random() < 0.15:
        return choose.choice(ODD)
    if field == "relation":
        return choose.choice(RELATIONS)
    if field in ("nodes", "aliases"):
        return choose.choices(NAMES, k=choose.randrange(3))
    if field == "into" and choose.random() < 0.5:
        return [{"name": f"Part {choose.randrange(50)}"} for _ in range(choose.randrange(4))]
    if field == "moves":
        edges = [{"relation": choose.choice(RELATIONS), "other": choose.choice(NAMES)}]
        return [{"to": f"Part {choose.randrange(50)}", "edges": edges}]
    if field == "version":
        return choose.randrange(4)
    if field == "type":
        return choose.choice(("concept", "skill", "fact", "idea"))
    return choose.choice(NAMES)


def test_garbage_is_refused_and_breaks_nothing(
    calculus: Callable[..., GraphChanges], state: StateFile, rules: Rules
) -> None:
    choose = random.Random(7)
    wanted = {
        "add_node": ("name",), "remove_node": ("node",), "update_node": ("node", "name"),
        "add_edge": ("source", "relation", "target"), "merge_nodes": ("nodes", "into"),
        "remove_edge": ("source", "relation", "target"), "split_node": ("node", "into", "moves"),
    }  # fmt: skip
    statuses: set[str] = set()
    committed: list[str] = []
    for _ in range(600):
        operations = []
        for _ in range(choose.randrange(1, 4)):
            op = choose.choice(OPERATIONS)
            fields = [*wanted.get(op, ()), *choose.sample(FIELDS, choose.choice((0, 0, 0, 1)))]
            operations.append({"op": op, **{name: value(choose, name) for name in fields}})
        undo = choose.choice(committed) if committed and choose.random() < 0.1 else ""
        result = calculus(*(() if undo else operations), undo=undo)
        statuses.add(result.status)
        if result.change_id:
            committed.append(result.change_id)
    assert statuses == {"committed", "rejected"} and len(committed) > 20
    with state.writing() as connection:
        graph = StoredGraph(connection, "ada")
        assert graph.hash() == graph.computed_hash()
        for name, relation in rules.relations.items():
            if relation.acyclic:
                order = TopologicalSorter[str]()
                for source, of, target in graph.edges():
                    if of == name:
                        order.add(target, source)
                order.prepare()
        names = [one.folded for one in graph.nodes()]
        assert len(names) == len(set(names))
        there = {one.node_id for one in graph.nodes()}
        assert all({a, b} <= there for a, _, b in graph.edges())
