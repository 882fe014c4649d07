"""The fare of a journey."""

from __future__ import annotations

from groundwire.journeys.itinerary import Fare
from groundwire.journeys.tfl.fields import Node, child, children, flag, text, whole

_HOPPER = "Counts as a Hopper fare: more bus and tram trips within the hour cost nothing."


def read_fare(journey: Node) -> Fare | None:
    """The fare of a journey in pence, or None where TfL gives none."""
    fare = child(journey, "fare")
    total = whole(fare, "totalCost")
    parts, caveats = children(fare, "fares"), children(fare, "caveats")
    levels = list(dict.fromkeys(filter(None, (text(part, "chargeLevel") for part in parts))))
    told = [text(caveat, "text") for caveat in caveats]
    if any(flag(part, "isHopperFare") for part in parts):
        told.append(_HOPPER)
    zones = _zones(parts)
    if total is None or total < 0:
        return None
    return Fare(total, " and ".join(levels), zones, tuple(dict.fromkeys(filter(None, told))))


def _zones(parts: list[Node]) -> str:
    """`1` or `1-3`; a fare without zones (the cable car) has zone 0 at both ends."""
    ends = [whole(part, name) for part in parts for name in ("lowZone", "highZone")]
    zones = [zone for zone in ends if zone]
    if not zones:
        return ""
    low, high = min(zones), max(zones)
    return str(low) if low == high else f"{low}-{high}"
