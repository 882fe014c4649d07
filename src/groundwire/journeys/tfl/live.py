"""The part of the client that the live services need."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Protocol


class LiveSource(Protocol):
    """Answers of TfL's live services as JSON values, as `TflClient` gives them."""

    async def line_status(self, lines: Sequence[str], modes: Sequence[str]) -> Any:
        """The status of lines by id, or of all lines of modes; one of the two is empty."""
        ...

    async def line_status_between(self, lines: Sequence[str], begins: date, ends: date) -> Any:
        """The status of lines by id on the days from `begins` to `ends`."""
        ...

    async def stop(self, stop_id: str, /) -> Any:
        """A stop with the stops under it."""
        ...

    async def arrivals(self, stop_id: str, /) -> Any:
        """The board of a stop."""
        ...
