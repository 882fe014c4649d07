"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Set journey preferences by an agent",
    description="Set or tell the user's journey defaults and places, from plain words.",
    takes="instruction",
    read_only=False,
    changes_state=True,
    place=5,
)
