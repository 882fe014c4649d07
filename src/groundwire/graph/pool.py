"""The worker processes of one store: lent out one query at a time, replaced when they die."""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.errors import DeadlineError, GroundwireError, UnavailableError
from groundwire.graph.process import Child, EndedError


class Kind(NamedTuple):
    """What the workers of a pool are.

    Attributes:
        module: what a worker runs; its first message is the store and the bytes it may allocate.
        noun: what errors call the store.
        mend: what to do with a store that ends the workers that open it.
    """

    module: str
    noun: str
    mend: str


GRAPH = Kind("groundwire.graph.worker", "graph", "delete that folder to have it built again")
# How long a worker may take to open its store.
_OPENING = 60.0
# A query that takes longer has the next worker started, before another query asks for it.
_SLOW = 0.05


class Cancelled(Exception):
    """Nobody waits for the answer any more."""


class Call:
    """One request on its way, which another thread may cancel."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.cancelled = False
        self.child: Child | None = None

    def hold(self, child: Child | None) -> None:
        """Say which child works for this call now; None: none any more."""
        with self.lock:
            self.child = child
            if self.cancelled:
                raise Cancelled

    def cancel(self, pool: Pool) -> None:
        """Kill the child that works for this call, or end its wait for one."""
        with self.lock:
            self.cancelled = True
            if self.child is not None:
                self.child.kill()
        pool.wake()


class Pool:
    """At most `size` workers on the store in `folder`.

    The first is started by the first query, the next as soon as a query turns out slow. One that
    was killed is replaced at once in the background, so that the next query finds a warm one.
    """

    def __init__(self, folder: Path, *, size: int, memory: int, kind: Kind = GRAPH) -> None:
        self._folder = folder
        self._kind = kind
        self._size = size
        self._memory = memory
        self._changed = threading.Condition()
        self._idle: list[Child] = []
        self._all: set[Child] = set()
        self._starting = 0
        self._closed = False
        self._background: set[threading.Thread] = set()

    def run(self, request: tuple[Any, ...], deadline: float, call: Call) -> tuple[Any, ...]:
        """Send `request` to a worker and wait for its reply, without its last element.

        The last element of a reply says whether the worker is still busy with the query whose
        soft limit made it answer; such a worker is replaced.

        Raises:
            DeadlineError: `deadline` (of `time.monotonic`) passed; the worker was killed.
            EndedError: the worker died of the query.
            Cancelled: `call` was cancelled.
        """
        child = self._acquire(deadline, call)
        healthy = False
        try:
            call.hold(child)
            child.send(request)
            if not child.is_answering(min(_SLOW, deadline - time.monotonic())):
                self._start_spare()
            *reply, stuck = child.receive(deadline)
            healthy = not stuck
            return tuple(reply)
        except EndedError as error:
            if call.cancelled:
                raise Cancelled from error
            raise
        finally:
            with call.lock:
                call.child = None
                healthy = healthy and not call.cancelled
            self._release(child, healthy=healthy)

    def warm(self) -> None:
        """Have one worker ready."""
        call = Call()
        child = self._acquire(time.monotonic() + _OPENING, call)
        self._release(child, healthy=True)

    def wake(self) -> None:
        """Let every waiting call look again whether it was cancelled."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """End every worker; calls that are under way fail."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = self._all.difference(idle)
            self._all.clear()
            background = list(self._background)
            self._changed.notify_all()
        for child in idle:
            child.close()
        for child in busy:
            # Its pipes are closed by the thread that reads from them.
            child.kill()
        for thread in background:
            thread.join()

    def _acquire(self, deadline: float, call: Call) -> Child:
        with self._changed:
            while True:
                if self._closed:
                    raise UnavailableError(f"The {self._kind.noun} was closed: open it again.")
                if call.cancelled:
                    raise Cancelled
                if self._idle:
                    return self._idle.pop()
                if len(self._all) + self._starting < self._size:
                    self._starting += 1
                    break
                if not self._changed.wait(deadline - time.monotonic()):
                    raise DeadlineError(
                        f"Every {self._kind.noun} worker was busy until the time limit: retry."
                    )
        return self._start(min(deadline, time.monotonic() + _OPENING), call)

    def _start(self, deadline: float, call: Call | None) -> Child:
        child: Child | None = None
        try:
            child = Child(self._kind.module)
            if call is not None:
                call.hold(child)
            child.send((str(self._folder), self._memory))
            ready, *detail = child.receive(deadline)
            if ready != "ready":
                raise UnavailableError(
                    f"The {self._kind.noun} store cannot be opened: {detail[0]}."
                )
        except BaseException as error:
            if child is not None:
                child.close()
            with self._changed:
                self._starting -= 1
                self._changed.notify_all()
            if isinstance(error, EndedError):
                if call is not None and call.cancelled:
                    raise Cancelled from error
                raise UnavailableError(
                    f"The {self._kind.noun} engine ended while it opened {self._folder} (status "
                    f"{error.status}): {self._kind.mend}."
                ) from error
            raise
        with self._changed:
            self._starting -= 1
            if not self._closed:
                self._all.add(child)
                return child
        child.close()
        raise UnavailableError(f"The {self._kind.noun} was closed: open it again.")

    def _release(self, child: Child, *, healthy: bool) -> None:
        with self._changed:
            if healthy and not self._closed:
                self._idle.append(child)
                self._changed.notify()
                return
            self._all.discard(child)
            replace = not self._closed
            self._starting += replace
        child.kill()
        if replace:
            self._in_background(child)
        else:
            child.close()

    def _start_spare(self) -> None:
        """Start another worker, unless one is idle or there are enough."""
        with self._changed:
            if self._closed or self._idle or len(self._all) + self._starting >= self._size:
                return
            self._starting += 1
        self._in_background(None)

    def _in_background(self, dead: Child | None) -> None:
        """Start a worker that was announced in `_starting`, then bury `dead`."""

        def work() -> None:
            # A store that cannot be opened any more is reported to the next query that needs it.
            with contextlib.suppress(GroundwireError):
                started = self._start(time.monotonic() + _OPENING, None)
                self._release(started, healthy=True)
            if dead is not None:
                dead.close()
            with self._changed:
                self._background.discard(thread)

        thread = threading.Thread(target=work, daemon=True)
        with self._changed:
            self._background.add(thread)
        thread.start()
