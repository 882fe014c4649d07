"""Plans of a planner held against the question: what contradicts it or itself is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from groundwire.journeys.itinerary import Leg, Place, Plan
from groundwire.journeys.network.model import metres_between
from groundwire.journeys.remote.protocols import Legs, Question
from groundwire.journeys.spoken_times import count

_NEAR = 1_500.0
"""Metres from the place that was asked for within which a plan may begin or end."""
_APART = 1_000.0
"""Metres between the end of one leg and the begin of the next."""
_LONGEST = timedelta(hours=48)
_FASTEST = 350.0
"""Metres a second on the ground: no train is faster, and only planes are let pass."""
_WALK = 4.0


@dataclass(frozen=True, slots=True)
class Checked:
    """Plans that hold, and why others do not."""

    plans: tuple[Plan, ...]
    notes: tuple[str, ...]


def checked_plans(found: Sequence[Legs], question: Question, zone: ZoneInfo) -> Checked:
    """The plans that answer the question and hold together.

    Args:
        found: the plans, each its legs.
        question: what was asked.
        zone: the time zone in which moments are told.
    """
    plans: list[Plan] = []
    reasons: dict[str, int] = {}
    for raw in found:
        legs = _named(raw, question)
        reason = _wrong(legs, question)
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        local = tuple(_in_zone(one, zone) for one in legs)
        plans.append(Plan(local[0].departure, local[-1].arrival, local))
    notes = [
        f"{count(number, 'plan')} of the planner {'is' if number == 1 else 'are'} left out: {why}."
        for why, number in reasons.items()
    ]
    return Checked(tuple(dict.fromkeys(plans)), tuple(notes))


def _named(legs: Legs, question: Question) -> Legs:
    """Legs whose ends have the names that were asked for, where planners say START and END."""
    first, last = legs[0], legs[-1]
    told = list(legs)
    if not first.origin.stop_id and _near(first.origin, question.origin):
        told[0] = replace(first, origin=question.origin)
    if not last.destination.stop_id and _near(last.destination, question.destination):
        told[-1] = replace(told[-1], destination=question.destination)
    return tuple(told)


def _wrong(legs: Legs, question: Question) -> str:
    """Say what is wrong with a plan, or return ""."""
    start, end = legs[0].departure, legs[-1].arrival
    if question.arriving and end > question.when + timedelta(minutes=1):
        return "it arrives after the time that was asked for"
    if not question.arriving and start < question.when - timedelta(minutes=1):
        return "it leaves before the time that was asked for"
    if end - start > _LONGEST:
        return "it takes more than two days"
    for one, other in pairwise(legs):
        if other.departure < one.arrival:
            return "a leg leaves before the one before it arrives"
        if not _near(one.destination, other.origin, _APART):
            return "a leg begins where the one before it does not end"
    if not _near(legs[0].origin, question.origin):
        return "it does not begin where it was asked for"
    if not _near(legs[-1].destination, question.destination):
        return "it does not end where it was asked for"
    if any(map(_too_fast, legs)):
        return "a leg is faster than anything on the ground"
    if question.modes is not None and any(
        leg.is_ride and leg.mode not in question.modes for leg in legs
    ):
        return "it uses modes that may not be used"
    return ""


def _too_fast(leg: Leg) -> bool:
    one, other = leg.origin.point, leg.destination.point
    if one is None or other is None or leg.mode == "plane":
        return False
    metres = metres_between(one, other)
    seconds = max((leg.arrival - leg.departure).total_seconds(), 60)
    return metres / seconds > (_WALK if leg.mode == "walking" else _FASTEST)


def _near(one: Place, other: Place, metres: float = _NEAR) -> bool:
    if one.point is None or other.point is None:
        return True
    return metres_between(one.point, other.point) <= metres


def _in_zone(leg: Leg, zone: ZoneInfo) -> Leg:
    planned = leg.scheduled_departure, leg.scheduled_arrival
    moved = [one.astimezone(zone) if one else None for one in planned]
    return replace(
        leg,
        departure=leg.departure.astimezone(zone),
        arrival=leg.arrival.astimezone(zone),
        scheduled_departure=moved[0],
        scheduled_arrival=moved[1],
    )
