"""Tokens of authorization servers: forty that are refused, those that are let in, and as whom."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from groundwire.config import HttpSettings, Settings
from groundwire.errors import ConfigurationError, UnavailableError
from groundwire.evidence import Ledger
from groundwire.serving import EvidenceTools, build_server
from groundwire.serving import issuers as issuers_module
from groundwire.serving.exposure import http_app
from groundwire.serving.handles import Handles
from groundwire.serving.issuers import Issuers

from .conftest import Other, Sample
from .test_http import HEADERS, MODERN

pytestmark = pytest.mark.anyio
AUDIENCE = "https://groundwire.example/mcp"
SECRET = "a-shared-secret-of-more-than-32-bytes"
RSA, OLD, STRANGE = (rsa.generate_private_key(65_537, 2_048) for _ in range(3))
CURVE = ec.generate_private_key(ec.SECP256R1())
EDWARDS = ed25519.Ed25519PrivateKey.generate()


def public_pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def listed(name: str, key: Any, algorithm: Any, **more: str) -> dict[str, Any]:
    made: dict[str, Any] = algorithm.to_jwk(key.public_key(), as_dict=True)
    return {**made, "kid": name, "use": "sig", **more}


class Login:
    """An authorization server on loopback: its metadata and its keys."""

    def __init__(self) -> None:
        self.keys = [
            listed("rsa", RSA, RSAAlgorithm),
            listed("curve", CURVE, ECAlgorithm),
            listed("edwards", EDWARDS, OKPAlgorithm),
            {**listed("box", OLD, RSAAlgorithm), "use": "enc"},
            {"kty": "oct", "kid": "shared", "k": base64.urlsafe_b64encode(b"k" * 32).decode()},
        ]
        self.asked = 0
        self.keys_at: str | None = None
        login = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                login.asked += 1
                tree: Any = {
                    "issuer": login.url,
                    "jwks_uri": login.keys_at or f"{login.url}/keys",
                }
                if self.path == "/keys":
                    tree = {"keys": login.keys}
                elif self.path != "/.well-known/oauth-authorization-server":
                    self.send_error(404)
                    return
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(tree).encode())

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture(scope="module")
def login() -> Iterator[Login]:
    made = Login()
    yield made
    made.server.shutdown()
    made.server.server_close()


def claims(login: Login, **changes: Any) -> dict[str, Any]:
    now = int(time.time())
    made = {
        "iss": login.url,
        "sub": "ada",
        "aud": AUDIENCE,
        "exp": now + 300,
        "scope": "read write",
    }
    return {name: value for name, value in (made | changes).items() if value is not None}


def signed(
    login: Login, key: Any = RSA, algorithm: str = "RS256", kid: str | None = "rsa", **changes: Any
) -> str:
    headers = changes.pop("headers", {}) | ({"kid": kid} if kid else {})
    return jwt.encode(claims(login, **changes), key, algorithm=algorithm, headers=headers)


def raw(head: dict[str, Any], body: dict[str, Any], seal: bytes = b"x") -> str:
    parts = (json.dumps(head).encode(), json.dumps(body).encode(), seal)
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def hmac_of_public_key(login: Login) -> str:
    """HS256 keyed by the published key: what a checker that takes any algorithm falls for."""
    import hashlib
    import hmac

    head, body, _ = raw({"alg": "HS256", "typ": "JWT", "kid": "rsa"}, claims(login)).split(".")
    seal = hmac.new(public_pem(RSA), f"{head}.{body}".encode(), hashlib.sha256).digest()
    return f"{head}.{body}.{base64.urlsafe_b64encode(seal).decode().rstrip('=')}"


def refused(login: Login) -> dict[str, str]:
    """Tokens that look right and must not be let in."""
    now = int(time.time())
    good = signed(login)
    head, body, seal = good.split(".")
    other = signed(login, sub="bob").split(".")
    return {
        "expired": signed(login, exp=now - 3_600),
        "expired just past the leeway": signed(login, exp=now - 60),
        "not yet valid": signed(login, nbf=now + 3_600),
        "issued in the future": signed(login, iat=now + 3_600),
        "no expiry": signed(login, exp=None),
        "expiry that is no number": raw({"alg": "RS256", "kid": "rsa"}, claims(login, exp="soon")),
        "wrong audience": signed(login, aud="https://other.example/mcp"),
        "audience of a prefix": signed(login, aud=AUDIENCE + "/more"),
        "audience in capitals": signed(login, aud=AUDIENCE.upper()),
        "list of other audiences": signed(login, aud=["https://a.example", "https://b.example"]),
        "no audience": signed(login, aud=None),
        "audience of the issuer": signed(login, aud=login.url),
        "wrong issuer": signed(login, iss="https://evil.example"),
        "issuer with a slash": signed(login, iss=login.url + "/"),
        "issuer with a path": signed(login, iss=login.url + "/realm"),
        "no issuer": signed(login, iss=None),
        "issuer that is a list": raw(
            {"alg": "RS256", "kid": "rsa"}, claims(login, iss=[login.url])
        ),
        "key of a stranger": signed(login, STRANGE),
        "key of a stranger by another name": signed(login, STRANGE, kid="strange"),
        "key without a name": signed(login, kid=None),
        "key for encryption": signed(login, OLD, kid="box"),
        "key of another kind by its name": signed(login, kid="curve"),
        "curve under the name of RSA": signed(login, CURVE, "ES256", kid="rsa"),
        "algorithm none": jwt.encode(claims(login), None, algorithm="none"),
        "algorithm None in capitals": raw({"alg": "NONE", "kid": "rsa"}, claims(login), b""),
        "algorithm left out": raw({"typ": "JWT", "kid": "rsa"}, claims(login)),
        "HS256 with the public key": hmac_of_public_key(login),
        "HS256 with a published octet key": jwt.encode(
            claims(login), b"k" * 32, algorithm="HS256", headers={"kid": "shared"}
        ),
        "HS256 with the name of the issuer": jwt.encode(
            claims(login), login.url.ljust(32, "x"), algorithm="HS256"
        ),
        "shared secret for another server": jwt.encode(
            claims(login, aud="https://other.example/mcp"), SECRET, algorithm="HS256"
        ),
        "key that the token brings": signed(
            login, STRANGE, kid="x", headers={"jwk": listed("x", STRANGE, RSAAlgorithm)}
        ),
        "keys that the token points at": signed(
            login, STRANGE, kid="x", headers={"jku": "https://evil.example/keys"}
        ),
        "extension that must be known": signed(login, headers={"crit": ["b64"], "b64": True}),
        "ID token": signed(login, headers={"typ": "id+jwt"}),
        "logout token": signed(login, headers={"typ": "logout+jwt"}),
        "signature cut": f"{head}.{body}.{seal[:-4]}",
        "no signature": f"{head}.{body}.",
        "signature of another": f"{head}.{body}.{other[2]}",
        "body of another": f"{head}.{other[1]}.{seal}",
        "four parts": f"{good}.{seal}",
        "no subject": signed(login, sub=None),
        "empty subject": signed(login, sub=""),
        "longer than any token": f"{head}.{body}{'A' * 20_000}.{seal}",
        "no JWT": "a.b.c",
    }


REFUSED = 44


@asynccontextmanager
async def serving(tmp_path: Path, login: Login, **http: Any) -> AsyncIterator[Callable[..., Any]]:
    """Post calls to a server that lets tokens of `login` in."""
    settings = Settings(
        home=tmp_path,
        http_token=SECRET,
        http=HttpSettings(audience=AUDIENCE, issuers=(login.url,), **http),
    )
    ledger = Ledger(tmp_path / "evidence.sqlite")
    handles = Handles(tmp_path / "handles.sqlite")
    server = build_server(
        "sample",
        [Sample(), Other(), EvidenceTools(ledger, handles)],
        settings=settings,
        handles=handles,
        ledger=ledger,
        title="Samples",
    )
    app = http_app(server, "127.0.0.1", 1)
    transport = httpx2.ASGITransport(app=app)
    base = "https://groundwire.example"
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url=base) as client,
    ):

        async def call(token: str | None, tool: str = "echo", **arguments: Any) -> Any:
            headers = HEADERS | {"mcp-protocol-version": "2026-07-28", "mcp-name": tool}
            headers |= {"mcp-method": "tools/call"}
            if token is not None:
                headers["authorization"] = f"Bearer {token}"
            params = {"name": tool, "arguments": arguments, "_meta": MODERN}
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            return await client.post("/mcp", json=body, headers=headers)

        call.client = client  # type: ignore[attr-defined]
        yield call
    server.close()


async def test_forty_tokens_are_refused_and_the_answer_says_where_to_get_one(
    tmp_path: Path, login: Login
) -> None:
    tokens = refused(login)
    assert len(tokens) == REFUSED
    async with serving(tmp_path, login, calls_per_minute=0) as call:
        let_in = {kind for kind, token in tokens.items() if (await call(token)).status_code != 401}
        assert let_in == set()
        answer = await call(None)
        assert answer.status_code == 401
        told = answer.headers["www-authenticate"]
        where = "https://groundwire.example/.well-known/oauth-protected-resource/mcp"
        assert f'resource_metadata="{where}"' in told
        metadata = (await call.client.get(where)).json()
        assert metadata["resource"] == AUDIENCE
        assert metadata["authorization_servers"] == [login.url]
        assert metadata["scopes_supported"] == ["read", "write", "admin"]


async def test_right_tokens_are_let_in_as_their_subject_at_their_issuer(
    tmp_path: Path, login: Login
) -> None:
    right = [
        signed(login),
        signed(login, headers={"typ": "at+jwt"}),
        signed(login, aud=["https://other.example", AUDIENCE]),
        signed(login, algorithm="PS256"),
        signed(login, CURVE, "ES256", kid="curve"),
        signed(login, EDWARDS, "EdDSA", kid="edwards"),
        jwt.encode(claims(login, iss=None), SECRET, algorithm="HS256"),
        SECRET,
    ]
    async with serving(tmp_path, login) as call:
        for token in right:
            assert (await call(token)).status_code == 200


async def test_scopes_decide_what_is_done(tmp_path: Path, login: Login) -> None:
    async with serving(tmp_path, login) as call:
        none = await call(signed(login, scope="profile"))
        assert none.status_code == 403
        assert 'error="insufficient_scope"' in none.headers["www-authenticate"]
        reader = signed(login, scope="read")
        assert (await call(reader)).status_code == 200
        refusal = (await call(reader, "remember", text="x")).json()["result"]
        assert (
            refusal["isError"] and "needs a token of scope write" in refusal["content"][0]["text"]
        )
        writer = signed(login, scope=None, scp=["write"])
        assert not (await call(writer, "remember", text="x")).json()["result"].get("isError")
        for token, status in ((None, 401), (reader, 403), (writer, 403), (SECRET, 200)):
            headers = {"authorization": f"Bearer {token}"} if token else {}
            got = await call.client.get("/metrics", headers=headers)
            assert got.status_code == status
        assert (await call.client.get("/metrics", headers={"authorization": f"Basic {SECRET}"})
                ).status_code == 401  # fmt: skip


async def test_the_handles_of_another_owner_are_unknown(tmp_path: Path, login: Login) -> None:
    async with serving(tmp_path, login) as call:
        found = (await call(signed(login), "find", filters={})).json()["result"]
        evidence_id = found["structuredContent"]["evidence_id"]
        own = await call(signed(login), "get_evidence", evidence_id=evidence_id)
        assert not own.json()["result"].get("isError")
        same_name = jwt.encode(claims(login, iss=None), SECRET, algorithm="HS256")
        for other in (signed(login, sub="bob"), same_name, SECRET):
            answer = (await call(other, "get_evidence", evidence_id=evidence_id)).json()["result"]
            assert answer["isError"] and "no evidence" in answer["content"][0]["text"]


async def test_keys_that_are_published_later_are_found_and_wrong_ones_ask_rarely(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = Login()
    new = rsa.generate_private_key(65_537, 2_048)
    issuers = Issuers([login.url])
    try:
        assert await issuers.claims(signed(login), AUDIENCE)
        asked = login.asked
        for _ in range(5):
            assert await issuers.claims(signed(login, STRANGE, kid="strange"), AUDIENCE) is None
        assert login.asked == asked
        login.keys = [listed("new", new, RSAAlgorithm)]
        monkeypatch.setattr(issuers_module, "_ASKED_AGAIN_SECONDS", -1.0)
        assert await issuers.claims(signed(login, new, kid="new"), AUDIENCE)
        assert await issuers.claims(signed(login), AUDIENCE) is None, "withdrawn with its key"
    finally:
        login.server.shutdown()
        login.server.server_close()
    monkeypatch.setattr(issuers_module, "_KEPT_SECONDS", -1.0)
    assert await issuers.claims(signed(login, new, kid="new"), AUDIENCE), "the issuer is away"


async def test_keys_may_lie_in_a_file(tmp_path: Path, login: Login) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": login.keys}), "utf-8")
    issuers = Issuers(["https://login.example"], [str(file)])
    token = signed(login, iss="https://login.example")
    assert (await issuers.claims(token, AUDIENCE) or {})["sub"] == "ada"
    assert await issuers.claims(signed(login), AUDIENCE) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "No such file or directory"),
        ("", "Expecting value"),
        ("[]", "it is no JSON object"),
        ("{}", "it holds no list of keys"),
    ],
)
async def test_why_keys_cannot_be_read_is_told(tmp_path: Path, text: str | None, why: str) -> None:
    file = tmp_path / "keys.json"
    if text is not None:
        file.write_text(text, "utf-8")
    with pytest.raises(UnavailableError, match=rf"https://login.example cannot be read \(.*{why}"):
        await Issuers(["https://login.example"], [str(file)]).look()


async def test_keys_at_an_unsafe_address_let_nobody_in(
    login: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login, "keys_at", "http://keys.example/keys")
    issuers = Issuers([login.url])
    assert await issuers.claims(signed(login), AUDIENCE) is None
    with pytest.raises(UnavailableError, match="no https URL"):
        await issuers.look()


@pytest.mark.parametrize(
    "url", ["http://login.example", "login.example", "ftp://x", "https://[", ""]
)
def test_issuers_are_https_urls(url: str) -> None:
    with pytest.raises(ConfigurationError, match="no https URL"):
        Issuers([url])


def test_places_of_keys_are_as_many_as_issuers() -> None:
    with pytest.raises(ConfigurationError, match="one for each"):
        Issuers(["https://a.example", "https://b.example"], ["https://a.example/keys"])
