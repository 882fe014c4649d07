"""Which servers there are, where each is composed, and which hosts are known."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from groundwire.agents.folders import folders

if TYPE_CHECKING:
    from groundwire.config import Settings
    from groundwire.serving import GroundwireServer

SERVERS = ("ontology", "metrics", "sparql", "journeys", "learning", "agents", "all")
AGENTS = tuple(folders())
HOSTS = (
    "claude-desktop",
    "claude-code",
    "vscode",
    "cursor",
    "codex",
    "gemini",
    "opencode",
    "windsurf",
    "zed",
    "lm-studio",
    "goose",
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
