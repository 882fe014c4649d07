"""The search for stops."""

from __future__ import annotations

import pytest
from places_known import place_reader

from groundwire.errors import InputError
from groundwire.journeys.stops.search import FoundStop, find_stops


def names(query: str, *modes: str) -> list[str]:
    return [stop.name for stop in find_stops(place_reader(), query, modes)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("hampstead", "Hampstead"),
        ("kings x", "King's Cross St. Pancras"),
        ("padd", "Paddington"),
        ("paddingtn", "Paddington"),
        ("Heathrow", "Heathrow Terminals 2 & 3"),
        ("oxford c", "Oxford Circus"),
        ("ealin", "Ealing Broadway"),
        ("HUBKGX", "King's Cross St. Pancras"),
        ("1000129", "King's Cross St. Pancras"),
        ("Tate Modern", "Blackfriars"),
        ("51.5142,-0.0755", "Aldgate"),
        ("victoria", "Victoria"),
    ],
)
def test_the_likeliest_comes_first(query: str, first: str) -> None:
    assert names(query)[0] == first


def test_all_of_an_area_are_found_once() -> None:
    assert names("hampstead") == [
        "Hampstead",
        "Hampstead Heath",
        "West Hampstead",
        "South Hampstead",
    ]
    assert len(set(names("north"))) == len(names("north"))


def test_modes_narrow_it() -> None:
    assert names("bethnal green", "overground") == ["Bethnal Green"]
    assert names("shepherds bush", "overground") == ["Shepherd's Bush"]
    assert names("bank", "bus") == []


def test_stations_of_a_line() -> None:
    assert len(names("victoria line")) == 16
    assert "Bank" in names("DLR stations")
    assert "Reading" in names("elizabeth line")


def test_what_a_result_holds() -> None:
    (stop,) = find_stops(place_reader(), "940GZZLUERB")
    assert isinstance(stop, FoundStop)
    assert (stop.id, stop.ics, stop.modes, stop.lines, stop.why) == (
        *("940GZZLUERB", "1000071", ("tube",), ("bakerloo",)),
        "its id",
    )
    assert (round(stop.point.lat, 2), round(stop.point.lon, 2)) == (51.52, -0.17)
    (hub,) = find_stops(place_reader(), "HUBCAW")
    assert hub.stop_ids == ("910GCANWHRF", "940GZZDLCAN", "940GZZLUCYF")


def test_the_order_stays_the_same() -> None:
    assert names("road") == names("road")


def test_what_is_only_alike_is_not_called_a_name_of_it() -> None:
    found = find_stops(place_reader(), "Shemfeeld")
    assert [(stop.name, stop.why) for stop in found[:1]] == [("Shenfield", "spelt much like this")]


def test_nothing_is_found_or_asked() -> None:
    assert names("zzzz") == []
    assert names("48.85,2.35") == []
    with pytest.raises(InputError, match="missing"):
        find_stops(place_reader(), " ")
