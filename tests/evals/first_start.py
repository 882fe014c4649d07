"""Every server at once on a fresh home, over and over: each first call is answered.

Six processes start together over stdio and get the first call of their demo, while nothing is
imported, built or indexed yet. A call that is refused, or that could not be recorded, is a miss.

Run: python tests/evals/first_start.py [--fraction 0.1]. Prints what was refused, and exits 1 for
any. A whole run has 200 rounds of some six seconds each; a sample has its share of 50.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.cli.hosts import command_of  # noqa: E402
from groundwire.cli.registry import SERVERS  # noqa: E402
from tests.evals._report import arguments  # noqa: E402

PATIENCE = 300.0
ROUNDS, SAMPLED = 200, 20
TOLD_EVERY = 10


async def first_call(server: str, home: Path, refused: list[str]) -> None:
    """Start one server and make its first call; tell into `refused` what went wrong."""
    exchange = import_module(f"groundwire.cli.demos.{server}").SCRIPT[0]
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GROUNDWIRE_", "AI_", "LLM_", "TFL_"))
    }
    environment |= {
        "GROUNDWIRE_HOME": str(home),
        "GROUNDWIRE_LOG_LEVEL": "error",
        "TFL_BASE_URL": "offline",
    }
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
    """Start all servers at once on one home; return what was refused."""
    refused: list[str] = []
    async with anyio.create_task_group() as group:
        for server in SERVERS:
            group.start_soon(first_call, server, home, refused)
    return refused


def rounds(count: int) -> list[str]:
    """Start the servers on `count` fresh homes, one after the other; return all refusals."""
    refused: list[str] = []
    for number in range(1, count + 1):
        with tempfile.TemporaryDirectory() as folder:
            refused += anyio.run(together, Path(folder) / "home")
        if number % TOLD_EVERY == 0:
            print(f"{number} of {count} rounds, {len(refused)} refused", file=sys.stderr)
    return refused


def main() -> int:
    options = arguments(__doc__)
    count = ROUNDS if options.fraction == 1 else max(2, round(SAMPLED * options.fraction))
    started = time.monotonic()
    refused = rounds(count)
    took = time.monotonic() - started
    for line, times in Counter(refused).most_common():
        print(f"{times} x {line}")
    print(
        f"{count} rounds of {len(SERVERS)} servers in {took:.0f} s: "
        f"{count * len(SERVERS) - len(refused):,} of {count * len(SERVERS):,} "
        "first calls answered"
    )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
