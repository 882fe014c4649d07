"""Everything that journeys are planned with, opened when it is first needed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

# A server names its places when it starts, and needs none of these before the first call.
import anyio.to_thread

from groundwire.errors import GroundwireError
from groundwire.evidence.records import Draft, Value
from groundwire.journeys.line_statements import stop_statements
from groundwire.journeys.lines.choice import choose_lines
from groundwire.journeys.lines.names import LINES, bus_route
from groundwire.journeys.places.positions import near_what, stops_told
from groundwire.journeys.region import JOURNEYS_FILE, PREFERENCES_FILE, Region
from groundwire.journeys.results import CREDIT, FoundStops, StopItem
from groundwire.journeys.stops.search import FoundStop
from groundwire.journeys.stops.search import find_stops as search
from groundwire.journeys.tfl.outcomes import NotNowError
from groundwire.journeys.tfl.stop_payload import StopMatch
from groundwire.journeys.wording import count, listed

if TYPE_CHECKING:
    from groundwire.evidence.records import Draft
    from groundwire.journeys.itinerary import Disruption, Journey, Options, Place, Plan, Source
    from groundwire.journeys.network.model import Network
    from groundwire.journeys.places.reading import PlaceReader
    from groundwire.journeys.places.sides import AskedTrip, Planned
    from groundwire.journeys.results import Arrivals, FoundStops, LineStatuses
    from groundwire.journeys.tfl.client import TflClient


__all__ = ["JOURNEYS_FILE", "OFFLINE", "PREFERENCES_FILE", "TFL_URL", "London", "Supplies"]


_PAGE = 20
# So far ahead an entry of a calendar leaves out days without service.
_AHEAD = timedelta(days=731)
_LINE = " line"
_JOINED = re.compile(r",?\s(?:and|or|&)\s", re.IGNORECASE)
# Why a stop was found that has just the name that was asked for.
_BY_NAME = ("its name", "another name of it", "its name but for one letter")
_SOURCE = f"the embedded network and TfL's search for stops ({CREDIT})"

OFFLINE = "offline"
"""What `TFL_BASE_URL` is set to for the embedded network alone."""
TFL_URL = "https://api.tfl.gov.uk"
# Seconds for one call of TfL: a request makes two after one another, and hosts give up soon.
_PATIENCE = 11.0


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


class London(Region):
    """The network, its stations and landmarks, TfL, and what users keep. Threads may share it."""

    def __init__(self, supplies: Supplies, now: Callable[[], datetime] = london_now) -> None:
        """Name the places; nothing is read yet.

        Args:
            supplies: where the data lies.
            now: the present moment, in Europe/London.
        """
        super().__init__(supplies.home, now)
        self.supplies = supplies
        self._tfl: tuple[TflClient, asyncio.AbstractEventLoop] | None = None

    def load(self) -> None:
        """Read the network and the places, where they are not read yet.

        It takes a moment: an event loop has a thread do it before it asks for either.
        """
        with self._loading:
            _ = self._network, self._places

    @property
    def source(self) -> Source:
        """TfL where it is asked, else the embedded network."""
        return "tfl" if self.online else "offline_estimate"

    @property
    def credit(self) -> str:
        """The credit that TfL asks for."""
        from groundwire.journeys.itinerary import CREDIT

        return CREDIT

    @property
    def online(self) -> bool:
        """Whether TfL may be asked."""
        return self.supplies.online

    @property
    def network(self) -> Network:
        """The embedded network."""
        with self._loading:
            return self._network

    @property
    def backdrop(self) -> Network:
        """The embedded network."""
        return self.network

    @property
    def places(self) -> PlaceReader:
        """Return the reader of the places that callers name."""
        with self._loading:
            return self._places

    def runs_on(self, plan: Plan, on: date) -> bool:
        """Return whether no service of a plan is known not to run on another day."""
        from groundwire.journeys.network.model import service_day

        ahead = on - plan.start.date()
        days = self.network.service_days
        return not any(
            days.rests(service_day(leg.departure) + ahead, leg.mode, leg.line_id)
            for leg in plan.rides
        )

    def known_until(self, journey: Journey, plan: Plan) -> date | None:
        """Return until which day an entry of a calendar leaves out days without service."""
        del journey
        return plan.start.date() + _AHEAD

    def stop_keys(self, place: Place) -> frozenset[str]:
        """Return all that a plan may name a station by; nothing where the network has none such."""
        from groundwire.journeys.conditions import keys_of

        own = keys_of(place)
        stops = [
            keys_of(one.place)
            for one in self.network.stops.values()
            if own & keys_of(one.place) or (one.hub and one.hub == place.stop_id)
        ]
        return own.union(*stops) if stops else frozenset()

    def planned_by(self) -> str:
        """Say who plans journeys here, and what they do not know."""
        if self.online:
            return "the TfL API"
        from groundwire.journeys.itinerary import Options
        from groundwire.journeys.lines.names import services_of
        from groundwire.journeys.network.limits import unknown_modes
        from groundwire.journeys.wording import listed

        modes = unknown_modes(self.network, Options())
        named = listed([services_of(mode) for mode in modes], last="or")
        return f"the embedded network, as estimates; it does not know {named}"

    def line_names(self) -> list[str]:
        """Names of all lines of the network."""
        return [line.name for line in self.network.lines.values()]

    def way_around(
        self, disruption: Disruption, disrupted: Plan, journey: Journey, options: Options
    ) -> str:
        """How to travel without a disrupted line, in words; empty where no way is known."""
        from groundwire.journeys.planning.trips import way_around

        return way_around(disruption, disrupted, journey, self.network, options)

    async def plan_trip(self, asked: AskedTrip) -> Planned:
        """Plan one trip by TfL where it can be asked, else over the embedded network."""
        from groundwire.journeys.planning.trips import planning_of

        return await planning_of(self, asked).run()

    async def line_status(
        self, lines: Sequence[str], modes: Sequence[str], offset: int, date: str = ""
    ) -> tuple[LineStatuses, Draft | None]:
        """How lines run now."""
        from groundwire.journeys.reporting import line_status

        return await line_status(self, lines, modes, offset, date)

    async def find_stops(
        self, query: str, modes: Sequence[str], offset: int
    ) -> tuple[FoundStops, Draft | None]:
        """Stops that a query may mean, best first."""
        return await find_stops(self, query, modes, offset)

    async def arrivals(
        self, owner: str, stop: str, lines: Sequence[str], limit: int, when: str = ""
    ) -> tuple[Arrivals, Draft | None]:
        """Services that come next at a stop; of another moment that none are held."""
        from groundwire.journeys.reporting import arrivals, other_moment

        if when.strip():
            return other_moment(stop, when.strip()), None
        return await arrivals(self, owner, stop, lines, limit)

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
            made = TflClient(url, key, deadline=_PATIENCE, database=self.database)
            self._tfl = made, loop
        return self._tfl[0]

    async def aclose(self) -> None:
        """Close the connections to TfL of the running event loop; a later call opens others."""
        if self._tfl is not None and self._tfl[1] is asyncio.get_running_loop():
            await self._tfl[0].aclose()

    @cached_property
    def _network(self) -> Network:
        from groundwire.journeys.network.load import load_network

        return load_network(self.supplies.network)

    @cached_property
    def _places(self) -> PlaceReader:
        return _place_reader(self._network, self.supplies.landmarks)


@lru_cache(maxsize=2)
def _place_reader(network: Network, landmarks: Path) -> PlaceReader:
    """Return the reader of the places of a network, which all servers of a process share."""
    from groundwire.journeys.places.landmarks import read_landmarks
    from groundwire.journeys.places.reading import PlaceReader
    from groundwire.journeys.stops.names import Stations

    return PlaceReader(Stations(network), read_landmarks(landmarks))


async def find_stops(
    london: London, query: str, modes: Sequence[str], offset: int
) -> tuple[FoundStops, Draft]:
    """Stops that a query may mean, best first, and the record of them.

    Of those that have just this name, the answer says which lines serve them and their zone. Where
    the embedded network has none of that name, TfL is asked: it knows every bus stop.

    Raises:
        InputError: a mode is not known, or the query is empty or too long.
        GroundwireError: TfL rejects the request; a TfL that does not answer now raises nothing.
    """
    wanted = _mode_ids(modes)
    found = await anyio.to_thread.run_sync(lambda: _found(london, query, wanted))
    sure = (
        bool(near_what(query))
        or _of_bus(query)
        or any(one.why.startswith("its") or "name" in one.why for one in found)
    )
    tfl = london.tfl()
    notes: list[str] = []
    matches: tuple[StopMatch, ...] = ()
    if tfl is not None and not sure:
        try:
            matches = await tfl.search_stops(query, wanted)
        except GroundwireError as error:
            # The stops that were found here are told, even if TfL does not answer.
            if not found and not isinstance(error, NotNowError):
                raise
            notes.append(f"{error} Only stations of the embedded network were searched.")
    if tfl is None:
        notes.append(
            "Only stations of the embedded network were searched: no bus stops, piers or stations "
            "of National Rail."
        )
    known = {one.id for one in found}
    stops = [_embedded(one) for one in found]
    stops += [_from_tfl(one) for one in matches if one.id not in known]
    end = offset + _PAGE
    shown = stops[offset:end]
    named = [one for one in shown if one.why in _BY_NAME]
    result = FoundStops(
        answer=" ".join((_sentence(query, stops, everywhere=not notes), *map(_service, named))),
        stops=shown,
        source="tfl" if matches else "offline_estimate",
        notes=notes or None,
        offset=offset,
        next_offset=end if end < len(stops) else None,
    )
    return result, _proof(shown, len(stops))


def _of_bus(query: str) -> bool:
    """Whether a query asks for the stops of a bus route: "25 line"."""
    return query.endswith(_LINE) and bus_route(query.removesuffix(_LINE)) is not None


def _found(london: London, query: str, wanted: Sequence[str]) -> list[FoundStop]:
    """The stops of a query; where no stop has it for a name, those that "and" joins in it."""
    found = [] if _of_bus(query) else list(search(london.places, query, wanted))
    parts = _JOINED.split(query)
    if len(parts) < 2 or any(one.why in _BY_NAME for one in found):
        return found
    each = [list(search(london.places, part, wanted)) for part in parts]
    if not all(any(one.why in _BY_NAME for one in some) for some in each):
        return found
    return [one for some in each for one in some if one.why in _BY_NAME]


def _service(stop: StopItem) -> str:
    """The lines that serve a stop and its zone, as a sentence."""
    lines = listed(_lines(stop))
    served = f"{stop.name} is served by {lines}" if lines else f"No line of {stop.name} is held"
    zone = f"it is in zone {stop.zone}" if stop.zone else "its fare zone is not held here"
    return f"{served}; {zone}."


def _lines(stop: StopItem) -> list[str]:
    """Names of the lines of a stop as they stand in a sentence; a bus route by its number."""
    known = {line.id: line.full_name for line in LINES}
    return [f"the {known[one]}" if one in known else f"bus {one}" for one in stop.lines]


def _proof(stops: Sequence[StopItem], total: int) -> Draft:
    """The record of stops: how many there are, and the lines and the zone of each."""
    values = [Value("number of stops", str(total), source=_SOURCE)]
    for stop in stops:
        if stop.zone:
            values.append(Value("zone", stop.zone, "text", entity=stop.name, source=_SOURCE))
        for line in (one.removeprefix("the ") for one in _lines(stop)):
            short = (line.removesuffix(" line"),) if line.endswith(" line") else ()
            values.append(
                Value("line", line, "text", entity=stop.name, labels=short, source=_SOURCE)
            )
    audit = {"source": _SOURCE}
    return Draft(tuple(values), audit=audit, statements=stop_statements(stops, _lines))


def _mode_ids(modes: Sequence[str]) -> tuple[str, ...]:
    """Ids of modes; of a line that was sent as one, its mode."""
    choice = choose_lines((), modes)
    return tuple(dict.fromkeys((*choice.modes, *(line.mode for line in choice.lines))))


def _embedded(one: FoundStop) -> StopItem:
    return StopItem(
        id=one.id,
        name=one.name,
        modes=list(one.modes),
        lines=list(one.lines),
        lat=one.point.lat,
        lon=one.point.lon,
        zone=one.zone or None,
        why=one.why,
    )


def _from_tfl(one: StopMatch) -> StopItem:
    return StopItem(
        id=one.id,
        name=one.name,
        modes=list(one.modes),
        lines=list(one.lines),
        lat=one.point.lat if one.point else None,
        lon=one.point.lon if one.point else None,
        zone=one.zone or None,
        why="TfL finds it by this name",
    )


def _sentence(query: str, stops: Sequence[StopItem], *, everywhere: bool) -> str:
    if _of_bus(query):
        return (
            "Which stops a bus serves is not held here. In London TfL says it: tfl.gov.uk/maps/bus."
        )
    if not stops and not everywhere:
        return (
            f"No station of the embedded network is called {query!r}, and TfL, which knows every "
            "stop, was not asked: send another spelling, or a station near it."
        )
    if not stops:
        return f"No stop is called {query!r}: send another spelling, or a station near it."
    names = stops_told((one.name, one.why or "") for one in stops)
    return f"{count(len(stops), 'stop')} for {query!r}: {names}."
