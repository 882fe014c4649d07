"""A trip as it is asked for: what was sent for its ends, the places meant, and the ways between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import product
from typing import Literal, Protocol, TypeVar

import anyio

from groundwire.errors import GroundwireError, InputError
from groundwire.journeys.itinerary import Journey, Options, Place, Source
from groundwire.journeys.places.positions import sendable
from groundwire.journeys.places.reading import PlaceReading, value_to_send
from groundwire.journeys.tfl.outcomes import NotNowError, TflTimeoutError
from groundwire.journeys.wording import listed

Param = Literal["starting_point", "destination", "via", "stop", "avoid_stops", "avoid_changes"]

# Options that are shown of one ambiguous place.
MOST_OPTIONS = 6
# Calls that one request may make, the one that was answered by a question included.
MOST_CALLS = 4


class PlaceSource(Protocol):
    """Reads places as callers name them."""

    def read(self, raw: str, named: Mapping[str, str] | None = None) -> PlaceReading:
        """Read a place; see `places.reading.PlaceReader.read`."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that an end of a trip may be.

    Attributes:
        place: the place, as far as it is known here.
        send: what names it to TfL.
        detail: what tells it from others of its name.
    """

    place: Place
    send: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a trip, or the place it passes.

    Attributes:
        param: the argument.
        raw: what was sent for it.
        candidates: the places it may be, best first; one where it is settled.
        how: the step that decided.
        note: what has to be told, else empty.
        searched: whether only TfL can say what the words mean.
    """

    param: Param
    raw: str
    candidates: tuple[Candidate, ...]
    how: str
    note: str = ""
    searched: bool = False

    @property
    def settled(self) -> bool:
        """Whether one place is meant."""
        return len(self.candidates) == 1 and self.how != "ambiguous"

    @property
    def best(self) -> Candidate:
        """The place, or the one most likely meant."""
        return self.candidates[0]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the ends of trips.

    Attributes:
        places: what is known without a connection.
        named: the user's own places.
        chosen: what the user chose among options, by the words that were ambiguous.
        online: whether TfL can be asked about words that mean nothing here.
        unlocated: whether a place can be planned for although nobody knows its position.
    """

    places: PlaceSource
    named: Mapping[str, str]
    chosen: Mapping[str, str]
    online: bool
    unlocated: bool = False

    def read(self, param: Param, raw: str) -> Side:
        """Read one end.

        Raises:
            InputError: the text is not a place that can be planned to; the message says what
                to send.
        """
        sent = self.chosen.get(raw, raw)
        try:
            reading = self.places.read(sent, self.named)
        except InputError as error:
            raise InputError(f"{param}: {error}") from error
        if reading.place is not None:
            return self._found(param, raw, reading, reading.place)
        if reading.how in ("outside", "unset"):
            raise InputError(f"{param}: {reading.note}.")
        if reading.how == "ambiguous":
            candidates = tuple(
                Candidate(one.place, one.value_to_send, one.detail)
                for one in reading.options[:MOST_OPTIONS]
            )
            return Side(param, raw, candidates, reading.how, reading.note)
        if self.online:
            name = reading.text
            unknown = Candidate(Place(name), sendable(name))
            return Side(param, raw, (unknown,), "unknown", searched=True)
        if ": send " in reading.note:
            raise InputError(f"{param}: {reading.note}.")
        alike = listed([one.name for one in reading.options], last="or")
        raise InputError(
            f"{param}: {reading.note or f'{reading.text!r} is not known here'}: send "
            f'{f"{alike}, another" if alike else "a"} station, a well-known place or "lat,lon".'
        )

    def _found(self, param: Param, raw: str, reading: PlaceReading, place: Place) -> Side:
        if not self.online and not self.unlocated and place.point is None:
            raise InputError(
                f"{param}: where {place.name} is, only TfL knows, which is not asked now: send a "
                'station near it, or "lat,lon".'
            )
        found = Candidate(place, value_to_send(place))
        return Side(param, raw, (found,), reading.how, reading.note)


# After so many seconds one request asks TfL no more, since hosts give up soon.
_LONGEST = 20.0


@dataclass(slots=True)
class Reach:
    """How TfL answers the calls of one request.

    Attributes:
        began: when the first call was made, by the clock of the event loop.
    """

    began: float | None = None

    def check(self) -> None:
        """See that it is worth asking once more.

        Raises:
            TflTimeoutError: TfL has kept this request waiting for too long.
        """
        now = anyio.current_time()
        if self.began is None:
            self.began = now
        elif now - self.began > _LONGEST:
            raise TflTimeoutError("TfL answers too slowly for so many trips: send fewer at once.")


@dataclass(frozen=True, slots=True)
class Way:
    """Places that a trip may be between.

    Attributes:
        origin, destination: its ends.
        via: the place it passes, or None.
    """

    origin: Candidate
    destination: Candidate
    via: Candidate | None = None

    @property
    def ends(self) -> tuple[Candidate, ...]:
        """The places, the one that is passed last."""
        return tuple(one for one in (self.origin, self.destination, self.via) if one)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names of those of which only TfL knows where they are."""
        return tuple(one.place.name for one in self.ends if one.place.point is None)

    def in_words(self, error: GroundwireError) -> GroundwireError:
        """An outcome that calls the places by their names, not by what was sent for them."""
        said = str(error)
        for one in self.ends:
            said = said.replace(f'"{one.send}"', f'"{one.place.name}"')
        told = copy(error)
        told.args = (said,)
        return told

    def failed(self, error: GroundwireError | str, source: Source = "tfl") -> Journey:
        """The journey without plans, and why."""
        via = self.via.place if self.via else None
        return Journey(self.origin.place, self.destination.place, (), source, via, str(error))


