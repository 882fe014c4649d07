"""A trip as it is handed to a planner, and what comes back, whoever plans it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from groundwire.journeys.itinerary import Journey
from groundwire.journeys.options import Options
from groundwire.journeys.places.sides import Side
from groundwire.journeys.planning.ways import Reach


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
