"""MOTIS 2 and Transitous by their API: `plan` and `geocode`.

Source: MOTIS's openapi.yaml; version 5 of `plan` where the server has it, else version 1.
"""

from __future__ import annotations

from typing import Any

from groundwire.journeys.itinerary import Leg, Place
from groundwire.journeys.remote.asking import Asker, MissingPathError
from groundwire.journeys.remote.payload_fields import (
    items,
    moment,
    place,
    point,
    polyline,
    text,
    tree,
    utc,
    whole,
)
from groundwire.journeys.remote.protocols import (
    Answered,
    Legs,
    Match,
    Question,
    alert,
    leg_of,
)
from groundwire.journeys.tfl.outcomes import UnexpectedAnswerError

_PATHS = ("/api/v5/plan", "/api/v1/plan")
# Digits of polylines, where an answer does not say.
_PRECISION = {"/api/v5/plan": 6, "/api/v1/plan": 7}
# Modes of journeys as MOTIS is asked for them.
_ASKED = {
    "tram": "TRAM",
    "metro": "SUBWAY",
    "train": "RAIL,SUBURBAN",
    "bus": "BUS",
    "coach": "COACH",
    "ferry": "FERRY",
    "plane": "AIRPLANE",
    "funicular": "FUNICULAR",
    "cable-car": "AERIAL_LIFT",
}


class Motis:
    """Asks one MOTIS."""

    called = "MOTIS"

    def __init__(self, asker: Asker) -> None:
        """Take what asks its address."""
        self._asker = asker

    async def plan(self, question: Question) -> Answered:
        """Ask for plans; see `protocols.PlannerProtocol`."""
        params = {
            "fromPlace": _sent(question.origin),
            "toPlace": _sent(question.destination),
            "time": utc(question.when),
            "arriveBy": str(question.arriving).lower(),
            "numItineraries": str(question.wanted),
        }
        if question.step_free:
            params["pedestrianProfile"] = "WHEELCHAIR"
        if question.modes is not None:
            params["transitModes"] = ",".join(
                _ASKED[one] for one in sorted(question.modes) if one in _ASKED
            )
        path, answer = await self._planned(params)
        if not isinstance(answer.get("itineraries"), list):
            raise UnexpectedAnswerError(
                f"The answer of {self._asker.host} is of a shape that is not known: check that "
                "GROUNDWIRE_JOURNEYS is the address of a MOTIS server."
            )
        found = [*items(answer.get("itineraries")), *items(answer.get("direct"))]
        plans = [_legs(one, _PRECISION[path]) for one in found]
        read = tuple(one for one in plans if one)
        return Answered(read, len(found) - len(read))

    async def _planned(self, params: dict[str, str]) -> tuple[str, dict[str, Any]]:
        for path in _PATHS[:-1]:
            try:
                return path, tree(await self._asker.get(path, params))
            except MissingPathError:
                continue
        return _PATHS[-1], tree(await self._asker.get(_PATHS[-1], params))

    async def search(self, words: str) -> list[Match]:
        """Stops, places and addresses by name; see `protocols.PlannerProtocol`."""
        answer = await self._asker.get("/api/v1/geocode", {"text": words})
        return [
            Match(
                name,
                where,
                text(one.get("type")).lower(),
                _area(one),
                text(one.get("id")) if one.get("type") == "STOP" else "",
            )
            for one in items(answer)
            if (where := point(one)) and (name := text(one.get("name")))
        ]

    async def zone(self) -> str:
        """A MOTIS may plan for many zones: it names none."""
        return ""


def _sent(one: Place) -> str:
    if one.stop_id:
        return one.stop_id
    assert one.point is not None, "places are located before they are sent"
    return f"{one.point.lat:.6f},{one.point.lon:.6f}"


def _area(one: dict[str, Any]) -> str:
    areas = list(items(one.get("areas")))
    chosen = [area for area in areas if area.get("default") is True] or areas[:1]
    return text(chosen[0].get("name")) if chosen else ""


def _legs(itinerary: dict[str, Any], precision: int) -> Legs:
    """The legs of an itinerary; none where one of them cannot be read or is cancelled."""
    legs = [_leg(one, precision) for one in items(itinerary.get("legs"))]
    read = tuple(one for one in legs if one)
    return read if len(read) == len(legs) else ()


def _leg(one: dict[str, Any], precision: int) -> Leg | None:
    if one.get("cancelled") is True:
        return None
    ends = _place(tree(one.get("from"))), _place(tree(one.get("to")))
    walks = str(one.get("mode")) in ("WALK", "BIKE")
    line = "" if walks else text(one.get("displayName")) or text(one.get("routeShortName"))
    stops = [
        place(stop.get("name"), stop, stop.get("stopId"), stop.get("track"))
        for stop in items(one.get("intermediateStops"))
    ]
    shape = tree(one.get("legGeometry"))
    digits = whole(shape.get("precision"))
    return leg_of(
        one.get("mode"),
        ends,
        (moment(one.get("startTime")), moment(one.get("endTime"))),
        (moment(one.get("scheduledStartTime")), moment(one.get("scheduledEndTime"))),
        real_time=one.get("realTime") is True,
        line_id=text(one.get("routeId")) or line,
        line=line,
        direction=text(one.get("headsign")),
        distance_metres=whole(one.get("distance")) if walks else None,
        path=polyline(shape.get("points"), digits if digits in (5, 6, 7) else precision),
        stops=() if walks else (*stops, ends[1]),
        disruptions=tuple(
            alert(line, text(told.get("headerText")), text(told.get("descriptionText")))
            for told in items(one.get("alerts"))
        ),
    )


def _place(one: dict[str, Any]) -> Place:
    return place(one.get("name"), one, one.get("stopId"), one.get("track"))
