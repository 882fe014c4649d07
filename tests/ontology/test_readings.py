"""Ranges: exclusive bounds, units, dates."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("bounds", "ships"),
    [
        ({"min": 11, "max": 12}, {"boreas", "ceres"}),
        ({"gt": 11, "lte": 25}, {"ceres", "delphin"}),
        ({"gte": 11, "lt": 25}, {"boreas", "ceres"}),
        ({"gt": 11, "lt": 12}, set()),
        ("more than 10", {"boreas", "ceres", "delphin"}),
        ("at least 10", {"aurora", "boreas", "ceres", "delphin"}),
        ("fewer than 12", {"aurora", "boreas"}),
        ("from 11 to 12", {"boreas", "ceres"}),
        ([10, 11], {"aurora", "boreas"}),
        ("[10, 11]", {"aurora", "boreas"}),
        (12, {"ceres"}),
    ],
)
def test_bounds_are_closed_or_open_as_said(harbour: Any, bounds: Any, ships: set[str]) -> None:
    assert harbour.ships({}, crew=bounds) == ships


def test_bounds_may_be_sent_as_a_filter(harbour: Any) -> None:
    assert harbour.ships({"crew": "more than 10"}) == {"boreas", "ceres", "delphin"}
    assert harbour.ships({"crew": {"gt": 11}}) == {"ceres", "delphin"}
    assert harbour.ships({"launched": "after 2020"}) == {"boreas", "ceres"}


def test_filter_and_range_on_one_property_both_hold(harbour: Any) -> None:
    assert harbour.ships({"crew": [10, 12, 25]}, crew={"gt": 10}) == {"ceres", "delphin"}


@pytest.mark.parametrize(
    "words",
    [
        "more than 10 and less than 20",
        "at least 10 and at most 12",
        "over 10 but under 20",
        "< 11 or > 20",
    ],
)
def test_no_half_of_two_spoken_bounds_is_taken_for_the_whole(harbour: Any, words: str) -> None:
    for slots in ({"filters": {"crew": words}}, {"ranges": {"crew": words}}):
        result = harbour.search({"domains": ["ship"], **slots})
        if result.status != "rejected":
            found = {item.label for item in result.results}
            assert found == (
                {"Boreas", "Ceres"} if "20" in words else {"Aurora", "Boreas", "Ceres"}
            )


def test_bounds_that_contradict_each_other_are_refused(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "ranges": {"crew": {"min": 5, "max": 2}}})
    assert gap.reason == "unsupported"
    assert "5 is above 2" in gap.detail
    gap = harbour.gap({"domains": ["ship"], "ranges": {"launched": ["2024", "2020"]}})
    assert "is above" in gap.detail


# Units


@pytest.mark.parametrize(
    ("bounds", "ships"),
    [
        ("more than 0.18 km", {"aurora", "delphin"}),
        ({"min": "180 m", "max": "200 metres"}, {"aurora", "boreas"}),
        ({"lt": "18000 cm"}, {"ceres"}),
        ("between 0.1 km and 0.2 km", {"aurora", "boreas"}),
    ],
)
def test_units_are_converted_to_the_declared_one(harbour: Any, bounds: Any, ships: Any) -> None:
    result = harbour.search({"domains": ["Ship"], "ranges": {"length": bounds}})
    assert {item.label.lower() for item in result.results} == ships
    if "km" in str(bounds) or "cm" in str(bounds):
        (correction,) = result.corrections
        assert correction.how == "converted"
        assert correction.resolved.rstrip('"}').endswith(" m")


def test_a_unit_that_does_not_convert_is_refused(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "ranges": {"length": {"min": "5 kg"}}})
    assert gap.reason == "unsupported"
    assert "measured in m" in gap.detail


@pytest.mark.parametrize("bounds", [{"min": "5 km"}, {"gt": "5 km", "max": 9}, {"gt": "500 MB"}])
def test_a_unit_where_the_shapes_state_none_is_refused_and_never_left_out(
    harbour: Any, bounds: Any
) -> None:
    gap = harbour.gap({"domains": ["ship"], "ranges": {"crew": bounds}})
    assert gap.reason == "unsupported"
    assert "state no unit" in gap.detail
    assert gap.suggestions == []


def test_values_are_shown_with_their_unit(harbour: Any) -> None:
    result = harbour.search({"domains": ["ship"], "filters": {"length": 200}})
    assert result.results[0].values == {"length": "200 m"}


@pytest.mark.parametrize("said", ["many", "1e400", "NaN", float("inf"), True, "10 11", "5 apples"])
def test_what_is_no_number_is_asked_back(harbour: Any, said: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "ranges": {"crew": {"min": said}}})
    assert gap.slot == "ranges.crew"
    assert gap.reason in ("unmapped", "unsupported")


# Dates


@pytest.mark.parametrize(
    ("said", "ships"),
    [
        ({"launched": "2021-12-31"}, {"ceres"}),
        ({"launched": "2021"}, {"boreas", "ceres"}),
        ({"launched": "January 2021"}, {"boreas"}),
        ({"launched": "2021-01"}, {"boreas"}),
        ({"launched": "31 December 2021"}, {"ceres"}),
        ({"launched": "2021年1月"}, {"boreas"}),
        ({"launched": {"none_of": ["2021"]}}, {"aurora", "delphin"}),
    ],
)
def test_a_date_is_the_interval_that_it_names(harbour: Any, said: Any, ships: set[str]) -> None:
    assert harbour.ships(said) == ships


@pytest.mark.parametrize(
    ("bounds", "ships"),
    [
        ({"min": "2021"}, {"boreas", "ceres"}),
        ({"gt": "2021"}, set()),
        ({"lt": "2021"}, {"aurora"}),
        ({"max": "2021"}, {"aurora", "boreas", "ceres"}),
        ({"gt": "2021-01-15"}, {"ceres"}),
        ({"gte": "2021-01-15", "lt": "2021-12-31"}, {"boreas"}),
        ("before 2020", {"aurora"}),
        ("since 2021", {"boreas", "ceres"}),
        ("2019 to 2020", {"aurora"}),
        ({"min": "2021-12-31T00:00:00Z"}, {"ceres"}),
    ],
)
def test_bounds_of_a_coarse_date_are_its_ends(harbour: Any, bounds: Any, ships: set[str]) -> None:
    assert harbour.ships({}, launched=bounds) == ships


def test_a_time_is_found_by_its_day(harbour: Any) -> None:
    assert harbour.found({"domains": ["voyage"], "filters": {"departed": "2024-03-31"}}) == ["v1"]
    april = {"domains": ["voyage"], "ranges": {"departed": ["2024-04", "2024-04"]}}
    assert harbour.found(april) == ["v2"]
    after = {"domains": ["voyage"], "ranges": {"departed": {"gt": "2024-03-31"}}}
    assert set(harbour.found(after)) == {"v2", "v3"}


@pytest.mark.parametrize(
    "bounds",
    [
        {"gte": "2024-03-31T23:45:00Z"},
        {"lte": "2024-04-01T05:00:00Z"},
        {"lte": "2024-04-01T00:00:00Z"},
        {"gt": "2024-03-31 00:00"},
    ],
)
def test_a_time_of_day_is_never_widened_to_its_day(harbour: Any, bounds: Any) -> None:
    gap = harbour.gap({"domains": ["voyage"], "ranges": {"departed": bounds}})
    assert gap.reason == "unsupported"
    assert "times of day" in gap.detail
    slot, _, offered = gap.suggestions[0].partition("=")
    assert slot == "ranges.departed"
    ranges = {"departed": json.loads(offered)}
    assert set(ranges["departed"]) <= {"gt", "lt"}
    assert harbour.search({"domains": ["voyage"], "ranges": ranges}).status != "rejected"


def test_a_moment_is_not_offered_as_its_day(harbour: Any) -> None:
    moment = "2024-03-31T23:59:59Z"
    for slots in ({"ranges": {"departed": {"eq": moment}}}, {"filters": {"departed": moment}}):
        assert harbour.gap({"domains": ["voyage"], **slots}).suggestions == []


def test_the_moments_at_which_days_begin_and_end_are_read_as_days(harbour: Any) -> None:
    for bounds in (
        {"gte": "2024-03-31T00:00:00Z", "lt": "2024-04-01T00:00:00.000Z"},
        {"gte": "2024-03-31 00:00", "lte": "2024-03-31T23:59:59+00:00"},
        {"gt": "2024-03-30T23:59:59Z", "lt": "2024-04-01"},
    ):
        assert harbour.found({"domains": ["voyage"], "ranges": {"departed": bounds}}) == ["v1"]


def test_a_year_is_found_by_year_and_range(harbour: Any) -> None:
    assert harbour.ships({"surveyYear": 2023}) == {"aurora"}
    assert harbour.ships({"surveyYear": "2024"}) == {"boreas"}
    assert harbour.ships({}, surveyYear={"gt": "2023"}) == {"boreas"}
    assert harbour.ships({}, surveyYear={"min": "2023", "max": "2024"}) == {"aurora", "boreas"}
    assert harbour.ships({}, surveyYear={"lt": "2024"}) == {"aurora"}


def test_what_is_no_date_is_asked_back(harbour: Any) -> None:
    for said in ("recently", "2021-02-30", "99"):
        gap = harbour.gap({"domains": ["ship"], "filters": {"launched": said}})
        assert "is a date" in gap.detail, said


# Datatypes that nobody declared


def test_an_undeclared_datatype_is_taken_from_what_is_stored(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Ship ; "
        "sh:property [ sh:path :speed ] , [ sh:path :on ] .",
        ":a a :Ship ; :speed 10.5 ; :on true . :b a :Ship ; :speed 12e0 ; :on false .",
    )
    assert bench.found({"domains": ["ship"], "ranges": {"speed": {"gt": 11}}}) == ["b"]
    assert bench.found({"domains": ["ship"], "filters": {"speed": "10.50"}}) == ["a"]
    assert bench.found({"domains": ["ship"], "filters": {"on": "yes"}}) == ["a"]
