"""Requests of other languages and abbreviations, said in plain English with their names."""

from __future__ import annotations

from datetime import date

import pytest

from groundwire.agents.journey_requests.follow_ups import FollowUp, read_follow_up
from groundwire.agents.journey_requests.names import plainly_spelled
from groundwire.agents.journey_requests.not_held import ASK_CYCLE, ASK_WHEN, not_held
from groundwire.agents.journey_requests.reading import read_request
from groundwire.agents.journey_requests.recurring import RECURS, repeats
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
    read = read_request("How late do tubes run on Friday?")
    assert (read.trips, read.questions) == ((), ())
    assert "embedded network has none" in read.notes[0]
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


WORKING = ["monday", "tuesday", "wednesday", "thursday", "friday"]


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("every Tuesday", {"repeat_on": ["tuesday"]}),
        ("on Mondays and Thursdays", {"repeat_on": ["monday", "thursday"]}),
        ("every weekday", {"repeat_on": WORKING}),
        ("Mondays to Fridays", {"repeat_on": WORKING}),
        ("Sat-Mon", {"repeat_on": ["monday", "saturday", "sunday"]}),
        ("every weekday except Friday", {"repeat_on": WORKING[:4]}),
        ("every other Tuesday", {"repeat_on": ["tuesday"], "repeat_weeks": 2}),
        ("alternate Mondays and Fridays", {"repeat_on": ["monday", "friday"], "repeat_weeks": 2}),
        ("fortnightly on Sunday", {"repeat_on": ["sunday"], "repeat_weeks": 2}),
        ("every three weeks on Wednesday", {"repeat_on": ["wednesday"], "repeat_weeks": 3}),
        ("Thursdays every other week", {"repeat_on": ["thursday"], "repeat_weeks": 2}),
        ("the first Monday of each month", {"repeat_monthly": "weekday"}),
        ("every last Friday", {"repeat_monthly": "last_weekday"}),
        ("last Friday of the month", {"repeat_monthly": "last_weekday"}),
        ("monthly on the 1st", {"repeat_monthly": "date"}),
        ("on the 15th of every month", {"repeat_monthly": "date"}),
        ("every weekday bar Wednesday", {"repeat_on": ["monday", "tuesday", "thursday", "friday"]}),
        # What leaves the days open repeats nothing.
        ("every third Friday", {}),
        ("every month", {}),
        ("every other day", {}),
        ("every other weekday", {}),
        ("every night", {}),
        ("fortnightly", {}),
        ("monthly", {}),
    ],
)
def test_how_a_trip_is_made_again(words: str, options: dict[str, object]) -> None:
    found = RECURS.fullmatch(words)
    assert found is not None
    assert repeats(words) == options


@pytest.mark.parametrize(
    ("text", "day", "counted"),
    [
        ("every weekday at 7:40 from Oval to Bank", "the next weekday", "2026-11-23"),
        ("montags bis freitags um 7:40 von Oval nach Bank", "the next weekday", "2026-11-23"),
        ("周一到周五早上7点40从Oval到Bank", "the next weekday", "2026-11-23"),
        (
            "Werktags außer mittwochs um 8 von Oval nach Bank",
            "the next of Monday, Tuesday, Thursday and Friday",
            "2026-11-23",
        ),
        (
            "jeden zweiten Donnerstag um 15 Uhr von Oval nach Bank",
            "the next of Thursday",
            "2026-11-26",
        ),
        (
            "the last Friday of each month at 9 from Oval to Bank",
            "the last Friday of each month",
            "2026-11-27",
        ),
        (
            "jeden ersten Montag um 9 von Oval nach Bank",
            "the first Monday of each month",
            "2026-12-07",
        ),
        ("每月最后一个周五下午5点从Oval到Bank", "the last Friday of each month", "2026-11-27"),
        ("monatlich am 2. um 12 Uhr von Oval nach Bank", "the 2nd", "2026-12-02"),
        ("每月15号中午12点从Oval到Bank", "the 15th", "2026-12-15"),
        ("every 3rd Friday at 9 from Oval to Bank", "the next of Friday", "2026-11-27"),
    ],
)
def test_a_trip_that_recurs_is_of_the_first_day_on_which_it_does(
    text: str, day: str, counted: str
) -> None:
    [trip] = read_request(text).trips
    assert trip.wishes["date"] == day
    # A day that a host calls today need not be the first: that is counted from it.
    [trip] = read_request(text, date(2026, 11, 23)).trips
    assert trip.wishes["date"] == counted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Wann muss ich in Brixton los, wenn ich um 9 in Holborn sein will?", "09:00"),
        ("我10点要到Euston，从Brixton几点出发？", "10:00"),
    ],
)
def test_when_to_leave_is_read_with_the_place_in_front(text: str, said: str) -> None:
    [trip] = read_request(text).trips
    assert trip.arguments()["starting_point"] == "Brixton"
    assert trip.wishes["time_is"] == "arriving" and said in str(trip.wishes["time"])


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("tell me ten minutes before I have to leave: Oval to Bank at 9", 10),
        ("Oval to Bank at 9, give me half an hour's notice", 30),
        ("Zehn Minuten vor der Abfahrt erinnern: von Oval nach Bank um 9", 10),
        ("Sag mir 15 Minuten vorher Bescheid: von Oval nach Bank um 9", 15),
        ("出发前10分钟提醒我：9点从Oval到Bank", 10),
        ("提前一刻钟通知我，9点从Oval到Bank", 15),
    ],
)
def test_a_reminder_alone_is_an_alarm_of_a_calendar_file(text: str, minutes: int) -> None:
    read = read_request(text)
    assert read.artefacts is not None
    assert (read.artefacts.kinds, read.artefacts.alarm_minutes) == (("calendar",), minutes)
    assert len(read.trips) == 1
    assert "No reminder is sent from here" in read.notes[-1]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Oval to Bank the scenic way", "the scenic way"),
        ("Oval to Bank, stopping for a coffee halfway", "stopping for a coffee halfway"),
        ("Oval to Bank with my dog at 3pm", "with my dog"),
        ("Von Oval nach Bank auf der schönsten Strecke", "auf der schönsten Strecke"),
        ("Von Oval nach Bank mit einer Kaffeepause unterwegs", "mit einer Kaffeepause unterwegs"),
        ("从Oval到Bank每周两次", "每周两次"),
        ("从Oval到Bank，安静一点", "安静一些"),
    ],
)
def test_a_condition_that_no_planner_applies_is_named_and_no_part_of_a_place(
    text: str, left: str
) -> None:
    read = read_request(text)
    [trip] = read.trips
    assert (trip.starting_point, trip.destination) == ("Oval", "Bank")
    assert left in read.unread


