"""The agents server as a process: kept over a kill, ended by its host, and owned over HTTP."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

TOKEN = "a-token-of-more-than-thirty-two-bytes"
QUESTION = "Revenue of 中国内地 in FY2024?"
COMMAND = [sys.executable, "-m", "groundwire", "serve", "agents"]
pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


def environment(home: Path, **more: str) -> dict[str, str]:
    """Variables of a server of its own, whatever is configured here."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GROUNDWIRE_", "AI_", "LLM_", "TFL_"))
    }
    return {**kept, "GROUNDWIRE_HOME": str(home), "TFL_BASE_URL": "offline", **more}


class Process:
    """A server over stdio, by the handshake of 2025-11-25."""

    def __init__(self, home: Path, **variables: str) -> None:
        self.number = 0
        self.child = subprocess.Popen(
            COMMAND,
            env=environment(home, **variables),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        client = {"name": "test", "version": "1"}
        version = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        self.ask("initialize", version)
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.child.stdin
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        assert self.child.stdout
        return json.loads(self.child.stdout.readline())["result"]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result
        return result["structuredContent"]

    def kill(self) -> None:
        self.child.kill()
        self.child.communicate()

    def leave(self) -> tuple[int, str]:
        """Close stdin, as a host that ends; the exit code and what was logged."""
        _, logged = self.child.communicate(timeout=60)
        return self.child.returncode, logged.decode()


def test_a_finished_result_outlives_a_process_that_is_killed(tmp_path: Path) -> None:
    first = Process(tmp_path)
    got = first.call("metrics_agent", question=QUESTION, include_trace=True)
    assert "3,998,900,000 CNY" in got["answer"]
    assert first.call("verify_answer", draft=got["answer"])["records_used"] == 1
    first.kill()
    second = Process(tmp_path)
    # What the run recorded belongs to the connection that is handed its result.
    assert second.call("verify_answer", draft=got["answer"])["records_used"] == 0
    assert second.call("get_agent_result", run_id=got["run_id"]) == got
    assert second.call("verify_answer", draft=got["answer"])["records_used"] == 1
    on = second.call("metrics_agent", question="And in FY2023?", continue_run_id=got["run_id"])
    assert "3,779,500,000 CNY" in on["answer"]
    code, logged = second.leave()
    assert code == 0
    assert "Traceback" not in logged
    # What is logged of runs is structured, and on stderr alone.
    events = [json.loads(line)["event"] for line in logged.splitlines() if line.startswith("{")]
    assert {"agent_started", "agent_step", "tool_called", "agent_finished"} <= set(events)


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[str]:
    """The URL of a server over HTTP that knows its users by signed tokens."""
    child = subprocess.Popen(
        [*COMMAND, "--transport", "http", "--port", "0"],
        env=environment(tmp_path, GROUNDWIRE_HTTP_TOKEN=TOKEN),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr
    yield child.stderr.readline().rpartition(" ")[2].strip()
    child.kill()
    child.communicate()


async def test_over_http_runs_and_their_evidence_are_the_subjects_of_the_token(
    listening: str,
) -> None:
    async def ask(subject: str, tool: str, **arguments: Any) -> Any:
        claims = {"sub": subject, "aud": listening, "exp": int(time.time()) + 600}
        bearer = {"authorization": f"Bearer {jwt.encode(claims, TOKEN, algorithm='HS256')}"}
        async with (
            httpx2.AsyncClient(headers=bearer, timeout=60) as http,
            Client(streamable_http_client(listening, http_client=http)) as client,
        ):
            result = await client.call_tool(tool, arguments)
        return result.content[0].text if result.is_error else result.structured_content

    got = await ask("ada", "metrics_agent", question=QUESTION, include_trace=True)
    assert got["success"]
    (evidence_id,) = got["evidence_ids"]
    assert (await ask("ada", "get_evidence", evidence_id=evidence_id))["evidence_id"] == evidence_id
    assert await ask("ada", "get_agent_result", run_id=got["run_id"]) == got
    for tool, arguments in (
        ("get_evidence", {"evidence_id": evidence_id}),
        ("get_agent_result", {"run_id": got["run_id"]}),
        ("cancel_agent_run", {"run_id": got["run_id"]}),
        ("metrics_agent", {"question": "And in FY2023?", "continue_run_id": got["run_id"]}),
    ):
        refusal = await ask("bob", tool, **arguments)
        assert isinstance(refusal, str), (tool, refusal)


@pytest.mark.parametrize("leaving", ["stdin", "signal"])
def test_a_run_that_is_under_way_ends_with_its_server_and_says_so(
    tmp_path: Path, leaving: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        # A model that never answers.
        base_url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        model = {"AI_PROVIDER": "ollama", "AI_MODEL": "any", "AI_BASE_URL": base_url}
        server = Process(tmp_path, **model)
        asked = {"name": "metrics_agent", "arguments": {"question": "Why did revenue grow?"}}
        server.send({"id": 99, "method": "tools/call", "params": asked})
        connection, _ = silent.accept()
        with connection:
            if leaving == "signal":
                server.child.terminate()
            code, logged = server.leave()
    assert (code, "Traceback" in logged) == (0, False), logged
    with sqlite3.connect(tmp_path / "runs.sqlite") as runs:
        kept = runs.execute("SELECT agent, status FROM runs").fetchall()
    runs.close()
    assert kept in ([("metrics_agent", "interrupted")], [("metrics_agent", "cancelled")])
