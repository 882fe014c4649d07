"""A journey answer of TfL, read into plans, legs and steps.

Source: `ItineraryResult` of the saved OpenAPI; which fields are read and which are not stands in
`journey_fields`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import Leg, Plan
from groundwire.journeys.options import TimeIs
from groundwire.journeys.tfl.fare_payload import read_fare
from groundwire.journeys.tfl.fields import Node, child, children, text, texts, whole
from groundwire.journeys.tfl.hindrance_payload import step_free
from groundwire.journeys.tfl.journey_fields import new_fields
from groundwire.journeys.tfl.leg_payload import read_leg
from groundwire.journeys.tfl.line_payload import LineStatus, read_line_statuses
from groundwire.journeys.tfl.london_times import london_time, settled


@dataclass(frozen=True, slots=True)
class Itinerary:
    """TfL's answer to a journey.

    Attributes:
        plans: the ways to go, in TfL's order.
        asked_for: the moment TfL planned for, in Europe/London, and what it is.
        time_is: whether `asked_for` is the departure or the arrival.
        earliest, earlier, later, latest: moments to ask for to find other trips.
        lines: how the lines of the plans run.
        stop_messages: what TfL says of stops on the way, without markup.
        cycle_hire: free cycles and docking points, in a sentence, else empty.
        holds_minutes: minutes after which TfL advises to ask again, or None.
        unread: plans that could not be read, in words.
        new_fields: fields that are not known yet, for whoever looks after this reader.
    """

    plans: tuple[Plan, ...]
    asked_for: datetime | None = None
    time_is: TimeIs = "departing"
    earliest: datetime | None = None
    earlier: datetime | None = None
    later: datetime | None = None
    latest: datetime | None = None
    lines: tuple[LineStatus, ...] = ()
    stop_messages: tuple[str, ...] = ()
    cycle_hire: str = ""
    holds_minutes: int | None = None
    unread: tuple[str, ...] = ()
    new_fields: tuple[str, ...] = ()


def read_itinerary(payload: object, *, step_free_asked: bool = False) -> Itinerary:
    """Read a journey answer.

    Args:
        payload: the JSON value, `ItineraryResult` of the OpenAPI.
        step_free_asked: whether a way without stairs and escalators was asked for.

    Returns:
        its plans; one that cannot be read is left out and told in `unread`.

    Raises:
        UnavailableError: the payload is not a journey answer.
    """
    if not isinstance(payload, dict) or not isinstance(cast("Node", payload).get("journeys"), list):
        raise UnavailableError("TfL sent something other than journeys: try again later.")
    node = cast("Node", payload)
    # The lines are a help beside the plans; where they cannot be read the plans still can.
    try:
        statuses = read_line_statuses(node.get("lines") or [])
        lines, unread = statuses.lines, list(statuses.unread)
    except UnavailableError:
        lines, unread = (), ["the status of the lines"]
    plans: list[Plan] = []
    for number, journey in enumerate(cast("list[object]", node["journeys"]), 1):
        read = isinstance(journey, dict)
        plan = _plan(cast("Node", journey), lines, asked=step_free_asked) if read else None
        if plan is None:
            unread.append(f"plan {number} has no legs or times")
        else:
            plans.append(plan)
    criteria = child(node, "searchCriteria")
    adjusted = child(criteria, "timeAdjustments")
    arriving = text(criteria, "dateTimeType").casefold() == "arriving"
    return Itinerary(
        plans=tuple(plans),
        asked_for=london_time(text(criteria, "dateTime")),
        time_is="arriving" if arriving else "departing",
        earliest=_adjustment(adjusted, "earliest"),
        earlier=_adjustment(adjusted, "earlier"),
        later=_adjustment(adjusted, "later"),
        latest=_adjustment(adjusted, "latest"),
        lines=lines,
        stop_messages=tuple(dict.fromkeys(texts(node, "stopMessages"))),
        cycle_hire=_cycle_hire(child(node, "cycleHireDockingStationData")),
        holds_minutes=whole(node, "recommendedMaxAgeMinutes"),
        unread=tuple(unread),
        new_fields=new_fields(node),
    )


def _plan(journey: Node, lines: tuple[LineStatus, ...], *, asked: bool) -> Plan | None:
    start = london_time(text(journey, "startDateTime"))
    arrival = london_time(text(journey, "arrivalDateTime"))
    if start is None or arrival is None:
        return None
    start, arrival = settled(start, arrival, whole(journey, "duration"))
    legs: list[Leg] = []
    for node in children(journey, "legs"):
        leg = read_leg(node, lines, legs[-1].arrival if legs else start)
        if leg is None:
            # A way with a part missing is no way.
            return None
        legs.append(leg)
    if not legs:
        return None
    return Plan(
        start,
        arrival,
        tuple(legs),
        read_fare(journey),
        step_free(legs, asked=asked),
    )


def _adjustment(adjusted: Node, name: str) -> datetime | None:
    """A moment out of `date` (20260529) and `time` (1435)."""
    entry = child(adjusted, name)
    date, clock = text(entry, "date"), text(entry, "time")
    return london_time(f"{date}T{clock}") if date and clock else None


def _cycle_hire(stations: Node) -> str:
    cycles = whole(stations, "originNumberOfBikes")
    free = whole(stations, "destinationNumberOfEmptySlots")
    parts = [
        f"{cycles} hire cycles at the start" if cycles is not None else "",
        f"{free} free docking points at the end" if free is not None else "",
    ]
    said = " and ".join(filter(None, parts))
    return f"There are {said}." if said else ""
