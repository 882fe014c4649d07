"""What records of plans state beside their values: legs, order, changes, absence, sources."""

from __future__ import annotations

from dataclasses import replace

import pytest
from opened import asked_for, done
from plans import KINGS_CROSS, OXFORD_CIRCUS, made, ride, sent
from plans import london as at

from groundwire.evidence.records import Draft, Names, Statement
from groundwire.journeys.computed_journeys import (
    Which,
    get_computed_journey,
    get_computed_journey_plan,
)
from groundwire.journeys.itinerary import Disruption, Journey, Misplaced, Place, Plan
from groundwire.journeys.london import London
from groundwire.journeys.making import Request, Trip, make_journeys
from groundwire.journeys.proof import prove
from groundwire.journeys.telling import name_of

NINE = at(2026, 11, 23, 9, 0)
BRIXTON = Place("Brixton Underground Station", None, "stop", "940GZZLUBXN")


def proven(*journeys: Journey, legs: bool = True, trips: int | None = None) -> Draft:
    plans = [(journey, plan) for journey in journeys for plan in journey.plans]
    return prove(list(journeys), plans, legs=legs, trips=trips)


def of(draft: Draft, kind: str, predicate: str = "") -> list[Statement]:
    return [
        one
        for one in draft.statements
        if one.kind == kind and (not predicate or predicate in one.predicate)
    ]


def objects(statement: Statement, predicate: str) -> tuple[Names, ...]:
    """The objects of the one condition whose label is this predicate."""
    (found,) = [one for one in statement.conditions if one.predicate[0] == predicate]
    return found.objects


def labels(statement: Statement) -> list[str]:
    return [names[0] for names in statement.objects]


@pytest.fixture
def changing() -> tuple[Plan, Journey]:
    """A plan with a change at Oxford Circus, and a walk at its end."""
    return made(
        ride(NINE, stops=(Place("Euston"), OXFORD_CIRCUS)),
        ride(
            NINE.replace(minute=15),
            5,
            line_id="bakerloo",
            line="Bakerloo",
            direction="Elephant & Castle Underground Station",
            origin=OXFORD_CIRCUS,
            destination=Place("Charing Cross Underground Station", None, "stop"),
        ),
    )


def test_a_leg_is_a_part_in_its_place(changing: tuple[Plan, Journey]) -> None:
    first, second = of(proven(changing[1]), "part")
    assert (first.position, second.position) == (1, 2)
    assert first.subject[:3] == (
        "plan 1",
        "first plan",
        "King's Cross St. Pancras to Charing Cross",
    )
    assert objects(first, "mode")[0][0] == "tube"
    assert objects(first, "line") == (("Victoria line", "Victoria"),)
    assert objects(first, "from") == (("King's Cross St. Pancras",),)
    assert objects(first, "to")[0][0] == "Oxford Circus"
    assert objects(first, "towards")[0][0] == "Brixton"
    assert (objects(first, "departs"), objects(first, "arrives")) == ((("09:00",),), (("09:10",),))
    (minutes,) = [one for one in second.conditions if one.predicate[0] == "minutes"]
    assert (minutes.objects, minutes.unit) == ((("5",),), "min")
    assert objects(first, "stops") == (("2",),)
    assert [names[0] for names in objects(first, "calls at")] == ["Euston", "Oxford Circus"]


def test_lines_and_changes_are_told_in_their_order(changing: tuple[Plan, Journey]) -> None:
    draft = proven(changing[1])
    (lines,) = of(draft, "order", "line")
    assert (labels(lines), lines.complete) == (["Victoria line", "Bakerloo line"], "all_listed")
    (changes,) = of(draft, "order", "change")
    assert {"interchange", "umsteigen", "换乘"} <= set(changes.predicate)
    assert (labels(changes), changes.complete) == (["Oxford Circus"], "all_listed")
    assert changes.value is not None
    assert draft.values[changes.value].name == "interchanges"
    assert draft.values[changes.value].value == "1"


