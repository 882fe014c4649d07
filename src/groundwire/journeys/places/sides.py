"""The ends of a trip: what was sent for each, and the places it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from groundwire.errors import InputError
from groundwire.journeys.itinerary import Place
from groundwire.journeys.places.positions import sendable
from groundwire.journeys.places.reading import PlaceReading, value_to_send
from groundwire.journeys.spoken_times import listed

Param = Literal["starting_point", "destination", "via", "stop", "avoid_stops", "avoid_changes"]

# Options that are shown of one ambiguous place.
MOST_OPTIONS = 6


class PlaceSource(Protocol):
    """Reads places as callers name them."""

    def read(self, raw: str, named: Mapping[str, Place | str] | None = None) -> PlaceReading:
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
    named: Mapping[str, Place | str]
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
