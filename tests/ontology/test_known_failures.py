"""Failures seen in other systems that must not come back (one test a failure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

LISTS = (
    ':S a sh:NodeShape ; sh:targetClass :Road ; sh:property [ sh:path :kind ; sh:in ( "urban" '
    '"rural" "motorway" "divided road" "urban area" ) ] , [ sh:path :vehicle ; sh:in ( "van" '
    '"truck" ) ] .'
)


@pytest.fixture
def roads(make: Callable[[str, str], Any]) -> Any:
    return make(LISTS, ':a a :Road ; :kind "urban" ; :vehicle "van" . :b a :Road ; :kind "rural" .')


def test_suburban_is_not_corrected_to_urban(roads: Any, sample: Any) -> None:
    for bench, slots in (
        (roads, {"domains": ["road"], "filters": {"kind": "suburban"}}),
        (sample, {"domains": ["hdmap"], "filters": {"roadTypes": "suburban"}}),
    ):
        gap = bench.gap(slots)
        assert (gap.term, gap.reason) == ("suburban", "unmapped")
        assert "urban" in gap.suggestions


@pytest.mark.parametrize("word", ["car", "undivided road", "tuck", "interurban", "urban canyon"])
def test_a_word_that_means_something_else_is_not_respelt(roads: Any, word: str) -> None:
    for key in ("kind", "vehicle"):
        gap = roads.gap({"domains": ["road"], "filters": {key: word}})
        assert gap.term == word


@pytest.mark.parametrize("phrase", ["urban highway", "rural motorway", "motorway junction", "road"])
def test_one_word_of_a_phrase_is_not_taken_for_the_whole(roads: Any, phrase: str) -> None:
    gap = roads.gap({"domains": ["road"], "filters": {"kind": phrase}})
    assert gap.term == phrase
    assert "motorway" not in gap.suggestions
    assert gap.suggestions or "would be more than was asked for" in gap.detail


def test_a_domain_correction_does_not_widen_a_precise_query(sample: Any) -> None:
    """Scenarios on maps with motorways stay scenarios, and fewer than all of them."""
    precise = sample.search({"domains": ["scenario"], "filters": {"roadTypes": "motorway"}})
    assert precise.applied["domains"] == ["scenario"]
    assert {item.domain for item in precise.results} == {"scenario"}
    assert [c.how for c in precise.corrections] == ["domain"]
    asked = sample.search(
        {
            "domains": ["scenario"],
            "references": {"domain": "hdmap", "filters": {"roadTypes": "motorway"}},
        }
    )
    every = sample.search({"domains": ["scenario"]})
    assert 0 < precise.total == asked.total < every.total


def test_a_sibling_path_is_not_guessed_for_a_missing_reference(sample: Any) -> None:
    """Traces and surface models both refer to maps, yet nothing joins the two."""
    gap = sample.gap({"domains": ["surface-model"], "references": {"domain": "ositrace"}})
    assert gap.slot == "references[0].domain"
    assert "no declared connection" in gap.detail
    assert "hdmap" in gap.suggestions


def test_a_reference_is_not_dropped_without_a_word(sample: Any) -> None:
    for reference in ({"domain": "zeppelin"}, {"domain": "hdmap", "filters": {"bogus": 1}}):
        result = sample.search({"domains": ["scenario"], "references": reference})
        assert result.status == "rejected"
        assert result.gaps[0].slot.startswith("references[0]")


def test_filters_match_booleans_numbers_and_tagged_text(harbour: Any) -> None:
    assert harbour.ships({"inService": "true"}) == {"aurora", "boreas", "delphin"}
    assert harbour.ships({"crew": "12"}) == {"ceres"}
    assert harbour.ships({"name": "Ceres"}) == {"ceres"}


def test_more_than_ten_is_not_run_as_ten_or_more(harbour: Any) -> None:
    for sent in ("more than 10", {"gt": 10}, {"moreThan": 10}, {">": "10"}):
        assert "aurora" not in harbour.ships({}, crew=sent), sent
    for sent in ("at least 10", {"gte": 10}, {"min": 10}):
        assert "aurora" in harbour.ships({}, crew=sent), sent


@pytest.mark.parametrize(
    ("domain", "filters"),
    [
        ("hdmap", {"license": "MIT"}),
        ("hdmap", {"license": "mit"}),
        ("ositrace", {"fileFormat": "MCAP"}),
        ("ositrace", {"ositrace:version": "3.7.0"}),
        ("ositrace", {"formatType": "ASAM OSI"}),
    ],
)
def test_what_shapes_and_data_have_is_not_called_unknown(
    sample: Any, domain: str, filters: Any
) -> None:
    result = sample.search({"domains": [domain], "filters": filters})
    assert result.status == "results", result.answer


def test_osi_and_its_version_in_one_term_are_led_to_where_they_are(sample: Any) -> None:
    """Two properties are in it: it is asked back, with suggestions of this catalogue."""
    result = sample.search(
        {"domains": ["ositrace"], "filters": {"formatType": "OSI 3.7"}}, gaps=["OSI 3.7"]
    )
    assert result.status == "rejected"
    assert all(gap.suggestions for gap in result.gaps), result.gaps


def test_all_of_is_not_run_as_any_of(sample: Any) -> None:
    both = ["motorway", "rural"]
    all_of = sample.search({"domains": ["hdmap"], "filters": {"roadTypes": {"all_of": both}}})
    any_of = sample.search({"domains": ["hdmap"], "filters": {"roadTypes": both}})
    assert 0 < all_of.total < any_of.total
    for item in all_of.results:
        assert set(both) <= set(item.values["roadTypes"])


def test_the_row_limit_does_not_cut_the_joined_assets(harbour: Any) -> None:
    slots = {
        "domains": ["voyage"],
        "references": {"domain": "port"},
        "filters": {"weather": "calm"},
    }
    (first,) = harbour.search(slots, limit=1).results
    assert len(first.references) == 2


def test_unknown_names_give_no_silent_zeros(sample: Any) -> None:
    for slots in (
        {"domains": ["hdmaps of mars"]},
        {"domains": ["hdmap"], "filters": {"roadKinds": "motorway"}},
        {"domains": ["hdmap"], "filters": {"roadTypes": "hyperlane"}},
        {"domains": ["hdmap"], "ranges": {"heigth": {"min": 1}}},
    ):
        result = sample.search(slots)
        assert (result.status, result.total) == ("rejected", None), slots
