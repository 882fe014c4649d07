"""The search for stops: by name, by part of a name, by line, near a place or near a position."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from groundwire.journeys.itinerary import Point
from groundwire.journeys.places.positions import (
    clean,
    is_near_london,
    near_what,
    read_coordinates,
)
from groundwire.journeys.places.reading import PlaceReader
from groundwire.journeys.stops.names import Station, expanded, split_name

# How many stations are told near a position.
_NEAREST = 8
# Modes of a single line.
_ONLY_LINES = {"dlr": "dlr", "tram": "tram", "elizabeth-line": "elizabeth"}
_WHY = {
    "exact": "its name",
    "folded": "its name",
    "alias": "another name of it",
    "corrected": "its name but for one letter",
}


@dataclass(frozen=True, slots=True)
class FoundStop:
    """A station that a search found.

    Attributes:
        id: id of the hub or stop.
        name: what the signs say.
        modes, lines: ids of those that call there.
        point: where it is.
        zone: fare zone, where it is known, else empty.
        why: why it was found.
        ics: the code by which TfL's planner knows it.
        stop_ids: its stops, for a board of arrivals.
    """

    id: str
    name: str
    modes: tuple[str, ...]
    lines: tuple[str, ...]
    point: Point
    zone: str
    why: str
    ics: str = ""
    stop_ids: tuple[str, ...] = ()


def find_stops(places: PlaceReader, query: str, modes: Iterable[str] = ()) -> tuple[FoundStop, ...]:
    """Stations that a query may mean, the likeliest first.

    Args:
        places: what is known without a connection.
        query: a name or a part of one, a nickname, an id, an ICS code, a line ("victoria line"),
            a well-known place, or latitude and longitude.
        modes: ids of modes; a station is found if it has one of them. Empty for all.

    Returns:
        each station once; a caller pages by slicing, as the order stays the same.

    Raises:
        InputError: the query is empty or too long.
    """
    wanted = frozenset(modes)
    found: dict[str, FoundStop] = {}
    for station, why in _matches(places, clean(query)):
        if station.id not in found and (not wanted or wanted & set(station.modes)):
            found[station.id] = _found(station, why)
    return tuple(found.values())


def _found(station: Station, why: str) -> FoundStop:
    return FoundStop(
        station.id,
        station.name,
        station.modes,
        station.lines,
        station.point,
        station.zone,
        why,
        station.ics,
        tuple(stop.id for stop in station.stops),
    )


def _matches(places: PlaceReader, text: str) -> Iterator[tuple[Station, str]]:
    """Stations with the reason, the best first, some of them again for a lesser reason."""
    stations = places.stations
    position = read_coordinates(text)
    if position is not None:
        if is_near_london(position.point):
            yield from _near(places, position.point, "away")
        return
    near = near_what(text)
    text = near or text
    coded = stations.by_code(text)
    if coded is not None:
        yield coded, "its id"
        return
    on_line = list(_on_line(places, text))
    if on_line:
        yield from on_line
        return
    read = places.names.read(text)
    if read.station is not None and near:
        beside = _near(places, read.station.point, f"from {read.station.name}")
        yield from (one for one in beside if one[0] is not read.station)
        return
    if read.station is not None:
        yield read.station, _WHY[read.how]
    elif read.other:
        landmark = places.landmarks[read.other]
        yield from _near(places, landmark.point, f"from {landmark.name}")
    ids = read.options if read.how == "ambiguous" else ()
    yield from _known(places, ids, "one of several of that name")
    yield from _known(places, places.names.holding(text), "its name has these words")
    yield from _begun(places, text)
    if read.how == "unknown":
        yield from _known(places, read.options, "spelt much like this")
    if read.station is None:
        yield from _beside(places, read.options)


def _known(places: PlaceReader, ids: Iterable[str], why: str) -> Iterator[tuple[Station, str]]:
    """The stations among ids."""
    for term_id in ids:
        if term_id not in places.landmarks:
            yield places.stations[term_id], why


def _beside(places: PlaceReader, ids: Iterable[str]) -> Iterator[tuple[Station, str]]:
    """The station nearest to each of the landmarks among ids."""
    for term_id in ids:
        landmark = places.landmarks.get(term_id)
        if landmark is not None:
            yield next(_near(places, landmark.point, f"from {landmark.name}"))


def _near(places: PlaceReader, point: Point, what: str) -> Iterator[tuple[Station, str]]:
    for metres, station in places.stations.nearest(point, _NEAREST):
        yield station, f"{metres:,} m {what}"


# "DLR line": a mode is called so as well.
_LINE_NOUN = re.compile(r"(?<=DLR)\s+line$", re.IGNORECASE)


def _on_line(places: PlaceReader, text: str) -> Iterator[tuple[Station, str]]:
    """Stations of a line that was named as one: `victoria line`, `DLR stations`."""
    named = split_name(f"any {_LINE_NOUN.sub('', text)}")
    lines = named.lines | {_ONLY_LINES[mode] for mode in named.modes if mode in _ONLY_LINES}
    if named.core != "any" or len(lines) != 1:
        return
    (line,) = lines
    name = places.stations.line_name(line)
    why = f"on the {name}" if line in _ONLY_LINES.values() else f"on the {name} line"
    for station in sorted(places.stations, key=lambda one: one.name):
        if line in station.lines:
            yield station, why


def _begun(places: PlaceReader, text: str) -> Iterator[tuple[Station, str]]:
    """Stations with these words, the last of them perhaps not typed out; large ones first."""
    *whole, last = expanded(text).split() or [""]
    if not last:
        return
    found: list[tuple[bool, int, str, Station]] = []
    for term_id, words in places.names.name_words:
        if term_id in places.landmarks or not set(whole) <= set(words):
            continue
        rest = [word for word in words if word not in whole]
        if any(word.startswith(last) for word in rest):
            station = places.stations[term_id]
            first = not words[0].startswith((*whole, last)[0])
            found.append((first, -len(station.lines), station.name, station))
    for entry in sorted(found, key=lambda one: one[:3]):
        yield entry[3], "its name has a word that begins so"
