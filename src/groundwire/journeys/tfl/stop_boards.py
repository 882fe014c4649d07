"""Which stops have the boards of a place.

The board of a hub is empty: the stations and stops under it have boards of their own. They are its
children, at any depth, and those that its line groups name by id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from groundwire.journeys.lines.names import LINE_BY_ID, Line, bus_route
from groundwire.journeys.stops.names import public_name
from groundwire.journeys.tfl.fields import plain_text
from groundwire.journeys.tfl.line_payload import Payload, objects, text_of
from groundwire.journeys.tfl.outcomes import UnexpectedAnswerError

# Parts of a station: their arrivals stand on the station's board.
_PARTS = ("Entrance", "AccessArea", "Platform", "Access", "Berth")
# Groups of stops: they have no board themselves.
_GROUPS = ("TransportInterchange", "Cluster", "Pair")


@dataclass(frozen=True, slots=True)
class BoardStop:
    """A stop that has a board.

    Attributes:
        id, name: the stop.
        ics: the code by which TfL's planner joins the stops of one place, else empty.
        lines: the lines that call there, as far as the payload says.
    """

    id: str
    name: str
    ics: str
    lines: tuple[Line, ...]

    @property
    def is_for_buses(self) -> bool:
        """Whether only buses call there."""
        return bool(self.lines) and all(line.mode == "bus" for line in self.lines)


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A place that was asked for, and the stops whose boards make up its own."""

    stop: BoardStop
    boards: tuple[BoardStop, ...]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that call there."""
        found = (line for one in (self.stop, *self.boards) for line in one.lines)
        return tuple({line.id: line for line in found}.values())


def read_board_place(payload: object) -> BoardPlace:
    """Read a stop with the stops under it.

    Args:
        payload: the JSON value of `StopPoint/{id}`.

    Raises:
        UnexpectedAnswerError: the payload is not a stop.
    """
    root: Payload = cast("Payload", payload) if isinstance(payload, Mapping) else {}
    place = _stop(root)
    if not place.id:
        raise UnexpectedAnswerError("TfL sent something other than a stop: try again later")
    if not _is_group(root):
        return BoardPlace(place, (place,))
    below = _joined(_below(root))
    named = _joined(_named_by_groups(root, place))
    return BoardPlace(place, tuple((named | below).values()))


def _joined(stops: Iterable[BoardStop]) -> dict[str, BoardStop]:
    """Stops by id; one that comes again, as a group of lines each time, has the lines of all."""
    found: dict[str, BoardStop] = {}
    for stop in stops:
        before = found.get(stop.id)
        lines = (*before.lines, *stop.lines) if before else stop.lines
        found[stop.id] = replace(stop, lines=tuple(dict.fromkeys(lines)))
    return found


def _is_group(node: Payload) -> bool:
    kind = text_of(node, "stopType")
    return text_of(node, "id").startswith(("HUB", "490G")) or kind.endswith(_GROUPS)


def _below(node: Payload) -> Iterator[BoardStop]:
    for child in objects(node.get("children")):
        if text_of(child, "stopType").endswith(_PARTS):
            continue
        stop = _stop(child)
        if stop.id and stop.lines and not _is_group(child):
            yield stop
        else:
            yield from _below(child)


def _named_by_groups(root: Payload, place: BoardStop) -> Iterator[BoardStop]:
    """Stops that a group names with its lines (`lineGroup`) though they are not its children."""
    known = {line.id: line for line in place.lines}
    gathered: dict[str, list[Line]] = {}
    for group in objects(root.get("lineGroup")):
        stop_id = text_of(group, "naptanIdReference") or text_of(group, "stationAtcoCode")
        if stop_id and stop_id != place.id:
            lines = _ids(group, "lineIdentifier")
            gathered.setdefault(stop_id, []).extend(known.get(one) or _line(one) for one in lines)
    for stop_id, lines in gathered.items():
        yield BoardStop(stop_id, place.name, place.ics, tuple(dict.fromkeys(lines)))


def _stop(node: Payload) -> BoardStop:
    modes = {
        line: text_of(group, "modeName")
        for group in objects(node.get("lineModeGroups"))
        for line in _ids(group, "lineIdentifier")
    }
    own_modes = _ids(node, "modes")
    only_mode = own_modes[0] if len(own_modes) == 1 else ""
    lines = tuple(
        _line(
            text_of(line, "id"),
            plain_text(line.get("name")),
            modes.get(text_of(line, "id")) or only_mode,
        )
        for line in objects(node.get("lines"))
        if text_of(line, "id")
    )
    name = public_name(plain_text(node.get("commonName")))
    return BoardStop(text_of(node, "id"), name, text_of(node, "icsCode"), lines)


def _ids(node: Payload, key: str) -> list[str]:
    values = node.get(key)
    if not isinstance(values, list):
        return []
    return [one for one in cast("list[object]", values) if isinstance(one, str) and one]


def _line(line_id: str, name: str = "", mode: str = "") -> Line:
    """A line by what the payload says of it; what it leaves out is known by its id."""
    known = LINE_BY_ID.get(line_id)
    if known is not None:
        return known
    return Line(line_id, name or line_id.upper(), mode or ("bus" if bus_route(line_id) else ""))
