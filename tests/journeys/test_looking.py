"""Computed journeys looked at by their indices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from opened import opened
from plans import KINGS_CROSS, OXFORD_CIRCUS, made, ride, sent
from plans import london as at

from groundwire.errors import InputError, NotFoundError
from groundwire.journeys.computed_journeys import (
    Which,
    get_computed_journey,
    get_computed_journey_plan,
    kept_plan,
)
from groundwire.journeys.itinerary import Disruption, Journey
from groundwire.journeys.london import London

NINE = at(2026, 11, 23, 9, 0)


@pytest.fixture
def london(tmp_path: Path) -> Iterator[London]:
    london = opened(tmp_path / "home")
    yield london
    london.close()


def keep(london: London, *journeys: Journey) -> str:
    return london.journeys.create("ada", journeys)


def test_a_journey_with_its_legs(london: London) -> None:
    _, journey = sent("journeyResultsKingsXToWaterlooNow")
    result, draft = get_computed_journey(london, "ada", Which(keep(london, journey), 0))
    assert result.answer.startswith("King's Cross St. Pancras to Waterloo: 3 plans; the first")
    assert [len(plan.legs) for plan in result.plans] == [2, 2, 2]
    assert result.plans[0].legs[0].stops == ["Euston", "Warren Street", "Oxford Circus"]
    assert {"14:41", "14:55", "3.00"} <= {value.value for value in draft.values}


def test_a_plan_in_brief_and_in_full(london: London) -> None:
    _, journey = sent("journeyByBusLong")
    which = Which(keep(london, journey), 0)
    brief, _ = get_computed_journey_plan(london, "ada", which, "brief")
    full, _ = get_computed_journey_plan(london, "ada", which, "full")
    assert brief.steps == [] and full.steps
    assert len(brief.text) < len(full.text)
    assert brief.legs == full.legs
    assert brief.fare_notes is None


def test_a_disruption_is_told_whole_with_the_way_around(london: London) -> None:
    reason = "No trains run. " * 60
    delays = Disruption("Victoria", reason, "victoria", planned=True)
    hindered = ride(NINE, disruptions=(delays,), planned_works=(delays,))
    plan, journey = made(hindered)
    other, _ = made(ride(NINE, 20, line_id="piccadilly", line="Piccadilly"))
    both = replace(journey, plans=(plan, other))
    which = Which(keep(london, both), 0)
    told, _ = get_computed_journey_plan(london, "ada", which, "brief")
    (one,) = told.disruptions or []
    assert one.reason == reason
    assert one.alternative == "plan 2 (plan_index 1), by the Piccadilly line, arrives at 09:20"
    assert told.planned_works == told.disruptions
    short, _ = get_computed_journey(london, "ada", which)
    (shortened,) = short.plans[0].disruptions or []
    assert shortened.reason.endswith("…") and len(shortened.reason) <= 300


@pytest.mark.parametrize(
    ("journey_index", "plan_index", "says"),
    [
        (2, 0, "There is no journey_index 2 in jo_.*: send 0 to 1"),
        (-1, 0, "There is no journey_index -1"),
        (
            0,
            1,
            r"no plan_index 1 in .* to Oxford Circus \(journey_index 0\): send 0",
        ),
        (0, -1, "There is no plan_index -1"),
        (1, 0, r"Oxford Circus \(journey_index 1\) of jo_.* has no plan: TfL finds none."),
    ],
)
def test_an_index_that_is_not_there(
    london: London, journey_index: int, plan_index: int, says: str
) -> None:
    _, journey = made(ride(NINE))
    failed = Journey(KINGS_CROSS, OXFORD_CIRCUS, (), "tfl", error="TfL finds none.")
    handle = keep(london, journey, failed)
    with pytest.raises(InputError, match=says):
        kept_plan(london, "ada", Which(handle, journey_index, plan_index))


def test_a_journey_without_plans_says_why(london: London) -> None:
    failed = Journey(KINGS_CROSS, OXFORD_CIRCUS, (), "tfl", error="TfL finds none.")
    _, other = made(ride(NINE))
    result, _ = get_computed_journey(london, "ada", Which(keep(london, failed, other), 0))
    assert result.answer == "King's Cross St. Pancras to Oxford Circus: TfL finds none."
    assert result.plans == []


def test_another_owner_finds_nothing(london: London) -> None:
    _, journey = made(ride(NINE))
    with pytest.raises(NotFoundError):
        get_computed_journey(london, "eve", Which(keep(london, journey), 0))
