"""Choosing among the places that TfL offers for a name, and which of them to plan for.

A place is chosen without asking only when its name wins clearly. Names come first: by TfL's
`matchQuality` alone Uxbridge comes before London Bridge. Where no name wins, the best are offered,
or planned for within a few calls: one recorded answer offered places whose plain product would
have made 204.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from groundwire.journeys.itinerary import Place
from groundwire.journeys.network.model import metres_between
from groundwire.journeys.places.reading import PlaceOption as Offer
from groundwire.journeys.places.reading import same_place
from groundwire.journeys.stops.names import NameParts, expanded, public_name, split_name
from groundwire.journeys.tfl.disambiguation_payload import PlaceOption
from groundwire.vocabulary import fold

# Calls that one request may make, the one that was answered by a question included.
MOST_CALLS = 4
MOST_OFFERED = 5
# Entries of one name that are no farther apart are one place: its stops, its entrances.
_ONE_PLACE = 300.0
# What shares the name of a station and is no farther from it may be left out for the station.
_BESIDE = 1000.0

From = TypeVar("From")
Via = TypeVar("Via")
To = TypeVar("To")

_SAME, _PART_SAME, _HOLDS, _OTHER = 3, 2, 1, 0


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice among the options for one name.

    Attributes:
        chosen: the option whose name wins clearly, or None.
        top: the best options, best first; of a choice, it alone.
    """

    chosen: PlaceOption | None
    top: tuple[PlaceOption, ...]


def choose(
    options: Sequence[PlaceOption],
    asked: str,
    known: Place | None = None,
    limit: int = MOST_OFFERED,
) -> Choice:
    """Choose the option that a name means, or the best few.

    Args:
        options: what TfL offers.
        asked: the name as it was asked for.
        known: what the name is known to mean without TfL ("Kings X"), if anything.
        limit: how many options to keep where none is chosen.
    """
    parts = split_name(asked)
    standings = [(_standing(option, asked, parts, known), option) for option in options]
    standings.sort(key=lambda one: _rank(one[0], one[1], parts.core))
    ranked = [option for _, option in standings]
    best = standings[0][0] if standings else _OTHER
    if best >= _PART_SAME:
        winner = _winner([option for standing, option in standings if standing == best])
        if winner is not None:
            return Choice(winner, (winner,))
    return Choice(None, tuple(_distinct(ranked)[:limit]))


def offer(option: PlaceOption) -> Offer:
    """An option of TfL's as it is told to a caller."""
    kind = option.place.kind.replace("_", " ")
    detail = " and ".join(option.modes) if option.modes else kind
    where = option.place.point
    if not option.modes and where is not None:
        detail += f" at {where.lat:.4f},{where.lon:.4f}"
    return Offer(option.place.name, option.place, detail, option.send)


def pairs(
    origins: Sequence[From], destinations: Sequence[To], budget: int = MOST_CALLS - 1
) -> list[tuple[From, To]]:
    """Which pairs to plan for, the likeliest first.

    Args:
        origins: where it may begin, best first; of a side that is clear, it alone.
        destinations: where it may end, likewise.
        budget: how many calls may still be made.

    Returns:
        at most `budget` pairs; those whose places stand highest in both lists come first.
    """
    return [
        (origins[one], destinations[other])
        for one, other in _first_places((len(origins), len(destinations)), budget)
    ]


def triples(
    origins: Sequence[From],
    vias: Sequence[Via],
    destinations: Sequence[To],
    budget: int = MOST_CALLS - 1,
) -> list[tuple[From, Via, To]]:
    """As `pairs`, of a journey that goes by way of a place."""
    sizes = (len(origins), len(vias), len(destinations))
    return [
        (origins[one], vias[by], destinations[other])
        for one, by, other in _first_places(sizes, budget)
    ]


def _first_places(sizes: tuple[int, ...], budget: int) -> list[tuple[int, ...]]:
    """Positions in several lists, those with the least sum first, up to the budget."""
    # No position beyond the budget can be reached: those before it would be taken first.
    ranges = [range(min(size, max(budget, 0))) for size in sizes]
    return sorted(product(*ranges), key=lambda at: (sum(at), max(at), at))[: max(budget, 0)]


def _standing(option: PlaceOption, asked: str, parts: NameParts, known: Place | None) -> int:
    """How an option's name stands to the name that was asked for."""
    place = option.place
    fits = not parts.modes or not option.modes or bool(parts.modes & set(option.modes))
    if known is not None and (known.ics or known.stop_id) and same_place(known, place):
        return _SAME if fits else _HOLDS
    if _key(place.name) in (_key(asked), fold(parts.core)):
        return _SAME if fits else _HOLDS
    if any(_key(part) == fold(parts.core) for part in place.name.split(",")):
        return _PART_SAME if fits else _HOLDS
    words = set(parts.core.split())
    return _HOLDS if words and words <= set(expanded(place.name).split()) else _OTHER


def _key(name: str) -> str:
    """Return what two spellings of one name have in common."""
    return fold(split_name(public_name(name)).core)


def _rank(standing: int, option: PlaceOption, core: str) -> tuple[float, ...]:
    alike = _likeness(core, split_name(public_name(option.place.name)).core)
    only_buses = set(option.modes) <= {"bus"}
    stop = not _is_stop(option)
    return (-standing, -round(alike, 2), stop, only_buses, -len(option.modes), -option.quality)


def _likeness(one: str, other: str) -> float:
    from rapidfuzz.distance import OSA

    return float(OSA.normalized_similarity(one, other))


def _is_stop(option: PlaceOption) -> bool:
    return option.place.kind == "stop" or bool(option.modes or option.place.ics)


def _winner(equals: Sequence[PlaceOption]) -> PlaceOption | None:
    """The one place among options that stand equally, if there is just one."""
    distinct = _distinct(equals)
    if len(distinct) == 1:
        return distinct[0]
    stops = [option for option in distinct if _is_stop(option)]
    if len(stops) != 1:
        return None
    stop = stops[0]
    others = [option for option in distinct if option is not stop]
    return stop if all(_apart(stop.place, other.place) <= _BESIDE for other in others) else None


def _distinct(options: Sequence[PlaceOption]) -> list[PlaceOption]:
    """The first option of each place."""
    found: list[PlaceOption] = []
    for option in options:
        if not any(_is_one(option, other) for other in found):
            found.append(option)
    return found


def _is_one(one: PlaceOption, other: PlaceOption) -> bool:
    """Whether two options are of one place: by code, or by name where they are close together."""
    if one.place.ics and one.place.ics == other.place.ics:
        return True
    same_kind = _is_stop(one) == _is_stop(other)
    named_alike = _key(one.place.name) == _key(other.place.name)
    return same_kind and named_alike and _apart(one.place, other.place) <= _ONE_PLACE


def _apart(one: Place, other: Place) -> float:
    """Metres between two places, without end where one's position is not known."""
    if one.point is None or other.point is None:
        return float("inf")
    return metres_between(one.point, other.point)
