"""How long a call may take where the assets are at an endpoint.

Every question to the endpoint ends within what is left of the call: `RemoteGraph` refuses to ask
where that is too little, and whoever can do without the answer goes on and says so.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from groundwire.errors import DeadlineError, GroundwireError
from groundwire.graph.queries import CompiledQuery, Graph
from groundwire.graph.terms import Term
from groundwire.ontology.catalogue import Catalogue

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


CALL_SECONDS = 9.0
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def limited(
    call: Callable[Concatenate[Catalogue, _Given], Awaitable[_Answer]],
) -> Callable[Concatenate[Catalogue, _Given], Awaitable[_Answer]]:
    """Decorate a call on a catalogue: at an endpoint it ends within `CALL_SECONDS`.

    Raises:
        DeadlineError: it had no answer by then.
    """

    @wraps(call)
    async def in_time(catalogue: Catalogue, *args: _Given.args, **kwargs: _Given.kwargs) -> _Answer:
        if catalogue.endpoint is None:
            return await call(catalogue, *args, **kwargs)
        import anyio

        with anyio.move_on_after(CALL_SECONDS):
            return await call(catalogue, *args, **kwargs)
        raise DeadlineError(
            f"The endpoint of the assets did not answer within {CALL_SECONDS:g} s, so nothing is "
            "shown: ask for less, with a further condition or without sort and count_by."
        )

    return in_time


def spare(seconds: float, kept: float) -> float:
    """At most `seconds`, and so that `kept` seconds of the call are left after them."""
    from anyio import current_effective_deadline, current_time

    return max(min(seconds, current_effective_deadline() - current_time() - kept), 0.0)


async def together(*questions: Callable[[], Awaitable[None]]) -> None:
    """Ask an endpoint several things at once; an error of one is raised when all have ended."""
    from anyio import create_task_group

    errors: list[Exception] = []

    async def ask(question: Callable[[], Awaitable[None]]) -> None:
        try:
            await question()
        except Exception as error:
            errors.append(error)

    async with create_task_group() as tasks:
        for question in questions:
            tasks.start_soon(ask, question)
    if errors:
        raise errors[0]
