"""Payloads of our own in the shape of the API, for who has not the recorded ones.

`made(name)` answers for a recorded payload of that name. Facts are carried over from what TfL
answered (stations, lines, times, fares; Powered by TfL Open Data) and stand in compact rows in
`data/made_*.json`; ways are thinned to a few points. What messages say is in words of our own, but
for the few short ones that tests quote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent / "data"
ENTITIES = "Tfl.Api.Presentation.Entities"
_RIDE = {"routeType": "Unknown", "status": "Unknown"}
_LINE_MADE = {"created": "2024-07-09T13:08:01.777Z", "modified": "2024-07-09T13:08:01.777Z"}
_NEVER = "0001-01-01T00:00:00"

Row = Mapping[str, Any]


def made(name: str) -> Any:
    """The payload of our own for a recorded one of this name; None where there is none."""
    row = _rows().get(name)
    if row is None:
        return None
    kind = next((key for key in _KINDS if key in row), "legs")
    return _KINDS[kind](row)


def made_names(folder: str) -> list[str]:
    """The names that `made` knows below a folder, in order."""
    return sorted(name for name in _rows() if name.startswith(folder + "/"))


@cache
def _rows() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for path in sorted(OWN.glob("made_*.json")):
        found |= json.loads(path.read_text("utf-8"))
    return found


def _typed(entity: str, **fields: Any) -> dict[str, Any]:
    """An entity with its type; fields without a value are left out, as the API does."""
    held = {name: value for name, value in fields.items() if value is not None}
    return {"$type": f"{ENTITIES}.{entity}, {ENTITIES}", **held}


def _planned(entity: str, **fields: Any) -> dict[str, Any]:
    return _typed(f"JourneyPlanner.{entity}", **fields)


def _identifier(kind: str, id_: str | None, name: str, **more: Any) -> dict[str, Any]:
    uri = None if kind == "Mode" else f"/{kind}/{id_ or ''}"
    return _typed("Identifier", id=id_, name=name, uri=uri, type=kind, **more, **_RIDE)


# Journeys.


def _itinerary(row: Row) -> dict[str, Any]:
    ends = ("1000129", "1000254")
    day = row["asked"][:10].replace("-", "")
    times = {"earliest": "0300", "earlier": "1400", "later": "1530", "latest": "2300"}
    path = f"/journey/journeyresults/{ends[0]}/to/{ends[1]}"
    adjusted = {
        name: _planned("TimeAdjustment", date=day, time=time, timeIs="departing", uri=path)
        for name, time in times.items()
    }
    return _planned(
        "ItineraryResult",
        journeys=[_journey(one) for one in row["journeys"]],
        lines=[_line(one) for one in row["lines"]],
        stopMessages=[],
        recommendedMaxAgeMinutes=0,
        searchCriteria=_planned(
            "SearchCriteria",
            dateTime=row["asked"],
            dateTimeType="Departing",
            timeAdjustments=_planned("TimeAdjustments", **adjusted),
        ),
        journeyVector=_planned("JourneyVector", **{"from": ends[0]}, to=ends[1], via="", uri=path),
    )


def _journey(row: Row) -> dict[str, Any]:
    return _planned(
        "Journey",
        startDateTime=row["times"][0],
        duration=row["minutes"],
        arrivalDateTime=row["times"][1],
        description=row.get("description"),
        alternativeRoute=row.get("alternative", False),
        legs=[_leg(one) for one in row["legs"]],
        fare=_fare(row["fare"]) if "fare" in row else None,
    )


def _leg(row: Row) -> dict[str, Any]:
    departs, arrives = row["times"]
    scheduled = row.get("scheduled", row["times"])
    summary, detailed = row["says"]
    number, network = row["kind"]
    change = row.get("change", (None, None))
    return _planned(
        "Leg",
        duration=row["minutes"],
        instruction=_typed(
            "Instruction",
            summary=summary,
            detailed=detailed,
            steps=[_step(*one) for one in row.get("steps", ())],
        ),
        obstacles=[
            _planned("Obstacle", type=what, incline=way, stopId=stop, position=where)
            for what, way, stop, where in row.get("obstacles", ())
        ],
        departureTime=departs,
        arrivalTime=arrives,
        departurePoint=_point(row["from"]),
        arrivalPoint=_point(row["to"]),
        path=_planned(
            "Path",
            lineString=json.dumps(row["path"]) if "path" in row else None,
            stopPoints=[_identifier("StopPoint", *one) for one in row.get("stops", ())],
            elevation=[],
        ),
        routeOptions=[_route(row)],
        mode=_identifier("Mode", row["mode"], row["mode"], motType=number, network=network),
        disruptions=[_message(*one) for one in row.get("disruptions", ())],
        plannedWorks=[],
        distance=row.get("distance"),
        isDisrupted="disruptions" in row,
        hasFixedLocations=True,
        scheduledDepartureTime=scheduled[0],
        scheduledArrivalTime=scheduled[1],
        interChangeDuration=change[0],
        interChangePosition=change[1],
    )


def _point(row: Row) -> dict[str, Any]:
    return _typed(
        "StopPoint",
        naptanId=row.get("naptan"),
        platformName=row.get("platform"),
        stopLetter=row.get("letter"),
        icsCode=row.get("ics"),
        individualStopId=row.get("one"),
        commonName=row["name"],
        placeType=row.get("kind", "StopPoint"),
        additionalProperties=[],
        lat=row["at"][0],
        lon=row["at"][1],
    )


def _route(row: Row) -> dict[str, Any]:
    name, towards, direction = row["route"]
    return _planned(
        "RouteOption",
        name=name,
        directions=[] if towards is None else [towards],
        lineIdentifier=_line_identifier(*row["line"]) if "line" in row else None,
        direction=direction,
    )


def _line_identifier(line_id: str, name: str) -> dict[str, Any]:
    return _identifier("Line", line_id, name, crowding=_typed("Crowding"))


def _step(
    heading: str, text: str, turn: str, street: str, metres: int, so_far: int, degrees: int,
    sky: str, seconds: int, lat: float, lon: float, track: str,
) -> dict[str, Any]:  # fmt: skip
    return _typed(
        "InstructionStep",
        description=text,
        turnDirection=turn,
        streetName=street,
        distance=metres,
        cumulativeDistance=so_far,
        skyDirection=degrees,
        skyDirectionDescription=sky,
        cumulativeTravelTime=seconds,
        latitude=lat,
        longitude=lon,
        pathAttribute=_typed("PathAttribute"),
        descriptionHeading=heading,
        trackType=track,
    )


def _message(
    category: str, kind: str, name: str, text: str, summary: str, created: str, updated: str
) -> dict[str, Any]:
    return _typed(
        "Disruption",
        category=category,
        type=kind,
        categoryDescription=name,
        description=text,
        summary=summary,
        additionalInfo="",
        created=created,
        lastUpdate=updated,
    )


def _fare(row: Row) -> dict[str, Any]:
    return _planned(
        "JourneyFare",
        totalCost=row["total"],
        fares=[
            _planned(
                "Fare",
                lowZone=low,
                highZone=high,
                cost=cost,
                chargeProfileName=profile,
                isHopperFare=False,
                chargeLevel=level,
                peak=peak,
                offPeak=off_peak,
                taps=[_tap(*tap) for tap in taps],
            )
            for low, high, cost, profile, level, peak, off_peak, taps in row["fares"]
        ],
        caveats=[_planned("FareCaveat", text=text, type=kind) for text, kind in row["caveats"]],
    )


def _tap(stop: str, number: int, moment: str, mode: str) -> dict[str, Any]:
    details = _planned(
        "FareTapDetails",
        modeType=mode,
        validationType="None",
        hostDeviceType="Gate",
        nationalLocationCode=number,
        tapTimestamp=moment,
    )
    return _planned("FareTap", atcoCode=stop, tapDetails=details)


# Lines.


def _line(row: Row) -> dict[str, Any]:
    line_id, name, mode = row["line"]
    return _typed(
        "Line",
        id=line_id,
        name=name,
        modeName=mode,
        disruptions=[],
        **_LINE_MADE,
        lineStatuses=[_status(line_id, one) for one in row["statuses"]],
        routeSections=[],
        serviceTypes=[
            _typed(
                "LineServiceTypeInfo",
                name="Regular",
                uri=f"/Line/Route?ids={name}&serviceTypes=Regular",
            )
        ],
        crowding=_typed("Crowding"),
    )


def _status(line_id: str, row: Row) -> dict[str, Any]:
    return _typed(
        "LineStatus",
        id=0,
        lineId=line_id if "reason" in row else None,
        statusSeverity=row["severity"],
        statusSeverityDescription=row["says"],
        reason=row.get("reason"),
        created=_NEVER,
        validityPeriods=[
            _typed("ValidityPeriod", fromDate=begins, toDate=ends, isNow=now)
            for begins, ends, now in row.get("periods", ())
        ],
        disruption=_line_disruption(row) if "category" in row else None,
    )


def _line_disruption(row: Row) -> dict[str, Any]:
    return _typed(
        "Disruption",
        category=row["category"],
        categoryDescription=row["category"],
        description=row["reason"],
        additionalInfo=row.get("advice"),
        affectedRoutes=[],
        affectedStops=[],
        closureText=row["closure"],
    )


def _lines(row: Row) -> list[Any]:
    return [_line(one) for one in row["lines"]]


def _bundle(row: Row) -> dict[str, Any]:
    """Answers to several requests in one file, as tools that replay requests keep them."""
    items = [
        {
            "uri": f"https://api.tfl.gov.uk/Line/{lines[0]['line'][0]}/Status",
            "contentFormat": "json",
            "contentJson": [_line(one) for one in lines],
        }
        for lines in row["answers"]
    ]
    return {"id": "made", "version": 1, "items": items}


def _modes(row: Row) -> list[Any]:
    return [
        _typed(
            "Mode",
            isTflService=tfl,
            isFarePaying=paying,
            isScheduledService=scheduled,
            modeName=name,
        )
        for name, tfl, paying, scheduled in row["modes"]
    ]


def _disruptions(row: Row) -> list[Any]:
    return [
        _typed(
            "Disruption",
            category=category,
            type=kind,
            categoryDescription=name,
            description=text,
            affectedRoutes=[],
            affectedStops=[],
            closureText=closure,
        )
        for category, kind, name, text, closure in row["disruptions"]
    ]


def _sequence(row: Row) -> dict[str, Any]:
    stations = [
        _typed("MatchedStop", id=stop_id, name=name, lat=lat, lon=lon)
        for stop_id, name, lat, lon in row["sequence"]
    ]
    return _typed(
        "RouteSequence",
        lineId="victoria",
        lineName="Victoria",
        direction="inbound",
        isOutboundOnly=False,
        mode="tube",
        lineStrings=[],
        stations=stations,
    )


# Stops.


def _stop(row: Row) -> dict[str, Any]:
    given = row.get("modes", [])
    groups: dict[str, list[str]] = given if isinstance(given, dict) else {}
    lines = [line for of_mode in groups.values() for line in of_mode]
    properties = [
        _typed(
            "AdditionalProperties",
            category=category,
            key=key,
            sourceSystemKey="StaticObjects",
            value=row[key.casefold()],
        )
        for category, key in (("Geo", "Zone"), ("Facility", "Lifts"))
        if key.casefold() in row
    ]
    return _typed(
        "StopPoint",
        naptanId=row["id"],
        indicator=row.get("indicator"),
        stopLetter=row.get("letter"),
        modes=list(given),
        icsCode=row.get("ics"),
        stopType=row.get("type"),
        stationNaptan=row.get("station"),
        hubNaptanCode=row.get("hub"),
        lines=[_line_identifier(line, line.replace("-", " ").title()) for line in lines],
        lineGroup=[_typed("LineGroup", stationAtcoCode=row["id"], lineIdentifier=lines)]
        if lines
        else [],
        lineModeGroups=[
            _typed("LineModeGroup", modeName=mode, lineIdentifier=of_mode)
            for mode, of_mode in groups.items()
        ],
        status=True,
        id=row["id"],
        commonName=row["name"],
        placeType="StopPoint",
        additionalProperties=properties,
        children=[_stop(one) for one in row.get("children", ())],
        lat=row["at"][0],
        lon=row["at"][1],
    )


def _stops(row: Row) -> list[Any]:
    return [_stop(one) for one in row["stops"]]


def _predictions(row: Row) -> list[Any]:
    stop = {
        "operationType": 1,
        "naptanId": "940GZZLUKSX",
        "stationName": "King's Cross St. Pancras Underground Station",
        "lineId": "northern",
        "lineName": "Northern",
        "bearing": "",
        "timestamp": "2020-08-05T16:15:32.0247738Z",
        "modeName": "tube",
    }
    names = (
        "id", "vehicleId", "platformName", "direction", "destinationNaptanId", "destinationName",
        "timeToStation", "currentLocation", "towards", "expectedArrival",
    )  # fmt: skip
    return [
        _typed("Prediction", **stop, **dict(zip(names, one, strict=True)), timeToLive=one[-1])
        for one in row["predictions"]
    ]


def _departures(row: Row) -> list[Any]:
    stop = {"naptanId": "910GACTNCTL", "stationName": "Acton Central Rail Station"}
    return [_typed("ArrivalDeparture", **stop, **one) for one in row["departures"]]


_KINDS: dict[str, Callable[[Row], Any]] = {
    "journeys": _itinerary,
    "answers": _bundle,
    "one": lambda row: _line(row["one"]),
    "lines": _lines,
    "modes": _modes,
    "disruptions": _disruptions,
    "sequence": _sequence,
    "stop": lambda row: _stop(row["stop"]),
    "stops": _stops,
    "predictions": _predictions,
    "departures": _departures,
    "legs": _journey,
}
