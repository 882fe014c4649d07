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

from groundwire.errors import LimitError, NotFoundError
from groundwire.sparql.workflow.model import Asked, Report

KEPT_SECONDS = 1800.0
MOST_RUNS = 200


@dataclass(slots=True)
class _Held:
    owner: str
    asked: Asked
    endpoint: str
    task: asyncio.Task[Report]
    touched: float


class Runs:
    """The runs of one process."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def start(
        self, owner: str, asked: Asked, endpoint: str, work: Callable[[], Awaitable[Report]]
    ) -> str:
        """Begin a run that goes on when the call that began it has ended; its handle.

        Raises:
            LimitError: too many runs are under way.
        """
        self._drop_old()
        if len(self._held) >= MOST_RUNS:
            raise LimitError("Too many runs are under way: wait for one to end.")
        run_id = f"kg_{secrets.token_urlsafe(9)}"
        task = asyncio.ensure_future(work())
        self._held[run_id] = _Held(owner, asked, endpoint, task, time.monotonic())
        return run_id

    async def wait(self, owner: str, run_id: str, seconds: float) -> Report | None:
        """The report of a run, or None if it is not there within so many seconds.

        Raises:
            NotFoundError: there is no such run of this owner.
            GroundwireError: what ended the run.
        """
        held = self._of(owner, run_id)
        # What waits may be cancelled; what runs goes on.
        done, _ = await asyncio.wait({held.task}, timeout=seconds)
        return held.task.result() if done else None

    def asked(self, owner: str, run_id: str) -> tuple[Asked, str]:
        """What a run was asked, and at which endpoint.

        Raises:
            NotFoundError: there is no such run of this owner.
        """
        held = self._of(owner, run_id)
        return held.asked, held.endpoint

    def end(self, owner: str, run_id: str) -> None:
        """Forget a run, and stop it if it goes on."""
        held = self._held.pop(run_id, None)
        if held is not None and held.owner == owner:
            held.task.cancel()

    def close(self) -> None:
        """Stop every run."""
        for held in self._held.values():
            held.task.cancel()
        self._held.clear()

    def _of(self, owner: str, run_id: str) -> _Held:
        held = self._held.get(run_id)
        if held is None or held.owner != owner:
            raise NotFoundError(
                "There is no such run: it ended long ago, or was another user's. Call "
                "run_kg_workflow with the prompt instead."
            )
        held.touched = time.monotonic()
        return held

    def _drop_old(self) -> None:
        now = time.monotonic()
        for run_id, held in list(self._held.items()):
            if now - held.touched > KEPT_SECONDS:
                held.task.cancel()
                del self._held[run_id]
