"""Runs of the workflow that outlive a call: a handle for each, and its report when it is there.

A run belongs to one owner; another owner's handle is not found. A run is at work in the process
that began it. With a store other processes can wait for it, show its report and go on with it; what
it found is in the ledger besides.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import anyio.to_thread

from groundwire.errors import GroundwireError, LimitError, NotFoundError, UnavailableError
from groundwire.sparql.run_store import KEPT_SECONDS, KgRun, KgRunStore
from groundwire.sparql.workflow.model import Asked, Report

MOST_RUNS = 200
MOST_UNDER_WAY = 16
"""Runs of one owner that may be under way at one time."""

_STOPPED = "The run was stopped: call run_kg_workflow with the prompt."
_BEAT_SECONDS = 15.0
_LOOK_SECONDS = 0.5
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Held:
    owner: str
    asked: Asked
    endpoint: str
    task: asyncio.Task[Report]
    touched: float
    is_ours: bool = True


class Runs:
    """The runs that one process knows."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, store: KgRunStore | None = None
    ) -> None:
        """Hold no run yet.

        Args:
            clock: seconds.
            store: where runs are kept for other processes; None for those of this one alone.
        """
        self._clock = clock
        self._store = store
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
        self._hold(run_id, owner, asked, endpoint, self._kept(run_id, owner, asked, endpoint, work))
        return run_id

    async def find(self, owner: str, run_id: str) -> None:
        """Look in the store for a run that this process does not know.

        Raises:
            UnavailableError: the store cannot be read.
        """
        if self._store is None or run_id in self._held:
            return
        found = await anyio.to_thread.run_sync(self._store.get, owner, run_id)
        if found is None or run_id in self._held:
            return
        self._drop_old()
        following = self._followed(owner, run_id, found)
        held = self._hold(run_id, owner, found.asked, found.endpoint, following)
        held.is_ours = False
        if found.has_ended:
            # Its report is here: nobody takes it for one that is under way.
            await asyncio.wait({held.task})

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
            raise UnavailableError(_STOPPED)
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
        """Stop every run of this process."""
        for run_id, held in self._held.items():
            if held.is_ours and not held.task.done() and self._store is not None:
                with suppress(UnavailableError):
                    stopped = KgRun(asked=held.asked, endpoint=held.endpoint, failure=_STOPPED)
                    self._store.keep(held.owner, run_id, stopped)
            held.task.cancel()
        self._held.clear()
        if self._store is not None:
            self._store.close()

    def _hold(
        self, run_id: str, owner: str, asked: Asked, endpoint: str, work: Awaitable[Report]
    ) -> _Held:
        task = asyncio.ensure_future(work)
        # A run may fail and nobody ask for its report: the event loop must not warn of it.
        task.add_done_callback(_seen)
        held = self._held[run_id] = _Held(owner, asked, endpoint, task, self._clock())
        return held

    async def _kept(
        self,
        run_id: str,
        owner: str,
        asked: Asked,
        endpoint: str,
        work: Callable[[], Awaitable[Report]],
    ) -> Report:
        """Do the work of a run, and keep how it stands for other processes."""
        store = self._store
        if store is None:
            return await work()
        run = KgRun(asked=asked, endpoint=endpoint)
        await _noted(lambda: store.keep(owner, run_id, run))
        beats = asyncio.ensure_future(self._beat(store, run_id))
        try:
            run.report = await work()
        except GroundwireError as error:
            run.failure = str(error)
            raise
        finally:
            beats.cancel()
            if run.has_ended:
                await _noted(lambda: store.keep(owner, run_id, run))
        return run.report

    async def _beat(self, store: KgRunStore, run_id: str) -> None:
        while True:
            await asyncio.sleep(_BEAT_SECONDS)
            await _noted(lambda: store.beat(run_id))

    async def _followed(self, owner: str, run_id: str, run: KgRun) -> Report:
        """Return the report of another process's run once it has ended.

        Raises:
            UnavailableError: it ended without one, or its process did.
        """
        store, found = self._store, run
        while store is not None and not found.has_ended and not found.is_lost:
            await asyncio.sleep(_LOOK_SECONDS)
            # While the store cannot be read, nobody knows.
            with suppress(UnavailableError):
                found = await anyio.to_thread.run_sync(store.get, owner, run_id) or found
        if found.report is not None:
            return found.report
        raise UnavailableError(
            found.failure
            or "The run was interrupted, since its server ended: call run_kg_workflow with the "
            "prompt."
        )

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


async def _noted(write: Callable[[], None]) -> None:
    """Write to the store where it can be written; the run goes on without it."""
    try:
        await anyio.to_thread.run_sync(write)
    except UnavailableError as error:
        _log.warning("a KG run is known to this process alone: %s", error)


def _seen(task: asyncio.Task[Report]) -> None:
    if not task.cancelled():
        task.exception()
