"""Plans made by hand, and those that TfL sent."""

from __future__ import annotations

from datetime import datetime

from recorded import recorded

from groundwire.evidence.records import Draft, Record
from groundwire.journeys.itinerary import LONDON, Journey, Leg, Place, Plan, Point, Source
from groundwire.journeys.tfl.journey_payload import read_itinerary

KINGS_CROSS = Place(
    "King's Cross St. Pancras Underground Station", Point(51.5308, -0.1238), "stop", "940GZZLUKSX"
)
OXFORD_CIRCUS = Place(
    "Oxford Circus Underground Station", Point(51.5152, -0.1419), "stop", "940GZZLUOXC"
)
TATE_MODERN = Place("Tate Modern", Point(51.5076, -0.0994), "point_of_interest")


def london(*parts: int, fold: int = 0) -> datetime:
    return datetime(*parts, tzinfo=LONDON, fold=fold)  # type: ignore[arg-type]


def sent(name: str) -> tuple[Plan, Journey]:
    """The first plan of a recorded journey, and the journey."""
    payload = recorded(f"journey/ridgeview_{name}.json")
    plans = read_itinerary(payload if "journeys" in payload else {"journeys": [payload]}).plans
    origin, destination = plans[0].legs[0].origin, plans[0].legs[-1].destination
    return plans[0], Journey(origin, destination, plans, "tfl")


def ride(departure: datetime, minutes: int = 10, **more: object) -> Leg:
    """A ride on the Victoria line; times are counted in minutes that pass."""
    arrival = datetime.fromtimestamp(departure.timestamp() + minutes * 60, LONDON)
    given: dict[str, object] = {
        "mode": "tube",
        "origin": KINGS_CROSS,
        "destination": OXFORD_CIRCUS,
        "departure": departure,
        "arrival": arrival,
        "line_id": "victoria",
        "line": "Victoria",
        "direction": "Brixton Underground Station",
    }
    return Leg(**(given | more))  # type: ignore[arg-type]


def made(*legs: Leg, source: Source = "tfl", **more: object) -> tuple[Plan, Journey]:
    """A plan of these legs and its journey."""
    plan = Plan(legs[0].departure, legs[-1].arrival, legs, **more)  # type: ignore[arg-type]
    return plan, Journey(legs[0].origin, legs[-1].destination, (plan,), source)


def record(draft: Draft) -> Record:
    """The draft as the ledger keeps it."""
    return Record(
        evidence_id="ev_1", sequence=1, owner="ada", tool="compute_journey_plans", arguments={},
        created="2026-11-21T09:00:00.000Z", draft=draft, payload_hash=None, payload_size=None,
        payload_cut=False, previous_hash="", hash="",
    )  # fmt: skip
