"""Replies to one plan: its stops and lines, another hour or day, an entry that is to repeat."""

from __future__ import annotations

import re

import pytest
from journey_host import JourneyHost, result

# The clock stands at Monday 23 November 2026, 08:00.
_TWO = "Saturday: Oval to Bank at 11, then Bank to Greenwich at 3"
REPLIES = [
    ("Waterloo to Stratford by the Jubilee line only", "how many stops is that", "9 stops"),
    ("Von Waterloo nach Canary Wharf", "wie viele Stationen sind das?", "5 Stationen"),
    ("从滑铁卢到金丝雀码头", "中间要坐几站", "5 站"),
    ("Angel to Bank tomorrow at 9", "which line is that?", "plan 1.*Northern line"),
    ("Von Angel nach Bank", "welche Linie ist das?", "mit der Northern line"),
    ("Angel to Oxford Circus", "where do I change?", "change at King's Cross St. Pancras"),
    ("Angel to Oxford Circus", "which stations does it pass?", "Stops on the way"),
    ("Angel to Canary Wharf", "how many changes is that and where", "change at London Bridge"),
    ("Angel to Canary Wharf", "how many times do I change, and where?", "plan: 1 change"),
    ("Von Angel nach Canary Wharf", "Wie oft muss ich da umsteigen und wo?", "in London Bridge"),
    ("Von Angel nach Canary Wharf", "wo und wie oft muss ich umsteigen?", "in London Bridge"),
    ("从Angel到Canary Wharf", "要换乘几次,在哪换?", "在 London Bridge 换乘"),
    ("从Angel到Canary Wharf", "那回来呢,晚上9点出发", "Canary Wharf 到 Angel：.*21:00出发"),
    ("从Oval到Bank", "那返程呢", "Bank 到 Oval"),
    ("Oval to Bank tomorrow at 9", "home at 6pm", "Where is home"),
    ("Oval to Bank", "Bethnal Green to Ealing Broadway only by the Elizabeth line", "on foot"),
    ("take me home at 6", "Bank", "Where is home"),
    ("从Oval到Bank", "给我详细的路线", "Northern line（开往"),
    ("从Oval到Bank,明天九点", "把它加到日历", r"日历文件在[^”]*$"),
    ("Von Oval nach Bank", "mach mir daraus einen Kalendereintrag", r"Kalenderdatei[^”]*$"),
    ("Oval to Bank at 5pm", "half an hour later, and put it in my calendar", "17:30 on Monday"),
    ("Oval to Bank at 5pm", "add it to my calendar, but 20 minutes earlier", "at 16:40"),
    ("Oval to Bank at 5pm", "make it 6 and add it to my calendar", "1 event from Oval to Bank"),
    (
        "Von Oval nach Bank um 17 Uhr",
        "Ok, dann eine halbe Stunde später, und trag mir das in den Kalender ein",
        "17:30 ab",
    ),
    ("从Oval到Bank,下午5点", "晚半小时,然后加到日历", "17:30出发"),
    ("Angel to Bank tomorrow at 6pm", "rather Thursday, same time", "18:00 on Thursday 26"),
    ("Angel to Bank tomorrow at 6pm", "same time on Friday please", "18:00 on Friday 27"),
    ("Von Angel nach Bank, morgen 18 Uhr", "doch lieber am Donnerstag, gleiche Uhrzeit", "18:00"),
    ("明天18点从Angel到Bank", "改成周四，同一时间", "11月26日18:00"),
    ("明天18点从Angel到Bank", "还是周四吧，时间不变", "11月26日18:00"),
    ("Angel to Bank", "what will that cost me off peak", "No fare.*“off peak”"),
    ("Angel to Bank", "how expensive is that with an Oyster card", "No fare of these plans"),
    ("Von Angel nach Bank", "Was kostet mich das?", "kein.* Fahrpreis bekannt"),
    ("Von Angel nach Bank", "Und der Preis?", "kein.* Fahrpreis bekannt"),
    ("从Bank到South Kensington", "不想坐中央线", "不乘Central line"),
    ("从Bank到South Kensington", "我不喜欢坐环线", "不乘Circle line"),
    ("Merk dir: Zuhause ist Oval, Arbeit ist Bank", "Von der Arbeit nach Hause", "Bank nach Oval"),
    (
        "Oval to Bank at 9",
        "back at 7pm, put both trips in my calendar",
        "Oval to Bank, plan 1: the",
    ),
    ("周三早上9点从Oval到Bank", "晚上七点半原路返回，两个行程都放进日历", "Oval 到 Bank，方案 1："),
    ("Angel to Oxford Circus", "via Bank", "Oxford Circus via Bank"),
    ("Angel to Bank tomorrow at 9", "could I walk it", "on foot. As asked: only by walking"),
    ("Von Angel nach Bank morgen um 9", "nein, erst um halb zehn", "09:30 ab, am Dienstag 24"),
    ("Von Wood Green nach Waterloo morgen um 8", "lieber Ankunft um 8:30", "Ankunft etwa 08:30"),
    ("明天九点从Angel到Bank", "不，九点半再走", "11月24日09:30"),
    ("明天九点从Angel到Bank", "然后十二点去Oval", "Bank 到 Oval.*12:00"),
    ("Angel to Bank tomorrow at 9", "the return trip at 6 please", "Bank to Angel.*18:00"),
    ("Angel to Bank tomorrow at 9", "no wait, to Oval", "Angel to Oval"),
    ("Angel to Bank tomorrow at 9", "calendar with a 15 minute reminder", "alarm 15 minutes"),
    ("Angel to Bank tomorrow at 8", "put it in my calendar every Thursday", "each Thursday"),
    ("Angel to Bank tomorrow at 8", "every Thursday in my calendar", "08:00 on Thursday 26"),
    ("Angel to Bank tomorrow at 7:45pm", "I need to get there by 7:45", "about 19:45"),
    ("Angel to Bank tomorrow at 1pm", "make it 11", "leaves at 11:00"),
    ("Angel to Bank tomorrow at 5pm", "at 6:30 instead", "leaves at 18:30"),
    ("Von Angel nach Bank morgen um 19 Uhr", "lieber um acht", "um 20:00 ab"),
    ("Von Angel nach Bank morgen um 19 Uhr", "und um elf zurück", "um 23:00 ab, am Dienstag"),
    ("明天晚上七点从Angel到Bank", "改成八点", "11月24日20:00"),
    ("明天晚上七点从Angel到Bank", "改成早上八点", "11月24日08:00"),
    ("Angel to Oxford Circus", "show me the second one with every stop", "Stops on the way"),
    ("Angel to Bank tomorrow at 9", "and on Thursday an hour later", "10:00 on Thursday 26"),
    ("Von Angel nach Bank am Dienstag um 9", "am Mittwoch eine Stunde früher", "um 08:00 ab"),
    ("Angel to Bank on Friday at 7pm", "and on to Oval from there at 11", "23:00 on Friday 27"),
    (
        "Von Angel nach Bank",
        "und wenn ich die Northern line meiden will?",
        "ohne die Northern line",
    ),
    ("Is the Overground running?", "I mean the Mildmay line", "How the Mildmay line runs now"),
    ("Camden to Bank tomorrow at 5pm", "no i meant camden road", "Camden Road to Bank.*17:00"),
    ("Camden to Bank", "Camden Road", "^Camden Road to Bank"),
    ("Wembley to Bank tomorrow", "sorry, I mean Wembley Central", "^Wembley Central to Bank"),
    ("Bank to Wembley", "oops, Wembley Stadium I meant", "^Bank to Wembley Stadium"),
    ("Edgware to Bank", "no, edgware road", "^Edgware Road to Bank"),
    ("Oval to Hackney", "no, hackney central I meant", "^Oval to Hackney Central"),
    ("Von Clapham nach Bank morgen um 9", "nein, ich meinte Clapham South", "^Clapham South nach"),
    ("明天9点从 Wembley 到 Bank", "我是说 Wembley Park", "^Wembley Park 到 Bank"),
    ("明天9点从 Clapham 到 Bank", "不是，我说的是 Clapham Common", "^Clapham Common 到 Bank"),
    (_TWO, "how many stops is the first one?", r"^Oval to Bank[^\n]*5 stops[^\n]*$"),
    (_TWO, "how long does the second trip take", r"^Bank to Greenwich on"),
    (_TWO, "does the second one need a change?", r"^Bank to Greenwich by the first plan: without"),
    (_TWO, "when does the last one arrive", r"^Bank to Greenwich on[^\n]*\n- plan 1"),
    (_TWO, "Wie viele Haltestellen hat die erste Fahrt?", r"^Oval[^\n]*: 5 Stationen[^\n]*$"),
    (_TWO, "Wie lange dauert die zweite Fahrt?", r"^Bank nach Greenwich am"),
    (_TWO, "第一段有几站？", r"^Oval 到 Bank[^\n]*：5 站[^\n]*$"),
    (_TWO, "第二段要多久", r"Bank到Greenwich"),
    ("Oval to Canary Wharf", "how long does the second one take", "- plan 2"),
    ("Oval to Bank by 9 tomorrow", "what if i leave 20 minutes later than that plan", "at 09:08"),
    (
        "Von Oval nach Bank um 9",
        "wenn ich 20 Minuten später losfahre als bei diesem Plan?",
        "09:20",
    ),
    ("明天9点从 Oval 到 Bank", "比这个方案晚20分钟出发呢", "09:20出发"),
    ("Oval to Bank tomorrow at 9", "and back to Oval at 6", "^Bank to Oval.*18:00"),
    ("Von Oval nach Bank morgen um 9", "doch lieber über Waterloo", "^Oval nach Bank via Waterloo"),
    ("Oval to Bank tomorrow at 9", "actually via Waterloo instead", "^Oval to Bank via Waterloo"),
    ("which lines go through Green Park", "what zone is it", "^1 stop.*Green Park.*zone 1"),
    ("which lines go through Oval", "and the zone?", "its fare zone is not held here"),
    ("which lines go through Bank", "and is it step-free?", "Bank: whether it is step-free"),
    ("Welche Linien halten in Green Park?", "und welche Zone ist das", "Zone 1"),
    ("哪些线路经过 Green Park", "在几区", "1 区"),
    ("Angel to Bank tomorrow at 9", "no, I meant 11", "leaves at 11:00"),
    ("Angel to Bank tomorrow at 9", "no, Oval", "Not understood: “no, Oval”"),
    ("Victoria to Oval tomorrow at 9", "no Victoria line please", "^Victoria to Oval.*without"),
]


