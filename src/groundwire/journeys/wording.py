"""Times, days, durations, legs, plans and places in the words of answers.

Times are said as one says them, in the time zone of their place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime

from groundwire.journeys.itinerary import Leg, Obstacle, Place, Plan, zone_of
from groundwire.journeys.lines.names import service_name
from groundwire.journeys.stops.names import public_name
from groundwire.safe_text import safe_name

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def clock(moment: datetime) -> str:
    """The time of day: "07:05"; in the hour that comes twice "01:30 BST" or "01:30 GMT"."""
    local = moment.astimezone(zone_of(moment))
    twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    return f"{local:%H:%M %Z}" if twice else f"{local:%H:%M}"


def day(when: date, reference: date | None = None) -> str:
    """A day: "Sunday 28 March"; with its year where that is not the reference's."""
    year = "" if reference is not None and reference.year == when.year else f" {when.year}"
    return f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}{year}"


def london_day(moment: datetime) -> date:
    """The day that a moment falls on in its place, which is London where it names none."""
    return moment.astimezone(zone_of(moment)).date()


def moment(when: datetime, reference: datetime) -> str:
    """A moment: "14:41", or "00:29 on Monday 23 October" where that is another day."""
    if london_day(when) == london_day(reference):
        return clock(when)
    return f"{clock(when)} on {day(london_day(when), london_day(reference))}"


def span(begins: datetime | None, ends: datetime | None, now: datetime) -> str:
    """When something holds: "until 18:39", "from 04:30 on Sunday 22 October to ..."; or empty."""
    if begins is not None and begins > now:
        if ends is None:
            return f"from {moment(begins, now)}"
        same_day = london_day(begins) == london_day(ends)
        return f"from {moment(begins, now)} to {clock(ends) if same_day else moment(ends, now)}"
    return f"until {moment(ends, now)}" if ends is not None and ends > now else ""


def count(number: int, one: str, several: str = "") -> str:
    """A number with its noun: "1 stop", "3 stops"."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def duration(minutes: int) -> str:
    """Minutes as one says them: "1 minute", "50 minutes", "2 hours 14 minutes"."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return count(rest, "minute") if rest else "under a minute"
    return f"{count(hours, 'hour')} {count(rest, 'minute')}" if rest else count(hours, "hour")


def listed(names: Sequence[str], most: int | None = None, last: str = "and") -> str:
    """Names in a row: "a", "a and b", "a, b and 3 more"; empty for none.

    The last of one too many is named, since "1 more" is no shorter.
    """
    names = [safe_name(one) for one in names]
    if most is not None and len(names) > most + 1:
        return f"{', '.join(names[:most])} {last} {len(names) - most} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


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
