"""Which servers there are, where each is composed, and which hosts are known."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.config import Settings
    from groundwire.serving import GroundwireServer

SERVERS = ("ontology", "metrics", "sparql", "journeys", "agents", "all")
AGENTS = (
    "ontology_search_agent",
    "metrics_agent",
    "kg_agent",
    "journey_router_agent",
    "journey_preferences_agent",
    "journey_planner_agent",
    "journey_artefacts_agent",
)
HOSTS = (
    "claude-desktop",
    "claude-code",
    "vscode",
    "cursor",
    "codex",
    "opencode",
    "inspector",
)


def build(server: str, settings: Settings) -> GroundwireServer:
    """Compose a server.

    Raises:
        ConfigurationError: the settings contradict one another, or name an unknown tool.
    """
    make: Callable[[Settings], GroundwireServer] = import_module(
        f"groundwire.servers.{server}"
    ).build
    return make(settings)
