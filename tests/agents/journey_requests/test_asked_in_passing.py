"""What travellers say in passing: the way home, a stay, a landing, the weather, any order."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.agents.journey_requests.beside_trips import AS_SAID
from groundwire.agents.journey_requests.model import THERE
from groundwire.agents.journey_requests.reading import read_request

SUNDAY = date(2027, 1, 10)


@pytest.mark.parametrize(
    "text",
    [
        "Oval to Bank at 9, lunch in Covent Garden at 1, then home to Morden about 6",
        "Oval to Bank at 9 tomorrow, then back home to Morden at 5",
        "Oval to Bank at 9, and home to Morden around 6",
        "Um 9 von Oval nach Bank, um 17 Uhr heim nach Morden",
        "明天早上九点从Oval到Bank，下午五点回家到Morden",
    ],
)
def test_home_with_its_station_is_where_a_later_trip_ends(text: str) -> None:
    *_, last = read_request(text).trips
    assert (last.starting_point, last.destination) == (THERE, "Morden")


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("home to Bank at 8 tomorrow, then home to Angel at 6", "home"),
        ("Bank to Oval at 9, then from home to Angel at 6", "home"),
        ("home to Angel at 6", "home"),
    ],
)
def test_home_alone_is_where_a_trip_begins(text: str, origin: str) -> None:
    *_, last = read_request(text).trips
    assert (last.starting_point, last.destination) == (origin, "Angel")


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("Oval to Bank, an hour there, then to Angel, tomorrow at 10", 60),
        ("Oval to Bank at 9, then 2 hours there, then to Angel", 120),
        ("Oval to the Tate Modern, two hours there, then on to Angel", 120),
        ("Von Oval nach Bank, dort eine Stunde, dann nach Angel, morgen um 10", 60),
        ("Von Oval nach Bank, 2 Stunden dort, dann weiter nach Angel", 120),
        ("从Oval到Bank，停留一小时，再去Angel，明天10点", 60),
    ],
)
def test_a_stay_is_read_without_a_verb(text: str, minutes: int) -> None:
    *_, last = read_request(text).trips
    assert (last.destination, last.stay) == ("Angel", minutes)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        (
            "LHR T5 to Bank, landing 6.40 tomorrow morning, need an hour for passport and bags",
            "07:40",
        ),
        (
            "I land at Heathrow T5 at 6:40 tomorrow morning, need 1 hour for bags, then to Bank",
            "07:40",
        ),
        ("Heathrow T3 to Bank, I land at 18:00 tomorrow, allow 90 minutes for luggage", "19:30"),
        ("Heathrow T5 nach Bank, Landung morgen 14:20, eine Stunde für Gepäck", "15:20"),
        ("明天6:40在希思罗5号航站楼落地，需要一小时过关取行李，去Bank", "07:40"),
    ],
)
def test_the_time_after_a_landing_is_added(text: str, when: str) -> None:
    (trip,) = read_request(text, SUNDAY).trips
    assert trip.starting_point != ""
    assert (trip.destination, trip.wishes["time"], trip.wishes["date"]) == (
        "Bank",
        when,
        "2027-01-11",
    )


@pytest.mark.parametrize(
    "text",
    [
        "will it rain in Greenwich this afternoon, and is it worth taking the DLR from Bank",
        "Will it rain in Greenwich this afternoon, and should I take the DLR from Bank?",
        "格林尼治今天下午会下雨吗？从Bank坐DLR去值得吗？",
    ],
)
def test_a_way_beside_the_weather_is_planned(text: str) -> None:
    request = read_request(text, SUNDAY)
    (trip,) = request.trips
    assert (trip.starting_point, trip.destination) == ("Bank", "Greenwich")
    assert (trip.wishes["mode"], trip.wishes["date"]) == (["dlr"], "2027-01-10")
    assert any("weather" in one for one in request.notes)


def test_the_weather_of_two_places_names_no_end() -> None:
    request = read_request("will it rain in Oval or Angel, and should I take the tube from Bank")
    assert not any(trip.destination for trip in request.trips)


@pytest.mark.parametrize(
    "text",
    [
        "From Angel to the British Museum and Tate Modern in any order, tomorrow at 10",
        "I want to see the British Museum and Tate Modern, order doesn't matter, from Angel at 10",
        "Von Angel ins British Museum und zur Tate Modern, Reihenfolge egal, morgen um 10",
        "明天10点从Angel出发去大英博物馆和Tate Modern，顺序随意",
    ],
)
def test_places_of_any_order_are_seen_as_they_stand(text: str) -> None:
    request = read_request(text)
    ends = [trip.destination.removeprefix("the ") for trip in request.trips]
    assert ends == ["British Museum", "Tate Modern"]
    assert AS_SAID in request.notes


@pytest.mark.parametrize(
    ("text", "line", "stop"),
    [
        ("Why does the Piccadilly line skip Angel now? Since when", "Piccadilly", "Angel"),
        ("Why doesn't the Victoria line stop at Angel anymore?", "Victoria", "Angel"),
        ("how come the Central line no longer calls at Angel?", "Central", "Angel"),
        ("Warum hält die Piccadilly Line nicht mehr an der Angel?", "Piccadilly", "Angel"),
        ("为什么皮卡迪利线现在不停Angel了？", "Piccadilly", "Angel"),
    ],
)
def test_why_a_line_calls_is_not_held_and_whether_it_does_is(
    text: str, line: str, stop: str
) -> None:
    request = read_request(text)
    (question,) = request.questions
    assert question.arguments == {"query": stop}
    assert line in question.of_line
    assert "is not held here" in question.without_timetable
    assert not request.trips


@pytest.mark.parametrize(
    "text",
    [
        "which lines can I pick up at Bank",
        "what can I change to at Bank",
        "Welche Linien erreiche ich in Bank?",
        "Wohin kann ich an der Bank umsteigen?",
        "在Bank可以换乘哪些线？",
    ],
)
def test_lines_to_change_to_are_those_of_the_stop(text: str) -> None:
    (question,) = read_request(text).questions
    assert (question.tool, question.arguments) == ("find_stops", {"query": "Bank"})


@pytest.mark.parametrize(
    "text",
    [
        "first train from Morden into town on Monday",
        "when is the first tube from Morden towards central London on Monday",
        "Wann fährt am Montag die erste Bahn von Morden Richtung Innenstadt?",
        "周一早上从Morden去市中心的首班车是几点？",
    ],
)
def test_into_town_is_no_place(text: str) -> None:
    (question,) = read_request(text).questions
    assert (question.tool, question.arguments["stop"]) == ("get_arrivals", "Morden")


@pytest.mark.parametrize(
    "text",
    [
        "Stratford to Richmond, overground rather than tube",
        "Von Stratford nach Richmond, lieber Overground als U-Bahn",
        "从Stratford到Richmond，比起地铁更想坐地上铁",
    ],
)
def test_one_way_of_travelling_rather_than_another(text: str) -> None:
    (trip,) = read_request(text).trips
    assert (trip.wishes["mode"], trip.wishes["avoid_modes"]) == (["overground"], ["tube"])


def test_what_is_preferred_is_not_ranked() -> None:
    request = read_request("Stratford to Richmond, I prefer the Overground to the tube")
    assert [trip.destination for trip in request.trips] == ["Richmond"]
    assert "prefer Overground” is not taken into account" in request.notes[0]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Angel to Bank this afternoon", "2027-01-10"),
        ("Heute Nachmittag von Angel nach Bank", "2027-01-10"),
        ("今天下午从Angel到Bank", "2027-01-10"),
    ],
)
def test_a_part_of_the_day_is_of_the_day_that_counts_as_today(text: str, day: str) -> None:
    (trip,) = read_request(text, SUNDAY).trips
    assert trip.wishes["date"] == day


def test_london_before_a_place_in_it_is_no_part_of_its_name() -> None:
    (trip,) = read_request("从伦敦国王十字到剑桥的火车几点有？").trips
    assert (trip.starting_point, trip.destination) == ("King's Cross", "剑桥")
    (trip,) = read_request("从Angel到伦敦桥").trips
    assert trip.destination == "London Bridge"


def test_a_part_of_a_line_is_told_as_left_out() -> None:
    request = read_request("which stops does the Victoria line have after Euston")
    assert request.unread == ("after Euston",)


@pytest.mark.parametrize(
    "text",
    [
        "how long does it take from Angel to Oval and how many stops",
        "Wie lange dauert es von Angel nach Oval und wie viele Stationen sind das?",
        "从Angel到Oval要多久？一共几站？",
    ],
)
def test_how_long_beside_how_many_stops_is_answered(text: str) -> None:
    request = read_request(text)
    assert {"stops", "minutes"} <= set(request.of_plans)
    assert [(trip.starting_point, trip.destination) for trip in request.trips] == [
        ("Angel", "Oval")
    ]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("every Friday at 6pm Bank to Oval in my calendar until the end of March", "31 March"),
        ("Jeden Freitag um 18 Uhr von Bank nach Oval, Kalender, bis Ende April", "30 April"),
        ("每周五下午6点从Bank到Oval，加到日历，到6月底", "30 June"),
    ],
)
def test_the_end_of_a_month_is_its_last_day(text: str, day: str) -> None:
    request = read_request(text)
    assert request.artefacts is not None
    assert request.artefacts.repeats["repeat_until"] == day


@pytest.mark.parametrize(
    ("text", "ends", "when"),
    [
        (
            "Termin morgen um 14 Uhr in Moorgate, wann muss ich in Ealing Common los?",
            ("Ealing Common", "Moorgate"),
            "14:00",
        ),
        (
            "明天下午两点在Moorgate开会，从Ealing Common几点出发？",
            ("Ealing Common", "Moorgate"),
            "14:00",
        ),
        (
            "Ich muss morgen um 9 in Holborn sein, ich fahre in Angel los",
            ("Angel", "Holborn"),
            "09:00",
        ),
        (
            "Angel to LCY, flight's at 13:00 tomorrow, want to be there 2 hours before",
            None,
            "11:00",
        ),
    ],
)
def test_an_appointment_says_when_one_is_there(
    text: str, ends: tuple[str, str] | None, when: str
) -> None:
    (trip,) = read_request(text, SUNDAY).trips
    assert ends in (None, (trip.starting_point, trip.destination))
    assert (trip.wishes["time"], trip.wishes["time_is"]) == (when, "arriving")


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("坐船从伦敦眼到格林尼治", {"mode": ["river-bus"]}),
        ("从伦敦眼到格林尼治，不坐船", {"avoid_modes": ["river-bus"]}),
    ],
)
def test_a_boat_in_chinese(text: str, mode: dict[str, list[str]]) -> None:
    (trip,) = read_request(text).trips
    assert {key: trip.wishes.get(key) for key in mode} == mode
