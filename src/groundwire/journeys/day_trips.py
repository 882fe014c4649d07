"""All trips of a handle as one way, for the map and the calendar of a whole day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Journey, Plan
from groundwire.journeys.looking import Which, kept_plan
from groundwire.journeys.region import Region
from groundwire.journeys.telling import name_of


@dataclass(frozen=True, slots=True)
class DayTrip:
    """A trip of a day with the plan that is taken.

    Attributes:
        index: the journey, from 0.
        plan_index: its plan, from 0.
        journey: the journey.
        plan: the plan.
    """

    index: int
    plan_index: int
    journey: Journey
    plan: Plan

    @property
    def name(self) -> str:
        """From where to where it goes."""
        return f"{name_of(self.journey.origin)} to {name_of(self.journey.destination)}"


@dataclass(frozen=True, slots=True)
class Day:
    """The trips of a day in their order, and those that have no plan to show.

    Attributes:
        trips: by the time at which they begin.
        left_out: what is told of each trip that is not among them.
    """

    trips: tuple[DayTrip, ...]
    left_out: tuple[str, ...]

    @property
    def journey(self) -> Journey:
        """The day as one journey whose one plan has the legs of all trips."""
        first, last = self.trips[0], self.trips[-1]
        journeys = [one.journey for one in self.trips]
        estimated = next((one for one in journeys if one.source == "offline_estimate"), None)
        told = estimated or first.journey
        plan = Plan(
            first.plan.start,
            last.plan.arrival,
            tuple(leg for one in self.trips for leg in one.plan.legs),
        )
        notes = dict.fromkeys(note for one in journeys for note in one.notes)
        return Journey(
            first.journey.origin,
            last.journey.destination,
            (plan,),
            told.source,
            notes=(*notes, *self.left_out),
            unknown_modes=tuple(
                dict.fromkeys(mode for one in journeys for mode in one.unknown_modes)
            ),
            credit=told.credit,
            zone=told.zone,
            planner=told.planner,
            holds_until=told.holds_until,
        )


def day_of(london: Region, owner: str, which: Which) -> Day:
    """Return the trips under a handle: of the journey that is named the plan that is named.

    Of every other trip the first plan is taken. A trip without a plan, and one for a place that is
    not settled, is left out and told.

    Raises:
        NotFoundError, InputError: the plan does not exist, or the trips are of several days.
    """
    chosen = kept_plan(london, owner, which)
    trips: list[DayTrip] = []
    left_out: list[str] = []
    for index, journey in enumerate(london.journeys.get(owner, which.journey_id)):
        called = f"{name_of(journey.origin)} to {name_of(journey.destination)}"
        if index == which.journey_index:
            trips.append(DayTrip(index, which.plan_index, *chosen))
        elif not journey.plans:
            left_out.append(f"The trip {called} has no plan and is left out.")
        elif journey.guess:
            left_out.append(f"The trip {called} is left out until its place is settled.")
        else:
            trips.append(DayTrip(index, 0, journey, journey.plans[0]))
    trips.sort(key=lambda one: one.plan.start)
    days = dict.fromkeys(one.plan.start.date() for one in trips)
    if len(days) > 1:
        listed = ", ".join(day.isoformat() for day in days)
        raise InputError(
            f"The trips of {which.journey_id} are of several days ({listed}): compute the trips of "
            "one day together, or leave whole_day out."
        )
    return Day(tuple(trips), tuple(left_out))


def overlaps(trips: Sequence[DayTrip]) -> tuple[str, ...]:
    """Return what is told of trips that begin before the one before them ends."""
    return tuple(
        f"{after.name} begins before {before.name} ends."
        for before, after in pairwise(trips)
        if after.plan.start < before.plan.arrival
    )
