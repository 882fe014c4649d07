"""Instructions for one leg in words, and the names of plans and places."""

from __future__ import annotations

import re
from collections import Counter

from groundwire.journeys.itinerary import Leg, Obstacle, Place, Plan
from groundwire.journeys.lines.names import service_name
from groundwire.journeys.spoken_times import count, duration, listed
from groundwire.journeys.stops.names import public_name

# Modes whose services are called by a name of their own, not by "the ... line".
_NUMBERED = ("bus", "replacement-bus", "river-bus")
_OWN_WAY = {"walking": "Walk", "cycle": "Cycle", "cycle-hire": "Cycle"}
_VEHICLES = {
    "bus": "a bus",
    "coach": "a coach",
    "cable-car": "the cable car",
    "international-rail": "a train",
    "national-rail": "a train",
    "plane": "a plane",
    "replacement-bus": "a replacement bus",
    "river-bus": "a boat",
    "river-tour": "a boat",
    "taxi": "a taxi",
    "tram": "the tram",
}
_STATION_ABBREVIATED = re.compile(r"(?<!\s)\s+(?:rail\s+)?stn\.?$", re.IGNORECASE)
_TIMES = {1: "", 2: " (twice)"}
_PLATFORM_UNKNOWN = ("unknown", "null", "none", "->")


def plan_name(index: int, *, with_index: bool = False) -> str:
    """A plan as every sentence and drawing calls it: "plan 2", or "plan 2 (plan_index 1)".

    Args:
        index: its index, from 0.
        with_index: whether the reader may have to send the index.
    """
    return f"plan {index + 1} (plan_index {index})" if with_index else f"plan {index + 1}"


def place_name(place: Place) -> str:
    """A place by the name that people use: "Oxford Circus", "Waterloo"."""
    name = " ".join(place.name.split())
    return _short(name) if place.kind in ("stop", "unknown") else name


def _short(name: str) -> str:
    return _STATION_ABBREVIATED.sub("", public_name(name))


def platform(place: Place, mode: str) -> str:
    """The platform, pier or bus stop to wait at: "platform 8", "stop R"; empty if not known."""
    raw = " ".join(place.platform.split())
    if not raw or any(word in raw.casefold() for word in _PLATFORM_UNKNOWN):
        return ""
    if mode in ("bus", "replacement-bus", "coach"):
        return raw if raw.casefold().startswith("stop") else f"stop {raw}"
    # TfL writes `Southbound - Platform 8`.
    said = raw.replace(" - Platform", ", platform")
    return f"platform {raw}" if len(raw) <= 3 else said[0].lower() + said[1:]


def distance(metres: int | None) -> str:
    """Metres as one says them: "450 m", "3.3 km"; empty if they are not known."""
    if not metres:
        return ""
    return f"{metres} m" if metres < 1000 else f"{metres / 1000:.1f} km"


def service(leg: Leg) -> str:
    """Return the name of what is ridden: "the Victoria line", "bus 73", "a taxi"."""
    if not leg.line:
        return _VEHICLES.get(leg.mode, f"the {leg.mode.replace('-', ' ')}")
    name = service_name(leg.mode, leg.line)
    if leg.mode in _NUMBERED:
        return name[0].lower() + name[1:] if name.startswith("Boat ") else name
    if leg.mode in ("national-rail", "international-rail"):
        return f"the {name} train"
    return f"the {name[0].lower() + name[1:] if name == 'Tram' else name}"


def ridden(plan: Plan) -> str:
    """Say what a plan is travelled by: "by the Victoria line and bus 73", "on foot", "by bike"."""
    services = listed(list(dict.fromkeys(service(leg) for leg in plan.rides)))
    if services:
        return f"by {services}"
    return "by bike" if any(leg.mode == "cycle" for leg in plan.legs) else "on foot"


def headline(leg: Leg) -> str:
    """The leg as the title of an entry: "Victoria line to Oxford Circus", "Walk to Waterloo"."""
    if leg.mode in _OWN_WAY:
        return f"{_OWN_WAY[leg.mode]} {_where(leg)}"
    target = place_name(leg.destination)
    said = service(leg).removeprefix("the ").removeprefix("a ")
    return f"{said[0].upper()}{said[1:]} to {target}"


def sentence(leg: Leg, changing: bool = False) -> str:
    """Say what to do, without times: "take the Victoria line towards Brixton from A to B".

    Args:
        leg: the leg.
        changing: whether it is ridden straight after another ride.
    """
    if leg.mode in _OWN_WAY:
        return _own_way(leg)
    origin, target = place_name(leg.origin), place_name(leg.destination)
    waits_at = platform(leg.origin, leg.mode)
    start = f"{origin} ({waits_at})" if waits_at else origin
    others = [service_name(leg.mode, line) for line in leg.also]
    ridden = f"{service(leg)} or {listed(others, last='or')}" if others else service(leg)
    towards = f" towards {_short(leg.direction)}" if leg.direction else ""
    rides = f"{count(len(leg.stops), 'stop')}, " if leg.stops else ""
    verb, comma = ("change to", ",") if changing else ("take", "")
    return (
        f"{verb} {ridden}{towards}{comma} from {start} to {target}"
        f" ({rides}{duration(leg.duration_minutes)})"
    )


def _own_way(leg: Leg) -> str:
    """A leg on foot or by cycle: "walk to Waterloo (5 minutes, 450 m)"."""
    way = f"{_OWN_WAY[leg.mode].lower()} {_where(leg)}"
    length = distance(leg.distance_metres)
    took = duration(leg.duration_minutes)
    return f"{way} ({took}, {length})" if length else f"{way} ({took})"


def _where(leg: Leg) -> str:
    """Where one walks: "to Waterloo", "within York"; in full where the short names are the same."""
    target = place_name(leg.destination)
    if place_name(leg.origin) != target:
        return f"to {target}"
    if leg.origin.name == leg.destination.name:
        return f"within {target}"
    return f"to {leg.destination.name}"


def step(instruction: str) -> str:
    """An instruction as a sentence; TfL's headings and descriptions do not always meet."""
    said = instruction.replace("Continue along on to", "Continue on to")
    return said if said.endswith((".", "!", "?")) else f"{said}."


def obstacles(found: tuple[Obstacle, ...]) -> str:
    """Stairs and the like in words: "stairs up (twice), escalator down"; empty for none."""
    named = Counter(f"{one.kind} {_incline(one)}".strip() for one in found)
    return listed(
        [f"{name}{_TIMES.get(times, f' ({times} times)')}" for name, times in named.items()]
    )


def _incline(obstacle: Obstacle) -> str:
    return "" if obstacle.incline == "level" else obstacle.incline
