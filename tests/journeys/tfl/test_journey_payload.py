"""A journey answer as plans, legs and steps."""

from __future__ import annotations

import copy
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import LONDON, Obstacle, Point
from groundwire.journeys.tfl.journey_payload import read_itinerary

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def payload() -> dict[str, Any]:
    return json.loads((DATA / "synthetic_journey.json").read_text("utf-8"))


def at(hour: int, minute: int) -> datetime:
    return datetime(2026, 11, 23, hour, minute, tzinfo=LONDON)


def ride(payload: dict[str, Any]) -> dict[str, Any]:
    return payload["journeys"][0]["legs"][0]


def test_a_plan(payload) -> None:
    found = read_itinerary(payload)
    [plan] = found.plans
    assert (plan.start, plan.arrival) == (at(9, 0), at(9, 28))
    assert plan.duration_minutes == 28
    assert plan.modes == ("tube", "walking")
    assert plan.lines == ("Northern",)
    assert plan.walking_minutes == 5


def test_what_stands_beside_the_plans(payload) -> None:
    found = read_itinerary(payload)
    assert found.asked_for == at(9, 0)
    assert found.time_is == "departing"
    assert (found.earliest, found.earlier, found.later) == (at(3, 0), at(8, 55), at(9, 6))
    assert found.latest == datetime(2026, 11, 24, 3, 0, tzinfo=LONDON)
    assert found.holds_minutes == 5
    assert found.stop_messages == ("synthetic: Hampstead: lift 1 is out of order.",)
    assert [line.line_id for line in found.lines] == ["northern"]
    payload["searchCriteria"]["dateTimeType"] = "Arriving"
    assert read_itinerary(payload).time_is == "arriving"


def test_the_service_of_a_leg(payload) -> None:
    leg = read_itinerary(payload).plans[0].legs[0]
    assert (leg.line, leg.line_id, leg.direction) == ("Northern", "northern", "Kennington")
    assert leg.summary == "Northern line to Waterloo"
    assert leg.interchange_minutes == 3
    assert leg.is_ride


def test_several_lines_serve_one_leg(payload) -> None:
    names = ["Circle", "Hammersmith & City", "Circle"]
    ride(payload)["routeOptions"] = [
        {
            "name": name,
            "directions": [f"{name} Underground Station", "Barking Underground Station"],
            "lineIdentifier": {"id": name.lower(), "name": name},
        }
        for name in names
    ]
    leg = read_itinerary(payload).plans[0].legs[0]
    assert leg.line == "Circle"
    assert leg.also == ("Hammersmith & City",)
    assert leg.direction == "Circle or Barking"


def test_a_brand_is_not_the_line(payload) -> None:
    option = ride(payload)["routeOptions"][0]
    option["name"] = "London Overground"
    option["lineIdentifier"] = {"id": "mildmay", "name": "Mildmay"}
    assert read_itinerary(payload).plans[0].legs[0].line == "Mildmay"
    del option["lineIdentifier"]
    leg = read_itinerary(payload).plans[0].legs[0]
    assert (leg.line, leg.line_id) == ("London Overground", "")


def test_the_places_of_a_leg(payload) -> None:
    ride(payload)["arrivalPoint"].update(
        individualStopId="490000254E", platformName="->NE", commonName="Waterloo   / York Road"
    )
    ride(payload)["path"]["stopPoints"].pop()
    first, last = read_itinerary(payload).plans[0].legs
    assert first.origin.platform == "Platform 2"
    assert (first.origin.stop_id, first.origin.ics) == ("940GZZLUHTD", "1000098")
    assert first.destination.name == "Waterloo / York Road"
    assert first.destination.platform == "north-eastbound"
    assert first.destination.stop_id == "490000254E"
    assert [stop.name for stop in first.stops] == [
        "Belsize Park Underground Station",
        "Waterloo / York Road",
    ]
    assert last.stops == ()
    assert last.destination.kind == "stop"


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"commonName": "60 Malden Road, Camden", "icsCode": "99999997"}, "address"),
        ({"commonName": "SE1 9TG", "icsCode": "99999997"}, "postcode"),
        ({"commonName": "51.5074, -0.1278"}, "coordinates"),
        ({"commonName": "Tate Modern", "placeType": "PointOfInterest"}, "point_of_interest"),
        ({"commonName": "Waterloo", "icsCode": "1000254"}, "stop"),
        ({}, "unknown"),
    ],
)
def test_what_kind_of_place_it_is(payload, fields: dict[str, Any], kind: str) -> None:
    ride(payload)["departurePoint"] = {"placeType": "StopPoint", "lat": 51.5, "lon": -0.1, **fields}
    place = read_itinerary(payload).plans[0].legs[0].origin
    assert place.kind == kind
    assert not place.ics.startswith("9999999")


