"""Reading of a place as a caller sent it: one place, or options to ask about.

A place may be one that the user has named, a position, a postcode, an id or a code of a stop, the
name of a station or of a well-known place. Where postcodes and addresses are, only the TfL API
knows; they are passed on.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from groundwire.journeys.itinerary import Place, Point, metres_between
from groundwire.journeys.places import positions
from groundwire.journeys.places.landmarks import Landmark
from groundwire.journeys.places.positions import clean, sendable
from groundwire.journeys.stops.names import Station, Stations
from groundwire.journeys.stops.reading import StationReader, StationReading
from groundwire.vocabulary import How, fold

_FILE = Path(__file__).with_name("kinds.toml")
_ARTICLE = "the "

# How a place was found: the user's own name, a form of its own, or a step of the vocabulary. An
# unset one is a name of the user's own that stands for nothing yet.
PlaceHow = Literal["named", "coordinates", "postcode", "code", "outside", "unset"] | How

# Stations of one name that are no farther apart are one place.
TOGETHER_WITHIN = 300.0
# Two positions no farther apart are the same.
SAME_WITHIN = 50.0
# What people call places of their own before they have told us where they are.
_OWN = frozenset(map(fold, ("home", "work", "office", "school", "gym", "the office")))
_MY = re.compile(r"my\s+", re.IGNORECASE)
_OURS = re.compile(r"(?:my|the|our)\s+", re.IGNORECASE)
_ITS_PLACE = re.compile(r"(?<=\w)['’]s(?:\s+(?:place|house|flat|home))?$", re.IGNORECASE)
_NAPTAN = re.compile(r"HUB[0-9A-Z]{2,4}|(?:490|910|930|940)[0-9A-Z]{4,13}", re.IGNORECASE)
_ICS = re.compile(r"10\d{5}")


@dataclass(frozen=True, slots=True)
class PlaceOption:
    """A place that may have been meant.

    Attributes:
        name: what it is called.
        place: the place.
        detail: what tells it from others of its name.
        value_to_send: what to send to have just this one.
    """

    name: str
    place: Place
    detail: str
    value_to_send: str


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """A place as it was sent, and what it means.

    Attributes:
        text: what was sent, without control characters; fit to be searched for.
        place: the place, or None: then the options are to be asked about.
        how: the step that decided.
        options: places that may have been meant, best first; empty where one was chosen.
        note: what has to be told, else empty.
        stop_ids: the stops of the station that were asked for ("Bank DLR"); empty for all.
    """

    text: str
    place: Place | None
    how: PlaceHow
    options: tuple[PlaceOption, ...] = ()
    note: str = ""
    stop_ids: tuple[str, ...] = ()


class PlaceReader:
    """Reads places by the stations and landmarks that are known without a connection."""

    def __init__(self, stations: Stations, landmarks: Mapping[str, Landmark]) -> None:
        """Take the stations, and the landmarks by id."""
        self.stations = stations
        self.landmarks = landmarks
        self.names = StationReader(stations, (one.term for one in landmarks.values()))
        self._namesakes = {fold(name): one for one in landmarks.values() for name in one.aliases}

    def read(self, raw: str, named: Mapping[str, str] | None = None) -> PlaceReading:
        """Read a place.

        Args:
            raw: what was sent.
            named: the user's own places by name, with what would be sent for each.

        Returns:
            the reading; without a place, `note` says why and `options` what may be meant.

        Raises:
            InputError: nothing was sent, or too much to be a place.
        """
        text = clean(raw)
        own = self._named(text, named or {})
        return own or self._position(text) or self._coded(text) or self._by_name(text)

    def _named(self, text: str, named: Mapping[str, str]) -> PlaceReading | None:
        asked = _own_name(text)
        for name, value in named.items():
            if _own_name(name) != asked:
                continue
            found = self.read(value)
            place = found.place
            if place is None:
                note = f"{name} is stored as {value!r}: {found.note or 'choose one of the options'}"
                return replace(found, note=note)
            if place.kind == "coordinates":
                place = replace(place, name=name)
            note = "; ".join(filter(None, (f"{name} is {value}", found.note)))
            return replace(found, text=text, place=place, how="named", note=note)
        if asked in _OWN or _MY.match(text):
            note = (
                f"no place is stored under the name {text!r}: store it among the places of the "
                "default parameters, or send the place itself"
            )
            return PlaceReading(text, None, "unset", note=note)
        return None

    def _position(self, text: str) -> PlaceReading | None:
        """Coordinates, or a postcode or the first half of one."""
        found = positions.read_coordinates(text)
        if found is not None:
            return _at(text, found)
        postcode = positions.read_postcode(text)
        if postcode:
            return _postcode(text, postcode)
        if positions.is_postcode_district(text):
            note = f"{text.upper()} is a district of many streets: send the whole postcode"
            return PlaceReading(text, None, "unknown", note=note)
        return None

    def _coded(self, text: str) -> PlaceReading | None:
        """An id or a code of a stop, whether the network has it or not."""
        if not (_NAPTAN.fullmatch(text) or _ICS.fullmatch(text)):
            return None
        station = self.stations.by_code(text)
        if station is not None:
            read = self.names.read(text)
            return self._of_station(text, station, replace(read, how="exact"), "code")
        note = f"{text} has the form of a stop's id, but is none of the embedded network"
        code = text.upper()
        kept = Place(code, None, "stop", "" if code.isdigit() else code, code * code.isdigit())
        return PlaceReading(text, kept, "code", note=note)

    def _by_name(self, text: str) -> PlaceReading:
        read = self.names.read(text)
        if read.station is not None:
            return self._of_station(text, read.station, read, read.how)
        if read.other:
            landmark = self.landmarks[read.other]
            note = _corrected(text, landmark.name) if read.how == "corrected" else ""
            return PlaceReading(text, landmark.place, read.how, note=note)
        together = self._together(read.options) if read.how == "ambiguous" else None
        if together is not None:
            told = " and ".join(station.name for station in together)
            note = f"{text} stands for {told}, which are a short walk apart"
            return PlaceReading(text, _between(together), "alias", note=note)
        named = self._without_kind(text) if read.how == "unknown" else None
        if named is not None:
            return PlaceReading(text, named.place, "alias", note=f"{text} is read as {named.name}")
        note = read.note
        if read.how == "unknown" and not note:
            note = f"no station or well-known place here is called {text!r}"
        return PlaceReading(text, None, read.how, self.options(read.options), note)

    def _without_kind(self, text: str) -> Landmark | None:
        """The landmark whose name and kind a text is, as "Tate Modern museum"; else None."""
        for name, word in _without_kinds(text):
            read = self.names.read(name)
            landmark = self.landmarks.get(read.other) if read.other else None
            sure = read.how in ("exact", "folded", "alias")
            if landmark is not None and sure and word in _words_of_kind(landmark.kind):
                return landmark
        return None

    def _of_station(
        self, text: str, station: Station, read: StationReading, how: PlaceHow
    ) -> PlaceReading:
        stop_id = read.stop_ids[0] if len(read.stop_ids) == 1 else ""
        notes = [_corrected(text, station.name)] if how == "corrected" else []
        notes += [read.note] if read.note else []
        namesake = self._namesakes.get(fold(text))
        if namesake is not None:
            notes.append(f"read as the station; the {namesake.kind} is {namesake.name!r}")
        place = station.place(stop_id)
        return PlaceReading(text, place, how, (), "; ".join(notes), read.stop_ids)

    def options(self, ids: Iterable[str]) -> tuple[PlaceOption, ...]:
        """Options of stations and landmarks by their ids."""
        found: list[PlaceOption] = []
        for term_id in ids:
            landmark = self.landmarks.get(term_id)
            if landmark is not None:
                detail = f"{landmark.kind}, near {landmark.station} station"
                found.append(PlaceOption(landmark.name, landmark.place, detail, landmark.name))
            else:
                station = self.stations[term_id]
                place = station.place()
                detail = self.stations.about(station)
                found.append(PlaceOption(station.name, place, detail, value_to_send(place)))
        return tuple(found)

    def _together(self, ids: tuple[str, ...]) -> list[Station] | None:
        """The stations of one name, if a short walk joins them all."""
        stations = [self.stations.by_code(term_id) for term_id in ids]
        found = [station for station in stations if station is not None]
        bases = {fold(station.name.partition(" (")[0]) for station in found}
        if len(found) != len(ids) or len(found) < 2 or len(bases) > 1:
            return None
        apart = max(metres_between(found[0].point, other.point) for other in found)
        return found if apart <= TOGETHER_WITHIN else None


def value_to_send(place: Place) -> str:
    """Return the code, id or position that names a place to the API, or else its name."""
    if place.ics or place.stop_id:
        return place.ics or place.stop_id
    if place.point is not None:
        return f"{place.point.lat:.6f},{place.point.lon:.6f}"
    return sendable(place.name)


def same_place(one: Place, other: Place) -> bool:
    """Whether a journey between two places would go nowhere.

    Stops are the same by code or id; anything else by its position, or by its name where it has
    none.
    """
    if one.ics and other.ics:
        return one.ics == other.ics
    if one.stop_id and one.stop_id == other.stop_id:
        return True
    if one.point is not None and other.point is not None:
        return metres_between(one.point, other.point) <= SAME_WITHIN
    return fold(one.name) == fold(other.name)


def _own_name(text: str) -> str:
    """Return a name of the user's own without what may stand around it: "my sister's place"."""
    return fold(_ITS_PLACE.sub("", _OURS.sub("", text)))


