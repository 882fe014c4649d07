"""Order numbers: they fit the edges after any run of insertions, and cycles are never admitted."""

from __future__ import annotations

import random
import sqlite3

import networkx
import pytest

from groundwire.learning.concepts.graph import StoredGraph
from groundwire.learning.concepts.writing import Order, shortest_path
from groundwire.statefile import StateFile

RELATION = "prerequisite"


def inserted(connection: sqlite3.Connection, order: Order, a: str, b: str) -> bool:
    if not order.admits(a, b):
        return False
    connection.execute(
        "INSERT OR IGNORE INTO edges VALUES ('ada', ?, ?, ?, '{}')", (a, RELATION, b)
    )
    return True


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("near", [3, 40])
def test_any_order_of_edges_agrees_with_networkx(state: StateFile, seed: int, near: int) -> None:
    choose = random.Random(seed)
    graph = networkx.DiGraph()
    with state.writing() as connection:
        order = Order(connection, "ada", RELATION)
        for _ in range(300):
            a = choose.randrange(40)
            b = (a + choose.choice((-1, 1)) * choose.randint(1, near)) % 40
            graph.add_edge(a, b)
            admitted = inserted(connection, order, str(a), str(b))
            assert admitted == networkx.is_directed_acyclic_graph(graph)
            if not admitted:
                graph.remove_edge(a, b)
        for a, b in graph.edges:
            before, after = order.place(str(a)), order.place(str(b))
            assert before is not None and after is not None and before < after


def test_numbers_are_made_room_for(state: StateFile) -> None:
    """Each new node goes between two that are neighbours already."""
    with state.writing() as connection:
        order = Order(connection, "ada", RELATION)
        assert inserted(connection, order, "first", "last")
        for number in range(300):
            # What has a number already is moved, so each begins with an edge of its own.
            inserted(connection, order, "last", f"n{number}")
            connection.execute("DELETE FROM edges WHERE target_id = ?", (f"n{number}",))
            inserted(connection, order, "first", f"n{number}")
            assert inserted(connection, order, f"n{number}", "last")
        rows = connection.execute(
            "SELECT a.place, b.place FROM edges e JOIN places a ON a.node_id = e.source_id"
            " JOIN places b ON b.node_id = e.target_id"
        ).fetchall()
        assert len(rows) == 601
        assert all(before < after for before, after in rows)


def test_a_refused_edge_changes_no_number(state: StateFile) -> None:
    with state.writing() as connection:
        order = Order(connection, "ada", RELATION)
        for a, b in (("a", "b"), ("b", "c"), ("c", "d")):
            inserted(connection, order, a, b)
        before = connection.execute("SELECT * FROM places").fetchall()
        assert not order.admits("d", "a")
        assert not order.admits("a", "a")
        assert connection.execute("SELECT * FROM places").fetchall() == before


@pytest.mark.parametrize("seed", range(4))
def test_paths_are_as_short_as_those_of_networkx(state: StateFile, seed: int) -> None:
    choose = random.Random(seed)
    graph = networkx.gnp_random_graph(30, 0.07, seed=seed, directed=True)
    with state.writing() as connection:
        connection.executemany(
            "INSERT INTO edges VALUES ('ada', ?, ?, ?, '{}')",
            [(str(a), RELATION, str(b)) for a, b in graph.edges],
        )
        stored = StoredGraph(connection, "ada")
        for _ in range(60):
            a, b = choose.randrange(30), choose.randrange(30)
            found = shortest_path(stored, RELATION, str(a), str(b))
            assert (found is not None) == networkx.has_path(graph, a, b)
            if found is not None:
                assert len(found) - 1 == networkx.shortest_path_length(graph, a, b)
                assert (found[0], found[-1]) == (str(a), str(b))
