"""Journeys, their plans, legs and steps, whoever planned them.

A journey goes from one place to another; a plan is one way to do so; a leg is the part of a plan
that is travelled by one service or on foot; a step is one instruction within a leg. Times know
their zone: Europe/London, or that of the city whose timetable was searched. Durations are whole
minutes, distances metres, money pence.

Options have the meaning that the TfL API gives each. Source: the OpenAPI of
`/Journey/JourneyResults/{from}/to/{to}`. Names are the snake_case of the API's; values keep the
API's spelling.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from math import cos, hypot, radians
from typing import Annotated, Any, Literal, cast
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, TypeAdapter, ValidationInfo

LONDON = ZoneInfo("Europe/London")

CREDIT = "Powered by TfL Open Data"


def _in_zone(moment: datetime, info: ValidationInfo) -> datetime:
    told = cast("dict[str, ZoneInfo]", info.context or {})
    return moment.astimezone(told.get("zone", LONDON))


# A moment that knows its zone: that of the journey that is read, else London's.
Moment = Annotated[datetime, AfterValidator(_in_zone)]
# Who planned: TfL, the embedded network of London, an imported timetable, or a remote planner.
Source = Literal["tfl", "offline_estimate", "timetable", "planner"]
PlaceKind = Literal[
    "stop", "feed_stop", "address", "postcode", "point_of_interest", "coordinates", "unknown"
]
End = Literal["starting_point", "destination", "via"]
# Where the minutes of a leg come from: TfL's timetable, TfL's published running times between
# stations, an estimate from the distance, the walking speed, a headway without exact times, or what
# the operator expects now.
Timing = Literal[
    "timetable", "running_times", "distance_estimate", "walking_speed", "headway", "real_time"
]


@dataclass(frozen=True, slots=True)
class Point:
    """A position in degrees of WGS 84."""

    lat: float
    lon: float


METRES_PER_DEGREE = 111_195.0


def metres_between(one: Point, other: Point) -> float:
    """Metres as the crow flies; right to a thousandth over the size of London."""
    shrink = cos(radians((one.lat + other.lat) / 2))
    return METRES_PER_DEGREE * hypot(one.lat - other.lat, (one.lon - other.lon) * shrink)


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere a journey begins, ends or passes.

    Attributes:
        name: what people call it.
        point: where it is, if that is known.
        kind: what it is.
        stop_id: NaPTAN or hub id of a stop, else empty.
        ics: the code by which TfL's planner joins the stops of one place, else empty.
        platform: platform, stand or stop letter, where it is known.
        step_free: whether the way from the street to the vehicle has no steps there; None where
            that is not known.
    """

    name: str
    point: Point | None = None
    kind: PlaceKind = "unknown"
    stop_id: str = ""
    ics: str = ""
    platform: str = ""
    step_free: bool | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction of a leg, such as a turn into a street.

    Attributes:
        instruction: the whole instruction as a sentence.
        street: the street it leads along, else empty.
        distance_metres: how far, or None.
        turn: the direction of the turn as the API names it (`LEFT`, `STRAIGHT`), else empty.
        point: where the step begins, if that is known.
    """

    instruction: str
    street: str = ""
    distance_metres: int | None = None
    turn: str = ""
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Stairs, a lift, an escalator or a walkway on the way to or from a platform.

    Attributes:
        kind: as the API names it, in lower case (`stairs`, `lift`, `escalator`, `walkway`).
        incline: `up`, `down` or `level`.
        position: `before` or `after` the ride, or `within` where the leg is the way itself.
        stop_id: the stop it is at, by the id the API gives.
    """

    kind: str
    incline: str = ""
    position: str = ""
    stop_id: str = ""


@dataclass(frozen=True, slots=True)
class Disruption:
    """An operator's message about a leg: what hinders it or will, or what is to be known of it.

    Attributes:
        line: the line or the stop it concerns, by name.
        line_id: the id of the line, else empty.
        reason: the whole text as the operator wrote it, without markup.
        category: as the API names it (`RealTime`, `PlannedWork`, `Information`), else empty.
        planned: whether it is planned work rather than something that happened.
        begins, ends: when it holds, if that is known.
    """

    line: str
    reason: str
    line_id: str = ""
    category: str = ""
    planned: bool = False
    begins: Moment | None = None
    ends: Moment | None = None


