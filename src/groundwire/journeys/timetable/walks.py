"""Walks between stops that are near each other, and what a feed says of transfers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from groundwire.journeys.timetable.model import NEVER

Numbers = npt.NDArray[Any]
LONGEST_WALK = 400.0
"""Metres in a straight line between two stops that one changes between on foot."""
MOST_WALKS = 60
"""Walks from one stop; the nearest count."""
DETOUR, METRES_A_SECOND = 1.3, 1.25
"""Streets are so much longer than a straight line; one walks 4.5 km an hour."""
SAME_STOP, OTHER_STOP = 60, 120
"""Seconds for a change at one stop, and the least between two."""
_A_DEGREE = 111_195.0
_PAIRS_AT_ONCE = 4_000_000


class Transfer(NamedTuple):
    """One row of transfers.txt, by numbers of stops: `seconds` is NEVER where it is forbidden."""

    origin: int
    destination: int
    seconds: int


class Walks(NamedTuple):
    """Walks from each stop, and the seconds for a change at it."""

    first: Numbers
    to: Numbers
    seconds: Numbers
    change: Numbers


def build_walks(
    lat: Numbers, lon: Numbers, place: Numbers, used: Numbers, transfers: Iterable[Transfer]
) -> Walks:
    """Walks between the stops that are called at.

    Args:
        lat: latitudes, NaN where the position is unknown.
        lon: longitudes.
        place: the place of each stop; a change within one is always walked.
        used: whether any trip calls at the stop.
        transfers: what the feed says; it counts more than the distance.
    """
    origins, destinations, metres = near_pairs(lat, lon, used, LONGEST_WALK)
    seconds = np.maximum(OTHER_STOP, seconds_for(metres))
    inside = _within_places(place, used)
    origins = np.concatenate([origins, inside[:, 0]])
    destinations = np.concatenate([destinations, inside[:, 1]])
    apart = _apart(lat, lon, inside)
    seconds = np.concatenate([seconds, np.maximum(OTHER_STOP, seconds_for(apart))])
    change = np.full(len(lat), SAME_STOP, np.int32)
    told = {(one.origin, one.destination): one.seconds for one in transfers}
    said = [(*pair, took) for pair, took in told.items() if pair[0] != pair[1]]
    for (origin, destination), took in told.items():
        if origin == destination:
            change[origin] = took
    if said:
        rows = np.array(said, np.int64)
        size = np.int64(len(lat))
        ruled = np.isin(origins * size + destinations, rows[:, 0] * size + rows[:, 1])
        origins = np.concatenate([origins[~ruled], rows[:, 0]])
        destinations = np.concatenate([destinations[~ruled], rows[:, 1]])
        seconds = np.concatenate([seconds[~ruled], rows[:, 2]])
    keep = (seconds < NEVER) & used[origins] & used[destinations]
    return _packed(origins[keep], destinations[keep], seconds[keep], change)


def seconds_for(metres: Any) -> Numbers:
    """Seconds for walking so many metres in a straight line, in whole minutes."""
    return (np.ceil(metres * DETOUR / METRES_A_SECOND / 60) * 60).astype(np.int64)


def near_pairs(
    lat: Numbers, lon: Numbers, used: Numbers, metres: float
) -> tuple[Numbers, Numbers, Numbers]:
    """Pairs of different stops that are within some metres, in both directions, and how far."""
    at = np.flatnonzero(used & ~np.isnan(lat) & ~np.isnan(lon))
    if not len(at):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    step = metres / _A_DEGREE
    row = np.floor(lat[at] / step).astype(np.int64)
    # Cells of one row are as wide as those of its own latitude.
    widths = step / np.maximum(np.cos(np.radians((np.abs(row) + 1) * step)), 0.01)
    column = np.floor(lon[at] / widths).astype(np.int64)
    cell = row * 10_000_000 + column
    order = np.argsort(cell, kind="stable")
    at, row, cell = at[order], row[order], cell[order]
    found: list[tuple[Numbers, Numbers, Numbers]] = []
    for up in (-1, 0, 1):
        other = row + up
        width = step / np.maximum(np.cos(np.radians((np.abs(other) + 1) * step)), 0.01)
        middle = np.floor(lon[at] / width).astype(np.int64)
        low = np.searchsorted(cell, other * 10_000_000 + middle - 2, "left")
        high = np.searchsorted(cell, other * 10_000_000 + middle + 2, "right")
        found += _close(at, lat, lon, low, high, metres)
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    one, two, apart = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return _nearest(one, two, apart)


def _close(
    at: Numbers, lat: Numbers, lon: Numbers, low: Numbers, high: Numbers, metres: float
) -> list[tuple[Numbers, Numbers, Numbers]]:
    """Pairs of stops with those of a range each, a few millions at once."""
    counts = high - low
    ends = np.cumsum(counts)
    found: list[tuple[Numbers, Numbers, Numbers]] = []
    start = 0
    while start < len(at):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + _PAIRS_AT_ONCE, "right")))
        some = counts[start:end]
        one = np.repeat(np.arange(start, end), some)
        offset = np.arange(int(some.sum())) - np.repeat(np.cumsum(some) - some, some)
        other = np.repeat(low[start:end], some) + offset
        pairs = np.stack([at[one], at[other]], axis=1)
        apart = _apart(lat, lon, pairs)
        near = (apart <= metres) & (pairs[:, 0] != pairs[:, 1])
        found.append((pairs[near, 0], pairs[near, 1], apart[near]))
        start = end
    return found


def _nearest(one: Numbers, two: Numbers, apart: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Of each stop the nearest others."""
    order = np.lexsort((two, apart, one))
    one, two, apart = one[order], two[order], apart[order]
    starts = np.flatnonzero(np.concatenate([[True], one[1:] != one[:-1]])) if len(one) else one
    rank = np.arange(len(one)) - np.repeat(starts, np.diff(np.append(starts, len(one))))
    keep = rank < MOST_WALKS
    return one[keep], two[keep], apart[keep]


