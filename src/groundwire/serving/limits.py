"""Limits over HTTP: connections at once, requests of one owner, and time for a body.

Where the system has no file left for a connection, asyncio logs each attempt and attempts ever more
often. So fewer connections are held than there are files; where all places are taken, the
connection that has waited longest without a request makes room, and where each has a request, the
new one is told to come back.
"""

from __future__ import annotations

import asyncio
import errno
import math
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import anyio
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


# So many owners are remembered; whoever was not seen for longest begins anew.
_MOST_OWNERS = 10_000
BODY_SECONDS = 30.0


@dataclass
class _Owner:
    """The requests that an owner has left in this minute, and those that are answered now."""

    left: float
    seen: float
    running: int = 0


class OwnerLimits:
    """Refuses with 429 what passes an owner's limit.

    Args:
        app: what answers.
        path: of which requests are counted.
        per_minute: requests of one owner in a minute; 0: no limit.
        at_once: requests of one owner that are answered at once; 0: no limit.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        app: ASGIApp,
        path: str,
        per_minute: int,
        at_once: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._path = path
        self._per_minute = per_minute
        self._at_once = at_once
        self._clock = clock
        self._owners: OrderedDict[str, _Owner] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a POST to the server; streams that a client only listens to are not counted."""
        if scope["type"] != "http" or scope["path"] != self._path or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        owner = self._owner(_name(scope))
        if self._at_once and owner.running >= self._at_once:
            await _refuse(scope, receive, send, 429, "too many requests at once", 1)
            return
        if self._per_minute and owner.left < 1:
            wait = math.ceil((1 - owner.left) * 60 / self._per_minute)
            await _refuse(scope, receive, send, 429, "too many requests in a minute", wait)
            return
        owner.left -= 1
        owner.running += 1
        try:
            await self._app(scope, receive, send)
        finally:
            owner.running -= 1

    def _owner(self, name: str) -> _Owner:
        now = self._clock()
        owner = self._owners.setdefault(name, _Owner(self._per_minute, now))
        self._owners.move_to_end(name)
        gained = (now - owner.seen) * self._per_minute / 60
        owner.left = min(self._per_minute, owner.left + gained)
        owner.seen = now
        while len(self._owners) > _MOST_OWNERS:
            self._owners.popitem(last=False)
        return owner


class Ending:
    """Receives a body, and takes a client for gone whose body does not end in time."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._until = anyio.current_time() + BODY_SECONDS
        self._whole = False

    async def __call__(self) -> Message:
        """Return the next piece, or after `BODY_SECONDS` of one body that its sender is gone."""
        if self._whole:
            return await self._receive()
        message: Message = {"type": "http.disconnect"}
        with anyio.CancelScope(deadline=self._until):
            message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            self._whole = True
        return message


def _name(scope: Scope) -> str:
    """Return whose request this is: the token's subject, or the address that it came from."""
    token = getattr(scope.get("user"), "access_token", None)
    if token is not None:
        return str(token.subject or token.client_id)
    client = scope.get("client")
    return f"address {client[0]}" if client else "address"


async def _refuse(
    scope: Scope, receive: Receive, send: Send, status: int, why: str, seconds: int
) -> None:
    from starlette.responses import JSONResponse

    body = {"error": why, "error_description": f"{why}: wait {seconds} s and send it again"}
    response = JSONResponse(body, status, {"retry-after": str(seconds)})
    await response(scope, receive, send)


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
        """Take a place, or answer that all are taken."""
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
