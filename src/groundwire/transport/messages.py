"""Requests fit to be sent, and responses fit to be kept, unpacked within a limit of size."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from groundwire.errors import ForbiddenError, InputError, UnavailableError
from groundwire.transport.targets import Target, parse_target

Cut = Literal["", "max_bytes", "connection", "encoding"]

# Bytes unpacked at once.
_PIECE = 65_536
# The window parameter of zlib for what a server may send.
_WINDOW = {"gzip": 31, "x-gzip": 31, "deflate": 15}


class BodyReader:
    """Collects a body of at most `max_bytes` bytes, before and after unpacking.

    The memory held is bounded by `max_bytes`, however far the server's bytes would unpack: they
    are unpacked in small pieces, and not beyond what is left.
    """

    def __init__(self, content_encoding: str, max_bytes: int) -> None:
        encoding = content_encoding.strip().lower()
        if encoding not in _WINDOW and encoding not in ("", "identity"):
            raise UnavailableError(
                "The server packed its answer in a way that was not asked for:"
                " it has to send gzip or nothing."
            )
        self._window = _WINDOW.get(encoding)
        self._unpacker = zlib.decompressobj(self._window) if self._window else None
        self._room = max_bytes
        # What does not shrink grows a little by packing, and very short bodies by a lot.
        self._wire_room = max_bytes + max_bytes // 64 + 1024 if self._window else max_bytes
        self._parts: list[bytes] = []
        self._started = False

    def feed(self, chunk: bytes) -> bool:
        """Take bytes as they came; False when the limit is reached and no more are wanted."""
        self._started = self._started or bool(chunk)
        if len(chunk) > self._wire_room:
            self._unpack(chunk[: self._wire_room])
            self._wire_room = 0
            return False
        self._wire_room -= len(chunk)
        return self._unpack(chunk)

    def finish(self) -> Cut:
        """Return why the body is not whole although the connection ended in order, or ""."""
        if self._unpacker is None or self._unpacker.eof or not self._started:
            return ""
        return "encoding"

    def body(self) -> bytes:
        """Return what was collected."""
        return b"".join(self._parts)

    def _unpack(self, chunk: bytes) -> bool:
        if self._unpacker is None:
            return self._keep(chunk)
        while True:
            # One byte beyond the room tells "exactly full" from "more to come".
            most = min(self._room + 1, _PIECE)
            piece = self._decompress(chunk, most)
            if not self._keep(piece):
                return False
            chunk = self._unpacker.unconsumed_tail
            if self._unpacker.eof and self._unpacker.unused_data and self._window == 31:
                # RFC 1952 section 2.2: a gzip file is a series of members.
                chunk = self._unpacker.unused_data
                self._unpacker = zlib.decompressobj(self._window)
            elif self._unpacker.eof or (not chunk and len(piece) < most):
                return True

    def _decompress(self, chunk: bytes, most: int) -> bytes:
        assert self._unpacker is not None
        try:
            return self._unpacker.decompress(chunk, most)
        except zlib.error:
            if self._window == 15 and not self._parts:
                # Some servers send "deflate" without the zlib wrapper of RFC 9110, 8.4.1.2.
                self._window = -15
                self._unpacker = zlib.decompressobj(self._window)
                return self._decompress(chunk, most)
            raise UnavailableError(
                "The server's packed answer is damaged: try again, or ask its operator."
            ) from None

    def _keep(self, piece: bytes) -> bool:
        self._parts.append(piece[: self._room])
        fits = len(piece) <= self._room
        self._room -= min(len(piece), self._room)
        return fits


METHODS = frozenset({"GET", "HEAD", "POST"})
Auth = tuple[str, str] | str


class Digest(NamedTuple):
    """User name and password that are proved by HTTP Digest (RFC 7616) and never sent."""

    user: str
    password: str


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 section 5.6.2
_DIGEST = re.compile(r"(?:^|[,\s])digest\s", re.IGNORECASE)
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")  # RFC 9110 section 5.5
# Framing and routing are the client's own business; a caller could smuggle requests by them.
_RESERVED = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "cookie",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
# What may be told to a server that the caller did not name. Custom headers may hold keys.
_HARMLESS = frozenset({"accept", "accept-language", "user-agent"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_KEEPS_BODY = frozenset({307, 308})


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One checked request.

    Attributes:
        target: where it goes.
        headers: lower-case names; `authorization` is here, so it is not in the repr.
        content: the body; None for none.
        digest: credentials with which a challenge of the target is answered.
    """

    method: str
    target: Target
    headers: dict[str, str] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)
    digest: Digest | None = field(default=None, repr=False)

    @property
    def has_credentials(self) -> bool:
        """Whether it carries credentials, or would prove that it has them."""
        return "authorization" in self.headers or self.digest is not None

    def redirected(self, status: int, location: str) -> Outgoing:
        """The request that a redirect asks for.

        Credentials, custom headers and bodies stay with the origin they were meant for, and a
        redirect never leads from https to http.

        Raises:
            ForbiddenError: following it would send a body elsewhere, give up encryption, or
                leave http(s).
            UnavailableError: its location cannot be read.
        """
        import httpx2

        try:
            target = parse_target(str(self.target.url.join(location)))
        except (InputError, httpx2.InvalidURL):
            raise UnavailableError(
                f"{self.target.authority} redirects to something that is no URL: ask its operator."
            ) from None
        same_origin = target.origin == self.target.origin
        if self.target.scheme == "https" and target.scheme == "http":
            raise ForbiddenError(
                f"{self.target.authority} redirects from https to http, which is not followed:"
                " configure the address that it should have."
            )
        if self.method == "POST" and status != 303:
            if not (same_origin and status in _KEEPS_BODY):
                raise ForbiddenError(
                    f"{self.target.authority} redirects a POST to {target.authority}, which is not"
                    " followed: configure the new address if it is the right one."
                )
            return Outgoing(self.method, target, self.headers, self.content, self.digest)
        kept = {
            name: value
            for name, value in self.headers.items()
            if name != "content-type" and (same_origin or name in _HARMLESS)
        }
        digest = self.digest if same_origin else None
        return Outgoing("HEAD" if self.method == "HEAD" else "GET", target, kept, None, digest)