def _corrected(text: str, name: str) -> str:
    return f"read {text!r} as {name}"


def _at(text: str, found: positions.Coordinates) -> PlaceReading:
    point = found.point
    name = f"{point.lat:.6g},{point.lon:.6g}"
    if not positions.is_near_london(point):
        note = (
            f"{name} is outside the area around London that is planned for "
            "(latitude 51.2 to 51.8, longitude -1.1 to 0.5): send latitude, then longitude"
        )
        return PlaceReading(text, None, "outside", note=note)
    note = f"read as latitude {point.lat:.6g}, longitude {point.lon:.6g}" if found.turned else ""
    return PlaceReading(text, Place(name, point, "coordinates"), "coordinates", note=note)


def _postcode(text: str, postcode: str) -> PlaceReading:
    if not positions.is_area_of_london(postcode):
        note = f"{postcode} is no postcode of London or of the counties around it"
        return PlaceReading(text, None, "outside", note=note)
    return PlaceReading(text, Place(postcode, None, "postcode"), "postcode")


def _between(stations: list[Station]) -> Place:
    """A place in the middle of stations of one name, from which each can be walked to."""
    lat = sum(station.point.lat for station in stations) / len(stations)
    lon = sum(station.point.lon for station in stations) / len(stations)
    name = stations[0].name.partition(" (")[0]
    return Place(name, Point(round(lat, 6), round(lon, 6)), "stop")


def _words_of_kind(kind: str) -> frozenset[str]:
    """Return the words that may stand beside the name of a landmark of this kind."""
    return _kinds().get(kind, frozenset({kind}))


def _without_kinds(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text without a word of a kind at its end or its beginning, and that word."""
    words = text.split()
    bare = words[1:] if text.casefold().startswith(_ARTICLE) else words
    for length in (2, 1):
        if len(bare) <= length:
            continue
        last, first = " ".join(bare[-length:]).casefold(), " ".join(bare[:length]).casefold()
        if last in _every_word():
            yield " ".join(bare[:-length]), last
        if first in _every_word():
            yield " ".join(bare[length:]), first


@cache
def _kinds() -> dict[str, frozenset[str]]:
    tree = tomllib.loads(_FILE.read_text("utf-8"))
    return {kind: frozenset(words) for kind, words in tree.items()}


@cache
def _every_word() -> frozenset[str]:
    return frozenset(word for words in _kinds().values() for word in words)
