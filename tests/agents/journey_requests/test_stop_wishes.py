"""Stops that requests want to keep clear of, or not to change at."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.reading import read_request

PASSED, CHANGED = "avoid_stops", "avoid_changes"


@pytest.mark.parametrize(
    ("text", "option", "stops"),
    [
        ("Oval to Angel, avoid Oxford Circus", PASSED, ["Oxford Circus"]),
        ("Oval to Angel without passing Bank", PASSED, ["Bank"]),
        ("dont go thru Bank: from Oval to Angel at 9", PASSED, ["Bank"]),
        ("I want to steer clear of King's Cross, from Oval to Angel", PASSED, ["King's Cross"]),
        ("Oval to Angel, avoiding Victoria station", PASSED, ["Victoria"]),
        (
            "Oval to Angel avoiding Bank, Moorgate and Euston",
            PASSED,
            ["Bank", "Moorgate and Euston"],
        ),
        ("Oval to Angel avoiding the Central line and Bank", PASSED, ["Bank"]),
        ("avoid Bank, Angel to Oval", PASSED, ["Bank"]),
        ("Oval to Angel, not via Harrow on the Hill on Monday", PASSED, ["Harrow on the Hill"]),
        ("Oval to Angel, don't change at Bank", CHANGED, ["Bank"]),
        ("Oval to Angel without changing trains at Euston or Bank", CHANGED, ["Euston or Bank"]),
        ("Von Oval nach Angel, nicht über Kings Cross", PASSED, ["Kings Cross"]),
        ("Von Oval nach Angel, Bank bitte umfahren", PASSED, ["Bank"]),
        ("Von Oval nach Angel, ohne Old Street", PASSED, ["Old Street"]),
        ("Von Oval nach Angel, Bank und Moorgate meiden", PASSED, ["Bank and Moorgate"]),
        ("Von Oval nach Angel ohne in Bank umzusteigen", CHANGED, ["Bank"]),
        ("从Oval到Angel，不要经过Bank", PASSED, ["Bank"]),
        ("从Oval到Angel，绕开Bank和Moorgate", PASSED, ["Bank and Moorgate"]),
        ("从Oval到Angel，别在Bank换乘", CHANGED, ["Bank"]),
    ],
)
def test_a_stop_to_avoid_is_no_place_of_the_trip(text: str, option: str, stops: list[str]) -> None:
    [trip] = read_request(text).trips
    assert trip.wishes[option] == stops
    assert {trip.starting_point, trip.destination} == {"Oval", "Angel"}
    assert not {PASSED, CHANGED, "journey_preference"} - {option} & set(trip.wishes)
    assert trip.wishes.get("avoid_lines") == (["Central"] if "Central" in text else None)


def test_a_text_without_capitals_names_stops_too() -> None:
    [trip] = read_request("camden town to oval, dont go thru london bridge").trips
    assert trip.wishes == {PASSED: ["london bridge"]}
    assert (trip.starting_point, trip.destination) == ("camden town", "oval")


@pytest.mark.parametrize(
    "text",
    [
        "Oval to Angel avoiding the Victoria line",
        "Oval to Angel without changing",
        "Oval to Angel avoiding Zone 1",
        "Oval to Angel, avoid the Northern and Central lines",
        "I don't want to go to Bank, from Oval to Angel",
        "Oval to Angel via Bank",
        "Oval to Angel without stairs",
    ],
)
def test_what_is_no_stop_to_avoid(text: str) -> None:
    request = read_request(text)
    assert not any({PASSED, CHANGED} & set(one.wishes) for one in request.trips)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("from Oval to Bank walking", {"mode": ["walking"]}),
        ("Oval to Bank, walking please", {"mode": ["walking"]}),
        ("Oval to Bank with no walking", {"journey_preference": "LeastWalking"}),
        ("Oval to Bank, max 10 minutes walking", {"max_walking_minutes": 10}),
    ],
)
def test_walking_behind_a_trip_is_how_one_goes(text: str, wishes: dict[str, object]) -> None:
    [trip] = read_request(text).trips
    assert (trip.starting_point, trip.destination, trip.wishes) == ("Oval", "Bank", wishes)
