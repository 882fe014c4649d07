"""Small questions to a graph that together take no more than a few seconds."""

from __future__ import annotations

import time

from groundwire.errors import DeadlineError, GroundwireError
from groundwire.graph.protocol import Graph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term

_SECONDS = 4.0
_ASK_TIMEOUT = 1.0


class Questions:
    """Asks a graph while there is time.

    Attributes:
        unanswered: whether a question had no whole answer; whoever asks sets it back.
        refused: whether the last question for rows was refused, though there was time.
    """

    def __init__(self, graph: Graph) -> None:
        """Ask `graph`, from `begin` on."""
        self._graph = graph
        self._end = 0.0
        self.unanswered = False
        self.refused = False

    def begin(self) -> None:
        """Begin to count the time that the questions may take."""
        self._end = time.monotonic() + _SECONDS

    @property
    def is_late(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() > self._end

    async def ask(self, pattern: str) -> bool:
        """Whether a pattern matches; no, and not all was looked at, where time runs out."""
        left = self._end - time.monotonic()
        if left > 0:
            try:
                query = CompiledQuery(f"ASK {{ {pattern} }}")
                return await self._graph.ask(query, timeout=min(left, _ASK_TIMEOUT))
            except GroundwireError:
                pass
        self.unanswered = True
        return False

    async def rows(self, pattern: str, most: int) -> list[tuple[Term, ...]]:
        """Distinct rows of a pattern, without what is unbound; not all where time runs out."""
        left = self._end - time.monotonic()
        self.refused = False
        if left > 0:
            query = CompiledQuery(f"SELECT DISTINCT {pattern} LIMIT {most + 1:d}")
            try:
                rows = await self._graph.select(query, timeout=min(left, _ASK_TIMEOUT))
            except GroundwireError as error:
                self.refused = not isinstance(error, DeadlineError)
            else:
                whole = rows.complete and len(rows.rows) <= most
                self.unanswered = self.unanswered or not whole
                return [tuple(one for one in row if one is not None) for row in rows.rows[:most]]
        self.unanswered = True
        return []
