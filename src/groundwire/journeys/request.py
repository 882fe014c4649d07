"""A request to the planner: trips with their places and options, as they were sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_TRIPS = 12
"""Trips of one call."""
LONGEST_PLACE = 300
"""Characters of the name of a place."""


@dataclass(frozen=True, slots=True)
class Trip:
    """One trip, as it was sent.

    Attributes:
        starting_point: where it begins; empty for where the trip before it ends.
        destination: where it ends.
        via: a place to pass, or empty.
        wishes: options by name, as they were sent; those that were not are absent.
    """

    starting_point: str
    destination: str
    via: str = ""
    wishes: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Request:
    """Trips that belong together.

    Attributes:
        trips: in the order in which they are made.
        journey_id: what to add them to, or empty for a new one.
        chosen: what the user chose among options, by the words that were ambiguous.
    """

    trips: tuple[Trip, ...]
    journey_id: str = ""
    chosen: Mapping[str, str] = field(default_factory=dict[str, str])
