"""Connections that ask nothing make room for those that do; none is kept for ever."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from groundwire.serving import limits as module
from groundwire.serving.limits import Connections, Listener, protocol, room

MOST = 8
GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
Reached = Callable[[bytes], socket.socket]


@pytest.fixture
def reach(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reached]:
    """Connects to a server of eight places and half a second of patience, and sends something."""
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.5)
    finish = threading.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        import anyio

        while scope["path"] == "/slow" and not finish.is_set():
            await anyio.sleep(0.02)
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})

    listener = Listener(socket.AF_INET, socket.SOCK_STREAM)
    listener.among = Connections(MOST)
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    config = uvicorn.Config(
        app, http=protocol(listener.among), lifespan="off", log_config=None, timeout_keep_alive=60
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    opened: list[socket.socket] = []

    def made(sent: bytes) -> socket.socket:
        one = socket.create_connection(listener.getsockname(), timeout=10)
        opened.append(one)
        if sent:
            one.sendall(sent)
        return one

    yield made
    finish.set()
    for one in opened:
        one.close()
    server.should_exit = True
    thread.join(20)
    listener.close()


def status(one: socket.socket) -> str:
    """The status that a connection is told; empty where it was closed without a word."""
    try:
        return one.recv(4_096)[9:12].decode()
    except ConnectionError:
        return ""


def test_connections_that_ask_nothing_make_room(reach: Reached) -> None:
    waiting = [reach(b"") for _ in range(3 * MOST)]
    assert status(reach(GET)) == "200"
    assert status(waiting[0]) == ""


def test_where_every_place_is_at_work_a_new_one_is_told(reach: Reached) -> None:
    for _ in range(MOST):
        reach(GET.replace(b"/ ", b"/slow ", 1))
    time.sleep(0.3)
    told = reach(b"").recv(4_096)
    assert told.startswith(b"HTTP/1.1 503 ") and b"retry-after: 5" in told


@pytest.mark.parametrize("sent", [b"", GET[:20], GET + GET[:20]])
def test_a_request_that_does_not_come_is_given_up(reach: Reached, sent: bytes) -> None:
    one = reach(sent)
    told = b"".join(iter(lambda: one.recv(4_096), b""))
    answers = [part[:3] for part in told.split(b"HTTP/1.1 ")[1:]]
    assert answers == ([b"200"] if sent.startswith(GET) else []) + [b"408"]


def test_a_request_that_takes_long_is_waited_for(reach: Reached) -> None:
    one = reach(GET.replace(b"/ ", b"/slow ", 1))
    one.settimeout(1.5)
    with pytest.raises(TimeoutError):
        one.recv(10)


def test_there_are_fewer_places_than_files() -> None:
    resource = pytest.importorskip("resource")
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert 16 <= room() <= module.MOST_CONNECTIONS
    assert files == resource.RLIM_INFINITY or room() < files


@pytest.mark.skipif(sys.platform != "linux", reason="limits files as Linux does")
def test_a_process_with_few_files_is_reached_and_silent(tmp_path: Path) -> None:
    served = Path(__file__).parent / "served.py"
    limited = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128)); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    log = tmp_path / "log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-c", limited, sys.executable, str(served), "http", "127.0.0.1", "0"],
            stderr=said,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "GROUNDWIRE_HOME": str(tmp_path)},
        )
    opened: list[socket.socket] = []
    try:
        until = time.monotonic() + 60
        while b"/mcp" not in log.read_bytes() and time.monotonic() < until:
            time.sleep(0.05)
        port = int(log.read_text().rpartition("/mcp")[0].rpartition(":")[2])
        opened += [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(400)]
        for _ in range(3):
            one = socket.create_connection(("127.0.0.1", port), timeout=20)
            opened.append(one)
            one.sendall(b"GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert status(one) == "200"
        assert len(log.read_text().splitlines()) == 1
    finally:
        for one in opened:
            one.close()
        process.terminate()
        process.wait(20)
