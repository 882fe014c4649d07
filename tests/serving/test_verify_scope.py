"""Whose answers verify_answer looks at where no evidence ids are sent."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import jwt
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from groundwire.evidence import Draft, Ledger, Value
from groundwire.evidence.ledger import MOST_REMEMBERED

pytestmark = pytest.mark.anyio
SERVED = str(Path(__file__).with_name("served.py"))
DRAFT = "The page is 7."
TOKEN = "a-token-of-more-than-thirty-two-bytes"


@asynccontextmanager
async def host(home: Path) -> AsyncIterator[Client]:
    """A host with a process of its own over stdio."""
    environment = {"GROUNDWIRE_HOME": str(home)}
    served = StdioServerParameters(command=sys.executable, args=[SERVED, "stdio"], env=environment)
    async with Client(served) as client:
        yield client


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def test_two_hosts_on_one_state_folder_do_not_prove_each_others_figures(
    tmp_path: Path,
) -> None:
    async with host(tmp_path) as asking, host(tmp_path) as other:
        said = await called(asking, "whoami")
        mine = await called(asking, "verify_answer", draft=DRAFT)
        assert (mine["verdict"], mine["records_used"]) == ("supported", 1)
        theirs = await called(other, "verify_answer", draft=DRAFT)
        assert (theirs["verdict"], theirs["records_used"]) == ("unsupported", 0)
        assert "send the evidence_ids" in theirs["answer"]
        named = [said["evidence_id"]]
        told = await called(other, "verify_answer", draft=DRAFT, evidence_ids=named)
        assert told["verdict"] == "supported", "the owner may name a record of another connection"
        await called(other, "whoami")
        assert (await called(other, "verify_answer", draft=DRAFT))["records_used"] == 1


async def test_a_host_that_comes_again_names_the_records_of_its_earlier_process(
    tmp_path: Path,
) -> None:
    async with host(tmp_path) as before:
        said = await called(before, "whoami")
    async with host(tmp_path) as after:
        assert (await called(after, "verify_answer", draft=DRAFT))["records_used"] == 0
        ids = [said["evidence_id"]]
        assert (await called(after, "verify_answer", draft=DRAFT, evidence_ids=ids))[
            "verdict"
        ] == "supported"


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The URL of a server over HTTP that knows its owners by signed tokens."""
    child = subprocess.Popen(
        [sys.executable, SERVED, "http", "127.0.0.1", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"GROUNDWIRE_HOME": str(tmp_path), "GROUNDWIRE_HTTP_TOKEN": TOKEN},
        text=True,
    )
    assert child.stderr
    yield child.stderr.readline().rpartition(" ")[2].strip()
    child.kill()
    child.communicate()


async def test_over_http_it_looks_at_the_owners_answers_of_every_connection(
    url: str, era: str, tmp_path: Path
) -> None:
    async def asked(subject: str, tool: str, **arguments: Any) -> Any:
        claims = {"sub": subject, "aud": url, "exp": int(time.time()) + 600}
        bearer = {"authorization": f"Bearer {jwt.encode(claims, TOKEN, algorithm='HS256')}"}
        async with (
            httpx2.AsyncClient(headers=bearer, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http), mode=era) as client,
        ):
            return await called(client, tool, **arguments)

    await asked("ada", "whoami")
    hers = await asked("ada", "verify_answer", draft=DRAFT)
    assert (hers["verdict"], hers["records_used"]) == ("supported", 1)
    his = await asked("bob", "verify_answer", draft=DRAFT)
    assert (his["verdict"], his["records_used"]) == ("unsupported", 0)
    # Records that other processes wrote for him count, unless they are older than 30 minutes.
    for minutes in (31, 29):
        earlier = time.time() - 60 * minutes
        with Ledger(tmp_path / "evidence.sqlite", clock=lambda now=earlier: now) as ledger:
            ledger.record("user:bob", "whoami", {}, Draft(values=(Value("page", "7"),)))
    assert (await asked("bob", "verify_answer", draft=DRAFT))["records_used"] == 1


def test_the_last_answers_of_a_process_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "evidence.sqlite"
    with Ledger(path) as ledger, Ledger(path) as other:
        ids = [
            ledger.record("local", "find", {"n": at}, Draft(values=())).evidence_id
            for at in range(MOST_REMEMBERED + 3)
        ]
        other.record("local", "find", {}, Draft(values=()))
        remembered = [record.evidence_id for record in ledger.answered("local")]
        assert set(remembered) == set(ids[3:])
        assert ledger.answered("user:ada") == []
        ledger.remember((ids[0], "ev_nothing"))
        assert ids[0] in {record.evidence_id for record in ledger.answered("local")}
        assert len(other.answered("local")) == 1
