"""Answers with an image beside them, and pages that hosts draw inline."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from groundwire.config import Settings
from groundwire.evidence.answers import Answer, Proven
from groundwire.serving import APP_PAGE, Grounded, Picture, Toolset, build_server, resource, tool

pytestmark = pytest.mark.anyio


class Drawn(Answer, Proven):
    pass


class Drawing(Toolset):
    name = "drawing"

    @tool(
        "Draw",
        read_only=True,
        idempotent=True,
        open_world=False,
        meta={"ui": {"resourceUri": "ui://sample/page"}},
    )
    async def draw(self) -> Grounded[Drawn]:
        """Draw something."""
        picture = Picture(b"\x89PNG", "image/png")
        return Grounded(Drawn(answer="Drawn."), None, (picture,), {"sample/svg": "<svg/>"})

    @resource("ui://sample/page", title="A page", mime_type=APP_PAGE)
    async def page(self) -> str:
        """The page that shows the drawing."""
        return "<!doctype html><title>Page</title>"


@pytest.fixture
async def client(make_bench: Any) -> Any:
    handles = make_bench().handles
    server = build_server(
        "drawing", [Drawing()], settings=Settings(home=Path("/nowhere")), handles=handles
    )
    async with Client(server) as client:
        yield client


async def test_a_picture_goes_beside_the_text(client: Client) -> None:
    result = await client.call_tool("draw", {})
    text, image = result.content
    assert (text.type, image.type, image.mime_type) == ("text", "image", "image/png")
    assert base64.b64decode(image.data) == b"\x89PNG"
    assert result.structured_content == {"answer": "Drawn."}
    assert result.meta is not None
    assert result.meta["sample/svg"] == "<svg/>"


async def test_a_page_is_offered_as_an_app(client: Client) -> None:
    (listed,) = (await client.list_resources()).resources
    assert (str(listed.uri), listed.mime_type) == ("ui://sample/page", APP_PAGE)
    assert listed.description == "The page that shows the drawing."
    read = await client.read_resource("ui://sample/page")
    assert read.contents[0].text == "<!doctype html><title>Page</title>"
    (declared,) = (await client.list_tools()).tools
    assert declared.meta == {"ui": {"resourceUri": "ui://sample/page"}}


async def test_servers_with_pages_say_so(client: Client, make_bench: Any) -> None:
    extensions = client.server_capabilities.extensions or {}
    assert "io.modelcontextprotocol/ui" in extensions
    async with make_bench().client() as plain:
        assert not plain.server_capabilities.extensions
