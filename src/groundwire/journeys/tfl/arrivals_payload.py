"""Boards as TfL sends them, read into arrivals.

Source: schemas `Prediction` (tube, DLR, tram, bus, river) and `ArrivalDeparture` (Overground,
Elizabeth line; it names no line) of the saved OpenAPI. Times are UTC.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from groundwire.journeys.lines.names import Line, service_name
from groundwire.journeys.stops.names import public_name
from groundwire.journeys.tfl.fields import plain_text
from groundwire.journeys.tfl.line_payload import Payload, objects, read_moment, text_of
from groundwire.journeys.tfl.outcomes import UnexpectedAnswerError

Outlook = Literal["expected", "on_time", "delayed", "cancelled", "not_stopping"]

_OUTLOOKS: dict[str, Outlook] = {
    "OnTime": "on_time",
    "Delayed": "delayed",
    "Cancelled": "cancelled",
    "NotStoppingAtStation": "not_stopping",
}
# What stands for a vehicle that TfL could not identify; several trains may carry it at once.
_NO_VEHICLE = frozenset({"", "0", "000"})


@dataclass(frozen=True, slots=True)
class Arrival:
    """One service that is expected at a stop, or was to come.

    Attributes:
        line_id, line, mode: the line; empty where the board does not name it.
        destination: where it ends, without the kind of the stop; may be empty.
        towards: what stands on its front (`Morden via Bank`), else empty.
        platform: platform, pier or stop letter, or empty where TfL does not know it.
        expected: when it is expected, in Europe/London; when it was due for a cancelled one.
        scheduled: when the timetable has it, where that is known.
        outlook: whether it comes.
        cause: why it is late or cancelled, without markup.
        stop_id, stop: the stop by id and name.
        location: where it is now, in TfL's words.
        vehicle: the vehicle, where it is known.
        prediction: the id of the prediction.
        stamp: when TfL made it; the later of two on one vehicle holds.
    """

    line_id: str
    line: str
    mode: str
    destination: str
    expected: datetime
    towards: str = ""
    platform: str = ""
    scheduled: datetime | None = None
    outlook: Outlook = "expected"
    cause: str = ""
    stop_id: str = ""
    stop: str = ""
    location: str = ""
    vehicle: str = ""
    prediction: str = ""
    stamp: str = ""

    @property
    def comes(self) -> bool:
        """Whether it stops here at all."""
        return self.outlook not in ("cancelled", "not_stopping")

    @property
    def service(self) -> str:
        """The line as it stands in a sentence."""
        return service_name(self.mode, self.line) if self.line else "Train"

    @property
    def goes_to(self) -> str:
        """Where it goes, as its front says it: "Morden via Bank"."""
        return self.towards or self.destination

    def minutes(self, now: datetime) -> int:
        """Whole minutes until it is expected, as boards count them; 0 is due."""
        return max(0, int((self.expected.timestamp() - now.timestamp()) // 60))


@dataclass(frozen=True, slots=True)
class Predictions:
    """The arrivals of one board, and what of it could not be read, in words."""

    arrivals: tuple[Arrival, ...]
    unread: tuple[str, ...] = ()


def read_arrivals(payload: object, line: Line | None = None) -> Predictions:
    """Read a board.

    Args:
        payload: the JSON value: a list of `Prediction` or `ArrivalDeparture`.
        line: the line of a board that names none.

    Returns:
        the arrivals, next first; the same one is told once.

    Raises:
        UnexpectedAnswerError: the payload is not a board.
    """
    if not isinstance(payload, list):
        raise UnexpectedAnswerError(
            "TfL sent something other than a board of arrivals: try again later"
        )
    found: list[Arrival] = []
    unread: list[str] = []
    entries = objects(cast("list[object]", payload))
    if len(entries) < len(cast("list[object]", payload)):
        unread.append(
            f"{len(cast('list[object]', payload)) - len(entries)} entries are no arrivals"
        )
    for number, entry in enumerate(entries, 1):
        arrival = _read(entry, line)
        if arrival is None:
            unread.append(f"entry {number} has no time")
        else:
            found.append(arrival)
    if unread and not found:
        raise UnexpectedAnswerError(
            "TfL sent something other than a board of arrivals: try again later"
        )
    return Predictions(in_order(found), tuple(unread))


def in_order(arrivals: Iterable[Arrival]) -> tuple[Arrival, ...]:
    """Arrivals by their expected time, each told once.

    The same prediction comes twice on one board, and a vehicle that is predicted anew keeps its
    old prediction for a while: the later one holds.
    """
    kept: dict[tuple[str, ...], Arrival] = {}
    for one in sorted(arrivals, key=lambda one: one.stamp):
        kept[_same(one)] = one
    return tuple(
        sorted(
            kept.values(), key=lambda one: (one.expected, one.line_id, one.platform, one.goes_to)
        )
    )


def _same(arrival: Arrival) -> tuple[str, ...]:
    """Return what two predictions of one arrival have in common."""
    where = (arrival.stop_id, arrival.line_id, arrival.goes_to)
    if arrival.vehicle not in _NO_VEHICLE:
        return ("vehicle", arrival.vehicle, *where)
    if arrival.prediction:
        return ("prediction", arrival.prediction, arrival.stop_id)
    due = arrival.scheduled or arrival.expected
    return ("due", due.isoformat(), arrival.platform, *where)


def _read(entry: Payload, line: Line | None) -> Arrival | None:
    scheduled = _first_moment(entry, "scheduledTimeOfArrival", "scheduledTimeOfDeparture")
    expected = _first_moment(
        entry, "expectedArrival", "estimatedTimeOfArrival", "estimatedTimeOfDeparture"
    )
    when = expected or scheduled
    if when is None:
        return None
    line_id, name, mode = (text_of(entry, key) for key in ("lineId", "lineName", "modeName"))
    if not line_id and line is not None:
        line_id, name, mode = line.id, line.name, line.mode
    return Arrival(
        line_id=line_id,
        line=name or line_id,
        mode=mode,
        destination=public_name(plain_text(entry.get("destinationName"))),
        expected=when,
        towards=_towards(entry),
        platform=_platform(text_of(entry, "platformName")),
        scheduled=scheduled,
        outlook=_OUTLOOKS.get(text_of(entry, "departureStatus"), "expected"),
        cause=plain_text(entry.get("cause")),
        stop_id=text_of(entry, "naptanId"),
        stop=public_name(plain_text(entry.get("stationName"))),
        location=plain_text(entry.get("currentLocation")),
        vehicle=text_of(entry, "vehicleId"),
        prediction=text_of(entry, "id"),
        stamp=text_of(entry, "timestamp"),
    )


def _first_moment(entry: Payload, *keys: str) -> datetime | None:
    return next((moment for key in keys if (moment := read_moment(entry.get(key)))), None)


def _towards(entry: Payload) -> str:
    """Return what stands on the front; a bus says areas there, and is known by where it ends."""
    towards = plain_text(entry.get("towards"))
    blank = towards.casefold() in ("", "null", "check front of train")
    return "" if blank or text_of(entry, "modeName") == "bus" else towards


def _platform(name: str) -> str:
    unknown = any(word in name.casefold() for word in ("unknown", "null"))
    return "" if unknown else " ".join(name.split())
