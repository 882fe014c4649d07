"""A name means the right station, or the caller is asked."""

from __future__ import annotations

from functools import cache

import pytest

from groundwire import profiles
from groundwire.journeys.network.load import load_network
from groundwire.journeys.stops.names import NICKNAMES, REAL_BUT_ABSENT, Stations
from groundwire.journeys.stops.reading import StationReader, StationReading


@cache
def reader() -> StationReader:
    return StationReader(Stations(load_network(profiles.london_network())))


def names(reading: StationReading) -> list[str]:
    return [reader().stations[option].name for option in reading.options]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Kings X", "King's Cross St. Pancras"),
        ("King's Cross", "King's Cross St. Pancras"),
        ("King’s Cross", "King's Cross St. Pancras"),
        ("St Pancras", "King's Cross St. Pancras"),
        ("Heathrow T5", "Heathrow Terminal 5"),
        ("T4", "Heathrow Terminal 4"),
        ("heathrow terminal 3", "Heathrow Terminals 2 & 3"),
        ("Heathrow Airport Terminal 4", "Heathrow Terminal 4"),
        ("TCR", "Tottenham Court Road"),
        ("Tottenham Ct Rd", "Tottenham Court Road"),
        ("Oxford Circ", "Oxford Circus"),
        ("Liverpool St", "Liverpool Street"),
        ("london liverpool street", "Liverpool Street"),
        ("Elephant", "Elephant & Castle"),
        ("elephant and castle", "Elephant & Castle"),
        ("E&C", "Elephant & Castle"),
        ("Saint Paul's", "St. Paul's"),
        ("Hampstead West", "West Hampstead"),
        ("N Greenwich", "North Greenwich"),
        ("Bank tube", "Bank"),
        ("Waterloo rail station", "Waterloo"),
        ("Battersea Power Station", "Battersea Power Station"),
        ("Battersea Power Station Underground Station", "Battersea Power Station"),
        ("Hammersmith (Dist&Picc Line) Underground Station", "Hammersmith"),
        ("T3 Heathrow", "Heathrow Terminals 2 & 3"),
    ],
)
def test_names_abbreviations_and_nicknames(text: str, name: str) -> None:
    reading = reader().read(text)
    assert reading.station is not None
    assert (reading.station.name, reading.how in ("exact", "folded", "alias")) == (name, True)
    assert reading.options == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Heathrow", "Heathrow Terminals 2 & 3"),
        ("LHR", "Heathrow Terminals 2 & 3"),
        ("Ealing", "Ealing Broadway"),
        ("Clapham", "Clapham Junction"),
        ("Acton", "Acton Town"),
        ("Camden", "Camden Town"),
        ("Harrow", "Harrow & Wealdstone"),
        ("Wembley", "Wembley Park"),
        ("Croydon", "West Croydon"),
        ("Kensington", "Kensington (Olympia)"),
        ("Edgware Road", "Edgware Road (Circle Line)"),
        ("Bethnal Green", "Bethnal Green"),
    ],
)
def test_a_name_of_several_stations_is_asked_about(text: str, first: str) -> None:
    reading = reader().read(text)
    assert (reading.how, reading.station, names(reading)[0]) == ("ambiguous", None, first)
    assert len(reading.options) > 1


def test_a_station_of_just_that_name_wins_and_the_others_are_told() -> None:
    reading = reader().read("Hampstead")
    assert reading.station is not None
    assert reading.station.id == "940GZZLUHTD"
    assert "West Hampstead" in reading.note
    assert reader().read("Paddington").note == ""


