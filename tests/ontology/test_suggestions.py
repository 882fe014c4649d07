"""What a gap offers first is what a host can send next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.evals.ontology import Eval
from tests.evals.ontology_worlds import open_worlds


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


def test_every_suggestion_of_drawn_cases_is_accepted_and_no_wider(tmp_path: Path) -> None:
    async def judged() -> Eval:
        worlds, _ = await open_worlds(tmp_path)
        try:
            evaluation = Eval(worlds[:1], 0.02, 7)
            await evaluation.run()
        finally:
            for world in worlds:
                await world.catalogue.close()
        return evaluation

    evaluation = anyio.run(judged)
    assert evaluation.suggestions > 50
    assert evaluation.faults == []


def test_what_was_demanded_of_a_value_is_demanded_of_its_suggestion(harbour: Any) -> None:
    for operator in ("none_of", "all_of"):
        slots = {"domains": ["ship"], "filters": {"operatedBy": {operator: ["reefer"]}}}
        offered = harbour.gap(slots).suggestions
        assert f'filters.cargoTypes={{"{operator}": ["reefer"]}}' in offered
        assert 'filters.cargoTypes="reefer"' not in offered


def test_a_suggestion_leaves_no_other_value_of_a_list_out(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"operatedBy": {"all_of": ["blueway", "reefer"]}}}
    assert not any(each.startswith("filters.") for each in harbour.gap(slots).suggestions)


def test_a_suggestion_that_would_be_refused_is_not_offered(harbour: Any) -> None:
    """Ports have an inspection date too, but no crew."""
    result = harbour.search({"domains": ["Voyage"], "filters": {"crew": 10, "quays": "stone"}})
    for gap in result.gaps:
        assert 'domains=["Port"]' not in gap.suggestions


# Conditions that nobody understood


@pytest.mark.parametrize("gap", ["flurb", {"term": "flurb", "reason": "unsupported"}])
def test_all_assets_are_no_answer_to_what_was_not_understood(harbour: Any, gap: Any) -> None:
    result = harbour.search({"domains": ["ship"]}, gaps=[gap])
    assert (result.status, result.confidence, result.total) == ("rejected", "low", None)
    assert "Not searched" in result.answer
    assert "'flurb'" in result.answer


def test_the_other_conditions_are_searched_with_low_confidence(harbour: Any) -> None:
    slots = {"domains": ["ship"], "filters": {"flag": "DE"}}
    result = harbour.search(slots, gaps=["flurb"])
    assert (result.status, result.confidence, result.total) == ("results", "low", 2)


def test_an_order_that_was_not_understood_changes_no_set_of_assets(harbour: Any) -> None:
    gap = {"term": "prettiest first", "about": "order"}
    result = harbour.search({"domains": ["ship"]}, gaps=[gap])
    assert (result.status, result.confidence, result.total) == ("results", "low", 4)
