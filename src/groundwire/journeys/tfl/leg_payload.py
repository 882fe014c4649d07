"""A leg of a TfL journey: its service, places, way, steps and times, and what hinders it.

Times are London's wall clock without a zone. At the end of summer time one hour of the wall clock
comes twice; which of the two is meant is told by the durations that TfL gives, as far as they tell
it.

Hindrances are disruptions, planned works, obstacles, and stairs that cannot be avoided. TfL sends
messages of every category among the `disruptions` of a leg. Which of them are disruptions is told
by TfL's own fields: the status of the line that has the same words, the type of closure, and the
category of the message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal, NamedTuple, cast

from groundwire.journeys.itinerary import (
    LONDON,
    Disruption,
    Leg,
    Obstacle,
    Place,
    PlaceKind,
    Point,
    Step,
)
from groundwire.journeys.tfl.fields import (
    Node,
    child,
    children,
    flag,
    point,
    point_of,
    text,
    texts,
    whole,
)
from groundwire.journeys.tfl.line_payload import LineStatus, Status
from groundwire.journeys.tfl.severity import PLANNED_WORK, category_of, standing_of_message

# A wheelchair cannot use these; it can use a lift, a ramp and a level walkway.
_STEPS = frozenset({"stairs", "escalator"})
_LONGEST_NAME = 60
Kind = Literal["disrupted", "planned", "notice"]
# The words of the journey planner (EFA) for where an obstacle lies; IDEST: on the way itself.
_POSITIONS = {"before": "before", "after": "after", "idest": "within"}


class Subject(NamedTuple):
    """The subject of one leg's hindrances, where their text does not say it.

    Attributes:
        line, line_id: the service of the leg; empty on foot.
        origin: where the leg begins.
        statuses: what TfL says of all lines of the answer.
    """

    line: str
    line_id: str
    origin: str
    statuses: Sequence[LineStatus] = ()


class Hindrances(NamedTuple):
    """TfL's messages about a leg, each told once.

    Attributes:
        disruptions: what happened; one without words where TfL gives only a mark.
        planned_works: what was announced.
        notices: what is to be known and hinders nobody.
    """

    disruptions: tuple[Disruption, ...] = ()
    planned_works: tuple[Disruption, ...] = ()
    notices: tuple[Disruption, ...] = ()


def read_hindrances(leg: Node, subject: Subject) -> Hindrances:
    """The messages of a leg, by what they are."""
    name = subject.line or subject.origin
    found: dict[Kind, dict[Disruption, None]] = {"disrupted": {}, "planned": {}, "notice": {}}
    for entry in children(leg, "disruptions"):
        kind, told = _message(entry, subject)
        if told.reason:
            found[kind][told] = None
    known = any(found.values())
    for entry in children(leg, "plannedWorks"):
        works = text(entry, "description")
        told = Disruption(name, works, subject.line_id, PLANNED_WORK, planned=True)
        if works and all(one.reason != works for one in found["planned"]):
            found["planned"][told] = None
    if flag(leg, "isDisrupted") and not known and not leg.get("plannedWorks"):
        reason = "TfL marks this part of the journey as disrupted and gives no reason."
        found["disrupted"][Disruption(name, reason, subject.line_id)] = None
    return Hindrances(*(tuple(found[kind]) for kind in ("disrupted", "planned", "notice")))


def read_obstacles(leg: Node) -> tuple[Obstacle, ...]:
    """Stairs, escalators, lifts and walkways, in the order of the way."""
    found: list[Obstacle] = []
    for entry in children(leg, "obstacles"):
        position = text(entry, "position").lower()
        found.append(
            Obstacle(
                text(entry, "type").lower(),
                text(entry, "incline").lower(),
                _POSITIONS.get(position, position),
                text(entry, "stopId"),
            )
        )
    return tuple(found)


def step_free(legs: Iterable[Leg], *, asked: bool) -> bool | None:
    """Whether a plan needs no stairs or escalators, as far as TfL tells.

    TfL lists obstacles, but not all of them: a plan without stairs in it is known to be step-free
    only where TfL was asked for one, and none of its lifts is told to be out of order.
    """
    known = tuple(legs)
    if any(obstacle.kind in _STEPS for leg in known for obstacle in leg.obstacles):
        return False
    if not asked:
        return None
    hindered = any(
        "step free access" in one.reason.casefold().replace("-", " ")
        for leg in known
        for one in (*leg.disruptions, *leg.planned_works, *leg.notices)
    )
    return None if hindered else True


def _message(entry: Node, subject: Subject) -> tuple[Kind, Disruption]:
    """A message, and whether it is a disruption, planned works or a notice."""
    kind, description = text(entry, "type"), text(entry, "description")
    reason = description or text(entry, "summary")
    more = text(entry, "additionalInfo")
    if more and more not in reason:
        reason = f"{reason} {more}".strip()
    category = category_of(text(entry, "categoryDescription"), text(entry, "category"))
    head = description.partition(":")[0].strip() if ":" in description else ""
    head = head if len(head) <= _LONGEST_NAME else ""
    of_line = kind != "stopInfo" and bool(subject.line)
    status = _status(subject, description) if of_line else None
    meant = _kind_of_hindrance(status, text(entry, "closureText"), category)
    planned = meant == "planned"
    if of_line:
        return meant, Disruption(
            subject.line,
            reason,
            subject.line_id,
            category,
            planned,
            status.begins if status else None,
            status.ends if status else None,
        )
    return meant, Disruption(head or subject.origin, reason, category=category, planned=planned)


def _kind_of_hindrance(status: Status | None, closure: str, category: str) -> Kind:
    """Return a message's kind, by the status of the line with its words, else by its own fields."""
    standing = status.standing if status else standing_of_message(closure, category)
    if category == PLANNED_WORK or standing == "planned":
        return "planned"
    return "notice" if standing in ("notice", "good") else "disrupted"


