"""Worker processes of a store: started clean, lent out for one query, killed in time, replaced."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.errors import ConfigurationError, DeadlineError, GroundwireError, UnavailableError
from groundwire.graph.child import encode_frame, read_frame, write_frame

# A child process gets these variables alone: they start Python and hold no key or token.
_ENVIRONMENT = frozenset(
    ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LANG")
)
_HAS_POLL = hasattr(select, "poll")


class EndedError(UnavailableError):
    """The child ended before it answered.

    Attributes:
        status: its exit status; negative is the number of the signal that ended it.
    """

    def __init__(self, status: int) -> None:
        super().__init__(f"The graph engine's process ended (status {status}): ask again.")
        self.status = status


@cache
def _command(module: str) -> tuple[str, ...]:
    """The command line of a child that runs `module`.

    `-I` and `-S` leave the user's environment and the set-up of site-packages out, which halves
    the time to start; the two folders that the child needs are named instead.
    """
    engine = find_spec("pyoxigraph")
    if engine is None or engine.origin is None:
        raise ConfigurationError("pyoxigraph is not installed: run `pip install pyoxigraph`.")
    folders = [str(Path(__file__).parents[2]), str(Path(engine.origin).parents[1])]
    code = f"import sys; sys.path[:0] = {folders!r}; from {module} import main; main()"
    return (sys.executable, "-I", "-S", "-c", code)


class Child:
    """A running `module` of ours, spoken to by one thread at a time."""

    def __init__(self, module: str) -> None:
        command = _command(module)
        environment = {name: os.environ[name] for name in _ENVIRONMENT & os.environ.keys()}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env=environment,
            )
        except OSError as error:
            raise UnavailableError(f"No process can be started for the graph: {error}.") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._inbound = self._process.stdout.fileno()
        self._outbound = self._process.stdin.fileno()
        self._lock = threading.Lock()
        self._closed = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: tuple[Any, ...]) -> None:
        """Send one message.

        Raises:
            EndedError: the child is gone.
        """
        try:
            write_frame(self._outbound, encode_frame(message))
        except (BrokenPipeError, OSError) as error:
            raise EndedError(self.close()) from error

    def receive(self, deadline: float | None = None) -> tuple[Any, ...]:
        """The next message. The child is killed at `deadline` (of `time.monotonic`).

        Raises:
            DeadlineError: the deadline passed.
            EndedError: the child is gone, by itself or by `kill`.
        """
        late = False
        if deadline is None:
            reply = self._read()
        elif _HAS_POLL:
            late = not self._readable(deadline)
            reply = None if late else self._read()
        else:
            # Pipes cannot be polled here, so a timer ends the child and with it the read.
            timer = threading.Timer(max(0.0, deadline - time.monotonic()), self.kill)
            timer.start()
            reply = self._read()
            timer.cancel()
        if reply is not None:
            return reply
        if late or (deadline is not None and time.monotonic() >= deadline):
            # Killed, and not waited for: to give its memory back may take the kernel a while.
            self.kill()
            raise DeadlineError("The query passed its time limit and was stopped: narrow it.")
        raise EndedError(self.close())

    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def is_answering(self, seconds: float) -> bool:
        """Whether a message, or the end of the child, comes within `seconds`.

        True without waiting where pipes cannot be polled.
        """
        return not _HAS_POLL or self._readable(time.monotonic() + seconds)

    def _read(self) -> tuple[Any, ...] | None:
        with contextlib.suppress(OSError, ValueError, EOFError):
            return read_frame(self._inbound)
        return None

    def _readable(self, deadline: float) -> bool:
        poll = select.poll()
        poll.register(self._inbound, select.POLLIN)
        return bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))

    def kill(self) -> None:
        """End the process at once, from any thread; whoever is reading sees its end."""
        with self._lock:
            if not self._closed:
                self._process.kill()

    def close(self) -> int:
        """Kill the process, wait for its end and give its pipes back; its exit status."""
        with self._lock:
            if not self._closed:
                self._process.kill()
                self._process.wait()
                self._closed = True
                for pipe in (self._process.stdin, self._process.stdout):
                    assert pipe is not None
                    with contextlib.suppress(OSError):
                        pipe.close()
        return self._process.returncode


class Kind(NamedTuple):
    """The kind of workers of a pool.

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

    def cancel(self, pool: Pool | None) -> None:
        """Kill the child that works for this call, or end its wait for one.

        Args:
            pool: where the call waits; None where it has not come to a pool yet.
        """
        with self.lock:
            self.cancelled = True
            if self.child is not None:
                self.child.kill()
        if pool is not None:
            pool.wake()


