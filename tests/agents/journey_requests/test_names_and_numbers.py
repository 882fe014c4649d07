"""Stops that are called by words of another meaning, and lines that are called by their number."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.names import parted, with_joined_names
from groundwire.agents.journey_requests.reading import read_request


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("May Street to Market tomorrow at 9", ("May Street", "Market")),
        ("Thursday 7am May Street to Market", ("May Street", "Market")),
        ("Two Bridges to Central at 11", ("Two Bridges", "Central")),
        ("The Green to May Street, getting there for 10:30", ("The Green", "May Street")),
        ("from Sunday Market to Last Stop at 8", ("Sunday Market", "Last Stop")),
        ("By the Sea to Over Hill at 9", ("By the Sea", "Over Hill")),
        ("Vom Am Markt zum Zoo um 7 Uhr", ("Am Markt", "Zoo")),
        ("Am Markt nach Schloß morgen 8 Uhr", ("Am Markt", "Schloß")),
        ("从May Street到Two Bridges，九点", ("May Street", "Two Bridges")),
        ("Sunday Angel to Bank at 9", ("Angel", "Bank")),
        ("The last train from Angel to Bank", ("Angel", "Bank")),
    ],
)
def test_a_name_may_begin_with_any_word(text: str, ends: tuple[str, str]) -> None:
    (trip,) = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ends


def test_what_is_joined_is_parted_again() -> None:
    for text in ("from Two Bridges to The Green", "von Am Markt nach Zoo", "on May 3 to Angel"):
        assert parted(with_joined_names(text)) == text
    word = with_joined_names("「三点桥」")
    assert word.isalpha() and word.isascii()
    assert parted({"a": (f"to {word}", [word.lower(), 3])}) == {"a": ("to 三点桥", ["三点桥", 3])}


LAST_5 = {"adjustment": "TripLast", "only_lines": ["5"]}


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("the last 5 from Airport to Market", LAST_5),
        ("What time's the last 5 from Airport to Market?", LAST_5),
        ("last 5A from Airport to Market", {"adjustment": "TripLast", "only_lines": ["5A"]}),
        ("first 5A out of Airport to Market", {"adjustment": "TripFirst", "only_lines": ["5A"]}),
        ("Not the 5, not the 12: Airport to Market", {"avoid_lines": ["5", "12"]}),
        ("Airport to Market avoiding the 5 and the 12", {"avoid_lines": ["5", "12"]}),
        ("Only the 5 from Airport to Market", {"only_lines": ["5"]}),
        ("Airport to Market only by the 5", {"only_lines": ["5"]}),
        ("Wann fährt die letzte 5 vom Airport zum Market?", LAST_5),
        ("erste Linie 5 ab Airport nach Market", {"adjustment": "TripFirst", "only_lines": ["5"]}),
        ("nur mit der 5 vom Airport zum Market", {"only_lines": ["5"]}),
        ("vom Airport zum Market ohne die 5", {"avoid_lines": ["5"]}),
        ("vom Airport zum Market nicht mit der 5", {"avoid_lines": ["5"]}),
        ("最后一班5路从Airport到Market几点？", LAST_5),
        ("只坐5路从Airport到Market", {"only_lines": ["5"]}),
        ("从Airport到Market，不坐5路", {"avoid_lines": ["5"]}),
        ("Vom Airport zum Market, letzte Verbindung", {"adjustment": "TripLast"}),
        ("letzter Nachtbus vom Airport zum Market", {"adjustment": "TripLast", "mode": ["bus"]}),
        ("vom Airport zum Market, aber nicht mit der S-Bahn", {"avoid_modes": ["national-rail"]}),
    ],
)
def test_a_line_may_be_a_number(text: str, wishes: dict[str, object]) -> None:
    (trip,) = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ("Airport", "Market")
    assert dict(trip.wishes) == wishes


@pytest.mark.parametrize(
    "text",
    [
        "Take the 5 from Airport to Market",
        "Airport to Market on the 5",
        "mit der Linie 5 vom Airport zum Market",
        "坐5路从Airport到Market",
    ],
)
def test_a_line_beside_others_is_told_not_to_be_taken_into_account(text: str) -> None:
    request = read_request(text)
    assert request.trips[0].wishes == {}
    assert "5" in request.notes[0]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Airport to Market on the 5 of December", "on the 5 of December"),
        ("Airport to Market on the 5th", "on the 5th"),
    ],
)
def test_a_day_of_a_month_is_no_line(text: str, time: str) -> None:
    assert read_request(text).trips[0].wishes == {"date": time}


@pytest.mark.parametrize("text", ["the last 2 trains from A to B", "the first 3 options to Bank"])
def test_a_count_is_no_line(text: str) -> None:
    assert "only_lines" not in str(read_request(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Angel to Bank at 9, then the same on Wednesday", "the same"),
        ("Angel to Bank next Tuesday but one at 9", "but one"),
        ("Angel to Bank on the Tuesday after next at 9", "after next"),
    ],
)
def test_words_that_mean_another_day_are_asked_about(text: str, words: str) -> None:
    assert f"“{words}”" in read_request(text).asks


def test_a_train_that_is_to_be_caught_says_when_one_is_there() -> None:
    (trip,) = read_request("Angel to Liverpool Street to catch the 9:15 train").trips
    assert trip.wishes == {"time": "9:15", "time_is": "arriving"}


def test_a_question_that_is_told_beside_a_trip_takes_no_trip_away() -> None:
    request = read_request("Angel to Bank at 9 and tell me if the Northern line is delayed")
    assert [one.destination for one in request.trips] == ["Bank"]
    assert [one.tool for one in request.questions] == ["get_line_status"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Market to Airport, the one after the 9:12", "after 9:13"),
        ("Market to Airport after the 9:59", "after 10:00"),
    ],
)
def test_what_comes_behind_a_service_is_not_that_service(text: str, said: str) -> None:
    assert read_request(text).trips[0].wishes["time"] == said


def test_where_work_ends_is_where_a_trip_begins() -> None:
    text = "I finish work at Canary Wharf at 5:30, how do I get to Angel"
    (trip,) = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ("Canary Wharf", "Angel")


def test_two_places_to_pass_are_no_trip_of_their_own() -> None:
    (trip,) = read_request("Oval to Bank via Angel then Moorgate at 9").trips
    assert trip.via == "Angel and Moorgate"


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("「noon hill」 to 「bus station」 tomorrow at noon", ("noon hill", "bus station")),
        ("六合到「三点桥」，下午三点出发", ("六合", "三点桥")),
        ("von 「letzter heller」 nach 「an der brücke」 um 9", ("letzter heller", "an der brücke")),
    ],
)
def test_no_word_of_a_marked_name_is_read(text: str, ends: tuple[str, str]) -> None:
    (trip,) = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ends
    assert "「" not in str(trip.wishes)