@pytest.mark.parametrize(
    "text", ["Oval to Bank after the morning rush", "Von Oval nach Bank nach dem Berufsverkehr"]
)
def test_a_day_or_an_hour_that_is_not_read_is_asked_for(text: str) -> None:
    assert read_request(text).asks == ASK_WHEN


@pytest.mark.parametrize(
    ("text", "minutes", "below"),
    [
        ("Oval to Bank in under 20 minutes", 20, True),
        ("Oval to Bank in no more than half an hour, otherwise don't bother", 30, False),
        ("Von Oval nach Bank in höchstens zwanzig Minuten", 20, False),
        ("从Oval到Bank，20分钟以内", 20, False),
    ],
)
def test_how_long_a_trip_may_take_is_read(text: str, minutes: int, *, below: bool) -> None:
    read = read_request(text)
    assert read.limit is not None
    assert (read.limit.most, read.limit.below) == (minutes, below)
    assert [trip.destination for trip in read.trips] == ["Bank"]


@pytest.mark.parametrize(
    "text",
    [
        "Is Oval step-free?",
        "Can I get to the platform with a wheelchair at Oval?",
        "Ist die Station Oval stufenlos?",
        "Oval站是无障碍的吗？",
    ],
)
def test_whether_a_stop_is_step_free_is_a_question_of_its_own(text: str) -> None:
    [question] = read_request(text).questions
    assert (question.arguments, question.of_steps) == ({"query": "Oval"}, True)


def test_a_german_name_makes_no_german_request() -> None:
    assert language_of("Hauptbahnhof to Seestraße tomorrow at 10") == "en"
    assert language_of("Hauptbahnhof nach Seestraße, morgen um 10") == "de"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Von Oval nach Bank am 3.12. um 8", "on 3 December at 08:00"),
        ("Am 30. November um halb acht von Oval nach Bank", "on 30 November at 07:30"),
        ("Von Oval nach Bank in zwei Wochen um 8", "in 2 weeks at 08:00"),
        ("Von Oval nach Bank am Dienstag in einer Woche um 8", "a week on Tuesday at 08:00"),
        ("Von Oval nach Bank zwischen 8 und 9 Uhr", "between 8 and 9"),
        ("大后天早上8点从Oval到Bank", "in 3 days at 08:00"),
        ("从Oval到Bank，8点到9点之间", "between 08:00 and 09:00"),
    ],
)
def test_dates_of_other_languages_are_those_days(text: str, said: str) -> None:
    [trip] = read_request(text).trips
    assert trip.wishes["time"] == said


