"""A request of a conversation as it is to be carried out, and what is known from before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import Artefacts, JourneyRequest

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Held:
    """The journeys and questions that are known from before.

    Attributes:
        journey_id: handle of the journeys at hand, or empty.
        journeys: those journeys.
        day: the journeys of all turns that share the handle.
        every: the journeys of all turns; of those with the same ends the last.
        requested: the arguments of the trips that they were planned by.
        options: places that were asked about.
        wanted: what was asked for beside a trip whose place was not clear, or none.
        pending: the trip of the turn before that lacks an end, or none.
    """

    journey_id: str = ""
    journeys: tuple[Row, ...] = ()
    day: tuple[Row, ...] = ()
    every: tuple[Row, ...] = ()
    requested: tuple[Row, ...] = ()
    options: tuple[Row, ...] = ()
    pending: Row | None = None
    wanted: Artefacts | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """A request as it is to be carried out.

    Attributes:
        request: what was read.
        trips: arguments of each trip, in order; the first may add to the journeys at hand.
        joins: the journeys that the first trip is added to, or empty.
        held: what is known from before.
        asks: what has to be asked, or empty.
        set_aside: whether what was planned before no longer counts.
        recounts: whether the plans at hand are to be told again, and whether for their fares.
    """

    request: JourneyRequest
    trips: tuple[Mapping[str, JsonValue], ...] = ()
    joins: str = ""
    held: Held = Held()
    asks: str = ""
    set_aside: bool = False
    recounts: Literal["", "plans", "fares"] = ""