@pytest.mark.parametrize(("asked", "reply", "told"), REPLIES)
def test_a_reply_is_read_of_the_plan_at_hand(
    asked: str, reply: str, told: str, host: JourneyHost
) -> None:
    first = host.ask(asked)
    answer = str(result(host.ask(reply, after=first.run_id))["answer"])
    assert re.search(told, answer, re.DOTALL), answer


@pytest.mark.parametrize("day", ["2026-11-23", "2026-11-28"])
def test_an_hour_alone_keeps_the_day_of_the_trip_at_hand(day: str, host: JourneyHost) -> None:
    first = host.ask("Angel to Bank on Thursday at 6pm", reference_date=day)
    assert "Not taken into account" not in result(first)["answer"]
    when = result(first)["journeys"][0]["plans"][0]["start"][:10]
    for reply, hour in (("and back at 10pm", "22:00"), ("arrive by 5pm", "16:5")):
        output = host.ask(reply, after=first.run_id, reference_date=day)
        start = result(output)["journeys"][0]["plans"][0]["start"]
        assert start.startswith(f"{when}T{hour}"), start


def test_an_hour_alone_is_of_the_day_that_counts_as_today(host: JourneyHost) -> None:
    output = host.ask("Angel to Bank at 23:58", reference_date="2026-11-28")
    assert result(output)["journeys"][0]["plans"][0]["start"].startswith("2026-11-28T23:58")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Does the Victoria line stop at Bank?", "No: the Victoria line does not call at Bank"),
        ("Why doesn't the Victoria line stop at Bank?", "The Victoria line does not call at Bank"),
        ("Warum hält die Jubilee Line nicht in Waterloo?", "Die Jubilee line hält in Waterloo"),
        ("Jubilee线为什么不停Bank？", "Jubilee line 不停靠 Bank"),
        ("Is Tottenham Court Road on the Northern line?", "Yes: the Northern line calls at"),
        ("can you get the Victoria line to Wimbledon?", "No: the Victoria line does not call at"),
        ("Fährt die Jubilee line nach Heathrow?", "Nein, die Jubilee line hält nicht in Heathrow"),
        ("Hält die Elizabeth line am Oxford Circus?", "Nein, die Elizabeth line hält nicht"),
        ("Liegt Angel an der Northern line?", "Ja, die Northern line hält in Angel"),
        ("银禧线在伦敦桥停吗", "停：Jubilee line 停靠 London Bridge"),
        ("Angel在维多利亚线上吗", "不停：Victoria line 不停靠 Angel"),
    ],
)
def test_whether_a_line_calls_at_a_stop_is_said(asked: str, told: str, host: JourneyHost) -> None:
    assert told in result(host.ask(asked))["answer"]


