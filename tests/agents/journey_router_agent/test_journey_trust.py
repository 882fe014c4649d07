"""What a traveller can rely on: answers in their language, and no other trip for the one asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from journey_host import JourneyHost, result

from groundwire.agents.journey_router_agent.telling import WORDING
from groundwire.agents.runtime.prompts import worded


def said(host: JourneyHost, text: str, after: str = "") -> str:
    return str(result(host.ask(text, after=after))["answer"])


def test_a_german_request_is_answered_in_german(host: JourneyHost) -> None:
    answer = said(host, "Wie viele Stationen sind es von Oxford Circus nach Brixton?")
    assert "6 Stationen, Oxford Circus nicht mitgezählt; ohne Umsteigen." in answer
    assert "Offline nicht bekannt, vielleicht schneller: National Rail, Busse" in answer


def test_a_chinese_question_about_a_stop_is_answered_in_chinese(host: JourneyHost) -> None:
    assert "经过的线路有" in said(host, "Stockwell站有哪些线路？")


def test_what_is_quoted_and_what_no_rule_knows_stays_as_it_is() -> None:
    assert worded("Not taken into account: “to and from”.", "de", WORDING).endswith(
        "“to and from”."
    )
    said = worded("Something new is said of it. Times are estimates.", "zh", WORDING)
    assert said == "“Something new is said of it.”（英文） 时间为估算。"
    assert worded("Hampstead 08:00", "de", WORDING) == "Hampstead 08:00"
    assert worded("Times are estimates.", "en", WORDING) == "Times are estimates."


def test_a_reply_is_answered_in_the_language_of_what_was_asked_before(host: JourneyHost) -> None:
    first = host.ask("Ich möchte nach Bank")
    answer = str(result(host.ask("Brixton", after=first.run_id))["answer"])
    assert answer.startswith("Brixton nach Bank: Die erste Verbindung")


@pytest.mark.parametrize(
    ("request_said", "told"),
    [
        ("Von Brixton nach Bank am 31. November um 9", "Den 31. November gibt es nicht"),
        ("11月31号9点从Brixton到Bank", "没有11月31日这一天"),
        ("Von Brixton nach Bank am 3.3.2019 um 9", "ist vergangen, jetzt ist es"),
        ("Von Tate Modern nach Bank, höchstens 2 Minuten zu Fuß", "sind es 9 Minuten zu Fuß"),
        ("Hallo", "Ich plane nur Fahrten: Fahrten mit ihren Zeiten"),
        ("Heute Nacht um halb eins von Brixton nach Bank", "Dienstag 24. November"),
        ("今晚零点半从Brixton到Bank", "星期二 11月24日00:30出发"),
        ("Welches Gleis fährt die Northern Line in Kennington?", "Von welchem Gleis"),
    ],
)
def test_refusals_and_dates_stand_in_the_language_of_the_request(
    host: JourneyHost, request_said: str, told: str
) -> None:
    assert told in said(host, request_said)


def test_a_wheelchair_on_one_trip_is_no_setting(host: JourneyHost) -> None:
    for text in (
        "Ich sitze im Rollstuhl und muss um 12 Uhr von Stratford nach Westminster",
        "我坐轮椅，中午12点从Stratford到Westminster",
    ):
        found = result(host.ask(text))
        [trip] = found["requested"]
        assert trip["accessibility_preference"] == ["StepFreeToVehicle"]
        assert not found.get("outputs")


def test_what_is_not_known_offline_is_said_once(host: JourneyHost) -> None:
    day = "Tomorrow: Brixton to Bank at 9, Bank to Euston at 1pm, and put it in my calendar"
    for request in ("Bank to Euston at 9, map and calendar please", day):
        answer = said(host, request)
        assert answer.count("National Rail") == answer.count("Times are estimates") == 1, answer
    german = said(host, "Von Bank nach Euston um 9, bitte mit Karte")
    assert german.count("National Rail") == german.count("Die Zeiten sind geschätzt") == 1


def test_offline_the_modes_that_are_not_known_are_named(host: JourneyHost) -> None:
    answer = said(host, "Clapham Junction to Victoria")
    assert "Not known offline, and perhaps quicker: National Rail, buses" in answer


def test_the_last_train_is_refused_rather_than_another_planned(host: JourneyHost) -> None:
    output = host.ask("last train from Camden Town to Morden tonight")
    assert "The last train of a day is not known" in str(result(output)["answer"])
    assert not any(one["plans"] for one in result(output)["journeys"])


def test_a_day_that_is_partly_past_is_asked_about_as_one(host: JourneyHost) -> None:
    first = host.ask("at 7 from Angel to Bank, at 9 from Bank to Oval, and at 5 back to Angel")
    assert "for today, or for tomorrow?" in str(result(first)["answer"])
    again = host.ask("tomorrow", after=first.run_id)
    starts = [str(one["plans"][0]["start"])[:16] for one in result(again)["journeys"]]
    assert starts == ["2026-11-24T07:00", "2026-11-24T09:00", "2026-11-24T17:00"]


def test_stations_of_one_name_are_told_apart(host: JourneyHost) -> None:
    answer = said(host, "Bethnal Green to Bank")
    assert "Bethnal Green (tube: Central) or Bethnal Green (overground: Weaver)?" in answer


def test_the_second_one_of_a_single_journey_is_its_second_plan(host: JourneyHost) -> None:
    first = host.ask("Clapham Junction to Victoria")
    assert "The map of plan 2" in said(host, "show me the second one on a map", first.run_id)


def test_a_trip_of_every_week_repeats_in_the_calendar(host: JourneyHost) -> None:
    output = host.ask("every Wednesday at 18:00 from Moorgate to Oval, put it in my calendar")
    answer = str(result(output)["answer"])
    assert "the plan is of its first day, and its calendar entry repeats" in answer
    [path] = [one["path"] for one in result(output)["outputs"] if one.get("path")]
    assert "RRULE:FREQ=WEEKLY;BYDAY=WE" in Path(path).read_text("utf-8")


@pytest.mark.parametrize(
    "place", ["/my home/plan-1.html", "http://127.0.0.1/files/fi_1/plan-1.html"]
)
def test_where_a_map_is_stands_in_the_language_of_the_request(place: str) -> None:
    said = f"The map of plan 1 from Euston to Victoria is at {place}."
    assert (
        worded(said, "de", WORDING)
        == f"Euston nach Victoria, Verbindung 1: Die Karte liegt unter {place}."
    )
    assert worded(said, "zh", WORDING) == f"Euston 到 Victoria，方案 1：地图在 {place}。"
    beside = said.replace("Victoria", "Victoria beside one other plan")
    assert worded(beside, "de", WORDING).startswith(
        "Euston nach Victoria, Verbindung 1 neben anderen"
    )


def test_a_condition_is_kept_to_or_named_in_answer_and_result(host: JourneyHost) -> None:
    output = host.ask("Ealing Broadway to Bank without the Central line, cheapest please")
    told = result(output)
    assert "As asked: without the Central line." in told["answer"]
    assert told["not_applied"] == ["cheapest"]
    told = result(host.ask("Von Camden Town nach Angel, ich habe mein Fahrrad dabei"))
    assert "Nicht angewandt, denn das eingebaute Netz kennt es nicht: das Fahrrad" in told["answer"]
    assert told["not_applied"] == ["taking the bike on the train"]


def test_of_a_step_free_way_each_stop_is_told(host: JourneyHost) -> None:
    told = result(host.ask("Step-free from Westminster to Canary Wharf"))
    assert "Step-free is not known of these stops: Westminster and Canary Wharf." in told["answer"]
    assert told["journeys"][0]["step_free_stops"] == [
        {"stop": "Westminster"},
        {"stop": "Canary Wharf"},
    ]
    answer = said(host, "Is Hampstead station step-free?")
    assert "Hampstead: whether it is step-free is not known here" in answer


def test_a_weekday_trip_repeats_from_monday_to_friday(host: JourneyHost) -> None:
    told = result(host.ask("every weekday at 7:40 from Oval to Bank, put it in my calendar"))
    # It is 08:00 on Monday.
    assert told["journeys"][0]["plans"][0]["start"].startswith("2026-11-24T07:40")
    [made] = [one for one in told["outputs"] if one.get("path")]
    ics = Path(made["path"]).read_text("utf-8").replace("\r\n ", "")
    assert "BYDAY=MO,TU,WE,TH,FR" in ics


def test_how_long_a_trip_may_take_is_held_against_its_plans(host: JourneyHost) -> None:
    answer = said(host, "Oval to Bank in under 5 minutes")
    assert "not within the 5 asked for" in answer
    assert "hält die gewünschten 5 Minuten nicht ein" in said(
        host, "Von Oval nach Bank in höchstens 5 Minuten"
    )


def test_a_trip_with_a_part_by_bike_is_planned(host: JourneyHost) -> None:
    told = result(host.ask("Cycle from Richmond to Kew Gardens, then take the tube to Victoria"))
    assert [one["plans"][0]["modes"] for one in told["journeys"]] == [["cycle"], ["tube"]]
    assert "streets and hills were not looked at" in told["answer"]
