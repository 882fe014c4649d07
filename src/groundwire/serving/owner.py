"""Whose request is being served, and by which address it came."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken

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
