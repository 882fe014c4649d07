"""Distances on foot: metres between two positions, and how long they take to walk.

Streets are not known here. A walk is taken to be longer than the straight line by a third, which
is a usual figure for the streets of a city; so every walking time of the network is an estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, hypot, radians

from groundwire.journeys.itinerary import Point

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
