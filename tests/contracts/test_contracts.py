"""The published tools, prompts and resources are contracts: snapshots show every change.

After a change on purpose: `python tests/contracts/test_contracts.py --update`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from mcp import Client

from groundwire.cli.registry import SERVERS, build
from groundwire.config import Settings

FOLDER = Path(__file__).parent
MAX_CHARACTERS = 20_000
MAX_TOOLS = 12


async def published(server: str, home: Path) -> dict[str, Any]:
    """What a host is told of a server."""
    built = build(server, Settings(home=home))
    try:
        async with Client(built) as client:
            tools = (await client.list_tools()).tools
            prompts = (await client.list_prompts()).prompts
            resources = (await client.list_resources()).resources
            templates = (await client.list_resource_templates()).resource_templates
            return {
                "instructions": built.instructions,
                "tools": [_plain(tool) for tool in tools],
                "prompts": [_plain(prompt) for prompt in prompts],
                "resources": [_plain(resource) for resource in resources],
                "resource_templates": [_plain(template) for template in templates],
            }
    finally:
        built.close()


def _plain(item: Any) -> dict[str, Any]:
    return item.model_dump(mode="json", by_alias=True, exclude_none=True)


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_publishes_what_its_snapshot_says(server: str, tmp_path: Path) -> None:
    snapshot = json.loads((FOLDER / f"{server}.json").read_text("utf-8"))
    assert anyio.run(published, server, tmp_path) == snapshot


@pytest.mark.parametrize("server", SERVERS)
def test_definitions_keep_to_their_budget(server: str, tmp_path: Path) -> None:
    tools = anyio.run(published, server, tmp_path)["tools"]
    text = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    assert len(text) <= MAX_CHARACTERS
    assert len(tools) <= MAX_TOOLS


@pytest.mark.parametrize("server", SERVERS)
def test_definitions_suit_every_host(server: str, tmp_path: Path) -> None:
    for tool in anyio.run(published, server, tmp_path)["tools"]:
        schema = tool["inputSchema"]
        assert schema["type"] == "object" and "anyOf" not in schema
        assert not {"const", "propertyNames", "oneOf"} & keywords(schema)
        assert '"title"' not in json.dumps(schema["properties"])
        assert "$ref" not in json.dumps(tool) and '"type": [' not in json.dumps(tool)
        assert tool["annotations"].keys() >= {"readOnlyHint", "idempotentHint", "openWorldHint"}


def keywords(node: Any) -> set[str]:
    """Every keyword of a schema; names of properties are none."""
    if isinstance(node, list):
        return {word for one in node for word in keywords(one)}
    if not isinstance(node, dict):
        return set()
    inner = [
        one
        for key, value in node.items()
        for one in (value.values() if key in ("properties", "$defs") else [value])
    ]
    return {*node, *(word for one in inner for word in keywords(one))}


if __name__ == "__main__" and "--update" in sys.argv:
    for name in SERVERS:
        with TemporaryDirectory() as folder:
            found = anyio.run(published, name, Path(folder))
        text = json.dumps(found, indent=2, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")
