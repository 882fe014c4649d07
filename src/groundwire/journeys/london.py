"""Everything that journeys are planned with, opened when it is first needed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

# A server names its places when it starts, and needs none of these before the first call.
if TYPE_CHECKING:
    from groundwire.journeys.network.model import Network
    from groundwire.journeys.places.reading import PlaceReader
    from groundwire.journeys.preferences import PreferenceStore
    from groundwire.journeys.store import JourneyStore
    from groundwire.journeys.tfl.client import TflClient

OFFLINE = "offline"
"""What `TFL_BASE_URL` is set to for the embedded network alone."""
TFL_URL = "https://api.tfl.gov.uk"
# Seconds for one call of TfL: a request makes two after one another, and hosts give up soon.
_PATIENCE = 11.0

JOURNEYS_FILE = "journeys.sqlite"
PREFERENCES_FILE = "journey_preferences.sqlite"


@dataclass(frozen=True, slots=True)
class Supplies:
    """Where the data lies, and who is asked.

    Attributes:
        network: file of the embedded network.
        landmarks: file of the embedded landmarks.
        home: state folder: journeys, preferences, maps and calendar files.
        base_url: base URL of the TfL API; empty for TfL's own, `offline` for none.
        key: the key of the TfL API, or None.
    """

    network: Path
    landmarks: Path
    home: Path
    base_url: str = ""
    key: str | None = None

    @property
    def online(self) -> bool:
        """Whether TfL may be asked."""
        return self.base_url.lower() != OFFLINE


def london_now() -> datetime:
    """The present moment in Europe/London, to the minute."""
    from groundwire.journeys.itinerary import LONDON

    return datetime.now(LONDON).replace(second=0, microsecond=0)


class London:
    """The network, its stations and landmarks, TfL, and what users keep. Threads may share it."""

    def __init__(self, supplies: Supplies, now: Callable[[], datetime] = london_now) -> None:
        """Name the places; nothing is read yet.

        Args:
            supplies: where the data lies.
            now: the present moment, in Europe/London.
        """
        self.supplies = supplies
        self.now = now
        # Apart, since the network takes long to load, and what users keep need not wait for it.
        self._loading = threading.RLock()
        self._keeping = threading.RLock()
        self._tfl: tuple[TflClient, asyncio.AbstractEventLoop] | None = None
        self._tidied: date | None = None

    def load(self) -> None:
        """Read the network and the places, where they are not read yet.

        It takes a moment: an event loop has a thread do it before it asks for either.
        """
        with self._loading:
            _ = self._network, self._places

    @property
    def network(self) -> Network:
        """The embedded network."""
        with self._loading:
            return self._network

    @property
    def places(self) -> PlaceReader:
        """Return the reader of the places that callers name."""
        with self._loading:
            return self._places

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
            sweep(self.supplies.home, self.journeys.living)

    def tfl(self) -> TflClient | None:
        """The client of the TfL API for the running event loop, or None where TfL is not asked.

        Raises:
            ConfigurationError: the base URL cannot be used.
        """
        if not self.supplies.online:
            return None
        loop = asyncio.get_running_loop()
        if self._tfl is None or self._tfl[1] is not loop:
            # Connections belong to a loop; those of one that has ended have ended with it.
            from groundwire.journeys.tfl.client import TflClient

            url, key = self.supplies.base_url or TFL_URL, self.supplies.key or ""
            self._tfl = TflClient(url, key, deadline=_PATIENCE), loop
        return self._tfl[0]

    async def aclose(self) -> None:
        """Close the connections to TfL of the running event loop; a later call opens others."""
        if self._tfl is not None and self._tfl[1] is asyncio.get_running_loop():
            await self._tfl[0].aclose()

    def close(self) -> None:
        """Close the files of state that are open; connections to TfL end with the event loop."""
        with self._keeping:
            for name in ("_journeys", "_preferences"):
                if name in self.__dict__:
                    getattr(self, name).close()

    @cached_property
    def _network(self) -> Network:
        from groundwire.journeys.network.load import load_network

        return load_network(self.supplies.network)

    @cached_property
    def _places(self) -> PlaceReader:
        from groundwire.journeys.places.landmarks import read_landmarks
        from groundwire.journeys.places.reading import PlaceReader
        from groundwire.journeys.stops.stations import Stations

        return PlaceReader(Stations(self._network), read_landmarks(self.supplies.landmarks))

    @cached_property
    def _journeys(self) -> JourneyStore:
        from groundwire.journeys.store import JourneyStore

        return JourneyStore(self.supplies.home / JOURNEYS_FILE)

    @cached_property
    def _preferences(self) -> PreferenceStore:
        from groundwire.journeys.preferences import PreferenceStore

        return PreferenceStore(self.supplies.home / PREFERENCES_FILE)
