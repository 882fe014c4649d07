"""The changes that the keeper of preferences may make: those that its prompt asks for."""

from __future__ import annotations

from groundwire.agents.journey_requests.settings_calls import (
    ASK,
    NOTHING_CHANGED,
    exceeding,
    settings_call,
)
from groundwire.agents.runtime.contract import Change


def allows(change: Change) -> str | None:
    """Allow what the rules read in the prompt, and nothing beside it."""
    tool, asked = settings_call(change.question)
    beyond = exceeding(change.arguments, asked if tool == change.tool else {})
    return f"{NOTHING_CHANGED.format(', '.join(beyond))} {ASK}" if beyond else None
