"""Pages at `/ui`: the sections of a server, their entries, and the check of the whole chain.

They answer GET alone, hold no script but that of a map, fetch nothing, and are shown in no frame.
Where tokens are asked for, a browser asks its user for one (HTTP Basic, the token as password), and
shows that owner's entries; elsewhere only this machine reaches the server, and its entries are
those of `local`.

A check reads every record, so one is at work at a time and answers everybody who asks meanwhile; a
long one goes on when its page was answered, and the page says how far it is.
"""

from __future__ import annotations

import base64
import binascii
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from groundwire.apps import asset, document, policy, template
from groundwire.errors import GroundwireError, NotFoundError, UnavailableError
from groundwire.evidence import Ledger
from groundwire.evidence.page.rendering import style
from groundwire.evidence.report import head, verify
from groundwire.serving.sections import Listing, Section, Shown
from groundwire.serving.tools import LOCAL, owner_of

if TYPE_CHECKING:
    from jinja2 import Template
    from mcp.server.auth.provider import TokenVerifier
    from starlette.requests import Request

    from groundwire.serving.exposure import Page


MOST_LISTED = 25
"""Entries of one page of a list."""
_MARK = "groundwire ui"
_READ = "read"
# Pages are drawn by few threads, so that calls of tools never wait for them.
_AT_ONCE = 4
_CHALLENGE = {"www-authenticate": 'Basic realm="Groundwire: token as password", charset="UTF-8"'}
_HEADERS = {
    "cache-control": "private, no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Ui:
    """The pages of one server.

    Args:
        server: its name for people.
        sections: what is listed, in the order of the bar.
        tokens: who is let in, or None for anyone who reaches the server.
    """

    def __init__(
        self, server: str, sections: Sequence[Section], tokens: TokenVerifier | None
    ) -> None:
        self._server = server
        self._sections = {one.name: one for one in sections}
        self._tokens = tokens
        self._threads: anyio.CapacityLimiter | None = None

    def pages(self, path: str) -> list[tuple[str, Page]]:
        """The paths below a path, each with what answers it."""
        return [
            (path, self._begin),
            (f"{path}/{{section}}", self._list),
            (f"{path}/{{section}}/{{key}}", self._entry),
        ]

    async def _begin(self, request: Request) -> Response:
        first = next(iter(self._sections), "")
        # Relative, so that it holds behind a proxy that adds to the path.
        folder = request.url.path.rpartition("/")[2]
        return RedirectResponse(f"{folder}/{first}", 302, _HEADERS)

    async def _list(self, request: Request) -> Response:
        return await self._answer(request, "")

    async def _entry(self, request: Request) -> Response:
        return await self._answer(request, request.path_params["key"])

    async def _answer(self, request: Request, key: str) -> Response:
        owner = await self._owner(request)
        if isinstance(owner, Response):
            return owner
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(_AT_ONCE)
        name = request.path_params["section"]
        before = request.query_params.get("before", "")
        make = partial(self._made, name, key, owner, before)
        return await anyio.to_thread.run_sync(make, limiter=self._threads)

    async def _owner(self, request: Request) -> str | Response:
        """Whose entries are shown, or the refusal."""
        if self._tokens is None:
            return LOCAL
        token = _token(request.headers.get("authorization", ""))
        found = await self._tokens.verify_token(token) if token else None
        if found is None:
            return PlainTextResponse("a token is needed\n", 401, _HEADERS | _CHALLENGE)
        if _READ not in found.scopes:
            return PlainTextResponse("a token of scope read is needed\n", 403, _HEADERS)
        return owner_of(found)

    def _made(self, name: str, key: str, owner: str, before: str) -> Response:
        """The page of an entry, or without a key that of a list."""
        section = self._sections.get(name)
        up = "../" if key else ""
        status = 200
        try:
            if section is None:
                raise NotFoundError("There is no such page.")
            if key:
                shown = section.shown(owner, key)
            elif section.page is not None:
                shown = section.page()
            else:
                shown = _list_page(section, section.listed(owner, MOST_LISTED, before), before)
        except GroundwireError as error:
            status = _status(error)
            shown = _error_page(str(error))
        bar = _bar().render(
            server=self._server,
            sections=self._sections.values(),
            here=name,
            up=up,
            owner=owner if self._tokens is not None else "",
        )
        css = shown.css + asset(__package__ or "", "bar.css")
        page = document(shown.title, bar + shown.body, css, _MARK, shown.script)
        allowed = f"{policy(shown.script)}; frame-ancestors 'none'"
        return HTMLResponse(page, status, _HEADERS | {"content-security-policy": allowed})


def _status(error: GroundwireError) -> int:
    if isinstance(error, NotFoundError):
        return 404
    return 503 if isinstance(error, UnavailableError) else 400


def _token(authorization: str) -> str:
    """The token of a header, as bearer or as a browser's password; empty where there is none."""
    scheme, _, given = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return given.strip()
    if scheme.lower() != "basic":
        return ""
    try:
        said = base64.b64decode(given.strip(), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    return said.partition(":")[2]


def _list_page(section: Section, listing: Listing, before: str) -> Shown:
    body = _list().render(
        title=section.title,
        name=section.name,
        said="" if listing.entries else section.none,
        entries=listing.entries,
        began=bool(before),
        before=listing.before,
    )
    return Shown(section.title, f"<main>{body}</main>", _css())


def _error_page(said: str) -> Shown:
    body = _list().render(title="Not shown", name="", said=said, entries=(), began=False, before="")
    return Shown("Not shown", f"<main>{body}</main>", _css())


def _css() -> str:
    return style() + asset(__package__ or "", "list.css")


def _list() -> Template:
    return template(__package__ or "", "list.html.jinja")


def _bar() -> Template:
    return template(__package__ or "", "bar.html.jinja")


WAITED_S = 10.0
"""Seconds that a page waits for a check to end."""
GOOD_S = 10.0
"""Seconds for which the outcome of a check is shown again."""


@dataclass(slots=True)
class _Check:
    """A check that is at work or has ended."""

    ended: threading.Event
    began: float
    finished: float = 0.0
    done: int = 0
    total: int = 0
    holds: bool = False
    lines: tuple[str, ...] = ()
    head: str = ""
    failure: str = ""


class ChainPage:
    """Checks the chain of a ledger for whoever looks; its methods may be called from any thread."""

    def __init__(
        self, ledger: Ledger, clock: Callable[[], float] = time.time, waited: float = WAITED_S
    ) -> None:
        """Take the ledger, a clock of seconds since 1970, and how long a page waits."""
        self._ledger = ledger
        self._clock = clock
        self._waited = waited
        self._lock = threading.Lock()
        self._check: _Check | None = None

    def shown(self) -> Shown:
        """Return the page of the newest check, which is begun where none is new.

        Raises:
            UnavailableError: the ledger cannot be read.
        """
        with self._lock:
            check = self._check
            if check is None or (check.ended.is_set() and self._clock() - check.finished > GOOD_S):
                check = self._check = _Check(threading.Event(), self._clock())
                threading.Thread(target=self._work, args=(check,), daemon=True).start()
        is_done = check.ended.wait(self._waited)
        if check.failure:
            raise UnavailableError(check.failure)
        body = template(__package__ or "", "chain.html.jinja").render(check=check, is_done=is_done)
        css = style() + asset(__package__ or "", "list.css")
        return Shown("Chain of evidence", f"<main>{body}</main>", css)

    def _work(self, check: _Check) -> None:
        def progress(done: int, total: int) -> None:
            check.done, check.total = done, total

        try:
            # Read before, so that it is of a record that the check comes to.
            (check.head,) = head(self._ledger)
            check.holds, lines = verify(self._ledger, progress=progress)
            check.lines = tuple(lines)
        except UnavailableError as error:
            check.failure = str(error)
        finally:
            check.finished = self._clock()
            if not check.lines and not check.failure:
                check.failure = "The check of the chain ended before its end: try again."
            check.ended.set()