@pytest.mark.parametrize(
    ("text", "station_id", "stop_ids"),
    [
        ("bethnal green tube", "940GZZLUBLG", ()),
        ("Bethnal Green overground", "910GBTHNLGR", ()),
        ("Edgware Road (Bakerloo)", "940GZZLUERB", ()),
        ("Edgware Rd Circle line", "940GZZLUERC", ()),
        ("Canary Wharf DLR", "HUBCAW", ("940GZZDLCAN",)),
        ("Hammersmith H&C", "HUBHMS", ("940GZZLUHSC",)),
        ("HUBBAN", "HUBBAN", ()),
        ("940gzzdlbnk", "HUBBAN", ("940GZZDLBNK",)),
        ("1000129", "HUBKGX", ()),
    ],
)
def test_a_mode_a_line_or_an_id_says_which(
    text: str, station_id: str, stop_ids: tuple[str, ...]
) -> None:
    reading = reader().read(text)
    assert reading.station is not None
    assert (reading.station.id, reading.stop_ids) == (station_id, stop_ids)


def test_a_station_without_that_mode_is_not_taken_silently() -> None:
    reading = reader().read("Brixton DLR")
    assert (reading.station, names(reading)) == (None, ["Brixton"])
    assert "dlr" in reading.note


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Padington", "Paddington"),
        ("Totenham Court Road", "Tottenham Court Road"),
        ("Warick Ave", "Warwick Avenue"),
        ("Batersea Power Station", "Battersea Power Station"),
        ("Kenington tube", "Kennington"),
    ],
)
def test_one_letter_from_one_name_is_corrected(text: str, name: str) -> None:
    reading = reader().read(text)
    assert reading.station is not None
    assert (reading.how, reading.station.name) == ("corrected", name)


@pytest.mark.parametrize(
    "text", ["Oxford", "Liverpool", "Angle", "Heathrow T1", "Surbiton", "Sheffield"]
)
def test_what_is_no_station_is_never_made_one(text: str) -> None:
    assert reader().read(text).station is None


def test_real_names_that_have_no_station_are_known_as_such() -> None:
    assert "no station" in reader().read("Surbiton").note
    for name in REAL_BUT_ABSENT:
        reading = reader().read(name)
        assert reading.station is None, name


def test_every_station_means_itself() -> None:
    for station in reader().stations:
        assert reader().read(station.id).station is station
        if station.ics:
            assert reader().read(station.ics).station is station
        for stop in station.stops:
            assert reader().read(stop.id).station is station
        named = reader().read(station.name)
        assert named.station is station or station.id in named.options


def test_nicknames_are_of_stations_that_exist() -> None:
    assert set(NICKNAMES) <= {station.name for station in reader().stations}


def test_stops_of_a_hub_are_one_station() -> None:
    station = reader().stations.by_code("HUBPAD")
    assert station is not None
    assert station.name == "Paddington"
    assert len(station.stops) == 4
    assert station.modes[0] == "tube"
    assert reader().stations.nearest(station.point, 1) == [(0, station)]
    assert reader().stations.by_code("940GZZDLBNK") is reader().stations["HUBBAN"]


def test_odd_texts_are_unknown() -> None:
    for text in ("", " ", "???", "a" * 5_000, "线路", "0", "()", "& &"):
        assert reader().read(text).station is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tott hale", "Tottenham Hale"),
        ("Canary", "Canary Wharf"),
        ("Totteridge", "Totteridge & Whetstone"),
        ("Heatrow Terminal 2", "Heathrow Terminals 2 & 3"),
    ],
)
def test_words_cut_short_and_the_first_place_of_a_name_are_that_name(text: str, name: str) -> None:
    found = reader().read(text).station
    assert found is not None and found.name == name


@pytest.mark.parametrize("text", ["Island", "Gloucester", "Lancaster", "Deptford", "to"])
def test_words_and_other_places_are_no_beginnings(text: str) -> None:
    assert reader().read(text).station is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Goodge", "Goodge Street"),
        ("high barn", "High Barnet"),
        ("ken town", "Kentish Town"),
    ],
)
def test_words_that_may_be_of_another_station_are_asked_about(text: str, name: str) -> None:
    found = reader().read(text)
    assert found.station is None
    assert any(found.options), found
    names = {one.name for one in reader().stations if one.id in found.options}
    assert name in names
