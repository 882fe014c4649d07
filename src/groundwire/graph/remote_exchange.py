"""Requests to an endpoint with its answers, kept for whoever has to prove a query."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit

from groundwire.graph.dialects import Reply
from groundwire.transport.messages import Auth
from groundwire.transport.redaction import HIDDEN, shown_url

# Bytes of a body that an exchange keeps.
KEPT_BYTES = 5_242_880
# A shorter secret is no secret, and would be found in every other word.
_LEAST_SECRET = 4


@dataclass(frozen=True, slots=True)
class Exchange:
    """One query and the HTTP answer to it, before anybody judged that answer.

    Attributes:
        query: the text as it was sent.
        status: the HTTP status.
        content_type: the media type of the body.
        body: the body, credentials of the endpoint hidden; at most `KEPT_BYTES` of it.
        size: bytes of the whole body, as many as are known of.
        cut: whether `body` is only the beginning.
        out_of_time: whether its time ended before the answer was whole, as far as that is known.
        row_limit: the server's own row limit, where it says that it applied it.
    """

    query: str
    status: int
    content_type: str
    body: bytes = field(repr=False)
    size: int
    cut: bool
    out_of_time: bool
    row_limit: int | None


Observer = Callable[[Exchange], None]
"""Is told of an exchange as soon as it is over, whether or not its answer can be used."""


def exchange_of(query: str, reply: Reply) -> Exchange:
    """The record of what `query` was answered with."""
    response = reply.response
    body = response.body
    announced = response.headers.get("content-length", "").strip()
    packed = response.headers.get("content-encoding", "identity") != "identity"
    size = len(body)
    if response.cut and not packed and announced.isascii() and announced.isdigit():
        size = max(size, int(announced[:18]))
    return Exchange(
        query=query,
        status=response.status,
        content_type=response.content_type,
        body=body[:KEPT_BYTES],
        size=size,
        cut=bool(response.cut) or len(body) > KEPT_BYTES,
        out_of_time=reply.out_of_time,
        row_limit=reply.row_limit,
    )


def secrets_of(url: str, credentials: Auth | None) -> tuple[bytes, ...]:
    """Return what must not come back in an answer: credentials, and keys in the URL, as sent."""
    found: set[str] = set()
    for name, value in parse_qsl(urlsplit(url).query):
        parameter = f"?{name}={value}"
        if shown_url(parameter) != parameter:
            found.add(value)
    if isinstance(credentials, str):
        found.add(credentials)
    elif credentials is not None:
        user, password = credentials
        found |= {password, base64.b64encode(f"{user}:{password}".encode()).decode("ascii")}
    spelled = {form for text in found for form in (text, quote(text, ""), quote_plus(text))}
    long_enough = (text.encode() for text in spelled if len(text) >= _LEAST_SECRET)
    return tuple(sorted(long_enough, key=len, reverse=True))


def without(secrets: Sequence[bytes], body: bytes) -> bytes:
    """`body` with every one of `secrets` hidden."""
    for secret in secrets:
        if secret in body:
            body = body.replace(secret, HIDDEN.encode())
    return body
