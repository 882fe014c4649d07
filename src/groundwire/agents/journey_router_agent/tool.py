"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Plan a day in London by an agent",
    description="Plan London journeys from plain words: several trips, preferences, map and "
    "calendar.",
    takes="question",
    read_only=False,
    place=4,
)
