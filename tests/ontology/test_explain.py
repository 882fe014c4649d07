"""Why nothing was found: what each condition costs, and what is stored nearby."""

from __future__ import annotations

from typing import Any


def test_each_condition_tells_what_remains_without_it(harbour: Any) -> None:
    result = harbour.search(
        {
            "domains": ["ship"],
            "filters": {"cargoTypes": "bulk", "flag": "NL"},
            "ranges": {"crew": {"gt": 30}},
        }
    )
    assert (result.status, result.total, result.total_is_exact) == ("empty", 0, True)
    left = {entry.slot: entry.remaining for entry in result.explanation_of_empty}
    assert left == {"filters.cargoTypes": 0, "filters.flag": 0, "ranges.crew": 0}
    result = harbour.search({"domains": ["ship"], "filters": {"cargoTypes": "bulk", "flag": "NL"}})
    entries = {entry.slot: entry for entry in result.explanation_of_empty}
    assert entries["filters.cargoTypes"].remaining == 1
    assert entries["filters.flag"].remaining == 1
    assert entries["filters.flag"].remaining_is_exact


def test_the_nearest_stored_values_are_named(harbour: Any) -> None:
    slots = {"domains": ["ship"], "ranges": {"crew": {"gt": 26, "lt": 40}}}
    (entry,) = harbour.search(slots).explanation_of_empty
    assert entry.condition == "crew > 26 and < 40"
    assert entry.remaining == 4
    assert entry.nearest[0] == "25"
    slots = {"domains": ["ship"], "filters": {"launched": "2020-12-24"}}
    (entry,) = harbour.search(slots).explanation_of_empty
    assert entry.nearest[0] == "2021-01-15"
    slots = {"domains": ["ship"], "filters": {"cargoTypes": "livestock"}}
    (entry,) = harbour.search(slots).explanation_of_empty
    assert entry.nearest[0] == "containers"
    assert "livestock" not in entry.nearest


def test_what_the_shapes_rule_out_is_told(sample: Any) -> None:
    slots = {"domains": ["surface-model"], "ranges": {"frictionCoefficient": {"gte": 1.5}}}
    result = sample.search(slots)
    assert [one.allowed for one in result.explanation_of_empty] == ["> 0 and < 1.5"]
    assert "The shapes allow no value with frictionCoefficient >= 1.5" in result.answer
    slots = {"domains": ["surface-model"], "ranges": {"frictionCoefficient": {"gte": 1.4}}}
    assert [one.allowed for one in sample.search(slots).explanation_of_empty] == [None]
    slots = {"domains": ["hdmap"], "ranges": {"length": {"gt": 100000}}}
    assert [one.allowed for one in sample.search(slots).explanation_of_empty] == [None]


def test_references_and_their_conditions_are_explained_too(harbour: Any) -> None:
    slots = {
        "domains": ["voyage"],
        "filters": {"weather": "calm"},
        "references": {"domain": "ship", "filters": {"flag": "NL"}},
    }
    entries = {entry.slot: entry for entry in harbour.search(slots).explanation_of_empty}
    assert entries["filters.weather"].remaining == 1
    assert entries["references[0]"].remaining == 1
    assert entries["references[0].filters.flag"].remaining == 1
    assert entries["references[0]"].condition == "connected with Ship"


def test_a_condition_that_was_moved_to_a_reference_is_explained_by_its_slot(harbour: Any) -> None:
    slots = {"domains": ["voyage"], "filters": {"weather": "fog", "berths": 99}}
    entries = {entry.slot: entry.remaining for entry in harbour.search(slots).explanation_of_empty}
    assert entries["filters.berths"] == 2
    assert entries["filters.weather"] == 0


def test_the_answer_repeats_what_was_asked(harbour: Any) -> None:
    result = harbour.search({"domains": ["ship"], "filters": {"cargoTypes": "livestock"}})
    assert result.answer == "No asset matches: Ship with cargoTypes = livestock."


def test_results_need_no_explanation(harbour: Any) -> None:
    assert harbour.search({"domains": ["ship"]}).explanation_of_empty is None


def test_the_nearest_values_find_assets_with_the_rest_of_the_search(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"cargoTypes": "bulk", "flag": "NL"}}
    entries = {entry.slot: entry for entry in harbour.search(slots).explanation_of_empty}
    assert entries["filters.flag"].nearest == ["DE"]
    assert entries["filters.cargoTypes"].nearest == ["containers"]
    slots = {"domains": ["voyage"], "references": {"domain": "ship", "filters": {"crew": 10}}}
    slots["filters"] = {"weather": "storm"}
    (weather, _, crew) = harbour.search(slots).explanation_of_empty
    assert (weather.nearest, crew.nearest) == (["calm"], [])
