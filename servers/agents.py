"""The agents server: every agent as a tool, over the tools of the other four servers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from groundwire.config import Settings
from groundwire.servers.agent_tools import (
    LEARNING,
    AgentsTools,
    LearningAgentsTools,
    Subagents,
)
from groundwire.servers.composition import State, below, compose, state
from groundwire.serving import GroundwireServer, Toolset

if TYPE_CHECKING:
    from groundwire.agents.runs.desk import Desk
    from groundwire.agents.runtime.factory import AgentFactory
    from groundwire.agents.runtime.registry import ToolRegistry

RUNS_FILE = "runs.sqlite"


def build(settings: Settings) -> GroundwireServer:
    """The server `agents` as the settings describe it; the servers below wait for a question.

    Raises:
        ConfigurationError: the settings name an unknown tool.
    """
    shared = state(settings)
    made = cache(lambda: desk(settings, shared, lambda: servers_below(settings, shared)))
    toolsets = [agents_toolset(made, shared, with_runs=not of_learning_alone(settings))]
    if settings.toolsets or settings.tools:
        toolsets.append(learning_toolset(made, shared, with_runs=of_learning_alone(settings)))
    return compose("agents", toolsets, settings, title="Groundwire agents", shared=shared)


def toolset(
    settings: Settings, shared: State, servers: Callable[[], Sequence[GroundwireServer]]
) -> AgentsTools:
    """The toolset `agents` over some servers, which are made at the first question."""
    return agents_toolset(lambda: desk(settings, shared, servers), shared)


def of_learning_alone(settings: Settings) -> bool:
    """Whether of the agents only those of learning are asked for."""
    return LEARNING in settings.toolsets and AgentsTools.name not in settings.toolsets


def agents_toolset(
    made: Callable[[], Desk], shared: State, *, with_runs: bool = True
) -> AgentsTools:
    """The toolset `agents` at a desk."""
    return AgentsTools(made, remember=shared.ledger.remember, with_runs=with_runs)


def learning_toolset(
    made: Callable[[], Desk], shared: State, *, with_runs: bool = True
) -> LearningAgentsTools:
    """The toolset `learning_agents` at a desk."""
    return LearningAgentsTools(made, remember=shared.ledger.remember, with_runs=with_runs)


def desk(
    settings: Settings,
    shared: State,
    servers: Callable[[], Sequence[GroundwireServer]],
    log_level: int = logging.INFO,
) -> Desk:
    """The desk where agents are asked, above some servers.

    Args:
        settings: where the runs are kept, and which model thinks.
        shared: ledger and handles of the process.
        servers: makes the servers whose tools agents call, at the first question.
        log_level: what of the runs is logged to stderr, unless the settings say.
    """
    from groundwire.agents.runs.desk import Desk
    from groundwire.agents.runs.runs import Runs
    from groundwire.agents.runs.store import RunStore
    from groundwire.agents.runtime.factory import AgentFactory
    from groundwire.agents.runtime.observability import structured_logger

    def all_servers() -> Sequence[GroundwireServer]:
        return [*servers(), below("subagents", Subagents(lambda: made), settings, shared)]

    def factory(tools: ToolRegistry) -> AgentFactory:
        from groundwire.agents.models.choose import Chooser

        models = Chooser(settings.ai)
        return AgentFactory(
            tools,
            choose=models.choose,
            logger=structured_logger(settings.log_level.upper() or log_level),
            closing=models.aclose,
            ledger=shared.ledger,
        )

    runs = Runs(RunStore(settings.home / RUNS_FILE))
    made = Desk(
        runs,
        all_servers,
        factory,
        overrides=_overrides(settings),
        read_only=settings.read_only,
    )
    return made


def _overrides(settings: Settings) -> dict[str, Any]:
    """Return the settings of single agents that variables give."""
    from groundwire.agents.models.wishes import wishes_of

    if not settings.ai.max_agent_steps:
        return {}
    steps = wishes_of(settings.ai).max_agent_steps
    return {"ontology_search_agent": {"behavior": {"max_iterations": steps}}}


def servers_below(
    settings: Settings, shared: State, toolsets: Mapping[str, Toolset] | None = None
) -> list[GroundwireServer]:
    """The servers whose tools agents call.

    Args:
        settings: what they serve.
        shared: ledger and handles of the process.
        toolsets: those that this process has already, by name.

    Raises:
        ConfigurationError: what the settings name cannot be used.
    """
    from groundwire.servers import journeys, learning, metrics, ontology, sparql

    made: dict[str, Callable[[Settings], Toolset]] = {
        "ontology": ontology.toolset,
        "metrics": metrics.toolset,
        "sparql": sparql.toolset,
        "journeys": journeys.toolset,
        "learning": learning.toolset,
    }
    known = toolsets or {}
    return [
        below(name, known.get(name) or make(settings), settings, shared)
        for name, make in made.items()
    ]
