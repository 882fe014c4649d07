from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from groundwire.errors import ConfigurationError
from groundwire.serving import run
from groundwire.serving.exposure import http_app, is_loopback, is_wildcard

SERVED = str(Path(__file__).with_name("served.py"))
TOKEN = "a-token-of-more-than-thirty-two-bytes"
pytestmark = pytest.mark.anyio

HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Listening:
    """A server over HTTP in a process of its own."""

    def __init__(self, home: Path, *arguments: str, token: str | None = None) -> None:
        env = {"GROUNDWIRE_HOME": str(home)}
        if token:
            env["GROUNDWIRE_HTTP_TOKEN"] = token
        self.child = subprocess.Popen(
            [sys.executable, SERVED, "http", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            text=True,
        )
        assert self.child.stderr
        self.banner = self.child.stderr.readline()
        self.url = self.banner.rpartition(" ")[2].strip()

    def post(self, headers: dict[str, str] | None = None, path: str = "") -> httpx2.Response:
        return httpx2.post(
            self.url + path, json=HELLO, headers={**HEADERS, **(headers or {})}, timeout=60
        )

    def end(self) -> None:
        if self.child.poll() is None:
            self.child.kill()
        self.child.communicate()


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    listening = Listening(tmp_path_factory.mktemp("open"), "127.0.0.1", "0")
    yield listening
    listening.end()


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    listening = Listening(tmp_path_factory.mktemp("guarded"), "127.0.0.1", "0", token=TOKEN)
    yield listening
    listening.end()


async def ask(url: str, token: str | None, era: str, name: str, **arguments: Any) -> Any:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        result = await client.call_tool(name, arguments)
    return result.content[0].text if result.is_error else result.structured_content


def signed(subject: str = "ada", audience: str = "", **changes: Any) -> str:
    claims = {"sub": subject, "aud": audience, "exp": int(time.time()) + 60, **changes}
    return jwt.encode(
        {name: value for name, value in claims.items() if value is not None},
        changes.pop("key", TOKEN),
        algorithm="HS256",
    )


async def test_on_loopback_anyone_of_this_machine_is_local(
    open_server: Listening, era: str
) -> None:
    said = await ask(open_server.url, None, era, "whoami")
    assert said["owner"] == "local"
    more = await ask(open_server.url, None, era, "whoami", cursor=said["next_cursor"])
    assert more["answer"] == "Page 7."


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:1"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1.evil.example:80"}, 421),
        ({"origin": "http://localhost:6274"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://localhost.evil.example:80"}, 403),
        ({"origin": "null"}, 403),
        ({"content-type": "text/plain"}, 400),
    ],
)
def test_host_and_origin_are_checked(
    open_server: Listening, headers: dict[str, str], status: int
) -> None:
    assert open_server.post(headers).status_code == status


def test_too_large_a_body_is_refused(open_server: Listening) -> None:
    response = httpx2.post(open_server.url, content=b" " * 5_000_000, headers=HEADERS, timeout=60)
    assert response.status_code == 413


def test_a_browser_is_told_what_is_served(open_server: Listening) -> None:
    address = open_server.url.removesuffix("/mcp")
    told = httpx2.get(f"{address}/", timeout=60)
    assert told.status_code == 200 and f"--url {open_server.url}" in told.text
    assert (
        httpx2.get(f"{address}/", headers={"host": "evil.example"}, timeout=60).status_code == 421
    )


def test_other_paths_are_not_found(open_server: Listening, guarded: Listening) -> None:
    assert open_server.post(path="/else").status_code == 404
    assert guarded.post(path="/else").status_code == 404


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN],
)
def test_without_the_token_nothing_is_answered(guarded: Listening, authorization: str) -> None:
    response = guarded.post({"authorization": authorization} if authorization else None)
    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer ")
    assert "jsonrpc" not in response.text


def test_reading_needs_the_token_too(guarded: Listening) -> None:
    for method in ("GET", "DELETE"):
        response = httpx2.request(method, guarded.url, headers=HEADERS, timeout=60)
        assert response.status_code == 401


def test_the_token_does_not_open_another_host(guarded: Listening) -> None:
    headers = {"authorization": f"Bearer {TOKEN}"}
    assert guarded.post(headers).status_code == 200
    assert guarded.post({**headers, "host": "evil.example"}).status_code == 421


async def test_the_token_is_of_the_operator(guarded: Listening, era: str) -> None:
    assert (await ask(guarded.url, TOKEN, era, "whoami"))["owner"] == "operator"


async def test_signed_tokens_have_owners_of_their_own(guarded: Listening, era: str) -> None:
    ada, bob = (signed(name, guarded.url) for name in ("ada", "bob"))
    said = await ask(guarded.url, ada, era, "whoami")
    assert said["owner"] == "user:ada"
    seen = await ask(guarded.url, ada, era, "get_evidence", evidence_id=said["evidence_id"])
    assert seen["evidence_id"] == said["evidence_id"]
    hidden = await ask(guarded.url, bob, era, "get_evidence", evidence_id=said["evidence_id"])
    assert "no evidence" in hidden
    stolen = await ask(guarded.url, bob, era, "whoami", cursor=said["next_cursor"])
    assert stolen.startswith("this cursor is unknown")