def test_the_last_stop_is_told_once_by_whatever_id(payload) -> None:
    ride(payload)["path"]["stopPoints"][-1]["name"] = "Waterloo, another spelling"
    names = [stop.name for stop in read_itinerary(payload).plans[0].legs[0].stops]
    assert names == ["Belsize Park Underground Station", "Waterloo Underground Station"]


def test_the_way_is_in_lat_lon_order(payload) -> None:
    first, last = read_itinerary(payload).plans[0].legs
    assert first.path[0] == Point(51.5569, -0.1779)
    assert len(first.path) == 3
    assert last.path == (Point(51.5031, -0.1132), Point(51.5033, -0.1125))


@pytest.mark.parametrize(
    "line",
    ["", "[[51.5, -0.1", "{}", "null", "[1, 2]", '[["a", "b"]]', "[[51.5, -0.1]]", None, 7,
     "[[500, 0], [51.5, -0.1]]", "[[NaN, 1], [0, 0]]"],
)  # fmt: skip
def test_a_broken_way_leaves_the_two_ends(payload, line: Any) -> None:
    ride(payload)["path"]["lineString"] = line
    assert read_itinerary(payload).plans[0].legs[0].path == (
        Point(51.5569, -0.1779),
        Point(51.5031, -0.1132),
    )


def test_steps_are_sentences(payload) -> None:
    step = read_itinerary(payload).plans[0].legs[1].steps[0]
    assert step.instruction == "Turn left on to York Road, continue for 80 metres"
    assert (step.street, step.distance_metres, step.turn) == ("York Road", 80, "LEFT")
    raw = payload["journeys"][0]["legs"][1]["instruction"]["steps"][0]
    raw.update(descriptionHeading="Continue along ", description=" for 80 metres")
    step = read_itinerary(payload).plans[0].legs[1].steps[0]
    assert step.instruction == "Continue for 80 metres"


def test_only_a_walk_has_the_distance_of_the_leg(payload) -> None:
    ride(payload)["distance"] = 32.0
    first, last = read_itinerary(payload).plans[0].legs
    assert (first.distance_metres, last.distance_metres) == (None, 80)


def test_the_minutes_of_a_walk_to_the_change_are_not_counted_twice(payload) -> None:
    first, last = read_itinerary(payload).plans[0].legs
    assert (first.interchange_minutes, last.interchange_minutes) == (3, 0)


def test_the_timetable_is_told_where_it_differs(payload) -> None:
    first, last = read_itinerary(payload).plans[0].legs
    assert (first.scheduled_departure, first.scheduled_arrival) == (at(8, 58), at(9, 21))
    assert (last.scheduled_departure, last.scheduled_arrival) == (None, None)


def test_a_fare(payload) -> None:
    fare = read_itinerary(payload).plans[0].fare
    assert fare is not None
    assert (fare.total_pence, fare.charge_level, fare.zones) == (350, "Peak", "1-3")
    assert fare.caveats == ("synthetic: A caveat & its markup.",)


