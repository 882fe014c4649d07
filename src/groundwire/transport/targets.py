"""Where a request goes: one URL, read by the parser that sends it, and what a client may ask."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import AddressValueError, IPv4Address
from typing import TYPE_CHECKING

from groundwire.errors import ForbiddenError, InputError
from groundwire.safe_text import shown_url
from groundwire.transport.addresses import AddressPolicy, authority_of

if TYPE_CHECKING:
    from httpx2 import URL


# Longer request lines are refused by most servers; a query of that size goes in a body.
MAX_URL_CHARACTERS = 16_384

_DEFAULT_PORTS = {"http": 80, "https": 443}
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")
# The last label of a host that a resolver would read as (part of) an IPv4 number: WHATWG URL,
# "ends in a number checker". Only four plain decimals are taken, since octal, hexadecimal and
# shortened spellings are read differently by different resolvers.
_NUMERIC_LABEL = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")


@dataclass(frozen=True, slots=True)
class Target:
    """A checked URL.

    Attributes:
        url: the URL as it is sent, without a fragment.
        scheme: `http` or `https`.
        host: the host name or address, ASCII, without brackets.
        port: the port, explicit or by the scheme.
        authority: `host:port`, as policies compare it.
        shown: the URL for messages and records, without secrets.
    """

    url: URL = field(repr=False)
    scheme: str
    host: str
    port: int
    authority: str
    shown: str

    @property
    def origin(self) -> tuple[str, str]:
        """Scheme and authority: what credentials are bound to."""
        return self.scheme, self.authority


def parse_target(url: str) -> Target:
    """Read and check a URL that comes from a caller, a configuration or a redirect.

    Raises:
        InputError: it cannot be sent as an absolute http(s) URL.
        ForbiddenError: another scheme, a user name in it, or a host spelled to deceive.
    """
    import httpx2

    if len(url) > MAX_URL_CHARACTERS:
        raise InputError(
            f"The URL has {len(url):,} characters, {MAX_URL_CHARACTERS:,} is the most:"
            " send long parameters in the body."
        )
    if _UNSAFE.search(url):
        raise InputError(
            "The URL holds a space, control character or backslash: percent-encode it."
        )
    try:
        parsed = httpx2.URL(url)
        host = parsed.raw_host.decode("ascii")
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        raise InputError(
            "The URL cannot be read: send one like https://example.org/sparql."
        ) from None
    if parsed.scheme not in _DEFAULT_PORTS:
        raise ForbiddenError(
            f"Only http and https URLs are fetched, not {parsed.scheme or 'that'}."
        )
    if parsed.userinfo:
        raise ForbiddenError(
            "The URL holds a user name or password: remove it and give credentials by the"
            " endpoint's configuration."
        )
    _check_host(host)
    port = _DEFAULT_PORTS[parsed.scheme] if parsed.port is None else parsed.port
    if not 0 < port < 65536:
        raise InputError(f"The URL's port {port} does not exist: use one from 1 to 65535.")
    return Target(
        url=parsed.copy_with(fragment=None),
        scheme=parsed.scheme,
        host=host,
        port=port,
        authority=authority_of(host, port),
        shown=shown_url(str(parsed)),
    )


def _check_host(host: str) -> None:
    if not host.strip("."):
        raise InputError("The URL names no host: send one like https://example.org/sparql.")
    if "%" in host:
        raise ForbiddenError("The host of the URL holds a percent sign or zone: name it plainly.")
    if ":" in host:
        return
    last = host.rstrip(".").rsplit(".", 1)[-1]
    if not _NUMERIC_LABEL.fullmatch(last):
        return
    try:
        IPv4Address(host)
    except AddressValueError:
        raise ForbiddenError(
            "The host of the URL is a number in an unusual spelling: write four decimals,"
            " as in 192.0.2.1."
        ) from None


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """Addresses and limits of every request of one client.

    Attributes:
        addresses: which addresses may be connected to.
        deadline: seconds for a whole call (resolving, connecting, waiting, redirects, body).
        max_bytes: the most bytes of a body that are kept, packed or unpacked.
        max_redirects: how many redirects one call follows.
    """

    addresses: AddressPolicy = field(default_factory=AddressPolicy)
    deadline: float = 30.0
    max_bytes: int = 5_242_880
    max_redirects: int = 3

    @classmethod
    def naming(cls, *urls: str) -> RequestPolicy:
        """The default policy, with the endpoints that a configuration names allowed anywhere.

        Raises:
            InputError: a URL cannot be read.
            ForbiddenError: a URL is not http(s), or holds a user name.
        """
        return cls(AddressPolicy(frozenset(parse_target(url).authority for url in urls)))
