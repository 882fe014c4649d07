"""Two writers never close a cycle together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.learning.concepts.changing import (
    ChangeRequest,
    submit_graph_changes,
)
from groundwire.learning.concepts.results import GraphChanges
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.learner import learning_file
from groundwire.state import StatePlace

Submit = Callable[..., GraphChanges]


def edge(source: str, target: str) -> dict[str, Any]:
    return {"op": "add_edge", "source": source, "relation": "prerequisite", "target": target}


def test_two_writers_do_not_close_a_cycle(
    calculus: Submit, place: StatePlace, rules: Rules
) -> None:
    other = learning_file(place)
    calculus({"op": "add_node", "name": "Series"})
    first = calculus(edge("Integral", "Series"))
    request = ChangeRequest((edge("Series", "Function"),), "a second device")
    second, _ = submit_graph_changes(other, rules, "ada", request)
    other.close()
    assert (first.status, second.status) == ("committed", "rejected")
    assert second.hash_before == first.hash_after
