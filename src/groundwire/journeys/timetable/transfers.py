"""Transfers of a feed as numbers of stops, and what is doubtful in them.

Doubtful transfers are told and used as the feed has them: whoever publishes it knows the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from groundwire.journeys.itinerary import Point, metres_between
from groundwire.journeys.timetable.model import NEVER
from groundwire.journeys.timetable.walks import LONGEST_WALK, SAME_STOP, Transfer

_FORBIDDEN, _TIMED = 3, 1
_KINDS = range(4)
# Metres in a second as the crow flies that nobody keeps up on the way to a train.
_RUNNING = 3.0


class TransferRow(NamedTuple):
    """One row of transfers.txt; `of` names a route or trip that alone it holds for."""

    origin: str
    destination: str
    kind: int
    seconds: int | None
    of: str

    @property
    def took(self) -> int:
        """Seconds for it, at least as many as none; NEVER where it is forbidden."""
        if self.kind == _FORBIDDEN:
            return NEVER
        if self.seconds is None:
            return 0 if self.kind == _TIMED else SAME_STOP
        return max(self.seconds, 0)


@dataclass(slots=True)
class TransferReading:
    """Reads transfers row by row, and keeps what is wrong with them.

    Attributes:
        stops: numbers of the stops behind an id: one, or all of a station.
        names: names of stops by number.
        at: positions of stops by number, NaN where they are unknown.
    """

    stops: Mapping[str, Sequence[int]]
    names: Sequence[str]
    at: Sequence[Point]
    _unknown: int = 0
    _special: int = 0
    _negative: int = 0
    _fast: list[str] = field(default_factory=list[str])
    _told: dict[tuple[str, str], set[int]] = field(default_factory=dict[tuple[str, str], set[int]])

    def read(self, row: TransferRow) -> Iterator[Transfer]:
        """Yield the transfers of one row; one between stations holds for all of their stops."""
        if row.of or row.kind not in _KINDS:
            self._special += 1
            return
        starts, ends = self.stops.get(row.origin, ()), self.stops.get(row.destination, ())
        if not (starts and ends):
            self._unknown += 1
            return
        self._negative += row.seconds is not None and row.seconds < 0
        self._told.setdefault((row.origin, row.destination), set()).add(row.took)
        self._look(row, starts, ends)
        for start in starts:
            for end in ends:
                yield Transfer(start, end, row.took)

    def problems(self) -> Iterator[tuple[int, str]]:
        """Yield how many rows are wrong in some way, and in which."""
        yield self._unknown, "transfers are of an unknown stop: left out"
        yield self._special, "transfers are of single routes or trips, or in one's seat: left out"
        yield self._negative, "transfers take less than no time: taken for none"
        conflicts = sum(len(seconds) > 1 for seconds in self._told.values())
        yield conflicts, "transfers are told with different times: the last counts"
        first = self._fast[0] if self._fast else ""
        yield (
            len(self._fast),
            f"transfers are faster than anybody walks, such as {first}: believed all the same",
        )

    def _look(self, row: TransferRow, starts: Sequence[int], ends: Sequence[int]) -> None:
        """Note a transfer that is too fast even between the nearest of its stops."""
        apart = [metres_between(self.at[one], self.at[other]) for one in starts for other in ends]
        longest = max(LONGEST_WALK, _RUNNING * row.took)
        # Of a stop without a position nobody knows how far it is.
        if all(metres > longest for metres in apart):
            ends_named = f"{self.names[starts[0]]} to {self.names[ends[0]]}"
            self._fast.append(f"{ends_named} ({row.took} s over {min(apart) / 1000:.1f} km)")
