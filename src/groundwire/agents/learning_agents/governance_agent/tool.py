"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Check quality",
    description=(
        "Quality of what is held: cards without proof, cards that fail again and again, "
        "reviews that a model rated, gaps of the graph."
    ),
    takes="task",
    read_only=True,
    inputs=("user_id", "deck_id"),
    place=10,
)
