"""Stops as TfL's stop services send them: matches of a search, and a stop with those under it.

Source: `SearchResponse`, `MatchedStop` and `StopPoint` of the saved OpenAPI.

The places that TfL offers where a name may mean several are read here as well. Source:
`DisambiguationResult` as TfL's portal and clients describe it (the saved OpenAPI names it only):
for each side a `matchStatus` (`identified`, `list`, `empty`, `notidentified`), and for `list` the
options with the place and the value to send back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import Place, Point
from groundwire.journeys.tfl.fields import Node, child, children, point, text, texts, whole
from groundwire.journeys.tfl.leg_payload import read_place

# Entrances, platforms and access areas: parts of a stop that no service is asked by.
_PARTS = frozenset(
    {
        "NaptanMetroEntrance",
        "NaptanRailEntrance",
        "NaptanMetroAccessArea",
        "NaptanRailAccessArea",
        "NaptanMetroPlatform",
        "NaptanRailPlatform",
        "NaptanFerryBerth",
    }
)
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class StopMatch:
    """A stop or hub.

    Attributes:
        id: NaPTAN or hub id.
        name: what people call it.
        modes, lines: ids of what calls there; a search names no lines.
        point: where it is, if that is known.
        zone: fare zone as TfL writes it (`2+3`, `2/3`), else empty.
        ics: the code by which TfL's planner joins the stops of one place, else empty.
        hub: id of the hub it belongs to or is, else empty.
        children: the stops under it that services call at, each with its own children.
    """

    id: str
    name: str
    modes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    point: Point | None = None
    zone: str = ""
    ics: str = ""
    hub: str = ""
    children: tuple[StopMatch, ...] = ()

    def calling(self) -> tuple[StopMatch, ...]:
        """The stops at or under it that have boards, each once; a hub names lines but has none."""
        found = {stop.id: stop for stop in _walk(self) if stop.lines and stop.id[:3] != "HUB"}
        return tuple(found.values())


def read_matches(payload: object) -> tuple[StopMatch, ...]:
    """Read the answer of a stop search, in TfL's order; a match without id or name is left out.

    Raises:
        UnavailableError: the payload is not such an answer.
    """
    node = cast("Node", payload) if isinstance(payload, dict) else {}
    if not isinstance(node.get("matches"), list):
        raise UnavailableError("TfL sent something other than stops: try again later.")
    found: list[StopMatch] = []
    for match in children(node, "matches"):
        stop_id, name = text(match, "id"), text(match, "name")
        if not stop_id or not name:
            continue
        top = text(match, "topMostParentId")
        found.append(
            StopMatch(
                stop_id,
                name,
                tuple(texts(match, "modes")),
                _ids(match, "lines"),
                point(match),
                text(match, "zone"),
                text(match, "icsId"),
                next((one for one in (stop_id, top) if one.startswith("HUB")), ""),
            )
        )
    return tuple(found)


def read_stop(payload: object) -> StopMatch:
    """Read a stop or hub by id, with the stops under it.

    Raises:
        UnavailableError: the payload is not a stop.
    """
    stop = _stop(cast("Node", payload), 0) if isinstance(payload, dict) else None
    if stop is None:
        raise UnavailableError("TfL sent something other than a stop: try again later.")
    return stop


def _stop(node: Node, depth: int) -> StopMatch | None:
    stop_id = text(node, "id") or text(node, "naptanId")
    if not stop_id or depth > _DEEPEST:
        return None
    under = [
        _stop(entry, depth + 1)
        for entry in children(node, "children")
        if text(entry, "stopType") not in _PARTS
    ]
    # What has no mode is a part of the stop too, an entrance without a type.
    kept = tuple(stop for stop in under if stop is not None and (stop.modes or stop.children))
    hub = text(node, "hubNaptanCode")
    return StopMatch(
        stop_id,
        text(node, "commonName"),
        tuple(texts(node, "modes")),
        _ids(node, "lines"),
        point(node),
        _zone(node),
        text(node, "icsCode"),
        hub or (stop_id if stop_id.startswith("HUB") else ""),
        kept,
    )


def _ids(node: Node, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (text(line, "id") for line in children(node, name)))))


def _zone(node: Node) -> str:
    properties = children(node, "additionalProperties")
    return next((text(one, "value") for one in properties if text(one, "key") == "Zone"), "")


def _walk(stop: StopMatch) -> Iterator[StopMatch]:
    yield stop
    for one in stop.children:
        yield from _walk(one)


Side = Literal["origin", "destination", "via"]

_SIDES: dict[Side, str] = {"origin": "from", "destination": "to", "via": "via"}


@dataclass(frozen=True, slots=True)
class PlaceOption:
    """A place that may be meant.

    Attributes:
        place: the place.
        send: what to ask TfL with to mean this place: an ICS code, a stop id or coordinates.
        quality: how well TfL finds the name to match, 0 to 1000; it puts Uxbridge before London
            Bridge, so it decides nothing alone.
        modes: ids of the modes that call there.
        place_type: as TfL names it (`StopPoint`, `PointOfInterest`).
    """

    place: Place
    send: str
    quality: int
    modes: tuple[str, ...] = ()
    place_type: str = ""


@dataclass(frozen=True, slots=True)
class Disambiguation:
    """TfL's answer where a place is not clear.

    Attributes:
        origin, destination, via: places that may be meant, best match first; empty where the
            place is clear (or not asked for).
        unknown: sides for which TfL knows no place at all.
    """

    origin: tuple[PlaceOption, ...] = ()
    destination: tuple[PlaceOption, ...] = ()
    via: tuple[PlaceOption, ...] = ()
    unknown: tuple[Side, ...] = ()


def read_disambiguation(payload: object) -> Disambiguation:
    """Read a disambiguation answer.

    Raises:
        UnavailableError: it is none, or it offers no place and names no unknown one.
    """
    node = cast("Node", payload) if isinstance(payload, dict) else {}
    found: dict[Side, tuple[PlaceOption, ...]] = {}
    unknown: list[Side] = []
    for side, name in _SIDES.items():
        entry = child(node, f"{name}LocationDisambiguation")
        found[side] = _options(entry)
        status = text(entry, "matchStatus").casefold()
        if not found[side] and status in ("notidentified", "list"):
            unknown.append(side)
    if not any(found.values()) and not unknown:
        raise UnavailableError("TfL asks which place is meant but names none: try again later.")
    return Disambiguation(found["origin"], found["destination"], found["via"], tuple(unknown))


def _options(entry: Node) -> tuple[PlaceOption, ...]:
    found: list[PlaceOption] = []
    for option in children(entry, "disambiguationOptions"):
        node = child(option, "place")
        place = read_place(node)
        where = place.point
        send = text(option, "parameterValue") or place.ics or place.stop_id
        send = send or (f"{where.lat},{where.lon}" if where else "")
        if not send or not place.name:
            continue
        found.append(
            PlaceOption(
                place,
                send,
                whole(option, "matchQuality") or 0,
                tuple(texts(node, "modes")),
                text(node, "placeType"),
            )
        )
    unique: dict[str, PlaceOption] = {}
    for option in found:
        unique.setdefault(option.send, option)
    return tuple(sorted(unique.values(), key=lambda option: -option.quality))
