"""The client of fastmcp, which follows the script; what it was answered is kept as JSON.

python host_fastmcp.py ASKED SEEN

ASKED is what `groundwire config cursor` prints; SEEN is written.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from fastmcp import Client
from host_script import STEPS, offered_as


async def main(block: dict[str, Any]) -> list[str]:
    said: list[str] = []
    async with Client(block) as client:
        names = [tool.name for tool in await client.list_tools()]
        for step in STEPS.values():
            name = offered_as(step, names)
            assert name, f"{step.tool} is not offered, but {names}"
            found = await client.call_tool(name, step.arguments, raise_on_error=False)
            said.append("\n".join(part.text for part in found.content if part.type == "text"))
    return said


asked, seen = map(Path, sys.argv[1:])
seen.write_text(json.dumps(asyncio.run(main(json.loads(asked.read_text("utf-8"))))), "utf-8")
