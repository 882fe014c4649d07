"""Values match by what is declared and by what is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Ships = set[str]


# Booleans, numbers, text


@pytest.mark.parametrize("said", [True, "true", "yes", "1", 1, {"any_of": ["ja"]}])
def test_booleans_match_in_both_lexical_forms(harbour: Any, said: Any) -> None:
    assert harbour.ships({"inService": said}) == {"aurora", "boreas", "delphin"}


def test_booleans_are_negated_and_listed(harbour: Any) -> None:
    assert harbour.ships({"inService": False}) == {"ceres"}
    assert harbour.ships({"inService": {"none_of": [True]}}) == {"ceres"}
    assert harbour.ships({"inService": [True, False]}) == {"aurora", "boreas", "ceres", "delphin"}


def test_what_is_no_boolean_is_asked_back(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "filters": {"inService": "maybe"}})
    assert (gap.reason, gap.suggestions) == ("unmapped", ["true", "false"])


def test_a_condition_on_a_boolean_is_never_dropped(harbour: Any) -> None:
    assert harbour.ships({"inService": {"contains": "true"}}) == {"aurora", "boreas", "delphin"}
    gap = harbour.gap({"domains": ["ship"], "filters": {"inService": {"contains": "tr"}}})
    assert gap.suggestions == ["true", "false"]


@pytest.mark.parametrize("said", [10, "10", 10.0, "10.0", "ten", {"eq": 10}])
def test_numbers_match_by_value(harbour: Any, said: Any) -> None:
    assert harbour.ships({"crew": said}) == {"aurora"}


@pytest.mark.parametrize("said", [95.5, "95.5", "95.50", "95.5 m", "0.0955 km"])
def test_decimals_match_by_value_and_unit(harbour: Any, said: Any) -> None:
    assert harbour.ships({"length": said}) == {"ceres"}


def test_a_whole_number_matches_a_decimal(harbour: Any) -> None:
    assert harbour.ships({"length": 200}) == {"aurora"}
    assert harbour.ships({"length": "180.0"}) == {"boreas"}


def test_several_numbers(harbour: Any) -> None:
    assert harbour.ships({"crew": [10, 12]}) == {"aurora", "ceres"}
    assert harbour.ships({"crew": {"none_of": [10, 12]}}) == {"boreas", "delphin"}
    assert harbour.ships({"crew": {"all_of": [10, 12]}}) == set()


def test_text_in_a_language_matches_without_naming_it(harbour: Any) -> None:
    assert harbour.ships({"name": "Aurora"}) == {"aurora"}
    assert harbour.ships({"name": "boreas"}) == {"boreas"}


def test_text_that_looks_like_a_number_keeps_its_zeros(harbour: Any) -> None:
    assert harbour.ships({"hullNumber": "0042"}) == {"aurora"}
    assert harbour.gap({"domains": ["ship"], "filters": {"hullNumber": "42"}}).term == "42"


def test_an_iri_is_found_by_label_local_name_curie_and_iri(harbour: Any) -> None:
    for said in (
        "Northline Shipping",
        "northline",
        "https://example.org/harbour/northline",
        {"@id": "https://example.org/harbour/northline"},
    ):
        sent = [said] if isinstance(said, dict) else said
        assert harbour.ships({"operatedBy": sent}) == {"aurora"}, said


def test_an_iri_is_found_by_the_label_that_the_assets_give_it(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Ship ; sh:property [ sh:path :builtBy ; "
        "sh:nodeKind sh:IRI ] .",
        ":a a :Ship ; :builtBy :yard7 . :b a :Ship ; :builtBy :yard8 . "
        ':yard7 rdfs:label "Old Yard"@en .',
    )
    assert bench.found({"domains": ["ship"], "filters": {"builtBy": "old yard"}}) == ["a"]


def test_a_country_is_found_by_its_name(harbour: Any) -> None:
    result = harbour.search({"domains": ["Ship"], "filters": {"flag": "Germany"}})
    assert {item.label for item in result.results} == {"Aurora", "Ceres"}
    assert [(c.raw, c.resolved, c.how) for c in result.corrections] == [("Germany", "DE", "alias")]
    assert harbour.ships({"flag": ["Niederlande", "法国"]}) == {"boreas", "delphin"}


# Any, all, none, exists, contains


def test_any_all_and_none(harbour: Any) -> None:
    assert harbour.ships({"cargoTypes": ["reefer", "bulk"]}) == {"aurora", "ceres"}
    assert harbour.ships({"cargoTypes": {"all_of": ["containers", "reefer"]}}) == {"aurora"}
    assert harbour.ships({"cargoTypes": {"all_of": ["containers", "bulk"]}}) == set()
    assert harbour.ships({"cargoTypes": {"none_of": ["containers"]}}) == {"ceres", "delphin"}
    both = {"any_of": ["containers", "bulk"], "none_of": ["reefer"]}
    assert harbour.ships({"cargoTypes": both}) == {"boreas", "ceres"}


def test_exists_and_its_absence(harbour: Any) -> None:
    assert harbour.ships({"surveyYear": {"exists": True}}) == {"aurora", "boreas"}
    assert harbour.ships({"surveyYear": {"exists": False}}) == {"ceres", "delphin"}
    assert harbour.ships({"cargoTypes": {"missing": True}}) == {"delphin"}


def test_contains_looks_into_text(harbour: Any) -> None:
    assert harbour.ships({"name": {"contains": "RE"}}) == {"boreas", "ceres"}
    assert harbour.ships({"name": {"contains": ["re", "bo"]}}) == {"boreas"}
    assert harbour.ships({"hullNumber": {"contains": "004"}}) == {"aurora", "boreas"}


def test_a_declared_value_that_no_asset_holds_is_empty_not_unknown(harbour: Any) -> None:
    result = harbour.search({"domains": ["ship"], "filters": {"cargoTypes": "livestock"}})
    assert (result.status, result.total, result.total_is_exact) == ("empty", 0, True)


def test_a_property_that_no_asset_has_is_empty_not_unknown(make: Callable[[str, str], Any]) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Ship ; sh:property [ sh:path :a ; sh:in ( 1 2 ) ] , "
        "[ sh:path :b ; sh:datatype xsd:integer ] .",
        ":x a :Ship ; :a 1 .",
    )
    assert bench.search({"domains": ["ship"], "ranges": {"b": {"min": 1}}}).status == "empty"
    assert bench.found({"domains": ["ship"], "filters": {"b": {"exists": False}}}) == ["x"]


# Numbers and booleans stored as text, text stored as numbers


def test_numbers_and_dates_that_are_stored_as_text_are_compared_as_what_they_are(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Ship ; sh:property [ sh:path :crew ; "
        "sh:datatype xsd:integer ] , [ sh:path :made ; sh:datatype xsd:date ] .",
        ':a a :Ship ; :crew "9" ; :made "2024-03-01" . :b a :Ship ; :crew "10" ; '
        ':made "2023-12-31"^^xsd:date . :c a :Ship ; :crew 11 ; :made "2024-01-01" .',
    )
    assert set(bench.found({"domains": ["ship"], "ranges": {"crew": {"gt": 9}}})) == {"b", "c"}
    assert set(bench.found({"domains": ["ship"], "filters": {"crew": [9, 11]}})) == {"a", "c"}
    assert set(bench.found({"domains": ["ship"], "filters": {"made": "2024"}})) == {"a", "c"}


def test_text_that_the_shapes_list_matches_every_stored_datatype(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ':S a sh:NodeShape ; sh:targetClass :Map ; sh:property [ sh:path :level ; sh:in ( "1" '
        '"2" ) ] , [ sh:path :kind ; sh:in ( "road"@en "rail"@en ) ] .',
        ':a a :Map ; :level 1 ; :kind "road" . :b a :Map ; :level "1" ; :kind "road"@en . '
        ':c a :Map ; :level "2" ; :kind "rail"@de .',
    )
    assert set(bench.found({"domains": ["map"], "filters": {"level": "1"}})) == {"a", "b"}
    assert set(bench.found({"domains": ["map"], "filters": {"level": 1}})) == {"a", "b"}
    assert set(bench.found({"domains": ["map"], "filters": {"kind": "road"}})) == {"a", "b"}
    assert bench.found({"domains": ["map"], "filters": {"kind": "rail"}}) == ["c"]


# Stored variants


def test_a_declared_value_finds_its_stored_variant_and_says_so(harbour: Any) -> None:
    result = harbour.search({"domains": ["voyage"], "filters": {"weather": "fog"}})
    assert {item.label for item in result.results} == {"Second voyage", "Third voyage"}
    variant = [c for c in result.corrections if c.how == "stored_variant"]
    assert [(c.slot, c.raw) for c in variant] == [("filters.weather", "fog")]
    assert set(variant[0].resolved.split(", ")) == {"fog", "foggy"}
    assert "weather = fog or foggy: " in result.answer
    first = harbour.search({"domains": ["voyage"], "filters": {"weather": "fog"}}, limit=1)
    assert first.answer.endswith(" and more.")


def test_the_stored_spelling_finds_the_declared_one_too(harbour: Any) -> None:
    assert set(harbour.found({"domains": ["voyage"], "filters": {"weather": "foggy"}})) == {
        "v2",
        "v3",
    }


def test_none_of_a_value_leaves_its_variants_out_as_well(harbour: Any) -> None:
    assert harbour.found({"domains": ["voyage"], "filters": {"weather": {"none_of": "fog"}}}) == [
        "v1"
    ]


# Corrections and gaps of values


def test_a_typo_is_mended_and_reported_with_medium_confidence(harbour: Any) -> None:
    result = harbour.search({"domains": ["Ship"], "filters": {"cargoTypes": "contaners"}})
    assert (result.status, result.confidence) == ("results", "medium")
    (correction,) = result.corrections
    assert (correction.raw, correction.resolved, correction.how) == (
        "contaners",
        "containers",
        "corrected",
    )
    assert 0 < correction.score < 1


def test_case_and_plural_keep_high_confidence(harbour: Any) -> None:
    result = harbour.search({"domains": "Ships", "filters": {"Cargo-Types": "CONTAINER"}})
    assert (result.status, result.confidence) == ("results", "high")
    assert {c.how for c in result.corrections} <= {"folded", "alias"}
    assert {c.raw for c in result.corrections} == {"Ships", "Cargo-Types", "CONTAINER"}


def test_labels_in_other_languages_name_domain_and_property(harbour: Any) -> None:
    assert set(
        harbour.found({"domains": ["Schiff"], "filters": {"Ladungsarten": "containers"}})
    ) == {"aurora", "boreas"}
    assert len(harbour.found({"domains": "船"})) == 4


def test_an_unknown_value_is_a_gap_with_what_was_sent_and_real_suggestions(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "filters": {"cargoTypes": "container ships"}})
    assert (gap.slot, gap.term, gap.reason) == (
        "filters.cargoTypes",
        "container ships",
        "unmapped",
    )
    assert gap.suggestions[0] == "containers"


def test_a_value_of_another_property_is_pointed_to(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "filters": {"cargoTypes": "Northline Shipping"}})
    assert gap.suggestions[0].startswith("filters.operatedBy=")


def test_one_bad_value_among_good_ones_rejects_the_search(harbour: Any) -> None:
    for filter_ in (["containers", "dragons"], {"none_of": ["dragons"]}, {"all_of": ["dragons"]}):
        gap = harbour.gap({"domains": ["ship"], "filters": {"cargoTypes": filter_}})
        assert gap.term == "dragons"


def test_a_range_of_text_is_refused_with_the_filter_to_use(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "ranges": {"cargoTypes": {"min": "bulk"}}})
    assert gap.reason == "unsupported"
    assert gap.suggestions == ['filters.cargoTypes="bulk"']
