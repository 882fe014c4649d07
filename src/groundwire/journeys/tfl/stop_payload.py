"""Stops as TfL's stop services send them: matches of a search, and a stop with those under it.

Source: `SearchResponse`, `MatchedStop` and `StopPoint` of the saved OpenAPI.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import Point
from groundwire.journeys.tfl.fields import Node, children, point, text, texts

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
