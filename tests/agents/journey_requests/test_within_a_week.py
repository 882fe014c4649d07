"""Trips of the days of next week, and the place of a sentence before."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.agents.journey_requests.model import TripAsked
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.rewriting import in_english

SUNDAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    "text",
    [
        "weekdays next week: Oval to Bank, in by 8.45, calendar file",
        "Oval to Bank on weekdays next week, arriving by 8:45, put it in my calendar",
        "Nächste Woche jeden Werktag von Oval nach Bank, Ankunft 8:45, bitte als Kalenderdatei",
        "Werktags nächste Woche: Oval nach Bank, Ankunft 8:45 Uhr, in den Kalender",
        "下周一到周五从Oval到Bank,8:45前到,加到日历",
    ],
)
@pytest.mark.parametrize("today", [SUNDAY, date(2026, 11, 23), date(2026, 11, 28)])
def test_weekdays_next_week_have_a_first_and_a_last_day(text: str, today: date) -> None:
    request = read_request(text, today)
    assert request.artefacts is not None
    assert [one.wishes["date"] for one in request.trips] == ["2026-11-30"]
    assert request.artefacts.repeats["repeat_until"] == "4 December 2026"
    assert any("next week (30 November to 4 December)" in one for one in request.notes)
    assert not request.asks


def test_next_week_is_no_end_where_it_is_a_beginning() -> None:
    request = read_request("every Monday from next week at 8 Oval to Bank, calendar", SUNDAY)
    assert request.artefacts is not None
    assert "repeat_until" not in request.artefacts.repeats


@pytest.mark.parametrize(
    "text",
    [
        "will it rain in Greenwich tomorrow? and how do i get there from Bank for 11",
        "How's the weather in Greenwich tomorrow, and how can I get there from Bank by 11?",
        "Regnet es morgen in Greenwich? Und wie komme ich von Bank um 11 dorthin?",
        "Wie wird das Wetter morgen in Greenwich? Wie komme ich von Bank dahin, Ankunft 11 Uhr?",
        "明天格林威治会下雨吗?从Bank怎么去那里,11点到",
    ],
)
def test_there_is_the_place_of_a_question_that_is_not_held(text: str) -> None:
    request = read_request(text, SUNDAY)
    (trip,) = request.trips
    assert (trip.starting_point, trip.destination) == ("Bank", "Greenwich")
    assert trip.wishes["date"] == "2026-11-30"
    assert "know nothing of the weather" in request.notes[0]


def test_there_is_asked_about_where_several_places_are_named() -> None:
    text = "will it rain in Greenwich or Bank tomorrow? how do I get there from Oval?"
    request = read_request(text, SUNDAY)
    assert request.asks == "Where does the trip end?"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("维多利亚线停不停Bond Street?", "does the Victoria line stop at Bond Street?"),
        ("中央线有没有停Green Park?", "does the Central line stop at Green Park?"),
        ("银禧线经不经过Bond Street", "does the Jubilee line stop at Bond Street?"),
        ("District线会不会停Victoria站", "does the District line stop at Victoria?"),
        ("Bond Street停不停维多利亚线?", "does the Victoria line stop at Bond Street?"),
    ],
)
def test_a_stop_is_asked_for_as_a_or_not_a(text: str, read: str) -> None:
    assert in_english(text) == read


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Läuft die Waterloo & City heute oder gibt es Störungen?", "Waterloo & City"),
        ("Läuft die Jubilee gerade?", "Jubilee"),
        ("Ist die Victoria heute gestört?", "Victoria"),
        ("Fährt die Bakerloo jetzt, oder ist sie gesperrt?", "Bakerloo"),
        ("Gibt es Störungen auf der Hammersmith & City?", "Hammersmith & City"),
    ],
)
def test_a_german_line_is_known_by_its_bare_name(text: str, line: str) -> None:
    assert [one.arguments for one in read_request(text).questions] == [{"lines": [line]}]


def test_a_bare_line_is_no_place() -> None:
    (trip,) = read_request("Morgen um 8 mit der District von Victoria nach Richmond").trips
    assert (trip.starting_point, trip.destination) == ("Victoria", "Richmond")
    (street,) = read_request("Von der Victoria Street nach Oval").trips
    assert street.starting_point == "Victoria Street"


@pytest.mark.parametrize(
    "text",
    [
        "von zu Hause zur Arbeit, Ankunft morgen 9 Uhr",
        "Von daheim zur Arbeit, Ankunft morgen um 9",
        "Zur Arbeit von zu Hause, Ankunft morgen 9 Uhr",
    ],
)
def test_the_day_of_an_arrival_may_stand_before_its_hour(text: str) -> None:
    (trip,) = read_request(text, SUNDAY).trips
    wishes = {"time": "09:00", "time_is": "arriving", "date": "2026-11-30"}
    assert trip == TripAsked("home", "work", wishes=wishes)


@pytest.mark.parametrize(
    "text",
    [
        "现在中央线有没有延误",
        "今天皮卡迪利线有没有故障",
        "此刻北线是不是停运了",
        "目前DLR有没有问题",
    ],
)
def test_no_english_word_is_told_as_one_of_a_chinese_request(text: str) -> None:
    request = read_request(text)
    assert [one.tool for one in request.questions] == ["get_line_status"]
    assert not request.unread
