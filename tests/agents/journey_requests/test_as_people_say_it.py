"""Positions, saints, own places in Chinese, and what is put into a calendar in one sentence."""

from __future__ import annotations

import pytest

from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.rewriting import in_english

AT = "51.51,-0.09"


@pytest.mark.parametrize(
    "text",
    [
        "from 51.51,-0.09 to Bank",
        "51.51, -0.09 to Bank",
        "I'm at (51.51,-0.09), how do I get to Bank?",
        "von 51.51,-0.09 nach Bank",
        "Wie komme ich von 51.51, −0.09 nach Bank?",
        "从51.51，-0.09到Bank",
        "从 51.51,−0.09 到 Bank 怎么走",
    ],
)
def test_a_position_is_one_place_in_each_language(text: str) -> None:
    [trip] = read_request(text).trips
    assert (trip.starting_point, trip.destination) == (AT, "Bank")
    assert not {"time", "date"} & set(trip.wishes)


@pytest.mark.parametrize("text", ["Angel to Bank at 9.15, then to Oval", "Angel to Bank at 9.15"])
def test_a_time_with_a_full_stop_is_no_position(text: str) -> None:
    assert read_request(text).trips[0].wishes["time"] == "at 9.15"


def test_the_name_of_a_saint_keeps_its_full_stop() -> None:
    [trip] = read_request("从St。Pancras到St. Paul's").trips
    assert (trip.starting_point, trip.destination) == ("St. Pancras", "St. Paul's")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("which lines stop at St. James's Park?", "St. James's Park"),
        ("Welche Linien halten in St. James's Park?", "St. James's Park"),
        ("does the Jubilee line stop at St. John's Wood?", "St. John's Wood"),
    ],
)
def test_the_full_stop_of_a_saint_ends_no_sentence(text: str, query: str) -> None:
    [question] = read_request(text).questions
    assert question.arguments == {"query": query}


def test_a_street_may_end_a_sentence() -> None:
    first, second = read_request("Bank to Liverpool St. Then to Angel").trips
    assert (first.destination, second.destination) == ("Liverpool St.", "Angel")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("我家在布里克斯顿，公司在利物浦街", {"home": "Brixton", "work": "Liverpool Street"}),
        ("我住在巴勒姆，在老街上班", {"home": "Balham", "work": "Old Street"}),
        ("我住在Angel，在Bank工作，明天九点从家到公司", {"home": "Angel", "work": "Bank"}),
        ("Ich wohne in Balham, arbeite in Holborn", {"home": "Balham", "work": "Holborn"}),
        ("我公司在老街，记住", {"work": "Old Street"}),
    ],
)
def test_own_places_are_kept_by_any_name(text: str, places: dict[str, str]) -> None:
    assert read_request(text).settings.places == places


@pytest.mark.parametrize(
    "text",
    [
        "Trag mir bis Weihnachten jeden Donnerstag um 17:30 Bank nach Oval in den Kalender ein",
        "Schreib mir jeden Donnerstag bis 24. Dezember um 17:30 von Bank nach Oval in den Kalender",
        "请把每周四17:30从Bank到Oval的行程加到日历，一直到圣诞节",
        "把每周四17:30从Bank到Oval的路线放进我的日历，直到12月24日",
        "put Bank to Oval in my calendar every Thursday until Christmas, leaving 17:30",
    ],
)
def test_a_series_is_put_into_a_calendar_in_one_sentence(text: str) -> None:
    request = read_request(text)
    [trip] = request.trips
    assert (trip.starting_point, trip.destination) == ("Bank", "Oval")
    assert request.artefacts is not None and request.artefacts.repeats["repeat_on"] == ["thursday"]
    assert "repeat_until" in request.artefacts.repeats and not request.asks


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Erst um 9 von Angel nach Bank", "at 09:00 from Angel to Bank"),
        ("Wie komme ich zum Naturhistorischen Museum?", "to Natural History Museum"),
        ("Vom Britischen Museum zum Buckingham-Palast", "from British Museum to Buckingham Palace"),
        ("Fährt die DLR bis Gatwick?", "does the DLR stop at Gatwick"),
        ("DLR到盖特威克吗？", "does the DLR line stop at Gatwick"),
        ("Overground在Bank停吗", "does the Overground line stop at Bank"),
        ("Welche Station kommt nach Oval auf der Northern Line?", "next stop after Oval"),
        ("Holborn之后下一站是什么", "next stop after Holborn"),
        ("给我详细的路线", "give me directions"),
    ],
)
def test_what_is_said_in_english(text: str, english: str) -> None:
    assert english in in_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "whats the next stop after Holborn on the Central going east?",
        "which station comes after Oval on the Northern line",
        "Was ist die nächste Haltestelle nach Holborn?",
        "银行站的下一站是哪里？",
    ],
)
def test_the_order_of_stops_is_said_not_to_be_told(text: str) -> None:
    assert "comes next on a line is not told" in " ".join(read_request(text).notes)