def test_fares_of_several_parts(payload) -> None:
    part = payload["journeys"][0]["fare"]["fares"][0]
    other = {**part, "lowZone": 2, "highZone": 2, "chargeLevel": "Off Peak", "isHopperFare": True}
    payload["journeys"][0]["fare"]["fares"] = [part, other]
    fare = read_itinerary(payload).plans[0].fare
    assert fare is not None
    assert (fare.charge_level, fare.zones) == ("Peak and Off Peak", "1-3")
    assert "Hopper" in fare.caveats[-1]
    part.update(lowZone=0, highZone=0)
    other.update(lowZone=0, highZone=0)
    assert read_itinerary(payload).plans[0].fare.zones == ""


@pytest.mark.parametrize("fare", [None, {}, {"totalCost": None}, {"totalCost": "free"}, []])
def test_a_fare_that_nobody_tells_is_none(payload, fare: Any) -> None:
    payload["journeys"][0]["fare"] = fare
    assert read_itinerary(payload).plans[0].fare is None


def test_obstacles(payload) -> None:
    assert read_itinerary(payload).plans[0].legs[0].obstacles == (
        Obstacle("lift", "down", "before", "1000098"),
        Obstacle("stairs", "up", "after", "1000254"),
    )
    ride(payload)["obstacles"][0]["position"] = "IDEST"
    assert read_itinerary(payload).plans[0].legs[0].obstacles[0].position == "within"


def test_disruptions_name_the_line_and_know_when_they_hold(payload) -> None:
    [found] = read_itinerary(payload).plans[0].disruptions
    assert (found.line, found.line_id, found.category) == ("Northern", "northern", "RealTime")
    assert found.reason == "Northern Line: synthetic minor delays."
    assert (found.begins, found.ends) == (at(7, 30), at(11, 0))
    assert not found.planned


def test_planned_works_are_apart_and_without_markup(payload) -> None:
    [found] = read_itinerary(payload).plans[0].planned_works
    assert found.reason == "synthetic: No Northern line after 2200 on Sunday."
    assert found.planned
    assert found.line == "Northern"


def test_a_disruption_of_a_stop_names_the_stop(payload) -> None:
    [entry] = ride(payload)["disruptions"]
    entry.update(
        type="stopInfo",
        description="North Greenwich: No Step Free Access - a <b>lift</b> is out of order.",
        categoryDescription="StatusAlert",
    )
    [found] = read_itinerary(payload).plans[0].disruptions
    assert (found.line, found.line_id, found.category) == ("North Greenwich", "", "StatusAlert")
    entry["description"] = "No name at all"
    assert read_itinerary(payload).plans[0].disruptions[0].line == "Hampstead Underground Station"


def test_the_same_disruption_is_told_once_and_none_is_lost(payload) -> None:
    [entry] = ride(payload)["disruptions"]
    entry["additionalInfo"] = "Use <i>buses</i>."
    ride(payload)["disruptions"].append({**entry, "created": "2026-11-23T08:30:00"})
    [found] = read_itinerary(payload).plans[0].disruptions
    assert found.reason.endswith("Use buses.")
    ride(payload)["disruptions"] = [{"summary": "synthetic: only a summary", "type": "lineInfo"}]
    assert read_itinerary(payload).plans[0].disruptions[0].reason == "synthetic: only a summary"


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"category": "RealTime"}, "disruptions"),
        ({"category": "StatusAlert"}, "disruptions"),
        ({"category": "Undefined"}, "disruptions"),
        ({}, "disruptions"),
        ({"category": "PlannedWork"}, "planned_works"),
        ({"category": "RealTime", "categoryDescription": "PlannedWork"}, "planned_works"),
        ({"category": "RealTime", "closureText": "plannedClosure"}, "planned_works"),
        ({"category": "Information"}, "notices"),
        ({"category": "Crowding"}, "notices"),
        ({"category": "Event"}, "notices"),
        ({"category": "RealTime", "categoryDescription": "Information"}, "notices"),
        ({"category": "RealTime", "closureText": "information"}, "notices"),
        # The type of closure says that services are hindered, whatever the category.
        ({"category": "Information", "closureText": "severeDelays"}, "disruptions"),
    ],
)
@pytest.mark.parametrize("place", ["lineInfo", "stopInfo"])
def test_a_message_is_a_disruption_by_tfls_own_fields(
    payload, fields: dict[str, str], kind: str, place: str
) -> None:
    entry = {"type": place, "description": "synthetic: said of it.", **fields}
    ride(payload).update(disruptions=[entry], plannedWorks=[], isDisrupted=True)
    [plan] = read_itinerary(payload).plans
    found = {name: getattr(plan, name) for name in ("disruptions", "planned_works", "notices")}
    [told] = found.pop(kind)
    assert told.reason == "synthetic: said of it."
    assert told.planned == (kind == "planned_works")
    assert not any(found.values())


