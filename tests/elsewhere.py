"""Calls of every domain where nothing of Linux is there; what came of them, as JSON.

python tests/elsewhere.py HOME

Off in this process and in its workers: locks (fcntl), limits (resource), poll, socket filters and
/proc.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp.client.stdio  # noqa: F401 - imports fcntl while it is there
from mcp import Client

FORCED_OFF = """
import select, sys, sysconfig
sysconfig.get_config_vars()
sys.modules["fcntl"] = sys.modules["resource"] = None
sys.platform = "elsewhere"
for name in ("poll", "epoll"):
    vars(select).pop(name, None)
"""
exec(FORCED_OFF)

from groundwire.cli.registry import build  # noqa: E402
from groundwire.config import Settings  # noqa: E402
from groundwire.evidence import Ledger  # noqa: E402
from groundwire.graph import pool  # noqa: E402
from groundwire.servers.composition import EVIDENCE_FILE  # noqa: E402

CALLS: dict[str, dict[str, Any]] = {
    "query_metric": {"metric": "population", "entity": "China", "period": "2010"},
    "query_metric_table": {"metrics": ["net_sales"], "by": ["channel"], "period": "2025"},
    "submit_slots": {"slots": {"domains": ["hdmap"], "filters": {"country": "DE"}}},
    "execute_query": {"query_language": "sparql", "query_string": "SELECT * {?s ?p ?o} LIMIT 3"},
    "compute_journey_plans": {"starting_point": "Euston", "destination": "Victoria"},
    "list_cards": {},
    "verify_answer": {"draft": "The population of China in 2010 was 1,337,705,000."},
}
SQL = {"query_language": "sql", "query_string": "SELECT 1 + 1 AS two", "endpoint": "sample"}

command = pool._command


def command_elsewhere(module: str) -> tuple[str, ...]:
    """The command of a child in which the same is off."""
    *start, code = command(module)
    return (*start, FORCED_OFF + code)


async def answers(home: Path) -> dict[str, Any]:
    server = build("all", Settings(home=home, tfl_base_url="offline", tools=tuple(CALLS)))
    said: dict[str, Any] = {}
    try:
        async with Client(server) as client:
            for tool, arguments in [*CALLS.items(), ("execute_query", SQL)]:
                result = await client.call_tool(tool, arguments)
                structured = result.structured_content or {}
                name = tool if tool not in said else f"{tool} again"
                said[name] = structured.get("answer") or result.content[0].text  # type: ignore[union-attr]
    finally:
        server.close()
    return said


pool._command = command_elsewhere  # type: ignore[assignment]
home = Path(sys.argv[1])
found = anyio.run(answers, home)
with Ledger(home / EVIDENCE_FILE) as ledger:
    found["chain"] = ledger.verify().ok
print(json.dumps(found))