def _status(subject: Subject, reason: str) -> Status | None:
    """The line's status with these very words, which knows when it holds."""
    if not reason or not subject.line_id:
        return None
    return next(
        (
            status
            for line in subject.statuses
            if line.line_id == subject.line_id
            for status in line.statuses
            if status.reason == reason
        ),
        None,
    )


@lru_cache(maxsize=4096)
def london_time(text: str) -> datetime | None:
    """A time of a journey in Europe/London, the first of two that it may be; None for none.

    `0001-01-01T00:00:00` stands for none. One that the clocks leave out is moved on, as they are.
    """
    if text.startswith("0001"):
        return None
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=LONDON)
        return moment.astimezone(UTC).astimezone(LONDON)
    except (ValueError, OverflowError):
        return None


def settled(
    start: datetime, end: datetime, minutes: int | None, after: datetime | None = None
) -> tuple[datetime, datetime]:
    """Start and end, each the one of its two meanings that fits.

    Args:
        start: as `london_time` gives it.
        end: the same.
        minutes: how long it takes, by TfL.
        after: when what comes before has ended.
    """
    starts, ends = _meanings(start), _meanings(end)
    if len(starts) == len(ends) == 1:
        return start, end

    def misfit(pair: tuple[datetime, datetime]) -> tuple[bool, bool, float]:
        taken = (pair[1].timestamp() - pair[0].timestamp()) / 60
        early = after is not None and pair[0].timestamp() < after.timestamp()
        return taken < 0, early, abs(taken - (minutes or 0))

    return min(((first, last) for first in starts for last in ends), key=misfit)


def _meanings(moment: datetime) -> list[datetime]:
    if moment.month != 10:
        # Summer time ends on the last Sunday of October (The Summer Time Order 2002).
        return [moment]
    later = moment.replace(fold=1)
    return [moment, later] if later.utcoffset() != moment.utcoffset() else [moment]


