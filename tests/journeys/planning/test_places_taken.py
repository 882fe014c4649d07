"""What TfL's plans begin at, end at and pass, compared with what was asked for."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from opened import NOW, asked_for, done
from plans import london as at
from plans import record, ride
from replay import Replay
from replay_payloads import OWN

from groundwire import profiles
from groundwire.evidence.claims.check import check
from groundwire.journeys.computed_journeys import (
    Which,
    get_computed_journey,
    get_computed_journey_plan,
)
from groundwire.journeys.drawing import create_calendar, draw_map
from groundwire.journeys.itinerary import Journey, Misplaced, Options, Place, Plan, Point
from groundwire.journeys.london import London
from groundwire.journeys.making import make_journeys
from groundwire.journeys.network.load import load_network
from groundwire.journeys.network.model import Network
from groundwire.journeys.network.planner import plan as plan_offline
from groundwire.journeys.places.sides import Candidate, Way
from groundwire.journeys.planning.places_taken import (
    is_place,
    misplaced,
    told_of,
    with_plans,
)

PATH = "/Journey/JourneyResults/1000098/to/1000254"
UXBRIDGE = {"commonName": "Waterloo Road, Uxbridge", "lat": 51.5405, "lon": -0.488}
WATERLOO = Place("Waterloo", Point(51.5031, -0.1132), "stop", "HUBWAT", "1000254")


@cache
def network() -> Network:
    return load_network(profiles.london_network())


@pytest.mark.parametrize(
    ("asked", "taken", "same"),
    [
        # By code, whatever the names and positions are.
        (WATERLOO, Place("Waterloo Station", None, "stop", "", "1000254"), True),
        (WATERLOO, Place("Waterloo", None, "stop", "940GZZLUWLO"), True),
        # By position: a bus stop in front of the station, and a road of the name elsewhere.
        (WATERLOO, Place("Waterloo Station / York Road", Point(51.5045, -0.1140)), True),
        (WATERLOO, Place("Waterloo", Point(51.5405, -0.488), "stop"), False),
        (Place("51.5194,-0.127", Point(51.5194, -0.127), "coordinates"),
         Place("Great Russell Street", Point(51.5190, -0.1265)), True),
        (Place("Tate Modern", Point(51.5076, -0.0994), "point_of_interest"),
         Place("Bloomfield Close", Point(51.301, -0.559)), False),
        # By name, where nothing else is known.
        (Place("60 Malden Road"), Place("60 Malden Road, Camden", Point(51.55, -0.15)), True),
        (Place("Pret High Holborn"), Place("High Holborn", Point(51.51, -0.12)), False),
        (Place("N1C 4TB", None, "postcode"), Place("King's Cross, N1C 4TB"), True),
        (Place("N1C 4TB", None, "postcode"), Place("N1 4TB, Islington"), False),
        (Place("490008660N", None, "stop", "490008660N"), Place("A", None, "stop"), True),
        (Place("490008660N", None, "stop", "490008660N"),
         Place("A", None, "stop", "490000001A"), True),
        (Place("1009999", None, "stop", "", "1009999"),
         Place("A", None, "stop", "", "1000254"), False),
    ],
)  # fmt: skip
def test_a_place_is_the_same_by_code_position_or_name(
    asked: Place, taken: Place, same: bool
) -> None:
    assert is_place(asked, taken, network()) == same


def test_plans_over_the_network_begin_and_end_where_was_asked() -> None:
    rng = random.Random(7)
    stops = list(network().stops.values())
    for _ in range(40):
        origin, destination = (one.place for one in rng.sample(stops, 2))
        if origin.ics and origin.ics == destination.ics:
            continue
        plans = plan_offline(network(), origin, destination, Options(), NOW)
        way = Way(Candidate(origin, ""), Candidate(destination, ""))
        assert list(misplaced(plans, way, network())) == []


def test_one_plan_of_several_that_ends_elsewhere_is_told_by_its_number() -> None:
    right = ride(at(2026, 11, 23, 9), destination=WATERLOO)
    wrong = replace(right, destination=Place("Waterloo Road", Point(51.5405, -0.488)))
    plans = [Plan(leg.departure, leg.arrival, (leg,)) for leg in (right, wrong)]
    way = Way(Candidate(right.origin, ""), Candidate(WATERLOO, ""))
    [found] = misplaced(plans, way, network())
    assert (found.param, found.taken, found.plans) == ("destination", "Waterloo Road", (1,))
    assert told_of(found).startswith("Plan 2 ends at Waterloo Road, 26.")


def test_a_place_on_the_way_that_is_not_passed_is_told() -> None:
    euston = Place("Euston", Point(51.5282, -0.1337), "stop", "940GZZLUEUS")
    leg = ride(at(2026, 11, 23, 9), destination=WATERLOO)
    plan = Plan(leg.departure, leg.arrival, (replace(leg, stops=(euston, WATERLOO)),))
    ends = Candidate(leg.origin, ""), Candidate(WATERLOO, "")
    assert list(misplaced([plan], Way(*ends, Candidate(euston, "")), network())) == []
    angel = Candidate(Place("Angel", Point(51.5322, -0.1058), "stop", "940GZZLUAGL"), "")
    [found] = misplaced([plan], Way(*ends, angel), network())
    assert found == Misplaced("via", "Angel")
    assert told_of(found) == "The plans do not pass Angel, which was asked for."


# When the synthetic journey begins.
AT_NINE = {"date": "2026-11-23", "time": "09:00"}


def elsewhere(**ends: dict[str, Any]) -> dict[str, Any]:
    """The synthetic journey from Hampstead to Waterloo, with other ends."""
    value = json.loads((OWN / "synthetic_journey.json").read_text("utf-8"))
    value["journeys"] = value["journeys"][:1]
    legs = value["journeys"][0]["legs"]
    for end, place in ends.items():
        leg, point = (0, "departurePoint") if end == "origin" else (-1, "arrivalPoint")
        legs[leg][point] = place
    return value


def test_a_plan_that_ends_elsewhere_is_told_wherever_it_is_shown(
    online: London, replay: Replay
) -> None:
    replay.answer(PATH, elsewhere(destination=UXBRIDGE))
    request = asked_for("Hampstead", "Waterloo", **AT_NINE)
    result, draft = done(online, make_journeys, "ada", request)
    said = "The plans end at Waterloo Road, Uxbridge, 26.2 km away from Waterloo, which was asked"
    assert result.answer.startswith("Hampstead to Waterloo Road, Uxbridge: the first plan")
    assert said in result.answer
    assert [(one.param, one.raw, one.resolved) for one in result.corrections or []] == [
        ("destination", "Waterloo", "Waterloo Road, Uxbridge")
    ]
    found = check(result.answer, [record(draft)])
    assert found.verdict == "supported", found.claims
    which = Which(result.journey_id or "", 0)
    told, _ = get_computed_journey_plan(online, "ada", which, "brief")
    whole, _ = get_computed_journey(online, "ada", which)
    drawn = draw_map(online, "ada", which)
    calendar = create_calendar(online, "ada", which)
    for answer in (told.answer, told.text, whole.answer, drawn.result.answer, calendar.answer):
        assert said in answer
    assert said in calendar.ics.replace("\r\n ", "").replace("\\", "")
    assert "26.2 km away" in drawn.svg


def test_a_plan_that_begins_elsewhere_is_told(online: London, replay: Replay) -> None:
    replay.answer(
        PATH, elsewhere(origin={"commonName": "Hampstead Road", "lat": 51.6124, "lon": -0.0487})
    )
    result, _ = done(online, make_journeys, "ada", asked_for("Hampstead", "Waterloo"))
    assert result.journeys[0].from_ == "Hampstead Road"
    assert "The plans begin at Hampstead Road, 10.9 km away from Hampstead" in result.answer


def test_a_plan_between_the_places_asked_for_says_nothing_of_them(
    online: London, replay: Replay
) -> None:
    replay.answer(PATH, elsewhere())
    request = asked_for("Hampstead", "Waterloo", **AT_NINE)
    result, _ = done(online, make_journeys, "ada", request)
    assert "asked for" not in result.answer
    assert result.corrections is None


def test_a_place_that_tfl_alone_knows_is_called_as_tfl_calls_it(
    online: London, replay: Replay
) -> None:
    taken = {"commonName": "High Street, Uxbridge", "lat": 51.5405, "lon": -0.488}
    replay.answer(
        "/Journey/JourneyResults/1000098/to/Zorblax Street 5", elsewhere(destination=taken)
    )
    result, _ = done(online, make_journeys, "ada", asked_for("Hampstead", "Zorblax Street 5"))
    assert result.journeys[0].to == "High Street, Uxbridge"
    assert "end at High Street, Uxbridge, not at Zorblax Street 5" in result.answer


def test_plans_that_are_left_keep_their_numbers_in_what_is_told() -> None:
    one = Misplaced("destination", "Waterloo", "Waterloo Road", 3_000, plans=(1, 2))
    leg = ride(at(2026, 11, 23, 9))
    plans = tuple(Plan(leg.departure, leg.arrival, (leg,)) for _ in range(4))
    notes = (told_of(one), "A note.")
    journey = Journey(leg.origin, WATERLOO, plans, "tfl", notes=notes, misplaced=(one,))
    left = with_plans(journey, [0, 2, 3])
    assert left.notes[0].startswith("Plan 2 ends at Waterloo Road") and left.notes[1:] == notes[1:]
    assert [found.plans for found in left.misplaced] == [(1,)]
    assert with_plans(journey, [0, 3]).notes == ("A note.",)
    assert with_plans(journey, [1, 2]).notes[0].startswith("The plans end at Waterloo Road")
