"""A server over HTTP: its address, its Host and Origin checks, its token.

Beside it, pages for operators: whether the process lives, whether it is ready, its figures.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
from mcp.server.auth.routes import create_protected_resource_routes
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl, ConfigDict, TypeAdapter
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from groundwire.errors import ConfigurationError, GroundwireError
from groundwire.serving.auth import SCOPES, auth_settings
from groundwire.serving.factory import GroundwireServer
from groundwire.serving.files import FILES, file_page
from groundwire.serving.limits import OwnerLimits
from groundwire.serving.tools import Watch
from groundwire.serving.toolsets import Check, Toolset
from groundwire.serving.unreadable import AnsweringIds

if TYPE_CHECKING:
    from mcp.server.auth.provider import TokenVerifier
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

    from groundwire.serving.meters import Meters

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
    # Its package takes 10 ms to import, which a server over stdio need not wait for.
    from groundwire.serving.meters import Meters

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
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            same = origin is None or urlsplit(origin).netloc == headers.get("host")
            if not same and origin not in self._allowed:
                response = PlainTextResponse("Invalid Origin header", status_code=403)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


Page = Callable[[Request], Awaitable[Response]]
ADMIN = "admin"
# Probes come every few seconds from several sides: what was looked at is kept for so long.
KEPT_SECONDS = 5.0
PATIENCE = 20.0
_log = logging.getLogger(__name__)


class Readiness:
    """Whether the stores and endpoints of a server answer.

    Args:
        checks: what is looked at beside what toolsets name, by name.
        toolsets: their own checks are added.
        watch: says whether the server ends.
        meters: take note of what answered.
    """

    def __init__(
        self, checks: Sequence[Check], toolsets: Sequence[Toolset], watch: Watch, meters: Meters
    ) -> None:
        self._checks = tuple(checks)
        self._toolsets = toolsets
        self._watch = watch
        self._meters = meters
        self._until = 0.0
        self._found: dict[str, str] = {}
        self._ready = False
        self._lock = anyio.Lock()

    async def look(self) -> tuple[bool, dict[str, str]]:
        """Return whether the server is ready, and "ok" or "failed" for each thing looked at.

        Why a check failed is logged; callers are told no addresses and no paths.
        """
        async with self._lock:
            if time.monotonic() >= self._until:
                await self._look_anew()
        if self._watch.ending:
            return False, {**self._found, "server": "ending"}
        return self._ready, self._found

    async def _look_anew(self) -> None:
        found: dict[str, str] = {}
        needed: list[str] = []
        checks = [*self._checks, *(one for toolset in self._toolsets for one in toolset.checks())]

        async def run(check: Check) -> None:
            found[check.name] = await self._outcome(check)
            self._meters.checked(check.name, found[check.name] == "ok")
            if check.needed:
                needed.append(found[check.name])

        async with anyio.create_task_group() as group:
            for check in checks:
                group.start_soon(run, check)
        self._found = dict(sorted(found.items()))
        self._ready = all(said == "ok" for said in needed)
        self._until = time.monotonic() + KEPT_SECONDS

    async def _outcome(self, check: Check) -> str:
        problem = f"no answer within {PATIENCE:g} s"
        try:
            with anyio.move_on_after(PATIENCE):
                await check.look()
                return "ok"
        except GroundwireError as error:
            problem = str(error)
        except Exception:
            _log.exception("the check %s failed", check.name)
            return "failed"
        _log.warning("the check %s failed: %s", check.name, problem)
        return "failed"


def routes(
    readiness: Readiness,
    meters: Meters,
    tokens: TokenVerifier | None,
    known: Callable[[str], bool],
    others: Sequence[tuple[str, Page]] = (),
) -> list[Route]:
    """The pages `/health`, `/ready` and `/metrics`, and others.

    Args:
        readiness: what `/ready` looks at.
        meters: what `/metrics` shows; where tokens are asked for, only to one of scope `admin`.
        tokens: who is let in, or None for anyone who reaches the server.
        known: whether a Host header names this server.
        others: paths of other pages that answer for this host alone, each with what answers.
    """

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def ready(request: Request) -> Response:
        is_ready, checks = await readiness.look()
        return JSONResponse({"ready": is_ready, "checks": checks}, 200 if is_ready else 503)

    async def metrics(request: Request) -> Response:
        if tokens is not None:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            found = await tokens.verify_token(token) if scheme.lower() == "bearer" else None
            if found is None:
                return PlainTextResponse(
                    "a token is needed", 401, {"www-authenticate": 'Bearer error="invalid_token"'}
                )
            if ADMIN not in found.scopes:
                lacking = f'Bearer error="insufficient_scope", scope="{ADMIN}"'
                return PlainTextResponse(
                    "scope admin is needed", 403, {"www-authenticate": lacking}
                )
        return Response(meters.text(), media_type=meters.media_type)

    def guarded(page: Page) -> Callable[..., object]:
        async def answer(request: Request) -> Response:
            if not known(request.headers.get("host", "")):
                return PlainTextResponse("Invalid Host header", 421)
            return await page(request)

        return answer

    return [
        Route("/health", health),
        Route("/ready", guarded(ready)),
        Route("/metrics", guarded(metrics)),
        *(Route(path, guarded(page)) for path, page in others),
    ]