@dataclass(frozen=True, slots=True)
class Leg:
    """The part of a plan that is travelled by one service, or on foot or by cycle.

    Attributes:
        mode: the id of the mode by the API (`tube`, `walking`).
        line_id: the id of the line (`victoria`, `73`), empty on foot.
        line: its name.
        direction: where the service goes (`Brixton`), or empty.
        also: names of other lines that serve the same leg as well.
        summary: one sentence that says what to do.
        origin, destination: where it begins and ends.
        departure, arrival: when.
        path: the way on the map, in order; at least its two ends where they are known.
        stops: stops that are called at after the origin, the destination the last.
        disruptions: what happened and hinders it.
        planned_works: works and closures that were announced.
        notices: what the operator says of it that hinders nobody (crowding, ramps, events).
        interchange_minutes: minutes for changing after the ride, which follow `arrival`.
        timing: where the minutes come from.
        scheduled_departure, scheduled_arrival: what the timetable says, where the planner
            expects another minute; else None.
    """

    mode: str
    origin: Place
    destination: Place
    departure: Moment
    arrival: Moment
    line_id: str = ""
    line: str = ""
    direction: str = ""
    also: tuple[str, ...] = ()
    summary: str = ""
    distance_metres: int | None = None
    path: tuple[Point, ...] = ()
    stops: tuple[Place, ...] = ()
    steps: tuple[Step, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    disruptions: tuple[Disruption, ...] = ()
    planned_works: tuple[Disruption, ...] = ()
    notices: tuple[Disruption, ...] = ()
    interchange_minutes: int = 0
    timing: Timing = "timetable"
    scheduled_departure: Moment | None = None
    scheduled_arrival: Moment | None = None

    @property
    def duration_minutes(self) -> int:
        """Minutes between departure and arrival."""
        return minutes_between(self.departure, self.arrival)

    @property
    def is_ride(self) -> bool:
        """Whether it is travelled by a service rather than on foot or by one's own cycle."""
        return self.mode not in ("walking", "cycle")


@dataclass(frozen=True, slots=True)
class Fare:
    """The price of a plan with pay as you go, in pence.

    Attributes:
        total_pence: the whole plan.
        charge_level: `Peak` or `Off Peak`, where the API says it.
        zones: `1` or `1-3`, else empty.
        caveats: what may change it, without markup.
    """

    total_pence: int
    charge_level: str = ""
    zones: str = ""
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """One way to make a journey.

    Attributes:
        start, arrival: when it begins and ends.
        legs: in order, at least one.
        fare: what it costs, or None where nobody says.
        step_free: whether it needs no stairs or escalators; None where that is not known.
    """

    start: Moment
    arrival: Moment
    legs: tuple[Leg, ...]
    fare: Fare | None = None
    step_free: bool | None = None

    @cached_property
    def duration_minutes(self) -> int:
        """Minutes from start to arrival."""
        return minutes_between(self.start, self.arrival)

    @cached_property
    def rides(self) -> tuple[Leg, ...]:
        """The legs that are ridden."""
        return tuple(leg for leg in self.legs if leg.is_ride)

    @property
    def interchanges(self) -> int:
        """How often one changes from one service to another."""
        return max(0, len(self.rides) - 1)

    @property
    def walking_minutes(self) -> int:
        """Minutes of the legs on foot."""
        return sum(leg.duration_minutes for leg in self.legs if leg.mode == "walking")

    @property
    def lines(self) -> tuple[str, ...]:
        """Names of the lines, in the order they are ridden."""
        return tuple(leg.line for leg in self.rides if leg.line)

    @property
    def modes(self) -> tuple[str, ...]:
        """Modes in the order they are first used."""
        return tuple(dict.fromkeys(leg.mode for leg in self.legs))

    @property
    def disruptions(self) -> tuple[Disruption, ...]:
        """Return what hinders its legs, each told once."""
        return tuple(dict.fromkeys(one for leg in self.legs for one in leg.disruptions))

    @property
    def planned_works(self) -> tuple[Disruption, ...]:
        """Works planned on its legs, each told once."""
        return tuple(dict.fromkeys(one for leg in self.legs for one in leg.planned_works))

    @property
    def notices(self) -> tuple[Disruption, ...]:
        """Return what operators say of its legs that hinders nobody, each told once."""
        return tuple(dict.fromkeys(one for leg in self.legs for one in leg.notices))

    def to_json(self) -> dict[str, Any]:
        """The plan with its legs and steps, as JSON values; times in ISO 8601."""
        return _adapter(Plan).dump_python(self, mode="json", exclude_defaults=True)


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A place that was asked for and that plans do not begin at, end at or pass.

    Attributes:
        param: the end of the trip that it was asked for.
        asked: the place that was asked for, by name.
        taken: where the plans begin or end instead, by name; empty for a place on the way.
        metres: how far that is from the place that was asked for, if that is known.
        plans: indices of the plans, from 0; empty for all of them.
    """

    param: End
    asked: str
    taken: str = ""
    metres: int | None = None
    plans: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Journey:
    """A journey and the ways to make it.

    Attributes:
        origin, destination, via: the places as they were understood; where all plans begin or end
            elsewhere, the places where they do.
        plans: best first; empty where `error` says why there is none.
        source: who planned it.
        error: why it has no plans, with what to do; else empty.
        notes: what the traveller has to know about all its plans (TfL was down, a filter).
        unknown_modes: ids of modes that might be used and that its planner does not know.
        misplaced: places that were asked for and that plans do not begin at, end at or pass.
        service: sentences on the day of its plans: what has no service, or an unusual one.
        credit: whom an answer credits.
        zone: IANA name of the time zone of its moments.
        planner: who planned it, by a name that a sentence can use; empty for TfL and London.
        holds_until: until which day its timetable holds, in ISO 8601; empty where nobody says.
        guess: whether it was planned for one of several places that may be meant, until that is
            said; a journey that answers the question takes its place.
    """

    origin: Place
    destination: Place
    plans: tuple[Plan, ...]
    source: Source
    via: Place | None = None
    error: str = ""
    notes: tuple[str, ...] = ()
    unknown_modes: tuple[str, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()
    service: tuple[str, ...] = ()
    credit: str = CREDIT
    zone: str = LONDON.key
    planner: str = ""
    holds_until: str = ""
    guess: bool = False

    def to_json(self) -> dict[str, Any]:
        """The journey with all its plans, as JSON values; times in ISO 8601."""
        return _adapter(Journey).dump_python(self, mode="json", exclude_defaults=True)


def minutes_between(start: datetime, end: datetime) -> int:
    """Whole minutes from one moment to another, also across a change of the clocks."""
    return round((end.timestamp() - start.timestamp()) / 60)


def from_json(value: object) -> Journey:
    """The journey that `Journey.to_json` gave, its times in its zone again.

    Raises:
        ValueError: it is another object.
    """
    told: object = cast("dict[str, object]", value).get("zone") if isinstance(value, dict) else None
    try:
        zone = ZoneInfo(told) if isinstance(told, str) else LONDON
    except KeyError as error:
        raise ValueError("the journey has an unknown time zone") from error
    return _adapter(Journey).validate_python(value, context={"zone": zone})


def zone_of(moment: datetime) -> ZoneInfo:
    """The time zone in which a moment is told: its own, or London's for one without a place."""
    zone = moment.tzinfo
    return zone if isinstance(zone, ZoneInfo) and zone.key != "UTC" else LONDON


@cache
def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    """Reads and writes one kind; built on first use, so that a server starts quickly."""
    return TypeAdapter(kind)


TimeIs = Literal["departing", "arriving"]


@dataclass(frozen=True, slots=True)
class AvoidedStop:
    """A stop that a way shall not pass, or not change at.

    Attributes:
        name: what people call it.
        keys: by any of these a plan may name it; see `conditions`.
    """

    name: str
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of one journey, checked; None or empty leaves the choice to the planner.

    Attributes:
        when: the moment to depart at or arrive by, in Europe/London; None is now.
        time_is: whether `when` is the departure or the arrival.
        mode: modes that may be used; empty means all.
        avoid_modes, avoid_lines: ids of what shall not be used; the API knows neither.
        only_lines: ids of the lines that alone may be ridden; empty means all. The API does not
            know it.
        avoid_stops, avoid_changes: stops that shall not be passed, and those that shall not be
            changed at; the API knows neither.
        max_transfer_minutes, max_walking_minutes: limits in minutes.
        adjustment: `TripFirst` or `TripLast`: the first or last trip of the day.
        from_name, to_name, via_name: names that the answer is to have for the places.
    """

    when: datetime | None = None
    time_is: TimeIs = "departing"
    journey_preference: str = ""
    mode: tuple[str, ...] = ()
    accessibility_preference: tuple[str, ...] = ()
    max_transfer_minutes: int | None = None
    max_walking_minutes: int | None = None
    walking_speed: str = ""
    cycle_preference: str = ""
    bike_proficiency: tuple[str, ...] = ()
    adjustment: str = ""
    avoid_modes: tuple[str, ...] = ()
    avoid_lines: tuple[str, ...] = ()
    only_lines: tuple[str, ...] = ()
    avoid_stops: tuple[AvoidedStop, ...] = ()
    avoid_changes: tuple[AvoidedStop, ...] = ()
    national_search: bool | None = None
    alternative_cycle: bool | None = None
    alternative_walking: bool | None = None
    use_multi_modal_call: bool | None = None
    walking_optimization: bool | None = None
    taxi_only_trip: bool | None = None
    route_between_entrances: bool | None = None
    use_real_time_live_arrivals: bool | None = None
    calc_one_direction: bool | None = None
    include_alternative_routes: bool | None = None
    combine_transfer_legs: bool | None = None
    apply_html_markup: bool | None = None
    override_multi_modal_scenario: int | None = None
    from_name: str = ""
    to_name: str = ""
    via_name: str = ""

    def rules_out(self, line_id: str) -> bool:
        """Whether a line may not be ridden."""
        return line_id in self.avoid_lines or bool(
            self.only_lines and line_id not in self.only_lines
        )
