"""OpenTripPlanner 2 by its GraphQL API of GTFS.

Source: its schema, query `planConnection` (since 2.7 in place of `plan`), `stops` and `agencies`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from groundwire.journeys.itinerary import Leg, Place
from groundwire.journeys.remote.asking import Asker
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


class OpenTripPlanner:
    """Asks one OpenTripPlanner, whose address is that of its GraphQL API."""

    called = "OpenTripPlanner"

    def __init__(self, asker: Asker) -> None:
        """Take what asks its address."""
        self._asker = asker

    async def plan(self, question: Question) -> Answered:
        """Ask for plans; see `protocols.PlannerProtocol`."""
        one, other = question.origin.point, question.destination.point
        assert one is not None and other is not None, "places are located before they are sent"
        when = utc(question.when)
        data = await self._asked(
            "otp_plan",
            {
                "fromLat": one.lat,
                "fromLon": one.lon,
                "toLat": other.lat,
                "toLon": other.lon,
                "departure": None if question.arriving else when,
                "arrival": when if question.arriving else None,
                "first": question.wanted,
                "wheelchair": question.step_free,
            },
        )
        found = tree(data.get("planConnection"))
        edges = list(items(found.get("edges")))
        plans = [_legs(tree(edge.get("node"))) for edge in edges]
        said = "; ".join(text(one.get("description")) for one in items(found.get("routingErrors")))
        read = tuple(one for one in plans if one)
        return Answered(read, len(edges) - len(read), said)

    async def search(self, words: str) -> list[Match]:
        """Stops by name; see `protocols.PlannerProtocol`."""
        data = await self._asked("otp_stops", {"name": words})
        return [
            Match(text(one.get("name")), where, text(one.get("vehicleMode")).lower(), "", identity)
            for one in items(data.get("stops"))
            if (where := point(one)) and (identity := text(one.get("gtfsId")))
        ]

    async def zone(self) -> str:
        """The time zone of its first agency."""
        data = await self._asked("otp_zone", {})
        return next((text(one.get("timezone")) for one in items(data.get("agencies"))), "")

    async def _asked(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        answer = tree(await self._asker.post("", {"query": _query(query), "variables": variables}))
        data = answer.get("data")
        if not isinstance(data, dict):
            told = next((text(one.get("message")) for one in items(answer.get("errors"))), "")
            raise UnexpectedAnswerError(
                f"OpenTripPlanner at {self._asker.host} does not know the query"
                f"{f' ({told})' if told else ''}: version 2.7 or newer is needed."
            )
        return tree(data)  # pyright: ignore[reportUnknownArgumentType]


@cache
def _query(name: str) -> str:
    folder = resources.files("groundwire.journeys.remote")
    return (folder / f"{name}.graphql").read_text("utf-8")


def _legs(node: dict[str, Any]) -> Legs:
    """The legs of an itinerary; none where one of them cannot be read."""
    legs = [_leg(one) for one in items(node.get("legs"))]
    read = tuple(one for one in legs if one)
    return read if len(read) == len(legs) else ()


def _leg(one: dict[str, Any]) -> Leg | None:
    start, end, route = tree(one.get("start")), tree(one.get("end")), tree(one.get("route"))
    scheduled = moment(start.get("scheduledTime")), moment(end.get("scheduledTime"))
    expected = (
        moment(tree(start.get("estimated")).get("time")) or scheduled[0],
        moment(tree(end.get("estimated")).get("time")) or scheduled[1],
    )
    ends = _place(tree(one.get("from"))), _place(tree(one.get("to")))
    line = text(route.get("shortName")) or text(route.get("longName"))
    stops = [
        place(stop.get("name"), stop, stop.get("gtfsId"), "")
        for stop in items(one.get("intermediateStops"))
    ]
    return leg_of(
        one.get("mode"),
        ends,
        expected,
        scheduled,
        real_time=one.get("realTime") is True,
        line_id=text(route.get("gtfsId")),
        line=line,
        direction=text(one.get("headsign")),
        distance_metres=None if line else whole(one.get("distance")),
        path=polyline(tree(one.get("legGeometry")).get("points"), 5),
        stops=(*stops, ends[1]) if line else (),
        disruptions=tuple(
            alert(line, text(told.get("alertHeaderText")), text(told.get("alertDescriptionText")))
            for told in items(one.get("alerts"))
        ),
    )


def _place(one: dict[str, Any]) -> Place:
    stop = tree(one.get("stop"))
    return place(one.get("name"), one, stop.get("gtfsId"), stop.get("platformCode"))
