"""What the replay server answers: recorded payloads by path, and made-up ones between them.

Without the recorded ones, those of `made_payloads` stand for them. Made up (synthetic), since none
is recorded: searches, hubs and disambiguations, which are built from station names in the shape of
the OpenAPI, and errors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from made_payloads import made, made_names
from shared_data import shared_folder

OWN = Path(__file__).parent / "data"
SHARED = shared_folder("data", "tfl")
ENTITIES = "Tfl.Api.Presentation.Entities"
_STATION_WORDS = (" underground station", " rail station", " dlr station", " station")
_RAIL = {
    "dlr": "dlr", "tram": "tram", "elizabeth": "elizabeth-line", "liberty": "overground",
    "lioness": "overground", "mildmay": "overground", "suffragette": "overground",
    "weaver": "overground", "windrush": "overground",
}  # fmt: skip
# The longest that the recorded headers let an answer live, by kind.
JOURNEYS, STATUS, STOPS = (
    {"cache-control": f"public, must-revalidate, max-age={seconds}, s-maxage={seconds * 2}"}
    for seconds in (150, 30, 43200)
)


class Answer(NamedTuple):
    """One answer: `body` as it is sent; `delay` in seconds before it begins."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}
    content_type: str = "application/json; charset=utf-8"
    delay: float = 0.0


def payload(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status, json.dumps(value).encode(), dict(headers or {}))


def error(status: int, message: str, kind: str = "EntityNotFoundException") -> Answer:
    """An error in the shape of the API's `ApiError`."""
    return payload(
        {
            "$type": f"{ENTITIES}.ApiError, {ENTITIES}",
            "timestampUtc": "2026-11-21T12:00:00.0000000Z",
            "exceptionType": kind,
            "httpStatusCode": status,
            "httpStatus": "synthetic",
            "relativeUri": "/synthetic",
            "message": message,
        },
        status,
    )


