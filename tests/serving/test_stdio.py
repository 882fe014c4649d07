from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

SERVED = str(Path(__file__).with_name("served.py"))


class Process:
    """A server over stdio, driven message by message in the handshake era."""

    def __init__(self, home: Path) -> None:
        self.child = subprocess.Popen(
            [sys.executable, SERVED, "stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"GROUNDWIRE_HOME": str(home), "PYTHONUNBUFFERED": "1"},
            text=True,
        )
        self.lines: list[str] = []

    def send(self, **message: Any) -> None:
        assert self.child.stdin
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.child.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.child.stdout
        line = self.child.stdout.readline()
        self.lines.append(line)
        message: dict[str, Any] = json.loads(line)
        return message

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.send(id=1, method=method, params=params)
        return self.receive()

    def shake_hands(self) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        answer = self.ask(
            "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client
        )
        self.send(method="notifications/initialized")
        return answer

    def ask_without_handshake(self, method: str, **params: Any) -> dict[str, Any]:
        told = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        return self.ask(method, **params, _meta=told)

    def rest(self) -> tuple[int, str, str]:
        out, err = self.child.communicate(timeout=60)
        return self.child.returncode, out, err


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path)
    yield process
    if process.child.poll() is None:
        process.child.kill()
    process.child.communicate()


def test_a_host_of_the_handshake_era_is_served_until_it_leaves(process: Process) -> None:
    assert process.shake_hands()["result"]["protocolVersion"] == "2025-06-18"
    names = [one["name"] for one in process.ask("tools/list")["result"]["tools"]]
    assert names[:2] == ["whoami", "noise"]
    said = process.ask("tools/call", name="whoami", arguments={})["result"]["structuredContent"]
    assert said["owner"] == "local"
    assert said["evidence_id"].startswith("ev_")
    assert process.child.stdin
    code, out, err = process.rest()
    assert (code, out) == (0, "")
    assert err.splitlines() == ["given back", "closed"]


def test_stdout_carries_the_protocol_only(process: Process) -> None:
    process.shake_hands()
    assert process.ask("tools/call", name="noise", arguments={})["result"]["isError"] is False
    crashed = process.ask("tools/call", name="crash", arguments={})["result"]
    assert crashed["isError"] is True
    assert "hunter2" not in json.dumps(crashed)
    _, _, err = process.rest()
    assert "noise on stdout" in err and "noise of a child" in err
    assert "hunter2" in err, "the log on stderr has the reason"
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in process.lines)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order_though_a_call_is_running(
    process: Process, number: signal.Signals
) -> None:
    process.shake_hands()
    process.send(id=2, method="tools/call", params={"name": "wait", "arguments": {}})
    assert process.child.stderr
    assert process.child.stderr.readline().strip() == "waiting"
    process.child.send_signal(number)
    assert process.child.wait(timeout=60) == 0
    assert "closed" in process.child.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_ends_it_though_the_event_loop_is_busy(process: Process) -> None:
    process.shake_hands()
    process.send(id=2, method="tools/call", params={"name": "spin", "arguments": {}})
    assert process.child.stderr
    assert process.child.stderr.readline().strip() == "spinning"
    process.child.send_signal(signal.SIGTERM)
    assert process.child.wait(timeout=60) == 0
    assert "closed" in process.child.stderr.read()


@pytest.mark.parametrize("number", ["1.5", "null", "{}", "[]", "true", "1e40"])
def test_a_request_whose_id_cannot_be_answered_is_refused(process: Process, number: str) -> None:
    process.shake_hands()
    assert process.child.stdin and process.child.stdout
    line = '{"jsonrpc": "2.0", "id": ' + number + ', "method": "tools/list"}\n'
    process.child.stdin.write(line)
    process.child.stdin.flush()
    answer = json.loads(process.child.stdout.readline())
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    assert "send a string or a whole number as id" in answer["error"]["message"]


def test_the_end_of_stdin_ends_a_running_call(process: Process) -> None:
    process.shake_hands()
    process.send(id=2, method="tools/call", params={"name": "wait", "arguments": {}})
    assert process.child.stderr
    assert process.child.stderr.readline().strip() == "waiting"
    code, _, err = process.rest()
    assert code == 0
    assert "closed" in err


@pytest.mark.parametrize("handshake", [True, False])
def test_a_line_that_is_no_message_is_answered_and_ends_nothing(
    process: Process, handshake: bool
) -> None:
    if handshake:
        process.shake_hands()
    half = r'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "\ud800"}}'
    # Nothing is due to a blank line, to a notification, and to an answer.
    silent = [
        "",
        r'{"jsonrpc": "2.0", "method": "\ud800"}',
        r'{"id": 1, "result": {"a": "\ud800"}}',
    ]
    assert process.child.stdin
    for line in ("this is no JSON", "{}", "[]", half, *silent):
        process.child.stdin.write(f"{line}\n")
    process.child.stdin.flush()
    refused = [process.receive() for _ in range(4)]
    assert [(one["id"], one["error"]["code"]) for one in refused] == [
        (None, -32700),
        (None, -32600),
        (None, -32600),
        (5, -32700),
    ]
    assert "half of a character" in refused[-1]["error"]["message"]
    ask = process.ask if handshake else process.ask_without_handshake
    assert ask("tools/list")["result"]["tools"]
    _, _, err = process.rest()
    assert err.splitlines() == ["given back", "closed"]


@pytest.mark.parametrize("handshake", [True, False])
def test_what_is_not_offered_is_refused_in_one_line_and_logged_nowhere(
    process: Process, handshake: bool
) -> None:
    if handshake:
        process.shake_hands()
    ask = process.ask if handshake else process.ask_without_handshake
    refused = [
        ask("prompts/get", name="great", arguments={}),
        ask("prompts/get", name="greet"),
        ask("prompts/get", name="greet", arguments={"person": "Ada", "voice": "loud"}),
        ask("prompts/get", name="greet", arguments={"person": 5}),
        ask("resources/read", uri="shelves://7"),
        ask("resources/read", uri="shelf://seven"),
    ]
    assert [one["error"]["code"] for one in refused] == [-32602] * 6
    assert [one["error"]["message"] for one in refused] == [
        'no prompt "great"; did you mean `greet`? prompts are: greet',
        "`person` is missing: the prompt `greet` takes person.",
        'no argument "voice" in the prompt `greet`; arguments are: person',
        "`arguments.person` must be a text; got 5",
        'no resource "shelves://7"; resources are: ui://groundwire/evidence, shelf://{number}, '
        "groundwire://files/{link}/{name}, groundwire://evidence/{+evidence_ids}",
        "seven is no shelf: send its number.",
    ]
    assert "Shelf 7." in json.dumps(ask("resources/read", uri="shelf://7")["result"])
    _, _, err = process.rest()
    assert err.splitlines() == ["given back", "closed"]


@pytest.mark.anyio
async def test_the_sdks_client_is_served_in_both_eras(tmp_path: Path, era: str) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=[SERVED, "stdio"], env={"GROUNDWIRE_HOME": str(tmp_path)}
    )
    async with Client(server, mode=era) as client:
        said = (await client.call_tool("whoami", {})).structured_content
        assert said["owner"] == "local"
        more = await client.call_tool("whoami", {"cursor": said["next_cursor"]})
        assert more.structured_content["answer"] == "Page 7."
        record = await client.call_tool("get_evidence", {"evidence_id": said["evidence_id"]})
        assert not record.is_error
