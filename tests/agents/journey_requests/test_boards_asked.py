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


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Which stops does the 10 call at?", "10 line"),
        ("What are all the stops on the Victoria line?", "Victoria line"),
        ("Where does the Blue Ferry go?", "Blue Ferry line"),
        ("Welche Haltestellen bedient die Linie 10?", "10 line"),
        ("10路停哪些站？", "10 line"),
        ("What's the zone of Wimbledon?", "Wimbledon"),
        ("Nearest tube to the Tate Modern?", "near Tate Modern"),
        ("Welche Linien fahren an Oval ab?", "Oval"),
    ],
)
def test_stops_and_lines_are_looked_up(text: str, query: str) -> None:
    read = read_request(text)
    [question] = read.questions
    assert (question.tool, question.arguments, read.notes) == ("find_stops", {"query": query}, ())


def test_a_line_that_has_no_name_is_not_looked_up() -> None:
    assert read_request("which stations do I pass on the way to Bank").questions == ()


@pytest.mark.parametrize(
    "text",
    [
        "single Oval to Bank off-peak, how much?",
        "peak fare from Oval to Bank please",
        "Was kostet eine einfache Fahrt von Oval nach Bank außerhalb der Hauptverkehrszeit?",
    ],
)
def test_the_peak_is_of_the_fare_that_is_asked_for(text: str) -> None:
    read = read_request(text)
    [trip] = read.trips
    assert (trip.starting_point, trip.destination, read.asks) == ("Oval", "Bank", "")
    assert read.unread
    assert read_request("Oval to Bank off-peak").asks


def test_a_way_back_that_is_said_twice_is_one() -> None:
    out, back = read_request("Oval to Bank and back on Sunday, leaving at 10, back by 6").trips
    assert out.wishes["time"] == "on Sunday, leaving at 10"
    assert (back.destination, back.wishes["time"], back.wishes["date"]) == (
        "Oval",
        "by 6",
        "Sunday",
    )


def test_of_two_places_to_pass_the_one_that_is_left_out_is_told() -> None:
    read = read_request("Victoria to Bank, via Embankment or via Green Park?")
    assert ([one.via for one in read.trips], read.unread) == (["Green Park"], ("via Embankment",))


def test_a_name_that_is_a_word_of_direction_begins_a_trip() -> None:
    [trip] = read_request("last tram from Over to Oval on Friday").trips
    assert (trip.starting_point, trip.destination) == ("Over", "Oval")


def test_of_two_values_of_one_option_the_one_that_is_left_out_is_told() -> None:
    read = read_request("Oval to Bank, fewest changes, quickest")
    assert [one.wishes["journey_preference"] for one in read.trips] == ["LeastTime"]
    assert read.unread == ("fewest changes",)