def test_a_change_between_two_stations_has_both_names() -> None:
    bank = Place("Bank Underground Station", None, "stop")
    monument = Place("Monument Underground Station", None, "stop")
    _, journey = made(ride(NINE, destination=bank), ride(NINE.replace(minute=15), origin=monument))
    (changes,) = of(proven(journey), "order", "change")
    assert {"Bank", "Monument"} <= set(changes.objects[0])


def test_a_direct_plan_has_no_change() -> None:
    _, journey = made(ride(NINE))
    draft = proven(journey, legs=False)
    assert of(draft, "order", "change") == []
    (absence,) = of(draft, "absence", "change")
    assert absence.subject[0] == "plan 1"


def test_another_line_that_serves_a_leg_leaves_the_lines_open() -> None:
    _, journey = made(ride(NINE, also=("Piccadilly",)))
    draft = proven(journey)
    assert of(draft, "order", "line")[0].complete == ""
    (line,) = [one for one in of(draft, "part")[0].conditions if one.predicate[0] == "line"]
    assert line.operator == "any_of"
    assert [names[0] for names in line.objects] == ["Victoria line", "Piccadilly line"]


def test_without_legs_no_part_and_no_change_is_told(changing: tuple[Plan, Journey]) -> None:
    draft = proven(changing[1], legs=False)
    assert of(draft, "part") == [] and of(draft, "order", "change") == []
    assert len(of(draft, "order", "line")) == 1


def test_a_trip_begins_and_ends_somewhere(changing: tuple[Plan, Journey]) -> None:
    draft = proven(replace(changing[1], via=OXFORD_CIRCUS))
    (begins,), (ends,) = of(draft, "relation", "from"), of(draft, "relation", "to")
    assert begins.objects[0][1:3] == ("King's Cross St. Pancras Underground Station", "国王十字")
    assert (labels(begins), begins.complete) == (["King's Cross St. Pancras"], "all_listed")
    assert (labels(ends), ends.complete) == (["Charing Cross"], "all_listed")
    assert labels(of(draft, "relation", "via")[0]) == ["Oxford Circus"]


def test_trips_of_a_day_are_in_their_order() -> None:
    _, there = made(ride(NINE))
    _, back = made(ride(NINE.replace(hour=18), 25, origin=OXFORD_CIRCUS, destination=KINGS_CROSS))
    draft = proven(there, back)
    (trips,) = of(draft, "order", "trip")
    assert labels(trips) == [
        "King's Cross St. Pancras to Oxford Circus",
        "Oxford Circus to King's Cross St. Pancras",
    ]
    first, second = of(draft, "part")
    assert ("first trip" in first.subject, "first trip" in second.subject) == (True, False)
    assert of(proven(there, back, trips=1), "order", "trip") == []


def test_places_that_plans_miss_are_told() -> None:
    _, journey = made(ride(NINE))
    away = Misplaced("destination", "Waterloo", "Waterloo Road, Uxbridge", 27_100, (0,))
    missed = Misplaced("via", "Bank")
    draft = proven(replace(journey, via=Place("Bank"), misplaced=(away, missed)))
    trip, plan = of(draft, "relation", "to")
    assert (trip.complete, plan.complete) == ("", "")
    assert (plan.subject[0], labels(plan)) == ("plan 1", ["Waterloo Road, Uxbridge"])
    assert plan.conditions[0].objects == (("Waterloo",),)
    assert of(draft, "relation", "via") == []
    (absent,) = of(draft, "absence", "via")
    assert labels(absent) == ["Bank"]


def test_what_hinders_a_plan_is_all_that_the_planner_names() -> None:
    delays = Disruption("Victoria", "Delays.", "victoria")
    _, journey = made(ride(NINE, disruptions=(delays,)))
    draft = proven(journey)
    (hindered,) = of(draft, "relation", "disruption")
    assert (hindered.objects, hindered.complete) == (
        (("Victoria line", "Victoria"),),
        "all_listed",
    )
    assert len(of(draft, "absence", "planned works")) == 1
    assert len(of(proven(made(ride(NINE))[1]), "absence", "disruption")) == 1


