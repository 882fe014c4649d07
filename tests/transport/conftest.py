"""A network that can be watched."""

from __future__ import annotations

import socket

import anyio
import pytest


class Network:
    """Names and public addresses of a made-up internet, all of which end at loopback.

    Attributes:
        names: what the resolver says, one list of addresses for every look-up, the last stays.
        routes: (address, port) to the loopback port that stands for it.
        lookups: the hosts that were looked up.
        dialled: the (address, port) pairs that a connection was tried to.
    """

    def __init__(self) -> None:
        self.names: dict[str, list[list[str]]] = {}
        self.routes: dict[tuple[str, int], int] = {}
        self.lookups: list[str] = []
        self.dialled: list[tuple[str, int]] = []


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    """Replaces the look-up of names and the opening of sockets at their lowest common level."""
    made_up = Network()
    dial, look_up = anyio.connect_tcp, anyio.getaddrinfo

    async def connect_tcp(remote_host, remote_port, **options):
        made_up.dialled.append((remote_host, remote_port))
        route = made_up.routes.get((remote_host, remote_port))
        if route is None:
            return await dial(remote_host, remote_port, **options)
        return await dial("127.0.0.1", route, **options)

    async def getaddrinfo(host, port, **options):
        made_up.lookups.append(host)
        answers = made_up.names.get(host)
        if answers is None:
            return await look_up(host, port, **options)
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in addresses]

    monkeypatch.setattr(anyio, "connect_tcp", connect_tcp)
    monkeypatch.setattr(anyio, "getaddrinfo", getaddrinfo)
    return made_up
