"""What stands around a concept, what is unmet, and what the record of it proves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from statements import unproven

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Draft
from groundwire.learning.concepts.query import ConceptMastery, ConceptRequest, query_concepts
from groundwire.learning.concepts.results import Concepts, GraphChanges
from groundwire.learning.concepts.rules import Rules
from groundwire.statefile import StateFile
from tests.evidence.drafts import record

Submit = Callable[..., GraphChanges]
Ask = Callable[..., tuple[Concepts, Draft]]


@pytest.fixture
def ask(state: StateFile, rules: Rules, calculus: Submit) -> Ask:
    def query(concept: str = "", mastery: Any = None, owner: str = "ada", **more: Any) -> Any:
        return query_concepts(state, rules, owner, ConceptRequest(concept, **more), mastery)

    return query


def edge(source: str, target: str, relation: str = "prerequisite") -> dict[str, Any]:
    return {"op": "add_edge", "source": source, "relation": relation, "target": target}


def test_prerequisites_come_in_layers_of_the_longest_path(ask: Ask, calculus: Submit) -> None:
    calculus(edge("Function", "Integral"))
    result, _ = ask("integral")
    assert [(one.name, one.layer) for one in result.prerequisites] == [
        ("Derivative", 1), ("Limit", 2), ("Function", 3),
    ]  # fmt: skip
    assert result.prerequisites[0].says == "Derivative is a prerequisite of Integral"
    assert [one.name for one in ask("Function")[0].dependents] == [
        "Limit", "Derivative", "Integral",
    ]  # fmt: skip
    near, _ = ask("Integral", depth=1)
    assert [one.name for one in near.prerequisites] == ["Derivative", "Function"]


def test_siblings_share_a_broader_concept(ask: Ask, calculus: Submit) -> None:
    calculus(
        {"op": "add_node", "name": "Operator"},
        edge("Derivative", "Operator", "is_a"),
        edge("Integral", "Operator", "is_a"),
    )
    result, _ = ask("Derivative")
    assert [one.name for one in result.siblings] == ["Integral"]
    assert [(one.name, one.relation) for one in result.others] == [("Operator", "is_a")]
    assert [one.name for one in ask("Operator", relation="has_kind")[0].others] == [
        "Derivative", "Integral",
    ]  # fmt: skip


def test_what_was_not_looked_for_is_not_said_to_be_absent(ask: Ask) -> None:
    result, draft = ask("Integral", relation="is_a")
    assert "prerequisite" not in result.answer
    assert not [one for one in draft.values if one.name == "prerequisites"]
    made = record(draft.values, statements=draft.statements)
    assert check("Integral has no prerequisites.", [made]).verdict != "supported"
    needed, _ = ask("Derivative", relation="requires")
    assert [one.name for one in needed.prerequisites] == ["Limit", "Function"]
    assert needed.answer == '"Derivative" has 2 prerequisites within 5 edges.'


def test_a_count_within_a_depth_is_no_count_of_all(ask: Ask) -> None:
    result, draft = ask("Integral", depth=2, relation="requires")
    assert result.answer.endswith("2 prerequisites within 2 edges; edges lead on from there.")
    made = record(draft.values, statements=draft.statements)
    assert check("Integral has 2 prerequisites.", [made]).verdict != "supported"


def test_pages_run_over_all_lists(ask: Ask) -> None:
    whole = [one.name for one in ask("Limit")[0].prerequisites + ask("Limit")[0].dependents]
    found: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page, _ = ask("Limit", offset=offset, limit=1)
        found += [one.name for one in page.prerequisites + page.dependents]
        assert page.item_count == 1
        offset = page.next_offset
    assert found == whole == ["Function", "Derivative", "Integral"]
    shorter = ask("Limit")[0].shortened(2)
    assert (shorter.item_count, shorter.next_offset) == (2, 2)


def test_what_is_not_known_is_not_met_and_said_so(ask: Ask) -> None:
    def mastery(ids: Sequence[str]) -> dict[str, ConceptMastery]:
        known = [
            ConceptMastery("estimated", 0.95, "0.95", 40),
            ConceptMastery("estimated", 0.4, "0.40", 12),
            ConceptMastery("not_enough", None, None, 2),
        ]
        return dict(zip(ids, known, strict=False))

    result, draft = ask("Integral", mastery)
    assert [(one.name, one.status, one.value_text) for one in result.unmet or ()] == [
        ("Function", "not_enough", None), ("Limit", "below", "0.40"),
    ]  # fmt: skip
    assert "1 of the prerequisites are below the mark" in result.answer
    assert "of 1 there are not enough answers to tell" in result.answer
    assert [one.value for one in draft.values if one.name == "mastery"] == ["0.40"]
    assert ask("Integral")[0].unmet is None
    assert ask("Function", mastery)[0].unmet == []
    everything = ask("Integral", lambda ids: {})[0].unmet or []
    assert {one.status for one in everything} == {"not_enough"}


def test_near_names_are_offered_and_not_taken(ask: Ask, calculus: Submit) -> None:
    result, draft = ask("Derivativ")
    assert (result.status, result.reason) == ("unrecognized_param", "unknown")
    assert result.candidates == ["Derivative"] and result.concept is None
    assert [one.kind for one in draft.statements] == ["absence"]
    calculus(
        {"op": "add_node", "name": "Slope", "aliases": ["gradient"]},
        {"op": "add_node", "name": "Colour run", "aliases": ["Gradient"]},
    )
    ambiguous, _ = ask("gradients")
    assert ambiguous.reason == "ambiguous"
    assert set(ambiguous.candidates or ()) == {"Slope", "Colour run"}
    assert ask("Limit", relation="loves")[0].param == "relation"
    assert ask("x" * 10**6)[0].status == "unrecognized_param"
    assert len(ask("x" * 10**6)[0].answer) < 200


def test_no_file_is_an_empty_graph(state: StateFile, rules: Rules) -> None:
    result, _ = query_concepts(state, rules, "ada", ConceptRequest())
    assert {one.status for one in result.metrics or ()} == {"not_enough"}
    assert query_concepts(state, rules, "ada", ConceptRequest("Limit"))[0].reason == "unknown"


def test_five_numbers_of_structure_are_computed(
    ask: Ask, calculus: Submit, add_card: Callable[..., None]
) -> None:
    add_card("c1", "Limit")
    calculus({"op": "add_node", "name": "Alone"})
    result, draft = ask()
    found = {one.metric: one.value_text for one in result.metrics or () if one.value_text}
    assert found == {
        "prerequisite_depth": "3", "isolated_share": "0.200", "parts": "2",
        "mean_prerequisites": "1", "uncovered_share": "0.800",
    }  # fmt: skip
    lacking = [one for one in result.metrics or () if one.status == "not_enough"]
    assert len(lacking) == 6 and all(one.needs and one.value is None for one in lacking)
    assert {"5", "3"} <= {one.value for one in draft.values}


def test_every_number_and_name_of_an_answer_is_recorded(ask: Ask, calculus: Submit) -> None:
    def mastery(ids: Sequence[str]) -> dict[str, ConceptMastery]:
        return {ids[0]: ConceptMastery("estimated", 0.3, "0.30", 9)} if ids else {}

    for concept in ("Integral", "Function", "", "Derivativ"):
        result, draft = ask(concept, mastery)
        assert unproven(result.answer, draft) == []


def test_another_owner_sees_nothing(ask: Ask) -> None:
    assert ask("Limit", owner="eve")[0].status == "unrecognized_param"


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Limit is a prerequisite of Derivative.", True),
        ("Derivative is a prerequisite of Limit.", False),
        ("Grenzwert ist eine Voraussetzung der Ableitung.", True),
        ("Ableitung ist eine Voraussetzung des Grenzwerts.", False),
        ("Limit and Function are prerequisites of Derivative.", True),
        ("Derivative and Function are prerequisites of Limit.", False),
        ("Limit and Integral are prerequisites of Derivative.", False),
        ("Limit is no prerequisite of Derivative.", False),
        ("Derivative has 2 prerequisites.", True),
        ("Derivative has 3 prerequisites.", False),
        ("Derivative hat 2 Voraussetzungen.", True),
        ("Derivative has no siblings.", True),
        ("Derivative has no prerequisites.", False),
        ("Derivative has no dependents.", False),
    ],
)
def test_relations_are_proven_in_their_direction(
    ask: Ask, calculus: Submit, text: str, holds: bool
) -> None:
    calculus(
        edge("Function", "Derivative"),
        {"op": "update_node", "node": "Limit", "aliases": ["Grenzwert"]},
        {"op": "update_node", "node": "Derivative", "aliases": ["Ableitung"]},
    )
    _, draft = ask("Derivative")
    made = record(draft.values, draft.vocabulary, statements=draft.statements)
    assert (check(text, [made]).verdict == "supported") == holds
