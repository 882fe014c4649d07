"""Tells alternatives that nobody would take: those that turn back, or change where none is due."""

from __future__ import annotations

from itertools import combinations, product

from groundwire.journeys.network.course import Course
from groundwire.journeys.network.direct import DirectRides
from groundwire.journeys.network.model import Network


def turns_back(network: Network, course: Course) -> bool:
    """Whether a course passes a station twice."""
    seen: set[str] = set()
    last = ""
    for ride in course.rides:
        stations = [network.stops[stop_id].hub or stop_id for stop_id in ride.stop_ids]
        fresh = stations[1:] if stations[0] == last else stations
        if seen.intersection(fresh):
            return True
        seen.update(stations)
        last = stations[-1]
    return False


def changes_in_vain(rides: DirectRides, course: Course) -> bool:
    """Whether a course leaves a line, or boards one late, that goes all the way no slower."""
    network, taken = rides.network, list(course.rides)
    for first, last in combinations(range(len(taken)), 2):
        lines = course.serving[first] | course.serving[last]
        minutes = taken[first].minutes
        minutes += sum(ride.gap + ride.minutes for ride in taken[first + 1 : last + 1])
        origins = network.station(taken[first].stop_ids[0])
        destinations = network.station(taken[last].stop_ids[-1])
        if any(
            ride.line.id in lines and ride.minutes <= minutes
            for origin, destination in product(origins, destinations)
            for ride in rides.between(origin, destination)
        ):
            return True
    return False
