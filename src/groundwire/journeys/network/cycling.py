"""Ways by bike from end to end, estimated from the distance: streets are not known here."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Leg, Place, Plan
from groundwire.journeys.network.distance import metres_between, walked
from groundwire.journeys.options import Options

# Metres in a minute by the names of the API's `bikeProficiency`: 12, 15 and 20 kilometres an hour.
_PACES = {"Easy": 200.0, "Moderate": 250.0, "Fast": 333.0}
_LONGEST = 40_000.0
CYCLING_NOTE = (
    "The way by bike is estimated from the distance as the crow flies, a third longer, at "
    "15 km/h: streets and hills were not looked at."
)


def by_bike_alone(options: Options) -> bool:
    """Whether nothing but cycling is asked for."""
    return {one.lower() for one in options.mode} == {"cycle"}


def cycled(places: list[Place], options: Options, when: datetime, *, arriving: bool) -> Plan:
    """Return the way by bike from the first of some places by way of the others to the last.

    Args:
        places: two or three.
        options: what is asked for.
        when: the moment to depart at, or to arrive by.
        arriving: whether it is the arrival.

    Raises:
        InputError: a place has no position, or the way is longer than anybody cycles in a town.
    """
    pace = _PACES[options.bike_proficiency[0] if options.bike_proficiency else "Moderate"]
    lengths: list[float] = []
    for one, other in pairwise(places):
        if one.point is None or other.point is None:
            raise InputError("a way by bike needs places whose position is known")
        lengths.append(walked(metres_between(one.point, other.point)))
    if sum(lengths) > _LONGEST:
        raise InputError(
            f"by bike it is more than {_LONGEST / 1000:.0f} km: ask for trains for a part of it"
        )
    minutes = [max(1, round(one / pace)) for one in lengths]
    at = when - timedelta(minutes=sum(minutes)) if arriving else when
    start, legs = at, list[Leg]()
    for (one, other), metres, took in zip(pairwise(places), lengths, minutes, strict=True):
        path = tuple(place.point for place in (one, other) if place.point)
        ends = at + timedelta(minutes=took)
        legs.append(
            Leg(
                "cycle",
                one,
                other,
                at,
                ends,
                distance_metres=round(metres / 10) * 10,
                path=path,
                timing="distance_estimate",
            )
        )
        at = ends
    return Plan(start, at, tuple(legs))
