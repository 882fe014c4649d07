"""Endpoints that a run opens when their turn comes, within its time.

Opening may take long: a local graph is loaded, and its labels are indexed. What a run has no time
to wait for goes on behind it, so that the next run finds it open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from groundwire.errors import DeadlineError
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.workflow.model import Source


@dataclass(frozen=True, slots=True)
class Unopened:
    """An endpoint that is opened when it is first asked.

    Attributes:
        endpoint: the endpoint.
        open: opens it; raises a `GroundwireError` where that cannot be done.
    """

    endpoint: Endpoint
    open: Callable[[], Awaitable[Source]]


async def opened(source: Source | Unopened, seconds: float) -> Source:
    """A source that can be asked.

    Raises:
        DeadlineError: it is not open after so many seconds.
        GroundwireError: it cannot be opened.
    """
    if not isinstance(source, Unopened):
        return source
    opening = asyncio.ensure_future(source.open())
    done, _ = await asyncio.wait({opening}, timeout=max(0.0, seconds))
    if done:
        return opening.result()
    opening.add_done_callback(_seen)
    raise DeadlineError(
        f"Endpoint {source.endpoint.name} was not open within the time of the run; it is being "
        "opened, so ask again in a while."
    )


def _seen(opening: asyncio.Future[Source]) -> None:
    """Why it could not be opened is told to whoever asks next."""
    if not opening.cancelled():
        opening.exception()
