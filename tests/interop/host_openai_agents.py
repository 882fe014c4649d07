"""An agent of openai-agents whose model follows the script; what the model saw is kept as JSON.

python host_openai_agents.py ASKED SEEN

ASKED is what `groundwire config cursor` prints; SEEN is written.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStdio
from host_script import STEPS, offered_as
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

steps = list(STEPS.values())


class Follower(Model):
    """The model: asks for the next step, keeps the results of those before."""

    seen: list[str]

    async def get_response(self, *arguments: Any, **named: Any) -> ModelResponse:
        given = dict(zip(("instructions", "input", "settings", "tools"), arguments, strict=False))
        given |= named
        said, tools = given["input"], given["tools"]
        items = [] if isinstance(said, str) else said
        self.seen = [
            item["output"]
            if isinstance(item["output"], str)
            else "\n".join(part["text"] for part in item["output"])
            for item in items
            if item.get("type") == "function_call_output"
        ]
        return ModelResponse([self._next([tool.name for tool in tools])], Usage(), None)

    def _next(self, offered: list[str]) -> Any:
        if len(self.seen) == len(steps):
            text = ResponseOutputText(
                text="The script is over.", type="output_text", annotations=[]
            )
            return ResponseOutputMessage(
                id="m", content=[text], role="assistant", status="completed", type="message"
            )
        step = steps[len(self.seen)]
        name = offered_as(step, offered)
        assert name, f"{step.tool} is not offered, but {offered}"
        return ResponseFunctionToolCall(
            call_id=f"call_{len(self.seen)}",
            name=name,
            arguments=json.dumps(step.arguments),
            type="function_call",
        )

    def stream_response(self, *arguments: Any, **named: Any) -> AsyncIterator[Any]:
        raise NotImplementedError("the script is not streamed")


async def main(servers: dict[str, Any]) -> list[str]:
    model = Follower()
    async with AsyncExitStack() as stack:
        connected = [
            await stack.enter_async_context(
                MCPServerStdio(
                    {"command": one["command"], "args": one["args"], "env": one["env"]},
                    name=server,
                    client_session_timeout_seconds=60,
                )
            )
            for server, one in servers.items()
        ]
        agent = Agent(
            "scripted",
            model=model,
            mcp_servers=connected,
            mcp_config={"include_server_in_tool_names": True},
        )
        await Runner.run(agent, "Follow the script.")
    return model.seen


set_tracing_disabled(True)
asked, seen = map(Path, sys.argv[1:])
servers = json.loads(asked.read_text("utf-8"))["mcpServers"]
seen.write_text(json.dumps(asyncio.run(main(servers))), "utf-8")
