"""Stops put together into places: the stops of a station, and those of one name near each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from groundwire.journeys.timetable.walks import metres_apart
from groundwire.vocabulary import fold

if TYPE_CHECKING:
    from groundwire.journeys.timetable.importing import StopRow

TOGETHER = 500.0
"""Metres between stops of one name that are one place."""


class StopPlaces(NamedTuple):
    """Places of stops.

    Attributes:
        place: by stop, its place.
        first, stop: the stops of each place that trips call at.
        ids, names: of the places: of a station its own.
        wheelchair: by stop, with what the station says for stops that say nothing.
        stations: by id of a station, its stops.
    """

    place: npt.NDArray[Any]
    first: npt.NDArray[Any]
    stop: npt.NDArray[Any]
    ids: list[str]
    names: list[str]
    wheelchair: npt.NDArray[Any]
    stations: dict[str, list[int]]


def build_places(rows: Sequence[StopRow], used: npt.NDArray[Any]) -> StopPlaces:
    """Put stops into places.

    Args:
        rows: the stops.
        used: whether any trip calls at a stop.
    """
    by_id = {one.id: number for number, one in enumerate(rows)}
    roots = [_root(number, rows, by_id) for number in range(len(rows))]
    place = np.full(len(rows), -1, np.int64)
    ids: list[str] = []
    names: list[str] = []
    of_root: dict[int, int] = {}
    near: dict[str, list[tuple[int, float, float]]] = {}
    # Stations first: a stop of their name beside them is theirs.
    order = sorted(range(len(rows)), key=lambda number: (roots[number] == number, number))
    for number in order:
        root = roots[number]
        one = rows[root]
        if root in of_root:
            place[number] = of_root[root]
            continue
        key = fold(one.name)
        at = next(
            (
                other
                for other, lat, lon in near.get(key, ())
                if metres_apart(one.lat, one.lon, lat, lon) <= TOGETHER
            ),
            None,
        )
        if at is None:
            at = len(ids)
            ids.append(one.id)
            names.append(one.name)
            near.setdefault(key, []).append((at, one.lat, one.lon))
        of_root[root] = place[number] = at
    wheelchair = np.array(
        [one.wheelchair or rows[roots[number]].wheelchair for number, one in enumerate(rows)],
        np.uint8,
    )
    stations: dict[str, list[int]] = {}
    for number, root in enumerate(roots):
        if root != number and used[number]:
            stations.setdefault(rows[root].id, []).append(number)
    called = np.flatnonzero(used)
    order_of = called[np.argsort(place[called], kind="stable")]
    first = np.searchsorted(place[order_of], np.arange(len(ids) + 1))
    return StopPlaces(place, first, order_of, ids, names, wheelchair, stations)


def _root(number: int, rows: Sequence[StopRow], by_id: dict[str, int]) -> int:
    """The station that a stop belongs to, or itself; stations are at most three deep."""
    for _ in range(3):
        parent = by_id.get(rows[number].parent) if rows[number].parent else None
        if parent is None:
            break
        number = parent
    return number
