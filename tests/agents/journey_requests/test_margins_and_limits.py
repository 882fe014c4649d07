"""Time to spare, the most changes of a trip, and people who meet: read, or asked about."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.not_held import ASK_CYCLE, ASK_FLIGHT
from groundwire.agents.journey_requests.reading import read_request


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Oval to Bank by 9 with 10 minutes to spare", "10 minutes before 9"),
        ("Oval to Bank, meeting at 10, I want to be half an hour early", "half an hour before 10"),
        ("Von Oval nach Bank, um 9 da sein, eine Viertelstunde Puffer", "15 minutes before 09:00"),
        ("从Oval到Bank，10点到，多留20分钟", "20 minutes before 10:00"),
        ("从Oval到Bank，9点开会，想提前15分钟到", "15 minutes before 09:00"),
    ],
)
def test_time_to_spare_is_taken_off_the_arrival(text: str, time: str) -> None:
    read = read_request(text)
    [trip] = read.trips
    assert time in " ".join(str(trip.wishes["time"]).split())
    assert trip.wishes["time_is"] == "arriving"
    assert not read.asks


def test_time_to_spare_of_a_departure_is_asked_about() -> None:
    assert read_request("leave Angel at 9 for Bank with 10 minutes to spare").asks


def test_a_reminder_is_no_time_to_spare() -> None:
    read = read_request("Oval to Bank by 9, remind me 10 minutes before I leave")
    assert read.trips[0].wishes["time"] == "by 9"
    assert read.artefacts is not None
    assert read.artefacts.alarm_minutes == 10


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("remind me quarter of an hour before I leave", 15),
        ("alert me twenty five minutes before departure", 25),
        ("a 10 minute heads up before I set off", 10),
        ("an alarm three quarters of an hour before", 45),
    ],
)
def test_minutes_of_a_reminder_in_words(said: str, minutes: int) -> None:
    read = read_request(f"Oval to Bank at 5pm in my calendar, {said}")
    assert read.artefacts is not None
    assert read.artefacts.alarm_minutes == minutes


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("Oval to Bank with at most one change", 1),
        ("Oval to Bank, changing no more than twice", 2),
        ("Oval to Bank without changing more than once", 1),
        ("Oval to Bank one change max", 1),
        ("Von Oval nach Bank, höchstens einmal umsteigen", 1),
        ("Von Oval nach Bank mit maximal zwei Umstiegen", 2),
        ("从Oval到Bank，最多换乘一次", 1),
        ("从Oval到Bank，换乘别超过两次", 2),
    ],
)
def test_the_most_changes_of_a_trip_are_read(text: str, most: int) -> None:
    read = read_request(text)
    assert read.changes is not None
    assert read.changes.most == most
    assert read.trips[0].wishes["journey_preference"] == "LeastInterchange"
    assert read.unread == ()


@pytest.mark.parametrize(
    "text",
    [
        "one at Oval and the other at Angel, meeting at Bank at 1pm",
        "my friend is coming from Oval and I'm at Angel, we both need to be at Bank for 1pm",
        "Lena fährt ab Oval, Tom ab Angel, sie wollen sich um 13 Uhr in Bank treffen",
        "我们两个人，一个在Oval，一个在Angel，下午1点在Bank碰头",
    ],
)
def test_everybody_who_meets_has_a_trip(text: str) -> None:
    read = read_request(text)
    assert [(one.starting_point, one.destination) for one in read.trips] == [
        ("Oval", "Bank"),
        ("Angel", "Bank"),
    ]
    assert not read.asks


def test_who_is_not_read_does_not_travel_from_home() -> None:
    assert read_request("Jo sits in Oval, how do I get to Bank").asks


@pytest.mark.parametrize(
    "text",
    [
        "Wimbledon to Bank, first bit by bike",
        "Ein Stück mit dem Rad, dann U-Bahn, von Wimbledon nach Bank",
        "Wimbledon到Bank，前半程骑车",
    ],
)
def test_a_part_by_bike_is_no_whole_way_by_bike(text: str) -> None:
    assert read_request(text).asks == ASK_CYCLE


@pytest.mark.parametrize(
    "text",
    [
        "Richmond to Bank, I'd cycle to the station and leave the bike there",
        "Richmond nach Bank, bis zum Bahnhof fahre ich mit dem Rad und lasse es dort stehen",
        "Richmond到Bank，我骑车去车站，车停在那里",
    ],
)
def test_the_way_to_the_station_by_bike_is_no_trip(text: str) -> None:
    [trip] = read_request(text).trips
    assert trip.wishes["cycle_preference"] == "LeaveAtStation"


def test_a_flight_without_a_margin_is_asked_about() -> None:
    assert read_request("from Angel to Heathrow for a flight at 10 tomorrow").asks == ASK_FLIGHT
    read = read_request("Angel to Heathrow, arriving two hours before the flight at 10 tomorrow")
    assert not read.asks


def test_a_concert_is_in_the_evening_and_one_arrives_for_it() -> None:
    [trip] = read_request("Angel to the O2 for the concert at 8").trips
    assert trip.wishes == {"time": "at 8 in the evening", "time_is": "arriving"}


def test_a_recurrence_within_a_span_needs_its_end() -> None:
    assert read_request("every day in the holidays at 8 Oval to Bank, calendar").asks
    assert "until" in str(
        read_request("every day in January at 8 Oval to Bank, calendar").artefacts
    )
    assert "until" in str(read_request("every day next week at 8 Oval to Bank, calendar").artefacts)
    assert not read_request("every Monday from next week at 8 Oval to Bank, calendar").asks


@pytest.mark.parametrize(
    "text",
    [
        "the last M10 from Oval to Bank",
        "the last train on the M10 from Oval to Bank",
        "from Oval to Bank by the last tram M10",
        "Die letzte M10 von Oval nach Bank",
        "从Oval到Bank的末班M10",
    ],
)
def test_the_last_of_one_line_is_of_that_line(text: str) -> None:
    (trip,) = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ("Oval", "Bank")
    assert trip.wishes == {"adjustment": "TripLast", "only_lines": ["M10"]}


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("the last Victoria line train", "Victoria"),
        ("the last tube on the Central line", "Central"),
        ("the last bus 38", "38"),
        ("the last 38 bus", "38"),
        ("the last Hammersmith & City line tube", "Hammersmith & City"),
    ],
)
def test_the_last_of_a_named_line(said: str, line: str) -> None:
    (trip,) = read_request(f"{said} from Oval to Bank").trips
    assert trip.wishes == {"adjustment": "TripLast", "only_lines": [line]}


def test_only_by_a_line() -> None:
    (trip,) = read_request("Oval to Bank only by the Northern line").trips
    assert trip.wishes == {"only_lines": ["Northern"]}
    (trip,) = read_request("Oval to Bank using only the U2").trips
    assert trip.wishes == {"only_lines": ["U2"]}


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("from Euston, dinner in Covent Garden at 7 tomorrow", "at 7 tomorrow in the evening"),
        ("Oval to Angel tomorrow at 7 for dinner", "tomorrow at 7 in the evening"),
        ("concert in Camden Town at 8, from Oval", "at 8 in the evening"),
        ("I'm at Euston, dinner at 7 in Soho", "at 7 in the evening"),
        ("breakfast at 8 tomorrow in Angel from Oval", "at 8 tomorrow"),
        ("Ich bin in Euston, um 19 Uhr Essen in Covent Garden", "at 19:00"),
    ],
)
def test_what_one_goes_to_in_the_evening_is_reached_by_then(text: str, time: str) -> None:
    [trip] = read_request(text).trips
    assert (trip.wishes["time"], trip.wishes["time_is"]) == (time, "arriving")


@pytest.mark.parametrize(
    "text",
    [
        "Oval to National Theatre at 8 tomorrow",
        "leave Oval at 8 tomorrow for dinner in Angel",
        "show me Oval to Bank at 8 tomorrow",
    ],
)
def test_other_hours_are_not_of_the_evening(text: str) -> None:
    [trip] = read_request(text).trips
    assert "evening" not in str(trip.wishes["time"])


@pytest.mark.parametrize(
    "text", ["Oval to Angel or to Bank, which is faster?", "Oval nach Angel oder nach Bank?"]
)
def test_one_of_two_ends_is_no_way_by_both(text: str) -> None:
    ends = [(one.starting_point, one.destination) for one in read_request(text).trips]
    assert ends == [("Oval", "Angel"), ("Oval", "Bank")]


@pytest.mark.parametrize(
    "text", ["Oval to Angel tomorrow same time", "this time tomorrow, Oval to Angel"]
)
def test_an_hour_named_by_another_is_told_as_left_out(text: str) -> None:
    assert any("time" in one for one in read_request(text).unread)
