"""Connections over HTTP: so many at most, and none that keeps its place without asking.

Where the system has no file left for a connection, asyncio logs each attempt and attempts ever more
often. So fewer connections are held than there are files; where all places are taken, the
connection that has waited longest without a request makes room, and where each has a request, the
new one is told to come back.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 10_000
IDLE_SECONDS = 30.0
"""A connection without the whole head of a request for so long is closed, or a little later."""
# Accepted before others get a turn, among them those that close what is too much.
_AT_ONCE = 16
_NO_FILES = (errno.EMFILE, errno.ENFILE)
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\n"
_LATE = b"HTTP/1.1 408 Request Timeout\r\n"
_END = b"content-length: 0\r\nconnection: close\r\n\r\n"


class Connections:
    """The connections of a server.

    Args:
        most: so many at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def let_in(self, one: Connection) -> bool:
        """Whether there is room for a connection, which then has its place."""
        if len(self._open) >= self._most and not self.make_room():
            return False
        self._open[one] = None
        return True

    def left(self, one: Connection) -> None:
        """Free the place of a connection, if it has one."""
        self._open.pop(one, None)

    def make_room(self) -> bool:
        """Close the oldest connection that waits without a request; whether there was one."""
        for one in self._open:
            if one.waits:
                del self._open[one]
                one.transport.abort()
                return True
        return False


class Connection(H11Protocol):
    """One of some connections; closed where no request comes."""

    among: Connections
    _timer: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether no request of it is being answered."""
        cycle = cast("Any", self.cycle)
        return cycle is None or bool(cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Take a place, or say that there is none."""
        super().connection_made(transport)
        if self.among.let_in(self):
            self._timer = self.loop.call_later(IDLE_SECONDS, self._look, None)
        else:
            self._end(_FULL)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self.among.left(self)
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _look(self, before: object) -> None:
        """Close the connection if it waits, and waited for the same request at the last look."""
        if self.waits and self.cycle is before:
            self._end(_LATE)
        else:
            self._timer = self.loop.call_later(IDLE_SECONDS, self._look, self.cycle)

    def _end(self, said: bytes) -> None:
        self.among.left(self)
        self.transport.write(said + _END)
        self.transport.close()


class Listener(socket.socket):
    """A socket that accepts a few connections at a time, and none where no file is left."""

    among: Connections
    _accepted = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; BlockingIOError where others are to get a turn first."""
        self._accepted += 1
        if self._accepted > _AT_ONCE:
            self._accepted = 0
            raise BlockingIOError
        try:
            return super().accept()
        except BlockingIOError:
            self._accepted = 0
            raise
        except OSError as error:
            if error.errno not in _NO_FILES:
                raise
            self.among.make_room()
            raise BlockingIOError from error


def room() -> int:
    """How many connections this process can hold: three quarters of its files, at most 10,000."""
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return MOST_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(16, min(MOST_CONNECTIONS, files * 3 // 4))


def protocol(among: Connections) -> type[Connection]:
    """Return the protocol whose connections are among these."""
    return type("Connection", (Connection,), {"among": among})
