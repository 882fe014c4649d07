"""Requests of other languages and abbreviations, said in plain English with their names."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.not_held import not_held
from groundwire.agents.journey_requests.reading import ASK_CYCLE, read_request
from groundwire.agents.journey_requests.recurring import repeated_on
from groundwire.agents.journey_requests.rewriting import in_english, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Angel to Bank", "en"),
        ("I was at Bank and need to get to Oval", "en"),
        ("Wie komme ich nach Bank?", "de"),
        ("von Angel nach Bank", "de"),
        ("从Angel到Bank", "zh"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("from Angel to Bank at half 9", "from Angel to Bank at half 9"),
        ("need 2 get 2 Oval b4 5pm 2moz", "need to get to Oval before 5pm tomorrow"),
        ("morgen um viertel vor neun von Oval nach Bank", "tomorrow at 08:45 from Oval to Bank"),
        ("heute Abend um 8 von Oval nach Bank", "today at 20:00 from Oval to Bank"),
        ("明天下午3点半从Oval到Bank", "tomorrow at 15:30 from Oval to Bank"),
        ("下午两点半从Bank到Oval, 五点回家", "at 14:30 from Bank to Oval, at 17:00 to home"),
        (
            "今晚7点从Oval到Bank, 明天9点回家",
            "at 19:00 from Oval to Bank, tomorrow at 09:00 to home",
        ),
    ],
)
def test_times_and_ways(text: str, said: str) -> None:
    assert in_english(text).replace("this evening ", "") == said


def test_a_word_that_no_rule_knows_is_kept_to_be_told() -> None:
    assert "Schlumpfhausen" in in_english("von Angel nach Schlumpfhausen")
    assert "亚特兰蒂斯" in in_english("从Angel到亚特兰蒂斯")


@pytest.mark.parametrize(
    "text",
    [
        "My flight from Heathrow Terminal 5 is at 16:40 and I want two hours there. From Oval.",
        "Mein Flug geht um 16:40 ab Heathrow Terminal 5, ich will zwei Stunden vorher da sein, "
        "von Oval aus",
        "我的航班16:40从希思罗5号航站楼起飞，要提前两个小时到，从Oval出发",
    ],
)
def test_a_flight_is_reached_with_the_margin_that_is_asked_for(text: str) -> None:
    [trip] = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ("Oval", "Heathrow Terminal 5")
    assert trip.wishes == {"time": "by 14:40", "time_is": "arriving"}


def test_a_question_whose_answer_is_not_held_is_no_trip() -> None:
    read = read_request("When is the last tube from Oval?")
    assert (read.trips, read.questions) == ((), ())
    assert "no timetable" in read.notes[0]
    assert not not_held("when is the next train from Oval")
    assert not not_held("from Oval to Bank, no escalators")


def test_questions_about_a_plan_stand_beside_its_trip() -> None:
    read = read_request("how many stops is it from Oval to Bank, and do I have to change?")
    assert [(one.starting_point, one.destination) for one in read.trips] == [("Oval", "Bank")]
    assert read.of_plans == ("stops", "changes")


def test_cycling_a_part_of_the_way_is_asked_about() -> None:
    assert read_request("cycle part of the way from Oval to Bank").asks == ASK_CYCLE
    known = read_request("from Oval to Bank, cycle part of the way, leaving my bike at the station")
    assert not known.asks


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("every Tuesday", ("tuesday",)),
        ("on Mondays and Thursdays", ("monday", "thursday")),
        ("every weekday", ("monday", "tuesday", "wednesday", "thursday", "friday")),
        ("every other Tuesday", ()),
        ("every month", ()),
    ],
)
def test_days_on_which_a_trip_is_made_again(words: str, days: tuple[str, ...]) -> None:
    assert repeated_on(words) == days
