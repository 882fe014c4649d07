"""Fixtures of several rooms: a server on loopback that misbehaves on purpose."""

from __future__ import annotations

import contextlib
import gc
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from kept_stores import kept, stores_made_anew
from shared_data import REASON, VARIABLE, shared_folder
from state_places import database, place, state_server
from state_places import parametrize as pytest_generate_tests

from groundwire.serving import paused_collector

# What an example takes says how busy the machine is, and nothing of what is tested. The same code
# gets the same examples; `--hypothesis-profile searching` draws others, to look for more.
settings.register_profile(
    "searching", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("patient", settings.get_profile("searching"), derandomize=True)
settings.load_profile("patient")

__all__ = [
    "database",
    "kept",
    "place",
    "pytest_generate_tests",
    "state_server",
    "stores_made_anew",
]

Handler = Callable[["Exchange"], None]
Attempts = Callable[..., Iterator[None]]


class Exchange:
    """One connection: the request as it came, and ways to answer it."""

    def __init__(self, server: HostileServer, connection: socket.socket, request: bytes) -> None:
        self.server = server
        self.connection = connection
        self.request = request

    @property
    def head(self) -> str:
        return self.request.split(b"\r\n\r\n", 1)[0].decode("latin-1").lower()

    @property
    def body(self) -> bytes:
        return self.request.split(b"\r\n\r\n", 1)[1]

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def answer(
        self, body: bytes | str = b"", status: str = "200 OK", length: int | None = None, **headers
    ) -> None:
        body = body.encode() if isinstance(body, str) else body
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body)

    def pause(self, seconds: float) -> bool:
        """Wait; False when the server is being closed."""
        return not self.server.closing.wait(seconds)


class HostileServer:
    """Answers `GET /name` with the handler `name`; counts connections and keeps requests."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.requests: list[Exchange] = []
        self.connections = 0
        self.closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def on(self, path: str, handler: Handler) -> str:
        self.handlers[path] = handler
        return f"{self.url}/{path}"

    def close(self) -> None:
        self.closing.set()
        for thread in self._threads:
            thread.join(5)
        self._listener.close()

    def _accept(self) -> None:
        while not self.closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(0.1)
        with connection, contextlib.suppress(OSError):
            while request := self._read(connection):
                path = request.split(b" ", 2)[1].decode("latin-1").split("?")[0].strip("/")
                exchange = Exchange(self, connection, request)
                self.requests.append(exchange)
                handler = self.handlers.get(path)
                if handler is None:
                    exchange.answer("no such path", "404 Not Found")
                else:
                    connection.settimeout(60)
                    handler(exchange)
                    connection.settimeout(0.1)
                if b"connection: close" in request.lower():
                    return

    def _read(self, connection: socket.socket) -> bytes:
        data = b""
        while not self.closing.is_set():
            head, separator, body = data.partition(b"\r\n\r\n")
            if separator:
                length = 0
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                if len(body) >= length:
                    return data
            try:
                piece = connection.recv(65536)
            except TimeoutError:
                continue
            if not piece:
                return b""
            data += piece
        return b""


_NEEDS_DATA = "groundwire/needs_data"
# Files that take longest, by their tests or by what these wait for: begun first, so that no process
# works on one of them alone at the end.
_LONGEST = (
    "servers/test_replicas.py",
    "servers/test_disks.py",
    "tables/test_lake_endpoints.py",
    "cli/test_demo.py",
    "servers/test_journeys.py",
    "cli/test_doctor.py",
    "evidence/claims/test_check_names.py",
    "test_patterns.py",
    "evidence/page/test_page_browser.py",
    "language/test_nothing_lost.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--needs-data",
        action="store_true",
        help=f"only the tests that the last run skipped for want of {VARIABLE}",
    )


def pytest_configure(config: pytest.Config) -> None:
    # By itself xdist would begin with the files of the most tests.
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_SkippedForData(config))


class _SkippedForData:
    """Notes which tests were skipped because they need the real data, for `--needs-data`."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._names: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple) and REASON in report.longrepr[2]:
            self._names.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        if self._names and hasattr(self._config, "cache"):
            before: list[str] = self._config.cache.get(_NEEDS_DATA, [])
            self._config.cache.set(_NEEDS_DATA, sorted(self._names.union(before)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Have no garbage looked for among what is collected: that would take half of the time."""
    with paused_collector(lasting=True):
        yield
    gc.set_threshold(10_000, 20, 10)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files without a test that is asked for; None asks other plugins."""
    if not config.getoption("--needs-data") or collection_path.suffix != ".py":
        return None
    names: list[str] = config.cache.get(_NEEDS_DATA, [])
    files = {name.partition("::")[0] for name in names}
    path = collection_path.relative_to(config.rootpath).as_posix()
    return True if files and path not in files else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rooms = Path(__file__).parent
    ranks = {rooms / name: rank for rank, name in enumerate(_LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path, len(ranks)))
    if not config.getoption("--needs-data"):
        return
    if not shared_folder("data").is_dir():
        raise pytest.UsageError(f"--needs-data: {VARIABLE} names no folder that holds data/")
    names = set(config.cache.get(_NEEDS_DATA, []))
    if not names:
        raise pytest.UsageError("--needs-data: run the tests without the data first, they note it")
    chosen = [item for item in items if item.nodeid.partition("[")[0] in names]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def pytest_report_header(config: pytest.Config) -> str:
    folder = shared_folder("data")
    return f"real data: {'read from ' + VARIABLE if folder.is_dir() else 'not given'}"


@pytest.fixture
def on_time() -> Attempts:
    """Runs the body of a loop until it ends on time, which it must do at one of a few attempts.

    Code that is late is late each time; a machine that is busy with something else makes it late
    now and then. Whatever else the body checks must hold at every attempt.

        for _ in on_time(0.9):
            assert ask(timeout=0.5).status == "error"
    """

    def attempts(most: float, least: float = 0.0) -> Iterator[None]:
        seconds: list[float] = []
        while len(seconds) < 6:
            started = time.monotonic()
            yield
            seconds.append(time.monotonic() - started)
            assert seconds[-1] >= least
            if seconds[-1] <= most:
                return
        pytest.fail(f"no attempt ended within {most} s: {seconds}")

    return attempts


@pytest.fixture
def hostile() -> Iterator[HostileServer]:
    server = HostileServer()
    yield server
    server.close()


@pytest.fixture
def canary() -> Iterator[HostileServer]:
    """A second server, which nothing may reach."""
    server = HostileServer()
    yield server
    server.close()
