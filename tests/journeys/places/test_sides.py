"""The ends of a trip, read."""

from __future__ import annotations

import pytest
from places_known import place_reader

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Point
from groundwire.journeys.places.sides import MOST_OPTIONS, Reader


def reader(*, online: bool = False, **more: object) -> Reader:
    given = {"named": {}, "chosen": {}} | more
    return Reader(place_reader(), online=online, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("raw", "name", "sends"),
    [
        ("Brixton", "Brixton", "1000031"),
        ("Kings X", "King's Cross St. Pancras", "1000129"),
        ("Tate Modern", "Tate Modern", "51."),
        ("51.5,-0.1", "51.5,-0.1", "51.500000,-0.100000"),
    ],
)
def test_one_place(raw: str, name: str, sends: str) -> None:
    side = reader().read("destination", raw)
    assert side.settled
    assert side.best.place.name == name
    assert side.best.send.startswith(sends)


def test_several_places_are_candidates() -> None:
    side = reader().read("destination", "Ealing")
    assert not side.settled
    assert 1 < len(side.candidates) <= MOST_OPTIONS
    assert all(one.detail for one in side.candidates)


def test_a_choice_stands_for_the_words_that_were_ambiguous() -> None:
    code = reader().read("destination", "South Ealing").best.send
    side = reader(chosen={"Ealing": code}).read("destination", "Ealing")
    assert side.settled
    assert side.best.place.name == "South Ealing"
    assert side.raw == "Ealing"


def test_a_named_place_may_be_a_position_or_words() -> None:
    named = {"home": "51.5,-0.1", "work": "Bank"}
    assert reader(named=named).read("via", "my home").best.place.point == Point(51.5, -0.1)
    assert reader(named=named).read("via", "work").best.place.name == "Bank"


def test_words_that_mean_nothing_here_are_for_tfl_to_search() -> None:
    side = reader(online=True).read("destination", "12 Zorblax Road")
    assert side.searched and side.settled
    assert side.best.send == "12 Zorblax Road"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ("12 Zorblax Road", "destination: no station or well-known place"),
        ("N1 9AG", "only TfL knows"),
        ("48.85,2.35", "outside the area around London"),
        ("home", "no place is stored under the name 'home'"),
        ("Brixtn Hil", "destination: "),
        ("  ", "destination: a place is missing"),
        ("x" * 1_000, "destination: "),
    ],
)
def test_what_is_no_place_is_refused_with_what_to_send(raw: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        reader().read("destination", raw)
    assert says in str(refused.value)
    assert "send" in str(refused.value)
