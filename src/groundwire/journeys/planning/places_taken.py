"""Compares the places that TfL's plans begin at, end at and pass with those that were asked for.

A place is the same by code, else by position, else by name. Other places are
sent to TfL by name, and TfL answers with whatever it takes for that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.journeys.itinerary import (
    End,
    Journey,
    Misplaced,
    Place,
    Plan,
    Point,
    metres_between,
)
from groundwire.journeys.network.model import Network
from groundwire.journeys.places.sides import Way
from groundwire.journeys.stops.names import expanded, public_name, split_name
from groundwire.journeys.wording import distance, listed, place_name, plan_name
from groundwire.vocabulary import fold

# How far from the middle of a station its entrances are, and the bus stops in front of them; and
# how far from a position the address is that a plan begins or ends at.
_STATION, _POSITION = 500.0, 300.0
_POSTCODE = re.compile(r"[^A-Z0-9]")


def misplaced(plans: Sequence[Plan], way: Way, network: Network) -> Iterator[Misplaced]:
    """The places of a way that plans do not begin at, end at or pass.

    Args:
        plans: TfL's plans, at least one.
        way: the places that were asked for.
        network: knows where stops are.
    """
    origin, destination = way.origin.place, way.destination.place
    yield from _ends("starting_point", origin, [one.legs[0].origin for one in plans], network)
    yield from _ends(
        "destination", destination, [one.legs[-1].destination for one in plans], network
    )
    if way.via is not None:
        via = way.via.place
        missing = [n for n, one in enumerate(plans) if not _passes(one, via, network)]
        if missing:
            yield Misplaced("via", place_name(via), plans=_some(missing, plans))


def _ends(
    param: End, asked: Place, taken: Sequence[Place], network: Network
) -> Iterator[Misplaced]:
    """Other places that plans have at one end, each with the plans that have it."""
    others: dict[str, list[int]] = {}
    for number, place in enumerate(taken):
        if not is_place(asked, place, network):
            others.setdefault(place_name(place), []).append(number)
    for name, numbers in others.items():
        metres = _apart(asked, taken[numbers[0]], network)
        told = None if metres is None else round(metres)
        yield Misplaced(param, place_name(asked), name, told, _some(numbers, taken))


def _some(numbers: Sequence[int], of: Sequence[object]) -> tuple[int, ...]:
    """Indices of plans, where they are not all of them."""
    return () if len(numbers) == len(of) else tuple(numbers)


def is_place(asked: Place, taken: Place, network: Network) -> bool:
    """Whether a place of a plan is the one that was asked for, as far as that can be told."""
    if asked.ics and asked.ics == taken.ics:
        return True
    if asked.stop_id and taken.stop_id in (asked.stop_id, *_members(asked, network)):
        return True
    metres = _apart(asked, taken, network)
    if metres is not None:
        return metres <= (_STATION if asked.kind == "stop" else _POSITION)
    return _named_alike(asked, taken)


def _members(place: Place, network: Network) -> tuple[str, ...]:
    hub = network.hubs.get(place.stop_id)
    return hub.stop_ids if hub else ()


def _apart(asked: Place, taken: Place, network: Network) -> float | None:
    """Metres between two places; of a hub from the nearest of its stops; None if not known."""
    point = _position(taken, network)
    points = [network.stops[one].point for one in _members(asked, network)]
    points += [asked.point] if asked.point else []
    if point is None or not points:
        return None
    return min(metres_between(one, point) for one in points)


def _position(place: Place, network: Network) -> Point | None:
    stop = network.stops.get(place.stop_id)
    return place.point or (stop.point if stop else None)


def _named_alike(asked: Place, taken: Place) -> bool:
    """Whether the name that was asked for is in the other one."""
    if asked.name in (asked.ics, asked.stop_id):
        # TfL takes a code for just one place; an id may be of a group of stops, a leg's is of one.
        return not asked.ics or taken.ics in ("", asked.ics)
    if asked.kind == "postcode":
        return _compact(asked.name) in _compact(taken.name)
    if asked.kind == "stop":
        return alike(asked.name, taken.name)
    words = set(expanded(asked.name).split())
    return words <= set(expanded(taken.name).split())


def _compact(name: str) -> str:
    return _POSTCODE.sub("", name.upper())


def alike(one: str, other: str) -> bool:
    """Whether two names of places are one but for how they are written."""
    return _key(one) == _key(other)


def _key(name: str) -> str:
    return fold(split_name(public_name(name)).core)


def _passes(plan: Plan, via: Place, network: Network) -> bool:
    """Whether a plan calls at a place, or goes by it on foot or by cycle."""
    called = (place for leg in plan.legs for place in (leg.origin, leg.destination, *leg.stops))
    if any(is_place(via, place, network) for place in called):
        return True
    walked = (point for leg in plan.legs if not leg.is_ride for point in leg.path)
    return via.point is not None and any(
        is_place(via, Place("", point), network) for point in walked
    )


def with_plans(journey: Journey, kept: Sequence[int]) -> Journey:
    """A journey with some of its plans, and what is told of them by number.

    Args:
        journey: the journey.
        kept: indices of the plans that stay, in order.
    """
    before = {told_of(one) for one in journey.misplaced}
    number = {index: new for new, index in enumerate(kept)}
    left = [
        (one, tuple(number[index] for index in one.plans if index in number))
        for one in journey.misplaced
    ]
    after = tuple(
        replace(one, plans=_some(plans, kept)) for one, plans in left if plans or not one.plans
    )
    notes = (*map(told_of, after), *(note for note in journey.notes if note not in before))
    plans = tuple(journey.plans[index] for index in kept)
    return replace(journey, plans=plans, notes=notes, misplaced=after)


def told_of(one: Misplaced) -> str:
    """Say what a traveller has to know of a place that was asked for.

    It reads "The plans end at Waterloo Road, Uxbridge, 27.1 km away from Waterloo, which was asked
    for."
    """
    which = listed([plan_name(index) for index in one.plans]) or "the plans"
    which, single = f"{which[:1].upper()}{which[1:]}", len(one.plans) == 1
    if one.param == "via":
        return f"{which} {'does' if single else 'do'} not pass {one.asked}, which was asked for."
    verb = ("begin" if one.param == "starting_point" else "end") + ("s" if single else "")
    away = f"{distance(one.metres)} away from" if one.metres else "not at"
    return f"{which} {verb} at {one.taken}, {away} {one.asked}, which was asked for."
