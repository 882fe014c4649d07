"""Totals of the runs that ended in this process, for operators."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from groundwire.agents.runs.records import RunView
from groundwire.serving import Sample

_TOTALS = {
    "agent_runs": "Runs of agents that have ended, by how they ended.",
    "agent_tokens": "Tokens that runs of agents used.",
    "agent_cost_usd": "What runs of agents cost, as estimated, in US dollars.",
}


class Tally:
    """Runs, tokens and cost of each agent since the process began."""

    def __init__(self) -> None:
        self._totals: defaultdict[tuple[str, tuple[tuple[str, str], ...]], float]
        self._totals = defaultdict(float)

    def add(self, view: RunView) -> None:
        """Add a run that has ended."""
        agent = ("agent", view.asked.agent)
        self._totals["agent_runs", (agent, ("status", view.status))] += 1
        if view.output is None:
            return
        used = view.output.metadata
        tokens = used.token_usage
        self._totals["agent_tokens", (agent, ("kind", "prompt"))] += tokens.prompt_tokens
        self._totals["agent_tokens", (agent, ("kind", "completion"))] += tokens.completion_tokens
        self._totals["agent_cost_usd", (agent,)] += used.estimated_cost_usd or 0.0

    def samples(self) -> Iterator[Sample]:
        """Yield every total."""
        for (name, labels), value in sorted(self._totals.items()):
            yield Sample(name, _TOTALS[name], dict(labels), float(value))
