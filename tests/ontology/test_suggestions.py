"""What a gap offers first is what a host can send next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def first(bench: Any, slots: dict[str, Any]) -> str:
    return bench.gap(slots).suggestions[0]


@pytest.mark.parametrize("key", ["crew", "launched", "inService"])
def test_a_text_sent_for_a_number_a_date_or_a_boolean_is_offered_where_it_is_a_value(
    harbour: Any, key: str
) -> None:
    slots = {"domains": ["ship"], "filters": {key: "reefer"}}
    assert first(harbour, slots) == 'filters.cargoTypes="reefer"'


def test_two_values_in_one_text_are_offered_as_lists_and_never_applied(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"cargoTypes": "containers, Reefer"}}
    assert harbour.gap(slots).suggestions[:2] == [
        'filters.cargoTypes={"any_of": ["containers", "reefer"]}',
        'filters.cargoTypes={"all_of": ["containers", "reefer"]}',
    ]


def test_values_joined_by_and_are_all_wanted_first(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"cargoTypes": "containers and reefer"}}
    assert first(harbour, slots) == 'filters.cargoTypes={"all_of": ["containers", "reefer"]}'


def test_a_value_with_a_word_of_a_list_in_it_stays_one_value(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"cargoTypes": "containers, dragons"}}
    assert not any("any_of" in each for each in harbour.gap(slots).suggestions)


def test_of_two_properties_the_one_that_has_the_value_is_offered_first(harbour: Any) -> None:
    for value, prop in (("3.7", "engine:version"), ("A", "version")):
        slots = {"domains": ["ship"], "filters": {"version": value}}
        assert first(harbour, slots).endswith(prop)


def test_a_domain_that_meets_every_condition_is_offered_first(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        """
        :A a sh:NodeShape ; sh:targetClass :Barge ; sh:property
          [ sh:path :load ; sh:in ( "sand" "salt" ) ] , [ sh:path :decks ; sh:in ( "one" ) ] .
        :B a sh:NodeShape ; sh:targetClass :Truck ; sh:property
          [ sh:path engine:load ; sh:in ( "salt" ) ] , [ sh:path engine:decks ; sh:in ( "two" ) ] .
        """,
        ':b a :Barge ; :load "salt" ; :decks "one" . :t a :Truck ; engine:load "salt" .',
    )
    gap = bench.gap({"filters": {"load": "salt", "decks": "one"}})
    assert gap.suggestions[0] == 'domains=["Barge"]'
    assert 'domains=["Truck"]' not in gap.suggestions
    assert bench.found({"domains": ["Barge"], "filters": {"load": "salt", "decks": "one"}}) == ["b"]


def test_a_number_before_the_unit_of_the_property_is_in_that_unit(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        """
        :A a sh:NodeShape ; sh:targetClass :File ; sh:property
          [ sh:path :size ; sh:description "The size in bytes."@en ; sh:datatype xsd:integer ] .
        """,
        ":small a :File ; :size 310 . :large a :File ; :size 310000000000 .",
    )
    for said in ("310B", "310 B", "310 bytes"):
        assert bench.found({"domains": ["file"], "ranges": {"size": {"max": said}}}) == ["small"]
    assert bench.found({"domains": ["file"], "ranges": {"size": {"min": "0.31 GB"}}}) == ["large"]


def test_what_is_no_number_is_told_how_to_send_bounds(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "filters": {"crew": "a handful"}})
    assert "ranges" in gap.detail
    assert "min" in gap.detail
