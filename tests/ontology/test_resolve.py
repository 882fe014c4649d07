"""Which domain is meant, which property a key names, and what is never guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

OWN_VERSION = "https://example.org/harbour/version"

# Domains


def test_a_domain_that_was_not_sent_follows_from_its_properties(harbour: Any) -> None:
    result = harbour.search({"filters": {"quays": "timber"}})
    assert result.applied["domains"] == ["Port"]
    assert set(harbour.found({"ranges": {"berths": {"min": 1}}})) == {"bremen", "turku"}


def test_only_the_domains_that_have_every_property_are_searched(harbour: Any) -> None:
    result = harbour.search({"filters": {"inspected": "2024", "quays": "stone"}})
    assert result.applied["domains"] == ["Port"]
    assert [item.label for item in result.results] == ["Bremen"]


def test_a_property_of_several_domains_finds_the_assets_of_all(harbour: Any) -> None:
    result = harbour.search({"filters": {"inspected": {"exists": True}}})
    assert {item.label for item in result.results} == {"Aurora", "Bremen"}
    assert {item.domain for item in result.results} == {"Ship", "Port"}


def test_properties_that_no_one_domain_has_are_asked_back(harbour: Any) -> None:
    result = harbour.search({"filters": {"quays": "stone", "weather": "calm"}})
    assert result.status == "rejected"
    assert {gap.reason for gap in result.gaps} == {"ambiguous"}
    offered = {suggestion for gap in result.gaps for suggestion in gap.suggestions}
    assert offered == {'domains=["Port"]', 'domains=["Voyage"]'}


def test_a_domain_is_found_by_name_label_curie_iri_and_typo(harbour: Any) -> None:
    for said in ("voyage", "Voyages", "sea passage", "https://example.org/harbour/Voyage", "vyage"):
        assert harbour.search({"domains": [said]}).applied["domains"] == ["Voyage"], said


def test_an_unknown_domain_is_a_gap_with_the_real_ones(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["spaceship"]})
    assert (gap.slot, gap.reason) == ("domains[0]", "unmapped")
    assert {"Ship", "Port", "Voyage"} <= set(gap.suggestions)


def test_one_unknown_domain_beside_a_known_one_rejects_the_search(harbour: Any) -> None:
    assert harbour.gap({"domains": ["ship", "dragons"]}).slot == "domains[1]"


def test_subclasses_belong_to_their_domain(harbour: Any) -> None:
    assert "delphin" in harbour.found({"domains": ["ship"]})
    result = harbour.search({"domains": ["ship"], "filters": {"flag": "FR"}})
    assert [item.domain for item in result.results] == ["Ship"]


def test_of_the_sent_domains_those_with_the_property_are_kept_and_it_is_said(harbour: Any) -> None:
    result = harbour.search({"domains": ["Port", "Voyage"], "filters": {"weather": "calm"}})
    assert result.applied["domains"] == ["Voyage"]
    correction = next(c for c in result.corrections if c.how == "domain")
    assert (correction.slot, correction.raw, correction.resolved) == (
        "filters.weather",
        "Port, Voyage",
        'domains=["Voyage"]',
    )


# Domain corrections


def test_a_property_of_one_connected_domain_becomes_a_reference_to_it(harbour: Any) -> None:
    result = harbour.search({"domains": ["Voyage"], "filters": {"quays": "concrete"}})
    assert {item.label for item in result.results} == {"First voyage", "Second voyage"}
    assert result.applied["references"] == [{"domain": "Port", "filters": {"quays": "concrete"}}]
    (correction,) = result.corrections
    assert (correction.slot, correction.raw, correction.how) == (
        "filters.quays",
        "quays",
        "domain",
    )
    assert "Port" in correction.resolved
    assert result.confidence == "medium"


def test_a_range_on_a_connected_domain_becomes_a_reference_too(harbour: Any) -> None:
    found = harbour.found({"domains": ["Voyage"], "ranges": {"depth": {"gt": 10}}})
    assert set(found) == {"v1", "v3"}


def test_an_inferred_condition_goes_to_the_reference_that_was_sent(harbour: Any) -> None:
    result = harbour.search(
        {
            "domains": ["Voyage"],
            "filters": {"quays": "stone"},
            "references": {"domain": "Port", "ranges": {"berths": {"gt": 4}}},
        }
    )
    assert {item.label for item in result.results} == {"First voyage", "Third voyage"}
    assert len(result.applied["references"]) == 1


def test_a_property_of_several_connected_domains_is_asked_back(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["Voyage"], "filters": {"inspected": "2024"}})
    assert gap.reason == "ambiguous"
    assert {text for text in gap.suggestions if "references" in text} == {
        'references={"domain": "Ship", "filters": {"inspected": "2024"}}',
        'references={"domain": "Port", "filters": {"inspected": "2024"}}',
    }


def test_a_property_of_no_connected_domain_is_a_gap_with_the_domain_that_has_it(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":A a sh:NodeShape ; sh:targetClass :Lamp ; sh:property [ sh:path :watts ] . "
        ":B a sh:NodeShape ; sh:targetClass :Rug ; sh:property [ sh:path :knots ] .",
        ":l a :Lamp ; :watts 5 . :r a :Rug ; :knots 9 .",
    )
    gap = bench.gap({"domains": ["Lamp"], "filters": {"knots": 9}})
    assert gap.reason == "unmapped"
    assert gap.suggestions[0] == 'domains=["Rug"]'


# Keys


@pytest.mark.parametrize(
    "key",
    [
        "cargoTypes",
        "cargo types",
        "CargoType",
        "cargo_types",
        "Ladungsarten",
        "https://example.org/harbour/cargoTypes",
        "cargooTypes",
    ],
)
def test_keys_in_every_spelling(harbour: Any, key: str) -> None:
    assert harbour.ships({key: "reefer"}) == {"aurora"}


def test_a_local_name_that_stands_for_several_properties_is_asked_back(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "filters": {"version": "A"}})
    assert gap.reason == "ambiguous"
    assert "engine:version" in gap.detail
    # No engine has this version, so that asking for one would be refused again.
    assert gap.suggestions == [OWN_VERSION]
    for suggestion, ships in ((OWN_VERSION, {"aurora", "ceres"}), ("engine:version", set())):
        assert harbour.ships({suggestion: "A"} if ships else {suggestion: "3.7"}) == (
            ships or {"aurora"}
        )


def test_the_end_of_a_path_tells_such_properties_apart(harbour: Any) -> None:
    assert harbour.ships({"hasEngine/version": "3.7"}) == {"aurora"}


def test_sort_and_count_by_an_ambiguous_or_unknown_name_are_asked_back(harbour: Any) -> None:
    for slot in ("sort", "count_by"):
        gap = harbour.gap({"domains": ["ship"]}, **{slot: "version"})
        assert (gap.slot, gap.reason) == (slot, "ambiguous")
        gap = harbour.gap({"domains": ["ship"]}, **{slot: "colour of the hull"})
        assert (gap.slot, gap.reason) == (slot, "unmapped")


@pytest.mark.parametrize(
    "slots",
    [
        {"domains": ["ship"], "filters": {"colour": "red"}},
        {"domains": ["ship"], "ranges": {"colour": {"min": 1}}},
        {"domains": ["ship"], "filters": {"cargoTypes": "containers", "colour": "red"}},
        {
            "domains": ["ship"],
            "filters": {"cargoTypes": "containers"},
            "ranges": {"crw2": {"min": 1}},
        },
        {"filters": {"colour": "red"}},
        {"domains": ["voyage"], "references": {"domain": "ship", "filters": {"colour": "red"}}},
        {"domains": ["voyage"], "references": {"domain": "zeppelin"}},
        {"domains": ["voyage"], "references": [{"domain": "port"}, {"domain": "zeppelin"}]},
        {"domains": ["ship"], "filters": {"operatedBy": "Nobody Ltd"}},
        {"domains": ["ship"], "filters": {"flag": "Atlantis"}},
        {"domains": ["ship"], "filters": {"crew": "a dozen or so"}},
    ],
)
def test_a_gap_in_any_slot_rejects_the_search(harbour: Any, slots: Any) -> None:
    """What was asked is never widened, and an unknown name never gives a silent zero."""
    result = harbour.search(slots)
    assert result.status == "rejected"
    assert result.total is None
    assert not result.results
    assert result.confidence == "low"
    assert result.answer.startswith("Not searched: ")


def test_unknown_names_are_told_from_what_is_absent(harbour: Any) -> None:
    unknown = harbour.search({"domains": ["ship"], "filters": {"cargoTypes": "spice"}})
    absent = harbour.search({"domains": ["ship"], "filters": {"cargoTypes": "livestock"}})
    assert (unknown.status, absent.status) == ("rejected", "empty")