class Recorded:
    """Payloads of the folders, found by the paths of the API."""

    def __init__(self, own: Path, shared: Path | None) -> None:
        self._own = own
        self._shared = shared if shared and shared.is_dir() else None

    @classmethod
    def standard(cls) -> Recorded:
        return cls(OWN, SHARED)

    def find(self, segments: Sequence[str], query: Mapping[str, str]) -> Answer:
        """The answer to a path, or a 404."""
        match [part.casefold() for part in segments]:
            case ["journey", "journeyresults", origin, "to", destination]:
                return self._journey(origin, destination, query)
            case ["journey" | "line", "meta", "modes"]:
                return payload(self._first("lineMetaModes"), headers=STOPS)
            case ["stoppoint", "search"]:
                return self._search(query.get("query", ""), query.get("modes", ""))
            case ["stoppoint", "search", text]:
                return self._search(text, query.get("modes", ""))
            case ["stoppoint", stop]:
                return self._stop(stop)
            case ["stoppoint", stop, "arrivals"]:
                return payload(self._arrivals(stop), headers=STATUS)
            case ["line", lines, "arrivals", *stop]:
                found = self._arrivals(stop[0] if stop else "")
                return payload([one for one in found if one["lineId"] in lines.split(",")])
            case ["line", "mode", modes, "status"]:
                return self._status("modeName", modes)
            case ["line", lines, "status", *_]:
                return self._status("id", lines)
            case _:
                return error(404, "synthetic: no such path is replayed")

    # Journeys.

    @cached_property
    def journeys(self) -> dict[tuple[str, str], list[dict[str, Any]]]:
        """Itineraries by codes and names of their ends."""
        found: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for value in self._all("journey"):
            wrapped = value if "journeys" in value else _itinerary([value])
            legs = wrapped["journeys"][0]["legs"]
            for origin in _names(legs[0]["departurePoint"]):
                for destination in _names(legs[-1]["arrivalPoint"]):
                    found.setdefault((origin, destination), []).append(wrapped)
        return found

    def _journey(self, origin: str, destination: str, query: Mapping[str, str]) -> Answer:
        ends = {"from": origin, "to": destination, "via": query.get("via", "").casefold()}
        sides = {side: self._side(text) for side, text in ends.items()}
        states = {side: value["matchStatus"] for side, value in sides.items()}
        if "list" in states.values() or "notidentified" in states.values():
            return payload(_disambiguation(sides, ends), 300, JOURNEYS)
        known = self.journeys.get((origin, destination))
        if known:
            return payload(_suited(known, query), headers=JOURNEYS)
        return error(404, "No journey found for your inputs.")

    def _side(self, text: str) -> dict[str, Any]:
        kind = f"{ENTITIES}.JourneyPlanner.Disambiguation, {ENTITIES}"
        if not text:
            return {"$type": kind, "matchStatus": "empty"}
        known = {end for pair in self.journeys for end in pair}
        options = [_option(station, 1000 - n) for n, station in enumerate(self._matching(text))]
        clear = text in known or any(c.isdigit() for c in text)
        if len(options) == 1 or (not options and clear):
            return {"$type": kind, "matchStatus": "identified"}
        if not options:
            return {"$type": kind, "matchStatus": "notidentified"}
        return {"$type": kind, "disambiguationOptions": options, "matchStatus": "list"}

    # Stops.

    @cached_property
    def stations(self) -> list[dict[str, Any]]:
        """Stations with `id`, `icsCode`, `name`, `location` and `lineGroups`."""
        if self._shared:
            return _load(self._shared / "network" / "ridgeview_londonStations.json")
        return _load(self._own / "synthetic_stations.json")

    @cached_property
    def stops(self) -> dict[str, dict[str, Any]]:
        """Recorded stop points by id in lower case."""
        found: dict[str, dict[str, Any]] = {}
        for value in self._all("stoppoint"):
            for stop in value if isinstance(value, list) else [value]:
                if "commonName" in stop and "id" in stop:
                    found.setdefault(stop["id"].casefold(), stop)
        return found

    def _stop(self, stop: str) -> Answer:
        if stop in self.stops:
            return payload(self.stops[stop], headers=STOPS)
        for station in self.stations:
            if station["id"].casefold() == stop:
                return payload(_stop_point(station), headers=STOPS)
        return error(404, f"The following stop point is not recognised: {stop}")

    def _matching(self, text: str) -> list[dict[str, Any]]:
        words = text.replace("'", "").split()
        found = [
            station
            for station in self.stations
            if all(word in station["name"].casefold().replace("'", "") for word in words)
        ]
        return sorted(found, key=lambda station: len(station["name"]))[:20]

    def _search(self, text: str, modes: str) -> Answer:
        matches = [_match(station) for station in self._matching(text.casefold())]
        wanted = set(filter(None, modes.split(",")))
        matches = [one for one in matches if not wanted or wanted & set(one["modes"])]
        kind = f"{ENTITIES}.SearchResponse, {ENTITIES}"
        return payload(
            {"$type": kind, "query": text, "total": len(matches), "matches": matches},
            headers=STOPS,
        )

    # Lines.

    def _arrivals(self, stop: str) -> list[dict[str, Any]]:
        found = [
            one
            for value in self._all("stoppoint")
            if isinstance(value, list)
            for one in value
            if "timeToStation" in one
        ]
        return [one for one in found if not stop or one["naptanId"].casefold() == stop.casefold()]

    def _status(self, field: str, wanted: str) -> Answer:
        latest = self._first("lineStatusesToday")
        names = wanted.split(",")
        lines = [line for line in latest or [] if line[field] in names]
        if not lines:
            return error(404, f"The following line id is not recognised: {wanted}")
        return payload(lines, headers=STATUS)

    # Files.

    def _payloads(self, folder: str) -> Iterator[tuple[str, Any]]:
        """Names and payloads, the one of "now" first."""
        if self._shared:
            names = [f"{folder}/{path.name}" for path in (self._shared / folder).glob("*.json")]
        else:
            names = made_names(folder)
        for name in sorted(names, key=lambda name: ("Now" not in name, name)):
            yield name, _load(self._shared / name) if self._shared else made(name)
        # What is made up stands beside the recorded journeys, but for recorded stops and lines.
        if not self._shared or folder == "journey":
            for path in sorted(self._own.glob(f"synthetic_{folder}*.json")):
                yield path.name, _load(path)

    def _all(self, folder: str) -> Iterator[Any]:
        return (value for _, value in self._payloads(folder))

    def _first(self, part: str) -> Any:
        return next((value for name, value in self._payloads("line") if part in name), None)


def _load(path: Path) -> Any:
    value = json.loads(path.read_text("utf-8"))
    if isinstance(value, dict) and "status_code" in value:
        content = value["content"]
        return json.loads(content) if isinstance(content, str) else content
    return value


def _names(point: Mapping[str, Any]) -> set[str]:
    found = {point["icsCode"], point.get("naptanId", ""), point["commonName"]}
    for word in _STATION_WORDS:
        found.add(point["commonName"].casefold().removesuffix(word))
    return {name.casefold() for name in found if name}


