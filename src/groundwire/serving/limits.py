"""Limits of one owner over HTTP: requests in a minute, requests at once, and time for a body."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

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
    """Refuses with 429 what passes an owner's limit, and gives up on a body that does not end.

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
            await self._app(scope, _Ending(receive), send)
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


class _Ending:
    """Receives a body, and takes a client for gone whose body does not end in time."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._until = anyio.current_time() + BODY_SECONDS
        self._whole = False

    async def __call__(self) -> Message:
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
