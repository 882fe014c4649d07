"""Ways on foot and by bike, estimated from the distance: streets are not known here.

A way is taken to be longer than the straight line by a third, which is a usual figure for the
streets of a city; so every such time of the network is an estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from math import cos, hypot, radians

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Leg, Place, Plan, Point
from groundwire.journeys.options import Options

METRES_PER_DEGREE = 111_195.0
DETOUR = 1.3
# Metres in a minute by the names of the API's `walkingSpeed`: 3.2, 4.5 and 6 kilometres an hour.
PACES: Mapping[str, float] = {"Slow": 54.0, "Average": 75.0, "Fast": 100.0}


def metres_between(one: Point, other: Point) -> float:
    """Metres as the crow flies; right to a thousandth over the size of London."""
    shrink = cos(radians((one.lat + other.lat) / 2))
    return METRES_PER_DEGREE * hypot(one.lat - other.lat, (one.lon - other.lon) * shrink)


def walked(metres: float) -> float:
    """Metres on the ground, of metres as the crow flies."""
    return metres * DETOUR


def walking_minutes(metres: float, speed: str = "") -> float:
    """Minutes to walk a distance given as the crow flies, at a speed of the API (or average)."""
    return walked(metres) / PACES.get(speed.capitalize(), PACES["Average"])


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
