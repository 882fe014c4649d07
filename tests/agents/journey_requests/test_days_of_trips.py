"""Days of several trips: meals, school, flights, and the hours that follow one another."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from groundwire.agents.journey_requests.reading import read_request
from groundwire.journeys.itinerary import LONDON


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("tomorrow: Oval to Bank for 9, then at 1 to Angel for lunch, back to Oval at 5", "lunch"),
        ("Tomorrow at 12 from Oval to Angel for lunch, at 3 back to Oval", "12:00 lunch"),
        ("Friday at 7 from Angel to Leicester Square for dinner", "19:00"),
        ("Am Freitag um 7 von Oval nach Angel zum Abendessen", "19:00"),
        ("周五7点从 Pimlico 去 Angel 吃晚饭", "19:00"),
        ("Morgen um 12 von Oval nach Angel zum Mittagessen, um 3 zurück nach Oval", "12:00 lunch"),
        ("明天中午12点从 Oval 到 Angel 吃午饭，下午3点回 Oval", "12:00 lunch"),
        ("Friday at 8 from Angel to Holborn for breakfast", "08:00"),
    ],
)
def test_a_meal_says_which_half_of_the_day_an_hour_is_of(text: str, hours: str) -> None:
    request = read_request(text, date(2026, 11, 26))
    assert not request.asks and not request.unread
    assert any(str(one.wishes["time"]).endswith(hours) for one in request.trips)


@pytest.mark.parametrize(
    "text",
    [
        "周六行程：9点从 Richmond 去大英博物馆，下午2点去伦敦塔，6点回 Richmond",
        "周六的安排如下：先9点从 Richmond 去大英博物馆，再2点去伦敦塔，最后6点回 Richmond",
        "周六9点前送孩子从 Richmond 到 Oval，然后10点前到 Bank 上班，3点半去 Oval 接孩子",
    ],
)
def test_a_day_of_trips_in_chinese(text: str) -> None:
    request = read_request(text, date(2026, 11, 26))
    assert not request.asks and not request.unread
    assert [one.wishes["date"] for one in request.trips] == ["2026-11-28"] * 3


def test_hours_of_one_day_are_of_one_day() -> None:
    today = datetime.now(LONDON).date()
    text = f"{today:%A}: at 00:00 from Oval to Bank, at 23:59 to Angel"
    assert len({one.wishes["date"] for one in read_request(text, today).trips}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "from Oval to Heathrow Terminal 5, two hours before my flight on Friday at 9",
        "我周五9点从希思罗5号航站楼起飞，提前两小时到，从 Oval 出发",
        "周五9点的航班，从 Oval 到 Heathrow Terminal 5，提前两个小时",
        "周五航班9点，提前2小时到希思罗5号航站楼，从 Oval 出发",
        "von Oval nach Heathrow Terminal 5, zwei Stunden vor meinem Flug um 9 am Freitag",
        "Mein Flug geht am Freitag um 9 ab Heathrow Terminal 5, zwei Stunden vorher da, von Oval",
    ],
)
def test_so_long_before_a_flight_one_is_there(text: str) -> None:
    [trip] = (request := read_request(text, date(2026, 11, 26))).trips
    assert not request.asks and not request.unread
    assert (trip.starting_point, trip.destination) == ("Oval", "Heathrow Terminal 5")
    assert trip.wishes.items() >= {"date": "2026-11-27", "time_is": "arriving"}.items()
    assert trip.wishes["time"] == "07:00"


def test_a_flight_without_a_margin_is_asked_about() -> None:
    for text in ("from Oval to Heathrow, flight at 9 tomorrow", "明天9点飞机，从 Oval 去希思罗"):
        assert "before the flight" in read_request(text, date(2026, 11, 26)).asks


@pytest.mark.parametrize(
    "text",
    [
        "Friday: school run Oval to Angel for 8.40, then work at Bank by 9, "
        "pick up at Angel at 3.30",
        "Friday: nursery drop off Oval to Angel at 8, office at Bank by 9, pick up Angel 3:30",
        "Freitag: Kinder um 8 von Oval zur Schule in Angel bringen, dann bis 9 zur Arbeit "
        "nach Bank, um 15 Uhr abholen in Angel",
        "周五8点半前送孩子从 Oval 到 Angel，然后9点半前到 Bank 上班，3点半去 Angel 接孩子",
    ],
)
def test_children_are_taken_to_school_and_fetched_there(text: str) -> None:
    request = read_request(text, date(2026, 11, 26))
    assert not request.asks and not request.unread
    assert [one.destination for one in request.trips] == ["Angel", "Bank", "Angel"]
    assert str(request.trips[2].wishes["time"]).endswith(("3.30", "3:30", "15:00", "15:30"))


@pytest.mark.parametrize(
    "text",
    [
        "后天：10点从 Bow Road 去伦敦眼，3点去 Harrods，7点回 Bow Road",
        "Morgen um 10 von Bow Road nach Bank, um 3 nach Angel, um 7 zurück nach Bow Road",
    ],
)
def test_hours_of_a_day_go_on_after_noon(text: str) -> None:
    hours = [one.wishes["time"] for one in read_request(text, date(2026, 11, 26)).trips]
    assert hours == ["10:00", "15:00", "19:00"]


@pytest.mark.parametrize(
    "text",
    [
        "how expensive is it to go from Oval to Bank at peak",
        "price of a tube ticket Oval to Bank?",
        "Wie viel kostet eine Fahrt von Oval nach Bank in der Hauptverkehrszeit?",
    ],
)
def test_a_fare_is_asked_of_a_trip(text: str) -> None:
    [trip] = (request := read_request(text)).trips
    assert not request.asks
    assert (trip.starting_point, trip.destination) == ("Oval", "Bank")


@pytest.mark.parametrize(
    "text",
    [
        "how much is it from Oval to Bank with an oyster, peak?",
        "Wie viel kostet eine Fahrt von Oval nach Bank mit der Oyster Card?",
        "从 Oval 到 Bank 用 Oyster 要多少钱",
    ],
)
def test_a_fare_by_a_means_of_payment_is_not_held(text: str) -> None:
    assert "tfl.gov.uk/fares" in "".join(read_request(text).notes)


def test_how_it_was_on_a_day_that_has_passed_is_not_held() -> None:
    text = "I was in Oval yesterday at 9, how long would it have taken to get to Bank"
    assert "has passed is not held" in "".join(read_request(text).notes)


def test_the_first_part_of_a_way_may_be_on_foot_in_chinese() -> None:
    first, second = read_request("先走路从 Oval 到 Stockwell，再坐地铁去 Euston").trips
    assert (first.wishes["mode"], second.wishes["mode"]) == (["walking"], ["tube"])


@pytest.mark.parametrize(
    "text",
    [
        "every Friday in December at 8 from Oval to Bank, put it in my calendar",
        "im Dezember jeden Freitag um 8 von Oval nach Bank, als Kalenderdatei",
    ],
)
def test_what_recurs_within_a_month_begins_and_ends_in_it(text: str) -> None:
    request = read_request(text, date(2026, 11, 29))
    assert request.trips[0].wishes["date"] == "2026-12-04"
    assert request.artefacts is not None
    assert request.artefacts.repeats["repeat_until"] == "25 December 2026"


def test_an_hour_behind_tomorrow_needs_no_word_before_it() -> None:
    [trip] = read_request("Oval to Bank tomorrow 9", date(2026, 11, 29)).trips
    assert (trip.wishes["date"], trip.wishes["time"]) == ("2026-11-30", "09:00")
