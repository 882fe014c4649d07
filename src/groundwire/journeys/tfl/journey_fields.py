"""Every field of a journey answer by its entity: which are read, which are not and why.

Source: the entities below `ItineraryResult` in the saved OpenAPI. A field that stands in neither
table is new, and told as such: nothing of an answer is dropped in silence.
"""

from __future__ import annotations

from typing import Any, cast

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
IGNORED: dict[str, dict[str, str]] = {
    "ItineraryResult": {"journeyVector": "the request, said back"},
    "DockingStations": {
        "originNumberOfEmptySlots": "one takes a cycle there",
        "destinationNumberOfBikes": "one leaves a cycle there",
        "originId": "the leg names the docking station",
        "destinationId": "the leg names the docking station",
    },
    "SearchCriteria": {},
    "TimeAdjustment": {"timeIs": "always as it was asked"},
    "Journey": {
        "description": "the internal name of TfL's scenario",
        "alternativeRoute": "how TfL came to it; the legs say what it is",
    },
    "Fare": {
        "cost": "its part of totalCost",
        "chargeProfileName": "the internal name of the tariff; chargeLevel says peak or off peak",
        "peak": "what it would cost at another time",
        "offPeak": "what it would cost at another time",
        "taps": "where a simulated card was touched",
    },
    "FareCaveat": {"type": "the kind of service; the text says it"},
    "Leg": {
        "hasFixedLocations": "whether it has stops; the stops say it",
        "speed": "the traveller's own wish, said back",
    },
    "InstructionStep": {
        "cumulativeDistance": "a sum over the steps",
        "cumulativeTravelTime": "a sum over the steps",
        "travelTime": "the leg has the time",
        "skyDirection": "degrees of the compass; the turn and the street say where to go",
        "skyDirectionDescription": "see skyDirection",
        "pathAttribute": "sent empty",
        "trackType": "the kind of road, for choosing a cycle route",
        "atcoCode": "the leg has the stops",
    },
    "StopPoint": {
        "additionalProperties": "sent empty; the stop's own service has them",
        "indicator": "platformName and stopLetter say it",
        "modes": "the leg has the mode",
        "smsCode": "for text messages",
        "stopType": "placeType and the ids say it",
        "stationNaptan": "naptanId is it",
        "accessibilitySummary": "not sent with journeys; the stop's own service has it",
        "hubNaptanCode": "the ICS code joins the stops of one place",
        "lines": "the leg has the line",
        "lineGroup": "the leg has the line",
        "lineModeGroups": "the leg has the line",
        "fullName": "commonName is it",
        "naptanMode": "the leg has the mode",
        "id": "naptanId is it",
        "distance": "from where, nobody says",
        "children": "not sent with journeys",
        "childrenUrls": "not sent with journeys",
    },
    "Path": {"elevation": "heights along a cycle route"},
    "PathStop": {
        "type": "always StopPoint",
        "fullName": "name is it",
        "motType": "the leg has the mode",
        "network": "the leg has the mode",
    },
    "RouteOption": {
        "id": "lineIdentifier has the id",
        "direction": "outbound or inbound, which no passenger is told; directions name the end",
    },
    "LineIdentifier": {
        "type": "always Line",
        "fullName": "name is it",
        "motType": "the leg has the mode",
        "network": "the leg has the mode",
    },
    "Mode": {
        "type": "always Mode",
        "fullName": "id is it",
        "motType": "a number for the mode",
        "network": "the internal name of a data set",
    },
    "Disruption": {
        "affectedRoutes": "not sent with legs; the text says it",
        "affectedStops": "not sent with legs; the text says it",
    },
    "PlannedWork": {
        "id": "an internal number",
        "createdDateTime": "when TfL wrote the entry",
        "lastUpdateDateTime": "when TfL changed the entry",
    },
    "Line": {
        "disruptions": "sent empty; lineStatuses has them",
        "routeSections": "sent empty with journeys",
        "serviceTypes": "whether it runs at night; the plan says when it runs",
    },
    "LineStatus": {"id": "always 0", "lineId": "the line's id again"},
    "LineDisruption": {
        "type": "the line is known",
        "summary": "the heading of the description",
        "closureText": "statusSeverityDescription says it",
    },
}

_KNOWN: dict[str, frozenset[str]] = {
    entity: frozenset((*fields, *IGNORED.get(entity, ()), *EVERYWHERE))
    for entity, fields in READ.items()
}
_INNER: dict[str, tuple[tuple[str, str], ...]] = {
    entity: tuple((name, inner) for name, inner in fields.items() if inner)
    for entity, fields in READ.items()
}


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
