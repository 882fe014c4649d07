"""Node, the MCP conformance suite and the MCP Inspector, and the servers they are run against.

The programs are installed once into a folder under the system's temporary folder, in fixed
versions, through whatever registry npm is configured for.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NODE_MAJOR = 24
CONFORMANCE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
INSTALL_SECONDS = 300
START_SECONDS = 90
RUN_SECONDS = 150


@dataclass(frozen=True)
class Programs:
    """Installed node programs.

    Attributes:
        folder: where `node_modules` is.
        home: an empty home folder, so that nothing of the user's is read or written.
    """

    folder: Path
    home: Path

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        bins = [self.folder / "node_modules" / name / "bin" for name in (node_package(),)]
        bins.append(self.folder / "node_modules" / ".bin")
        environment = {
            "PATH": os.pathsep.join([*map(str, bins), os.environ.get("PATH", "")]),
            "HOME": str(self.home),
            "NO_COLOR": "1",
        }
        return subprocess.run(
            [str(self.folder / "node_modules/.bin" / program), *arguments],
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            cwd=self.home,
            env=environment,
            stdin=subprocess.DEVNULL,
        )


@dataclass(frozen=True)
class Call:
    """One tool call."""

    tool: str
    arguments: dict[str, object]


@dataclass(frozen=True)
class Subject:
    """A server under test.

    Attributes:
        stdio: the command that speaks MCP on its standard streams.
        http: the command that serves on a port, which is added to it.
        good: a call that succeeds.
        bad: a call that the tool refuses.
        variables: environment variables of the server.
    """

    stdio: Sequence[str]
    http: Sequence[str]
    good: Call
    bad: Call
    variables: dict[str, str] = field(default_factory=dict)


def node_package() -> str:
    machine = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64"}.get(
        platform.machine(), platform.machine()
    )
    return f"node-{platform.system().lower()}-{machine}"


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("npm and node are not here")
    packages = [f"{node_package()}@{NODE_MAJOR}", CONFORMANCE, INSPECTOR]
    version = "_".join(name.rpartition("@")[2] for name in packages)
    folder = Path(tempfile.gettempdir()) / f"groundwire-interop-{os.getuid()}-{version}"
    folder.mkdir(mode=0o700, exist_ok=True)
    done = folder / "installed"
    # Several test processes wait for one installation.
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            install = [npm, "install", "--prefix", str(folder), "--ignore-scripts"]
            install += ["--no-audit", "--no-fund", "--no-save", *packages]
            try:
                result = subprocess.run(
                    install, capture_output=True, text=True, timeout=INSTALL_SECONDS, cwd=folder
                )
            except subprocess.TimeoutExpired:
                pytest.skip(f"npm did not install the suites within {INSTALL_SECONDS} s")
            if result.returncode:
                pytest.skip(f"npm could not install the suites: {result.stderr[-300:]}")
            done.touch()
    return Programs(folder, tmp_path_factory.mktemp("node-home"))


# A call of each server that is answered, and one that is refused.
_CALLS = {
    "ontology": (Call("discover_domains", {}), Call("submit_slots", {"slotz": {}})),
    "metrics": (Call("list_metrics", {}), Call("query_metric", {"metrik": "GDP"})),
    "sparql": (Call("list_endpoints", {}), Call("execute_query", {"query": "ASK {}"})),
    "journeys": (
        Call("compute_journey_plans", {"starting_point": "Kew Gardens", "destination": "Bank"}),
        Call("draw_map_for_plan", {"journey": "none"}),
    ),
}


@pytest.fixture(scope="session", params=["hello", *_CALLS])
def subject(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """The server on the bare SDK, which shows that the harness is right, and ours."""
    if request.param == "hello":
        command = [sys.executable, str(Path(__file__).parent / "hello_server.py")]
        good, bad = Call("greet", {"name": "Ada"}), Call("greet", {})
        return Subject(command, [*command, "--transport", "http", "--port"], good, bad)
    if importlib.util.find_spec("groundwire.cli") is None:
        pytest.skip("groundwire's command line is not here")
    command = [sys.executable, "-m", "groundwire", "serve", request.param]
    return Subject(
        command,
        [*command, "--transport", "http", "--host", "127.0.0.1", "--port"],
        *_CALLS[request.param],
        {
            "GROUNDWIRE_HOME": str(tmp_path_factory.mktemp("groundwire-home")),
            # The embedded network answers: no test asks TfL itself.
            "TFL_BASE_URL": "offline",
        },
    )


@pytest.fixture(scope="session")
def endpoint(subject: Subject, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the subject, served over HTTP on loopback until the tests are over."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*subject.http, str(port)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=os.environ | subject.variables,
        )
    try:
        wait_for(port, server, log)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(10)


def wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 0.5).close()
            return
        time.sleep(0.1)
    pytest.fail(f"the server does not listen: {log.read_text('utf-8', 'replace')[-2000:]}")


@dataclass(frozen=True)
class Inspection:
    """What the Inspector says of one request."""

    exit_code: int
    result: dict[str, object]
    said: str


@pytest.fixture(scope="session", params=["legacy", "modern"])
def inspect(request: pytest.FixtureRequest, programs: Programs, subject: Subject):
    """Ask the subject over stdio, as a host of one era would."""

    def ask(*arguments: str) -> Inspection:
        variables = [
            part for name, value in subject.variables.items() for part in ("-e", f"{name}={value}")
        ]
        run = programs.run(
            "mcp-inspector",
            "--cli",
            "--protocol-era",
            request.param,
            *variables,
            *subject.stdio,
            "--format",
            "json",
            *arguments,
        )
        try:
            result = json.loads(run.stdout)["result"]
        except (ValueError, KeyError):
            result = {}
        return Inspection(run.returncode, result, f"{run.stdout}\n{run.stderr}")

    return ask
