"""`groundwire agents metrics`: what the kept runs of the agents took."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from groundwire.config import load_settings
from groundwire.state import shared_database

_COLUMNS = ("agent", "runs", "errors", "steps", "tokens", "cost_usd", "ms")


def metrics(arguments: argparse.Namespace) -> int:
    """Print runs, errors, steps, tokens, cost and time of each agent."""
    from groundwire.agents.runs.store import RunStore, metrics_of
    from groundwire.servers.agents import RUNS_FILE

    settings = load_settings()
    with RunStore(shared_database(settings) or settings.home / RUNS_FILE) as store:
        found = metrics_of(store.ended(arguments.owner))
    if arguments.json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
        return 0
    agents: dict[str, dict[str, Any]] = found["agents"]
    if not agents:
        sys.stdout.write(f"no run of the last {found['days']} days is kept\n")
        return 0
    lines = [_COLUMNS, *(_row(name, one) for name, one in agents.items())]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for first, *rest in lines:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        sys.stdout.write("  ".join([first.ljust(widths[0]), *cells]) + "\n")
    return 0


def _row(name: str, one: dict[str, Any]) -> tuple[str, ...]:
    """One agent as cells; steps and time are means of a run."""
    tokens = one["prompt_tokens"] + one["completion_tokens"]
    return (
        name,
        f"{one['executions']:,}",
        f"{sum(one['errors'].values()):,}",
        f"{one['average_steps']:.1f}",
        f"{tokens:,}",
        f"{one['total_cost_usd']:.4f}",
        f"{one['average_execution_time_ms']:,.0f}",
    )
