"""Runs of agents that outlive the call that began them.

A call waits for its run for a while, then hands out the run's handle and lets it go on. Whoever has
the handle and is its owner asks for progress and result, or stops it. What has ended is in the
store, so that a restart loses none of it; what was under way when its process ended says so.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

import anyio
import anyio.to_thread

from groundwire.agents.runs.records import Asked, RunStatus, RunView, carried_on, ended_early
from groundwire.agents.runs.store import RunStore, unknown_run
from groundwire.agents.runtime.context import Turn
from groundwire.agents.runtime.errors import as_agent_error
from groundwire.agents.runtime.output import AgentOutput
from groundwire.agents.runtime.progress import Progress, watched
from groundwire.errors import GroundwireError, InputError, LimitError
from groundwire.serving import acting_for

MOST_UNDER_WAY = 8
"""Runs of one owner that may be under way in one process at one time."""
MOST_OF_ALL = 64
"""Runs of all owners that may be."""
MOST_UNSAVED = 100
"""Results that are held in memory because the file could not be written."""
BEAT_S = 10.0
"""Seconds between two signs of life of a run whose handle was given out."""
GRACE_S = 5.0
"""Seconds that a stopped run has to end by itself."""

Execute = Callable[[], Awaitable[AgentOutput]]
Told = Callable[[RunView], Awaitable[None]]
_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Live:
    """A run of this process that has not ended.

    Attributes:
        asked: what it is about.
        began: when, by the clock that only grows.
        task: what works on it.
        progress: what it told last.
        ending: how it ends, while that is being kept: nothing can stop it any more.
        view: how it ended.
        stopped: whether its caller wants it to end.
        waiting: those who wait for news of it.
        beat: what gives signs of life of it.
    """

    asked: Asked
    began: float
    task: asyncio.Task[None] | None = None
    progress: Progress | None = None
    ending: RunView | None = None
    view: RunView | None = None
    stopped: bool = False
    waiting: set[asyncio.Event] = field(default_factory=set[asyncio.Event])
    beat: asyncio.Task[None] | None = None

    def news(self) -> None:
        """Wake whoever waits."""
        for one in self.waiting:
            one.set()


class Runs:
    """The runs of one process, above a store that outlives it.

    Args:
        store: where they are kept.
        clock: seconds that only grow.
        beat: seconds between two signs of life.
    """

    def __init__(
        self,
        store: RunStore,
        *,
        clock: Callable[[], float] = time.monotonic,
        beat: float = BEAT_S,
    ) -> None:
        self._store = store
        self._clock = clock
        self._beat = beat
        self._live: dict[str, _Live] = {}
        self._unsaved: dict[str, RunView] = {}

    async def conversation(self, owner: str, agent: str, run_id: str) -> tuple[Turn, ...]:
        """What was said up to the end of a run, for a run that carries it on.

        Raises:
            NotFoundError: there is no such run of this owner.
            InputError: it goes on, or is another agent's.
        """
        view = await self.view(owner, run_id)
        if view.asked.agent != agent:
            raise InputError(
                f"The run {run_id} is of {view.asked.agent}: carry it on there, or leave out "
                "continue_run_id."
            )
        if view.status == "running":
            raise InputError(
                f"The run {run_id} still goes on: wait for it with get_agent_result, then carry it "
                "on."
            )
        return carried_on(view)

    async def ask(
        self, asked: Asked, execute: Execute, seconds: float, told: Told | None = None
    ) -> RunView:
        """Begin a run and wait for it; one that takes longer goes on, and its handle is of use.

        A caller who leaves before has no handle, so the run is stopped with the call.

        Args:
            asked: what it is about.
            execute: the run itself; it belongs to the owner and is told to nobody else.
            seconds: how long to wait.
            told: is called with what is new while it is waited for.

        Raises:
            LimitError: too many runs are under way.
        """
        live = self._begun(asked, execute)
        try:
            await self._awaited(live, seconds, told)
            if live.view is None:
                await anyio.to_thread.run_sync(self._keep_going, live)
        except BaseException:
            self._stop(live)
            raise
        # It may have ended while that was written.
        if live.view is None:
            live.beat = asyncio.create_task(self._beating(live), name=f"beat {asked.run_id}")
        return self._seen(live)

    async def keep(self, asked: Asked, output: AgentOutput) -> RunView:
        """Keep a run that was part of another, so that it can be looked at as well."""
        view = RunView(asked, "completed", output)
        await anyio.to_thread.run_sync(self._saved, view)
        return view

    async def wait(
        self, owner: str, run_id: str, seconds: float, told: Told | None = None
    ) -> RunView:
        """A run as it stands when it has ended, or after so many seconds.

        Raises:
            NotFoundError: there is no such run of this owner.
        """
        live = self._live_of(owner, run_id)
        if live is None:
            return await self.view(owner, run_id)
        await self._awaited(live, seconds, told)
        return self._seen(live)

    async def view(self, owner: str, run_id: str) -> RunView:
        """A run as it stands now.

        Raises:
            NotFoundError: there is no such run of this owner.
            UnavailableError: the file of runs cannot be read.
        """
        live = self._live_of(owner, run_id)
        if live is not None:
            return self._seen(live)
        unsaved = self._unsaved.get(run_id)
        if unsaved is not None and unsaved.asked.owner == owner:
            return unsaved
        return await anyio.to_thread.run_sync(self._store.get, owner, run_id)

    async def cancel(self, owner: str, run_id: str) -> tuple[RunView, bool]:
        """Stop a run; how it stands now, and whether it was this that stopped it.

        Raises:
            NotFoundError: there is no such run of this owner.
            InputError: it runs in another process.
        """
        live = self._live_of(owner, run_id)
        if live is None or live.task is None:
            view = await self.view(owner, run_id)
            if view.status == "running":
                raise InputError(
                    f"The run {run_id} goes on in another server process: cancel it there."
                )
            return view, False
        self._stop(live)
        await asyncio.wait({live.task}, timeout=GRACE_S)
        self._settle_early(live, "CancelledError")
        view = self._seen(live)
        return view, view.status == "cancelled"

    async def aclose(self) -> None:
        """Stop every run of this event loop, keep what it had, and wait for its end."""
        tasks = {live.task for live in self._live.values() if live.task is not None}
        self.close()
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE_S)

    def close(self) -> None:
        """Stop every run and keep what it had; the next call begins anew."""
        for live in tuple(self._live.values()):
            self._settle_early(live, "InterruptedError")
            # The tasks of a loop that has ended ended with it.
            if live.task is not None and not live.task.get_loop().is_closed():
                live.task.cancel()
        self._live.clear()
        self._store.close()

    # Beginning and waiting

    def _begun(self, asked: Asked, execute: Execute) -> _Live:
        going = [one for one in self._live.values() if one.view is None]
        own = [one.asked.run_id for one in going if one.asked.owner == asked.owner]
        if len(own) >= MOST_UNDER_WAY or len(going) >= MOST_OF_ALL:
            raise LimitError(
                f"{len(own)} runs of yours are under way, and at most {MOST_UNDER_WAY} may be: "
                "wait for one with get_agent_result, or stop one with cancel_agent_run."
                if len(own) >= MOST_UNDER_WAY
                else "Too many runs are under way: try again when some have ended."
            )
        live = _Live(asked, self._clock())
        self._live[asked.run_id] = live
        live.task = asyncio.create_task(self._run(live, execute), name=f"run {asked.run_id}")
        # A task that is cancelled before its first step never comes to its own end.
        live.task.add_done_callback(lambda _: self._settle_early(live, "CancelledError"))
        return live

    async def _run(self, live: _Live, execute: Execute) -> None:
        """Work on a run until it ends, whatever ends it."""

        def tell(progress: Progress) -> None:
            live.progress = progress
            live.news()

        try:
            with acting_for(live.asked.owner), watched(tell):
                output = await execute()
        except asyncio.CancelledError:
            # Stopped by its caller, or with the event loop: nothing may be awaited any more.
            self._settle_early(live, "CancelledError" if live.stopped else "InterruptedError")
            return
        except Exception as error:
            _log.exception("run %s of %s failed", live.asked.run_id, live.asked.agent)
            output = self._failed(live, error)
        status: RunStatus = "cancelled" if live.stopped and not output.success else "completed"
        live.ending = RunView(live.asked, status, output)
        await anyio.to_thread.run_sync(self._saved, live.ending)
        self._settle(live, live.ending)

    async def _awaited(self, live: _Live, seconds: float, told: Told | None) -> None:
        """Wait for the end of a run for so many seconds."""
        news = asyncio.Event()
        live.waiting.add(news)
        try:
            with anyio.move_on_after(seconds):
                while live.view is None:
                    news.clear()
                    if told is not None:
                        await told(self._seen(live))
                    if live.view is None:
                        await news.wait()
        finally:
            live.waiting.discard(news)

    async def _beating(self, live: _Live) -> None:
        """Give a sign of life until the run ends."""
        while live.view is None:
            await asyncio.sleep(self._beat)
            if live.view is None:
                await anyio.to_thread.run_sync(self._keep_going, live)

    # Ending

    def _stop(self, live: _Live) -> None:
        if live.ending is None and live.task is not None:
            live.stopped = True
            live.task.cancel()

    def _settle(self, live: _Live, view: RunView) -> None:
        """End a run; how it ended first is how it ended."""
        if live.view is None:
            live.view = view
        if live.beat is not None and not live.beat.get_loop().is_closed():
            live.beat.cancel()
        self._live.pop(live.asked.run_id, None)
        live.news()

    def _settle_early(
        self, live: _Live, code: Literal["CancelledError", "InterruptedError"]
    ) -> None:
        """End a run that has no output, at once: its event loop may be at its end."""
        if live.view is not None:
            return
        if live.ending is not None:
            self._saved(live.ending)
            self._settle(live, live.ending)
            return
        status: RunStatus = "cancelled" if code == "CancelledError" else "interrupted"
        output = ended_early(live.asked, code, live.progress, self._taken(live))
        view = RunView(live.asked, status, output)
        self._saved(view)
        self._settle(live, view)

    def _failed(self, live: _Live, error: Exception) -> AgentOutput:
        output = ended_early(live.asked, "InterruptedError", live.progress, self._taken(live))
        told = as_agent_error(error)
        decision = f"Failed: {told.message}"
        return output.model_copy(
            update={
                "error": told,
                "reasoning": output.reasoning.model_copy(update={"decision": decision}),
            }
        )

    # Keeping

    def _keep_going(self, live: _Live) -> None:
        """Keep a run that goes on; if its process ends, this is what is told of it."""
        output = ended_early(live.asked, "InterruptedError", live.progress, self._taken(live))
        try:
            self._store.keep(live.asked, "running", output)
        except GroundwireError as error:
            _log.warning("run %s is known to this process alone: %s", live.asked.run_id, error)

    def _saved(self, view: RunView) -> None:
        """Keep how a run ended: in the file, else in memory."""
        assert view.output is not None
        try:
            self._store.keep(view.asked, view.status, view.output)
        except GroundwireError as error:
            _log.warning("run %s is kept in memory alone: %s", view.asked.run_id, error)
            self._unsaved[view.asked.run_id] = view
            for run_id in list(self._unsaved)[:-MOST_UNSAVED]:
                del self._unsaved[run_id]

    # Looking

    def _live_of(self, owner: str, run_id: str) -> _Live | None:
        live = self._live.get(run_id)
        if live is not None and live.asked.owner != owner:
            raise unknown_run()
        return live

    def _seen(self, live: _Live) -> RunView:
        if live.view is not None:
            return live.view
        progress = live.progress
        return RunView(
            live.asked,
            "running",
            doing=progress.doing if progress is not None else "begins",
            steps=progress.steps if progress is not None else (),
            seconds=self._clock() - live.began,
        )

    def _taken(self, live: _Live) -> float:
        return (self._clock() - live.began) * 1000
