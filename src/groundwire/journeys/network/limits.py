"""Ends of a search in the embedded network, limits by the journey's options, and what is unknown.

A journey begins or ends at a stop, at the stops of a hub, or at stops nearby.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from groundwire.errors import InputError, NotFoundError
from groundwire.journeys.conditions import clear_of, keys_of
from groundwire.journeys.itinerary import AvoidedStop, Options, Place, Point, metres_between
from groundwire.journeys.lines.names import service_name, services_of
from groundwire.journeys.network.model import (
    CYCLING_NOTE,
    NO_SERVICE,
    Line,
    Network,
    Stop,
    by_bike_alone,
    walking_minutes,
)
from groundwire.journeys.wording import day as spoken_day
from groundwire.journeys.wording import listed

# Nobody is sent farther on foot to a stop, as the crow flies.
FARTHEST = 3000.0
# Besides the nearest stop, those that are so much farther are tried, up to so many.
FARTHER, MOST = 900.0, 12
# Places no farther apart are the same.
SAME_WITHIN = 40.0


@dataclass(frozen=True, slots=True)
class End:
    """One end of a journey.

    Attributes:
        place: as it was given, with its position if that was found.
        minutes: minutes on foot from or to each stop, by stop id; 0 for the place itself.
    """

    place: Place
    minutes: Mapping[str, float]

    @property
    def point(self) -> Point | None:
        """Where it is, if that is known."""
        return self.place.point


def find_end(
    network: Network, place: Place, speed: str = "", max_walking: float | None = None
) -> End:
    """The stops at which a journey from or to a place begins or ends.

    A place is known by the id of a stop or hub, else by its ICS code, else by its position.

    Raises:
        InputError: it is none of these, too far from any stop, or farther than may be walked.
    """
    stops = _stops_of(network, place)
    if stops:
        point = _middle(network, place, stops)
        return End(_placed(place, point), dict.fromkeys((stop.id for stop in stops), 0.0))
    if place.point is None:
        raise InputError(
            f"where {_called(place)} is is not known without a connection: "
            "give a stop of find_stops, or a position as 'latitude,longitude'"
        )
    near = network.near(place.point, FARTHEST)
    if not near:
        raise InputError(
            f"{_called(place)} is more than {FARTHEST / 1000:g} km from any stop of the embedded "
            f"network ({listed([services_of(mode) for mode in network.modes])}): give a place "
            "nearer to one, or a stop to begin or end at"
        )
    reach = near[0][1] + FARTHER
    minutes = {
        stop.id: walking_minutes(metres, speed) for stop, metres in near[:MOST] if metres <= reach
    }
    return End(place, _walkable(place, minutes, near[0][0], max_walking))


def same(one: End, other: End) -> bool:
    """Whether there is nothing to travel between two ends: a hub is the same as its stops."""
    stops, others = _at(one), _at(other)
    if stops & others:
        return True
    if one.point is None or other.point is None or (stops and others):
        return False
    return metres_between(one.point, other.point) <= SAME_WITHIN


def _at(end: End) -> set[str]:
    """The stops that the end is, rather than being near to."""
    return {stop_id for stop_id, minutes in end.minutes.items() if not minutes}


def _walkable(
    place: Place, minutes: Mapping[str, float], nearest: Stop, max_walking: float | None
) -> Mapping[str, float]:
    if max_walking is None:
        return minutes
    within = {stop_id: spent for stop_id, spent in minutes.items() if round(spent) <= max_walking}
    if not within:
        raise InputError(
            f"{nearest.name}, the stop nearest to {_called(place)}, is a walk of "
            f"{round(min(minutes.values()))} minutes: raise max_walking_minutes ({max_walking:g})"
        )
    return within


def _stops_of(network: Network, place: Place) -> list[Stop]:
    hub = network.hubs.get(place.stop_id)
    if hub:
        return [network.stops[stop_id] for stop_id in hub.stop_ids]
    stop = network.stops.get(place.stop_id)
    if stop:
        return [stop]
    return [stop for stop in network.stops.values() if place.ics and stop.ics == place.ics]


def _middle(network: Network, place: Place, stops: list[Stop]) -> Point:
    hub = network.hubs.get(place.stop_id)
    return place.point or (hub.point if hub else stops[0].point)


def _placed(place: Place, point: Point) -> Place:
    if place.point is not None:
        return place
    return Place(place.name, point, place.kind, place.stop_id, place.ics, place.platform)


def _called(place: Place) -> str:
    return place.name or place.stop_id or "the place"


# Modes by which people go about London that the network may lack, the most used first.
_COMMON = ("national-rail", "bus", "river-bus", "cable-car", "coach")
OFFLINE_NOTE = (
    "Times are estimates: running times between stations, usual waiting and walking time; "
    "no timetable, fares or disruptions are known without a connection."
)
NIGHT_NOTE = (
    "First and last trains are not known without a connection: "
    "check that the lines run at this hour."
)
WORKS_NOTE = (
    "Engineering works, which often close lines at weekends, are not known without a connection: "
    "see tfl.gov.uk/status-updates."
)
STEP_FREE_NOTE = (
    "Which stations are step-free is not known without a connection: "
    "check the way before you rely on it."
)
# By these hours few lines run, or none.
_NIGHT = range(6)
_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """Options that the planner keeps to.

    Attributes:
        closed_lines: ids of lines that may not be used.
        closed_stops: ids of stops that may not be passed.
        no_change_at: ids of stops that may not be changed at.
        on_foot: whether one may walk all the way.
        told: the restrictions in words, for an error, or empty.
        unknown: modes that might be used and that the network does not know.
    """

    closed_lines: frozenset[str]
    closed_stops: frozenset[str]
    no_change_at: frozenset[str]
    on_foot: bool
    preference: str
    speed: str
    max_walking: float | None
    max_transfer: float | None
    told: str
    unknown: tuple[str, ...] = ()

    @property
    def beyond(self) -> str:
        """Say what the network cannot tell of, to end an error with, or return ""."""
        named = listed([services_of(mode) for mode in self.unknown], last="or")
        return f"; it does not know {named}" if named else ""

    def allow(self, walking: float) -> bool:
        """Whether so many minutes on foot, as they are told, are allowed in one plan."""
        return self.max_walking is None or round(walking) <= self.max_walking


def read_limits(network: Network, options: Options, on: date | None = None) -> Limits:
    """The limits that the options set, and the day of service.

    Args:
        network: where to travel.
        options: what is asked for.
        on: the day of service, whose lines without service are closed; None for any day.

    Raises:
        NotFoundError: nothing that may be used has a service on the day.
        InputError: no mode of the network may be used, or the first or last service is asked for,
            which another plan must not stand for.
    """
    if options.adjustment:
        which = "last" if options.adjustment == "TripLast" else "first"
        raise InputError(
            f"the {which} train of a day is not known without a connection, since the embedded "
            "network has no timetable: see tfl.gov.uk/timetables, or leave adjustment out"
        )
    avoided = {mode.lower() for mode in options.avoid_modes}
    allowed = {mode.lower() for mode in options.mode} or {*network.modes, "walking"}
    allowed -= avoided
    if not allowed & {*network.modes, "walking"}:
        asked = listed([services_of(mode) for mode in dict.fromkeys(options.mode)])
        known = listed([services_of(mode) for mode in (*network.modes, "walking")])
        raise InputError(
            f"without a connection {asked} cannot be planned, only {known}: allow one of them"
            if asked
            else f"without a connection only these modes are known: {known}: allow one of them"
        )
    closed = frozenset(
        line.id
        for line in network.lines.values()
        if options.rules_out(line.id) or line.mode not in allowed
    )
    resting = [line for line in network.resting(on) if line.id not in closed] if on else []
    if on and resting:
        _runs_at_all(network, closed, resting, on)
    told = _told(network, options)
    if on and resting:
        verb = "has" if len(resting) == 1 else "have"
        no_service = f"without the {called(resting)}, which {verb} no service on {spoken_day(on)}"
        told = f"{told} {no_service}".lstrip()
    return Limits(
        closed | {line.id for line in resting},
        _stop_ids(network, options.avoid_stops),
        _stop_ids(network, options.avoid_changes),
        "walking" in allowed,
        options.journey_preference,
        options.walking_speed,
        options.max_walking_minutes,
        options.max_transfer_minutes,
        told,
        unknown_modes(network, options),
    )


def _runs_at_all(
    network: Network, closed: frozenset[str], resting: Sequence[Line], on: date
) -> None:
    """Make sure that one of the lines that may be used has a service.

    Raises:
        NotFoundError: none of them has.
    """
    if network.lines.keys() - closed - {line.id for line in resting}:
        return
    modes = network.service_days.modes_without(on)
    if all(line.mode in modes for line in resting):
        named = listed([services_of(mode) for mode in modes], last="or")
        raise NotFoundError(
            f"On {spoken_day(on)} TfL runs no {named}: choose another day, or a way on foot or by "
            "bike"
        )
    raise NotFoundError(
        f"{NO_SERVICE} on {spoken_day(on)}: {called(resting)}. Choose another day, or other lines"
    )


def called(lines: Sequence[Line]) -> str:
    """Lines as they stand in a sentence."""
    return listed([service_name(line.mode, line.name) for line in lines])


def without_service(
    network: Network,
    lines: Collection[str],
    modes: Collection[str],
    on: date,
    reference: date | None = None,
) -> str:
    """Say which of some lines and modes have no service on a day, or return "".

    Args:
        network: has the days of service.
        lines: ids of lines.
        modes: ids of modes of which all lines are meant.
        on: the day.
        reference: a day of the year that need not be named.
    """
    whole = network.service_days.modes_without(on)
    resting = [
        line
        for line in network.resting(on)
        if line.id in lines or (line.mode in modes and line.mode not in whole)
    ]
    named = [service_name(line.mode, line.name) for line in resting]
    named += [services_of(mode) for mode in whole if mode in modes]
    return f"{NO_SERVICE} on {spoken_day(on, reference)}: {listed(named)}." if named else ""


def _stop_ids(network: Network, avoided: Sequence[AvoidedStop]) -> frozenset[str]:
    """Ids of the stops of the network that are to be avoided."""
    keys = frozenset[str]().union(*(one.keys for one in avoided))
    if not keys:
        return keys
    return frozenset(stop.id for stop in network.stops.values() if keys & keys_of(stop.place))


def unknown_modes(network: Network, options: Options) -> tuple[str, ...]:
    """Ids of the modes that the traveller might use and the network does not know.

    They are those that were asked for, else those by which people go about London; none where all
    that may be used is known.
    """
    if by_bike_alone(options):
        return ()
    wanted = tuple(mode.lower() for mode in options.mode) or _COMMON
    known = {*network.modes, "walking", *(mode.lower() for mode in options.avoid_modes)}
    return tuple(dict.fromkeys(mode for mode in wanted if mode not in known))


def unknown_note(modes: Sequence[str]) -> tuple[str, ...]:
    """Say what plans over the network leave out; none where they leave out nothing."""
    if not modes:
        return ()
    named = listed([services_of(mode) for mode in modes], last="or")
    return (f"The embedded network does not know {named}: there may be a quicker way by them.",)


def notes(options: Options, starts: datetime) -> tuple[str, ...]:
    """List what a traveller has to know about plans made without a connection.

    Args:
        options: what was asked for.
        starts: when the first plan begins.
    """
    told = [OFFLINE_NOTE]
    if by_bike_alone(options):
        told.append(CYCLING_NOTE)
    elif starts.weekday() >= _SATURDAY:
        told.append(WORKS_NOTE)
    if starts.hour in _NIGHT:
        told.append(NIGHT_NOTE)
    if {name for name in options.accessibility_preference if name.lower() != "norequirements"}:
        told.append(STEP_FREE_NOTE)
    return tuple(told)


def _lines_named(network: Network, ids: Sequence[str]) -> list[str]:
    lines = network.lines
    return [service_name(lines[one].mode, lines[one].name) if one in lines else one for one in ids]


def _told(network: Network, options: Options) -> str:
    parts: list[str] = []
    if options.mode:
        parts.append(f"by {', '.join(options.mode)}")
    if options.only_lines:
        parts.append(f"only by {', '.join(_lines_named(network, options.only_lines))}")
    avoided = (*options.avoid_modes, *_lines_named(network, options.avoid_lines))
    if avoided:
        parts.append(f"without {', '.join(avoided)}")
    parts += clear_of(options)
    if options.max_walking_minutes is not None:
        parts.append(f"with at most {options.max_walking_minutes} minutes on foot")
    if options.max_transfer_minutes is not None:
        parts.append(f"with walks of at most {options.max_transfer_minutes} minutes in between")
    return " ".join(parts)
