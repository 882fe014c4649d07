"""What operators get over HTTP: health, readiness, figures, logs, limits, and CORS by list."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from groundwire.config import HttpSettings, Settings, load_settings
from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.serving import Check, Toolset, build_server, tool
from groundwire.serving import Sample as Figure
from groundwire.serving.exposure import http_app
from groundwire.serving.factory import JsonLines
from groundwire.serving.limits import OwnerLimits
from groundwire.serving.transports import ended_with
from groundwire.serving.unreadable import AnsweringIds

from .conftest import Found, MemoryHandles, MemoryLedger, Sample
from .test_http import HEADERS, HELLO, MODERN

pytestmark = pytest.mark.anyio


class Stores(Toolset):
    """A toolset with a store, an endpoint, and a figure of its own."""

    name = "stores"

    def __init__(self) -> None:
        self.broken: Exception | None = None
        self.looked = 0

    async def _store(self) -> None:
        self.looked += 1
        if self.broken:
            raise self.broken

    async def _endpoint(self) -> None:
        raise UnavailableError("https://secret.example/ does not answer.")

    @tool("Look", read_only=True, idempotent=True, open_world=False)
    async def look(self) -> Found:
        """Look."""
        return Found(answer="Looked.", items=[])

    def checks(self) -> Iterable[Check]:
        return (Check("store", self._store), Check("endpoint", self._endpoint, needed=False))

    def samples(self) -> Iterable[Figure]:
        for agent in ("one", "two"):
            yield Figure("agent_runs", "Runs.", {"agent": agent}, 2)


@asynccontextmanager
async def serving(
    tmp_path: Path, stores: Stores | None = None, **changes: Any
) -> AsyncIterator[Any]:
    http = HttpSettings(
        **{key: changes.pop(key) for key in [*changes] if key in HttpSettings.__slots__}
    )
    server = build_server(
        "sample",
        [Sample(), *([stores] if stores else [])],
        settings=Settings(home=tmp_path, http=http, **changes),
        handles=MemoryHandles(),
        ledger=MemoryLedger(),
    )
    app = http_app(server, "127.0.0.1", 8_000)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1:8000"
        ) as client,
    ):
        client.server = server
        yield client
    server.close()


async def call(client: Any, tool: str, **arguments: Any) -> Any:
    headers = HEADERS | {"mcp-protocol-version": "2026-07-28", "mcp-name": tool}
    headers["mcp-method"] = "tools/call"
    params = {"name": tool, "arguments": arguments, "_meta": MODERN}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return await client.post("/mcp", json=body, headers=headers)


async def test_the_process_is_healthy_and_ready_when_its_stores_answer(tmp_path: Path) -> None:
    stores = Stores()
    async with serving(tmp_path, stores) as client:
        assert (await client.get("/health")).json() == {"status": "ok"}
        ready = await client.get("/ready")
        assert ready.status_code == 200
        checks = {"endpoint": "failed", "evidence": "ok", "store": "ok"}
        assert ready.json() == {"ready": True, "checks": checks}
        await client.get("/ready")
        assert stores.looked == 1, "probes do not ask the store each time"
        client.server.watch.ending = True
        ended = await client.get("/ready")
        assert ended.status_code == 503 and ended.json()["checks"]["server"] == "ending"
        assert (await client.get("/health")).status_code == 200


@pytest.mark.parametrize("broken", [UnavailableError("/a/path is gone."), ValueError("hunter2")])
async def test_a_store_that_fails_is_told_without_its_reason(
    tmp_path: Path, broken: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    stores = Stores()
    stores.broken = broken
    async with serving(tmp_path, stores) as client:
        ready = await client.get("/ready")
    assert ready.status_code == 503 and ready.json()["checks"]["store"] == "failed"
    assert str(broken) not in ready.text and "secret.example" not in ready.text
    assert str(broken) in caplog.text, "the log has it"


async def test_pages_are_for_this_host_alone(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for page, status in (("/ready", 421), ("/metrics", 421), ("/health", 200)):
            got = await client.get(page, headers={"host": "evil.example"})
            assert got.status_code == status


async def test_calls_refusals_and_figures_of_toolsets_are_measured(tmp_path: Path) -> None:
    async with serving(tmp_path, Stores()) as client:
        for _ in range(3):
            assert (await call(client, "echo")).status_code == 200
        await call(client, "echo", nonsense=1)
        await call(client, "fail")
        await client.get("/ready")
        page = await client.get("/metrics")
        assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = page.text.splitlines()
    assert 'groundwire_calls_total{tool="echo"} 3.0' in lines
    assert 'groundwire_refusals_total{kind="input",tool="echo"} 1.0' in lines
    assert 'groundwire_call_seconds_count{tool="echo"} 4.0' in lines
    assert 'groundwire_agent_runs_total{agent="two"} 2.0' in lines
    assert 'groundwire_ready{check="store"} 1.0' in lines
    assert 'groundwire_ready{check="endpoint"} 0.0' in lines
    assert "groundwire_calls_running 0.0" in lines


async def test_a_call_has_one_line_and_no_question_in_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "groundwire.calls")
    async with serving(tmp_path, log_json=True) as client:
        await call(client, "find", filters={"country": "SECRETLAND"})
        await call(client, "find", filtrs="SECRETLAND")
    lines = [json.loads(JsonLines().format(one)) for one in caplog.records
             if one.name == "groundwire.calls"]  # fmt: skip
    assert [(one["event"], one["tool"], one["outcome"]) for one in lines] == [
        ("tool_called", "find", "answered"), ("tool_called", "find", "refused"),
    ]  # fmt: skip
    assert lines[1]["refusal"] == "input" and lines[0]["owner"] == "local"
    assert "SECRETLAND" not in json.dumps(lines)
    caplog.clear()
    async with serving(tmp_path, log_json=True, log_questions=True) as client:
        await call(client, "find", filters={"country": "SECRETLAND"})
    assert "SECRETLAND" in JsonLines().format(caplog.records[-1])


async def test_every_call_has_a_span_where_the_sdk_is_installed(tmp_path: Path) -> None:
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    seen = InMemorySpanExporter()
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    provider.add_span_processor(SimpleSpanProcessor(seen))
    async with serving(tmp_path) as client:
        await call(client, "echo")
        await call(client, "fail")
    names = [span.name for span in seen.get_finished_spans()]
    assert "tools/call echo" in names and "tools/call fail" in names


async def test_pages_of_listed_origins_may_call(tmp_path: Path) -> None:
    allowed = "https://app.example"
    async with serving(tmp_path, origins=(allowed,)) as client:
        asked = {"origin": allowed, "access-control-request-method": "POST",
                 "access-control-request-headers": "authorization,mcp-method"}  # fmt: skip
        granted = await client.options("/mcp", headers=asked)
        assert granted.status_code == 200
        assert granted.headers["access-control-allow-origin"] == allowed
        answer = await client.post("/mcp", json=HELLO, headers={**HEADERS, "origin": allowed})
        assert answer.status_code == 200
        assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]
        other = {**HEADERS, "origin": "https://evil.example"}
        assert (await client.post("/mcp", json=HELLO, headers=other)).status_code == 403
        refused = await client.options("/mcp", headers={**asked, "origin": "https://evil.example"})
        assert "access-control-allow-origin" not in refused.headers


async def test_no_session_is_kept_where_none_is_wanted(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        assert "mcp-session-id" in (await client.post("/mcp", json=HELLO, headers=HEADERS)).headers
    async with serving(tmp_path, stateless=True) as client:
        greeted = await client.post("/mcp", json=HELLO, headers=HEADERS)
        assert greeted.status_code == 200 and "mcp-session-id" not in greeted.headers
        body = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        assert "echo" in (await client.post("/mcp", json=body, headers=HEADERS)).text


async def test_a_body_has_a_limit(tmp_path: Path) -> None:
    async with serving(tmp_path, body_bytes=1_000) as client:
        long = await client.post("/mcp", content=b" " * 2_000, headers=HEADERS)
        assert long.status_code == 413


async def test_an_owner_has_so_many_requests_in_a_minute(tmp_path: Path) -> None:
    async with serving(tmp_path, calls_per_minute=3) as client:
        codes = [(await call(client, "echo")).status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
        refused = await call(client, "echo")
        assert refused.headers["retry-after"] == "20"
        assert "wait 20 s" in refused.json()["error_description"]
        assert (await client.get("/health")).status_code == 200


async def test_limits_are_of_one_owner_and_refill() -> None:
    now, gate = [0.0], anyio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/mcp":
            await gate.wait()

    limits = OwnerLimits(slow, "/mcp", 60, 2, clock=lambda: now[0])
    statuses: list[int] = []

    async def send(message: Any) -> None:
        if "status" in message:
            statuses.append(message["status"])

    async def ask(address: str) -> None:
        scope = {"type": "http", "path": "/mcp", "method": "POST", "client": (address, 1),
                 "headers": []}  # fmt: skip
        await limits(scope, anyio.sleep_forever, send)

    async with anyio.create_task_group() as group:
        for address in ("a", "a", "b"):
            group.start_soon(ask, address)
        await anyio.wait_all_tasks_blocked()
        await ask("a")
        assert statuses == [429]
        gate.set()
    for _ in range(58):
        await ask("a")
    assert statuses == [429]
    await ask("a")
    assert statuses == [429, 429]
    now[0] += 1.0
    await ask("a")
    assert statuses == [429, 429]


async def test_a_body_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.serving.limits.BODY_SECONDS", 0.05)
    pieces = iter([{"type": "http.request", "body": b"x", "more_body": True}])
    sent: list[Any] = []

    async def receive() -> Any:
        for piece in pieces:
            return piece
        return await anyio.sleep_forever()

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(*_: Any) -> None:
        pytest.fail("what is not whole is not answered")

    scope = {"type": "http", "path": "/mcp", "method": "POST", "client": None, "headers": []}
    with anyio.fail_after(5):
        await AnsweringIds(never)(scope, receive, send)
    assert sent[0]["status"] == 408 and (b"connection", b"close") in sent[0]["headers"]
    assert b"did not end within 0.05 s" in sent[1]["body"]


async def test_a_call_that_runs_when_the_server_ends_is_told(
    make_bench: Callable[..., Any],
) -> None:
    bench = make_bench()
    async with anyio.create_task_group() as group:
        told: list[str] = []

        async def ask() -> None:
            told.append(await bench.refused("sleep", seconds=5))

        group.start_soon(ask)
        with anyio.fail_after(5):
            while not bench.server.watch.running:
                await anyio.sleep(0.01)
        bench.server.watch.stop_calls()
    assert told[0].startswith("The server is ending")
    assert bench.server.watch.running == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTP_BODY_BYTES", "0"), ("HTTP_CALLS_AT_ONCE", "-1"), ("HTTP_CALLS_PER_MINUTE", "many"),
        ("HTTP_STATELESS", "perhaps"), ("LOG_FORMAT", "xml"), ("LOG_QUESTIONS", "x"),
    ],
)  # fmt: skip
def test_settings_of_http_are_checked(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=f"GROUNDWIRE_{name}"):
        load_settings({f"GROUNDWIRE_{name}": value})


async def test_a_server_that_is_closed_leaves_no_thread_that_records(tmp_path: Path) -> None:
    before = {*threading.enumerate()}

    def recording() -> list[str]:
        begun = {*threading.enumerate()} - before
        return [one.name for one in begun if one.name.startswith("evidence")]

    async with serving(tmp_path) as client:
        found = (await call(client, "find", filters={})).json()["result"]
        assert found["structuredContent"]["evidence_id"]
        assert recording() == ["evidence_0"]
    assert recording() == []


async def test_what_the_settings_name_is_looked_at_once_at_the_beginning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for named, looked in ((None, 0), (tmp_path / "endpoints.toml", 1)):
        stores = Stores()
        server = build_server(
            "sample",
            [stores],
            settings=Settings(home=tmp_path, endpoints=named),
            handles=MemoryHandles(),
            ledger=MemoryLedger(),
        )
        app = http_app(server, "127.0.0.1", 8_000)
        with caplog.at_level(logging.WARNING):
            async with ended_with(server, app.router.lifespan_context)(app):
                await anyio.wait_all_tasks_blocked()
        assert stores.looked == looked
        assert ("the check endpoint failed: https://secret.example/" in caplog.text) == bool(looked)
