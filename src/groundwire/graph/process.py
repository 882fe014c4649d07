"""One child process: started clean, asked over pipes, killed when its time is up."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from groundwire.errors import ConfigurationError, DeadlineError, UnavailableError
from groundwire.graph import frames

# What a child may see of the environment: enough to start Python, no keys and no tokens.
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
            frames.write(self._outbound, frames.encode(message))
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
            return frames.read(self._inbound)
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
