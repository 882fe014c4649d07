"""Runs of the workflow that outlive a call: a handle for each, and its report when it is there.

A run belongs to one owner; another owner's handle is not found. Runs live as long as the process:
what they found is in the ledger.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from groundwire.errors import LimitError, NotFoundError, UnavailableError
from groundwire.sparql.workflow.model import Asked, Report

KEPT_SECONDS = 1800.0
MOST_RUNS = 200
MOST_UNDER_WAY = 16
"""Runs of one owner that may be under way at one time."""


@dataclass(slots=True)
class _Held:
    owner: str
    asked: Asked
    endpoint: str
    task: asyncio.Task[Report]
    touched: float


class Runs:
    """The runs of one process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Hold no run yet; `clock` counts seconds."""
        self._clock = clock
        self._held: dict[str, _Held] = {}

    def start(
        self, owner: str, asked: Asked, endpoint: str, work: Callable[[], Awaitable[Report]]
    ) -> str:
        """Begin a run that goes on when the call that began it has ended; its handle.

        Raises:
            LimitError: too many runs are under way.
        """
        self._drop_old()
        self._make_room(owner)
        run_id = f"kg_{secrets.token_urlsafe(9)}"
        task = asyncio.ensure_future(work())
        # What ended a run that nobody asks for again is no fault of the event loop.
        task.add_done_callback(_seen)
        self._held[run_id] = _Held(owner, asked, endpoint, task, self._clock())
        return run_id

    async def wait(self, owner: str, run_id: str, seconds: float) -> Report | None:
        """The report of a run, or None if it is not there within so many seconds.

        Raises:
            NotFoundError: this owner has no such run.
            GroundwireError: what ended the run.
        """
        held = self._of(owner, run_id)
        # What waits may be cancelled; what runs goes on.
        done, _ = await asyncio.wait({held.task}, timeout=seconds)
        held.touched = self._clock()
        if not done:
            return None
        if held.task.cancelled():
            raise UnavailableError("The run was stopped: call run_kg_workflow with the prompt.")
        return held.task.result()

    def asked(self, owner: str, run_id: str) -> tuple[Asked, str]:
        """Return what a run was asked, and at which endpoint.

        Raises:
            NotFoundError: this owner has no such run.
        """
        held = self._of(owner, run_id)
        return held.asked, held.endpoint

    def report(self, owner: str, run_id: str) -> Report | None:
        """The report of a run that has ended; None while it goes on, or where it failed.

        Raises:
            NotFoundError: this owner has no such run.
        """
        task = self._of(owner, run_id).task
        if not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result()

    def under_way(self, owner: str, run_id: str) -> bool:
        """Whether a run goes on.

        Raises:
            NotFoundError: this owner has no such run.
        """
        return not self._of(owner, run_id).task.done()

    def end(self, owner: str, run_id: str) -> None:
        """Forget a run, and stop it if it goes on.

        Raises:
            NotFoundError: this owner has no such run.
        """
        self._of(owner, run_id).task.cancel()
        del self._held[run_id]

    def close(self) -> None:
        """Stop every run."""
        for held in self._held.values():
            held.task.cancel()
        self._held.clear()

    def _of(self, owner: str, run_id: str) -> _Held:
        held = self._held.get(run_id)
        if held is None or held.owner != owner:
            raise NotFoundError(
                "There is no such run: it ended long ago, or is another user's or another "
                "server's. Call run_kg_workflow with the prompt instead."
            )
        held.touched = self._clock()
        return held

    def _make_room(self, owner: str) -> None:
        """Forget runs that have ended, those first that nobody has asked for the longest.

        Raises:
            LimitError: too many runs are under way.
        """
        going = [held for held in self._held.values() if not held.task.done()]
        if len(going) >= MOST_RUNS or sum(held.owner == owner for held in going) >= MOST_UNDER_WAY:
            raise LimitError("Too many runs are under way: wait for one to end.")
        ended = sorted(
            (held.touched, run_id) for run_id, held in self._held.items() if held.task.done()
        )
        for _, run_id in ended[: max(0, len(self._held) - MOST_RUNS + 1)]:
            del self._held[run_id]

    def _drop_old(self) -> None:
        now = self._clock()
        for run_id, held in list(self._held.items()):
            if now - held.touched > KEPT_SECONDS:
                held.task.cancel()
                del self._held[run_id]


def _seen(task: asyncio.Task[Report]) -> None:
    if not task.cancelled():
        task.exception()