@pytest.mark.parametrize(
    "changes",
    [
        {"audience": "https://other.example/mcp"},
        {"aud": None},
        {"exp": int(time.time()) - 3_600},
        {"exp": None},
        {"sub": None},
        {"sub": ""},
        {"key": "another-key-of-more-than-thirty-two-bytes"},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_signed_tokens_are_checked(guarded: Listening, changes: dict[str, Any]) -> None:
    sent = dict(changes)
    key = sent.pop("key", TOKEN)
    claims = {
        "sub": "ada",
        "aud": sent.pop("audience", guarded.url),
        "exp": int(time.time()) + 60,
        **sent,
    }
    token = jwt.encode({k: v for k, v in claims.items() if v is not None}, key, algorithm="HS256")
    assert guarded.post({"authorization": f"Bearer {token}"}).status_code == 401


def forged_tokens(url: str) -> dict[str, str]:
    """Tokens that look right and that nobody with the key has made."""
    claims = {"sub": "ada", "aud": url, "exp": int(time.time()) + 60}
    good = jwt.encode(claims, TOKEN, algorithm="HS256")
    head, body, seal = good.split(".")
    other = jwt.encode({**claims, "sub": "bob"}, TOKEN, algorithm="HS256").split(".")
    return {
        "unsigned": jwt.encode(claims, None, algorithm="none"),
        "signature cut": f"{head}.{body}.{seal[:-4]}",
        "no signature": f"{head}.{body}.",
        "signature of another": f"{head}.{body}.{other[2]}",
        "body of another": f"{head}.{other[1]}.{seal}",
        "other algorithm": jwt.encode(claims, TOKEN.ljust(64, "x"), algorithm="HS384"),
        "four parts": f"{good}.{seal}",
        "subject that is a list": jwt.encode(
            {**claims, "aud": [url], "sub": ["ada"]}, TOKEN + "x", algorithm="HS256"
        ),
        "not yet valid": jwt.encode(
            {**claims, "nbf": int(time.time()) + 3_600}, TOKEN, algorithm="HS256"
        ),
    }


@pytest.mark.parametrize("kind", forged_tokens("http://127.0.0.1/mcp"))
def test_a_forged_token_is_refused(guarded: Listening, kind: str) -> None:
    token = forged_tokens(guarded.url)[kind]
    assert guarded.post({"authorization": f"Bearer {token}"}).status_code == 401


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_ends_it_in_order(tmp_path: Path) -> None:
    listening = Listening(tmp_path, "127.0.0.1", "0")
    try:
        assert listening.post().status_code == 200
        listening.child.send_signal(signal.SIGTERM)
        assert listening.child.stderr and listening.child.stdout
        err = listening.child.stderr.read()
        assert listening.child.stdout.read() == ""
        assert listening.child.wait(timeout=60) == 0
    finally:
        listening.end()
    assert err.splitlines() == ["given back", "closed"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_during_a_call_ends_it_without_a_traceback(tmp_path: Path) -> None:
    listening = Listening(tmp_path, "127.0.0.1", "0")
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "wait", "arguments": {}, "_meta": MODERN},
    }
    headers = HEADERS | {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "wait",
    }
    try:
        assert listening.child.stderr
        with ThreadPoolExecutor(1) as pool, httpx2.Client(timeout=60) as client:
            asked = pool.submit(client.post, listening.url, json=call, headers=headers)
            assert listening.child.stderr.readline() == "waiting\n"
            listening.child.send_signal(signal.SIGTERM)
            answer = asked.result()
            assert answer.status_code == 200
            assert "The server is ending and stopped this call" in answer.text
        err = listening.child.stderr.read()
        assert listening.child.wait(timeout=60) == 0
    finally:
        listening.end()
    assert "Traceback" not in err
    assert err.splitlines()[-2:] == ["given back", "closed"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_ends_it_though_the_event_loop_is_busy(tmp_path: Path) -> None:
    listening = Listening(tmp_path, "127.0.0.1", "0")
    headers = HEADERS | {"mcp-protocol-version": "2026-07-28"}
    headers |= {"mcp-method": "tools/call", "mcp-name": "spin"}
    params = {"name": "spin", "arguments": {}, "_meta": MODERN}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    try:
        assert listening.child.stderr
        with ThreadPoolExecutor(1) as pool, httpx2.Client(timeout=60) as client:
            asked = pool.submit(client.post, listening.url, json=call, headers=headers)
            assert listening.child.stderr.readline() == "spinning\n"
            listening.child.send_signal(signal.SIGTERM)
            assert listening.child.wait(timeout=60) == -signal.SIGALRM
            assert asked.exception() is not None
    finally:
        listening.end()


@pytest.mark.parametrize("number", ["1.5", "null", "{}", "[]", "true", "1e40"])
def test_a_request_whose_id_cannot_be_answered_is_refused(
    open_server: Listening, number: str
) -> None:
    body = '{"jsonrpc": "2.0", "id": ' + number + ', "method": "tools/list"}'
    answer = httpx2.post(open_server.url, content=body, headers=HEADERS)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert error["code"] == -32600
    assert "send a string or a whole number as id" in error["message"]


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        listening = Listening(tmp_path, "127.0.0.1", str(taken.getsockname()[1]))
        assert listening.child.stderr
        err = listening.child.stderr.read()
        assert listening.child.wait(timeout=60) == 3
        listening.end()
    assert "cannot listen on 127.0.0.1:" in listening.banner + err
    assert "Traceback" not in listening.banner + err


@pytest.mark.parametrize(
    ("host", "token", "reason"),
    [
        ("0.0.0.0", None, "set GROUNDWIRE_HTTP_TOKEN"),
        ("192.168.1.5", None, "set GROUNDWIRE_HTTP_TOKEN"),
        ("::", None, "set GROUNDWIRE_HTTP_TOKEN"),
        ("example.org", None, "set GROUNDWIRE_HTTP_TOKEN"),
        ("", None, "set GROUNDWIRE_HTTP_TOKEN"),
        ("0.0.0.0", "short", "too short"),
    ],
)
def test_a_reachable_address_needs_a_token(
    make_bench: Callable[..., Any], host: str, token: str | None, reason: str
) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        http_app(make_bench(http_token=token).server, host, 8000)


def test_addresses_are_told_apart() -> None:
    assert all(
        is_loopback(host) for host in ("127.0.0.1", "127.8.8.8", "localhost", "::1", "[::1]")
    )
    assert not any(is_loopback(host) for host in ("0.0.0.0", "10.0.0.1", "localhost.evil", ""))
    assert all(is_wildcard(host) for host in ("0.0.0.0", "::", "[::]", ""))
    assert not is_wildcard("127.0.0.1")


async def statuses(app: Any, cases: list[dict[str, str]]) -> list[int]:
    """Status per set of headers, from the application itself."""
    found: list[int] = []
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://x") as http:
            for headers in cases:
                sent = {**HEADERS, "authorization": f"Bearer {TOKEN}", **headers}
                found.append((await http.post("/mcp", json=HELLO, headers=sent)).status_code)
    return found


async def test_every_interface_takes_any_host_but_no_other_origin(
    make_bench: Callable[..., Any],
) -> None:
    server = make_bench(http_token=TOKEN).server
    app = http_app(server, "0.0.0.0", 8000)
    assert server.tokens.audience is None, "no name, so no signed token is for it"
    assert await statuses(
        app,
        [
            {"host": "10.1.2.3:8000"},
            {"host": "10.1.2.3:8000", "origin": "http://10.1.2.3:8000"},
            {"host": "10.1.2.3:8000", "origin": "http://evil.example"},
            {"host": "10.1.2.3:8000", "authorization": "Bearer wrong"},
        ],
    ) == [200, 200, 403, 401]


async def test_a_named_audience_is_the_host_to_ask_for(make_bench: Callable[..., Any]) -> None:
    server = make_bench(http_token=TOKEN).server
    app = http_app(server, "0.0.0.0", 8000, "https://wire.example/mcp")
    token = signed("ada", "https://wire.example/mcp")
    assert await statuses(
        app,
        [
            {"host": "wire.example"},
            {"host": "wire.example", "authorization": f"Bearer {token}"},
            {"host": "evil.example"},
        ],
    ) == [200, 200, 421]


async def test_a_short_token_signs_nothing(make_bench: Callable[..., Any]) -> None:
    short = "sixteen-bytes-ok"
    server = make_bench(http_token=short).server
    http_app(server, "10.0.0.1", 8000)
    claims = {"sub": "ada", "aud": "http://10.0.0.1:8000/mcp", "exp": int(time.time()) + 60}
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        token = jwt.encode(claims, short, algorithm="HS256")
    assert await server.tokens.verify_token(token) is None
    assert (await server.tokens.verify_token(short)).subject == "operator"


@pytest.mark.parametrize("audience", ["wire.example", "wire.example/mcp", "ftp://wire.example", ""])
def test_an_audience_that_is_no_url_is_refused(
    make_bench: Callable[..., Any], audience: str
) -> None:
    server = make_bench(http_token=TOKEN).server
    with pytest.raises(ConfigurationError, match="is no URL: send it as clients ask for it"):
        http_app(server, "127.0.0.1", 8000, audience)


def test_an_address_of_another_machine_is_told_apart_from_a_port_in_use(
    make_bench: Callable[..., Any],
) -> None:
    server = make_bench(http_token=TOKEN).server
    remedy = "--host has to be an address of this machine"
    with pytest.raises(ConfigurationError, match=remedy) as refused:
        run(server, "http", host="203.0.113.5", port=0)
    assert "--port" not in str(refused.value)
