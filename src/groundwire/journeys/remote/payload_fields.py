"""Fields of the payloads of planners, read without trust: what is not of its kind is missing."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, cast

from groundwire.journeys.itinerary import Place, Point
from groundwire.safe_text import safe_name

_LONGEST = 200
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
    return safe_name(value[:_LONGEST]) if isinstance(value, str) else ""


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
