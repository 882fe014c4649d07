"""Questions to planners of every kind, and how their legs are read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from groundwire.journeys.itinerary import Disruption, Leg, Place, Point
from groundwire.journeys.remote.payload_fields import MODES

WANTED = 4
"""Plans that are asked for."""
Legs = tuple[Leg, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A trip as a planner is asked for it.

    Attributes:
        origin, destination: the places, with positions.
        when: the moment.
        arriving: whether it is the latest arrival.
        modes: modes that may be used, or None for all.
        step_free: whether it has to be without steps.
        wanted: how many plans are asked for.
    """

    origin: Place
    destination: Place
    when: datetime
    arriving: bool
    modes: frozenset[str] | None
    step_free: bool
    wanted: int = WANTED


@dataclass(frozen=True, slots=True)
class Answered:
    """The plans of an answer.

    Attributes:
        plans: each its legs.
        unread: how many of its plans could not be read.
        said: what the planner said in place of plans.
    """

    plans: tuple[Legs, ...]
    unread: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A place that a planner knows by a name."""

    name: str
    point: Point
    kind: str = ""
    area: str = ""
    stop_id: str = ""


class PlannerProtocol(Protocol):
    """A kind of planner."""

    @property
    def called(self) -> str:
        """Return the name of its software."""
        ...

    async def plan(self, question: Question) -> Answered:
        """Ask for the plans of a trip.

        Raises:
            GroundwireError: an outcome of `journeys.tfl.outcomes`.
        """
        ...

    async def search(self, words: str) -> list[Match]:
        """Ask for places by name.

        Raises:
            GroundwireError: as `plan`.
        """
        ...

    async def zone(self) -> str:
        """Ask for the IANA name of the planner's time zone; empty where it names none.

        Raises:
            GroundwireError: as `plan`.
        """
        ...


def leg_of(
    mode: object,
    ends: tuple[Place, Place],
    times: tuple[datetime | None, datetime | None],
    scheduled: tuple[datetime | None, datetime | None],
    *,
    real_time: bool,
    **told: Any,
) -> Leg | None:
    """A leg, or None where its mode or times are missing or go back."""
    name = MODES.get(str(mode).upper(), str(mode).lower().replace("_", "-")[:20])
    start, end = times
    if not name or start is None or end is None or end < start:
        return None
    moved = tuple(
        one if one and one != other else None for one, other in zip(scheduled, times, strict=True)
    )
    timing = "walking_speed" if name == "walking" else "real_time" if real_time else "timetable"
    return Leg(
        name,
        *ends,
        start,
        end,
        timing=timing,
        scheduled_departure=moved[0],
        scheduled_arrival=moved[1],
        **told,
    )


def alert(line: str, header: str, details: str) -> Disruption:
    """An operator's message about a leg."""
    reason = ": ".join(filter(None, (header, details if details != header else "")))
    return Disruption(line or "this service", reason or "an alert without words")
