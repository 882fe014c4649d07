"""Trips put into patterns: trips of one route with the same stops that never overtake."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from groundwire.journeys.timetable.archive import Progress

Integers = npt.NDArray[Any]
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SEED = 20


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of trips at stops, in the order of trips and of their stops.

    Attributes:
        first: by trip, its first call; one entry more. Trips without calls have none.
        stop, arrival, departure, flags: by call.
    """

    first: Integers
    stop: Integers
    arrival: Integers
    departure: Integers
    flags: Integers


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs: a trip once, or as often as its frequencies say.

    Attributes:
        trip: the trip whose calls they make.
        shift: seconds by which they are later than the trip.
        every: seconds of the headway where its times are not exact, else 0.
        route: the route.
    """

    trip: Integers
    shift: Integers
    every: Integers
    route: Integers


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns as `model.Timetable` holds them; `run` says which run each of their trips is."""

    pos_stop: Integers
    pos_flags: Integers
    pos_base: Integers
    pattern_pos: Integers
    pattern_trip: Integers
    pattern_route: Integers
    arrivals: Integers
    departures: Integers
    run: Integers


def build_patterns(calls: Calls, runs: Runs, progress: Progress) -> Patterns:
    """Put runs into patterns.

    Runs of one route that call at the same stops are sorted by their departure; one that overtakes
    another goes to another pattern.
    """
    lengths = np.diff(calls.first)[runs.trip]
    order, groups = _grouped(calls, runs, lengths)
    total = int(lengths.sum())
    arrivals, departures = np.empty(total, np.int32), np.empty(total, np.int32)
    pos_stop: list[Integers] = []
    pos_flags: list[Integers] = []
    pos_base: list[Integers] = []
    sizes: list[tuple[int, int, int]] = []
    placed: list[Integers] = []
    written = 0
    for number, (start, end) in enumerate(pairwise(groups)):
        members = order[start:end]
        count = int(lengths[members[0]])
        rows = calls.first[runs.trip[members]][:, None] + np.arange(count)
        shift = runs.shift[members][:, None]
        arriving, leaving = calls.arrival[rows] + shift, calls.departure[rows] + shift
        sort = np.lexsort((arriving[:, -1], leaving[:, 0]))
        members, arriving, leaving = members[sort], arriving[sort], leaving[sort]
        for chain in _chains(arriving, leaving):
            trips = len(chain)
            size = trips * count
            arrivals[written : written + size] = arriving[chain].T.ravel()
            departures[written : written + size] = leaving[chain].T.ravel()
            pos_stop.append(calls.stop[rows[0]])
            pos_flags.append(calls.flags[rows[0]])
            pos_base.append(written + trips * np.arange(count, dtype=np.int64))
            sizes.append((count, trips, int(runs.route[members[0]])))
            placed.append(members[chain])
            written += size
        if number % 1000 == 0:
            progress("sort trips", number, len(groups) - 1)
    table = np.array(sizes, np.int64).reshape(-1, 3)
    return Patterns(
        pos_stop=_joined(pos_stop, np.int32),
        pos_flags=_joined(pos_flags, np.uint8),
        pos_base=_joined(pos_base, np.int64),
        pattern_pos=np.concatenate([[0], np.cumsum(table[:, 0])]),
        pattern_trip=np.concatenate([[0], np.cumsum(table[:, 1])]),
        pattern_route=table[:, 2].astype(np.int32),
        arrivals=arrivals[:written],
        departures=departures[:written],
        run=_joined(placed, np.int64),
    )


def _joined(pieces: list[Integers], kind: Any) -> Integers:
    return np.concatenate(pieces).astype(kind) if pieces else np.empty(0, kind)


def _grouped(calls: Calls, runs: Runs, lengths: Integers) -> tuple[Integers, list[int]]:
    """Runs in the order of their groups, and where each group begins; one entry more.

    A group is told by two hashes of 64 bits over the stops and what may be done there.
    """
    if not len(runs.trip):
        return np.empty(0, np.int64), [0]
    with np.errstate(over="ignore"):
        first, second = (_hashes(calls, seed) for seed in (_SEED, _SEED + 1))
    one, other = first[runs.trip], second[runs.trip]
    order = np.lexsort((other, one, lengths, runs.route))
    keys = np.stack([runs.route[order], lengths[order]])
    differ = (np.diff(keys, axis=1) != 0).any(axis=0)
    differ |= (one[order][1:] != one[order][:-1]) | (other[order][1:] != other[order][:-1])
    return order, [0, *(np.flatnonzero(differ) + 1).tolist(), len(order)]


def _hashes(calls: Calls, seed: int) -> Integers:
    """By trip, a hash of its stops in order with what may be done there."""
    starts = calls.first[:-1]
    longest = int(np.diff(calls.first).max(initial=1))
    factors = np.random.default_rng(seed).integers(1, 2**63, longest, np.int64).astype(np.uint64)
    factors = factors * np.uint64(2) + np.uint64(1)
    place = np.arange(len(calls.stop)) - np.repeat(starts, np.diff(calls.first))
    value = calls.stop.astype(np.uint64) * np.uint64(8) + calls.flags.astype(np.uint64)
    value = (value + np.uint64(seed)) * _MIX
    value ^= value >> np.uint64(31)
    value *= factors[place]
    found = np.zeros(len(starts), np.uint64)
    called = np.diff(calls.first) > 0
    if called.any():
        found[called] = np.add.reduceat(value, starts[called])
    return found


def _chains(arrivals: Integers, departures: Integers) -> list[Integers]:
    """Rows in chains in which no later row is earlier anywhere; rows are sorted by departure."""
    whole = np.arange(len(arrivals))
    if (np.diff(arrivals, axis=0) >= 0).all() and (np.diff(departures, axis=0) >= 0).all():
        return [whole]
    chains: list[list[int]] = []
    for row in range(len(arrivals)):
        for chain in chains:
            last = chain[-1]
            if (arrivals[row] >= arrivals[last]).all() and (
                departures[row] >= departures[last]
            ).all():
                chain.append(row)
                break
        else:
            chains.append([row])
    return [np.array(chain) for chain in chains]
