"""A city whose timetable was imported, as a region in which journeys are planned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Source
from groundwire.journeys.region import Region
from groundwire.journeys.spoken_times import day, listed
from groundwire.journeys.timetable.feeds import feed_folder
from groundwire.journeys.timetable.model import Timetable
from groundwire.journeys.timetable.router import Router
from groundwire.journeys.timetable.stop_names import StopNames
from groundwire.journeys.timetable.trips import TimetablePlanner
from groundwire.vocabulary import Policy, Term, Vocabulary

if TYPE_CHECKING:
    from groundwire.evidence.records import Draft
    from groundwire.journeys.planning.asked import AskedTrip, Planned
    from groundwire.journeys.results import Arrivals, FoundStops, LineStatuses
    from groundwire.journeys.wishes.reading import Value, Wishes


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
        with self._loading:
            return self._timetable

    @property
    def planner(self) -> TimetablePlanner:
        """Return the planner over the timetable."""
        with self._loading:
            return self._planner

    def load(self) -> None:
        """Map the timetable."""
        _ = self.planner

    def planned_by(self) -> str:
        """Say who plans, until when it holds, and what it does not know."""
        info = self.timetable.info
        return (
            f"the {self.planner.planner}, which holds from {day(info.first_day)} to "
            f"{day(info.last_day)}; it knows no real time, disruptions or fares"
        )

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
        others = {name: value for name, value in sent.items() if name != "avoid_lines"}
        kept = {name: value for name, value in base.items() if name != "avoid_lines"}
        wishes = super().read_wishes(others, after, kept)
        avoided = sent.get("avoid_lines")
        if not avoided:
            return wishes
        words = [avoided] if isinstance(avoided, str) else list(map(str, _items(avoided)))
        ids = tuple(dict.fromkeys(one for word in words for one in self.lines_called(word)))
        return _with_lines(wishes, ids)

    def lines_called(self, word: str) -> tuple[str, ...]:
        """Ids of the lines that a word names.

        Raises:
            InputError: it names none.
        """
        found = self.line_vocabulary.resolve(word, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return tuple(self._ids_by_name[found.term.id])
        near = listed([one.term.label for one in found.candidates], last="or")
        hint = f": send {near}" if near else ""
        raise InputError(f"No line of this timetable is called {word[:40]!r}{hint}.")

    @cached_property
    def line_vocabulary(self) -> Vocabulary:
        """The lines by their names and long names; a term's id is the name."""
        names = self.timetable.route_names.all()
        long = self.timetable.route_long_names.all()
        aliases: dict[str, list[str]] = {}
        for name, other in zip(names, long, strict=True):
            aliases.setdefault(name, []).extend([other] if other and other != name else [])
        return Vocabulary(
            Term(name, name, tuple(dict.fromkeys((*others, f"line {name}", f"{name} line"))))
            for name, others in aliases.items()
        )

    @cached_property
    def _ids_by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        table = self.timetable
        for name, one in zip(table.route_names.all(), table.route_ids.all(), strict=True):
            found.setdefault(name, []).append(one)
        return found

    async def line_status(
        self, lines: Sequence[str], modes: Sequence[str], offset: int, date: str = ""
    ) -> tuple[LineStatuses, Draft | None]:
        """Say that the state of lines is not known: a timetable has no real time."""
        from groundwire.journeys.timetable.boards import line_status

        del date, offset

        return await anyio.to_thread.run_sync(line_status, self, lines, modes)

    async def find_stops(
        self, query: str, modes: Sequence[str], offset: int
    ) -> tuple[FoundStops, Draft | None]:
        """Stops of the timetable that a query may mean, best first."""
        from groundwire.journeys.timetable.boards import find_stops

        return await anyio.to_thread.run_sync(find_stops, self, query, modes, offset)

    async def arrivals(
        self, owner: str, stop: str, lines: Sequence[str], limit: int
    ) -> tuple[Arrivals, Draft | None]:
        """Departures of the timetable at a stop, from now on."""
        from groundwire.journeys.timetable.boards import departures

        return await anyio.to_thread.run_sync(departures, self, owner, stop, lines, limit)

    @cached_property
    def _timetable(self) -> Timetable:
        return Timetable(self._folder)

    @cached_property
    def _planner(self) -> TimetablePlanner:
        table = self._timetable
        info = table.info
        until = day(info.last_day)
        return TimetablePlanner(
            table,
            StopNames(table),
            Router(table),
            f"timetable {info.name} of {info.publisher}",
            f"Timetable of {info.publisher} (feed {info.name}, holds until {until})",
        )


def _items(value: object) -> Sequence[object]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _with_lines(wishes: Wishes, ids: tuple[str, ...]) -> Wishes:
    from dataclasses import replace

    return replace(
        wishes,
        given={**wishes.given, "avoid_lines": ids},
        values={**wishes.values, "avoid_lines": ids},
    )
