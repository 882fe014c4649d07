"""Access to a server over HTTP: its address, its Host and Origin checks, its token."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from groundwire.errors import ConfigurationError
from groundwire.serving.auth import SCOPES, auth_settings
from groundwire.serving.factory import GroundwireServer
from groundwire.serving.files import FILES, file_page
from groundwire.serving.toolsets import Check
from groundwire.serving.unreadable import AnsweringIds

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

    from groundwire.serving.operations import Page, Readiness

PATH = "/mcp"
UI = "/ui"
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
            a token protects it; or the audience is not a URL.
    """
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.middleware import Middleware
    from starlette.middleware.cors import CORSMiddleware

    from groundwire.serving.limits import OwnerLimits

    http = server.http
    audience = audience if audience is not None else http.audience or None
    _protected(server, host)
    if audience is not None and not _named(audience):
        raise ConfigurationError(
            f"--audience {audience!r} is no URL: send it as clients ask for it, such as "
            "https://groundwire.example/mcp."
        )
    if audience is not None:
        server.files.public = audience.rstrip("/").removesuffix(PATH)
    nameless = is_wildcard(host) and audience is None
    tokens = server.tokens
    if tokens is not None:
        tokens.audience = None if nameless else audience or f"http://{in_url(host)}:{port}{PATH}"
        if tokens.issuers is not None and nameless:
            raise ConfigurationError(
                f"{host or 'every address'} has no name that tokens of GROUNDWIRE_HTTP_ISSUERS can "
                "be issued for: name it with --audience."
            )
        server.settings.auth = auth_settings(tokens)
    names = [*_LOOPBACK, in_url(host), *_named(audience)]
    hosts = [pattern for name in dict.fromkeys(names) for pattern in (name, f"{name}:*")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=http.stateless,
        max_request_body_size=http.body_bytes,
        host=host,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=not nameless,
            allowed_hosts=hosts,
            allowed_origins=[
                *(f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts),
                *http.origins,
            ],
        ),
    )
    readiness, pages = _pages(server, lambda named: nameless or _without_port(named) in names)
    app.router.routes[:0] = pages
    app.state.readiness = readiness
    # The innermost: it has to know the owner.
    app.user_middleware.append(
        Middleware(OwnerLimits, PATH, http.calls_per_minute, http.calls_at_once)
    )
    app.add_middleware(AnsweringIds)
    if nameless:
        app.add_middleware(SameOrigin, http.origins)
    if http.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=http.origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["WWW-Authenticate", "Mcp-Session-Id", "Retry-After"],
        )
    return app


def _pages(server: GroundwireServer, known: Callable[[str], bool]) -> tuple[Readiness, list[Route]]:
    """The pages of operators, and the metadata of what tokens are for (RFC 9728)."""
    from mcp.server.auth.routes import create_protected_resource_routes
    from pydantic import AnyHttpUrl, ConfigDict, TypeAdapter

    from groundwire.serving.meters import Meters
    from groundwire.serving.operations import Readiness, routes

    meters = Meters(server.tool_names, server.toolsets)
    server.watch.counter = meters
    checks = [server.state_check()]
    tokens = server.tokens
    pages: list[Route] = []
    # Clients compare issuers letter by letter (RFC 8414, section 3.3): no slash is added.
    spelled = TypeAdapter(AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True))
    if tokens is not None and tokens.issuers is not None and tokens.audience is not None:
        checks.append(Check("issuers", tokens.issuers.look, needed=False))
        pages = create_protected_resource_routes(
            resource_url=spelled.validate_python(tokens.audience),
            authorization_servers=[spelled.validate_python(one) for one in tokens.issuers.urls],
            scopes_supported=list(SCOPES),
            resource_name=server.title,
        )
    readiness = Readiness(checks, server.toolsets, server.watch, meters)
    others = [(f"{FILES}/{{link}}/{{name}}", file_page(server.files)), ("/", _front_page(server))]
    if server.http.ui:
        from groundwire.serving.ui.pages import Ui

        sections = [one for toolset in reversed(server.toolsets) for one in toolset.sections()]
        others += Ui(server.title or server.name, sections, tokens).pages(UI)
    return readiness, [*pages, *routes(readiness, meters, tokens, known, others)]


def _front_page(server: GroundwireServer) -> Page:
    """Return the page that says to a browser what is served here."""
    from starlette.responses import PlainTextResponse

    async def page(request: Request) -> Response:
        url = f"{server.files.site(request)}{PATH}"
        return PlainTextResponse(
            f"{server.title or server.name}: MCP servers are used by hosts, not by browsers. The "
            f"address for a host is {url}; `groundwire config HOST --url {url}` prints its block.\n"
        )

    return page


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _protected(server: GroundwireServer, host: str) -> None:
    if is_loopback(host):
        return
    if server.tokens is None:
        raise ConfigurationError(
            f"{host or 'every address'} can be reached from other machines: set "
            f"GROUNDWIRE_HTTP_TOKEN, or listen on {_LOOPBACK[0]}."
        )
    if server.tokens.length is not None and server.tokens.length < MIN_TOKEN_BYTES:
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

    def __init__(self, app: ASGIApp, allowed: Sequence[str] = ()) -> None:
        self._app = app
        self._allowed = frozenset(allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass requests without an Origin, with that of their Host, or with one that is allowed."""
        from starlette.datastructures import Headers
        from starlette.responses import PlainTextResponse

        if scope["type"] == "http":
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            same = origin is None or urlsplit(origin).netloc == headers.get("host")
            if not same and origin not in self._allowed:
                response = PlainTextResponse("Invalid Origin header", status_code=403)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
