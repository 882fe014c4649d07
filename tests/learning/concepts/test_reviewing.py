"""The shared graph: quotes stand behind a change, and a second owner agrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import ForbiddenError, InputError, NotFoundError
from groundwire.learning.concepts.graph import SHARED, StoredGraph
from groundwire.learning.concepts.history import forget_learner
from groundwire.learning.concepts.results import GraphChanges
from groundwire.learning.concepts.reviewing import ReviewRequest, pending_changes, review_change
from groundwire.learning.concepts.rules import Rules
from groundwire.statefile import StateFile

Submit = Callable[..., GraphChanges]
TEXT = "A limit is what a sequence approaches. The derivative is defined by a limit."
NODES = ({"op": "add_node", "name": "Limit"}, {"op": "add_node", "name": "Derivative"})
EDGE = {"op": "add_edge", "source": "Limit", "relation": "prerequisite", "target": "Derivative"}
QUOTE = {"passage_id": "p1", "text": "The derivative is defined by a limit."}


@pytest.fixture(autouse=True)
def passages(state: StateFile) -> None:
    with state.writing() as connection:
        connection.execute("INSERT INTO sources VALUES ('ada', 's1', 'Calculus', 'text', 'h', 0)")
        connection.execute(
            "INSERT INTO passages VALUES ('ada', 'p1', 's1', 0, 0, ?, 'page 3', ?, 'hash')",
            (len(TEXT), TEXT),
        )


def shared(submit: Submit, *operations: dict[str, Any], **more: Any) -> GraphChanges:
    return submit(*operations, **{"scope": "shared", "quotes": [QUOTE], **more})


def names(state: StateFile) -> set[str]:
    with state.reading() as connection:
        return {one.name for one in StoredGraph(connection, SHARED).nodes()}


def decide(state: StateFile, rules: Rules, change: GraphChanges, **more: Any) -> Any:
    request = ReviewRequest(change.change_id or "", **{"decision": "approve", **more})
    return review_change(state, rules, more.pop("owner", "bob"), request)[0]


def test_a_second_owner_commits(submit: Submit, state: StateFile, rules: Rules) -> None:
    result = shared(submit, *NODES, EDGE)
    assert result.status == "needs_review" and result.change_id
    assert names(state) == set()
    (waiting,) = pending_changes(state, "bob").changes
    assert (waiting.change_id, waiting.is_own) == (result.change_id, False)
    assert (
        waiting.operations[2] == "add_edge: source Limit, relation prerequisite, target Derivative"
    )
    assert "page 3" in waiting.quotes[0]
    with pytest.raises(ForbiddenError, match="second owner"):
        review_change(state, rules, "ada", ReviewRequest(result.change_id, "approve"))
    reviewed = decide(state, rules, result)
    assert (reviewed.status, reviewed.hash_after) == ("committed", result.hash_after)
    assert names(state) == {"Limit", "Derivative"}
    assert pending_changes(state, "bob").total == 0
    with pytest.raises(NotFoundError):
        decide(state, rules, result)


@pytest.mark.parametrize(
    ("quotes", "said"),
    [
        ([], "send a quote that names"),
        ([{"passage_id": "p1", "text": "A limit is what a sequence approaches"}], "names"),
        (
            [{"passage_id": "p1", "text": "The derivative is defined by limits."}],
            "letter by letter",
        ),
        ([{"passage_id": "p2", "text": "The derivative"}], "no passage"),
        ([{**QUOTE, "operations": [9]}], "not in the list"),
        ([{**QUOTE, "operations": [1, 2]}], "one quote that names both"),
        ([{"text": "The derivative"}], "passage_id is missing"),
        ([{**QUOTE, "text": " "}], "letter by letter"),
    ],
)
def test_what_is_not_quoted_does_not_wait(
    submit: Submit, state: StateFile, quotes: list[dict[str, Any]], said: str
) -> None:
    result = shared(submit, *NODES, EDGE, quotes=quotes)
    assert (result.status, result.stages[-1].name) == ("rejected", "quotes")
    assert said in str(result.stages[-1].violations)
    assert pending_changes(state, "bob").total == 0


def test_passages_of_others_are_no_quotes(submit: Submit) -> None:
    assert shared(submit, *NODES, owner="eve").status == "rejected"


def test_a_change_that_fits_no_more_goes_on_waiting(
    submit: Submit, state: StateFile, rules: Rules
) -> None:
    first, second = shared(submit, *NODES), shared(submit, *NODES, EDGE)
    decide(state, rules, first)
    reviewed = decide(state, rules, second)
    assert reviewed.status == "pending_review"
    assert "already" in reviewed.answer
    assert pending_changes(state, "bob").total == 1
    sent_back = decide(
        state, rules, second, decision="request_revision", note="Leave out the nodes"
    )
    assert sent_back.status == "revision_requested"
    assert pending_changes(state, "ada").changes[0].notes == ["Leave out the nodes"]
    assert decide(state, rules, second, decision="reject", note="Superseded").status == "rejected"
    assert names(state) == {"Limit", "Derivative"}


def test_a_refusal_says_why(submit: Submit, state: StateFile, rules: Rules) -> None:
    result = shared(submit, *NODES)
    with pytest.raises(InputError, match="note"):
        decide(state, rules, result, decision="reject")


def test_an_undo_waits_too_and_moves_everybodys_cards_back(
    submit: Submit,
    state: StateFile,
    rules: Rules,
    add_card: Callable[..., None],
) -> None:
    decide(state, rules, shared(submit, *NODES))
    add_card("c1", "Limit", owner="eve", graph=SHARED)
    merge = {"op": "merge_nodes", "nodes": ["Limit"], "into": "Derivative"}
    merged = shared(submit, merge)
    decide(state, rules, merged)
    assert names(state) == {"Derivative"}
    undo = submit(undo=merged.change_id, scope="shared")
    assert undo.status == "needs_review" and names(state) == {"Derivative"}
    reviewed = decide(state, rules, undo)
    assert (reviewed.status, reviewed.hash_after) == ("committed", merged.hash_before)
    with state.reading() as connection:
        assert connection is not None
        found = connection.execute(
            "SELECT c.owner, n.name FROM card_concepts c JOIN nodes n ON n.node_id = c.node_id"
        ).fetchall()
    assert found == [("eve", "Limit")]
    assert submit(undo=merged.change_id, scope="shared").status == "rejected"


def test_a_forgotten_learner_leaves_the_graph_and_no_name(
    submit: Submit, state: StateFile, rules: Rules
) -> None:
    submit({"op": "add_node", "name": "Own"})
    decide(state, rules, shared(submit, *NODES))
    with state.writing() as connection:
        for learner in ("ada", "bob"):
            forget_learner(connection, learner, SHARED)
        dump = "\n".join(connection.iterdump())
    assert names(state) == {"Limit", "Derivative"}
    graph = [line for line in dump.splitlines() if "sources" not in line and "passages" not in line]
    assert not [line for line in graph if "'ada'" in line or '"ada"' in line or '"bob"' in line]
