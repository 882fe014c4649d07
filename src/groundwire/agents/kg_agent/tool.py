"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Answer from a knowledge graph by an agent",
    description="Answer a question from a knowledge graph, with links.",
    takes="question",
    read_only=True,
    place=3,
)
