"""Until when, and how often, a trip recurs: read as dates, or asked about."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.reading import read_request


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("every Tuesday until 18 December at 9 from Oval to Bank, calendar", "18 December"),
        ("Oval to Bank daily at 9 till Friday, put it in my calendar", "Friday"),
        ("Dienstags um 9 von Oval nach Bank bis zum 18. Dezember, Kalendereintrag", "18 December"),
        ("每周二上午9点从Oval到Bank，到12月18日为止，加日历", "18 December"),
        ("every Tuesday until Christmas at 9 from Oval to Bank, calendar", "24 December"),
        ("Dienstags um 9 bis Weihnachten von Oval nach Bank, Kalendereintrag", "24 December"),
        ("每周二上午9点从Oval到Bank，一直到圣诞节，加日历", "24 December"),
        ("every Tuesday until New Year at 9 from Oval to Bank, calendar", "31 December"),
        ("Dienstags um 9 bis Jahresende von Oval nach Bank, Kalendereintrag", "31 December"),
        ("每周二上午9点从Oval到Bank，到年底为止，加日历", "31 December"),
        ("every Tuesday until Easter at 9 from Oval to Bank, calendar", "Easter Sunday"),
    ],
)
def test_a_date_is_the_last_day_of_the_entry(text: str, day: str) -> None:
    read = read_request(text)
    assert read.artefacts is not None
    assert read.artefacts.repeats["repeat_until"] == day
    assert not read.asks


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("every Tuesday until the summer at 9 from Oval to Bank, calendar", "until the summer"),
        ("Tuesdays at 9 till the end of term, Oval to Bank, calendar", "till the end of term"),
        ("the next three Tuesdays at 9 from Oval to Bank, calendar", "next three Tuesdays"),
        ("twice a month at 9 from Oval to Bank, calendar", "twice a month"),
        ("every third Friday at 9 from Oval to Bank, calendar", "every third Friday"),
        ("every other day at 9 from Oval to Bank, calendar", "every other day"),
        ("whenever it rains, Oval to Bank at 9, calendar", "whenever it rains"),
        ("Dienstags um 9 bis Semesterende von Oval nach Bank, Kalendereintrag", "Semesterende"),
        ("Zweimal im Monat um 9 von Oval nach Bank, Kalendereintrag", "Zweimal"),
        ("每周二9点从Oval到Bank，到学期结束为止，放进日历", "学期结束"),
        ("每月两次9点从Oval到Bank，加到日历", "每月两次"),
    ],
)
def test_what_is_no_date_is_asked_about(text: str, asked: str) -> None:
    read = read_request(text)
    assert asked.casefold() in read.asks.casefold()
    assert "is no date" in read.asks or "leaves that open" in read.asks


@pytest.mark.parametrize(
    "text", ["every day until 6pm from Oval to Bank", "Oval to Bank for two weeks"]
)
def test_an_hour_and_a_trip_made_once_have_no_last_day(text: str) -> None:
    assert "recur" not in read_request(text).asks


def test_without_a_calendar_the_plan_is_of_the_first_day() -> None:
    read = read_request("every weekday until Christmas at 9 from Oval to Bank")
    assert not read.asks
    assert "every weekday until Christmas" in " ".join(read.notes)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        (
            "Oval to Bank, the show starts at 7:30pm and I want to be there an hour before",
            "an hour before 7:30pm",
        ),
        (
            "Oval to Bank, it starts at 11 and we need to get there 15 minutes early",
            "15 minutes before 11",
        ),
    ],
)
def test_a_margin_before_what_begins_is_taken_off(text: str, time: str) -> None:
    [trip] = read_request(text).trips
    assert time in str(trip.wishes["time"])
    assert trip.wishes["time_is"] == "arriving"


def test_a_margin_that_was_not_read_is_asked_about() -> None:
    assert read_request("Oval to Bank at 7 tonight, an hour before the cricket").asks


@pytest.mark.parametrize(
    ("text", "avoided"),
    [
        ("Ealing Broadway to Barking via Paddington not Bank", ["Bank"]),
        ("Von Stratford nach Westminster, weder über Bank noch über Oval", ["Bank", "Oval"]),
    ],
)
def test_what_is_not_to_be_passed_is_never_passed_instead(text: str, avoided: list[str]) -> None:
    [trip] = read_request(text).trips
    assert trip.wishes["avoid_stops"] == avoided
    assert trip.via not in avoided


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon, Wed & Fri at 7 from Oval to Bank", "Monday, Wednesday and Friday"),
        ("Mo, Mi und Fr um 7 von Oval nach Bank", "Monday, Wednesday and Friday"),
        ("每周一三五早上7点从Oval到Bank", "Monday, Wednesday and Friday"),
    ],
)
def test_a_row_of_days_cut_short_is_read(text: str, days: str) -> None:
    [trip] = read_request(text).trips
    assert trip.wishes["date"] == f"the next of {days}"


@pytest.mark.parametrize(
    "text",
    [
        "the other way round please",
        "same but backwards",
        "swap start and destination",
        "und jetzt umgekehrt",
        "die Rückfahrt bitte",
        "反过来",
    ],
)
def test_a_trip_the_other_way_round_goes_back(text: str) -> None:
    [trip] = read_request(text, of_a_trip=True).trips
    assert not trip.destination or trip.destination == "home"
    assert trip.starting_point in ("", "there")