@pytest.mark.parametrize(
    "asked",
    [
        "Is the Overground running? I mean the Mildmay line",
        "Fährt die Overground gerade normal? Die Mildmay meine ich",
    ],
)
def test_a_question_is_narrowed_to_a_line(asked: str, host: JourneyHost) -> None:
    assert "Mildmay line" in result(host.ask(asked))["answer"]


def test_a_line_beside_others_is_looked_for_in_the_plans(host: JourneyHost) -> None:
    kept = host.ask("Waterloo to Stratford with the Jubilee line, tomorrow at 10")
    assert re.search(r"plan \d goes by the Jubilee line, as asked", result(kept)["answer"])
    left = host.ask("Angel to Bank with the Victoria line")
    assert "“with the Victoria line” is not taken into account" in result(left)["answer"]


def test_a_line_that_comes_later_is_said_to_do_so(host: JourneyHost) -> None:
    asked = "Morgen um 11 mit der Piccadilly von Victoria nach Heathrow Terminal 5"
    told = result(host.ask(asked))["answer"]
    assert re.search(r"mit der Piccadilly line, aber zuerst mit der \w+ line\.", told)


@pytest.mark.parametrize(
    "reply",
    [
        "a wee while later and put it in my calendar",
        "irgendwann später, und in den Kalender damit",
        "往后推一会儿,加到日历",
    ],
)
def test_no_file_is_made_where_another_time_was_not_understood(
    reply: str, host: JourneyHost
) -> None:
    planned = host.ask("Oval to Bank at 5pm")
    answer = result(host.ask(reply, after=planned.run_id))["answer"]
    assert ".ics" not in answer
    assert re.search("Not understood|Nicht verstanden|未理解", answer)


