"""Questions to planners of every kind, how their legs are read, and the check of their plans.

A plan that contradicts the question or itself is left out. Fields of payloads are read without
trust: what is not of its kind is missing.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from itertools import pairwise
from typing import Any, Protocol, cast
from zoneinfo import ZoneInfo

from groundwire.journeys.itinerary import Disruption, Leg, Place, Plan, Point, metres_between
from groundwire.journeys.wording import count
from groundwire.safe_text import safe_name

_LONGEST_TEXT = 200
_MOST_POINTS = 4_000
MODES: dict[str, str] = tomllib.loads((files(__package__ or "") / "modes.toml").read_text("utf-8"))
"""Modes of OpenTripPlanner and MOTIS as modes of journeys."""


def tree(value: object) -> dict[str, Any]:
    """A JSON object, or an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: object) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON list."""
    if isinstance(value, list):
        for one in cast("list[object]", value):
            if isinstance(one, dict):
                yield cast("dict[str, Any]", one)


def text(value: object) -> str:
    """A short text on one line, or an empty one."""
    return safe_name(value[:_LONGEST_TEXT]) if isinstance(value, str) else ""


def moment(value: object) -> datetime | None:
    """A moment with its offset, or None."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        return None
    if read.tzinfo is None or not 2000 <= read.year <= 2100:
        return None
    return read


def point(value: dict[str, Any]) -> Point | None:
    """The position of an object with lat and lon, or None."""
    lat, lon = value.get("lat"), value.get("lon")
    if not isinstance(lat, (int, float)) or not isinstance(lon, (int, float)):
        return None
    if not (math.isfinite(lat) and math.isfinite(lon) and abs(lat) <= 90 and abs(lon) <= 180):
        return None
    return Point(float(lat), float(lon))


def place(name: object, where: dict[str, Any], stop_id: object, platform: object) -> Place:
    """A place of a leg."""
    identity = text(stop_id)
    kind = "feed_stop" if identity else "unknown"
    return Place(
        text(name) or "an unnamed place", point(where), kind, identity, platform=text(platform)
    )


