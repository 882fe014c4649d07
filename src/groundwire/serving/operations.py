"""Pages for operators over HTTP: whether the process lives, whether it is ready, its figures."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from groundwire.errors import GroundwireError
from groundwire.serving.meters import CONTENT_TYPE, Meters
from groundwire.serving.toolsets import Check, Toolset
from groundwire.serving.watch import Watch

if TYPE_CHECKING:
    from mcp.server.auth.provider import TokenVerifier

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
        return Response(meters.text(), media_type=CONTENT_TYPE)

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
