from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from groundwire.journeys.conditions import Condition, conditions_of, step_free_stops, told
from groundwire.journeys.itinerary import (
    LONDON,
    Journey,
    Leg,
    Obstacle,
    Options,
    Place,
    Plan,
    Source,
)

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)
OVAL, EUSTON, BANK = (
    Place(name, step_free=known)
    for name, known in (("Oval", True), ("Euston", None), ("Bank", False))
)


def ride(origin: Place, end: Place, line: str) -> Leg:
    return Leg("tube", origin, end, NOW, NOW + timedelta(minutes=9), line_id=line, line=line)


PLAN = Plan(NOW, NOW + timedelta(minutes=18), (ride(OVAL, EUSTON, "a"), ride(EUSTON, BANK, "b")))


def of(source: Source, options: Options, plan: Plan = PLAN) -> tuple[Condition, ...]:
    journey = Journey(OVAL, BANK, (plan,), source)
    return conditions_of(journey, options, lambda one: f"the {one} line")


def test_each_condition_is_kept_to_or_named() -> None:
    asked = Options(
        journey_preference="LeastInterchange",
        avoid_lines=("c",),
        cycle_preference="TakeOnTransport",
        accessibility_preference=("StepFreeToVehicle",),
    )
    found = {one.asked: one.standing for one in of("offline_estimate", asked)}
    assert found == {
        "the fewest changes, here 1": "applied",
        "without the c line": "applied",
        "taking the bike on the train": "not_applied",
        "step-free to the vehicle": "not_known",
    }


def test_a_plan_by_what_was_to_be_avoided_is_told() -> None:
    [one] = of("planner", Options(avoid_lines=("b",)))
    assert one.standing == "not_applied"
    [one] = of("tfl", Options(avoid_lines=("B",)))
    assert one.standing == "not_applied"
    [one] = of("tfl", Options(avoid_modes=("tube",)))
    assert one.standing == "not_applied"


def test_what_a_timetable_cannot_do_is_told() -> None:
    for option in (Options(walking_speed="Slow"), Options(max_transfer_minutes=5)):
        assert [one.standing for one in of("timetable", option)] == ["not_applied"]


@pytest.mark.parametrize(
    ("value", "kind", "standing"),
    [
        ("NoSolidStairs", "stairs", "not_applied"),
        ("NoSolidStairs", "lift", "not_known"),
        ("NoEscalators", "escalator", "not_applied"),
        ("NoElevators", "lift", "not_applied"),
    ],
)
def test_an_obstacle_that_tfl_names_is_not_spared(value: str, kind: str, standing: str) -> None:
    leg = replace(PLAN.legs[0], obstacles=(Obstacle(kind),))
    plan = replace(PLAN, legs=(leg, PLAN.legs[1]))
    [one] = of("tfl", Options(accessibility_preference=(value,)), plan)
    assert one.standing == standing


def test_a_bike_on_a_train_is_not_known_of_tfl() -> None:
    [one] = of("tfl", Options(cycle_preference="TakeOnTransport"))
    assert one.standing == "not_known"


def test_of_each_stop_it_is_said_what_is_known_of_its_steps() -> None:
    asked = Options(accessibility_preference=("StepFreeToVehicle",))
    journey = Journey(OVAL, BANK, (PLAN,), "timetable")
    stops = step_free_stops(journey, asked)
    assert stops == (("Oval", True), ("Euston", None), ("Bank", False))
    assert told([], stops, "timetable", step_free=False) == (
        "Step-free by the feed: Oval. Not step-free by the feed: Bank. "
        "Step-free is not known of these stops: Euston."
    )
    assert step_free_stops(journey, Options()) == ()
    known = [("Oval", True)]
    assert "vehicles are step-free" in told([], known, "timetable", step_free=None)
    assert "a vehicle" in told([], known, "timetable", step_free=False)
    assert told([], known, "tfl", step_free=True) == "By TfL the whole way is step-free."
