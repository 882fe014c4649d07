"""The guard: the output of the tools is the answer; only the router interprets it."""

from __future__ import annotations

from groundwire.agents.journey_requests.outputs import OutputGuard


def build_guard() -> OutputGuard:
    """The guard of this agent."""
    return OutputGuard()
