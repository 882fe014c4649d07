"""Users whose tokens have been checked, for calls that tests make inside the process."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from groundwire.serving.auth import scopes_of


@contextmanager
def user(name: str, scope: str = "write") -> Generator[None]:
    """Make every call inside this user's, as over HTTP with a token of this scope."""
    scopes = scopes_of({"scope": scope}, default="")
    token = AccessToken(token="t", client_id="c", scopes=scopes, subject=name)
    before = auth_context_var.set(AuthenticatedUser(token))
    try:
        yield
    finally:
        auth_context_var.reset(before)