def test_an_estimate_says_what_it_does_not_know() -> None:
    _, journey = made(ride(NINE), source="offline_estimate")
    draft = proven(replace(journey, unknown_modes=("bus", "national-rail")))
    (source,) = of(draft, "source")
    assert "the embedded network" in source.subject
    assert "estimate" in source.conditions[0].objects[0]
    absent = {one.subject[0]: one for one in of(draft, "absence", "live data")}
    assert {"buses", "National Rail", "the embedded network"} == set(absent)
    unknown = ["timetable", "fare", "disruption", "step-free"]
    assert labels(absent["the embedded network"]) == unknown
    assert of(draft, "absence", "disruption") == []


def test_a_plan_of_tfl_is_from_tfl() -> None:
    (source,) = of(proven(made(ride(NINE))[1]), "source")
    assert {"TfL", "TfL Journey Planner"} <= set(source.subject)
    assert source.conditions == ()


def test_step_free_is_told_only_where_it_is_known() -> None:
    assert of(proven(made(ride(NINE))[1]), "relation", "step-free") == []
    _, journey = made(ride(NINE), step_free=False)
    assert labels(of(proven(journey), "relation", "step-free")[0]) == ["no"]


def test_a_trip_without_a_plan_has_none() -> None:
    journey = Journey(KINGS_CROSS, BRIXTON, (), "tfl", None, "No way is known.")
    (absence,) = of(proven(journey), "absence")
    assert absence.subject[0] == "King's Cross St. Pancras to Brixton"
    assert "plan" in absence.predicate


@pytest.mark.parametrize("name", ["journeyByBusLong", "journeyByTube", "journeyByNationalRail"])
def test_the_legs_of_recorded_plans_are_all_told(name: str) -> None:
    plan, journey = sent(name)
    draft = prove([journey], [(journey, plan)], legs=True)
    parts = of(draft, "part")
    assert [one.position for one in parts] == list(range(1, len(plan.legs) + 1))
    assert [names[0] for one in parts for names in objects(one, "from")] == [
        name_of(leg.origin) for leg in plan.legs
    ]


def test_words_that_may_be_several_places_are_stated(offline: London) -> None:
    result, draft = done(offline, make_journeys, "ada", asked_for("Ealing", "Bank"))
    assert result.answer.startswith("Ealing may be ")
    (may_be,) = of(draft, "relation", "may be")
    assert may_be.subject == ("Ealing",)
    assert {one.name for one in result.options or []} <= {
        name for names in may_be.objects for name in names
    }
    (likely,) = [one for one in draft.values if one.name == "number of likely journeys"]
    assert f"{likely.value} likely journey" in result.answer


def test_words_that_are_read_as_a_place_are_stated(offline: London) -> None:
    _, draft = done(offline, make_journeys, "ada", asked_for("Kings X", "Bank"))
    (read_as,) = of(draft, "relation", "read as")
    assert read_as.subject == ("Kings X",)
    assert read_as.objects[0][0].startswith("King's Cross")


def test_every_line_and_place_of_an_answer_stands_in_its_record(offline: London) -> None:
    request = Request((Trip("Brixton", "Bank"), Trip("", "Stratford")))

    async def both(london: London) -> list[tuple[str, Draft]]:
        result, draft = await make_journeys(london, "ada", request)
        which = Which(result.journey_id or "", 0)
        journey, of_journey = get_computed_journey(london, "ada", which)
        plan, of_plan = get_computed_journey_plan(london, "ada", which, "full")
        return [(result.answer, draft), (journey.answer, of_journey), (plan.text, of_plan)]

    names = {line.name for line in offline.network.lines.values()}
    names |= {"Brixton", "Bank", "Stratford", "Stockwell"}
    for answer, draft in done(offline, both):
        held = {one.value for one in draft.values}
        for one in draft.statements:
            held.update(one.subject)
            held.update(name for object_names in one.objects for name in object_names)
            for condition in one.conditions:
                held.update(name for object_names in condition.objects for name in object_names)
        said = {name for name in names if f" {name} line" in answer or f"{name} to" in answer}
        assert said and said <= held
