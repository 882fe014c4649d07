"""HTTP Digest (RFC 7616): the password is proved and never sent."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import pytest

from groundwire.errors import ForbiddenError
from groundwire.sparql.endpoint import Endpoint
from groundwire.transport.addresses import AddressPolicy
from groundwire.transport.client import GuardedClient
from groundwire.transport.messages import Digest, Response
from groundwire.transport.targets import RequestPolicy

USER, PASSWORD, REALM, NONCE = "reader", "geheim-1", "sparql", "c0ffee"
HASHES = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}


class Handler(BaseHTTPRequestHandler):
    challenges: tuple[str, ...] = ()
    seen: list[str]

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        sent = self.headers.get("Authorization", "")
        self.seen.append(sent)
        if self.is_right(sent):
            body = b"in"
            self.send_response(200)
        else:
            body = b"out"
            self.send_response(401)
            for challenge in self.challenges:
                self.send_header("WWW-Authenticate", challenge)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def is_right(self, sent: str) -> bool:
        """RFC 7616, section 3.4.1, computed here anew."""
        given = dict(re.findall(r'(\w+)="?([^",]*)"?', sent))
        if not sent.startswith("Digest ") or given.get("algorithm", "MD5") not in HASHES:
            return False

        def digest(text: str) -> str:
            return HASHES[given.get("algorithm", "MD5")](text.encode()).hexdigest()

        first = digest(f"{USER}:{REALM}:{PASSWORD}")
        second = digest(f"POST:{given['uri']}")
        middle = f"{NONCE}:{given['nc']}:{given['cnonce']}:{given['qop']}"
        return given["response"] == digest(f"{first}:{middle}:{second}")


@pytest.fixture
def server() -> Iterator[type[Handler]]:
    bound = type("Bound", (Handler,), {"seen": []})
    running = ThreadingHTTPServer(("127.0.0.1", 0), bound)
    bound.port = running.server_address[1]
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield bound
    running.shutdown()
    running.server_close()


def ask(port: int, auth: Any, *, named: bool = True) -> Response:
    async def run() -> Response:
        known = frozenset({f"127.0.0.1:{port}"}) if named else frozenset()
        client = GuardedClient(RequestPolicy(AddressPolicy(known)))
        try:
            url = f"http://127.0.0.1:{port}/sparql?a=b"
            return await client.request("POST", url, data={"query": "ASK {}"}, auth=auth)
        finally:
            await client.aclose()

    return anyio.run(run)


@pytest.mark.parametrize("challenges", [
    (f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth"',),
    (f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth,auth-int", algorithm=SHA-256',),
    ('Basic realm="x"', f'digest realm="{REALM}", nonce="{NONCE}", qop="auth", algorithm=MD5'),
    (f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth", algorithm=SHA-256',
     f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth", algorithm=MD5'),
])  # fmt: skip
def test_a_challenge_is_answered_without_the_password(
    server: Any, challenges: tuple[str, ...]
) -> None:
    server.challenges = challenges
    response = ask(server.port, Digest(USER, PASSWORD))
    assert (response.status, response.body) == (200, b"in")
    assert server.seen[0] == ""
    assert len(server.seen) == 2
    assert not any(PASSWORD in sent or sent.startswith("Basic") for sent in server.seen)


@pytest.mark.parametrize("challenge", [
    'Basic realm="x"', 'Digest realm="x"', "Digest", 'Digest realm="x", nonce="y", qop="auth-int"',
    'Digest realm="x", nonce="y", algorithm=ROT13', "",
])  # fmt: skip
def test_what_cannot_be_answered_stays_refused(server: Any, challenge: str) -> None:
    server.challenges = (challenge,)
    assert ask(server.port, Digest(USER, PASSWORD)).status == 401
    assert not any(sent.startswith("Basic") for sent in server.seen)


def test_a_wrong_password_is_tried_once(server: Any) -> None:
    server.challenges = (f'Digest realm="{REALM}", nonce="{NONCE}", qop="auth"',)
    assert ask(server.port, Digest(USER, "wrong")).status == 401
    assert len(server.seen) == 2


def test_over_plain_http_only_to_a_named_endpoint(server: Any) -> None:
    with pytest.raises(ForbiddenError):
        ask(server.port, Digest(USER, PASSWORD), named=False)
    assert server.seen == []


def test_the_registry_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("U", USER)
    monkeypatch.setenv("P", PASSWORD)
    named = Endpoint(
        name="a", url="https://e/sparql", username_env="U", password_env="P", digest=True
    )
    assert named.credentials() == Digest(USER, PASSWORD)
    assert isinstance(named.credentials(), Digest)
    with pytest.raises(ValueError, match="digest of b"):
        Endpoint(name="b", url="https://e/sparql", digest=True)
