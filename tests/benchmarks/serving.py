"""What serving adds to the bare SDK: to the start of each server, to one call, and over HTTP.

Run `python tests/benchmarks/serving.py`; it prints a table and exits 1 if a target is missed.
Both servers are processes over stdio, measured in turn, so that a busy machine hits both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
from _table import Measured, report

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
PAIRS = 9
CALLS = 200
START_TARGET = 1.2
ALL_START_TARGET = 1.3
EVERY_TOOLSET = ("--toolsets", "ontology,metrics,sparql,journeys,agents")
CALL_TARGET = 2.0
HTTP_EXTRA = 0.003
HANDSHAKE: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
BARE = [__file__, "--serve"]
SERVERS = ("ontology", "metrics", "sparql", "journeys", "learning", "agents")
ONTOLOGY, METRICS, *_ = (["-m", "groundwire", "serve", server] for server in SERVERS)
NINE_TOOLS = [str(Path(__file__).with_name("serving_nine_tools.py"))]
QUERY = {"metric": "revenue", "entity": "中国内地", "period": "FY2024"}
# Installed packages are compiled: a checkout is measured as it starts the second time.
_AS_INSTALLED = {key: value for key, value in os.environ.items() if key != _NO_BYTECODE}
SEARCH = {"slots": {"domains": ["hdmap"], "filters": {"country": "DE"}}, "limit": 8}


def serve_bare() -> None:
    from mcp.server import MCPServer

    server: MCPServer[Any] = MCPServer("hello")

    @server.tool()
    def hello(name: str) -> str:
        """Say hello."""
        return f"Hello, {name}!"

    server.run()


class Host:
    """The least of a host: the handshake of 2025-11-25 over stdio."""

    def __init__(self, *arguments: str, home: str, **variables: str) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            env=_AS_INSTALLED | {"GROUNDWIRE_HOME": home, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.number = 0
        self.ask("initialize", HANDSHAKE)
        self.send({"method": "notifications/initialized"})
        self.tools = self.ask("tools/list", {})["tools"]
        self.started = time.perf_counter() - self.began

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        assert self.process.stdout
        answer = json.loads(self.process.stdout.readline())
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[float, dict[str, Any]]:
        began = time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return time.perf_counter() - began, result

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


def measure_start(home: str, server: str, *flags: str, target: float = START_TARGET) -> Measured:
    bare: list[float] = []
    ours: list[float] = []
    command = ["-m", "groundwire", "serve", server, *flags]
    Host(*command, home=home).close()
    for _ in range(PAIRS):
        for times, arguments in ((bare, BARE), (ours, command)):
            host = Host(*arguments, home=home)
            times.append(host.started)
            host.close()
    ratio = statistics.median(mine / other for mine, other in zip(ours, bare, strict=True))
    return Measured(
        f"groundwire-{server}: start to tools/list{', every toolset' if flags else ''}",
        statistics.median(bare),
        statistics.median(ours),
        ratio=target,
        paired=ratio,
    )


def measure_call(
    home: str, server: list[str], tool: str, arguments: dict[str, Any], target: float | None
) -> Measured:
    bare, ours = Host(*BARE, home=home), Host(*server, home=home)
    times: tuple[list[float], list[float]] = ([], [])
    size = 0
    for at in range(CALLS + 20):
        plain, _ = bare.call("hello", {"name": "you"})
        full, result = ours.call(tool, arguments)
        assert result["structuredContent"]["evidence_id"], result
        size = len(result["content"][0]["text"])
        if at >= 20:
            times[0].append(plain)
            times[1].append(full)
    bare.close()
    ours.close()
    low, high = (statistics.median(taken) for taken in times)
    return Measured(f"{tool}: a call, {size:,} characters, recorded", low, high, ratio=target)


def measure_http(home: str, server: str, tool: str, arguments: dict[str, Any]) -> Measured:
    """One call over HTTP on loopback, beside the same call over stdio; each call has a connection
    that is kept, as hosts keep theirs."""
    command = ["-m", "groundwire", "serve", server]
    stdio = Host(*command, home=home)
    web = subprocess.Popen(
        [sys.executable, *command, "--transport", "http", "--port", "0"],
        env=_AS_INSTALLED | {"GROUNDWIRE_HOME": home},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert web.stderr
    url = next(line for line in web.stderr if "http://" in line).split(": ", 1)[1].strip()
    headers = {"accept": "application/json, text/event-stream"}
    times: tuple[list[float], list[float]] = ([], [])
    with httpx2.Client(headers=headers) as client:

        def post(message: dict[str, Any]) -> httpx2.Response:
            answer = client.post(url, json={"jsonrpc": "2.0", **message})
            assert answer.is_success, answer.text
            client.headers.update(
                {key: value for key, value in answer.headers.items() if key == "mcp-session-id"}
            )
            return answer

        post({"id": 0, "method": "initialize", "params": HANDSHAKE})
        client.headers["mcp-protocol-version"] = HANDSHAKE["protocolVersion"]
        post({"method": "notifications/initialized"})
        for at in range(CALLS + 20):
            taken, _ = stdio.call(tool, arguments)
            began = time.perf_counter()
            call = {"name": tool, "arguments": arguments}
            answer = post({"id": at + 1, "method": "tools/call", "params": call})
            over = time.perf_counter() - began
            assert "evidence_id" in answer.text, answer.text
            if at >= 20:
                times[0].append(taken)
                times[1].append(over)
    stdio.close()
    web.terminate()
    web.wait(timeout=20)
    web.stderr.close()
    low, high = (statistics.median(taken) for taken in times)
    return Measured(f"{tool}: over HTTP, beside stdio", low, high, seconds=low + HTTP_EXTRA)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().serve:
        serve_bare()
        return 0
    where = {"where": {"domain": "hdmap", "filters": {"country": "DE"}}, "limit": 24}
    with tempfile.TemporaryDirectory() as home:
        return report(
            [
                *(measure_start(home, server) for server in SERVERS),
                measure_start(home, "all", *EVERY_TOOLSET, target=ALL_START_TARGET),
                measure_call(home, [*NINE_TOOLS, home], "search_1", where, CALL_TARGET),
                measure_call(home, ONTOLOGY, "submit_slots", SEARCH, None),
                measure_call(home, METRICS, "query_metric", QUERY, None),
                measure_http(home, "metrics", "query_metric", QUERY),
            ]
        )


if __name__ == "__main__":
    sys.exit(main())
