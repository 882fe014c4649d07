"""Coordinates and postcodes as callers write them."""

from __future__ import annotations

import pytest

from groundwire.journeys.itinerary import Point
from groundwire.journeys.places.positions import (
    is_area_of_london,
    is_near_london,
    is_postcode_district,
    read_coordinates,
    read_postcode,
)


@pytest.mark.parametrize(
    "text",
    [
        "51.5076,-0.0994",
        " 51.5076 , -0.0994 ",
        "51.5076 -0.0994",
        "(51.5076, -0.0994)",
        "geo:51.5076,-0.0994",
        "lat 51.5076 lon -0.0994",
        "51.5076° N, 0.0994° W",
        "N51.5076 W0.0994",
        "0.0994W 51.5076N",
        "51.5076,−0.0994",
        "51.5076;-0.0994",
    ],
)
def test_a_pair_of_coordinates(text: str) -> None:
    found = read_coordinates(text)
    assert found is not None
    assert (found.point, found.turned) == (Point(51.5076, -0.0994), False)


def test_minutes_and_seconds() -> None:
    found = read_coordinates("51°30'26\"N 0°7'39\"W")
    assert found is not None
    assert found.point.lat == pytest.approx(51.50722, abs=1e-5)
    assert found.point.lon == pytest.approx(-0.1275, abs=1e-5)


def test_longitude_before_latitude_is_turned_and_said() -> None:
    found = read_coordinates("-0.0994, 51.5076")
    assert found is not None
    assert (found.point, found.turned) == (Point(51.5076, -0.0994), True)


def test_elsewhere_is_read_and_is_not_near_london() -> None:
    found = read_coordinates("48.8584, 2.2945")
    assert found is not None
    assert not is_near_london(found.point)


@pytest.mark.parametrize(
    "text",
    ["", "51.5", "1 2", "999.0,1.0", "nan,nan", "inf,1.0", "1.0,2.0,3.0", "51.5N 0.1N", "Bank"],
)
def test_no_pair_of_coordinates(text: str) -> None:
    assert read_coordinates(text) is None


def test_a_long_run_of_spaces_takes_no_time() -> None:
    assert read_coordinates("51.5" + " " * 100_000 + "x") is None
    assert read_coordinates("1.5 " * 20_000) is None


@pytest.mark.parametrize(
    ("text", "postcode"),
    [
        ("N1C4TB", "N1C 4TB"),
        ("n1c 4tb", "N1C 4TB"),
        ("SW1A-1AA", "SW1A 1AA"),
        ("EC1A 1BB", "EC1A 1BB"),
        ("M1 1AE", "M1 1AE"),
        ("SE10  8EW", "SE10 8EW"),
        ("N1C 4T", ""),
        ("N1C 4CI", ""),
        ("AAA 1AA", ""),
        ("Bank", ""),
    ],
)
def test_postcodes(text: str, postcode: str) -> None:
    assert read_postcode(text) == postcode


def test_districts_and_areas() -> None:
    assert [
        word
        for word in ("N1C", "SW1A", "E1", "CR0", "T5", "M1", "A1")
        if (is_postcode_district(word))
    ] == ["N1C", "SW1A", "E1", "CR0"]
    assert is_area_of_london("N1C 4TB")
    assert not is_area_of_london("M1 1AE")
