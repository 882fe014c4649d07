"""What the check of a new edge costs in a large concept graph, beside sorting the graph anew.

A graph of 100,000 concepts and 300,000 prerequisites is stored, once with edges between any two
and once with edges between near ones, which makes long chains. Edges that fit, edges against the
order that close no cycle, and edges that close one are then checked, each in a transaction that is
taken back. The bare figure is a sort of the same edges, held in memory, by `graphlib`.

Run: python tests/benchmarks/learning_concepts.py [--nodes 100000] [--edges 300000]
"""

from __future__ import annotations

import argparse
import graphlib
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _table import Measured, report

from groundwire.learning.concepts.changing import ChangeRequest, submit_graph_changes
from groundwire.learning.concepts.rules import read_rules
from groundwire.learning.concepts.writing import Order
from groundwire.learning.learner import learning_file
from groundwire.profiles import FOLDER

OWNER = "local"
RELATION = "prerequisite"
CHECKS = 300
RULES = read_rules(FOLDER / "learning.toml")

Edge = tuple[int, int]


def random_edges(nodes: int, edges: int, near: int, choose: random.Random) -> list[Edge]:
    """Edges from lower to higher numbers, no further apart than `near`."""
    found: set[Edge] = set()
    while len(found) < edges:
        a = choose.randrange(nodes - 1)
        found.add((a, min(nodes - 1, a + choose.randint(1, min(near, nodes - 1 - a)))))
    return sorted(found)


def stored(folder: Path, name: str, nodes: int, edges: list[Edge]) -> Any:
    """A file that holds the graph with its order numbers."""
    state = learning_file(folder / name)
    with state.writing() as connection:
        connection.executemany(
            "INSERT INTO nodes VALUES (?, ?, 'concept', ?, ?, '{}', 1)",
            [(OWNER, f"n{one}", f"concept {one}", f"concept{one}") for one in range(nodes)],
        )
        connection.executemany(
            "INSERT INTO edges VALUES (?, ?, ?, ?, '{}')",
            [(OWNER, f"n{a}", RELATION, f"n{b}") for a, b in edges],
        )
        connection.executemany(
            "INSERT INTO places VALUES (?, ?, ?, ?)",
            [(OWNER, RELATION, f"n{one}", one << 32) for one in range(nodes)],
        )
    return state


def sorting(edges: list[Edge]) -> float:
    """Seconds of one sort of all edges."""
    began = time.perf_counter()
    sorter: graphlib.TopologicalSorter[int] = graphlib.TopologicalSorter()
    for a, b in edges:
        sorter.add(b, a)
    list(sorter.static_order())
    return time.perf_counter() - began


def checking(state: Any, pairs: list[Edge]) -> list[tuple[float, bool]]:
    """Seconds of each check, and whether the edge fits."""
    found: list[tuple[float, bool]] = []
    with state.writing() as connection:
        order = Order(connection, OWNER, RELATION)
        for a, b in pairs:
            connection.execute("SAVEPOINT one")
            began = time.perf_counter()
            fits = order.admits(f"n{a}", f"n{b}")
            found.append((time.perf_counter() - began, fits))
            connection.execute("ROLLBACK TO one")
            connection.execute("RELEASE one")
    return found


def lines(folder: Path, name: str, nodes: int, count: int, near: int) -> list[Measured]:
    choose = random.Random(7)
    edges = random_edges(nodes, count, near, choose)
    bare = statistics.median(sorting(edges) for _ in range(3))
    state = stored(folder, name, nodes, edges)
    pairs = [tuple(choose.sample(range(nodes), 2)) for _ in range(CHECKS)]
    with_order = checking(state, [(min(p), max(p)) for p in pairs])
    against = checking(state, [(max(p), min(p)) for p in pairs])
    fitting = [seconds for seconds, fits in against if fits]
    closing = [seconds for seconds, fits in against if not fits]
    made = [Measured(f"{name}: edge along the order", bare, mean(with_order), ratio=1 / 50)]
    for kind, some in (("against the order", fitting), ("that closes a cycle", closing)):
        if some:
            label = f"{name}: edge {kind} ({len(some)})"
            made.append(Measured(label, bare, statistics.fmean(some), ratio=1 / 50))
            made.append(Measured(f"{label}, slowest", bare, max(some)))
    a, b = min(edges, key=lambda edge: abs(edge[0] - nodes // 2))
    for kind, source, target in (("that fits", 5, 7), ("refused with its cycle", b, a)):
        one = {
            "op": "add_edge",
            "source": f"n{source}",
            "relation": RELATION,
            "target": f"n{target}",
        }
        request = ChangeRequest((one,), rationale="benchmark", dry_run=True)
        began = time.perf_counter()
        submit_graph_changes(state, RULES, OWNER, request)
        made.append(Measured(f"{name}: dry run {kind}", bare, time.perf_counter() - began))
    state.close()
    return made


def mean(checks: list[tuple[float, bool]]) -> float:
    return statistics.fmean(seconds for seconds, _ in checks)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=300_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        size = (options.nodes, options.edges)
        made = lines(Path(folder), "any two", *size, options.nodes)
        made += lines(Path(folder), "near ones", *size, 100)
    return report(made)


if __name__ == "__main__":
    sys.exit(main())
