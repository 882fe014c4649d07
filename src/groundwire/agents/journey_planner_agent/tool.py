"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Plan journeys by an agent",
    description="Plan trips that plain words ask for; returns their journey_id and plans.",
    takes="instruction",
    read_only=False,
    place=6,
)
