"""What says less than the words that it would stand for is not offered in their place."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.ontology.suggestions import leaves_out


@pytest.mark.parametrize(
    ("said", "used", "left"),
    [
        ("three-lane motorway", ["motorway"], ["three", "lane"]),
        ("rural motorway", ["rural", "motorway"], []),
        ("rural motorwy", ["motorway"], ["rural"]),
        ("motorway roads", ["motorway"], []),
        ("the motorway", ["motorway"], []),
        ("mit Autobahn", ["Autobahn"], []),
        ("suburban", ["urban"], []),
        ("motorway", ["motorway entry"], []),
        ("Germany west", ["DE"], []),
    ],
)
def test_the_words_that_are_left_out(said: str, used: list[str], left: list[str]) -> None:
    assert leaves_out(said, used, ["roadTypes", "hdmap"]) == left


def test_a_value_that_says_less_is_told_and_not_offered(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"cargoTypes": "frozen livestock"}}
    gap = harbour.gap(slots)
    assert gap.suggestions == []
    assert "livestock would be more than was asked for" in gap.detail


def test_to_exclude_more_words_excludes_less(harbour: Any) -> None:
    for sent, offered in (("waste", False), ("urban dry waste", True)):
        slots = {"domains": ["ship"], "filters": {"cargoTypes": {"none_of": [sent]}}}
        assert ("urban waste" in harbour.gap(slots).suggestions) == offered, sent


def test_a_bound_is_not_offered_as_a_value(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "ranges": {"flag": {"gt": "500 MB"}}})
    assert gap.suggestions == []


def test_a_bound_is_not_lost_where_its_key_is_a_value(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "ranges": {"livestock": {"min": 268}}})
    assert not any(one.startswith("filters.") for one in gap.suggestions)


# Corrections and nearest values can be sent as well


def corrected(bench: Any, slots: dict[str, Any], **more: Any) -> list[tuple[str, str]]:
    return [(c.raw, c.resolved) for c in bench.search(slots, **more).corrections]


def test_a_bound_is_corrected_with_its_unit(harbour: Any) -> None:
    ships = {"domains": ["Ship"]}
    assert corrected(harbour, {**ships, "ranges": {"length": {"gt": "0.18 km"}}}) == [
        ("0.18 km", "180 m")
    ]
    assert corrected(harbour, {**ships, "filters": {"length": "more than 0.18 km"}}) == [
        ("more than 0.18 km", "> 180 m")
    ]
    between = {"min": "0.1 km", "lt": "0.2 km"}
    assert corrected(harbour, {**ships, "ranges": {"length": between}}) == [
        (">= 0.1 km and < 0.2 km", 'ranges.length={"min": "100 m", "lt": "200 m"}')
    ]
    assert corrected(harbour, {**ships, "ranges": {"length": {"min": "180 m"}}}) == []


def test_two_bounds_in_one_text_are_read(harbour: Any) -> None:
    for text in (">= 100 m and < 200 m", "at least 0.1 km and less than 0.2 km"):
        for part in ("ranges", "filters"):
            found = harbour.found({"domains": ["ship"], part: {"length": text}})
            assert found == ["boreas"], (part, text)


def test_a_condition_of_a_connected_asset_is_corrected_to_a_reference(harbour: Any) -> None:
    slots = {"domains": ["Voyage"], "filters": {"crew": 10}}
    ((_, resolved),) = corrected(harbour, slots)
    assert resolved == 'references={"domain": "Ship", "filters": {"crew": 10}}'
    sent = {"domains": ["Voyage"], "references": {"domain": "Ship", "filters": {"crew": 10}}}
    assert harbour.found(sent) == harbour.found(slots) == ["v1"]


def test_the_forms_of_a_value_in_one_text_are_that_value(harbour: Any) -> None:
    slots = {"domains": ["Voyage"], "filters": {"weather": "fog"}}
    ((_, resolved),) = corrected(harbour, slots)
    again = {"domains": ["Voyage"], "filters": {"weather": resolved}}
    assert harbour.found(again) == harbour.found(slots) == ["v2", "v3"]


def test_a_key_is_read_as_a_correction_shows_it(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"engine:version (hasEngine/version)": "3.7"}}
    assert harbour.found(slots) == ["aurora"]


def test_nearest_values_are_in_the_unit_of_the_property_and_days(harbour: Any) -> None:
    slots = {"domains": ["ship"], "ranges": {"length": {"gt": "1 km"}}}
    (one,) = harbour.search(slots).explanation_of_empty
    assert one.nearest[0] == "300 m"
    slots = {"domains": ["Voyage"], "ranges": {"departed": {"min": "2030-01-01"}}}
    (one,) = harbour.search(slots).explanation_of_empty
    assert one.nearest[0] == "2024-05-02"
    assert harbour.found({"domains": ["Voyage"], "filters": {"departed": "2024-05-02"}}) == ["v3"]


def test_kinds_that_do_not_take_the_other_conditions_are_told_and_not_offered(harbour: Any) -> None:
    slots = {"domains": ["dragon"], "filters": {"hullColour": "red"}}
    gap = harbour.gap(slots)
    assert gap.suggestions == []
    assert "known, but not accepted with the rest: Ship, Voyage, Port" in gap.detail