@dataclass(frozen=True, slots=True)
class Response:
    """The answer of a server.

    Attributes:
        status: the HTTP status, any; judging it is the caller's business.
        headers: lower-case names; repeated ones joined by a comma. Cookies are left out.
        body: the unpacked body, or its beginning.
        url: the URL that answered, after redirects, without secrets.
        elapsed_ms: wall clock of the whole call, in milliseconds.
        cut: why the body is only a beginning: `max_bytes`, `connection` (it ended early) or
            `encoding` (the packed stream ended early); empty where it is whole.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    url: str
    elapsed_ms: float
    cut: Cut = ""

    @property
    def truncated(self) -> bool:
        """Whether `body` is not the whole body."""
        return bool(self.cut)

    @property
    def content_type(self) -> str:
        """The media type alone, lower case; empty where none was sent."""
        return self.headers.get("content-type", "").split(";", 1)[0].strip().lower()

    @property
    def redirect(self) -> str | None:
        """The address to which the response sends its reader, if it does."""
        return self.headers.get("location") if self.status in _REDIRECTS else None


def prepare(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None,
    params: Mapping[str, str] | None,
    content: bytes | None,
    data: Mapping[str, str] | None,
    auth: Auth | None,
) -> Outgoing:
    """Check a caller's request and put it into one form.

    Raises:
        InputError: the method, URL, or body cannot be sent like this.
        ForbiddenError: a header that would change the framing of the request.
    """
    if method not in METHODS:
        raise InputError(f"Method {method!r} is not offered: use GET, HEAD or POST.")
    if content is not None and data is not None:
        raise InputError("A request has one body: give content or data.")
    if method != "POST" and (content is not None or data is not None):
        raise InputError(f"A {method} request has no body: use POST or params.")
    sent = _checked_headers(headers or {})
    if data is not None:
        content = urlencode(data).encode("ascii")
        sent["content-type"] = "application/x-www-form-urlencoded"
    digest = auth if isinstance(auth, Digest) else None
    if auth is not None and digest is None:
        sent["authorization"] = _authorization(auth)
    target = parse_target(url)
    if params:
        target = parse_target(str(target.url.copy_merge_params(dict(params))))
    return Outgoing(method, target, sent, content, digest)


def digest_answer(outgoing: Outgoing, response: Response) -> Outgoing | None:
    """Return the request with the answer to the Digest challenge of a 401, or None without one.

    The arithmetic is httpx2's; nothing is sent here.
    """
    import httpx2

    if outgoing.digest is None or response.status != 401:
        return None
    request = httpx2.Request(outgoing.method, outgoing.target.url, content=outgoing.content)
    # Several challenges come joined by commas, Basic among them.
    for challenge in _DIGEST.split(response.headers.get("www-authenticate", ""))[1:]:
        flow = httpx2.DigestAuth(*outgoing.digest).auth_flow(request)
        asked = {"www-authenticate": f"Digest {challenge.strip().rstrip(',')}"}
        try:
            next(flow)
            signed = flow.send(httpx2.Response(401, headers=asked, request=request))
        except (StopIteration, NotImplementedError, KeyError, ValueError, httpx2.HTTPError):
            continue
        headers = {**outgoing.headers, "authorization": signed.headers["authorization"]}
        return replace(outgoing, headers=headers)
    return None


def _checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    checked: dict[str, str] = {}
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise ForbiddenError("A header name holds characters that no header may hold.")
        if name.lower() in _RESERVED:
            raise ForbiddenError(f"The header {name} is set by the client itself: leave it out.")
        if not _VALUE.fullmatch(value):
            raise ForbiddenError(
                f"The header {name} holds a line break, control character or character beyond"
                " Latin-1: remove it."
            )
        checked[name.lower()] = value.strip()
    return checked


def _authorization(auth: Auth) -> str:
    if isinstance(auth, str):
        value = f"Bearer {auth}"
    else:
        user, password = auth
        if ":" in user:
            raise InputError("A user name for basic authentication holds no colon.")
        value = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
    if not _VALUE.fullmatch(value):
        raise ForbiddenError("The token holds a line break or other control character: remove it.")
    return value
