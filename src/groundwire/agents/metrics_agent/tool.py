"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Answer from metrics by an agent",
    description="Answer a question about figures or documents, in English or Chinese, with "
    "sources.",
    takes="question",
    read_only=True,
    place=2,
)
