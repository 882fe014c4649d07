"""Plans in words: recorded ones as a person would write them, made ones for what is rare."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from plans import KINGS_CROSS, OXFORD_CIRCUS, TATE_MODERN, london, made, ride, sent
from recorded import GIVEN
from test_calendar import RECORDED

from groundwire.journeys.artefacts.text import Detail, describe, estimate_mark, fare_words
from groundwire.journeys.itinerary import Disruption, Fare, Obstacle, Place, Step

GOLDEN = Path(__file__).parent / "golden"
MONDAY = (2026, 11, 23)


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        *((name, "brief") for name in RECORDED if name != "journeyWithLongTitleName"),
        ("journeyByBusShort", "full"),
        ("journeyByCableCar", "full"),
        ("journeyByTube", "full"),
        ("journeyByWalking", "full"),
        ("journeyResultsKingsXToWaterlooNow", "full"),
    ],
)
def test_recorded_plans_read_as_written_down(name: str, detail: Detail) -> None:
    golden = GOLDEN / f"{name}_{detail}.txt"
    own = GOLDEN / "made" / golden.name  # where our own payload has other messages
    if not GIVEN and own.exists():
        golden = own
    assert describe(*sent(name), detail) + "\n" == golden.read_text("utf-8")


@pytest.mark.parametrize("name", RECORDED)
def test_the_full_text_tells_every_leg_stop_and_step(name: str) -> None:
    plan, journey = sent(name)
    full = describe(plan, journey, "full")
    assert len(re.findall(r"^\d+\. ", full, re.MULTILINE)) == len(plan.legs)
    assert full.count("\n   - ") == sum(len(leg.steps) for leg in plan.legs)
    for leg in plan.legs:
        if leg.is_ride:
            assert leg.line in full
            assert all(stop.name.split(" (")[0][:5] in full for stop in leg.stops)
    for one in (*plan.disruptions, *plan.planned_works):
        assert one.reason[-40:] in full
    assert full.endswith("Powered by TfL Open Data.")


def test_the_same_plan_has_the_same_words() -> None:
    plan, journey = sent("journeyByTube")
    assert describe(plan, journey) == describe(plan, journey, "brief")


def test_one_and_several_are_told_apart() -> None:
    one = ride(london(*MONDAY, 9, 0), 1, stops=(OXFORD_CIRCUS,))
    assert "(1 stop, 1 minute)" in describe(*made(one))
    hour = ride(london(*MONDAY, 9, 0), 61, stops=(KINGS_CROSS, OXFORD_CIRCUS))
    assert "(2 stops, 1 hour 1 minute)" in describe(*made(hour))
    hours = ride(london(*MONDAY, 9, 0), 120)
    assert "(2 hours, direct)" in describe(*made(hours))


def test_a_plan_across_midnight_says_the_day() -> None:
    first = ride(london(*MONDAY, 23, 50), 15)
    then = ride(london(2026, 11, 24, 0, 9), 6, line="Bakerloo", line_id="bakerloo", direction="")
    text = describe(*made(first, then))
    assert (
        "on Monday 23 November 2026: leave at 23:50, arrive at 00:15 on Tuesday 24 November" in text
    )
    assert "2. At 00:09 on Tuesday 24 November, change to the Bakerloo line, from" in text


def test_in_the_hour_that_comes_twice_it_says_which() -> None:
    start = london(2027, 10, 31, 1, 50)
    text = describe(*made(ride(start, 20)))
    assert "leave at 01:50 BST, arrive at 01:10 GMT (20 minutes, direct)" in text


def test_platforms_piers_and_stops_are_named_where_they_are_known() -> None:
    nine = london(*MONDAY, 9, 0)
    numbered = replace(KINGS_CROSS, platform="8")
    assert "from King's Cross St. Pancras (platform 8) to" in describe(
        *made(ride(nine, origin=numbered))
    )
    written = replace(KINGS_CROSS, platform="Southbound - Platform 8")
    assert "(southbound, platform 8)" in describe(*made(ride(nine, origin=written)))
    bus = ride(nine, mode="bus", line="73", line_id="73", origin=replace(KINGS_CROSS, platform="R"))
    assert "take bus 73 towards Brixton from King's Cross St. Pancras (stop R) to" in describe(
        *made(bus)
    )
    unknown = replace(KINGS_CROSS, platform="Platform Unknown")
    assert "Unknown" not in describe(*made(ride(nine, origin=unknown)))


@pytest.mark.parametrize(
    ("mode", "line", "said"),
    [
        ("tube", "Hammersmith & City", "take the Hammersmith & City line towards"),
        ("elizabeth-line", "Elizabeth line", "take the Elizabeth line towards"),
        ("dlr", "DLR", "take the DLR towards"),
        ("overground", "Mildmay", "take the Mildmay line towards"),
        ("overground", "London Overground", "take the London Overground towards"),
        ("tram", "Tram", "take the tram towards"),
        ("bus", "N8", "take bus N8 towards"),
        ("river-bus", "RB6", "take boat RB6 towards"),
        ("national-rail", "Thameslink", "take the Thameslink train towards"),
        ("national-rail", "", "take a train towards"),
        ("taxi", "", "take a taxi towards"),
        ("cycle-hire", "", "cycle to Oxford Circus"),
    ],
)
def test_services_are_called_as_people_call_them(mode: str, line: str, said: str) -> None:
    assert said in describe(*made(ride(london(*MONDAY, 9, 0), mode=mode, line=line)))


def test_other_lines_that_serve_a_leg_are_told() -> None:
    leg = ride(london(*MONDAY, 9, 0), line="Circle", also=("Hammersmith & City", "Metropolitan"))
    assert "take the Circle line or Hammersmith & City line or Metropolitan line towards" in (
        describe(*made(leg))
    )


@pytest.mark.parametrize(
    ("fare", "said"),
    [
        (Fare(300, "Off Peak", "1"), "£3.00 pay as you go (off peak, zone 1)"),
        (Fare(1205, "Peak", "1-6"), "£12.05 pay as you go (peak, zones 1-6)"),
        (Fare(175), "£1.75 pay as you go"),
        (Fare(0), "£0.00 pay as you go"),
    ],
)
def test_fares_are_in_pounds(fare: Fare, said: str) -> None:
    plan, journey = made(ride(london(*MONDAY, 9, 0)), fare=fare)
    assert fare_words(plan) == said
    assert f"Fare: {said}." in describe(plan, journey)


def test_a_fare_that_nobody_says_is_not_made_up() -> None:
    plan, journey = made(ride(london(*MONDAY, 9, 0)))
    assert "£" not in describe(plan, journey, "full")


def test_obstacles_and_step_free_access() -> None:
    up = Obstacle("stairs", "up", "after")
    leg = ride(london(*MONDAY, 9, 0), obstacles=(up, up, Obstacle("lift", "down", "before")))
    full = describe(*made(leg, step_free=False), "full")
    assert "   On the way to the platform: lift down." in full
    assert "   After the ride: stairs up (twice)." in full
    assert "Not step-free: stairs and lift on the way." in full
    assert "Step-free as far as is known." in describe(
        *made(ride(london(*MONDAY, 9)), step_free=True)
    )
    assert "tep-free" not in describe(*made(ride(london(*MONDAY, 9))), "full")


def test_disruptions_are_short_in_brief_and_whole_in_full() -> None:
    late = Disruption(
        "Victoria",
        "Victoria Line: Minor delays due to an earlier incident. Tickets are accepted on buses.",
        "victoria",
        "RealTime",
    )
    works = Disruption(
        "Victoria",
        "VICTORIA LINE: Sunday 29 November, no service. Use buses.",
        "victoria",
        "PlannedWork",
        planned=True,
        begins=london(2026, 11, 29, 4, 30),
        ends=london(2026, 11, 30, 1, 29),
    )
    leg = ride(london(*MONDAY, 9, 0), disruptions=(late, late), planned_works=(works,))
    brief, full = describe(*made(leg)), describe(*made(leg), "full")
    assert "Disruption: Victoria line: Minor delays due to an earlier incident.\n" in brief
    assert "Planned works: Victoria line: Sunday 29 November, no service.\n" in brief
    assert full.count("Tickets are accepted on buses.") == 1
    assert (
        "Planned works: Victoria line (from 04:30 on Sunday 29 November to 01:29 on Monday 30"
        " November): Sunday 29 November, no service. Use buses."
    ) in full


def test_estimates_say_so_and_from_what() -> None:
    walk = ride(
        london(*MONDAY, 9, 0), 8, mode="walking", line="", line_id="", timing="walking_speed",
        destination=TATE_MODERN, distance_metres=640,
    )  # fmt: skip
    train = ride(london(*MONDAY, 9, 8), timing="distance_estimate", origin=TATE_MODERN)
    plan, journey = made(walk, train, source="offline_estimate")
    text = describe(plan, journey)
    assert "leave at 09:00, arrive at about 09:18 (about 18 minutes, direct)." in text
    assert "walk to Tate Modern (8 minutes, 640 m)." in text
    assert estimate_mark(plan) in text
    assert estimate_mark(plan).startswith(
        "Offline estimate: times are estimated from walking speed and distances, counted from the"
    )
    assert "stimate" not in describe(*made(walk, train))


def test_what_holds_for_the_whole_journey_is_told() -> None:
    plan, journey = made(ride(london(*MONDAY, 9, 0)))
    journey = replace(journey, notes=("TfL could not be asked.",), via=TATE_MODERN)
    text = describe(plan, journey)
    assert text.startswith("King's Cross St. Pancras to Oxford Circus via Tate Modern on Monday")
    assert "\nTfL could not be asked.\n" in text


def test_names_with_line_breaks_stay_on_their_line() -> None:
    place = Place("Two\nlines  here", None, "address")
    text = describe(*made(ride(london(*MONDAY, 9, 0), origin=place)))
    assert text.startswith("Two lines here to Oxford Circus on")


def test_steps_are_sentences() -> None:
    walk = ride(
        london(*MONDAY, 9, 0), mode="walking", line="", line_id="",
        steps=(Step("Continue along on to Kingsway, continue for 551 metres"), Step("Stop!")),
    )  # fmt: skip
    full = describe(*made(walk), "full")
    assert "   - Continue on to Kingsway, continue for 551 metres.\n   - Stop!\n" in full


def test_time_between_rides_and_walks_is_told_as_changing_only_between_rides() -> None:
    first = replace(ride(london(*MONDAY, 9, 0), 10), interchange_minutes=3)
    walk = replace(ride(london(*MONDAY, 9, 13), 6, mode="walking"), interchange_minutes=2)
    last = replace(ride(london(*MONDAY, 9, 21), 5), interchange_minutes=0)
    text = describe(*made(first, walk, last), "full")
    assert "   Allow 3 minutes at Oxford Circus before the walk." in text
    assert "   Allow 2 minutes at Oxford Circus before the ride." in text
    assert "to change" not in text
    text = describe(*made(first, last), "full")
    assert "   Allow 3 minutes to change at Oxford Circus." in text
