"""Whose request is being served."""

from __future__ import annotations

from mcp.server.auth.middleware.auth_context import get_access_token

LOCAL = "local"


def current_owner() -> str:
    """The owner of whatever this request stores: `local` on stdio, the token's subject over HTTP.

    Every stored row has an owner, and another owner's handle is "not found" (design.md, "State").
    """
    token = get_access_token()
    if token is None:
        return LOCAL
    return token.subject or token.client_id
