"""Questions for the board of a stop: at another time, and the first and last services of a day."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.reading import read_request


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("last bus from Oval on Sunday", {"stop": "Oval", "when": "last on Sunday"}),
        ("When is the last train from Oval?", {"stop": "Oval", "when": "last"}),
        ("first A from Oval tomorrow", {"stop": "Oval", "when": "first tomorrow"}),
        ("Wann fährt am Samstag der letzte Bus ab Oval?", {"when": "last on Saturday"}),
        ("Oval的末班车几点", {"stop": "Oval", "when": "last"}),
        ("Which buses leave Oval after 7 this evening?", {"when": "after 7 this evening"}),
        ("Abfahrten Oval um 22 Uhr", {"stop": "Oval", "when": "at 22:00"}),
    ],
)
def test_a_board_is_asked_for_at_its_time(text: str, arguments: dict[str, str]) -> None:
    read = read_request(text)
    [question] = read.questions
    assert (question.tool, read.trips, read.asks) == ("get_arrivals", (), "")
    assert arguments.items() <= question.arguments.items()


@pytest.mark.parametrize(
    "text", ["first A from Oval to Bank", "the last Coast Tram from Oval to Bank"]
)
def test_the_first_or_last_of_a_line_of_any_name_is_no_plain_trip(text: str) -> None:
    [trip] = read_request(text).trips
    assert {"adjustment", "only_lines"} <= trip.wishes.keys()


def test_the_last_train_of_a_trip_at_hand_is_held_of_it() -> None:
    read = read_request("and what's the latest I could go that day?", of_a_trip=True)
    assert (read.wishes["adjustment"], read.notes) == ("TripLast", ())


def test_a_place_that_is_kept_is_where_there_is() -> None:
    read = read_request("Merk dir: das Büro ist in Oval. Wie komme ich von Bank dorthin?")
    assert [one.destination for one in read.trips] == ["Oval"]


@pytest.mark.parametrize(
    "text", ["从Bank到Oval，玩三个小时，再去Angel", "从Bank到Oval，待3小时，再去Angel"]
)
def test_a_stay_is_no_left_over(text: str) -> None:
    read = read_request(text)
    assert ([one.stay for one in read.trips], read.unread) == ([0, 180], ())