def test_a_message_with_the_words_of_a_line_status_is_what_that_status_is(payload) -> None:
    words = "Northern Line: Trains and stations are busier than usual."
    ride(payload)["disruptions"] = [
        {"type": "lineInfo", "category": "RealTime", "description": words}
    ]
    payload["lines"] = [
        {
            "id": "northern",
            "name": "Northern",
            "modeName": "tube",
            "lineStatuses": [
                {
                    "statusSeverity": 19,
                    "statusSeverityDescription": "Information",
                    "reason": words,
                }
            ],
        }
    ]
    [plan] = read_itinerary(payload).plans
    assert not plan.disruptions
    assert [one.reason for one in plan.notices] == [words]


def test_works_that_are_told_twice_are_one(payload) -> None:
    works = ride(payload)["plannedWorks"][0]["description"]
    ride(payload)["disruptions"] = [
        {"type": "lineInfo", "category": "PlannedWork", "description": works}
    ]
    [plan] = read_itinerary(payload).plans
    assert len(plan.planned_works) == 1
    assert not plan.disruptions


def test_a_mark_without_words_is_told(payload) -> None:
    ride(payload).update(disruptions=[], plannedWorks=[])
    [found] = read_itinerary(payload).plans[0].disruptions
    assert found.line == "Northern"
    assert "no reason" in found.reason


def test_step_free_is_known_only_where_tfl_tells(payload) -> None:
    def told(asked: bool) -> bool | None:
        return read_itinerary(payload, step_free_asked=asked).plans[0].step_free

    assert told(False) is False  # stairs
    ride(payload)["obstacles"][1]["type"] = "ESCALATOR"
    assert told(True) is False
    ride(payload)["obstacles"].pop()
    assert told(False) is None
    assert told(True) is True
    ride(payload)["disruptions"][0]["description"] = "Waterloo: No Step Free Access - lift"
    assert told(True) is None


def test_docking_stations_are_told(payload) -> None:
    payload["cycleHireDockingStationData"] = {
        "originNumberOfBikes": 3,
        "destinationNumberOfEmptySlots": 12,
    }
    said = read_itinerary(payload).cycle_hire
    assert said == "There are 3 hire cycles at the start and 12 free docking points at the end."


@pytest.mark.parametrize("missing", ["departureTime", "arrivalTime", "mode"])
def test_a_plan_with_a_broken_leg_is_left_out_and_told(payload, missing: str) -> None:
    other = copy.deepcopy(payload["journeys"][0])
    del other["legs"][1][missing]
    payload["journeys"].insert(0, other)
    found = read_itinerary(payload)
    assert len(found.plans) == 1
    assert found.unread == ("plan 1 has no legs or times",)


def test_what_is_absent_or_of_another_type_does_no_harm(payload) -> None:
    leg = ride(payload)
    for name in list(leg):
        if name not in ("departureTime", "arrivalTime", "mode"):
            for value in (None, 7, "text", [], {}, [None], [7], True):
                changed = copy.deepcopy(payload)
                ride(changed)[name] = value
                assert len(read_itinerary(changed).plans) == 1, (name, value)
    for name in list(payload):
        for value in (None, 7, "text", {}, [None]):
            if name != "journeys":
                assert len(read_itinerary({**payload, name: value}).plans) == 1, (name, value)


@pytest.mark.parametrize("value", [None, [], "text", {}, {"journeys": {}}, {"journeys": None}])
def test_what_is_no_journey_answer_is_refused(value: Any) -> None:
    with pytest.raises(UnavailableError):
        read_itinerary(value)
