"""Folders of the server's machine are not told over HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp_types import CallToolResult, TextContent

from groundwire.config import Settings
from groundwire.serving.files import ServerFolders


@pytest.fixture
def folders() -> ServerFolders:
    return ServerFolders(
        Settings(home=Path("/srv/state"), profile=Path("/etc/gw/profile.toml"), shapes=("/d/s",))
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It is in /srv/state/journeys/1/map.html.", "It is in journeys/1/map.html."),
        ("/etc/gw/profile.toml:3: no such unit", "profile.toml:3: no such unit"),
        (f"{Path.home()}/secret.txt", "secret.txt"),
        ("/d/s cannot be read", "s cannot be read"),
        ("https://example.org/srv/state/x", "https://example.org/srv/state/x"),
        ("/srv/statement/x", "/srv/statement/x"),
        ("a / b", "a / b"),
    ],
)
def test_paths_begin_below_the_folder(folders: ServerFolders, text: str, told: str) -> None:
    assert folders.without(text) == told


def test_text_and_structure_stay_the_same(folders: ServerFolders) -> None:
    wire = {"answer": "Written.", "path": "/srv/state/a.ics"}
    content = [TextContent(type="text", text=json.dumps(wire))]
    shown = folders.hidden(CallToolResult(content=content, structured_content=wire))
    assert shown.structured_content == {"answer": "Written.", "path": "a.ics"}
    assert isinstance(shown.content[0], TextContent)
    assert json.loads(shown.content[0].text) == shown.structured_content


def test_the_view_of_an_app_stays_without_them_too(folders: ServerFolders) -> None:
    content = [TextContent(type="text", text="{}")]
    shown = folders.hidden(CallToolResult(content=content, _meta={"page": "<p>/srv/state/a</p>"}))
    assert shown.meta == {"page": "<p>a</p>"}
