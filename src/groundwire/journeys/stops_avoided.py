"""Stops that a way shall not pass, or not change at: as they are read, and held against plans.

A plan names a stop by its id, by TfL's code of it, or only by its name; a station has several ids.
The keys of an avoided stop are all of these that its region knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Place, Plan
from groundwire.journeys.options import AvoidedStop, Options
from groundwire.journeys.stops.names import expanded, public_name
from groundwire.journeys.wording import listed

if TYPE_CHECKING:
    from groundwire.journeys.places.sides import Reader
    from groundwire.journeys.region import Region
    from groundwire.journeys.wishes.reading import Value

_JOINED = re.compile(r",?\s(?:and|or|nor|&)\s(?:(?:the|via|through|at)\s)?", re.IGNORECASE)
# Modes that call at no stops, or whose way the traveller chooses.
_NO_CALLS = frozenset({"walking", "cycle", "cycle-hire", "taxi", "plane"})


def keys_of(place: Place) -> frozenset[str]:
    """Return what a plan may name a place by."""
    named = f"name:{expanded(public_name(place.name))}" if place.name else ""
    return frozenset(filter(None, (place.stop_id, place.ics, named)))


def read_stops(
    options: Options,
    wanted: Mapping[str, Value],
    region: Region,
    reader: Reader,
    ends: Sequence[Place],
) -> tuple[Options, tuple[str, ...]]:
    """Return options with the stops that are to be avoided, and what has to be told of them.

    Args:
        options: the other options.
        wanted: all options by name, with the stops as words.
        region: knows the stops.
        reader: reads the words.
        ends: where the trip begins and ends, and the place that it passes, as far as settled.

    Raises:
        InputError: the words name no stop, or one that the trip is to or from.
    """
    told: list[str] = []
    found: dict[str, tuple[AvoidedStop, ...]] = {}
    for param in ("avoid_stops", "avoid_changes"):
        words = wanted.get(param, ())
        stops = [
            stop for one in _texts(words) for stop in _read_any(param, one, region, reader, told)
        ]
        if param == "avoid_stops":
            for stop in stops:
                _refuse_end(stop, ends)
        found[param] = tuple(stops)
    passed, changed = found["avoid_stops"], found["avoid_changes"]
    return replace(options, avoid_stops=passed, avoid_changes=changed), tuple(told)


def _texts(words: Value) -> tuple[str, ...]:
    return words if isinstance(words, tuple) else (str(words),)


def _read_any(
    param: Literal["avoid_stops", "avoid_changes"],
    words: str,
    region: Region,
    reader: Reader,
    told: list[str],
) -> Iterator[AvoidedStop]:
    """Read the stop that words name as a whole, else those that "and" joins in them."""
    parts = _JOINED.split(words)
    try:
        yield _read(param, words, region, reader, told)
    except InputError:
        if len(parts) < 2:
            raise
        for one in parts:
            yield _read(param, one, region, reader, told)


def _read(
    param: Literal["avoid_stops", "avoid_changes"],
    words: str,
    region: Region,
    reader: Reader,
    told: list[str],
) -> AvoidedStop:
    side = reader.read(param, words)
    places = [one.place for one in side.candidates]
    keys = frozenset(key for one in places for key in region.stop_keys(one))
    if not keys:
        raise InputError(
            f"{param}: {words!r} is no stop that is known here: send the name of a station."
        )
    names = [one.name for one in places]
    if len(places) > 1:
        told.append(f"{words} may be {listed(names, len(names))}: all of them are avoided.")
    elif side.note:
        within = words.casefold() in side.note.casefold()
        told.append(side.note if within else f"{words}: {side.note}")
    return AvoidedStop(listed(names, len(names), last="or"), keys)


def _refuse_end(stop: AvoidedStop, ends: Sequence[Place]) -> None:
    for place in ends:
        if stop.keys & keys_of(place):
            raise InputError(
                f"{place.name} is where the trip is to begin, end or pass, and cannot be avoided "
                "as well: leave one of them out."
            )


def clear_of(options: Options) -> list[str]:
    """Return the avoided stops as restrictions in words: "without passing Bank or Angel"."""
    told = (("passing", options.avoid_stops), ("changing at", options.avoid_changes))
    return [
        f"without {how} {listed([one.name for one in stops], len(stops), last='or')}"
        for how, stops in told
        if stops
    ]


def spoils(plan: Plan, options: Options) -> tuple[str, ...]:
    """Return the names of the avoided stops that a plan passes or changes at."""
    named = [one.name for one in options.avoid_stops if one.keys & _keys(_passed(plan))]
    named += [one.name for one in options.avoid_changes if one.keys & _keys(_changes(plan))]
    return tuple(dict.fromkeys(named))


def calls_known(plan: Plan) -> bool:
    """Whether every ride of a plan names the stops that it calls at."""
    return all(leg.stops for leg in plan.legs if leg.mode not in _NO_CALLS)


def without_stops(
    plans: Sequence[Plan], options: Options
) -> tuple[tuple[Plan, ...], tuple[str, ...]]:
    """Return the plans that keep clear of the avoided stops, and the stops of the others."""
    if not (options.avoid_stops or options.avoid_changes):
        return tuple(plans), ()
    spoilt = [spoils(one, options) for one in plans]
    kept = tuple(one for one, names in zip(plans, spoilt, strict=True) if not names)
    return kept, tuple(dict.fromkeys(name for names in spoilt for name in names))


def _keys(places: Iterator[Place]) -> frozenset[str]:
    return frozenset(key for one in places for key in keys_of(one))


def _passed(plan: Plan) -> Iterator[Place]:
    for leg in plan.legs:
        yield from (leg.origin, leg.destination, *leg.stops)


def _changes(plan: Plan) -> Iterator[Place]:
    """The places between two rides at which one is left and the next entered."""
    for before, after in pairwise(plan.rides):
        yield from (before.destination, after.origin)
