"""Plans to draw, made by hand on the embedded network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from groundwire.journeys.itinerary import LONDON, Fare, Journey, Leg, Place, Plan, Point
from groundwire.journeys.network.model import Network

NINE = datetime(2026, 11, 23, 9, 0, tzinfo=LONDON)
TATE_MODERN = Place("Tate Modern", Point(51.5076, -0.0994), "point_of_interest")


def stop(network: Network, name: str, line_id: str = "") -> Place:
    """The stop of that name, on that line where several have the name."""
    return next(
        one.place
        for one in network.stops.values()
        if one.name == name and (not line_id or line_id in one.lines)
    )


def ride(network: Network, line_id: str, names: Sequence[str], minute: int, lasts: int) -> Leg:
    """A ride from the first of the stops to the last, so many minutes after nine."""
    line = network.lines[line_id]
    stops = [stop(network, name, line_id) for name in names]
    return Leg(
        mode=line.mode,
        origin=stops[0],
        destination=stops[-1],
        departure=NINE + timedelta(minutes=minute),
        arrival=NINE + timedelta(minutes=minute + lasts),
        line_id=line.id,
        line=line.name,
        direction=stops[-1].name,
        path=tuple(one.point for one in stops if one.point is not None),
        stops=tuple(stops[1:]),
    )


def on_foot(
    origin: Place, destination: Place, minute: int, lasts: int, mode: str = "walking"
) -> Leg:
    """A walk straight from one place to the other."""
    ends = (origin.point, destination.point)
    return Leg(
        mode=mode,
        origin=origin,
        destination=destination,
        departure=NINE + timedelta(minutes=minute),
        arrival=NINE + timedelta(minutes=minute + lasts),
        distance_metres=900,
        path=tuple(point for point in ends if point is not None),
    )


def plan(*legs: Leg, fare: int | None = None) -> Plan:
    """The plan of these legs."""
    price = None if fare is None else Fare(fare)
    return Plan(legs[0].departure, legs[-1].arrival, legs, price)


def journey(*plans: Plan, estimated: bool = True, notes: tuple[str, ...] = ()) -> Journey:
    """The journey of these plans."""
    legs = plans[0].legs
    source = "offline_estimate" if estimated else "tfl"
    return Journey(legs[0].origin, legs[-1].destination, plans, source, notes=notes)


def to_tate_modern(network: Network) -> Journey:
    """Three lines of which one is light and one black, and a walk at the end."""
    return journey(
        plan(
            ride(
                network,
                "circle",
                ["King's Cross St. Pancras", "Farringdon", "Barbican", "Moorgate"],
                0,
                8,
            ),
            ride(network, "northern", ["Moorgate", "Bank", "London Bridge"], 12, 5),
            ride(network, "jubilee", ["London Bridge", "Southwark"], 20, 2),
            on_foot(stop(network, "Southwark"), TATE_MODERN, 22, 9),
            fare=310,
        )
    )


def one_line_twice(network: Network) -> Journey:
    """A change from one train of the Northern line to another, which follow the same colour."""
    return journey(
        plan(
            ride(
                network,
                "northern",
                ["Hampstead", "Belsize Park", "Chalk Farm", "Camden Town"],
                0,
                6,
            ),
            ride(network, "northern", ["Camden Town", "Euston", "King's Cross St. Pancras"], 9, 5),
        )
    )


def a_day(network: Network) -> tuple[Journey, tuple[tuple[str, Plan], ...]]:
    """A morning by two lines and the way back in the evening: the day, and its trips by name."""
    out = to_tate_modern(network)
    back = plan(
        on_foot(TATE_MODERN, out.plans[0].legs[-1].origin, 500, 9),
        ride(network, "jubilee", ("Southwark", "Waterloo", "Westminster"), 512, 5),
    )
    plans = (out.plans[0], back)
    whole = Plan(plans[0].start, back.arrival, tuple(leg for one in plans for leg in one.legs))
    day = replace(out, destination=back.legs[-1].destination, plans=(whole,))
    names = ("There", "And back")
    return day, tuple(zip(names, plans, strict=True))
