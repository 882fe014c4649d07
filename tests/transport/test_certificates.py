"""Encrypted connections: pinned to an address, and checked against the name."""

from __future__ import annotations

import asyncio
import datetime
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.errors import UnavailableError
from groundwire.transport.client import GuardedClient

NAME = "kg.example"
ADDRESS = "93.184.216.34"


class SecureServer:
    """Answers every request with `ok`; remembers which name was asked for in the handshake."""

    def __init__(self, folder: Path) -> None:
        self.certificate, key = write_certificate(folder, NAME)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self.names: list[str | None] = []
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.05)
        self.port: int = self._listener.getsockname()[1]
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join(5)
        self._listener.close()

    def _serve(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            connection.settimeout(2)
            try:
                with self._context.wrap_socket(connection, server_side=True) as secure:
                    secure.recv(65536)
                    secure.sendall(
                        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                    )
            except OSError:
                connection.close()


def write_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    x509 = pytest.importorskip("cryptography.x509", reason="the package cryptography is not here")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "cert.pem", folder / "key.pem"


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[SecureServer]:
    server = SecureServer(tmp_path)
    yield server
    server.close()


def fetch(url: str, context: ssl.SSLContext | None) -> bytes:
    async def run() -> bytes:
        client = GuardedClient(ssl_context=context)
        try:
            return (await client.request("GET", url, deadline=60.0)).body
        finally:
            await client.aclose()

    return asyncio.run(run())


def test_the_certificate_is_checked_against_the_name(secure, network) -> None:
    for name in (NAME, "evil.example"):
        network.names[name] = [[ADDRESS]]
    network.routes[(ADDRESS, 443)] = secure.port
    trusting = ssl.create_default_context(cafile=secure.certificate)
    assert fetch(f"https://{NAME}/", trusting) == b"ok"
    assert secure.names == [NAME]
    assert network.dialled == [(ADDRESS, 443)]
    with pytest.raises(UnavailableError, match="not valid for that name"):
        fetch("https://evil.example/", trusting)
    assert secure.names == [NAME, "evil.example"]


def test_an_unknown_authority_is_not_trusted(secure, network, monkeypatch) -> None:
    network.names[NAME] = [[ADDRESS]]
    network.routes[(ADDRESS, 443)] = secure.port
    # What the environment names as an authority is not trusted either.
    monkeypatch.setenv("SSL_CERT_FILE", str(secure.certificate))
    with pytest.raises(UnavailableError, match="certificate"):
        fetch(f"https://{NAME}/", None)


def test_https_is_not_left_by_a_redirect(secure, network, canary) -> None:
    from groundwire.errors import ForbiddenError
    from groundwire.transport.messages import prepare

    outgoing = prepare(
        "GET", "https://kg.example/", headers=None, params=None, content=None, data=None, auth=None
    )
    with pytest.raises(ForbiddenError, match="from https to http"):
        outgoing.redirected(302, "http://kg.example/")
    upgraded = prepare(
        "GET", "http://kg.example/", headers=None, params=None, content=None, data=None, auth="T"
    ).redirected(301, "https://kg.example/")
    assert "authorization" not in upgraded.headers
