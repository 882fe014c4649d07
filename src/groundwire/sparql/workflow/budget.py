"""Budget of one prompt: queries, seconds, and pauses between retries."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from groundwire.sparql.registry import Limits

# Queries that are always kept for exploring types and for the query that returns texts.
RESERVED = 2


class Budget:
    """Counts the queries and the time of one run. What it refuses is reported, never forgotten."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        """Start the clock.

        Args:
            limits: of the registry.
            clock: seconds.
            sleep: waits; None is the event loop's.
        """
        self.limits = limits
        self._clock = clock
        self._sleep = sleep
        self._end = clock() + limits.maximum_total_kg_time_seconds
        self.used = 0
        self.left_out: list[str] = []
        self._last: dict[str, float] = {}

    @property
    def queries_left(self) -> int:
        """How many queries may still be sent."""
        return max(0, self.limits.max_queries_per_prompt - self.used)

    @property
    def seconds_left(self) -> float:
        """How much of the whole time is left."""
        return self._end - self._clock()

    def timeout(self, seconds: float) -> float:
        """Seconds for the next query, of `seconds` that its endpoint has."""
        limit = self.limits.per_query_timeout_seconds
        return max(0.05, min(seconds, limit, self.seconds_left))

    def take(self, what: str, endpoint: str = "", *, keep: int = RESERVED, costs: int = 1) -> bool:
        """Spend a query, or note that it was left out.

        Args:
            what: what the query is for, as the report says it.
            endpoint: name of a remote endpoint, whose pause has to fit into the time too.
            keep: how many queries have to be left for what comes later.
            costs: how many queries it is; 0 for one that only needs time.
        """
        if self.seconds_left <= self._waiting(endpoint):
            self.left_out.append(f"{what}: no time was left")
            return False
        if costs and self.queries_left <= keep:
            self.left_out.append(f"{what}: no query was left")
            return False
        self.used += costs
        return True

    async def pause(self, endpoint: str) -> None:
        """Wait between two queries to one remote endpoint, as the limits say."""
        wait = self._waiting(endpoint)
        if wait > 0:
            await self._wait(wait)

    def ended(self, endpoint: str) -> None:
        """A query to an endpoint has ended: the pause before the next one begins."""
        self._last[endpoint] = self._clock()

    def _waiting(self, endpoint: str) -> float:
        last = self._last.get(endpoint)
        if last is None:
            return 0.0
        return max(0.0, self.limits.seconds_between_retries - (self._clock() - last))

    async def _wait(self, seconds: float) -> None:
        if self._sleep is not None:
            await self._sleep(seconds)
            return
        import anyio

        await anyio.sleep(seconds)
