"""Every server at once on a fresh home, over and over: each first call is answered.

Six processes start together over stdio and get the first call of their demo, while nothing is
imported, built or indexed yet. A call that is refused, or that could not be recorded, is a miss.

Run: python tests/evals/first_start.py [--rounds 200]. Prints what was refused, and exits 1 for any.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

from groundwire.cli.hosts import command_of
from groundwire.cli.registry import SERVERS

PATIENCE = 300.0


async def first_call(server: str, home: Path, refused: list[str]) -> None:
    """Start one server and make its first call; tell into `refused` what went wrong."""
    exchange = import_module(f"groundwire.cli.demos.{server}").SCRIPT[0]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GROUNDWIRE_", "AI_", "LLM_", "TFL_"))
    }
    environment |= {"GROUNDWIRE_HOME": str(home), "TFL_BASE_URL": "offline"}
    command = command_of(server)
    process = StdioServerParameters(command=command[0], args=command[1:], env=environment)
    async with Client(process, read_timeout_seconds=PATIENCE) as client:
        result = await client.call_tool(exchange.tool, exchange.arguments)
    answer = result.structured_content or {}
    if result.is_error:
        said = " ".join(getattr(part, "text", "") for part in result.content)
        refused.append(f"{server}: {said}")
    elif "evidence_error" in answer:
        refused.append(f"{server}: not recorded: {answer['evidence_error']}")


async def together(home: Path) -> list[str]:
    """All servers at once on one home; what was refused."""
    refused: list[str] = []
    async with anyio.create_task_group() as group:
        for server in SERVERS:
            group.start_soon(first_call, server, home, refused)
    return refused


def rounds(count: int) -> list[str]:
    """So many fresh homes, one after the other; what was refused in any."""
    refused: list[str] = []
    for _ in range(count):
        with tempfile.TemporaryDirectory() as folder:
            refused += anyio.run(together, Path(folder) / "home")
    return refused


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    started = time.monotonic()
    refused = rounds(options.rounds)
    took = time.monotonic() - started
    for line, times in Counter(refused).most_common():
        print(f"{times} x {line}")
    print(
        f"{options.rounds} rounds of {len(SERVERS)} servers in {took:.0f} s: "
        f"{options.rounds * len(SERVERS) - len(refused):,} of {options.rounds * len(SERVERS):,} "
        "first calls answered"
    )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