def _within_places(place: Numbers, used: Numbers) -> Numbers:
    """Ordered pairs of different stops of one place."""
    at = np.flatnonzero(used)
    order = at[np.argsort(place[at], kind="stable")]
    cuts = np.flatnonzero(np.diff(place[order])) + 1
    pairs: list[Numbers] = []
    for stops in np.split(order, cuts):
        if 1 < len(stops) <= MOST_WALKS:
            grid = np.stack(np.meshgrid(stops, stops, indexing="ij"), axis=-1).reshape(-1, 2)
            pairs.append(grid[grid[:, 0] != grid[:, 1]])
    return np.concatenate(pairs) if pairs else np.empty((0, 2), np.int64)


def _apart(lat: Numbers, lon: Numbers, pairs: Numbers) -> Numbers:
    """Metres between the stops of pairs; 0 where a position is not known."""
    one, two = pairs[:, 0], pairs[:, 1]
    return np.nan_to_num(metres_apart(lat[one], lon[one], lat[two], lon[two]))


def metres_apart(lat: Any, lon: Any, other_lat: Any, other_lon: Any) -> Any:
    """Metres in a straight line, by the haversine."""
    y, z = np.radians(lat), np.radians(other_lat)
    across = np.radians(np.asarray(other_lon) - lon) / 2
    half = np.sin((z - y) / 2) ** 2 + np.cos(y) * np.cos(z) * np.sin(across) ** 2
    return 2 * 6_371_008.8 * np.arcsin(np.sqrt(half))


def _packed(origins: Numbers, destinations: Numbers, seconds: Numbers, change: Numbers) -> Walks:
    """Walks by their origin, each pair once with the least seconds."""
    order = np.lexsort((seconds, destinations, origins))
    one, two, took = origins[order], destinations[order], seconds[order]
    first = np.ones(len(one), bool)
    first[1:] = (one[1:] != one[:-1]) | (two[1:] != two[:-1])
    one, two, took = one[first], two[first], took[first]
    starts = np.searchsorted(one, np.arange(len(change) + 1))
    return Walks(starts, two.astype(np.int32), took.astype(np.int32), change)
