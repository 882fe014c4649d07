"""What callers send as a place becomes one place, or options and a reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places_known import place_reader

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Place, Point
from groundwire.journeys.places.positions import LONGEST_PLACE, clean, sendable
from groundwire.journeys.places.reading import PlaceReading, same_place, value_to_send


def read(text: str, **named: str) -> PlaceReading:
    return place_reader().read(text, named)


@pytest.mark.parametrize(
    ("text", "how", "name", "kind"),
    [
        ("Kings X", "alias", "King's Cross St. Pancras", "stop"),
        ("HUBKGX", "code", "King's Cross St. Pancras", "stop"),
        ("1000129", "code", "King's Cross St. Pancras", "stop"),
        ("Tate Modern", "exact", "Tate Modern", "point_of_interest"),
        ("the tate modern", "folded", "Tate Modern", "point_of_interest"),
        ("British Musuem", "corrected", "British Museum", "point_of_interest"),
        ("V&A", "alias", "Victoria and Albert Museum", "point_of_interest"),
        ("O2", "alias", "The O2", "point_of_interest"),
        ("n1c4tb", "postcode", "N1C 4TB", "postcode"),
        ("51.5076, -0.0994", "coordinates", "51.5076,-0.0994", "coordinates"),
        ("490008660N", "code", "490008660N", "stop"),
        ("Padington", "corrected", "Paddington", "stop"),
        ("clapham comon", "corrected", "Clapham Common", "stop"),
        ("Edgeware", "alias", "Edgware", "stop"),
    ],
)
def test_one_place(text: str, how: str, name: str, kind: str) -> None:
    reading = read(text)
    assert reading.place is not None
    assert (reading.how, reading.place.name, reading.place.kind) == (how, name, kind)
    assert reading.options == ()


def test_a_correction_is_told() -> None:
    assert "'Padington'" in read("Padington").note


def test_a_station_and_a_park_of_one_name() -> None:
    reading = read("Kew Gardens")
    assert reading.place is not None
    assert reading.place.stop_id == "HUBKWG"
    assert "Royal Botanic Gardens" in reading.note
    gardens = read("Royal Botanic Gardens, Kew").place
    assert gardens is not None
    assert gardens.kind == "point_of_interest"


def test_stations_of_one_name_a_short_walk_apart_are_one_place() -> None:
    reading = read("Edgware Road")
    assert reading.place is not None
    assert (reading.place.name, reading.place.stop_id) == ("Edgware Road", "")
    assert "Bakerloo" in reading.note


def test_stations_of_one_name_far_apart_are_asked_about() -> None:
    reading = read("Bethnal Green")
    assert (reading.place, reading.how) == (None, "ambiguous")
    assert [option.detail for option in reading.options] == ["tube: Central", "overground: Weaver"]
    for option in reading.options:
        again = read(option.value_to_send)
        assert again.place == option.place


def test_options_are_distinct_and_can_be_sent_again() -> None:
    for text in ("Heathrow", "Wembley", "Kensington", "tate", "museum", "Oxford", "Ealing"):
        reading = read(text)
        assert reading.place is None
        assert 1 < len(reading.options) <= 6
        for option in reading.options:
            assert read(option.value_to_send).place == option.place


def test_what_is_nowhere_here_says_so() -> None:
    assert read("Zzyzx Road").place is None
    assert "called" in read("Zzyzx Road").note
    assert "real place" in read("Gatwick Airport").note
    assert "whole postcode" in read("SE1").note


@pytest.mark.parametrize("text", ["48.8584,2.2945", "M1 1AE", "EH1 1YZ"])
def test_places_outside_london_are_told(text: str) -> None:
    reading = read(text)
    assert (reading.place, reading.how) == (None, "outside")
    assert reading.note


def test_turned_coordinates_are_told() -> None:
    reading = read("-0.0994,51.5076")
    assert reading.place is not None
    assert reading.place.point == Point(51.5076, -0.0994)
    assert "latitude 51.5076" in reading.note


def test_the_users_own_places() -> None:
    for text in ("home", "Home", "my home"):
        reading = read(text, home="Brixton", work="Tate Modern")
        assert reading.place is not None
        assert (reading.how, reading.place.name, reading.text) == ("named", "Brixton", text)
    office = read("work", work="Tate Modern").place
    assert office is not None
    assert office.name == "Tate Modern"
    # The user's own name comes before a station's.
    mine = read("Angel", Angel="51.5,-0.1")
    assert mine.place is not None
    assert (mine.place.name, mine.place.point) == ("Angel", Point(51.5, -0.1))


def test_a_place_of_the_users_that_is_not_stored_or_not_clear() -> None:
    assert (read("home").how, read("home").place) == ("unset", None)
    assert "no place is stored" in read("home").note
    assert "no place is stored" in read("my grandmother's").note
    reading = read("home", home="Ealing")
    assert reading.place is None
    assert "'Ealing'" in reading.note
    assert reading.options


def test_control_and_bidi_characters_are_taken_out() -> None:
    reading = read("\u202eBank\u202c\u200b\x00\n")
    assert reading.place is not None
    assert (reading.text, reading.place.stop_id) == ("Bank", "HUBBAN")


@pytest.mark.parametrize("text", ["", " ", "\x00", "\u200b", "...", "///", "\ud800", "\"'"])
def test_nothing_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="a place is missing"):
        read(text)


def test_a_megabyte_is_refused_without_being_repeated() -> None:
    with pytest.raises(InputError) as refused:
        read("A" * 1_000_000)
    assert len(str(refused.value)) < 200
    assert len(clean("a" * LONGEST_PLACE)) == LONGEST_PLACE


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("../../etc/passwd", "etc passwd"),
        ("Elephant & Castle", "Elephant and Castle"),
        ("a/b\\c?d#e%2F", "a b c d e 2F"),
        ("St. Paul's", "St. Paul's"),
    ],
)
def test_path_characters_are_not_sent(text: str, sent: str) -> None:
    assert sendable(text) == sent


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        reading = read(text)
    except InputError:
        return
    assert reading.place is None or value_to_send(reading.place)
    assert reading.place is not None or reading.options or reading.note


def test_the_same_place() -> None:
    def place(text: str) -> Place:
        found = read(text).place
        assert found is not None
        return found

    assert same_place(place("Bank"), place("940GZZDLBNK"))
    assert same_place(place("Kings X"), place("St Pancras"))
    assert same_place(place("Tate Modern"), place("51.5077,-0.0995"))
    assert same_place(place("N1C4TB"), place("n1c 4tb"))
    assert not same_place(place("Bank"), place("Monument"))
    assert not same_place(place("Kew Gardens"), place("Royal Botanic Gardens Kew"))
    assert not same_place(place("N1C 4TB"), place("Bank"))
