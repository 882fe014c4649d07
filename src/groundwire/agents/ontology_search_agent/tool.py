"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Search the catalogue by an agent",
    description="Find assets of the catalogue by a question in English or German.",
    takes="question",
    read_only=True,
    place=1,
)
