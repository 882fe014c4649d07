"""Calendar files, read back by another library than wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import vobject
from dateutil.rrule import rrulestr
from plans import KINGS_CROSS, OXFORD_CIRCUS, TATE_MODERN, london, made, ride, sent

from groundwire.errors import InputError
from groundwire.journeys.artefacts.calendar import WEEKDAYS, Recurrence, calendar_for
from groundwire.journeys.artefacts.text import describe
from groundwire.journeys.itinerary import Disruption, Place, Point, Step

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SEED = "j_abc/0/0"
MARCH = datetime(2027, 3, 28, tzinfo=UTC)
OCTOBER = datetime(2027, 10, 31, tzinfo=UTC)
RECORDED = [
    "journeyByBike",
    "journeyByBoat",
    "journeyByBusLong",
    "journeyByBusShort",
    "journeyByCableCar",
    "journeyByNationalRail",
    "journeyByOverground",
    "journeyByTube",
    "journeyByWalking",
    "journeyResultsKingsXToWaterlooEarlier",
    "journeyResultsKingsXToWaterlooLater",
    "journeyResultsKingsXToWaterlooNow",
    "journeyWithLongDisruptionMessage",
    "journeyWithLongTitleName",
]


def events(ics: bytes) -> list[Any]:
    return vobject.readOne(ics.decode()).vevent_list


def instants(ics: bytes) -> list[tuple[datetime, datetime]]:
    """Start and end of each event in UTC, by the zone that the file itself describes."""
    calendar = vobject.readOne(ics.decode())
    zone = calendar.vtimezone.tzinfo

    def utc(line: Any) -> datetime:
        value = line.value.replace(tzinfo=None)
        return value.replace(tzinfo=UTC if "TZID" not in written(line) else zone).astimezone(UTC)

    def written(line: Any) -> dict[str, Any]:
        # vobject takes TZID off a time that it has read, and keeps it aside.
        names = set(line.params)
        return dict.fromkeys({"TZID"} if {"TZID", "X-VOBJ-ORIGINAL-TZID"} & names else set())

    return [(utc(event.dtstart), utc(event.dtend)) for event in calendar.vevent_list]


def minutes_of(day: datetime, step: int = 10) -> Iterator[datetime]:
    """Moments over the six hours around a change of the clocks."""
    yield from (day - timedelta(hours=2) + timedelta(minutes=step * n) for n in range(36))


@pytest.mark.parametrize("day", [MARCH, OCTOBER], ids=["march", "october"])
@pytest.mark.parametrize("lasting", [10, 45, 180])
def test_on_both_sides_of_a_clock_change_instants_are_kept(day: datetime, lasting: int) -> None:
    for start in minutes_of(day):
        plan, journey = made(ride(start, lasting))
        read = instants(calendar_for(plan, journey, uid_seed=SEED, now=NOW))
        assert read == [(start, start + timedelta(minutes=lasting))], start


@pytest.mark.parametrize(
    ("start", "written"),
    [
        (datetime(2027, 3, 28, 0, 59, tzinfo=UTC), "DTSTART;TZID=Europe/London:20270328T005900"),
        (datetime(2027, 3, 28, 1, 0, tzinfo=UTC), "DTSTART;TZID=Europe/London:20270328T020000"),
        (datetime(2027, 10, 31, 0, 30, tzinfo=UTC), "DTSTART;TZID=Europe/London:20271031T013000"),
        (datetime(2027, 10, 31, 1, 30, tzinfo=UTC), "DTSTART:20271031T013000Z"),
        (datetime(2027, 10, 31, 2, 0, tzinfo=UTC), "DTSTART;TZID=Europe/London:20271031T020000"),
    ],
)
def test_times_are_londons_but_for_the_hour_that_comes_twice(start: datetime, written: str) -> None:
    plan, journey = made(ride(start, 15))
    lines = calendar_for(plan, journey, uid_seed=SEED, now=NOW).decode().split("\r\n")
    assert written in lines


def test_the_file_describes_the_zone_by_its_rules() -> None:
    plan, journey = made(ride(london(2027, 6, 1, 9, 0)))
    calendar = vobject.readOne(calendar_for(plan, journey, uid_seed=SEED, now=NOW).decode())
    zone = calendar.vtimezone.tzinfo
    for year in range(1997, 2038):
        for month, hours in ((1, 0), (6, 1), (12, 0)):
            assert zone.utcoffset(datetime(year, month, 15, 12)) == timedelta(hours=hours)
    assert zone.utcoffset(datetime(2027, 3, 28, 0, 59)) == timedelta(0)
    assert zone.utcoffset(datetime(2027, 3, 28, 2, 0)) == timedelta(hours=1)
    assert zone.utcoffset(datetime(2027, 10, 31, 2, 1)) == timedelta(0)


@pytest.mark.parametrize("name", RECORDED)
@pytest.mark.parametrize("per_leg", [False, True])
def test_every_recorded_plan_is_read_back(name: str, per_leg: bool) -> None:
    plan, journey = sent(name)
    ics = calendar_for(plan, journey, uid_seed=SEED, now=NOW, per_leg=per_leg, alarm_minutes=5)
    told = events(ics)
    if not per_leg:
        assert len(told) == 1
        assert instants(ics) == [(plan.start.astimezone(UTC), plan.arrival.astimezone(UTC))]
        assert told[0].description.value == describe(plan, journey, "brief")
    else:
        assert instants(ics) == [
            (leg.departure.astimezone(UTC), leg.arrival.astimezone(UTC)) for leg in plan.legs
        ]
    lines = ics.split(b"\r\n")
    assert lines[-1] == b""
    assert b"\n" not in ics.replace(b"\r\n", b"")
    assert max(map(len, lines)) <= 75
    assert len({event.uid.value for event in told}) == len(told)


def test_an_event_says_what_where_and_how() -> None:
    plan, journey = sent("journeyResultsKingsXToWaterlooNow")
    (event,) = events(calendar_for(plan, journey, uid_seed=SEED, now=NOW))
    assert event.summary.value == (
        "Leave at 14:41: King's Cross St. Pancras to Waterloo by Victoria line and Bakerloo line"
    )
    assert event.location.value == "King's Cross St. Pancras"
    assert event.geo.value.startswith("51.53")
    assert event.status.value == "CONFIRMED"
    assert event.dtstamp.value == NOW
    assert event.description.value.endswith("Powered by TfL Open Data.")


def test_one_event_a_leg() -> None:
    plan, journey = sent("journeyByBusShort")
    told = events(calendar_for(plan, journey, uid_seed=SEED, now=NOW, per_leg=True))
    assert [event.summary.value for event in told] == [
        "Bus 73 to St Pancras International",
        "Bus 1 to Waterloo Station / Waterloo Road",
        "Walk to Waterloo",
    ]
    assert told[0].location.value == "King's Cross (stop R)"
    assert "Route 1 is on diversion" in told[1].description.value
    assert "- Continue along Waterloo Road for 191 metres." in told[2].description.value


def test_the_same_plan_has_the_same_events_and_another_has_others() -> None:
    plan, journey = sent("journeyByTube")

    def uids(seed: str, per_leg: bool = False) -> list[str]:
        ics = calendar_for(plan, journey, uid_seed=seed, now=NOW, per_leg=per_leg)
        return [event.uid.value for event in events(ics)]

    assert uids(SEED) == uids(SEED)
    assert uids(SEED, per_leg=True) == uids(SEED, per_leg=True)
    assert not set(uids(SEED)) & set(uids("j_abc/0/1"))
    assert not set(uids(SEED)) & set(uids(SEED, per_leg=True))


def test_a_file_written_again_is_newer_and_otherwise_the_same() -> None:
    plan, journey = sent("journeyByTube")
    first = calendar_for(plan, journey, uid_seed=SEED, now=NOW)
    again = calendar_for(plan, journey, uid_seed=SEED, now=NOW + timedelta(hours=1), sequence=1)
    changed = [
        (one, other)
        for one, other in zip(first.split(b"\r\n"), again.split(b"\r\n"), strict=True)
        if one != other
    ]
    assert changed == [
        (b"DTSTAMP:20261121T120000Z", b"DTSTAMP:20261121T130000Z"),
        (b"SEQUENCE:0", b"SEQUENCE:1"),
    ]


def test_the_alarm_rings_before_leaving() -> None:
    plan, journey = sent("journeyByTube")
    ics = calendar_for(plan, journey, uid_seed=SEED, now=NOW, per_leg=True, alarm_minutes=15)
    first, *others = events(ics)
    assert first.valarm.trigger.value == timedelta(minutes=-15)
    assert first.valarm.action.value == "DISPLAY"
    assert first.valarm.description.value.startswith("Time to leave: walk within King's Cross")
    assert not any(hasattr(event, "valarm") for event in others)
    without = calendar_for(plan, journey, uid_seed=SEED, now=NOW)
    assert b"VALARM" not in without


def test_an_alarm_at_leaving_is_an_alarm() -> None:
    plan, journey = sent("journeyByTube")
    (event,) = events(calendar_for(plan, journey, uid_seed=SEED, now=NOW, alarm_minutes=0))
    assert event.valarm.trigger.value == timedelta(0)


@pytest.mark.parametrize("minutes", [-1, 10_081])
def test_an_alarm_out_of_range_is_refused(minutes: int) -> None:
    plan, journey = sent("journeyByTube")
    with pytest.raises(InputError, match="send 0 to 10080"):
        calendar_for(plan, journey, uid_seed=SEED, now=NOW, alarm_minutes=minutes)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("file:///maps/map.html", "ATTACH;FMTTYPE=text/html:file:///maps/map.html"),
        ("file:///my maps/map.svg", "ATTACH;FMTTYPE=image/svg+xml:file:///my%20maps/map.svg"),
        ("journey 1.svg", "ATTACH;FMTTYPE=image/svg+xml:journey%201.svg"),
        ("https://example.org/map?id=7", "ATTACH:https://example.org/map?id=7"),
        ("map.html\r\nX-EVIL:1", "ATTACH:map.html%0D%0AX-EVIL%3A1"),
    ],
)
def test_the_map_is_attached_by_reference(given: str, written: str) -> None:
    plan, journey = made(ride(london(2026, 11, 23, 9, 0)))
    ics = calendar_for(plan, journey, uid_seed=SEED, now=NOW, map_uri=given).decode()
    assert written in ics.replace("\r\n ", "").split("\r\n")


def test_names_of_every_kind_survive() -> None:
    name = "Café; Bar, \\ “Ünder” 🚇 & Co:\nline two" + " ☕" * 40
    place = Place(name, Point(51.5, -0.1), "address")
    leg = ride(london(2026, 11, 23, 9, 0), origin=place, steps=(Step("Turn; left, here\\n"),))
    plan, journey = made(leg)
    ics = calendar_for(plan, journey, uid_seed=SEED, now=NOW, per_leg=True)
    (event,) = events(ics)
    one_line = " ".join(name.split())
    assert event.location.value == one_line
    assert one_line in event.description.value
    assert "- Turn; left, here\\n." in event.description.value
    assert max(map(len, ics.split(b"\r\n"))) <= 75
    assert all(line.decode() is not None for line in ics.split(b"\r\n"))


def test_control_characters_do_not_reach_the_file() -> None:
    place = Place("Bad\x00\x07 place\r\nBEGIN:VEVENT", None, "address")
    plan, journey = made(ride(london(2026, 11, 23, 9, 0), origin=place))
    ics = calendar_for(plan, journey, uid_seed=SEED, now=NOW, alarm_minutes=5)
    assert ics.count(b"\r\nBEGIN:VEVENT") == 1
    assert not any(byte < 32 and byte not in (10, 13) for byte in ics)
    assert b"GEO" not in ics
    assert len(events(ics)) == 1


def test_estimates_are_marked_and_tentative() -> None:
    leg = ride(london(2026, 11, 23, 9, 0), timing="running_times")
    plan, journey = made(leg, source="offline_estimate")
    for per_leg in (False, True):
        ics = calendar_for(plan, journey, uid_seed=SEED, now=NOW, per_leg=per_leg)
        (event,) = events(ics)
        assert event.status.value == "TENTATIVE"
        assert event.summary.value.endswith("(estimated times)")
        assert "Offline estimate: times are estimated from TfL's published" in (
            event.description.value
        )


def test_a_leg_that_takes_no_time_has_no_end() -> None:
    plan, journey = made(ride(london(2026, 11, 23, 9, 0), minutes=0))
    (event,) = events(calendar_for(plan, journey, uid_seed=SEED, now=NOW))
    assert not hasattr(event, "dtend")


def test_a_disruption_is_in_the_event() -> None:
    late = Disruption("Victoria", "Victoria Line: Minor delays due to an earlier incident.")
    works = replace(late, reason="Victoria Line: closed on Sunday.", planned=True)
    leg = ride(london(2026, 11, 23, 9, 0), disruptions=(late,), planned_works=(works,))
    plan, journey = made(leg)
    (event,) = events(calendar_for(plan, journey, uid_seed=SEED, now=NOW))
    assert "Disruption: Victoria line: Minor delays" in event.description.value
    assert "Planned works: Victoria line: closed on Sunday." in event.description.value


def test_ends_of_other_kinds_keep_their_names() -> None:
    walk = ride(
        london(2026, 11, 23, 9, 0),
        mode="walking",
        line="",
        line_id="",
        origin=OXFORD_CIRCUS,
        destination=TATE_MODERN,
        distance_metres=2100,
    )
    plan, journey = made(walk)
    (event,) = events(calendar_for(plan, journey, uid_seed=SEED, now=NOW))
    assert event.summary.value == "Leave at 09:00: Oxford Circus to Tate Modern"
    assert KINGS_CROSS.name not in event.description.value


def test_a_plan_that_is_made_each_week_repeats_on_its_days() -> None:
    plan, journey = sent("journeyResultsKingsXToWaterlooNow")
    own = WEEKDAYS[plan.start.weekday()]
    other = WEEKDAYS[(plan.start.weekday() + 1) % 7]
    ics = calendar_for(
        plan, journey, uid_seed=SEED, now=NOW, recurrence=Recurrence((own, other))
    ).decode()
    told = set(ics.partition("RRULE:FREQ=WEEKLY;BYDAY=")[2][:5].split(","))
    assert told == {own[:2].upper(), other[:2].upper()}
    assert "URL:https://tfl.gov.uk/plan-a-journey/results?" in ics
    with pytest.raises(InputError, match="not to be repeated"):
        calendar_for(plan, journey, uid_seed=SEED, now=NOW, recurrence=Recurrence((other,)))


def first_days(start: datetime, recurrence: Recurrence) -> tuple[str, list[str]]:
    """The rule of a ride that begins then, and the first days on which it is made."""
    plan, journey = made(ride(start))
    ics = calendar_for(plan, journey, uid_seed=SEED, now=NOW, recurrence=recurrence).decode()
    (rule,) = re.findall(r"RRULE:(?!FREQ=YEARLY)\S+", ics)
    days = rrulestr(rule, dtstart=start.replace(tzinfo=None))[:3]
    assert [*recurrence.days(start.date(), days[-1].date())] == [one.date() for one in days]
    return rule.removeprefix("RRULE:"), [f"{one:%d.%m.%y}" for one in days]


def test_a_plan_repeats_every_other_week_or_each_month() -> None:
    tuesday, monday = london(2026, 11, 24, 8), london(2026, 12, 7, 9)
    assert first_days(tuesday, Recurrence(("tuesday",), 2)) == (
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
        ["24.11.26", "08.12.26", "22.12.26"],
    )
    assert first_days(tuesday, Recurrence(weeks=3))[1] == ["24.11.26", "15.12.26", "05.01.27"]
    assert first_days(monday, Recurrence(monthly="weekday")) == (
        "FREQ=MONTHLY;BYDAY=1MO",
        ["07.12.26", "04.01.27", "01.02.27"],
    )
    assert first_days(tuesday, Recurrence(monthly="last_weekday")) == (
        "FREQ=MONTHLY;BYDAY=-1TU",
        ["24.11.26", "29.12.26", "26.01.27"],
    )
    assert first_days(london(2027, 1, 31, 9), Recurrence(monthly="date")) == (
        "FREQ=MONTHLY;BYMONTHDAY=31",
        ["31.01.27", "31.03.27", "31.05.27"],
    )


def test_a_recurrence_is_told_as_it_repeats() -> None:
    told = {
        Recurrence(("tuesday",)): "each Tuesday",
        Recurrence(("tuesday", "friday"), 2): "every other Tuesday and Friday",
        Recurrence(weeks=3): "every 3 weeks on Tuesday",
        Recurrence(monthly="date"): "each month on day 24",
        Recurrence(monthly="weekday"): "on the fourth Tuesday of each month",
        Recurrence(monthly="last_weekday"): "on the last Tuesday of each month",
    }
    assert {one: one.told(london(2026, 11, 24, 8)) for one in told} == told


def test_a_recurrence_that_the_plan_is_no_part_of_is_refused() -> None:
    plan, journey = made(ride(london(2026, 12, 7, 9)))
    for recurrence, said in (
        (Recurrence(monthly="last_weekday"), "not of the last monday"),
        (Recurrence(("monday",), monthly="date"), "leave repeat_on and repeat_weeks out"),
    ):
        with pytest.raises(InputError, match=said):
            calendar_for(plan, journey, uid_seed=SEED, now=NOW, recurrence=recurrence)