_ON_OWN = frozenset({"walking", "cycle"})
# Codes that the planner gives to places without a code of their own.
_NO_CODE = "9999999"
_POSTCODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}", re.IGNORECASE)
_COORDINATES = re.compile(r"-?\d{1,2}\.\d+, ?-?\d{1,3}\.\d+")
_PLACE_KINDS: dict[str, PlaceKind] = {
    "pointofinterest": "point_of_interest",
    "poi": "point_of_interest",
    "postcode": "postcode",
    "address": "address",
    "streetaddress": "address",
    "street": "address",
    "coordinate": "coordinates",
    "coordinates": "coordinates",
}
_STATION = re.compile(r" (?:Underground|Rail|DLR|Tram) (?:Station|Stop)\b")
_BUS_STOP = re.compile(r"490\d{6}")
# "->E": the stop has no letter but lies on the eastbound side.
_ARROW = re.compile(r"->\s*([NSEW]{1,2})")
_SIDES = {"N": "north", "S": "south", "E": "east", "W": "west"}
# "Continue along" + "for 80 metres", where the way has no name.
_NAMELESS = re.compile(r"\balong for\b")


class _Service(NamedTuple):
    line: str = ""
    line_id: str = ""
    direction: str = ""
    also: tuple[str, ...] = ()


def read_leg(
    node: Node, statuses: Sequence[LineStatus] = (), after: datetime | None = None
) -> Leg | None:
    """A leg, or None where it has no times or mode.

    Args:
        node: `Leg` of the OpenAPI.
        statuses: what TfL says of the lines of the answer.
        after: when the leg before it ended; it decides between two meanings of a time.
    """
    departure = london_time(text(node, "departureTime"))
    arrival = london_time(text(node, "arrivalTime"))
    mode = text(child(node, "mode"), "id") or text(child(node, "mode"), "name").lower()
    if departure is None or arrival is None or not mode:
        return None
    departure, arrival = settled(departure, arrival, whole(node, "duration"), after)
    on_own = mode in _ON_OWN
    service = _service(node)
    origin = read_place(child(node, "departurePoint"))
    destination = read_place(child(node, "arrivalPoint"))
    instruction = child(node, "instruction")
    detailed = text(instruction, "detailed")
    subject = Subject(service.line, service.line_id, origin.name, statuses)
    said = read_hindrances(node, subject)
    # Of a ride the API's distance is what one walks at its end, not what it travels.
    distance = whole(node, "distance")
    path = child(node, "path")
    return Leg(
        mode=mode,
        origin=origin,
        destination=destination,
        departure=departure,
        arrival=arrival,
        line_id=service.line_id,
        line=service.line,
        direction=service.direction,
        also=service.also,
        summary=text(instruction, "summary") or detailed,
        distance_metres=distance if on_own else None,
        path=_way(path, origin, destination),
        stops=_stops(path, child(node, "arrivalPoint"), destination, on_own=on_own),
        steps=tuple(_step(step) for step in children(instruction, "steps")),
        obstacles=read_obstacles(node),
        disruptions=said.disruptions,
        planned_works=said.planned_works,
        notices=said.notices,
        interchange_minutes=_interchange(node),
        scheduled_departure=_scheduled(node, "scheduledDepartureTime", departure),
        scheduled_arrival=_scheduled(node, "scheduledArrivalTime", arrival),
    )


def read_place(node: Node) -> Place:
    """A place of a leg (`StopPoint` or `Place` of the OpenAPI)."""
    station, single = text(node, "naptanId"), text(node, "individualStopId")
    # A cluster of bus stops, or the station above, has no board of the buses; the bus stop has.
    stop_id = single if not station or _BUS_STOP.match(single) else station
    name, ics = text(node, "commonName"), text(node, "icsCode")
    ics = "" if ics.startswith(_NO_CODE) else ics
    platform = text(node, "platformName") or text(node, "stopLetter")
    arrow = _ARROW.fullmatch(platform)
    if arrow:
        platform = "-".join(_SIDES[letter] for letter in arrow[1]) + "bound"
    kind = _kind(text(node, "placeType"), name, is_stop=bool(stop_id or ics))
    return Place(name, point(node), kind, stop_id, ics, platform)