def polyline(value: object, precision: int) -> tuple[Point, ...]:
    """The points of an encoded polyline; empty where it is none.

    Source: Google's Encoded Polyline Algorithm Format.
    """
    if not isinstance(value, str) or len(value) > 200_000:
        return ()
    found: list[Point] = []
    lat = lon = 0
    factor = 10**precision
    numbers = _numbers(value)
    for up in numbers:
        across = next(numbers, None)
        if across is None:
            break
        lat, lon = lat + up, lon + across
        if abs(lat) > 90 * factor or abs(lon) > 180 * factor:
            return ()
        found.append(Point(lat / factor, lon / factor))
    step = max(1, len(found) // _MOST_POINTS)
    return (*found[::step], *(found[-1:] if (len(found) - 1) % step else ()))


def _numbers(encoded: str) -> Iterator[int]:
    value = shift = 0
    for letter in encoded:
        part = ord(letter) - 63
        value |= (part & 0x1F) << shift
        shift += 5
        if shift > 60 or part < 0:
            return
        if part < 0x20:
            yield ~(value >> 1) if value & 1 else value >> 1
            value = shift = 0


def whole(value: object) -> int | None:
    """A number as a whole one, or None."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return round(value)
    return None


def utc(value: datetime) -> str:
    """A moment as both planners read it."""
    return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


WANTED = 4
"""Plans that are asked for."""
Legs = tuple[Leg, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A trip as a planner is asked for it.

    Attributes:
        origin, destination: the places, with positions.
        when: the moment.
        arriving: whether it is the latest arrival.
        modes: modes that may be used, or None for all.
        step_free: whether it has to be without steps.
        wanted: how many plans are asked for.
    """

    origin: Place
    destination: Place
    when: datetime
    arriving: bool
    modes: frozenset[str] | None
    step_free: bool
    wanted: int = WANTED


@dataclass(frozen=True, slots=True)
class Answered:
    """The plans of an answer.

    Attributes:
        plans: each its legs.
        unread: how many of its plans could not be read.
        said: what the planner said in place of plans.
    """

    plans: tuple[Legs, ...]
    unread: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A place that a planner knows by a name."""

    name: str
    point: Point
    kind: str = ""
    area: str = ""
    stop_id: str = ""


class PlannerProtocol(Protocol):
    """A kind of planner."""

    @property
    def called(self) -> str:
        """Return the name of its software."""
        ...

    async def plan(self, question: Question) -> Answered:
        """Ask for the plans of a trip.

        Raises:
            GroundwireError: an outcome of `journeys.tfl.outcomes`.
        """
        ...

    async def search(self, words: str) -> list[Match]:
        """Ask for places by name.

        Raises:
            GroundwireError: as `plan`.
        """
        ...

    async def zone(self) -> str:
        """Ask for the IANA name of the planner's time zone; empty where it names none.

        Raises:
            GroundwireError: as `plan`.
        """
        ...


def leg_of(
    mode: object,
    ends: tuple[Place, Place],
    times: tuple[datetime | None, datetime | None],
    scheduled: tuple[datetime | None, datetime | None],
    *,
    real_time: bool,
    **told: Any,
) -> Leg | None:
    """A leg, or None where its mode or times are missing or go back."""
    name = MODES.get(str(mode).upper(), str(mode).lower().replace("_", "-")[:20])
    start, end = times
    if not name or start is None or end is None or end < start:
        return None
    moved = tuple(
        one if one and one != other else None for one, other in zip(scheduled, times, strict=True)
    )
    timing = "walking_speed" if name == "walking" else "real_time" if real_time else "timetable"
    return Leg(
        name,
        *ends,
        start,
        end,
        timing=timing,
        scheduled_departure=moved[0],
        scheduled_arrival=moved[1],
        **told,
    )


def alert(line: str, header: str, details: str) -> Disruption:
    """An operator's message about a leg."""
    reason = ": ".join(filter(None, (header, details if details != header else "")))
    return Disruption(line or "this service", reason or "an alert without words")


_NEAR = 1_500.0
"""Metres from the place that was asked for within which a plan may begin or end."""
_APART = 1_000.0
"""Metres between the end of one leg and the begin of the next."""
_LONGEST = timedelta(hours=48)
_FASTEST: Mapping[str, float] = {
    "walking": 4.0,
    "cycle": 20.0,
    **dict.fromkeys(("metro", "tram", "bus", "coach", "ferry", "funicular", "cable-car"), 70.0),
}
_FASTEST_ELSE = 170.0
"""Metres a second that each mode stays below, and all others but planes."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Plans that hold, and why others do not."""

    plans: tuple[Plan, ...]
    notes: tuple[str, ...]


def checked_plans(found: Sequence[Legs], question: Question, zone: ZoneInfo) -> Checked:
    """The plans that answer the question and hold together.

    Args:
        found: the plans, each its legs.
        question: what was asked.
        zone: the time zone in which moments are told.
    """
    plans: list[Plan] = []
    reasons: dict[str, int] = {}
    for raw in found:
        legs = _named(raw, question)
        reason = _wrong(legs, question)
        if reason:
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        local = tuple(_in_zone(one, zone) for one in legs)
        plans.append(Plan(local[0].departure, local[-1].arrival, local))
    notes = [
        f"{count(number, 'plan')} of the planner {'is' if number == 1 else 'are'} left out: {why}."
        for why, number in reasons.items()
    ]
    return Checked(tuple(dict.fromkeys(plans)), tuple(notes))


def _named(legs: Legs, question: Question) -> Legs:
    """Legs whose ends have the names that were asked for, where planners say START and END."""
    first, last = legs[0], legs[-1]
    told = list(legs)
    if not first.origin.stop_id and _near(first.origin, question.origin):
        told[0] = replace(first, origin=question.origin)
    if not last.destination.stop_id and _near(last.destination, question.destination):
        told[-1] = replace(told[-1], destination=question.destination)
    return tuple(told)


def _wrong(legs: Legs, question: Question) -> str:
    """Say what is wrong with a plan, or return ""."""
    start, end = legs[0].departure, legs[-1].arrival
    if question.arriving and end > question.when + timedelta(minutes=1):
        return "it arrives after the time that was asked for"
    if not question.arriving and start < question.when - timedelta(minutes=1):
        return "it leaves before the time that was asked for"
    if end - start > _LONGEST:
        return "it takes more than two days"
    for one, other in pairwise(legs):
        if other.departure < one.arrival:
            return "a leg leaves before the one before it arrives"
        if not _near(one.destination, other.origin, _APART):
            return "a leg begins where the one before it does not end"
    if not _near(legs[0].origin, question.origin):
        return "it does not begin where it was asked for"
    if not _near(legs[-1].destination, question.destination):
        return "it does not end where it was asked for"
    if any(map(_too_fast, legs)):
        return "a leg is faster than anything on the ground"
    if question.modes is not None and any(
        leg.is_ride and leg.mode not in question.modes for leg in legs
    ):
        return "it uses modes that may not be used"
    return ""


def _too_fast(leg: Leg) -> bool:
    one, other = leg.origin.point, leg.destination.point
    if one is None or other is None or leg.mode == "plane":
        return False
    metres = metres_between(one, other)
    seconds = max((leg.arrival - leg.departure).total_seconds(), 60)
    return metres / seconds > _FASTEST.get(leg.mode, _FASTEST_ELSE)


def _near(one: Place, other: Place, metres: float = _NEAR) -> bool:
    if one.point is None or other.point is None:
        return True
    return metres_between(one.point, other.point) <= metres


def _in_zone(leg: Leg, zone: ZoneInfo) -> Leg:
    planned = leg.scheduled_departure, leg.scheduled_arrival
    moved = [one.astimezone(zone) if one else None for one in planned]
    return replace(
        leg,
        departure=leg.departure.astimezone(zone),
        arrival=leg.arrival.astimezone(zone),
        scheduled_departure=moved[0],
        scheduled_arrival=moved[1],
    )
