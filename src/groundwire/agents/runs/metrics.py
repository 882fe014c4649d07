"""Metrics of agents, from the runs that are kept: they outlive the process that ran them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from groundwire.agents.runs.store import DAYS_KEPT
from groundwire.agents.runtime.observability import AgentMetrics
from groundwire.agents.runtime.output import AgentOutput


def metrics_of(outputs: Iterable[tuple[str, AgentOutput]]) -> dict[str, Any]:
    """Return the metrics of runs that have ended, by agent, in the order of their names.

    Runs are kept for `DAYS_KEPT` days, so these are the days that are summed up.

    Args:
        outputs: agent and output of each run.
    """
    agents: dict[str, AgentMetrics] = {}
    for agent, output in outputs:
        agents.setdefault(agent, AgentMetrics()).record(output)
    return {"days": DAYS_KEPT, "agents": {name: agents[name].snapshot() for name in sorted(agents)}}
