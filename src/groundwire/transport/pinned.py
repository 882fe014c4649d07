"""Connections that go to checked addresses only.

A host is resolved once, every address it has is checked, and the connection is made to one of
those addresses by number: no second look-up can lead elsewhere. The `Host` header, SNI and the
check of the certificate keep the name. Importing this module imports httpx2.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable
from typing import cast

import anyio
import httpcore2
import httpx2

from groundwire.errors import NotReachedError
from groundwire.transport.addresses import AddressPolicy, authority_of

# Seconds for one address while others are left to try.
CONNECT_PATIENCE = 3.0
# Addresses tried at most; a name with hundreds of dead addresses is not worth the wait.
MAX_ADDRESSES = 4
MAX_CONNECTIONS = 20
KEEPALIVE_SECONDS = 15.0


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to what the policy permits, and to nothing else."""

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy
        self._sockets = cast(httpcore2.AsyncNetworkBackend, httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Resolve, check all, connect to the first that answers.

        Raises:
            ForbiddenError: an address of the host is not permitted; nothing was sent.
            NotReachedError: the host is unknown.
        """
        addresses = await _resolve(host, port)
        for address in addresses:
            self._policy.check(host, port, address)
        *others, last = addresses[:MAX_ADDRESSES]
        for address in others:
            try:
                return await self._sockets.connect_tcp(
                    address, port, CONNECT_PATIENCE, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._sockets.connect_tcp(last, port, timeout, local_address, socket_options)


class PinnedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over a pool that connects through `PinnedBackend`.

    No proxy is ever used. HTTP/1.1 only: its framing is what the limits are proved against.
    """

    def __init__(self, policy: AddressPolicy, ssl_context: ssl.SSLContext) -> None:
        # The parent would build a pool with its own backend; its other methods work on any pool.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=ssl_context,
            max_connections=MAX_CONNECTIONS,
            max_keepalive_connections=MAX_CONNECTIONS,
            keepalive_expiry=KEEPALIVE_SECONDS,
            network_backend=PinnedBackend(policy),
        )


async def _resolve(host: str, port: int) -> list[str]:
    try:
        found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotReachedError(
            f"No address is known for {authority_of(host, port)}:"
            " check the host name and the network."
        ) from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not addresses:
        raise NotReachedError(f"No address is known for {authority_of(host, port)}.")
    return addresses
