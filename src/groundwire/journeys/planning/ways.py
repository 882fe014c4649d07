"""Places that a trip may be between, and how TfL answers for them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime

import anyio

from groundwire.errors import GroundwireError
from groundwire.journeys.itinerary import Journey, Place, Source
from groundwire.journeys.options import Options
from groundwire.journeys.places.sides import Candidate, Side
from groundwire.journeys.spoken_times import listed
from groundwire.journeys.tfl.outcomes import NotNowError, TflTimeoutError

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
