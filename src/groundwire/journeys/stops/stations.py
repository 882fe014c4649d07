"""Stations as people know them: one for all stops of a hub, whatever its platforms are called.

A network knows stops, one for each operator and sometimes for each line: Canary Wharf has three.
People know stations. Stops of one hub are one station; without a hub, the stop is a station.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from groundwire.journeys.itinerary import Place, Point
from groundwire.journeys.network.distance import metres_between
from groundwire.journeys.network.model import Network, Stop
from groundwire.journeys.stops.names import public_name

# As people know modes: the tube first.
_MODE_ORDER = ("tube", "elizabeth-line", "overground", "dlr", "tram")


@dataclass(frozen=True, slots=True)
class Station:
    """A station or hub as people know it.

    Attributes:
        id: the id of the hub, or of its only stop.
        name: what the signs say, without "Underground Station" and the like.
        point: where it is.
        ics: the code by which TfL's planner knows it, else empty.
        stops: its stops, by id.
        lines, modes: ids of those that call there; the tube is the first mode.
        zone: fare zone, where it is known, else empty.
        hub_name: the name of the hub, else empty.
    """

    id: str
    name: str
    point: Point
    ics: str
    stops: tuple[Stop, ...]
    lines: tuple[str, ...]
    modes: tuple[str, ...]
    zone: str = ""
    hub_name: str = ""

    def place(self, stop_id: str = "") -> Place:
        """The station, or one of its stops, as a place of a journey."""
        return Place(self.name, self.point, "stop", stop_id or self.id, self.ics)

    def serving(self, modes: Iterable[str] = (), lines: Iterable[str] = ()) -> tuple[Stop, ...]:
        """Its stops where one of the modes and one of the lines call; none given is any."""
        wanted_modes, wanted_lines = set(modes), set(lines)
        return tuple(
            stop
            for stop in self.stops
            if (not wanted_modes or wanted_modes & set(stop.modes))
            and (not wanted_lines or wanted_lines & set(stop.lines))
        )


class Stations:
    """All stations of a network, found by their ids and by where they are."""

    def __init__(self, network: Network) -> None:
        """Join the stops of the network to stations."""
        self._line_names = {line.id: line.name for line in network.lines.values()}
        self.modes = network.modes
        grouped: dict[str, list[Stop]] = {}
        for stop in network.stops.values():
            grouped.setdefault(stop.hub or stop.id, []).append(stop)
        self._by_id: dict[str, Station] = {}
        for key, stops in grouped.items():
            hub = network.hubs.get(key)
            self._by_id[key] = _station(key, stops, hub.name if hub else "")
        self._by_code: dict[str, Station] = {}
        for station in self._by_id.values():
            self._by_code[station.id.upper()] = station
            for stop in station.stops:
                self._by_code.setdefault(stop.id.upper(), station)
                if stop.ics:
                    self._by_code.setdefault(stop.ics, station)

    def __iter__(self) -> Iterator[Station]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __getitem__(self, station_id: str) -> Station:
        """The station of an id that `Station.id` gave."""
        return self._by_id[station_id]

    def by_code(self, code: str) -> Station | None:
        """The station of a NaPTAN id, a hub id or an ICS code, in any case."""
        return self._by_code.get(code.strip().upper())

    def nearest(self, point: Point, count: int = 5) -> list[tuple[int, Station]]:
        """The nearest stations with their distance in metres as the crow flies, nearest first."""
        far = [(round(metres_between(point, one.point)), one) for one in self._by_id.values()]
        far.sort(key=lambda entry: (entry[0], entry[1].name))
        return far[:count]

    def line_name(self, line_id: str) -> str:
        """The name of a line, or its id where the network has no such line."""
        return self._line_names.get(line_id, line_id)

    def about(self, station: Station) -> str:
        """Say what tells a station from others of its name: `tube: Central, Victoria`."""
        lines = ", ".join(map(self.line_name, station.lines))
        return f"{' and '.join(station.modes)}: {lines}"


def _station(key: str, stops: list[Stop], hub_name: str) -> Station:
    first = min(stops, key=lambda stop: (_rank(stop.modes), -len(stop.lines), stop.id))
    names = {public_name(stop.name) for stop in stops}
    modes = {mode for stop in stops for mode in stop.modes}
    return Station(
        key,
        names.pop() if len(names) == 1 else hub_name or public_name(first.name),
        first.point,
        next((stop.ics for stop in stops if stop.ics), ""),
        tuple(sorted(stops, key=lambda stop: stop.id)),
        tuple(dict.fromkeys(line for stop in [first, *stops] for line in stop.lines)),
        tuple(sorted(modes, key=lambda mode: (_rank((mode,)), mode))),
        next((stop.zone for stop in stops if stop.zone), ""),
        hub_name,
    )


def _rank(modes: Iterable[str]) -> int:
    """How near to the front the first of the modes is told."""
    ranks = [_MODE_ORDER.index(mode) for mode in modes if mode in _MODE_ORDER]
    return min(ranks, default=len(_MODE_ORDER))
