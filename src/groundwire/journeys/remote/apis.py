"""The APIs of journey planners: OpenTripPlanner 2, and MOTIS 2 with Transitous.

OpenTripPlanner is asked by its GraphQL API of GTFS. Source: its schema, query `planConnection`
(since 2.7 in place of `plan`), `stops` and `agencies`. MOTIS is asked by `plan` and `geocode`.
Source: its openapi.yaml; version 5 of `plan` where the server has it, else version 1. Each question
over HTTP has an outcome with a type.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from groundwire.errors import (
    ConfigurationError,
    DeadlineError,
    ForbiddenError,
    GroundwireError,
    InputError,
    LimitError,
    NotReachedError,
    UnavailableError,
)
from groundwire.journeys.itinerary import Leg, Place
from groundwire.journeys.remote.protocols import (
    Answered,
    Legs,
    Match,
    Question,
    alert,
    items,
    leg_of,
    moment,
    place,
    point,
    polyline,
    text,
    tree,
    utc,
    whole,
)
from groundwire.journeys.tfl.outcomes import (
    BadRequestError,
    BrokenAnswerError,
    KeyRefusedError,
    RateLimitedError,
    TflFailedError,
    TflTimeoutError,
    TflUnreachableError,
    UnexpectedAnswerError,
    WebPageError,
)
from groundwire.safe_text import shown_text
from groundwire.transport.client import GuardedClient
from groundwire.transport.targets import RequestPolicy, parse_target

if TYPE_CHECKING:
    from groundwire.transport.messages import Response


DEADLINE = 12.0
"""Seconds for one answer: hosts give up soon."""
MOST_BYTES = 8_388_608
_SHOWN = 160
_LOOPBACK = ("localhost", "127.0.0.1", "::1", "[::1]")


class MissingPathError(UnexpectedAnswerError):
    """The planner has no such path (404 without data): another version of its API may have it."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks one planner; used within one event loop.

    Attributes:
        base: its address, without its last slash.
        host: what messages call it.
        guarded: the guarded client.
    """

    base: str
    host: str
    guarded: GuardedClient

    @classmethod
    def to(cls, url: str) -> Asker:
        """An asker of the planner at an address.

        Raises:
            ConfigurationError: the address cannot be used.
        """
        try:
            target = parse_target(url)
        except GroundwireError as error:
            raise ConfigurationError(f"GROUNDWIRE_JOURNEYS cannot be used: {error}") from None
        if "?" in url or "#" in url:
            raise ConfigurationError(
                "GROUNDWIRE_JOURNEYS holds a query or fragment: set it to the planner's address."
            )
        if target.scheme == "http" and target.host not in _LOOPBACK:
            raise ConfigurationError(
                "GROUNDWIRE_JOURNEYS is not encrypted, so places could be read on the way: use "
                "https, or an address of this machine."
            )
        named = RequestPolicy.naming(url)
        policy = RequestPolicy(named.addresses, DEADLINE, MOST_BYTES, max_redirects=0)
        return cls(url.rstrip("/"), target.host, GuardedClient(policy))

    async def get(self, path: str, params: Mapping[str, str]) -> Any:
        """The JSON value that a path answers.

        Raises:
            GroundwireError: an outcome of `journeys.tfl.outcomes`.
        """
        return self._value(await self._sent("GET", path, params=params))

    async def post(self, path: str, tree: Mapping[str, Any]) -> Any:
        """The JSON value that a path answers to a JSON value.

        Raises:
            GroundwireError: an outcome of `journeys.tfl.outcomes`.
        """
        return self._value(await self._sent("POST", path, content=json.dumps(tree).encode()))

    async def _sent(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Response:
        headers = {"accept": "application/json"}
        if content is not None:
            headers["content-type"] = "application/json"
        try:
            return await self.guarded.request(
                method, self.base + path, headers=headers, params=params, content=content
            )
        except DeadlineError:
            raise TflTimeoutError(
                f"The journey planner at {self.host} did not answer in time: ask again later."
            ) from None
        except (NotReachedError, UnavailableError) as error:
            raise TflUnreachableError(
                f"The journey planner at {self.host} cannot be reached: {error}"
            ) from None
        except (LimitError, ForbiddenError, InputError) as error:
            raise UnexpectedAnswerError(
                f"What answers at {self.host} cannot be used: {error} Check GROUNDWIRE_JOURNEYS."
            ) from None

    def _value(self, response: Response) -> Any:
        status, who = response.status, f"The journey planner at {self.host}"
        page = response.content_type == "text/html" or response.body.lstrip()[:1] == b"<"
        if status == 429:
            raise RateLimitedError(f"{who} takes no more requests now: try again in a minute.")
        if status in (401, 403):
            raise KeyRefusedError(f"{who} refuses access (HTTP {status}): it wants a key.")
        if status >= 500:
            raise TflFailedError(f"{who} fails (HTTP {status}): try again in a minute.")
        if status == 404:
            raise MissingPathError(
                f"{who} has no API at this address (HTTP 404): check GROUNDWIRE_JOURNEYS."
            )
        if page:
            raise WebPageError(
                f"A web page came in place of data from {self.host}: check that "
                "GROUNDWIRE_JOURNEYS is the address of a planner's API."
            )
        if response.cut == "max_bytes":
            raise UnexpectedAnswerError(f"{who} answers more than {MOST_BYTES:,} bytes.")
        value: Any = None
        if not response.cut:
            try:
                value = json.loads(response.body.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                value = None
        if not isinstance(value, (dict, list)):
            raise BrokenAnswerError(f"The answer of {self.host} broke off: ask again.")
        if status >= 400:
            said = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
            told = shown_text(str(said.get("error") or said.get("message") or ""), _SHOWN)
            raise BadRequestError(f"{who} cannot use the request{f' ({told})' if told else ''}.")
        return cast("Any", value)


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
        plans = [_otp_legs(tree(edge.get("node"))) for edge in edges]
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


def _otp_legs(node: dict[str, Any]) -> Legs:
    """The legs of an itinerary; none where one of them cannot be read."""
    legs = [_otp_leg(one) for one in items(node.get("legs"))]
    read = tuple(one for one in legs if one)
    return read if len(read) == len(legs) else ()


def _otp_leg(one: dict[str, Any]) -> Leg | None:
    start, end, route = tree(one.get("start")), tree(one.get("end")), tree(one.get("route"))
    scheduled = moment(start.get("scheduledTime")), moment(end.get("scheduledTime"))
    expected = (
        moment(tree(start.get("estimated")).get("time")) or scheduled[0],
        moment(tree(end.get("estimated")).get("time")) or scheduled[1],
    )
    ends = _otp_place(tree(one.get("from"))), _otp_place(tree(one.get("to")))
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


def _otp_place(one: dict[str, Any]) -> Place:
    stop = tree(one.get("stop"))
    return place(one.get("name"), one, stop.get("gtfsId"), stop.get("platformCode"))


_PATHS = ("/api/v5/plan", "/api/v1/plan")
# Polylines have so many digits where an answer does not say it.
_PRECISION = {"/api/v5/plan": 6, "/api/v1/plan": 7}
# MOTIS is asked for the modes of journeys by these names.
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
        plans = [_motis_legs(one, _PRECISION[path]) for one in found]
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


def _motis_legs(itinerary: dict[str, Any], precision: int) -> Legs:
    """The legs of an itinerary; none where one of them cannot be read or is cancelled."""
    legs = [_motis_leg(one, precision) for one in items(itinerary.get("legs"))]
    read = tuple(one for one in legs if one)
    return read if len(read) == len(legs) else ()


def _motis_leg(one: dict[str, Any], precision: int) -> Leg | None:
    if one.get("cancelled") is True:
        return None
    ends = _motis_place(tree(one.get("from"))), _motis_place(tree(one.get("to")))
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


def _motis_place(one: dict[str, Any]) -> Place:
    return place(one.get("name"), one, one.get("stopId"), one.get("track"))