def test_a_closed_line_is_avoided(host: JourneyHost) -> None:
    for asked in (
        "since the Northern line is closed, Angel to Bank?",
        "Die Northern line fährt nicht, wie komme ich von Angel nach Bank?",
        "北线停运了，从Angel到Bank怎么走",
    ):
        plans = result(host.ask(asked))["journeys"][0]["plans"]
        assert all("Northern" not in one.get("lines", ()) for one in plans)


def test_a_day_said_last_is_that_of_all_hours(host: JourneyHost) -> None:
    for asked in (
        "Angel to Bank at 9 and back at 5 on Thursday",
        "Angel to Bank at 9, back 4pm, Thursday",
        "Von Angel nach Bank um 9 und zurück um 17 Uhr am Donnerstag",
    ):
        starts = [one["plans"][0]["start"][:10] for one in result(host.ask(asked))["journeys"]]
        assert starts == ["2026-11-26"] * 2
    apart = host.ask("Angel to Bank at 5pm and Bank to Angel at 9am tomorrow")
    starts = [one["plans"][0]["start"][:10] for one in result(apart)["journeys"]]
    assert starts == ["2026-11-23", "2026-11-24"]


def test_who_arrives_first_is_where_all_go_on_from(host: JourneyHost) -> None:
    output = host.ask(
        "My mum arrives at Paddington at 11 on Saturday. Lunch at Borough Market at 1, then "
        "Greenwich at 4. How do we get round?"
    )
    ends = [(one["from"], one["to"]) for one in result(output)["journeys"]]
    assert ends == [("Paddington", "Borough Market"), ("Borough Market", "Greenwich")]
    assert "who arrives at 11" in result(output)["answer"]


