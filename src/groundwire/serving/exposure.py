"""Access to a server over HTTP: its address, its Host and Origin checks, its token."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from groundwire.errors import ConfigurationError
from groundwire.serving.factory import GroundwireServer
from groundwire.serving.unreadable import AnsweringIds

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
MIN_TOKEN_BYTES = 16
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host`."""
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def is_wildcard(host: str) -> bool:
    """Whether `host` stands for every address of this machine."""
    address = _address(host)
    return host == "" if address is None else address.is_unspecified


def in_url(host: str) -> str:
    """A host as a URL spells it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def http_app(
    server: GroundwireServer, host: str, port: int, audience: str | None = None
) -> Starlette:
    """The ASGI application of a server, with its checks for this address.

    Host and Origin are checked against DNS rebinding (MCP specification, "Transports", security
    warning). An address for every interface has no name to check Host against; there the token
    protects, which no page in a browser has, and Origin must be of the Host that was asked.

    Args:
        server: what to serve.
        host: address that it listens on.
        port: port that it listens on.
        audience: URL that signed tokens must have been issued for; default: the address itself,
            and for every interface none, so that only the plain token is let in.

    Raises:
        ConfigurationError: the address can be reached from elsewhere, and no token or too short
            a token protects it; or the audience is no URL.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    _protected(server, host)
    if audience is not None and not _named(audience):
        raise ConfigurationError(
            f"--audience {audience!r} is no URL: send it as clients ask for it, such as "
            "https://groundwire.example/mcp."
        )
    nameless = is_wildcard(host) and audience is None
    if server.tokens is not None:
        server.tokens.audience = (
            None if nameless else audience or f"http://{in_url(host)}:{port}{PATH}"
        )
    names = [*_LOOPBACK, in_url(host), *_named(audience)]
    hosts = [pattern for name in dict.fromkeys(names) for pattern in (name, f"{name}:*")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        host=host,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=not nameless,
            allowed_hosts=hosts,
            allowed_origins=[
                f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts
            ],
        ),
    )
    app.add_middleware(AnsweringIds)
    if nameless:
        app.add_middleware(SameOrigin)
    return app


def _protected(server: GroundwireServer, host: str) -> None:
    if is_loopback(host):
        return
    if server.tokens is None:
        raise ConfigurationError(
            f"{host or 'every address'} can be reached from other machines: set "
            f"GROUNDWIRE_HTTP_TOKEN, or listen on {_LOOPBACK[0]}."
        )
    if server.tokens.length < MIN_TOKEN_BYTES:
        raise ConfigurationError(
            f"GROUNDWIRE_HTTP_TOKEN is too short to protect {host}: use {MIN_TOKEN_BYTES} "
            'characters or more, such as python -c "import secrets; '
            'print(secrets.token_urlsafe(32))" prints.'
        )


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _named(audience: str | None) -> list[str]:
    """The host of an audience, if it is a URL that names one."""
    try:
        parts = urlsplit(audience or "")
    except ValueError:
        return []
    named = parts.hostname if parts.scheme in ("http", "https") else None
    return [in_url(named)] if named else []


class SameOrigin:
    """Refuses what a page of another origin sends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass requests without an Origin, or with that of the Host they were sent to."""
        from starlette.datastructures import Headers
        from starlette.responses import PlainTextResponse

        if scope["type"] == "http":
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            if origin is not None and urlsplit(origin).netloc != headers.get("host"):
                response = PlainTextResponse("Invalid Origin header", status_code=403)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
