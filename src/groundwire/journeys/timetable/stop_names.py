"""Reading of places in a city with a timetable: names and ids of its stops, and positions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from groundwire.journeys.itinerary import Place, Point
from groundwire.journeys.places.positions import clean, near_what, read_coordinates
from groundwire.journeys.places.reading import PlaceOption, PlaceReading
from groundwire.journeys.timetable.model import Timetable
from groundwire.journeys.timetable.modes import MODES
from groundwire.journeys.timetable.walks import metres_apart
from groundwire.journeys.wording import listed
from groundwire.vocabulary import Policy, Term, Vocabulary, fold

FARTHEST = 20_000.0
"""Metres from the nearest stop at which a position is still in the city."""
_NEARBY = 1_500.0
"""Metres within which a stop is near another; the nearest is told in any case."""
_MOST_OPTIONS = 6
_LINES_TOLD = 6
_MY = re.compile(r"(?:my|the|our)\s+", re.IGNORECASE)
# Words before or behind the name that people use, or that a sentence may leave out.
_BEFORE = re.compile(
    r"(?:S\+U|U\+S|S|U|Bahnhof|Bf|Station|Stop|Halt|Gare(?: de)?|The|An?(?: der| den| dem)?|Am|"
    r"Auf (?:der|dem)|In (?:der|dem)|Im|Beim?|Zu[mr]|Der|Die|Das|Le|La|Les|El|Los|Las)\s+(?=\w)"
)
_ARTICLE = re.compile(
    r"(?:the|der|die|das|dem|den|am|an der|beim?|im|zu[mr])\s+(?=\w)", re.IGNORECASE
)
_BEHIND = re.compile(
    r"(?<!\s)\s+(?:\([^()]*\)|\[[^][]*\]|Bhf\.?|Bf\.?|Bahnhof|Railway Station|Rail Station|"
    r"Bus Station|Station|Stn|Stop|Halt|/\s.+)$",
    re.IGNORECASE,
)


class FoundPlace(NamedTuple):
    """A place that a search found, and why."""

    number: int
    why: str


class StopNames:
    """Reads the places of one timetable."""

    def __init__(self, timetable: Timetable) -> None:
        """Take a timetable; its names are read when one is asked for."""
        self._table = timetable

    @cached_property
    def _names(self) -> list[str]:
        return self._table.place_names.all()

    @cached_property
    def _served(self) -> list[int]:
        """Places at which anything calls."""
        return np.flatnonzero(np.diff(self._table.place_first)).tolist()

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The places by their names; a term's id is the number of its place."""
        names = self._names
        return Vocabulary(
            Term(f"place:{number}", names[number], tuple(_short_names(names[number])))
            for number in self._served
        )

    @cached_property
    def _by_id(self) -> dict[str, int]:
        """Places by the ids of their stops and stations."""
        places = self._table.stop_place.tolist()
        served = set(self._served)
        found = {
            stop: place
            for stop, place in zip(self._table.stop_ids.all(), places, strict=True)
            if place in served
        }
        ids = self._table.place_ids.all()
        return found | {ids[number]: number for number in self._served}

    def number_of(self, place: Place) -> int | None:
        """The number of a place of this timetable, or None for a position."""
        return self._by_id.get(place.stop_id) if place.stop_id else None

    def place(self, number: int) -> Place:
        """A place of the timetable."""
        return Place(
            self._names[number], self.point(number), "feed_stop", self._table.place_ids[number]
        )

    def point(self, number: int) -> Point | None:
        """The middle of a place's stops, where any has a position."""
        stops = self._table.stops_of(number)
        lat, lon = self._table.stop_lat[stops], self._table.stop_lon[stops]
        known = ~np.isnan(lat)
        if not known.any():
            return None
        return Point(round(float(lat[known].mean()), 6), round(float(lon[known].mean()), 6))

    def read(self, raw: str, named: Mapping[str, str] | None = None) -> PlaceReading:
        """Read a place as a caller sent it.

        Args:
            raw: what was sent.
            named: the user's own places by name.

        Returns:
            the reading; without a place, `note` says why and `options` what may be meant.

        Raises:
            InputError: nothing was sent, or too much to be a place.
        """
        text = clean(raw)
        for name, value in (named or {}).items():
            if fold(_MY.sub("", name)) == fold(_MY.sub("", text)):
                return self._named(text, name, value)
        found = read_coordinates(text, self._is_near)
        if found is not None:
            point = found.point
            name = f"{point.lat:.6g},{point.lon:.6g}"
            if not self._is_near(point):
                note = f"{name} is far from every stop of this timetable: send a position near one"
                return PlaceReading(text, None, "outside", note=note)
            note = "read as longitude, latitude" if found.turned else ""
            return PlaceReading(text, Place(name, point, "coordinates"), "coordinates", note=note)
        number = self._by_id.get(text)
        if number is not None:
            return PlaceReading(text, self.place(number), "code")
        return self._by_name(text)

    def _named(self, text: str, name: str, value: str) -> PlaceReading:
        """A place of the user's own."""
        read = self.read(value)
        if read.place is None:
            why = read.note or "choose one of the options"
            return replace(read, note=f"{name} is stored as {value!r}: {why}")
        place = read.place
        if place.kind == "coordinates":
            place = replace(place, name=name)
        return replace(read, text=text, place=place, how="named", note=f"{name} is {value}")

    def _by_name(self, text: str) -> PlaceReading:
        found = self.vocabulary.resolve(text, Policy.SINGLE_EDIT, limit=50)
        bare = _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text
        if found.how == "unknown" and bare != text:
            return replace(self._by_name(bare), text=text)
        if found.term is not None:
            place = self.place(_number(found.term))
            note = f"read {text!r} as {place.name}" if found.how == "corrected" else ""
            return PlaceReading(text, place, found.how, note=note)
        numbers = [_number(one.term) for one in found.candidates]
        if found.how == "ambiguous":
            # Those at which most lines call are likeliest meant.
            numbers.sort(key=lambda number: -len(self._table.stops_of(number)))
            return PlaceReading(text, None, "ambiguous", self.options(numbers))
        near = self._containing(text) or numbers
        words = fold_words(text)
        if len(near) == 1 and words and fold_words(self._names[near[0]])[-len(words) :] == words:
            # "Hauptbahnhof" of the town's own name.
            place = self.place(near[0])
            return PlaceReading(text, place, "corrected", note=f"read {text!r} as {place.name}")
        note = f"no stop of this timetable is called {text!r}"
        if len(near) > 1 and self._containing(text):
            return PlaceReading(text, None, "ambiguous", self.options(near))
        return PlaceReading(text, None, "unknown", self.options(near), note)

    def _containing(self, text: str) -> list[int]:
        """Places whose names have all words of a text, those with the shortest names first."""
        words = set(fold_words(text))
        if not words:
            return []
        found = [number for number in self._served if words <= self._words[number]]
        return sorted(found, key=lambda number: len(self._names[number]))[: _MOST_OPTIONS * 2]

    @cached_property
    def _words(self) -> dict[int, frozenset[str]]:
        return {number: frozenset(fold_words(self._names[number])) for number in self._served}

    def options(self, numbers: Iterable[int]) -> tuple[PlaceOption, ...]:
        """Places as options to ask about."""
        found: list[PlaceOption] = []
        for number in list(dict.fromkeys(numbers))[:_MOST_OPTIONS]:
            place = self.place(number)
            found.append(PlaceOption(place.name, place, self.about(number), place.stop_id))
        return tuple(found)

    def about(self, number: int) -> str:
        """Say what tells a place from others of its name: its lines and where it is."""
        names = self.lines_at(number)
        told = listed(names, _LINES_TOLD) if names else "no lines"
        point = self.point(number)
        return f"{told}, at {point.lat:.4f},{point.lon:.4f}" if point else told

    def lines_at(self, number: int) -> list[str]:
        """Names of the lines that call at a place."""
        routes = self._table.routes_at(self._table.stops_of(number))
        return list(dict.fromkeys(self._table.route_names[one] for one in routes))

    def step_free_at(self, number: int) -> bool | None:
        """Whether all stops of a place are accessible to wheelchairs, None where not all say."""
        said = {self._table.step_free(int(stop)) for stop in self._table.stops_of(number)}
        if False in said:
            return False
        return None if None in said or not said else True

    def modes_at(self, number: int) -> list[str]:
        """Modes that call at a place."""
        routes = self._table.routes_at(self._table.stops_of(number))
        modes = self._table.route_mode
        return list(dict.fromkeys(MODES[int(modes[one])] for one in routes))

    def search(self, query: str, modes: Collection[int] = ()) -> list[FoundPlace]:
        """Places that a query may mean, best first.

        Raises:
            InputError: it is empty or too long.
        """
        found = list(dict.fromkeys(self._searched(clean(query))))
        if modes:
            wanted = {MODES[one] for one in modes}
            found = [one for one in found if wanted & set(self.modes_at(one.number))]
        first: dict[int, FoundPlace] = {}
        for one in found:
            first.setdefault(one.number, one)
        return list(first.values())

    def of_routes(self, routes: Collection[str], line: str) -> list[FoundPlace]:
        """Places of a line in the order in which it calls there, those of its longest run first."""
        table = self._table
        wanted = [number for number, one in enumerate(table.route_ids.all()) if one in routes]
        found: dict[int, None] = {}
        runs = np.flatnonzero(np.isin(table.pattern_route, wanted))
        for run in runs[np.argsort(-np.diff(table.pattern_pos)[runs], kind="stable")].tolist():
            stops = table.pos_stop[table.pattern_pos[run] : table.pattern_pos[run + 1]]
            found |= dict.fromkeys(table.stop_place[stops].tolist())
        return [FoundPlace(number, f"on {line}") for number in found]

    def _searched(self, text: str) -> Iterator[FoundPlace]:
        at = read_coordinates(text, self._is_near)
        if at is not None:
            for number, metres in self.near(at.point, 8):
                yield FoundPlace(number, f"{round(metres)} m away")
            return
        near = near_what(text)
        text = near or text
        if text in self._by_id:
            yield FoundPlace(self._by_id[text], "its id")
        read = self.vocabulary.resolve(text, Policy.SINGLE_EDIT, limit=50)
        if near and read.term is not None:
            yield from self._beside(_number(read.term))
            return
        if read.term is not None:
            why = "its name but for one letter" if read.how == "corrected" else "its name"
            yield FoundPlace(_number(read.term), why)
        for one in read.candidates if read.how == "ambiguous" else ():
            yield FoundPlace(_number(one.term), "its name")
        for number in self._containing(text):
            yield FoundPlace(number, "part of its name")
        for one in self.vocabulary.suggest(text, 8):
            yield FoundPlace(_number(one.term), "like its name")

    def _beside(self, number: int) -> Iterator[FoundPlace]:
        """The places nearest to one, without it."""
        place = self.place(number)
        around = self.near(place.point, 9) if place.point else []
        others = [one for one in around if one[0] != number]
        for at, (other, metres) in enumerate(others):
            if not at or metres < _NEARBY:
                yield FoundPlace(other, f"{round(metres)} m from {place.name}")

    def near(self, point: Point, most: int) -> list[tuple[int, float]]:
        """The nearest places to a position, with metres."""
        lat, lon = self._table.stop_lat, self._table.stop_lon
        metres = metres_apart(point.lat, point.lon, lat, lon)
        metres = np.where(np.isnan(metres), np.inf, metres)
        served = set(self._served)
        found: dict[int, float] = {}
        for stop in np.argsort(metres)[: most * 20].tolist():
            place = int(self._table.stop_place[stop])
            if place in served and np.isfinite(metres[stop]):
                found.setdefault(place, float(metres[stop]))
        return list(found.items())[:most]

    @cached_property
    def _joined(self) -> frozenset[str]:
        """Names of several words, and those in Chinese, without what stands between their words."""
        names = (self._names[number] for number in self._served)
        return frozenset(
            "".join(pieces)
            for name in names
            for said in (name, *_short_names(name))
            if len(pieces := fold_pieces(said)) > 1
        )

    @cached_property
    def _single(self) -> frozenset[str]:
        """Names of one word as they are written, which may be words of another meaning: Over."""
        return frozenset(
            self._names[number]
            for number in self._served
            if _PIECE.fullmatch(self._names[number]) and self._names[number].isalpha()
        )

    def marked(self, text: str, others: Iterable[str] = ()) -> str:
        """Return a text in which the names of stops stand in marks, the longest of each place.

        Args:
            text: what somebody wrote, in capitals or not.
            others: other names, as of lines, of which a stop's may be a part.
        """
        others = {"".join(fold_pieces(one)) for one in others}
        pieces = list(_PIECE.finditer(text))
        folded = [fold(one[0]) for one in pieces]
        found: list[str] = []
        at = done = 0
        while at < len(pieces):
            last = next(
                (
                    last
                    for last in range(min(len(pieces), at + _MOST_PIECES), at + 1, -1)
                    if (said := "".join(folded[at:last])) in self._joined or said in others
                ),
                at,
            )
            single = not at and pieces[at][0] in self._single
            if last == at and single and _ENDS_AT.match(text, pieces[at].end()):
                said, last = "", at + 1
            if last > at and said not in others:
                begin, end = pieces[at].start(), pieces[last - 1].end()
                end += text[end : end + 1] == ")" and "(" in text[begin:end]
                found += [text[done:begin], "「", text[begin:end], "」"]
                done = end
            at = max(last, at + 1)
        return "".join((*found, text[done:]))

    def _is_near(self, point: Point) -> bool:
        lat, lon = self._table.stop_lat, self._table.stop_lon
        metres = metres_apart(point.lat, point.lon, lat, lon)
        return bool((metres <= FARTHEST).any())


def fold_words(text: str) -> list[str]:
    """The words of a name, folded."""
    return [word for part in re.split(r"[\W_]+", text) if (word := fold(part))]


# A word, or one character of Chinese, whose words have nothing between them.
_PIECE = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+")
_MOST_PIECES = 12
# What follows a first word that is a name: "Over to Bank" is no "over to".
_ENDS_AT = re.compile(r"\s+(?:to|nach|zum|zur|→|->)\s+(?=\S)|\s*[到去往至→]")


def fold_pieces(text: str) -> list[str]:
    """The words of a name and its Chinese characters, folded."""
    return [fold(one) for one in _PIECE.findall(text)]


def _number(term: Term) -> int:
    return int(term.id.removeprefix("place:"))


def _short_names(name: str) -> Iterator[str]:
    """Names that people use for a stop: without its town in brackets, or the word for a station."""
    short = name
    for _ in range(3):
        stripped = _BEHIND.sub("", _BEFORE.sub("", short, count=1)).strip()
        if stripped == short or not stripped:
            return
        short = stripped
        yield short
