"""The places that TfL offers where a name may mean several.

Source: `DisambiguationResult` as TfL's portal and clients describe it (the saved OpenAPI names it
only): for each side a `matchStatus` (`identified`, `list`, `empty`, `notidentified`), and for
`list` the options with the place and the value to send back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import Place
from groundwire.journeys.tfl.fields import Node, child, children, text, texts, whole
from groundwire.journeys.tfl.leg_payload import read_place

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
