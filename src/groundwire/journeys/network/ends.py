"""Where a journey may begin or end in the network: a stop, the stops of a hub, or stops nearby."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Place, Point
from groundwire.journeys.lines.names import services_of
from groundwire.journeys.network.model import Network, Stop, metres_between, walking_minutes
from groundwire.journeys.spoken_times import listed

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
    within = {stop_id: spent for stop_id, spent in minutes.items() if spent <= max_walking}
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
