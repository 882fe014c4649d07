"""Parts that the toolsets of journeys share: one region, and a thread for what blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio.to_thread

from groundwire.journeys.region import Region
from groundwire.serving import Toolset

Answer_ = TypeVar("Answer_")


class OverLondon(Toolset):
    """Works on one region, London or another, whose data is opened by the first call."""

    def __init__(self, london: Region) -> None:
        """Serve one region."""
        self._london = london

    async def aclose(self) -> None:
        """Close the connections to planners."""
        await self._london.aclose()

    def close(self) -> None:
        """Close the files of state."""
        self._london.close()

    async def _answered(self, verb: Callable[..., Answer_], *arguments: Any) -> Answer_:
        """One call into the domain, in a thread: its files block."""
        return await anyio.to_thread.run_sync(
            verb, self._london, *arguments, abandon_on_cancel=True
        )