@pytest.mark.parametrize(
    "text",
    [
        "first Bank, then Angel, then Oval, starting at 9 from Stratford",
        "zuerst Bank, dann Angel, dann Oval, Start um 9 in Stratford",
        "zuerst nach Bank, dann nach Angel, dann nach Oval, los um 9 in Stratford",
        "先去Bank，再去Angel，最后去Oval，九点从Stratford出发",
    ],
)
def test_a_row_of_ends_begins_where_it_is_said_last(text: str) -> None:
    trips = read_request(text).trips
    assert [one.destination for one in trips] == ["Bank", "Angel", "Oval"]
    assert trips[0].starting_point == "Stratford"
    assert str(trips[0].wishes["time"]).endswith(("9", "09:00"))


def test_a_bare_hour_stands_before_a_trip_of_a_list() -> None:
    trips = read_request("9am Oval to Bank, 12 Bank to Angel, 5pm Angel to Oval").trips
    assert [one.starting_point for one in trips] == ["Oval", "Bank", "Angel"]
    assert trips[1].wishes["time"] == "at 12"


@pytest.mark.parametrize(
    "text",
    [
        "what stops are between Bank and Angel?",
        "which stations are there between Bank and Angel",
        "Welche Stationen liegen zwischen Bank und Angel?",
        "Bank站和Angel站之间有哪些站",
        "从Bank到Angel沿途经过哪些站？",
    ],
)
def test_stops_between_two_are_asked_of_the_directions(text: str) -> None:
    request = read_request(text)
    assert [(one.starting_point, one.destination) for one in request.trips] == [("Bank", "Angel")]
    assert request.artefacts is not None and request.artefacts.kinds == ("text",)


def test_stops_between_two_by_a_line_are_of_that_line_alone() -> None:
    [trip] = read_request("which stops are between Oval and Bank on the Northern line").trips
    assert trip.wishes == {"only_lines": ["Northern"]}


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Kannst du mir den Weg von Angel nach Oval zeigen?", "from Angel to Oval"),
        ("Von Bank zum Flughafen City", "to London City Airport"),
        ("从Angel到Bank的票价是多少", "how much is it"),
        ("我要早上九点到帕丁顿，住在布里克斯顿", "from Brixton"),
        ("剑桥到布莱顿有火车吗", "from 剑桥 to Brighton"),
    ],
)
def test_more_that_is_said_in_english(text: str, english: str) -> None:
    assert english in in_english(text)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Are there any strikes tomorrow?", "is the tube on strike tomorrow"),
        ("Gibt es morgen Streiks?", "is the tube on strike"),
        ("明天有罢工吗", "on strike"),
        ("wann wäre ich dann da?", "what time I get there"),
        ("and by when would i be there", "what time will I get there"),
        ("und wenn ich über Waterloo fahre?", "via Waterloo"),
        ("zeig mir Verbindung 2", "describe plan 2"),
        ("看方案2", "describe plan 2"),
        ("Welche U-Bahn-Station ist am nächsten zu Harrods?", "what stations are near Harrods"),
        ("离哈罗德百货最近的地铁站是哪个", "what stations are near Harrods"),
        ("可以不换乘吗", "without changing"),
        ("Ankunft um 9 statt Abfahrt", "arriving at 09:00"),
    ],
)
def test_replies_and_questions_in_english(text: str, english: str) -> None:
    assert english in in_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm meeting a friend at Oval at 7 pm, coming from Bank.",
        "Ich treffe Freunde um 19 Uhr in Oval, komme von Bank.",
        "今晚七点在Oval见朋友，从Bank出发",
    ],
)
def test_who_is_met_is_no_part_of_the_trip(text: str) -> None:
    [trip] = read_request(text).trips
    assert (trip.starting_point, trip.destination) == ("Bank", "Oval")
    assert trip.wishes["time_is"] == "arriving"


@pytest.mark.parametrize(
    "text",
    [
        "Oval to Bank at 8 mon wed fri",
        "mon wed fri: Oval to Bank at 8",
        "Mo Mi Fr um 8 von Oval nach Bank",
        "每个周一、周三和周五早上八点从Oval到Bank",
        "每个周一三五早上八点从Oval到Bank",
    ],
)
def test_days_in_a_row_without_a_comma_all_count(text: str) -> None:
    request = read_request(text)
    [trip] = request.trips
    assert trip.wishes["date"] == "the next of Monday, Wednesday and Friday"


@pytest.mark.parametrize(
    "text",
    [
        "save gym as Elephant & Castle and office as Blackfriars",
        "my gym is Elephant & Castle and office is Blackfriars",
        "remember gym as Elephant & Castle and my office as Blackfriars",
    ],
)
def test_two_own_places_are_two(text: str) -> None:
    places = {"gym": "Elephant & Castle", "office": "Blackfriars"}
    assert read_request(text).settings.places == places


@pytest.mark.parametrize(
    "text",
    [
        "Putney Bridge to Kew Gardens and will I need an umbrella?",
        "Putney Bridge to Kew Gardens, and is it going to rain?",
    ],
)
def test_a_trip_beside_the_weather_is_kept(text: str) -> None:
    request = read_request(text)
    assert [one.destination for one in request.trips] == ["Kew Gardens"]
    assert any("nothing of the weather" in one for one in request.notes)


def test_two_things_that_are_not_held_are_both_told() -> None:
    notes = " ".join(read_request("how busy is Bank on Friday, and is there parking?").notes)
    assert "How busy" in notes and "parking" in notes
