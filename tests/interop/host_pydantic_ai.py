"""An agent of pydantic-ai whose model follows the script; what the model saw is kept as JSON.

python host_pydantic_ai.py ASKED SEEN

ASKED is what `groundwire config cursor` prints; SEEN is written.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from fastmcp.client.transports import StdioTransport
from host_script import STEPS, offered_as
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

steps = list(STEPS.values())


def results(messages: list[ModelMessage]) -> list[str]:
    """The results of the calls so far, as a model's adapter writes them into a request."""
    parts = [part for message in messages for part in message.parts]
    return [
        part.model_response_str() if isinstance(part, ToolReturnPart) else part.model_response()
        for part in parts
        if isinstance(part, ToolReturnPart | RetryPromptPart)
    ]


def follow(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    seen = results(messages)
    if len(seen) == len(steps):
        return ModelResponse([TextPart("The script is over.")])
    step = steps[len(seen)]
    name = offered_as(step, [tool.name for tool in info.function_tools])
    assert name, f"{step.tool} is not offered"
    return ModelResponse([ToolCallPart(name, step.arguments)])


async def main(servers: dict[str, Any]) -> list[str]:
    toolsets: list[Any] = [
        MCPToolset(StdioTransport(one["command"], one["args"], env=one["env"]), id=server).prefixed(
            server
        )
        for server, one in servers.items()
    ]
    agent = Agent(FunctionModel(follow), toolsets=toolsets)
    async with agent:
        run = await agent.run("Follow the script.")
    return results(run.all_messages())


asked, seen = map(Path, sys.argv[1:])
servers = json.loads(asked.read_text("utf-8"))["mcpServers"]
seen.write_text(json.dumps(asyncio.run(main(servers))), "utf-8")
