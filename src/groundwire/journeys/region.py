"""Where journeys are planned: London, a city whose timetable was imported, or a remote planner.

The tools answer over any of them; each has its own places, planner and services.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.evidence.records import Draft
    from groundwire.journeys.computed_journeys import JourneyStore
    from groundwire.journeys.itinerary import Disruption, Journey, Options, Place, Plan, Source
    from groundwire.journeys.network.model import Network
    from groundwire.journeys.places.sides import AskedTrip, PlaceSource, Planned
    from groundwire.journeys.preferences import PreferenceStore
    from groundwire.journeys.results import Arrivals, FoundStops, LineStatuses
    from groundwire.journeys.telling import WayAround
    from groundwire.journeys.wishes.reading import Value, Wishes
    from groundwire.state import Database

JOURNEYS_FILE = "journeys.sqlite"
PREFERENCES_FILE = "journey_preferences.sqlite"


class Region(ABC):
    """Holds the planner of journeys and the state of users; threads may share it.

    Attributes:
        database: holds the state of users, where whoever composes a server names one; None for
            files in the state folder.
    """

    database: Database | None = None

    def __init__(self, home: Path, now: Callable[[], datetime]) -> None:
        """Name the state folder and the clock; nothing is read yet.

        Args:
            home: the state folder.
            now: the present moment, in the region's time zone.
        """
        self.home, self.now = home, now
        # Apart, since data takes long to load, and what users keep need not wait for it.
        self._loading = threading.RLock()
        self._keeping = threading.RLock()
        self._tidied: date | None = None

    @property
    @abstractmethod
    def source(self) -> Source:
        """Who plans a trip here."""

    @property
    @abstractmethod
    def credit(self) -> str:
        """Whom answers credit."""

    @property
    @abstractmethod
    def online(self) -> bool:
        """Whether a service may be asked about words that mean no place here."""

    @property
    @abstractmethod
    def places(self) -> PlaceSource:
        """Return the reader of the places that callers name."""

    def stop_keys(self, place: Place) -> frozenset[str]:
        """Return all that a plan may name a stop by; nothing where the place is not a stop here."""
        from groundwire.journeys.conditions import keys_of

        return keys_of(place)

    def with_marked_names(self, text: str) -> str:
        """Return a text in which names of stops stand in marks; none where requests know them."""
        return text

    def runs_on(self, plan: Plan, on: date) -> bool:
        """Return whether the services of a plan run on another day too, where that is known."""
        del plan, on
        return True

    def known_until(self, journey: Journey, plan: Plan) -> date | None:
        """Return until which day `runs_on` knows when the services of a plan run, if it does."""
        del plan
        return date.fromisoformat(journey.holds_until) if journey.holds_until else None

    @property
    def unlocated(self) -> bool:
        """Whether a place can be planned for although nobody knows its position."""
        return False

    @abstractmethod
    def planned_by(self) -> str:
        """Say who plans journeys here, in words that end a sentence."""

    @abstractmethod
    async def plan_trip(self, asked: AskedTrip) -> Planned:
        """Plan one trip.

        Raises:
            InputError: both ends are one place, or options cannot be kept here.
            GroundwireError: the planner cannot be asked like this.
        """

    @abstractmethod
    async def line_status(
        self, lines: Sequence[str], modes: Sequence[str], offset: int, date: str = ""
    ) -> tuple[LineStatuses, Draft | None]:
        """How lines run now, or on a day to come."""

    @abstractmethod
    async def find_stops(
        self, query: str, modes: Sequence[str], offset: int
    ) -> tuple[FoundStops, Draft | None]:
        """Stops that a query may mean, best first."""

    @abstractmethod
    async def arrivals(
        self, owner: str, stop: str, lines: Sequence[str], limit: int, when: str = ""
    ) -> tuple[Arrivals, Draft | None]:
        """Services that come next at a stop, or at another moment where that is known."""

    def read_wishes(
        self, sent: Mapping[str, object], after: datetime | None, base: Mapping[str, Value]
    ) -> Wishes:
        """Read options as a caller sent them, over those that the user keeps.

        Args:
            sent: options by name.
            after: the moment of the trip before, for times without a day.
            base: the user's defaults.

        Raises:
            InputError: an option or value is unknown, or they do not go together.
        """
        from groundwire.journeys.wishes.reading import read_wishes

        return read_wishes(sent, self.now(), after, base=base)

    def way_around(
        self, disruption: Disruption, disrupted: Plan, journey: Journey, options: Options
    ) -> str:
        """How to travel without a disrupted line, in words; empty where no way is known."""
        del disruption, disrupted, journey, options
        return ""

    def ways_around(self, journey: Journey, options: Options | None = None) -> WayAround:
        """Return the function that finds the way around a disruption of a journey's plans."""
        from groundwire.journeys.itinerary import Options

        asked = options or Options()
        found: dict[tuple[Disruption, int], str] = {}

        def find(disruption: Disruption, plan: Plan) -> str:
            key = disruption, id(plan)
            if key not in found:
                found[key] = self.way_around(disruption, plan, journey, asked)
            return found[key]

        return find

    def line_name(self, line_id: str) -> str:
        """Name a line by its id, as it stands in a sentence; an id that is not known stays."""
        from groundwire.journeys.lines.names import LINE_BY_ID, service_name

        line = LINE_BY_ID.get(line_id.lower())
        return f"the {service_name(line.mode, line.name)}" if line else line_id

    def line_names(self) -> list[str]:
        """Names of all lines, of which a text may name one that no plan uses."""
        return []

    @property
    def backdrop(self) -> Network | None:
        """The network that a map shows behind a plan, or None."""
        return None

    def load(self) -> None:  # noqa: B027 -- a region without data of its own loads none
        """Read the data, where it is not read yet; an event loop has a thread do it."""

    async def prepare(self) -> None:  # noqa: B027 -- most know their time zone
        """Find out what has to be known before times are read: the time zone.

        Raises:
            GroundwireError: a planner that has to be asked does not answer.
        """

    @property
    def journeys(self) -> JourneyStore:
        """Computed journeys."""
        with self._keeping:
            return self._journeys

    @property
    def preferences(self) -> PreferenceStore:
        """Default parameters and named places of users."""
        with self._keeping:
            return self._preferences

    def tidy(self) -> None:
        """Remove the maps and calendar files of journeys that have expired, once a day.

        Raises:
            UnavailableError: the file of journeys cannot be read.
        """
        from groundwire.journeys.artefacts.files import sweep

        today = self.now().date()
        if self._tidied != today:
            self._tidied = today
            sweep(self.home, self.journeys.living)

    async def aclose(self) -> None:  # noqa: B027 -- most have no connections
        """Close the connections of the running event loop; a later call opens others."""

    def close(self) -> None:
        """Close the files of state that are open; connections end with the event loop."""
        with self._keeping:
            for name in ("_journeys", "_preferences"):
                if name in self.__dict__:
                    getattr(self, name).close()

    @cached_property
    def _journeys(self) -> JourneyStore:
        from groundwire.journeys.computed_journeys import JourneyStore

        return JourneyStore(self.database or self.home / JOURNEYS_FILE)

    @cached_property
    def _preferences(self) -> PreferenceStore:
        from groundwire.journeys.preferences import PreferenceStore

        return PreferenceStore(self.database or self.home / PREFERENCES_FILE)