def test_where_all_begins_may_be_said_last(host: JourneyHost) -> None:
    output = host.ask(
        "I have an interview at Old Street at 10 tomorrow and then a meeting in Hammersmith at "
        "1pm. I start from Tooting Broadway."
    )
    ends = [(one["from"], one["to"]) for one in result(output)["journeys"]]
    assert ends == [("Tooting Broadway", "Old Street"), ("Old Street", "Hammersmith")]


def test_home_at_the_end_of_a_day_may_be_where_it_began(host: JourneyHost) -> None:
    output = host.ask("Tuesday: Brixton to Bank at 9, Bank to Oval at 2, home to Brixton at 7")
    ends = [(one["from"], one["to"]) for one in result(output)["journeys"]]
    assert ends[-1] == ("Oval", "Brixton")


def test_a_far_town_is_no_station(host: JourneyHost) -> None:
    for town in ("Oxford", "Brighton"):
        assert not result(host.ask(f"from Angel to {town}"))["journeys"][0]["plans"]


def test_a_place_of_the_users_own_in_other_languages(host: JourneyHost) -> None:
    for kept, asked in (
        ("Mein Hotel ist am Russell Square.", "Von Bank zu meinem Hotel"),
        ("我的酒店在Russell Square", "从Bank到我的酒店"),
    ):
        first = host.ask(kept)
        output = host.ask(asked, after=first.run_id)
        assert result(output)["journeys"][0]["to"] == "Russell Square"


@pytest.mark.parametrize(
    ("first", "reply"),
    [
        ("Oval to Bank tomorrow at 9", "and the day after tomorrow?"),
        ("Oval nach Bank morgen um 9", "und übermorgen?"),
        ("从Oval到Bank，明天九点", "那后天呢"),
        ("从Oval到Bank，明天九点", "如果周二去呢"),
    ],
)
def test_the_day_of_a_reply_is_counted_from_the_day_of_the_question(
    host: JourneyHost, first: str, reply: str
) -> None:
    before = host.ask(first, reference_date="2026-11-29")
    output = host.ask(reply, after=before.run_id, reference_date="2026-11-29")
    assert result(output)["journeys"][0]["plans"][0]["start"].startswith("2026-12-01T09:0")


@pytest.mark.parametrize(
    "text", ["next trains from Limehouse to Bank?", "next DLR from Bank to Lewisham"]
)
def test_what_an_estimate_does_not_tell_of_the_next_service_is_said(
    host: JourneyHost, text: str
) -> None:
    assert "not known offline, but from TfL's live departures" in result(host.ask(text))["answer"]


def test_a_file_after_a_reply_that_was_not_understood_says_so(host: JourneyHost) -> None:
    first = host.ask("Oval to Bank tomorrow at 9")
    second = host.ask("half an hour ealier pls", after=first.run_id)
    third = host.ask("calendar file please", after=second.run_id)
    assert "The trip is as it was planned" in result(third)["answer"]


def test_a_place_by_another_name_is_where_the_next_trip_begins(host: JourneyHost) -> None:
    answer = result(host.ask("Oval to the V&A, 3 hours there, then Harrods"))["answer"]
    assert "Victoria and Albert Museum to Harrods" in answer
    assert "not asked for" not in answer


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "does the Elizabeth line stop at Oxford Circus? If not how do I get there from Bank",
            "No: the Elizabeth line does not call.*Bank to Oxford Circus: the first plan",
        ),
        (
            "Hält die Victoria Line an der Bank? Und wie komme ich von Angel dorthin?",
            "Nein, die Victoria line hält nicht.*Angel nach Bank",
        ),
        ("维多利亚线停Bank吗？从Angel怎么去那里？", "不停：Victoria line.*Angel 到 Bank"),
        ("Is the DLR step free at Bank?", "whether it is step-free is not known here"),
    ],
)
def test_a_way_to_the_stop_that_was_asked_about(asked: str, told: str, host: JourneyHost) -> None:
    answer = str(result(host.ask(asked))["answer"])
    assert re.search(told, answer, re.DOTALL), answer


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Angel to Bank please, usual time", "Not taken into account: “usual time”"),
        ("Von Angel nach Bank zur üblichen Zeit", "üblichen Zeit"),
    ],
)
def test_the_usual_time_is_told_as_left_out(asked: str, told: str, host: JourneyHost) -> None:
    assert told in result(host.ask(asked))["answer"]
