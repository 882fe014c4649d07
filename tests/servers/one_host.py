"""A host with one server in the tests' own process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client

from groundwire.serving import GroundwireServer


class OneHost:
    """Calls tools as a host does, and checks what is true of every answer and refusal."""

    def __init__(self, server: GroundwireServer) -> None:
        self.server = server

    @asynccontextmanager
    async def client(self, **rest: Any) -> AsyncIterator[Client]:
        async with Client(self.server, **rest) as client:
            yield client

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of an answer."""
        async with self.client() as client:
            result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        assert json.loads(result.content[0].text) == result.structured_content
        assert next(iter(result.structured_content)) == "answer"
        assert len(result.content[0].text) <= 20_000
        return result.structured_content

    async def refused(self, tool: str, /, **arguments: Any) -> str:
        """The line of a refusal."""
        async with self.client() as client:
            result = await client.call_tool(tool, arguments)
        assert result.is_error, result.content
        line: str = result.content[0].text
        assert "\n" not in line
        assert len(line) < 2_000
        assert "pydantic" not in line and "inside the server" not in line
        return line

    async def check_every_tool(self, calls: dict[str, dict[str, Any]]) -> None:
        """`calls` has every tool, and each of them answers by a sentence and without a null."""
        async with self.client() as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
        assert listed == set(calls)
        for name, arguments in calls.items():
            answer = await self.call(name, **arguments)
            assert answer["answer"].endswith((".", "?")), name
            assert None not in answer.values(), name