def _kind(told: str, name: str, *, is_stop: bool) -> PlaceKind:
    """Return a place's kind; the planner calls addresses stop points too."""
    known = _PLACE_KINDS.get(told.casefold().replace(" ", ""))
    if known:
        return known
    if is_stop:
        return "stop"
    if _POSTCODE.fullmatch(name):
        return "postcode"
    if _COORDINATES.fullmatch(name):
        return "coordinates"
    return "address" if name else "unknown"


def _service(leg: Node) -> _Service:
    """The first of the services that a leg can be travelled by, and the names of the others."""
    lines: list[tuple[str, str]] = []
    ways: list[str] = []
    for option in children(leg, "routeOptions"):
        identifier = child(option, "lineIdentifier")
        # The option's name may be the brand ("London Overground"), the identifier's the line.
        name, brand = text(identifier, "name"), text(option, "name")
        line = (name or brand, text(identifier, "id"))
        directions = [_STATION.sub("", way) for way in texts(option, "directions")]
        if not line[0]:
            continue
        if not lines:
            ways = list(dict.fromkeys(directions))
        lines.append(line)
    if not lines:
        return _Service()
    (line, line_id), *others = dict.fromkeys(lines)
    also = tuple(name for name in dict.fromkeys(name for name, _ in others) if name != line)
    return _Service(line, line_id, " or ".join(ways), also)


def _way(path: Node, origin: Place, destination: Place) -> tuple[Point, ...]:
    """The points of `lineString`, a text of JSON in lat, lon order; else the two ends."""
    line = path.get("lineString")
    found: list[Point] = []
    if isinstance(line, str) and line:
        try:
            pairs: object = json.loads(line)
        except (ValueError, RecursionError):
            pairs = None
        if isinstance(pairs, list):
            for pair in cast("list[list[object]]", pairs):
                if type(pair) is list and len(pair) >= 2:
                    where = point_of(pair[0], pair[1])
                    if where:
                        found.append(where)
    if len(found) >= 2:
        return tuple(found)
    return tuple(place.point for place in (origin, destination) if place.point)


def _stops(path: Node, arrival: Node, destination: Place, *, on_own: bool) -> tuple[Place, ...]:
    """The stops after the origin, the destination last; of a walk only where it has others."""
    called = [
        Place(text(stop, "name"), kind="stop", stop_id=text(stop, "id"))
        for stop in children(path, "stopPoints")
    ]
    if called:
        last = called[-1]
        ids = {text(arrival, "naptanId"), text(arrival, "individualStopId")} - {""}
        if last.stop_id in ids or destination.name in ("", last.name):
            called.pop()
    named = [stop for stop in called if stop.name]
    return () if on_own and not named else (*named, destination)


def _step(node: Node) -> Step:
    heading, description = text(node, "descriptionHeading"), text(node, "description")
    instruction = " ".join(f"{heading} {description}".split())
    return Step(
        _NAMELESS.sub("for", instruction),
        text(node, "streetName"),
        whole(node, "distance"),
        text(node, "turnDirection"),
        point(node, "latitude", "longitude"),
    )


def _interchange(leg: Node) -> int:
    """Minutes for changing that follow the leg; those of a walk to the change are the walk."""
    minutes, position = whole(leg, "interChangeDuration"), text(leg, "interChangePosition")
    return max(0, minutes or 0) if position.upper() == "AFTER" else 0


def _scheduled(leg: Node, name: str, real: datetime) -> datetime | None:
    """Return the timetable's time, where it is another minute than what TfL expects now."""
    planned = london_time(text(leg, name))
    return None if planned is None or planned.replace(fold=real.fold) == real else planned
