"""Files of answers over HTTP: links that expire in place of paths, and nothing of another's."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import jwt
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ResourceLink

from groundwire.config import HttpSettings, Settings
from groundwire.evidence.bundle import check_bundle
from groundwire.servers.all import build
from groundwire.serving import GroundwireServer
from groundwire.serving.exposure import http_app

pytestmark = pytest.mark.anyio

TOKEN = "a-token-of-more-than-thirty-two-bytes"
AUDIENCE = "https://groundwire.example/base/mcp"
RIDE = {"starting_point": "Euston", "destination": "Victoria", "time": "09:00"}
SETS = ("metrics", "sparql", "journeys", "agents")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def server(home: Path) -> Iterator[GroundwireServer]:
    settings = Settings(home=home, http_token=TOKEN, toolsets=SETS, tfl_base_url="offline")
    built = build(settings)
    yield built
    built.close()


class Caller:
    """One owner's client, with a browser beside it that has no token."""

    def __init__(self, client: Client, browser: httpx2.AsyncClient) -> None:
        self.client = client
        self.browser = browser

    async def call(self, name: str, **arguments: Any) -> CallToolResult:
        result = await self.client.call_tool(name, arguments)
        assert not result.is_error, result.content
        return result

    async def drawn(self) -> CallToolResult:
        computed = await self.call("compute_journey_plans", **RIDE)
        return await self.call(
            "draw_map_for_plan", journey_id=computed.structured_content["journey_id"]
        )

    async def fetched(self, url: str) -> httpx2.Response:
        return await self.browser.get(url.replace("https://groundwire.example/base", ""))


class Site:
    """A server behind a proxy that clients reach as groundwire.example."""

    def __init__(self, transport: httpx2.ASGITransport) -> None:
        self._transport = transport

    @asynccontextmanager
    async def caller(self, owner: str, era: str) -> AsyncIterator[Caller]:
        claims = {"sub": owner, "aud": AUDIENCE, "exp": int(time.time()) + 60}
        token = jwt.encode(claims, TOKEN, algorithm="HS256")
        base = "https://groundwire.example"
        async with (
            httpx2.AsyncClient(transport=self._transport, base_url=base) as browser,
            httpx2.AsyncClient(
                transport=self._transport,
                base_url=base,
                headers={"authorization": f"Bearer {token}"},
                timeout=60,
            ) as http,
            Client(streamable_http_client(f"{base}/mcp", http_client=http), mode=era) as client,
        ):
            yield Caller(client, browser)


@pytest.fixture
async def site(server: GroundwireServer) -> AsyncIterator[Site]:
    app = http_app(server, "127.0.0.1", 80, AUDIENCE)
    async with app.router.lifespan_context(app):
        yield Site(httpx2.ASGITransport(app))


def _bytes(read: Any) -> bytes:
    return base64.b64decode(read.contents[0].blob)


async def test_a_map_is_a_link_and_no_path(site: Site, home: Path, era: str) -> None:
    async with site.caller("ada", era) as ada:
        result = await ada.drawn()
        said = result.structured_content
        text = result.content[0].text
        assert json.loads(text) == said
        assert str(home) not in text and "path" not in said and "svg_path" not in said
        assert said["url"].startswith("https://groundwire.example/base/files/fi_")
        assert said["url"] in said["answer"]
        page = await ada.fetched(said["url"])
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        assert "Euston" in page.text and "inline" in page.headers["content-disposition"]
        assert "sandbox" in page.headers["content-security-policy"]
        assert page.headers["cache-control"] == "private, no-store"
        image = await ada.fetched(said["svg_url"])
        assert image.headers["content-type"].startswith("image/svg+xml")
        links = [one for one in result.content if isinstance(one, ResourceLink)]
        assert [one.mime_type for one in links] == ["text/html", "image/svg+xml"]
        read = await ada.client.read_resource(str(links[1].uri))
        assert _bytes(read) == image.content


async def test_a_link_is_of_its_owner_and_of_one_file(site: Site) -> None:
    async with site.caller("ada", "legacy") as ada, site.caller("bob", "legacy") as bob:
        result = await ada.drawn()
        links = [one for one in result.content if isinstance(one, ResourceLink)]
        with pytest.raises(MCPError, match="unknown or has expired"):
            await bob.client.read_resource(str(links[0].uri))
        url = result.structured_content["url"]
        handle = url.split("/")[-2]
        journey = "../../evidence.sqlite"
        for wrong in (
            f"/files/{handle}/other.html",
            f"/files/{handle}/..%2f..%2fevidence.sqlite",
            f"/files/{handle}/{journey}",
            f"/files/fi_0000000000000/{url.split('/')[-1]}",
            f"/files/{'x' * 5_000}/a.html",
            f"/files/{handle}",
            "/files/",
            "/files",
        ):
            assert (await ada.browser.get(wrong)).status_code == 404, wrong
        posted = await ada.browser.post(f"/files/{handle}/{url.split('/')[-1]}")
        assert posted.status_code == 405
        elsewhere = {"host": "evil.example"}
        assert (await ada.browser.get(f"/files/{handle}/x", headers=elsewhere)).status_code == 421


