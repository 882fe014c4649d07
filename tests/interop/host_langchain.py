"""An agent of LangChain over langchain-mcp-adapters; what the model saw is kept as JSON.

python host_langchain.py ASKED SEEN

ASKED is what `groundwire config cursor` prints; SEEN is written.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_model import Follower


async def main(servers: dict[str, Any]) -> list[str]:
    connections: Any = {name: {**one, "transport": "stdio"} for name, one in servers.items()}
    tools = await MultiServerMCPClient(connections, tool_name_prefix=True).get_tools()
    model = Follower(offered=[], seen=[])
    await create_agent(model, tools).ainvoke({"messages": "Follow the script."})
    return model.seen


asked, seen = map(Path, sys.argv[1:])
servers = json.loads(asked.read_text("utf-8"))["mcpServers"]
seen.write_text(json.dumps(asyncio.run(main(servers))), "utf-8")
