"""An agent of mcp-use; what the model saw is kept as JSON.

python host_mcp_use.py ASKED SEEN

ASKED is what `groundwire config cursor` prints; SEEN is written.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from langchain_model import Follower
from mcp_use import MCPAgent, MCPClient


async def main(block: dict[str, Any]) -> list[str]:
    model = Follower(offered=[], seen=[])
    client = MCPClient(block)
    try:
        await MCPAgent(llm=model, client=client, max_steps=20).run("Follow the script.")
    finally:
        await client.close_all_sessions()
    return model.seen


asked, seen = map(Path, sys.argv[1:])
seen.write_text(json.dumps(asyncio.run(main(json.loads(asked.read_text("utf-8"))))), "utf-8")
