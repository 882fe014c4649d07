"""Calls of a server while they run: whose they are, what they may do, how they are counted.

Requests for prompts and resources pass here too.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

import anyio
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError

from groundwire.errors import ForbiddenError, GroundwireError
from groundwire.serving.toolsets import NAMED_BY, check_texts

LOCAL = "local"
_site: ContextVar[str | None] = ContextVar("site", default=None)
_acting_for: ContextVar[str | None] = ContextVar("acting_for", default=None)


def current_owner() -> str:
    """The owner of whatever this request stores: `local` on stdio, the token's subject over HTTP.

    Every stored row has an owner, and another owner's handle is "not found" (design.md, "State").
    """
    named = _acting_for.get()
    if named is not None:
        return named
    token = get_access_token()
    return LOCAL if token is None else owner_of(token)


async def texts_only(ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
    """Middleware: refuses a request for a prompt or a resource whose parts are no texts."""
    if ctx.method in NAMED_BY:
        check_texts(ctx.method, ctx.params or {})
    return await call_next(ctx)


def check_scope(scope: str, tool: str) -> None:
    """Refuse a call whose token lacks a scope; without tokens every call may do everything.

    Raises:
        ForbiddenError: it lacks the scope.
    """
    token = get_access_token()
    if token is not None and scope not in token.scopes:
        raise ForbiddenError(
            f"{tool} needs a token of scope {scope}: this one has "
            f"{' '.join(token.scopes) or 'none'}; ask for one with it."
        )


def owner_of(token: AccessToken) -> str:
    """Return the owner whom a token speaks for."""
    return token.subject or token.client_id


@contextmanager
def acting_for(owner: str) -> Generator[None]:
    """Make every call inside this owner's, those of servers of this process too.

    For work that goes on when the request it came with has ended.
    """
    token = _acting_for.set(owner)
    try:
        yield
    finally:
        _acting_for.reset(token)


def current_site() -> str | None:
    """The URL at which the caller reaches this server; None for a caller on this machine.

    Calls that agents make for a request came as the request did.
    """
    return _site.get()


@contextmanager
def reached_at(site: str | None) -> Generator[None]:
    """Make every call inside one that came to this URL; None leaves it as it was."""
    token = _site.set(site) if site else None
    try:
        yield
    finally:
        if token is not None:
            _site.reset(token)


ENDING = (
    "The server is ending and stopped this call, so nothing is known of its answer: call again."
)
_ARGUMENTS = 2_000
_log = logging.getLogger("groundwire.calls")


class Counter(Protocol):
    """Counts calls."""

    def began(self) -> None:
        """Count a call that begins."""
        ...

    def ended(self, tool: str, kind: str, seconds: float) -> None:
        """Count a call that has ended; `kind` is empty for an answer, else what the refusal is."""
        ...


class Watch:
    """Sees every call of a tool.

    Attributes:
        counter: what counts calls, or None.
        lines: whether a line is logged for each call.
        questions: whether these lines hold the arguments, and with them what people ask.
        ending: whether the server ends.
    """

    def __init__(self) -> None:
        self.counter: Counter | None = None
        self.lines = False
        self.questions = False
        self.ending = False
        self._running: set[anyio.CancelScope] = set()

    @property
    def running(self) -> int:
        """Calls that run now."""
        return len(self._running)

    def stop_calls(self) -> None:
        """Stop the calls that run; each of them is answered by a refusal that says so."""
        for scope in tuple(self._running):
            scope.cancel()

    @contextmanager
    def call(self, tool: str, arguments: Mapping[str, Any]) -> Generator[None]:
        """Watch one call.

        Raises:
            ToolError: the server ended meanwhile.
        """
        started = time.perf_counter()
        kind = "stopped"
        if self.counter is not None:
            self.counter.began()
        scope = anyio.CancelScope()
        self._running.add(scope)
        try:
            try:
                with scope:
                    yield
                    kind = ""
            except (ToolError, MCPError) as error:
                kind = kind_of(error)
                raise
            if scope.cancelled_caught:
                raise ToolError(ENDING)
        finally:
            self._running.discard(scope)
            seconds = time.perf_counter() - started
            if self.counter is not None:
                self.counter.ended(tool, kind, seconds)
            if self.lines:
                self._say(tool, kind, seconds, arguments)

    def _say(self, tool: str, kind: str, seconds: float, arguments: Mapping[str, Any]) -> None:
        fields: dict[str, Any] = {
            "tool": tool,
            "owner": current_owner(),
            "outcome": "refused" if kind else "answered",
            "milliseconds": round(1_000 * seconds, 1),
        }
        if kind:
            fields["refusal"] = kind
        if self.questions:
            said = json.dumps(arguments, ensure_ascii=False, default=str)
            fields["arguments"] = said[:_ARGUMENTS]
        _log.info("tool_called", extra={"groundwire_fields": fields})


def kind_of(error: BaseException) -> str:
    """Return what a refusal is: input, not_found, unavailable, deadline, ..., or internal."""
    cause = error.__cause__
    if isinstance(cause, GroundwireError):
        name = type(cause).__name__.removesuffix("Error")
        return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]
    return "internal" if cause is not None else "input"
