"""Runs of the workflow that outlive a call: handles, reports, and the store of all processes.

A run is kept for half an hour after it ended. One that is under way gives signs of life; without
them it is taken as interrupted. What is lost can be asked again, so no commit waits for the disk.

A run belongs to one owner; another owner's handle is not found. A run is at work in the process
that began it. With a store other processes can wait for it, show its report and go on with it; what
it found is in the ledger besides.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import anyio.to_thread
from pydantic import BaseModel, ConfigDict, ValidationError

from groundwire.errors import GroundwireError, LimitError, NotFoundError, UnavailableError
from groundwire.safe_text import may_be_handle
from groundwire.sparql.workflow.model import Asked, Report
from groundwire.state import Database, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept

KEPT_SECONDS = 1800.0
"""Seconds for which a run is kept that nobody asks for."""
SIGN_OF_LIFE_S = 60.0
"""Seconds without a sign of life after which a run is taken as interrupted."""
MOST_RUNS = 200
"""Runs of one owner that are kept; of more the oldest go."""
MOST_BYTES = 4 * 1024 * 1024
"""Bytes of one run, compressed; of a larger one the raw responses are left out."""

_TABLES = (
    """CREATE TABLE runs (
        run_id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        seen REAL NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX runs_by_owner ON runs (owner, seen)",
    "CREATE INDEX runs_by_age ON runs (seen)",
)
_LAYOUT = Layout(
    "kg_runs",
    "file of KG runs",
    application=0x47574B52,  # "GWKR"
    version=1,
    tables=_TABLES,
    synchronous="NORMAL",
)
_KEEP = """
    INSERT INTO runs (run_id, owner, seen, data) VALUES (?, ?, ?, ?)
    ON CONFLICT (run_id) DO UPDATE SET seen = excluded.seen, data = excluded.data
"""
_TOO_MANY = """
    DELETE FROM runs WHERE owner = ? AND run_id NOT IN (
        SELECT run_id FROM runs WHERE owner = ? ORDER BY seen DESC, run_id LIMIT ?)
"""


class KgRun(BaseModel):
    """A run as it is kept.

    Attributes:
        asked: the question.
        endpoint: the endpoint that is asked first.
        report: what came of it, or None.
        failure: what ended it without a report, in one line, or "".
        is_lost: whether its process gave no sign of life for too long before it ended.
    """

    model_config = ConfigDict(defer_build=True, ser_json_bytes="base64", val_json_bytes="base64")

    asked: Asked
    endpoint: str
    report: Report | None = None
    failure: str = ""
    is_lost: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether a report or a failure is known."""
        return self.report is not None or bool(self.failure)


class KgRunStore(Kept[Store]):
    """The runs at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.
    """

    def __init__(self, place: StatePlace, clock: Callable[[], float] = time.time) -> None:
        """Take the file or the database, and a clock of seconds since 1970."""
        self._state = opened(place, _LAYOUT)
        self._clock = place.clock(clock) if isinstance(place, Database) else clock

    def keep(self, owner: str, run_id: str, run: KgRun) -> None:
        """Keep a run as it stands; remove what is old or too much.

        Raises:
            UnavailableError: the store cannot be written.
        """
        data = _packed(run)
        with self._state.writing() as connection:
            now = self._clock()
            connection.execute(_KEEP, (run_id, owner, now, data))
            connection.execute("DELETE FROM runs WHERE seen < ?", (now - KEPT_SECONDS,))
            connection.execute(_TOO_MANY, (owner, owner, MOST_RUNS))

    def beat(self, run_id: str) -> None:
        """Say that a run is still under way.

        Raises:
            UnavailableError: the store cannot be written.
        """
        with self._state.writing() as connection:
            connection.execute("UPDATE runs SET seen = ? WHERE run_id = ?", (self._clock(), run_id))

    def get(self, owner: str, run_id: str) -> KgRun | None:
        """Return a run of an owner, or None where it does not exist or cannot be read.

        Raises:
            UnavailableError: the store cannot be read.
        """
        if not may_be_handle(run_id):
            return None
        row: tuple[float, bytes] | None = None
        with self._state.reading() as connection:
            if connection is not None:
                row = connection.execute(
                    "SELECT seen, data FROM runs WHERE run_id = ? AND owner = ?", (run_id, owner)
                ).fetchone()
        if row is None:
            return None
        quiet = self._clock() - row[0]
        if quiet > KEPT_SECONDS:
            return None
        try:
            run = KgRun.model_validate_json(zlib.decompress(row[1]))
        except (zlib.error, ValidationError):
            return None
        lost = not run.has_ended and quiet > SIGN_OF_LIFE_S
        return run.model_copy(update={"is_lost": lost})


def _packed(run: KgRun) -> bytes:
    data = zlib.compress(run.model_dump_json().encode(), 3)
    if len(data) <= MOST_BYTES or run.report is None:
        return data
    audits = tuple(
        replace(one, raw=b"", raw_size=one.raw_size or len(one.raw)) for one in run.report.audits
    )
    slim = run.model_copy(update={"report": replace(run.report, audits=audits)})
    return zlib.compress(slim.model_dump_json().encode(), 3)


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
