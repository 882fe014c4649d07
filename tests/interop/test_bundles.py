"""Evidence fetched and checked by a stranger: the TypeScript SDK and node's own cryptography."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.interop.conftest import wait_for
from tests.interop.host_installs import CannotInstall, install_typescript_client

pytestmark = pytest.mark.interop

READER = Path(__file__).with_name("bundle_reader.mjs")
TOKEN = "a-token-of-more-than-thirty-two-bytes"
ASKED = [
    {
        "tool": "query_metric",
        "arguments": {"metric": "revenue", "entity": "Tolvarne Group", "period": period},
    }
    for period in ("FY2024", "FY2025")
] + [
    {
        "tool": "execute_query",
        "arguments": {"query_language": "sql", "query_string": "SELECT 'Zürich 蘇黎世' AS a"},
    }
]
SERVE = [sys.executable, "-m", "groundwire", "serve", "all", "--toolsets", "metrics,sparql"]


@pytest.fixture(scope="module")
def reader() -> Path:
    node = shutil.which("node")
    try:
        folder = install_typescript_client()
    except CannotInstall as error:
        pytest.skip(f"the TypeScript SDK cannot be installed: {error}")
    assert node
    # node finds packages beside the file that names them.
    return Path(shutil.copy(READER, folder / READER.name))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return os.environ | {"GROUNDWIRE_HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture(scope="module")
def url(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*SERVE, "--transport", "http", "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment | {"GROUNDWIRE_HTTP_TOKEN": TOKEN},
        )
    try:
        wait_for(port, server, log)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.wait(20)


def checked(reader: Path, environment: dict[str, str], address: Sequence[str]) -> dict[str, Any]:
    """What the stranger says of the evidence that it fetched."""
    done = subprocess.run(
        ["node", str(reader), json.dumps(ASKED), *address],
        capture_output=True,
        text=True,
        timeout=150,
        env=environment,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def holds(found: dict[str, Any]) -> None:
    """Check that the evidence is whole, is that of the answers, and cannot be changed."""
    answers = found["answers"]
    assert found["wrong"] is None, found["wrong"]
    assert found["ids"] == [one["evidence_id"] for one in answers]
    assert found["seals"] == [one["evidence_seal"] for one in answers]
    assert [answers[at]["value_text"] in found["values"][at] for at in (0, 1)] == [True, True]
    assert "Zürich 蘇黎世" in found["values"][2]
    assert found["tampered"]["found"] == found["tampered"]["made"] > 1_500
    assert "no record" in found["refused"]


def test_over_stdio(reader: Path, environment: dict[str, str]) -> None:
    found = checked(reader, environment, ["stdio", *SERVE])
    holds(found)
    assert found["linked"] is None


def test_over_http_and_by_its_link(reader: Path, environment: dict[str, str], url: str) -> None:
    found = checked(reader, environment, ["http", url, TOKEN])
    holds(found)
    assert found["linked"]["status"] == 200
    assert found["linked"]["wrong"] is None
    assert found["linked"]["fingerprint"] == found["fingerprint"]