def test_a_day_of_which_a_word_is_not_read_is_asked_for() -> None:
    assert read_request("从Oval到Bank，下下周一早上8点").asks == ASK_WHEN
    assert read_request("Oval to Bank, arriving no earlier than 9").asks == ASK_WHEN


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("letzte Tram von Park nach Museum", "last tram from Park to Museum"),
        ("末班地铁从Park到Museum", "last tube from Park to Museum"),
        ("um 17:50 ab Snaresbrook", "at 17:50 from Snaresbrook"),
        ("Fr 7.30 Uhr an", "on Friday arriving by 07:30"),
        ("Angel to Bank, arr 0855", "Angel to Bank, arriving by 08:55"),
        ("Angel to Bank w/o changing", "Angel to Bank without changing"),
        ("Von Park zum Museum, nicht jetzt, sondern um 15 Uhr", "from Park to Museum, at 15:00"),
        ("一个半小时后从Park去Museum", "in 90 minutes from Park to Museum"),
    ],
)
def test_ways_of_saying_when_and_which(text: str, plain: str) -> None:
    assert in_english(text) == plain


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("und eine halbe Stunde früher?", FollowUp(shift=-30)),
        ("geht das auch zwei Stunden später?", FollowUp(shift=120)),
        ("lieber erst um 15 Uhr", FollowUp(time="at 15:00")),
        ("doch erst um 11", FollowUp(time="at 11:00")),
        ("晚一个小时", FollowUp(shift=60)),
        ("能提前20分钟吗", FollowUp(shift=-20)),
        ("改成下午3点", FollowUp(time="at 15:00")),
        ("那推迟到晚上9点半", FollowUp(time="at 21:30")),
        # Another place is no other time.
        ("改成去Bank", None),
    ],
)
def test_replies_that_change_a_time(text: str, meant: FollowUp | None) -> None:
    assert read_follow_up(in_english(text)) == meant


@pytest.mark.parametrize(
    ("text", "stop", "lines"),
    [
        ("next buses from Market", "Market", ["buses"]),
        ("next ferry from pier", "pier", ["ferry"]),
        ("next 5 from university", "university", ["5"]),
        ("next bus 5A from university", "university", ["5A"]),
        ("next T1 from Abbey Cross", "Abbey Cross", ["T1"]),
        ("when is the next metro from Market", "Market", ["metro"]),
        ("next departures from Central", "Central", None),
        ("Nächste Busse ab Abbey Cross", "Abbey Cross", ["buses"]),
        ("Wann fährt die nächste Tram ab Seaview?", "Seaview", ["trams"]),
        ("nächster Bus 5 ab Market", "Market", ["5"]),
        ("东门下一班公交", "东门", ["buses"]),
        ("人民广场下一班1号线", "人民广场", ["1"]),
        ("Abbey Cross下一班地铁几点", "Abbey Cross", ["tubes"]),
    ],
)
def test_what_comes_next_is_asked_of_the_lines_that_are_named(
    text: str, stop: str, lines: list[str] | None
) -> None:
    [question] = read_request(text).questions
    assert question.tool == "get_arrivals"
    assert (question.arguments["stop"], question.arguments.get("lines")) == (stop, lines)


@pytest.mark.parametrize(
    ("text", "trip"),
    [
        ("Glen Head to Ben Top on Wednesday", ("Glen Head", "Ben Top")),
        ("from Castle Walk to Glen Head", ("Castle Walk", "Glen Head")),
        ("I Want To Go To Bank From Oval", ("Oval", "Bank")),
        ("从火车站到码头", ("火车站", "码头")),
        ("火车站到大学城的末班车", ("火车站", "大学城")),
    ],
)
def test_words_of_travel_stay_parts_of_names(text: str, trip: tuple[str, str]) -> None:
    [read] = read_request(text).trips
    assert (read.starting_point, read.destination) == trip


@pytest.mark.parametrize("text", ["what stops at old mill", "码头有哪些线路"])
def test_lines_of_a_stop_are_a_question_of_it(text: str) -> None:
    assert [one.tool for one in read_request(text).questions] == ["find_stops"]


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("moeglichst wenig laufen, Oval - Bank", "with the least walking, Oval - Bank"),
        ("eine Stunde spaeter bitte", "an hour later"),
        ("Oval nach Bank naechsten Mittwoch frueh um 8", "Oval to Bank next Wednesday at 08:00"),
        ("Edgware nach Oval am Sa um 9", "Edgware to Oval on Saturday at 09:00"),
        ("十二月二十六号中午从Archway去Oval", "on 26 December at 12:00 from Archway to Oval"),
        ("一月十五日下午三点从Oval到Bank", "on 15 January at 15:00 from Oval to Bank"),
        ("只坐轻轨，从Beckton到Bank", "only by DLR, from Beckton to Bank"),
        ("从科芬园到莱姆豪斯", "from Covent Garden to Limehouse"),
        ("Oval nach Bank, lieber DLR als Jubilee", "without the Jubilee line"),
        ("I can't stand the Northern: Oval to Bank", "avoiding the Northern"),
        ("Oval to Bank on Christmas morning", "on Christmas Day in the morning"),
    ],
)
def test_other_spellings_and_names_are_read(text: str, english: str) -> None:
    assert english in in_english(text)


@pytest.mark.parametrize("text", ["von 「Aussersihl Fuerberg」 nach Bank", "Fuengirola to Bank"])
def test_names_keep_their_spelling(text: str) -> None:
    assert plainly_spelled(text) == text


def test_a_question_keeps_its_mark_before_another_sentence() -> None:
    said = in_english("离白金汉宫最近的地铁站是哪个？从那里到Oxford Circus怎么走？")
    assert "Buckingham Palace ? from there to Oxford Circus" in said
    said = in_english("离白金汉宫最近的地铁站是哪个？从那里到牛津广场（Oxford Circus）怎么走？")
    assert "Buckingham Palace ? from there to Oxford Circus" in said
    assert "(" not in said
