"""The changes that the planner may make: it keeps the journeys that every prompt has computed."""

from __future__ import annotations

from groundwire.agents.runtime.contract import Change


def allows(change: Change) -> str | None:
    """Allow a journey to be computed: it is kept under a handle, and nothing else changes."""
    return None