def only_by_tfl(error: NotNowError, names: Sequence[str]) -> GroundwireError:
    """The outcome of a trip to places that cannot be found while TfL answers nothing."""
    told = copy(error)
    unknown = listed(list(dict.fromkeys(names)), last="or")
    told.args = (f"{error} Or send a station near {unknown}: those are planned for without TfL.",)
    return told


def located(asked: Candidate, planned: Place) -> Candidate:
    """The place that was asked for, with the position that TfL has for it where we had none.

    A place that was asked for by a code alone has TfL's name.
    """
    place = asked.place
    if place.point is not None:
        return asked
    name = planned.name if place.name in (place.ics, place.stop_id) else place.name
    return replace(asked, place=replace(place, name=name, point=planned.point))


@dataclass(frozen=True, slots=True)
class AskedTrip:
    """One trip on its way to being planned.

    Attributes:
        origin, destination: its ends.
        via: the place it passes, or None.
        options: what is asked of it.
        now: the present moment.
        exploring: whether the likeliest of ambiguous places are planned for; else they are only
            found.
        reach: how the planner answered the calls of the same request so far.
    """

    origin: Side
    destination: Side
    via: Side | None
    options: Options
    now: datetime
    exploring: bool = True
    reach: Reach = field(default_factory=Reach)

    @property
    def sides(self) -> tuple[Side, ...]:
        """The ends, and the place that is passed."""
        return tuple(side for side in (self.origin, self.destination, self.via) if side)


@dataclass(frozen=True, slots=True)
class Planned:
    """The outcome of one trip.

    Attributes:
        journeys: one, or one for each pair of places that may be meant.
        sides: its ends as they were read; those that are not settled are to be asked about.
    """

    journeys: tuple[Journey, ...]
    sides: tuple[Side, ...]

    @property
    def unsettled(self) -> tuple[Side, ...]:
        """Ends that may be several places."""
        return tuple(side for side in self.sides if not side.settled)


From = TypeVar("From")
Via = TypeVar("Via")
To = TypeVar("To")


def pairs(
    origins: Sequence[From], destinations: Sequence[To], budget: int = MOST_CALLS - 1
) -> list[tuple[From, To]]:
    """Which pairs to plan for, the likeliest first.

    Args:
        origins: where it may begin, best first; of a side that is clear, it alone.
        destinations: where it may end, likewise.
        budget: how many calls may still be made.

    Returns:
        at most `budget` pairs; those whose places stand highest in both lists come first.
    """
    return [
        (origins[one], destinations[other])
        for one, other in _first_places((len(origins), len(destinations)), budget)
    ]


def triples(
    origins: Sequence[From],
    vias: Sequence[Via],
    destinations: Sequence[To],
    budget: int = MOST_CALLS - 1,
) -> list[tuple[From, Via, To]]:
    """As `pairs`, of a journey that goes by way of a place."""
    sizes = (len(origins), len(vias), len(destinations))
    return [
        (origins[one], vias[by], destinations[other])
        for one, by, other in _first_places(sizes, budget)
    ]


def _first_places(sizes: tuple[int, ...], budget: int) -> list[tuple[int, ...]]:
    """Positions in several lists, those with the least sum first, up to the budget."""
    # No position beyond the budget can be reached: those before it would be taken first.
    ranges = [range(min(size, max(budget, 0))) for size in sizes]
    return sorted(product(*ranges), key=lambda at: (sum(at), max(at), at))[: max(budget, 0)]