def _itinerary(journeys: list[Any]) -> dict[str, Any]:
    kind = f"{ENTITIES}.JourneyPlanner.ItineraryResult, {ENTITIES}"
    return {"$type": kind, "journeys": journeys}


def _suited(known: Sequence[dict[str, Any]], query: Mapping[str, str]) -> dict[str, Any]:
    """The itinerary for the modes and nearest to the time that was asked for."""
    modes = {*filter(None, query.get("mode", "").split(",")), "walking"}

    def misses(value: dict[str, Any]) -> tuple[bool, int]:
        used = {leg["mode"]["id"] for leg in value["journeys"][0]["legs"]}
        at = value.get("searchCriteria", {}).get("dateTime", "2026-05-29T14:40:00")[11:16]
        asked = query.get("time", "1440")
        minutes = int(at[:2]) * 60 + int(at[3:]) - int(asked[:2]) * 60 - int(asked[2:4])
        return ("mode" in query and not used <= modes), abs(minutes)

    return min(known, key=misses)


def _modes(lines: Iterable[str]) -> list[str]:
    return sorted({_RAIL.get(line, "tube") for line in lines})


def _lines(station: Mapping[str, Any]) -> list[str]:
    return [line for group in station["lineGroups"] for line in group["lineIds"]]


def _identifier(line: str) -> dict[str, Any]:
    return {"id": line, "name": line.title(), "uri": f"/Line/{line}", "type": "Line"}


def _match(station: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "$type": f"{ENTITIES}.MatchedStop, {ENTITIES}",
        "icsId": station["icsCode"],
        "topMostParentId": station["id"],
        "modes": _modes(_lines(station)),
        "zone": "synthetic",
        "id": station["id"],
        "name": station["name"],
        **station["location"],
    }


def _stop_point(station: Mapping[str, Any]) -> dict[str, Any]:
    hub = station["id"] if station["id"].startswith("HUB") else ""
    children = [
        {
            "$type": f"{ENTITIES}.StopPoint, {ENTITIES}",
            "id": group["atcoCode"], "naptanId": group["atcoCode"], "icsCode": station["icsCode"],
            "hubNaptanCode": hub, "commonName": station["name"], "placeType": "StopPoint",
            "stopType": "NaptanRailStation", "modes": _modes(group["lineIds"]),
            "lines": [_identifier(line) for line in group["lineIds"]],
            "additionalProperties": [], "children": [], **station["location"],
        }
        for group in station["lineGroups"]
    ]  # fmt: skip
    return {
        "$type": f"{ENTITIES}.StopPoint, {ENTITIES}",
        "id": station["id"], "naptanId": station["id"], "icsCode": station["icsCode"],
        "hubNaptanCode": hub, "commonName": station["name"], "placeType": "StopPoint",
        "stopType": "TransportInterchange" if hub else "NaptanRailStation",
        "modes": _modes(_lines(station)), "lines": [_identifier(line) for line in _lines(station)],
        "additionalProperties": [], "children": children if hub else [], **station["location"],
    }  # fmt: skip


def _option(station: Mapping[str, Any], quality: int) -> dict[str, Any]:
    return {
        "$type": f"{ENTITIES}.JourneyPlanner.DisambiguationOption, {ENTITIES}",
        "parameterValue": station["icsCode"],
        "uri": f"/journey/journeyresults/{station['icsCode']}",
        "place": {
            "$type": f"{ENTITIES}.StopPoint, {ENTITIES}",
            "naptanId": station["id"], "modes": _modes(_lines(station)),
            "icsCode": station["icsCode"], "stopType": "NaptanMetroStation", "url": "",
            "commonName": station["name"], "placeType": "StopPoint", "additionalProperties": [],
            **station["location"],
        },
        "matchQuality": quality,
    }  # fmt: skip


def _disambiguation(sides: Mapping[str, Any], ends: Mapping[str, str]) -> dict[str, Any]:
    return {
        "$type": f"{ENTITIES}.JourneyPlanner.DisambiguationResult, {ENTITIES}",
        "toLocationDisambiguation": sides["to"],
        "fromLocationDisambiguation": sides["from"],
        "viaLocationDisambiguation": sides["via"],
        "recommendedMaxAgeMinutes": 1440,
        "searchCriteria": {"dateTime": "2026-11-21T12:00:00", "dateTimeType": "Departing"},
        "journeyVector": {**ends, "uri": "/synthetic"},
    }
