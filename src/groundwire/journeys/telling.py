"""Journeys, plans and legs as the tools answer them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from groundwire.journeys.itinerary import Disruption, Journey, Leg, Place, Plan
from groundwire.journeys.lines.names import services_of
from groundwire.journeys.planning.places_taken import told_of
from groundwire.journeys.results import (
    DisruptionItem,
    JourneyItem,
    LegItem,
    LegsItem,
    ObstacleItem,
    PlanItem,
    StepItem,
)
from groundwire.journeys.wording import (
    clock,
    day,
    duration,
    listed,
    london_day,
    moment,
    place_name,
    ridden,
    sentence,
)

# Finds the way around a disruption of a plan, in words.
WayAround = Callable[[Disruption, Plan], str]


@dataclass(frozen=True, slots=True)
class Room:
    """How much of journeys is told at once; `get_computed_journey` tells more of one.

    Attributes:
        reason: characters of the reason of a disruption: so much says what it is about.
        plans: plans of a journey, or None for all of them.
    """

    reason: int = 300
    plans: int | None = None


# From all that is told to the least, for journeys that are too many to tell all of each.
ROOMS = (Room(), Room(120), Room(80, 2), Room(60, 1))


def journey_item(
    index: int,
    journey: Journey,
    around: WayAround,
    room: Room = ROOMS[0],
    *,
    trip: int | None = None,
) -> JourneyItem:
    """A journey with its plans as metadata.

    Args:
        index: its index under its handle.
        journey: the journey.
        around: finds the way around a disruption.
        room: how much is told of it.
        trip: the position, from 1, of the trip in the request that it was planned for.
    """
    return JourneyItem(
        journey_index=index,
        trip=trip,
        from_=name_of(journey.origin),
        to=name_of(journey.destination),
        via=name_of(journey.via) if journey.via else None,
        source=journey.source,
        plans=[
            plan_item(number, one, around, room.reason)
            for number, one in enumerate(journey.plans[: room.plans])
        ],
        notes=list(journey.notes) or None,
        error=journey.error or None,
    )


def shared_notes(items: Sequence[JourneyItem]) -> list[str]:
    """Take the notes that hold for all journeys with plans out of them, to be told once."""
    planned = [item for item in items if item.plans]
    shared = [
        note
        for note in (planned[0].notes or () if planned else ())
        if all(note in (item.notes or ()) for item in planned)
    ]
    for item in items:
        item.notes = [note for note in item.notes or () if note not in shared] or None
    return shared


def plan_item(index: int, plan: Plan, around: WayAround, reason: int = ROOMS[0].reason) -> PlanItem:
    """A plan without its legs."""
    return PlanItem(
        plan_index=index,
        start=plan.start.isoformat(),
        arrival=plan.arrival.isoformat(),
        duration_minutes=plan.duration_minutes,
        modes=list(plan.modes),
        lines=list(plan.lines),
        interchanges=plan.interchanges,
        stops=stops_ridden(plan),
        walking_minutes=plan.walking_minutes,
        fare_pence=plan.fare.total_pence if plan.fare else None,
        step_free=plan.step_free,
        disruptions=_hindrances(plan.disruptions, plan, around, reason),
        planned_works=_hindrances(plan.planned_works, plan, around, reason),
        notices=_notices(plan.notices, reason),
    )


def stops_ridden(plan: Plan) -> int | None:
    """Count the stops that the rides of a plan call at after those where they begin.

    None where a ride does not tell its stops.
    """
    rides = plan.rides
    return sum(len(leg.stops) for leg in rides) if all(leg.stops for leg in rides) else None


def legs_item(index: int, plan: Plan, around: WayAround) -> LegsItem:
    """A plan with its legs."""
    metadata = plan_item(index, plan, around).model_dump(exclude_none=True)
    return LegsItem.model_validate({**metadata, "legs": [leg_item(leg) for leg in plan.legs]})


def hindrances(found: Sequence[Disruption], plan: Plan, around: WayAround) -> list[DisruptionItem]:
    """Disruptions of a plan with their whole reasons."""
    return _hindrances(found, plan, around, None) or []


def _hindrances(
    found: Sequence[Disruption], plan: Plan, around: WayAround, longest: int | None
) -> list[DisruptionItem] | None:
    items = [
        DisruptionItem(
            line=one.line,
            reason=_shortened(one.reason, longest),
            alternative=around(one, plan) or None,
        )
        for one in found
    ]
    return items or None


def notices(found: Sequence[Disruption]) -> list[DisruptionItem]:
    """Notices of a plan in their whole words."""
    return _notices(found, None) or []


def _notices(found: Sequence[Disruption], longest: int | None) -> list[DisruptionItem] | None:
    items = [DisruptionItem(line=one.line, reason=_shortened(one.reason, longest)) for one in found]
    return items or None


def _shortened(text: str, longest: int | None) -> str:
    if longest is None or len(text) <= longest:
        return text
    return text[: longest - 1].rsplit(" ", 1)[0] + "…"


def leg_item(leg: Leg) -> LegItem:
    """A leg: what is taken from where to where, and when."""
    return LegItem(
        mode=leg.mode,
        line=leg.line or None,
        direction=leg.direction or None,
        also=list(leg.also) or None,
        from_=name_of(leg.origin),
        to=name_of(leg.destination),
        platform=leg.origin.platform or None,
        departure=leg.departure.isoformat(),
        arrival=leg.arrival.isoformat(),
        duration_minutes=leg.duration_minutes,
        distance_metres=leg.distance_metres,
        stops=[name_of(stop) for stop in leg.stops] or None,
        summary=sentence(leg),
        timing=leg.timing,
    )


def steps(legs: Iterable[Leg]) -> list[StepItem]:
    """The instructions of legs, each with the number of its leg, from 1."""
    return [
        StepItem(leg=number, instruction=one.instruction, distance_metres=one.distance_metres)
        for number, leg in enumerate(legs, 1)
        for one in leg.steps
    ]


def obstacles(legs: Iterable[Leg]) -> list[ObstacleItem]:
    """Stairs, lifts and the like of legs, each with the number of its leg, from 1."""
    return [
        ObstacleItem(
            leg=number,
            kind=one.kind,
            incline=one.incline or None,
            position=one.position or None,
        )
        for number, leg in enumerate(legs, 1)
        for one in leg.obstacles
    ]


def name_of(place: Place) -> str:
    """A place as people call it."""
    return place_name(place)


def caveats(journey: Journey) -> str:
    """Say what else an answer about a plan of a journey has to tell, in short, or return ""."""
    return "".join(f" {told_of(one)}" for one in journey.misplaced) + estimate_told([journey])


NOT_KNOWN = "Not known offline, and perhaps quicker"
"""How an answer names the modes that estimates leave out."""


def estimate_told(journeys: Iterable[Journey]) -> str:
    """Say which plans of an answer are estimates, and of what service, or return ""."""
    estimated = [one for one in journeys if one.plans and one.source == "offline_estimate"]
    if not estimated:
        return ""
    modes = dict.fromkeys(mode for one in estimated for mode in one.unknown_modes)
    named = listed([services_of(mode) for mode in modes])
    unknown = f" {NOT_KNOWN}: {named}." if named else ""
    service = dict.fromkeys(said for one in estimated for said in one.service)
    return f"{''.join(f' {said}' for said in service)}{unknown} Times are estimates."


def in_a_sentence(plan: Plan, journey: Journey, now: datetime) -> str:
    """A plan in one clause: "leaves at 14:41 on Monday 23 November, arrives at 14:55 (14 minutes)".

    Args:
        plan: one of the journey's plans.
        journey: says who planned it.
        now: a moment of the year that need not be named.
    """
    roughly = "about " if journey.source == "offline_estimate" else ""
    took = f"{roughly}{duration(plan.duration_minutes)}"
    return (
        f"leaves at {clock(plan.start)} on {day(london_day(plan.start), london_day(now))}, "
        f"arrives at {roughly}"
        f"{moment(plan.arrival, plan.start)} ({took}), {ridden(plan)}"
    )
