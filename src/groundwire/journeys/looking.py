"""Details of computed journeys, looked up by their indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.errors import InputError
from groundwire.evidence.records import Draft
from groundwire.journeys import telling
from groundwire.journeys.artefacts.text import describe
from groundwire.journeys.itinerary import Journey, Plan
from groundwire.journeys.proof import prove
from groundwire.journeys.region import Region
from groundwire.journeys.results import ComputedJourney, ComputedPlan
from groundwire.journeys.wording import count, plan_name

Detail = Literal["brief", "full"]


@dataclass(frozen=True, slots=True)
class Which:
    """Which plan of which journey is meant.

    Attributes:
        journey_id: the handle under which journeys were computed.
        journey_index: the journey, from 0.
        plan_index: the plan of that journey, from 0.
    """

    journey_id: str
    journey_index: int
    plan_index: int = 0


def kept(london: Region, owner: str, which: Which) -> Journey:
    """A computed journey.

    Raises:
        NotFoundError: the handle is unknown, another owner's, or has expired.
        InputError: no journey has this index.
    """
    journeys = london.journeys.get(owner, which.journey_id)
    _check("journey_index", which.journey_index, journeys, which.journey_id)
    return journeys[which.journey_index]


def kept_plan(london: Region, owner: str, which: Which) -> tuple[Journey, Plan]:
    """A plan of a computed journey, and the journey.

    Raises:
        NotFoundError: as `kept`.
        InputError: no journey or plan has this index, or the journey has no plans.
    """
    journey = kept(london, owner, which)
    called = f"{telling.name_of(journey.origin)} to {telling.name_of(journey.destination)}"
    called += f" (journey_index {which.journey_index})"
    if not journey.plans:
        raise InputError(f"{called} of {which.journey_id} has no plan: {journey.error}")
    _check("plan_index", which.plan_index, journey.plans, called)
    return journey, journey.plans[which.plan_index]


def _check(param: str, index: int, items: Sequence[object], of: str) -> None:
    if not 0 <= index < len(items):
        there = "0" if len(items) == 1 else f"0 to {len(items) - 1}"
        raise InputError(f"There is no {param} {index} in {of}: send {there}.")


def get_computed_journey(london: Region, owner: str, which: Which) -> tuple[ComputedJourney, Draft]:
    """A journey with its plans and their legs.

    Raises:
        NotFoundError, InputError: as `kept`.
    """
    journey = kept(london, owner, which)
    find = london.ways_around(journey)
    item = telling.journey_item(which.journey_index, journey, find)
    said = f"{item.from_} to {item.to}: "
    if journey.plans:
        first = telling.in_a_sentence(journey.plans[0], journey, london.now())
        said += f"{count(len(journey.plans), 'plan')}; the first {first}."
        said += telling.caveats(journey)
    else:
        said += journey.error
    result = ComputedJourney(
        answer=said,
        journey_id=which.journey_id,
        journey_index=which.journey_index,
        from_=item.from_,
        to=item.to,
        via=item.via,
        source=journey.source,
        plans=[telling.legs_item(i, plan, find) for i, plan in enumerate(journey.plans)],
        notes=item.notes,
        error=item.error,
        credit=journey.credit,
    )
    plans = [(journey, plan) for plan in journey.plans]
    return result, prove([journey], plans, legs=True, lines=london.line_names())


def get_computed_journey_plan(
    london: Region, owner: str, which: Which, detail: Detail
) -> tuple[ComputedPlan, Draft]:
    """A plan in detail.

    Raises:
        NotFoundError, InputError: as `kept_plan`.
    """
    journey, plan = kept_plan(london, owner, which)
    find = london.ways_around(journey)
    full = detail == "full"
    result = ComputedPlan(
        answer=f"{telling.name_of(journey.origin)} to {telling.name_of(journey.destination)}: "
        f"{plan_name(which.plan_index)} {telling.in_a_sentence(plan, journey, london.now())}."
        f"{telling.caveats(journey)}",
        journey_id=which.journey_id,
        journey_index=which.journey_index,
        plan_index=which.plan_index,
        source=journey.source,
        text=describe(plan, journey, detail),
        legs=[telling.leg_item(leg) for leg in plan.legs],
        steps=telling.steps(plan.legs) if full else [],
        obstacles=telling.obstacles(plan.legs),
        disruptions=telling.hindrances(plan.disruptions, plan, find) or None,
        planned_works=telling.hindrances(plan.planned_works, plan, find) or None,
        notices=telling.notices(plan.notices) or None,
        fare_pence=plan.fare.total_pence if plan.fare else None,
        fare_notes=list(plan.fare.caveats) if plan.fare and plan.fare.caveats and full else None,
        step_free=plan.step_free,
        notes=list(journey.notes) or None,
        credit=journey.credit,
    )
    return result, prove([journey], [(journey, plan)], legs=True, lines=london.line_names())
