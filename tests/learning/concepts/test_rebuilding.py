"""What is kept of a graph can be computed again, and two writers never close a cycle together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.learning.concepts.changing import (
    ChangeRequest,
    concepts_for,
    submit_graph_changes,
)
from groundwire.learning.concepts.graph import StoredGraph
from groundwire.learning.concepts.rebuilding import rebuild_graph
from groundwire.learning.concepts.results import GraphChanges
from groundwire.learning.concepts.rules import Rules
from groundwire.learning.tables import learning_file
from groundwire.statefile import StateFile

Submit = Callable[..., GraphChanges]


def edge(source: str, target: str) -> dict[str, Any]:
    return {"op": "add_edge", "source": source, "relation": "prerequisite", "target": target}


def test_a_sound_graph_is_rebuilt_as_it_was(
    calculus: Submit, state: StateFile, rules: Rules
) -> None:
    calculus({"op": "update_node", "node": "Limit", "aliases": ["Grenzwert"]})
    with state.writing() as connection:
        before = StoredGraph(connection, "ada").summary()
        assert rebuild_graph(connection, "ada", rules).was_sound
        assert StoredGraph(connection, "ada").summary() == before
    assert calculus(edge("Integral", "Grenzwert")).stages[-1].name == "acyclicity"
    assert calculus(edge("Function", "Integral")).status == "committed"


def test_rows_of_another_hand_are_noticed_and_taken_in(
    calculus: Submit, state: StateFile, rules: Rules
) -> None:
    with state.writing() as connection:
        connection.execute(
            "INSERT INTO nodes VALUES ('ada', 'n1', 'concept', 'Series', 'sery', '{}', 1)"
        )
        found = rebuild_graph(connection, "ada", rules)
        assert not found.was_sound and found.hash == StoredGraph(connection, "ada").hash()
        assert rebuild_graph(connection, "ada", rules).was_sound
        limit = StoredGraph(connection, "ada").named("limit")[0].node_id
        connection.executemany(
            "INSERT INTO edges VALUES ('ada', ?, 'causes', ?, '{}')",
            [("n1", limit), (limit, "n1")],
        )
        assert rebuild_graph(connection, "ada", rules).unordered == ("causes",)


def test_two_writers_do_not_close_a_cycle(calculus: Submit, state: StateFile, rules: Rules) -> None:
    other = learning_file(state.path.parent)
    calculus({"op": "add_node", "name": "Series"})
    first = calculus(edge("Integral", "Series"))
    request = ChangeRequest((edge("Series", "Function"),), "a second device")
    second, _ = submit_graph_changes(other, rules, "ada", request)
    other.close()
    assert (first.status, second.status) == ("committed", "rejected")
    assert second.hash_before == first.hash_after


def test_names_of_cards_become_concepts_once(
    calculus: Submit, state: StateFile, rules: Rules
) -> None:
    calculus({"op": "update_node", "node": "Limit", "aliases": ["Grenzwert"]})
    with state.writing() as connection:
        sent = ["limits", "Grenzwert", "Series", "series", "Power series"]
        found = concepts_for(connection, rules, "ada", sent, "imported")
        assert found["limits"] == found["Grenzwert"]
        assert found["Series"] == found["series"] != found["Power series"]
        graph = StoredGraph(connection, "ada")
        assert graph.summary().nodes == 6
        assert graph.hash() == graph.computed_hash()
        assert concepts_for(connection, rules, "ada", sent, "imported") == found
    with pytest.raises(InputError, match="letter or a digit"), state.writing() as connection:
        concepts_for(connection, rules, "ada", ["…"], "imported")
    calculus({"op": "add_node", "name": "Gradient", "aliases": ["Steigung"]})
    calculus({"op": "add_node", "name": "Climb", "aliases": ["Steigung"]})
    with pytest.raises(InputError, match="several concepts"), state.writing() as connection:
        concepts_for(connection, rules, "ada", ["Steigung"], "imported")
