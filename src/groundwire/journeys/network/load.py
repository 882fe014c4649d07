"""Reads the embedded network from its file.

The file is JSON: `hubs` are `[id, name]`; `stops` are `[id, name, hub, ICS code, latitude,
longitude, zone]`; `level_changes` are `[stop, line, line]`; a line has `routes` of `[direction,
via, stops]` and `edges` of `[origin, destination, minutes, estimated]`. There, a stop is its place
in the list of stops. `service_days` says on which days lines have no service, and who says so.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from groundwire.errors import ConfigurationError
from groundwire.journeys.itinerary import Point
from groundwire.journeys.network.model import (
    Direction,
    Edge,
    Hub,
    LevelChange,
    Line,
    Network,
    NoService,
    Route,
    ServiceDays,
    Stop,
)


def load_network(path: Path) -> Network:
    """The network of a file, with the walking links between its stops; the same for all callers.

    Raises:
        ConfigurationError: the file is missing, or is not a network file.
    """
    try:
        return _loaded(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise ConfigurationError(
            f"the network file {path} cannot be read ({error.strerror}): install groundwire again"
        ) from error
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise ConfigurationError(
            f"{path} is no network file ({error}): install groundwire again"
        ) from error


@lru_cache(maxsize=2)
def _loaded(path: Path, changed_ns: int) -> Network:
    return _network(json.loads(path.read_bytes()))


def _network(data: dict[str, Any]) -> Network:
    ids = [row[0] for row in data["stops"]]
    lines: dict[str, Line] = {}
    edges: list[Edge] = []
    calling: defaultdict[str, list[Line]] = defaultdict(list)
    for row in data["lines"]:
        line = _line(row, ids)
        lines[line.id] = line
        edges += (
            Edge(line.id, ids[start], ids[end], minutes, bool(estimated))
            for start, end, minutes, estimated in row["edges"]
        )
        for stop_id in {stop_id for route in line.routes for stop_id in route.stop_ids}:
            calling[stop_id].append(line)
    stops = {row[0]: _stop(row, calling[row[0]]) for row in data["stops"]}
    network = Network(
        MappingProxyType(stops),
        MappingProxyType(lines),
        MappingProxyType(_hubs(data["hubs"], stops.values())),
        tuple(edges),
        tuple(
            LevelChange(ids[at], frozenset((one, other)))
            for at, one, other in data["level_changes"]
        ),
        data["credit"],
        data["as_of"],
        _service_days(data["service_days"]),
    )
    _ = network.links  # counts as loading, so that the first plan does not wait for it
    return network


def _service_days(data: dict[str, Any]) -> ServiceDays:
    none = (
        NoService(frozenset(one["on"]), tuple(one["modes"]), tuple(one["lines"]))
        for one in data["none"]
    )
    return ServiceDays(tuple(none), frozenset(data["differ"]))


def _line(row: dict[str, Any], ids: list[str]) -> Line:
    written: list[tuple[Direction, str, list[int]]] = row["routes"]
    routes = tuple(
        Route(direction, via, tuple(ids[at] for at in stops)) for direction, via, stops in written
    )
    return Line(
        row["id"],
        row["name"],
        row["mode"],
        row["colour"],
        row["headway"],
        tuple(row["aliases"]),
        routes,
    )


def _stop(row: list[Any], calling: list[Line]) -> Stop:
    stop_id, name, hub, ics, lat, lon, zone = row
    lines = tuple(sorted(line.id for line in calling))
    modes = tuple(sorted({line.mode for line in calling}))
    return Stop(stop_id, name, Point(lat, lon), hub, ics, zone, lines, modes)


def _hubs(rows: Iterable[list[str]], stops: Iterable[Stop]) -> dict[str, Hub]:
    """The hubs with their stops; a hub is in the middle of them."""
    members: defaultdict[str, list[Stop]] = defaultdict(list)
    for stop in stops:
        members[stop.hub].append(stop)
    hubs: dict[str, Hub] = {}
    for hub_id, name in rows:
        points = [stop.point for stop in members[hub_id]]
        middle = Point(
            sum(point.lat for point in points) / len(points),
            sum(point.lon for point in points) / len(points),
        )
        hubs[hub_id] = Hub(hub_id, name, tuple(stop.id for stop in members[hub_id]), middle)
    return hubs