class Pool:
    """At most `size` workers on the store in `folder`.

    The first is started by the first query, the next as soon as a query turns out slow. One that
    was killed is replaced at once, so that the next query finds a warm one. All are started in the
    background: where a query's time is up, or nobody waits for it any more, before its worker has
    opened the store, the worker goes on opening, for the next one.
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
        self._opening: set[Child] = set()
        # How many stores could not be opened, and what the last one failed with.
        self._failures = 0
        self._failure = ""
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

    def stream(
        self,
        request: tuple[Any, ...],
        deadline: float,
        call: Call,
        take: Callable[[bytes], bool],
    ) -> tuple[Any, ...] | None:
        """Send `request` to a worker and hand on its chunks until its reply comes.

        Returns:
            the reply; None where `take` returned False, which ends the worker and the query.

        Raises:
            DeadlineError, EndedError, Cancelled: as `run`.
        """
        child = self._acquire(deadline, call)
        healthy = False
        try:
            call.hold(child)
            child.send(request)
            while (reply := child.receive(deadline))[0] == "chunk":
                if not take(reply[1]):
                    return None
            healthy = not reply[-1]
            return reply[:-1]
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
            busy = self._all.difference(idle) | self._opening
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
        """A worker that nobody else uses.

        Raises:
            UnavailableError: the store cannot be opened, or the pool was closed.
        """
        with self._changed:
            failures = self._failures
            while True:
                if self._closed:
                    raise UnavailableError(f"The {self._kind.noun} was closed: open it again.")
                if call.cancelled:
                    raise Cancelled
                if self._idle:
                    child = self._idle.pop()
                    if child.is_alive():
                        return child
                    # Ended from outside, so no query is to blame.
                    self._all.discard(child)
                    child.close()
                elif self._failures != failures:
                    raise UnavailableError(self._failure)
                elif self._has_room():
                    self._in_background(None)
                elif not self._changed.wait(deadline - time.monotonic()):
                    raise DeadlineError(
                        f"The {self._kind.noun} was still being opened at the time limit: retry."
                        if self._starting
                        else f"Every {self._kind.noun} worker was busy until the time limit: retry."
                    )

    def _has_room(self) -> bool:
        return len(self._all) + self._starting < self._size

    def _start(self) -> Child:
        """A new worker that has opened the store.

        Raises:
            UnavailableError: it could not.
        """
        child = Child(self._kind.module)
        with self._changed:
            self._opening.add(child)
            if self._closed:
                child.kill()
        try:
            child.send((str(self._folder), self._memory))
            ready, *detail = child.receive(time.monotonic() + _OPENING)
        except BaseException as error:
            child.close()
            if isinstance(error, EndedError):
                raise UnavailableError(
                    f"The {self._kind.noun} engine ended while it opened {self._folder} (status "
                    f"{error.status}): {self._kind.mend}."
                ) from error
            if isinstance(error, DeadlineError):
                raise UnavailableError(
                    f"The {self._kind.noun} engine took longer than {_OPENING:g} s to open "
                    f"{self._folder}: {self._kind.mend}."
                ) from error
            raise
        finally:
            with self._changed:
                self._opening.discard(child)
        if ready != "ready":
            child.close()
            raise UnavailableError(
                f"The {self._kind.noun} store cannot be opened ({str(detail[0]).rstrip('.')}): "
                f"{self._kind.mend}."
            )
        return child

    def _release(self, child: Child, *, healthy: bool) -> None:
        with self._changed:
            if healthy and not self._closed:
                self._idle.append(child)
                self._changed.notify()
                return
            self._all.discard(child)
            child.kill()
            if not self._closed:
                self._in_background(child)
                return
        child.close()

    def _start_spare(self) -> None:
        """Start another worker, unless one is idle or there are enough."""
        with self._changed:
            if not self._closed and not self._idle and self._has_room():
                self._in_background(None)

    def _in_background(self, dead: Child | None) -> None:
        """Start a worker, then bury `dead`; the caller holds the lock."""

        def work() -> None:
            child, failure = None, ""
            try:
                child = self._start()
            except GroundwireError as error:
                failure = str(error)
            finally:
                self._started(child, failure)
            if dead is not None:
                dead.close()
            with self._changed:
                self._background.discard(thread)

        thread = threading.Thread(target=work, daemon=True)
        # Whoever closes the pool waits for what is in this set, so all of it must have begun.
        thread.start()
        self._starting += 1
        self._background.add(thread)

    def _started(self, child: Child | None, failure: str) -> None:
        """One start is over: `child` is ready, or there is none because of `failure`."""
        with self._changed:
            self._starting -= 1
            self._changed.notify_all()
            if child is None:
                self._failures += 1
                self._failure = failure
                return
            if not self._closed:
                self._all.add(child)
                self._idle.append(child)
                return
        child.close()
