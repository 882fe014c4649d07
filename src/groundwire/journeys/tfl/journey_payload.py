"""A journey answer of TfL, read into plans, legs and steps.

Source: `ItineraryResult` of the saved OpenAPI and the entities below it. Fields that are read and
fields that are not are listed here; a field in neither list is new and reported, so that nothing of
an answer is dropped in silence.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any, cast

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import Fare, Leg, Plan, TimeIs
from groundwire.journeys.tfl.fields import Node, child, children, flag, text, texts, whole
from groundwire.journeys.tfl.leg_payload import london_time, read_leg, settled, step_free
from groundwire.journeys.tfl.line_payload import LineStatus, read_line_statuses

# Fields of each entity that are read; the entity of those that hold objects, else None.
READ: dict[str, dict[str, str | None]] = {
    "ItineraryResult": {
        "journeys": "Journey",
        "lines": "Line",
        "cycleHireDockingStationData": "DockingStations",
        "stopMessages": None,
        "recommendedMaxAgeMinutes": None,
        "searchCriteria": "SearchCriteria",
    },
    "DockingStations": {"originNumberOfBikes": None, "destinationNumberOfEmptySlots": None},
    "SearchCriteria": {
        "dateTime": None,
        "dateTimeType": None,
        "timeAdjustments": "TimeAdjustments",
    },
    "TimeAdjustments": dict.fromkeys(("earliest", "earlier", "later", "latest"), "TimeAdjustment"),
    "TimeAdjustment": {"date": None, "time": None},
    "Journey": {
        "startDateTime": None,
        "duration": None,
        "arrivalDateTime": None,
        "legs": "Leg",
        "fare": "JourneyFare",
    },
    "JourneyFare": {"totalCost": None, "fares": "Fare", "caveats": "FareCaveat"},
    "Fare": dict.fromkeys(("lowZone", "highZone", "chargeLevel", "isHopperFare")),
    "FareCaveat": {"text": None},
    "Leg": {
        "duration": None,
        "instruction": "Instruction",
        "obstacles": "Obstacle",
        "departureTime": None,
        "arrivalTime": None,
        "departurePoint": "StopPoint",
        "arrivalPoint": "StopPoint",
        "path": "Path",
        "routeOptions": "RouteOption",
        "mode": "Mode",
        "disruptions": "Disruption",
        "plannedWorks": "PlannedWork",
        "distance": None,
        "isDisrupted": None,
        "scheduledDepartureTime": None,
        "scheduledArrivalTime": None,
        "interChangeDuration": None,
        "interChangePosition": None,
    },
    "Instruction": {"summary": None, "detailed": None, "steps": "InstructionStep"},
    "InstructionStep": dict.fromkeys(
        (
            "description",
            "descriptionHeading",
            "turnDirection",
            "streetName",
            "distance",
            "latitude",
            "longitude",
        )
    ),
    "Obstacle": dict.fromkeys(("type", "incline", "stopId", "position")),
    "StopPoint": dict.fromkeys(
        (
            "naptanId",
            "individualStopId",
            "icsCode",
            "commonName",
            "placeType",
            "platformName",
            "stopLetter",
            "lat",
            "lon",
        )
    ),
    "Path": {"lineString": None, "stopPoints": "PathStop"},
    "PathStop": {"id": None, "name": None},
    "RouteOption": {"name": None, "directions": None, "lineIdentifier": "LineIdentifier"},
    "LineIdentifier": {"id": None, "name": None},
    "Mode": {"id": None, "name": None},
    "Disruption": dict.fromkeys(
        (
            *("category", "categoryDescription", "closureText"),
            *("type", "description", "summary", "additionalInfo"),
        )
    ),
    "PlannedWork": {"description": None},
    "Line": {"id": None, "name": None, "modeName": None, "lineStatuses": "LineStatus"},
    "LineStatus": {
        "statusSeverity": None,
        "statusSeverityDescription": None,
        "reason": None,
        "validityPeriods": "ValidityPeriod",
        "disruption": "LineDisruption",
    },
    "ValidityPeriod": dict.fromkeys(("fromDate", "toDate", "isNow")),
    "LineDisruption": dict.fromkeys(
        (
            *("category", "categoryDescription"),
            *("description", "additionalInfo", "affectedRoutes", "affectedStops"),
        )
    ),
}

# Of the fields that are read, those that are looked at only where another one is empty.
INSTEAD: dict[str, dict[str, str]] = {
    "Instruction": {"detailed": "summary"},
    "StopPoint": {"stopLetter": "platformName"},
    "Mode": {"name": "id"},
    "Disruption": {"category": "categoryDescription", "summary": "description"},
    "LineDisruption": {"description": "reason"},
}
# Fields that no entity's traveller needs.
EVERYWHERE: dict[str, str] = {
    "$type": "the class of TfL's own program",
    "uri": "an address of the API, which may hold the key",
    "url": "an address of the API or of a web site",
    "crowding": "sent empty; crowding has a service of its own",
    "routeType": "always Unknown",
    "status": "always Unknown",
    "created": "when TfL wrote the entry",
    "modified": "when TfL changed the entry",
    "lastUpdate": "when TfL changed the entry",
}
IGNORED: dict[str, dict[str, str]] = tomllib.loads(
    (files(__package__ or "") / "ignored_fields.toml").read_text("utf-8")
)

_KNOWN: dict[str, frozenset[str]] = {
    entity: frozenset((*fields, *IGNORED.get(entity, ()), *EVERYWHERE))
    for entity, fields in READ.items()
}
_INNER: dict[str, tuple[tuple[str, str], ...]] = {
    entity: tuple((name, inner) for name, inner in fields.items() if inner)
    for entity, fields in READ.items()
}

_HOPPER = "Counts as a Hopper fare: more bus and tram trips within the hour cost nothing."


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
        _read_fare(journey),
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


def _read_fare(journey: Node) -> Fare | None:
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


def new_fields(payload: object, entity: str = "ItineraryResult") -> tuple[str, ...]:
    """Fields of a payload that neither table knows, as `Leg.colour`, each once, sorted."""
    found: set[str] = set()
    _collect(payload, entity, found)
    return tuple(sorted(found))


def _collect(value: object, entity: str, found: set[str]) -> None:
    if isinstance(value, list):
        for one in cast("list[object]", value):
            _collect(one, entity, found)
        return
    if not isinstance(value, dict):
        return
    node = cast("dict[str, Any]", value)
    if not _KNOWN[entity].issuperset(node):
        found.update(f"{entity}.{name}" for name in node.keys() - _KNOWN[entity])
    for name, inner in _INNER[entity]:
        held = node.get(name)
        if held:
            _collect(held, inner, found)
