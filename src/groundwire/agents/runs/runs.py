"""Runs of agents that outlive the call that began them.

A call waits for its run for a while, then hands out the run's handle and lets it go on. Whoever has
the handle and is its owner asks for progress and result, or stops it, by any process that shares
the file of runs. What has ended is in that file, so that a restart loses none of it; what was under
way when its process ended says so.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Literal

import anyio
import anyio.to_thread

from groundwire.agents.runs.records import (
    Asked,
    Live,
    RunStatus,
    RunView,
    Told,
    carried_on,
    ended_early,
    failed,
)
from groundwire.agents.runs.store import RunStore, metrics_of, unknown_run
from groundwire.agents.runtime.contract import AgentOutput, Turn, watched
from groundwire.errors import GroundwireError, LimitError
from groundwire.serving import Sample, acting_for

_TOTALS = {
    "agent_runs": "Runs of agents that have ended, by how they ended.",
    "agent_tokens": "Tokens that runs of agents used.",
    "agent_cost_usd": "What runs of agents cost, as estimated, in US dollars.",
}


class Tally:
    """Runs, tokens and cost of each agent since the process began."""

    def __init__(self) -> None:
        self._totals: defaultdict[tuple[str, tuple[tuple[str, str], ...]], float]
        self._totals = defaultdict(float)

    def add(self, view: RunView) -> None:
        """Add a run that has ended."""
        agent = ("agent", view.asked.agent)
        self._totals["agent_runs", (agent, ("status", view.status))] += 1
        if view.output is None:
            return
        used = view.output.metadata
        tokens = used.token_usage
        self._totals["agent_tokens", (agent, ("kind", "prompt"))] += tokens.prompt_tokens
        self._totals["agent_tokens", (agent, ("kind", "completion"))] += tokens.completion_tokens
        self._totals["agent_cost_usd", (agent,)] += used.estimated_cost_usd or 0.0

    def samples(self) -> Iterator[Sample]:
        """Yield every total."""
        for (name, labels), value in sorted(self._totals.items()):
            yield Sample(name, _TOTALS[name], dict(labels), float(value))


_MOST_UNSAVED = 100
"""Results that are held in memory because the file could not be written."""


class Keeping:
    """A store of runs that may be away for a while; its methods may be called from any thread.

    Args:
        store: the file.
    """

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._unsaved: dict[str, RunView] = {}

    def view(self, owner: str, run_id: str) -> RunView:
        """A run that is not of this process, or has ended.

        Raises:
            NotFoundError: this owner has not started such a run.
            UnavailableError: the file cannot be read.
        """
        unsaved = self._unsaved.get(run_id)
        if unsaved is not None and unsaved.asked.owner == owner:
            return unsaved
        return self._store.get(owner, run_id)

    def outputs(self, owner: str) -> list[tuple[str, AgentOutput]]:
        """Agent and output of every run of an owner that has ended.

        Raises:
            UnavailableError: the file cannot be read.
        """
        unsaved = [
            (one.asked.agent, one.output)
            for one in self._unsaved.values()
            if one.asked.owner == owner and one.output is not None
        ]
        return [*self._store.ended(owner), *unsaved]

    def listed(self, owner: str, limit: int, before: str) -> list[tuple[RunView, float]]:
        """The runs of an owner in the file; see `RunStore.listed`."""
        return self._store.listed(owner, limit, before)

    def going_on(self, live: Live) -> bool:
        """Keep a run that goes on; where its process ends first, this is what is told of it.

        Returns:
            Whether another process wants it to end.
        """
        output = ended_early(live.asked, "InterruptedError", live.progress, live.milliseconds)
        try:
            return self._store.keep(live.asked, "running", output)
        except GroundwireError as error:
            _log.warning("run %s is known to this process alone: %s", live.asked.run_id, error)
            return False

    def is_to_stop(self, live: Live) -> bool:
        """Whether another process wants a run of this one to end."""
        try:
            return self._store.is_to_stop(live.asked.run_id)
        except GroundwireError:
            # Nothing is known; the next sign of life tells of it.
            return False

    def stop(self, owner: str, run_id: str) -> None:
        """Have a run end that another process works on.

        Raises:
            UnavailableError: the file cannot be written.
        """
        self._store.stop(owner, run_id)

    def ended(self, view: RunView) -> None:
        """Keep how a run ended."""
        assert view.output is not None
        try:
            self._store.keep(view.asked, view.status, view.output)
        except GroundwireError as error:
            _log.warning("run %s is kept in memory alone: %s", view.asked.run_id, error)
            self._unsaved[view.asked.run_id] = view
            for run_id in list(self._unsaved)[:-_MOST_UNSAVED]:
                del self._unsaved[run_id]

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._store.close()


MOST_UNDER_WAY = 8
"""Runs of one owner that may be under way in one process at one time."""
MOST_OF_ALL = 64
"""Runs of all owners that may be."""
BEAT_S = 10.0
"""Seconds between two signs of life of a run whose handle was given out."""
LOOK_S = 1.0
"""Seconds after which a run is looked up again that another process works on, or may stop."""
GRACE_S = 5.0
"""Seconds that a stopped run has to end by itself."""

Execute = Callable[[], Awaitable[AgentOutput]]
_log = logging.getLogger(__name__)


class Runs:
    """The runs of one process, above a store that outlives it.

    Args:
        store: where they are kept.
        clock: seconds that only grow.
        beat: seconds between two signs of life.
        look: seconds between two looks at what other processes did.

    Attributes:
        tally: totals of the runs that ended in this process.
    """

    def __init__(
        self,
        store: RunStore,
        *,
        clock: Callable[[], float] = time.monotonic,
        beat: float = BEAT_S,
        look: float = LOOK_S,
    ) -> None:
        self.tally = Tally()
        self._kept = Keeping(store)
        self._clock = clock
        self._beat = beat
        self._look = look
        self._live: dict[str, Live] = {}

    async def metrics(self, owner: str) -> dict[str, Any]:
        """Return the metrics of an owner's runs that have ended; see `metrics_of`.

        Raises:
            UnavailableError: the file cannot be read.
        """
        return metrics_of(await anyio.to_thread.run_sync(self._kept.outputs, owner))

    def listed(self, owner: str, limit: int, before: str = "") -> list[tuple[RunView, float]]:
        """Return the runs of an owner, the newest first, with seconds since 1970 of each.

        Raises:
            NotFoundError: the owner has no run `before`.
            UnavailableError: the file cannot be read.
        """
        return self._kept.listed(owner, limit, before)

    def kept(self, owner: str, run_id: str) -> RunView:
        """Return a run as the file has it.

        Raises:
            NotFoundError: this owner has not started such a run.
            UnavailableError: the file cannot be read.
        """
        return self._kept.view(owner, run_id)

    async def conversation(self, owner: str, agent: str, run_id: str) -> tuple[Turn, ...]:
        """Return the turns up to the end of a run, for a run that carries the conversation on.

        Raises:
            NotFoundError: this owner has not started such a run.
            InputError: it goes on, or is another agent's.
        """
        return carried_on(await self.view(owner, run_id), agent)

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
            await live.awaited(seconds, told)
            if live.view is None:
                await anyio.to_thread.run_sync(self._kept.going_on, live)
        except BaseException:
            live.stop()
            raise
        # It may have ended while that was written.
        if live.view is None:
            live.beat = asyncio.create_task(self._beating(live), name=f"beat {asked.run_id}")
        return live.seen()

    async def keep(self, asked: Asked, output: AgentOutput) -> RunView:
        """Keep a run that was part of another, so that it can be looked at as well."""
        view = RunView(asked, "completed", output)
        self.tally.add(view)
        await anyio.to_thread.run_sync(self._kept.ended, view)
        return view

    async def wait(
        self, owner: str, run_id: str, seconds: float, told: Told | None = None
    ) -> RunView:
        """A run as it stands when it has ended, or after so many seconds.

        Raises:
            NotFoundError: this owner has not started such a run.
        """
        live = self._live_of(owner, run_id)
        if live is None:
            return await self._awaited_elsewhere(owner, run_id, seconds, told)
        await live.awaited(seconds, told)
        return live.seen()

    async def view(self, owner: str, run_id: str) -> RunView:
        """A run as it stands now.

        Raises:
            NotFoundError: this owner has not started such a run.
            UnavailableError: the file of runs cannot be read.
        """
        live = self._live_of(owner, run_id)
        if live is not None:
            return live.seen()
        return await anyio.to_thread.run_sync(self._kept.view, owner, run_id)

    async def cancel(self, owner: str, run_id: str) -> tuple[RunView, bool]:
        """Stop a run; how it stands now, and whether it was this that stopped it.

        One that another process works on ends there, at its next step or within seconds; where
        that takes longer than is waited here, it is still running.

        Raises:
            NotFoundError: this owner has not started such a run.
            UnavailableError: the file of runs cannot be read, or written for another process.
        """
        live = self._live_of(owner, run_id)
        if live is not None and live.task is not None:
            await self._ended_now(live)
            view = live.seen()
            return view, view.status == "cancelled"
        view = await self.view(owner, run_id)
        if view.status != "running":
            return view, False
        await anyio.to_thread.run_sync(self._kept.stop, owner, run_id)
        view = await self._awaited_elsewhere(owner, run_id, GRACE_S, None)
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
        self._kept.close()

    # Beginning and waiting

    def _begun(self, asked: Asked, execute: Execute) -> Live:
        going = [one for one in self._live.values() if one.view is None]
        own = [one.asked.run_id for one in going if one.asked.owner == asked.owner]
        if len(own) >= MOST_UNDER_WAY or len(going) >= MOST_OF_ALL:
            raise LimitError(
                f"{len(own)} runs of yours are under way, and at most {MOST_UNDER_WAY} may be: "
                "wait for one with get_agent_result, or stop one with cancel_agent_run."
                if len(own) >= MOST_UNDER_WAY
                else "Too many runs are under way: try again when some have ended."
            )
        live = Live(asked, self._clock, self._clock())
        self._live[asked.run_id] = live
        live.task = asyncio.create_task(self._run(live, execute), name=f"run {asked.run_id}")
        # A task that is cancelled before its first step never comes to its own end.
        live.task.add_done_callback(lambda _: self._settle_early(live, "CancelledError"))
        return live

    async def _run(self, live: Live, execute: Execute) -> None:
        """Work on a run until it ends, whatever ends it."""
        try:
            with acting_for(live.asked.owner), watched(live.tell):
                output = await execute()
        except asyncio.CancelledError:
            # Stopped by its caller, or with the event loop: nothing may be awaited any more.
            self._settle_early(live, "CancelledError" if live.stopped else "InterruptedError")
            return
        except Exception as error:
            _log.exception("run %s of %s failed", live.asked.run_id, live.asked.agent)
            output = failed(live.asked, error, live.progress, live.milliseconds)
        status: RunStatus = "cancelled" if live.stopped and not output.success else "completed"
        live.ending = RunView(live.asked, status, output)
        await anyio.to_thread.run_sync(self._kept.ended, live.ending)
        self._settle(live, live.ending)

    async def _awaited_elsewhere(
        self, owner: str, run_id: str, seconds: float, told: Told | None
    ) -> RunView:
        """Wait for the end of a run that another process may work on, for so many seconds."""
        view = await self.view(owner, run_id)
        with anyio.move_on_after(seconds):
            while view.status == "running":
                if told is not None:
                    await told(view)
                await anyio.sleep(self._look)
                view = await self.view(owner, run_id)
        return view

    async def _beating(self, live: Live) -> None:
        """Give signs of life until the run ends, and end it where another process wants that.

        Whether one does is looked up at every step of the run, and in between.
        """
        beaten = self._clock()
        with live.watched() as event:
            while live.view is None:
                event.clear()
                with anyio.move_on_after(min(self._look, self._beat)):
                    await event.wait()
                if live.view is not None:
                    return
                look = self._kept.is_to_stop
                if self._clock() - beaten >= self._beat:
                    beaten, look = self._clock(), self._kept.going_on
                if await anyio.to_thread.run_sync(look, live):
                    await self._ended_now(live)

    # Ending

    async def _ended_now(self, live: Live) -> None:
        """End a run, by force where it does not end by itself."""
        live.stop()
        if live.task is not None:
            await asyncio.wait({live.task}, timeout=GRACE_S)
        self._settle_early(live, "CancelledError")

    def _settle(self, live: Live, view: RunView) -> None:
        """End a run; how it ended first is how it ended."""
        if live.view is None:
            live.view = view
            self.tally.add(view)
        if live.beat is not None and not live.beat.get_loop().is_closed():
            live.beat.cancel()
        self._live.pop(live.asked.run_id, None)
        live.news()

    def _settle_early(
        self, live: Live, code: Literal["CancelledError", "InterruptedError"]
    ) -> None:
        """End a run that has no output, at once: its event loop may be at its end."""
        if live.view is not None:
            return
        if live.ending is not None:
            self._kept.ended(live.ending)
            self._settle(live, live.ending)
            return
        status: RunStatus = "cancelled" if code == "CancelledError" else "interrupted"
        output = ended_early(live.asked, code, live.progress, live.milliseconds)
        view = RunView(live.asked, status, output)
        self._kept.ended(view)
        self._settle(live, view)

    def _live_of(self, owner: str, run_id: str) -> Live | None:
        live = self._live.get(run_id)
        if live is not None and live.asked.owner != owner:
            raise unknown_run()
        return live
