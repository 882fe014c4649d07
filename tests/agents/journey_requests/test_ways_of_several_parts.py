"""Trips that lead on to each other, of which one time or one day is said."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.not_held import ASK_WHEN, ASK_WHEN_TO
from groundwire.agents.journey_requests.reading import read_request

_BEGINS = "17:00"


@pytest.mark.parametrize(
    "text",
    [
        "Angel to Bank, then to Oval, tomorrow at 17:00",
        "Von Angel nach Bank, dann nach Oval, morgen um 17 Uhr",
        "从Angel到Bank，再坐地铁去Oval，明天17点",
        "cycle from Angel to Bank and take the tube from there to Oval, tomorrow at 17:00",
        "先骑车从Angel到Bank，再坐地铁去Oval，明天17点",
    ],
)
def test_a_time_in_a_clause_of_its_own_is_that_of_the_first_trip(text: str) -> None:
    first, second = read_request(text).trips
    assert _BEGINS in str(first.wishes["time"])
    assert not {"time", "date"} & set(second.wishes)


@pytest.mark.parametrize(
    "text",
    [
        "Angel to Bank, then at 17:00 tomorrow to Oval",
        "Angel to Bank tomorrow, then to Oval at 17:00",
    ],
)
def test_a_trip_without_a_time_is_of_the_day_of_the_one_it_leads_on_to(text: str) -> None:
    first, second = read_request(text).trips
    assert first.wishes["date"] == "tomorrow"
    assert "time" not in first.wishes
    assert _BEGINS in str(second.wishes["time"])


@pytest.mark.parametrize(
    "text",
    [
        "Angel to Bank, then to Oval, arriving by 17:00 tomorrow",
        "Morgen von Angel nach Bank, dann nach Oval, Ankunft bis 17 Uhr",
        "明天从Angel到Bank，再坐地铁去Oval，17点前到",
    ],
)
def test_when_the_first_of_trips_begins_that_have_to_arrive_is_asked(text: str) -> None:
    assert read_request(text).asks == ASK_WHEN_TO.format("Bank")


def test_today_a_trip_without_a_time_begins_at_once() -> None:
    first, second = read_request("Angel to Bank, then to Oval by 17:00 today").trips
    assert not {"time", "date"} & set(first.wishes)
    assert second.wishes["time_is"] == "arriving"


def test_trips_of_two_questions_share_no_day() -> None:
    first, _ = read_request("From Angel to Bank. From Oval to Morden tomorrow at 9").trips
    assert "date" not in first.wishes


def test_each_part_has_its_own_mode() -> None:
    first, second = read_request(
        "I want to cycle from Angel to Bank and take the tube from there to Oval"
    ).trips
    assert (first.wishes["mode"], second.wishes["mode"]) == (["cycle"], ["tube"])
    _, third = read_request("Cycle from Angel to Bank, then tube to Oval").trips
    assert third.wishes["mode"] == ["tube"]


def test_the_day_of_a_question_that_is_not_held_may_be_that_of_the_trip() -> None:
    for text in (
        "Will it rain tomorrow? Angel to Bank",
        "明天会下雨吗？从Angel到Bank",
        "Wird es morgen regnen? Von Angel nach Bank",
    ):
        assert read_request(text).asks == ASK_WHEN
    assert not read_request("Will it rain? Angel to Bank at 9").asks


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I left my umbrella on the Bakerloo line, who do I call?", "lost property"),
        ("Ich habe meinen Schirm in der District Line verloren", "lost property"),
        ("雨伞落在地铁上了，找谁？", "lost property"),
        ("will it rain tomorrow?", "weather"),
        ("Wird es morgen regnen?", "weather"),
        ("明天天气怎么样？", "weather"),
    ],
)
def test_what_is_not_held_is_said(text: str, said: str) -> None:
    read = read_request(text)
    assert said in " ".join(read.notes)
    assert not read.trips


def test_rain_beside_a_trip_takes_no_trip_away() -> None:
    [trip] = read_request("Angel to Bank with the least walking if it rains").trips
    assert (trip.starting_point, trip.destination) == ("Angel", "Bank")
    asked = read_request("will it rain when I walk from Angel to Bank tomorrow?")
    assert [one.destination for one in asked.trips] == ["Bank"]
    assert "rain" in asked.unread


@pytest.mark.parametrize(
    "text",
    [
        "Which station is nearest to Buckingham Palace? How do I get from there to Oxford Circus?",
        "Welche Station liegt am nächsten am Buckingham Palace? Wie komme ich von dort nach Oxford "
        "Circus?",
        "离白金汉宫最近的地铁站是哪个？从那里到牛津广场（Oxford Circus）怎么走？",
    ],
)
def test_a_trip_from_there_begins_at_the_place_whose_stations_are_asked_for(text: str) -> None:
    (trip,) = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ("Buckingham Palace", "Oxford Circus")
