"""A city whose timetable was imported, as a region in which journeys are planned."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio.to_thread

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Source
from groundwire.journeys.lines.names import mode_vocabulary
from groundwire.journeys.region import Region
from groundwire.journeys.timetable.model import META_FILE, Timetable, feed_folder
from groundwire.journeys.timetable.router import Router
from groundwire.journeys.timetable.stop_names import FoundPlace, StopNames
from groundwire.journeys.timetable.trips import TimetablePlanner
from groundwire.journeys.wording import day, listed
from groundwire.vocabulary import Policy, Term, Vocabulary, fold

if TYPE_CHECKING:
    from groundwire.evidence.records import Draft
    from groundwire.journeys.itinerary import Place, Plan
    from groundwire.journeys.places.sides import AskedTrip, Planned
    from groundwire.journeys.results import Arrivals, FoundStops, LineStatuses
    from groundwire.journeys.wishes.reading import Value, Wishes

_OF_LINES = ("avoid_lines", "only_lines")
# Lines of a timetable that are all named where none is called as was asked.
_MOST_OFFERED = 12
_WORD = re.compile(r"[^\W\d_]{4,}")
_LINE_OF = re.compile(r"(?<=[0-9A-Za-z])(?:号线|路|线| Line)$")


class City(Region):
    """One imported timetable, and what users keep. Threads may share it."""

    def __init__(self, name: str, home: Path, now: Callable[[], datetime] | None = None) -> None:
        """Name the feed; its arrays are mapped by the first call.

        Args:
            name: the name under which it was imported.
            home: the state folder.
            now: the present moment, in the zone of the feed.

        Raises:
            NotFoundError: no feed of this name is imported.
        """
        self.name = name
        self._folder = feed_folder(home, name)
        self._planner: TimetablePlanner | None = None
        self._mark: tuple[int, int] | None = None
        self._lines: _Lines | None = None
        super().__init__(home, now or self._present)

    def _present(self) -> datetime:
        return datetime.now(self.timetable.zone).replace(second=0, microsecond=0)

    @property
    def source(self) -> Source:
        """The imported timetable."""
        return "timetable"

    @property
    def online(self) -> bool:
        """No service is asked."""
        return False

    @property
    def unlocated(self) -> bool:
        """Stops are planned for by the timetable, with or without a position."""
        return True

    @property
    def credit(self) -> str:
        """The publisher, and until when the timetable holds."""
        return self.planner.credit

    @property
    def places(self) -> StopNames:
        """Return the reader of the places that callers name."""
        return self.planner.names

    @property
    def timetable(self) -> Timetable:
        """The timetable."""
        return self.planner.timetable

    @property
    def planner(self) -> TimetablePlanner:
        """Return the planner over the timetable."""
        with self._loading:
            return self._opened()

    def load(self) -> None:
        """Map the timetable."""
        _ = self.planner

    def stop_keys(self, place: Place) -> frozenset[str]:
        """Return the ids of a place's stops; nothing where the feed has no such place."""
        number = self.places.number_of(place)
        if number is None:
            return frozenset()
        stops = self.timetable.stops_of(number).tolist()
        return frozenset((place.stop_id, *(self.timetable.stop_ids[one] for one in stops)))

    def with_marked_names(self, text: str) -> str:
        """Return a text in which names of stops stand in marks, those of several words."""
        return self.places.marked(text, self.line_names())

    def runs_on(self, plan: Plan, on: date) -> bool:
        """Return whether every service of a plan leaves at its time on another day."""
        from groundwire.journeys.timetable.boards import leaves

        later = timedelta(days=(on - plan.start.date()).days)
        return all(leaves(self, leg, leg.departure + later) for leg in plan.rides)

    def planned_by(self) -> str:
        """Say who plans, until when it holds, and what it does not know."""
        info = self.timetable.info
        return (
            f"the {self.planner.planner}, which holds from {day(info.first_day)} to "
            f"{day(info.last_day)}; it knows no real time, disruptions or fares"
        )

    def line_name(self, line_id: str) -> str:
        """Name a line by its id, as it stands in a sentence; an id that is not known stays."""
        named = dict(
            zip(self.timetable.route_ids.all(), self.timetable.route_names.all(), strict=True)
        )
        return f"the {named[line_id]}" if line_id in named else line_id

    def line_names(self) -> list[str]:
        """Names of the lines, as many as a record has room for."""
        return list(dict.fromkeys(self.timetable.route_names.all()))[:400]

    async def plan_trip(self, asked: AskedTrip) -> Planned:
        """Plan one trip over the timetable, in a thread."""
        return await anyio.to_thread.run_sync(self.planner.run, asked)

    def read_wishes(
        self,
        sent: Mapping[str, object],
        after: datetime | None,
        base: Mapping[str, Value],
    ) -> Wishes:
        """Read options as `wishes.reading.read_wishes` does, with the lines of this city.

        Raises:
            InputError: an option or a line is unknown, or they do not go together.
        """
        sent = self._lines_apart(sent)
        others = {name: value for name, value in sent.items() if name not in _OF_LINES}
        kept = {name: value for name, value in base.items() if name not in _OF_LINES}
        wishes = super().read_wishes(others, after, kept)
        named = {
            name: tuple(
                dict.fromkeys(one for word in words for one in self.lines_called(str(word)))
            )
            for name in _OF_LINES
            if (words := _items(sent.get(name) or ()))
        }
        return replace(wishes, given={**wishes.given, **named}, values={**wishes.values, **named})

    def _lines_apart(self, sent: Mapping[str, object]) -> Mapping[str, object]:
        """Return options where what is to be avoided, and is a line and no stop, is a line."""
        words = [str(one) for one in _items(sent.get("avoid_stops") or ())]
        known = self._lines_now().vocabulary
        lines = [
            word
            for word in words
            if known.resolve(word, Policy.CANDIDATES_ONLY).term is not None
            and self.places.read(word, {}).place is None
        ]
        if not lines:
            return sent
        stops = [word for word in words if word not in lines]
        avoided = [*_items(sent.get("avoid_lines") or ()), *lines]
        return {**sent, "avoid_stops": stops, "avoid_lines": avoided}

    def lines_called(self, word: str) -> tuple[str, ...]:
        """Ids of the lines that a word names.

        Raises:
            InputError: it names none.
        """
        lines = self._lines_now()
        found = lines.vocabulary.resolve(word, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return lines.ids[found.term.id]
        near = [one.term.label for one in found.candidates]
        names = near or self.line_names()[: _MOST_OFFERED + 1]
        hint = f": send {listed(names, last='or')}" if len(names) <= _MOST_OFFERED else ""
        raise InputError(f"No line of this timetable is called {word[:40]!r}{hint}.")

    def stops_on(self, query: str) -> list[FoundPlace]:
        """Return the places of the line that a query names and no stop is called by, in order."""
        found = self._lines_now().vocabulary.resolve(query, Policy.CANDIDATES_ONLY)
        named = self.places.vocabulary.resolve(query, Policy.CANDIDATES_ONLY)
        if found.term is None or named.term is not None or named.how == "ambiguous":
            return []
        return self.places.of_routes(self._lines_now().ids[found.term.id], found.term.label)

    def _lines_now(self) -> _Lines:
        with self._loading:
            table = self._opened().timetable
            if self._lines is None:
                self._lines = _lines_of(table)
            return self._lines

    async def line_status(
        self, lines: Sequence[str], modes: Sequence[str], offset: int, date: str = ""
    ) -> tuple[LineStatuses, Draft | None]:
        """Say that the state of lines is not known: a timetable has no real time."""
        from groundwire.journeys.timetable.services import line_status

        del offset

        return await anyio.to_thread.run_sync(line_status, self, lines, modes, date)

    async def find_stops(
        self, query: str, modes: Sequence[str], offset: int
    ) -> tuple[FoundStops, Draft | None]:
        """Stops of the timetable that a query may mean, best first."""
        from groundwire.journeys.timetable.boards import find_stops

        return await anyio.to_thread.run_sync(find_stops, self, query, modes, offset)

    async def arrivals(
        self, owner: str, stop: str, lines: Sequence[str], limit: int, when: str = ""
    ) -> tuple[Arrivals, Draft | None]:
        """Departures of the timetable at a stop, from now or another moment on."""
        from groundwire.journeys.timetable.boards import departures

        return await anyio.to_thread.run_sync(departures, self, owner, stop, lines, limit, when)

    def _opened(self) -> TimetablePlanner:
        """The planner over the feed as it lies on disk now: one that was imported anew is read."""
        try:
            found = (self._folder / META_FILE).stat()
        except OSError:
            # It is gone, or being replaced: what was read goes on, else opening tells of it.
            found = None
        mark = (found.st_mtime_ns, found.st_ino) if found else None
        if self._planner is None or (mark is not None and mark != self._mark):
            self._planner, self._mark = _planner_over(Timetable(self._folder)), mark
            self._lines = None
        return self._planner


class _Lines(NamedTuple):
    """The lines of a timetable: by their names, and the ids of the routes of each name."""

    vocabulary: Vocabulary
    ids: dict[str, tuple[str, ...]]


def _lines_of(table: Timetable) -> _Lines:
    aliases: dict[str, list[str]] = {}
    ids: dict[str, tuple[str, ...]] = {}
    for one, name, long in zip(
        table.route_ids.all(),
        table.route_names.all(),
        table.route_long_names.all(),
        strict=True,
    ):
        ids[name] = (*ids.get(name, ()), one)
        own = aliases.setdefault(name, [])
        own += [long] if long and long != name else []
        # "1号线" is called "1" as well.
        own += [bare] if (bare := _LINE_OF.sub("", name)) != name else []
    for name, word in _telling_words(table):
        aliases[name].append(word)
    for kind in _line_kinds():
        called = [n for n, own in aliases.items() if {fold(one) for one in (n, *own)} & {*kind}]
        if len(called) == 1:
            aliases[called[0]] += kind
    return _Lines(
        Vocabulary(
            Term(name, name, tuple(dict.fromkeys((*others, *_as_lines(name)))))
            for name, others in aliases.items()
        ),
        ids,
    )


@cache
def _line_kinds() -> Sequence[Sequence[str]]:
    """Return the words that call a line by its kind, those of one kind together."""
    text = (files("groundwire.journeys.timetable") / "line_kinds.toml").read_text("utf-8")
    return [[fold(word) for word in kind] for kind in tomllib.loads(text)["kinds"]]


def _telling_words(table: Timetable) -> Iterator[tuple[str, str]]:
    """Yield lines by a word that their long name alone has: "Zahnradbahn Alpgrat" is the first."""
    others = {fold(word) for stop in table.stop_names for word in _WORD.findall(stop)}
    others |= {fold(said) for mode in mode_vocabulary() for said in (mode.id, *mode.aliases)}
    named: dict[str, set[str]] = {}
    names = zip(table.route_names.all(), table.route_long_names.all(), strict=True)
    for name, long in names:
        for word in _WORD.findall(long or ""):
            if fold(word) not in others:
                named.setdefault(fold(word), set()).add(name)
    for word, lines in named.items():
        if len(lines) == 1:
            yield next(iter(lines)), word


def _as_lines(name: str) -> Iterator[str]:
    """Names of a line as a line: "line 6" and "6 line", also of "6路"."""
    for said in (name, _LINE_OF.sub("", name)):
        yield from (f"line {said}", f"{said} line")


def _planner_over(table: Timetable) -> TimetablePlanner:
    info = table.info
    return TimetablePlanner(
        table,
        StopNames(table),
        Router(table),
        f"timetable {info.name} of {info.publisher}",
        f"Timetable of {info.publisher} (feed {info.name}, holds until {day(info.last_day)})",
    )


def _items(value: object) -> Sequence[object]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
