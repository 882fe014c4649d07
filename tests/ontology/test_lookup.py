"""The search of the discover tools."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.ontology.discover import discover_domains, discover_properties, discover_values
from groundwire.ontology.naming import Entry, look_up

ENTRIES = [
    Entry(("license", "license identifier", "Lizenz", "许可证"), ("hasResourceDescription",)),
    Entry(("max", "Höchstwert"), ("hasQuantity", "speedLimit", "Geschwindigkeitsbegrenzung")),
    Entry(("roadTypes", "Straßentypen", "道路类型"), ("hasContent",), ("The kinds of road.",)),
    Entry(("length",), ("hasQuantity",), ("How long the road is, in kilometres.",)),
]


@pytest.mark.parametrize(
    ("search", "places"),
    [
        ("speed limit", [1]),
        ("Geschwindigkeit", [1]),
        ("hoechstwert", [1]),
        ("road", [2, 3]),
        ("STRASSENTYPEN", [2]),
        ("道路", [2]),
        ("许可", [0]),
        ("hasQuantity length", [3]),
    ],
)
def test_words_are_found_in_names_paths_and_descriptions(search: str, places: list[int]) -> None:
    assert look_up(search, ENTRIES).places == places


def test_a_word_in_another_spelling_is_found_and_told() -> None:
    hits = look_up("licence", ENTRIES)
    assert (hits.places, hits.near) == ([0], {"licence": "license"})
    assert look_up("lisense identifer", ENTRIES).places == [0]


def test_short_words_and_figures_have_no_near_spelling() -> None:
    assert look_up("mex", ENTRIES).places == []
    assert look_up("max2", ENTRIES).places == []


def test_where_no_item_has_every_word_those_with_most_of_them_are_told_apart() -> None:
    hits = look_up("license of dragons", ENTRIES)
    assert hits.places == [0]
    assert hits.missing == ("of", "dragons")


def test_nothing_alike_is_nothing_found() -> None:
    assert look_up("zeppelin", ENTRIES) == look_up("?!", ENTRIES) == ([], {}, ()) or (
        look_up("zeppelin", ENTRIES).places == [] and look_up("?!", ENTRIES).places == []
    )


# In the tools


def names(page: Any) -> list[str]:
    return [item.local_name for item in page.properties]


def test_a_property_is_found_by_the_steps_of_its_path(harbour: Any) -> None:
    page = harbour.call(discover_properties, "ship", "engine power")
    assert names(page) == ["power"]
    assert page.properties[0].paths == ["hasEngine/power"]
    assert set(names(harbour.call(discover_properties, "ship", "engine"))) >= {"version", "power"}


def test_a_property_is_found_in_every_language_and_in_a_near_spelling(sample: Any) -> None:
    for search in ("licence", "Lizenz", "许可"):
        assert names(sample.call(discover_properties, "hdmap", search)) == ["license"], search
    for search in ("speed limit", "speedlimits", "speed limmit"):
        found = names(sample.call(discover_properties, "hdmap", search))
        assert set(found) == {"speedLimitMin", "speedLimitMax"}, search
    page = sample.call(discover_properties, "hdmap", "lenght")
    assert page.answer == "No property of hdmap has 'lenght'; near to it (length): length."


def test_a_property_is_found_by_a_value_of_it(sample: Any) -> None:
    page = sample.call(discover_properties, "scenario", "fog")
    assert page.answer == "'fog' is a value of weather."
    assert names(page) == ["weather"]


def test_values_are_found_by_label_synonym_code_and_near_spelling(sample: Any) -> None:
    for key, search, value in (
        ("roadTypes", "motorwy", "motorway"),
        ("roadTypes", "Autobahn", "motorway"),
        ("roadTypes", "高速", "motorway"),
        ("country", "Germany", "DE"),
    ):
        page = sample.call(discover_values, key, "hdmap", search)
        assert [item.value for item in page.values] == [value], search


def test_kinds_are_found_in_every_language_and_in_a_near_spelling(sample: Any) -> None:
    for search in ("Karte", "地图", "road network", "HD mapp"):
        page = sample.call(discover_domains, search)
        assert [item.domain for item in page.domains] == ["hdmap"], search
