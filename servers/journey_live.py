"""TfL's live services: how lines run, which stops there are, and what comes next at one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from groundwire.journeys.results import Arrivals, FoundStops, LineStatuses
from groundwire.servers.journey_toolset import OverLondon
from groundwire.serving import START, Cursor, Grounded, current_owner, tool

_Lines = Annotated[
    tuple[Annotated[str, Field(max_length=100)], ...],
    Field(description="Names or ids of lines.", max_length=30),
]
_Modes = Annotated[
    tuple[Annotated[str, Field(max_length=100)], ...],
    Field(description="Such as tube, bus, dlr, walking.", max_length=20),
]


class LiveServices(OverLondon):
    """Lines, stops and arrivals."""

    @tool("Show line status", read_only=True, idempotent=True, open_world=True)
    async def get_line_status(
        self,
        lines: _Lines = (),
        modes: _Modes = (),
        date: Annotated[str, Field(description="Such as Saturday.")] = "",
        cursor: Cursor = START,
    ) -> Grounded[LineStatuses]:
        """How lines run, worst first, with reasons."""
        return Grounded(*await self._london.line_status(lines, modes, cursor.offset, date))

    @tool("Find stops", read_only=True, idempotent=True, open_world=True)
    async def find_stops(
        self,
        query: Annotated[str, Field(min_length=1, max_length=300)],
        modes: _Modes = (),
        cursor: Cursor = START,
    ) -> Grounded[FoundStops]:
        """Stops and stations by name, with lines, position and zone."""
        return Grounded(*await self._london.find_stops(query, modes, cursor.offset))

    @tool("Show arrivals", read_only=True, idempotent=True, open_world=True)
    async def get_arrivals(
        self,
        stop: Annotated[str, Field(description="Name or id.", min_length=1, max_length=300)],
        lines: _Lines = (),
        limit: Annotated[int, Field(ge=1, le=60)] = 12,
    ) -> Grounded[Arrivals]:
        """Services expected at a stop, next first, or why there are none."""
        return Grounded(*await self._london.arrivals(current_owner(), stop, lines, limit))
