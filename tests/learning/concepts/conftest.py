"""A graph of concepts to change, in a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from groundwire.learning.concepts.changing import ChangeRequest, submit_graph_changes
from groundwire.learning.concepts.results import GraphChanges
from groundwire.learning.concepts.rules import Rules, read_rules
from groundwire.learning.learner import learning_file
from groundwire.profiles import FOLDER
from groundwire.state import StatePlace
from groundwire.statefile import StateFile


@pytest.fixture
def rules() -> Rules:
    return read_rules(FOLDER / "learning.toml")


@pytest.fixture
def state(place: StatePlace) -> Iterator[StateFile]:
    opened = learning_file(place)
    yield opened
    opened.close()


Submit = Callable[..., GraphChanges]


@pytest.fixture
def submit(state: StateFile, rules: Rules) -> Submit:
    """Send operations as `ada`, or as the owner that is named."""

    def send(*operations: dict[str, Any], owner: str = "ada", **more: Any) -> GraphChanges:
        request = ChangeRequest(operations, **{"rationale": "a test", **more})
        return submit_graph_changes(state, rules, owner, request)[0]

    return send


@pytest.fixture
def calculus(submit: Submit) -> Submit:
    """Function, Limit, Derivative and Integral, each a prerequisite of the next."""
    names = ("Function", "Limit", "Derivative", "Integral")
    nodes = [{"op": "add_node", "name": name} for name in names]
    edges = [
        {"op": "add_edge", "source": a, "relation": "prerequisite", "target": b}
        for a, b in pairwise(names)
    ]
    assert submit(*nodes, *edges).status == "committed"
    return submit


@pytest.fixture
def add_card(state: StateFile) -> Callable[..., None]:
    """Make a card be about a concept."""

    def add(card: str, name: str, owner: str = "ada", graph: str = "ada") -> None:
        with state.writing() as connection:
            (node_id,) = connection.execute(
                "SELECT node_id FROM nodes WHERE owner = ? AND name = ?", (graph, name)
            ).fetchone()
            connection.execute("INSERT INTO card_concepts VALUES (?, ?, ?)", (owner, card, node_id))

    return add
