from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import anyio
import pytest
import vobject
from timetable_feeds import small_city

from groundwire.errors import InputError
from groundwire.journeys.artefacts.calendar import WEEKDAYS, Recurrence
from groundwire.journeys.computed_journeys import Which, get_computed_journey_plan
from groundwire.journeys.drawing import create_calendar, draw_map
from groundwire.journeys.making import Request, Trip, make_journeys
from groundwire.journeys.results import CalendarFile, ComputedJourneys
from groundwire.journeys.timetable.city import City
from groundwire.journeys.timetable.importing import import_feed

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    path = small_city().write(folder / "feed.zip")
    import_feed(path, "lake", folder, lambda *_: None, date(2026, 6, 22))
    return folder


@pytest.fixture
def lake(home: Path) -> Iterator[City]:
    city = City("lake", home, lambda: datetime(2026, 6, 22, 7, 50, tzinfo=BERLIN))
    yield city
    city.close()


def planned(city: City, one: str, other: str, via: str = "", **wishes: Any) -> ComputedJourneys:
    request = Request((Trip(one, other, via, wishes),))
    result, _ = anyio.run(make_journeys, city, "local", request)
    return result


def test_a_plan_says_who_planned_and_until_when_the_timetable_holds(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Insel")

    assert result.source == "timetable"
    assert result.answer == (
        "Hauptbahnhof to Insel: the first plan leaves at 08:00 on Monday 22 June, arrives at 08:50 "
        "(50 minutes), by the U2, the M10 and the F11; 2 other plans."
    )
    assert result.credit == (
        "Timetable of Lake City Transit (feed lake, holds until Monday 31 August 2026)"
    )
    assert result.notes is not None
    assert "real time was not asked" in result.notes[0]
    assert any("frequency" in one for one in result.notes)
    assert result.journeys[0].plans[0].start == "2026-06-22T08:00:00+02:00"


def test_text_map_and_calendar_are_of_the_city(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Insel")
    which = Which(result.journey_id or "", 0, 0)
    plan, draft = get_computed_journey_plan(lake, "local", which, "full")

    assert "take the U2 towards Alexplatz from Hauptbahnhof (platform 1)" in plan.text
    assert "TfL" not in plan.text
    sources = [one for one in draft.statements if one.kind == "source"]
    assert sources[0].subject[0] == "timetable lake of Lake City Transit"
    assert ("2026-08-31",) in sources[0].conditions[0].objects
    changes = next(one for one in draft.statements if "change" in one.predicate)
    assert changes.objects == (("Alexplatz", "Park"), ("Seestraße",))

    calendar = create_calendar(lake, "local", which)
    assert "DTSTART;TZID=Europe/Berlin:20260622T080000" in calendar.ics
    assert "TZID:Europe/Berlin" in calendar.ics
    assert "TfL" not in calendar.ics
    drawn = draw_map(lake, "local", which)
    assert "Lake City Transit" in drawn.svg
    assert "TfL" not in drawn.svg


def test_a_recurring_entry_leaves_out_days_on_which_its_services_do_not_run(lake: City) -> None:
    def repeated(one: str, other: str) -> CalendarFile:
        which = Which(planned(lake, one, other).journey_id or "", 0, 0)
        every = Recurrence(WEEKDAYS)
        return create_calendar(lake, "local", which, recurrence=every, until="30 June 2026")

    tram = repeated("Park", "Seestraße")
    assert "do not run on Saturday 27 June 2026 and Sunday 28 June 2026: the entry" in tram.answer
    (event,) = vobject.readOne(tram.ics).vevent_list
    assert [f"{one:%d}" for one in event.getrruleset()] == [
        "22",
        "23",
        "24",
        "25",
        "26",
        "29",
        "30",
    ]
    assert "EXDATE" not in repeated("Hauptbahnhof", "Museum").ics


def test_a_day_after_the_calendar_is_told_with_its_end(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Insel", date="2026-09-01")

    assert result.journeys[0].plans == []
    assert (
        "holds from Monday 1 June 2026 to Monday 31 August 2026, and Tuesday 1 September 2026 is "
        "after it: import a newer feed" in (result.journeys[0].error or "")
    )


def test_a_name_of_two_places_is_asked_about(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Rathaus")

    assert [(one.name, one.value) for one in result.options or ()] == [
        ("Rathaus", "RAT1"),
        ("Rathaus", "RAT2"),
    ]
    chosen = planned(lake, "Hauptbahnhof", "RAT2")
    assert chosen.options is None
    assert chosen.journeys[0].plans[0].start == "2026-06-22T09:05:00+02:00"


def test_one_letter_is_corrected_and_told_and_more_are_asked(lake: City) -> None:
    result = planned(lake, "Hauptbahnhoff", "Museum")

    assert [(one.raw, one.resolved) for one in result.corrections or ()] == [
        ("Hauptbahnhoff", "Hauptbahnhof")
    ]
    with pytest.raises(InputError, match=r"no stop of this timetable is called 'Nirgendwo'"):
        planned(lake, "Nirgendwo", "Museum")


def test_the_last_connection_is_that_of_the_day_of_service(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Alexplatz", adjustment="TripLast")

    assert result.journeys[0].plans[0].start == "2026-06-23T01:30:00+02:00"
    assert any("by the services of Monday 22 June 2026" in one for one in result.notes or ())


@pytest.mark.parametrize(
    ("wish", "start"),
    [
        ({"adjustment": "TripLast", "only_lines": "U2"}, "2026-06-22T23:50:00+02:00"),
        ({"adjustment": "TripLast", "only_lines": ["N5"]}, "2026-06-23T01:30:00+02:00"),
        ({"adjustment": "TripFirst", "only_lines": "line N5"}, "2026-06-23T00:30:00+02:00"),
        ({"only_lines": ["U2", "N5"]}, "2026-06-22T07:50:00+02:00"),
    ],
)
def test_only_the_lines_that_are_named_are_ridden(
    lake: City, wish: dict[str, Any], start: str
) -> None:
    journey = planned(lake, "Hauptbahnhof", "Alexplatz", **wish).journeys[0]

    assert journey.plans[0].start == start
    named = {one.split()[-1] for one in (wish["only_lines"],) if isinstance(one, str)}
    assert {line for one in journey.plans for line in one.lines} <= (named or {"U2", "N5"})
    assert [one.standing for one in journey.conditions or ()] == ["applied"] * len(wish)


def test_a_line_that_does_not_go_there_has_no_way(lake: City) -> None:
    journey = planned(lake, "Hauptbahnhof", "Alexplatz", only_lines="M10").journeys[0]

    assert journey.plans == []
    assert "only by the M10" in (journey.error or "")
    with pytest.raises(InputError, match="No line of this timetable is called 'Victoria'"):
        planned(lake, "Hauptbahnhof", "Alexplatz", only_lines="Victoria")


def test_a_plan_hours_after_the_time_that_was_asked_for_says_so(lake: City) -> None:
    late = planned(lake, "Park", "Seestraße", time="Saturday at 10:00")
    assert "That is 14 hours 40 minutes later than asked for." in late.answer
    last = planned(lake, "Park", "Seestraße", time="Saturday at 10:00", adjustment="TripLast")
    assert "than asked for" not in last.answer
    assert "than asked for" not in planned(lake, "Museum", "Alexplatz", time="at 9:00").answer


def test_a_position_is_walked_from(lake: City) -> None:
    result = planned(lake, "52.5250,13.3700", "Museum")

    plan = result.journeys[0].plans[0]
    assert plan.modes == ["walking", "metro"]
    with pytest.raises(InputError, match="far from every stop"):
        planned(lake, "48.1,11.5", "Museum")


def test_a_line_of_the_city_can_be_avoided(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Alexplatz", avoid_lines="U2")

    assert {line for one in result.journeys[0].plans for line in one.lines} == {"N5"}
    with pytest.raises(InputError, match="No line of this timetable is called 'Victoria'"):
        planned(lake, "Hauptbahnhof", "Alexplatz", avoid_lines="Victoria")


def test_a_mode_that_the_feed_lacks_is_refused_with_those_it_has(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Alexplatz", mode="plane")

    assert "has tram, metro, bus and ferry" in (result.journeys[0].error or "")


def test_a_way_by_a_place_passes_it(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Seestraße", "Museum")

    plan, _ = get_computed_journey_plan(lake, "local", Which(result.journey_id or "", 0, 0), "full")
    assert plan.legs[0].to == "Museum"


def test_steps_are_avoided_as_far_as_the_feed_says(lake: City) -> None:
    sure = planned(lake, "Hauptbahnhof", "Museum", accessibility_preference="StepFreeToVehicle")
    none = planned(lake, "Hauptbahnhof", "Alexplatz", accessibility_preference="StepFreeToVehicle")

    assert sure.journeys[0].plans[0].step_free is True
    # Alexplatz is known not to be accessible.
    assert none.journeys[0].plans == []
    assert "without steps" in (none.journeys[0].error or "")


def test_stops_departures_and_the_state_of_lines(lake: City) -> None:
    found, _ = anyio.run(lake.find_stops, "haupt", (), 0)
    board, draft = anyio.run(lake.arrivals, "local", "Museum", (), 2)
    status, _ = anyio.run(lake.line_status, ("U2",), (), 0)

    assert [one.name for one in found.stops] == ["Hauptbahnhof"]
    assert found.stops[0].lines == ["U2", "N5"]
    assert [(one.line, one.expected[11:16]) for one in board.arrivals] == [
        ("U2", "07:53"),
        ("U2", "07:54"),
    ]
    assert "delays and cancellations are not known" in board.answer
    assert draft is not None
    assert status.lines == []
    assert "not known" in status.answer


def test_a_line_runs_on_the_days_of_its_services(lake: City) -> None:
    def told(line: str, on: str) -> str:
        result, _ = anyio.run(lake.line_status, [line], [], 0, on)
        return result.answer

    assert "no service of M10 runs on Sunday 28 June 2026" in told("M10", "Sunday")
    assert "N5 runs on Friday 26 June 2026: the first service begins at 0" in told("N5", "Friday")
    assert "ended on Monday 31 August 2026" in told("M10", "2026-09-04")


def test_a_board_tells_modes_and_may_be_of_one(lake: City) -> None:
    every, _ = anyio.run(lake.arrivals, "local", "Hauptbahnhof", (), 2)
    night, _ = anyio.run(lake.arrivals, "local", "Hauptbahnhof", ("buses",), 3)
    ferry, _ = anyio.run(lake.arrivals, "local", "Seestraße", ("F11",), 2)

    assert "U2 (metro) to Alexplatz at 07:50" in every.answer
    assert {one.mode for one in night.arrivals} == {"bus"}
    assert night.answer.startswith("Next from Hauptbahnhof by buses: N5 (bus)")
    assert "N5 (bus) to Seestraße at 00:30 on Tuesday 23 June" in night.answer
    assert "exact" not in night.answer
    assert "the times are about, not exact" in ferry.answer
    with pytest.raises(InputError, match="No line of this timetable is called 'zeppelin'"):
        anyio.run(lake.arrivals, "local", "Hauptbahnhof", ("zeppelin",), 2)


def test_a_line_among_stops_to_avoid_is_avoided_as_a_line(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Museum", avoid_stops=["U2"])

    assert result.journeys[0].plans == []
    assert "without the U2" in (result.journeys[0].error or "")


def test_times_are_read_in_the_zone_of_the_city(lake: City) -> None:
    result = planned(lake, "Hauptbahnhof", "Museum", time="9pm", date="tomorrow")

    assert result.journeys[0].plans[0].start == "2026-06-23T21:00:00+02:00"


def test_a_day_of_trips_follows_in_order(lake: City) -> None:
    request = Request((Trip("Hauptbahnhof", "Museum"), Trip("", "Alexplatz")))
    result, _ = anyio.run(make_journeys, lake, "local", request)

    first, second = (one.plans[0] for one in result.journeys)
    assert first.arrival <= second.start
    assert result.journeys[1].from_ == "Museum"


def test_a_feed_that_is_imported_anew_is_read_without_a_restart(tmp_path: Path) -> None:
    feed = small_city()
    import_feed(feed.write(tmp_path / "one.zip"), "lake", tmp_path, lambda *_: None)
    city = City("lake", tmp_path, lambda: datetime(2026, 6, 22, 7, 50, tzinfo=BERLIN))
    assert city.credit.startswith("Timetable of Lake City Transit")
    feed.add("feed_info", "feed_publisher_name,feed_end_date", [("Another", "20260630")])
    import_feed(feed.write(tmp_path / "two.zip"), "lake", tmp_path, lambda *_: None)

    assert city.credit == "Timetable of Another (feed lake, holds until Tuesday 30 June 2026)"


def test_a_short_walk_stands_where_it_arrives(lake: City) -> None:
    result = planned(lake, "Alexplatz", "Park")

    assert [one.modes for one in result.journeys[0].plans] == [["walking"]]


def test_a_board_may_be_of_another_time_and_of_the_ends_of_a_day(lake: City) -> None:
    def told(stop: str, when: str) -> str:
        result, _ = anyio.run(lake.arrivals, "local", stop, (), 12, when)
        return result.answer

    assert "Next from Museum: U2 (metro) to Hauptbahnhof at 22:03" in told("Museum", "at 22:00")
    last = told("Park", "last on Friday")
    assert "Last from Park: M10 (tram) to Seestraße at 19:45 on Friday 26 June." in last
    # The night bus of a day of service goes in the small hours of the next.
    assert "at 01:30 on Thursday 25 June" in told("Hauptbahnhof", "last on Wednesday")
    assert "at 06:00 on Tuesday 23 June" in told("Park", "first tomorrow")
    assert "Nothing leaves there on that day" in told("Park", "last on Sunday")
    assert "ended on Monday 31 August 2026" in told("Park", "last on 4 September")


def test_stops_near_one_are_the_others_around_it(lake: City) -> None:
    found, _ = anyio.run(lake.find_stops, "near Park", (), 0)
    assert found.stops[0].name == "Alexplatz"
    assert found.stops[0].why.endswith(" m from Park")
    assert "Park" not in [one.name for one in found.stops]
    assert "Alexplatz (" in found.answer