async def test_a_calendar_names_no_file_of_this_machine(site: Site, home: Path, era: str) -> None:
    async with site.caller("ada", era) as ada:
        computed = await ada.call("compute_journey_plans", **RIDE)
        which = {"journey_id": computed.structured_content["journey_id"]}
        await ada.call("draw_map_for_plan", **which)
        said = (await ada.call("create_ics_file_for_plan", **which)).structured_content
        assert "path" not in said and said["url"].endswith(".ics") and said["url"] in said["answer"]
        kept = await ada.fetched(said["url"])
        assert kept.text.replace("\r\n", "\n") == said["ics"].replace("\r\n", "\n")
        assert "file:" not in kept.text and str(home) not in kept.text
        assert kept.headers["content-disposition"].startswith("attachment")


async def test_exports_are_for_callers_elsewhere_too(site: Site, home: Path, era: str) -> None:
    query = {"query_language": "sql", "query_string": "SELECT 7 AS a", "export": "csv"}
    async with site.caller("ada", era) as ada, site.caller("bob", era) as bob:
        said = (await ada.call("execute_query", **query)).structured_content
        assert "export_path" not in said and str(home) not in json.dumps(said)
        assert (await ada.fetched(said["export_url"])).text.split() == ["a", "7"]
        await bob.call("execute_query", **query)
        folders = list((home / "exports/shared").iterdir())
        assert len(folders) == 2 and not any("ada" in one.name for one in folders)


async def test_what_an_agent_makes_is_a_link_too(site: Site, home: Path, era: str) -> None:
    async with site.caller("ada", era) as ada:
        asked = "Plan a trip from Euston to Victoria at 9 tomorrow and draw the map."
        result = await ada.call("journey_router_agent", question=asked)
        text = result.content[0].text
        assert "https://groundwire.example/base/files/fi_" in text, text
        assert str(home) not in text and "journeys/jo_" not in text
        url = text[text.index("https://groundwire.example/base/files/") :].split(".html")[0]
        assert (await ada.fetched(f"{url}.html")).status_code == 200


async def test_evidence_is_a_signed_bundle(site: Site, tmp_path: Path, era: str) -> None:
    sent = {"metric": "revenue", "entity": "Tolvarne Group", "period": "FY2024"}
    async with site.caller("ada", era) as ada, site.caller("bob", era) as bob:
        found = (await ada.call("query_metric", **sent)).structured_content
        result = await ada.call("get_evidence", evidence_id=found["evidence_id"])
        said = result.structured_content
        assert said["bundle"] == f"groundwire://evidence/{found['evidence_id']}"
        fetched = await ada.fetched(said["bundle_url"])
        target = tmp_path / "bundle.jsonl"
        target.write_bytes(fetched.content)
        assert check_bundle(target).ok and check_bundle(target).records == 1
        target.write_bytes(_bytes(await ada.client.read_resource(said["bundle"])))
        assert check_bundle(target).ok
        with pytest.raises(MCPError, match="no record"):
            await bob.client.read_resource(said["bundle"])
        for wrong in ("groundwire://evidence/ev_0000000000000", "groundwire://evidence/%2C"):
            with pytest.raises(MCPError):
                await ada.client.read_resource(wrong)


async def test_a_link_ends_and_so_does_its_file(home: Path) -> None:
    built = build(Settings(home=home, toolsets=("sparql",), http=HttpSettings(link_seconds=2)))
    app = http_app(built, "127.0.0.1", 80)
    query = {"query_language": "sql", "query_string": "SELECT 7 AS a", "export": "csv"}
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app)
        async with (
            httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http,
            Client(streamable_http_client("http://127.0.0.1/mcp", http_client=http)) as client,
        ):
            first = (await client.call_tool("execute_query", query)).structured_content
            assert first["export_url"].startswith("http://127.0.0.1/files/")
            assert (await http.get(first["export_url"])).status_code == 200
            await anyio.sleep(2.1)
            assert (await http.get(first["export_url"])).status_code == 404
            await client.call_tool("execute_query", query)
            assert len(list((home / "exports/shared").glob("*/*.csv"))) == 1
    built.close()


async def test_a_draft_may_hold_links_that_its_owner_was_given(site: Site, era: str) -> None:
    async with site.caller("ada", era) as ada, site.caller("bob", era) as bob:
        said = (await ada.drawn()).structured_content
        own = await ada.call("verify_answer", draft=said["answer"])
        assert own.structured_content["verdict"] == "supported"
        link = f"It is at {said['url']}."
        other = f"It is at {said['url'].replace('groundwire.example', 'evil.example')}."
        invented = f"It is at {said['url'].replace('/fi_', '/fi_0')}."
        for caller, draft, status in (
            (ada, link, "supported"),
            (ada, f"{link} Or [here]({said['svg_url']})!", "supported"),
            (bob, link, "unsupported"),
            (ada, other, "unsupported"),
            (ada, invented, "unsupported"),
        ):
            found = (await caller.call("verify_answer", draft=draft)).structured_content
            assert {one["status"] for one in found["claims"] if one["kind"] == "iri"} == {status}
