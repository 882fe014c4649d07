"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Draft cards from a document",
    description=(
        "What an imported document holds on a topic: passages, cloze cards of its "
        "definitions, names of concepts. Kept in deck_id, else only checked."
    ),
    takes="task",
    read_only=False,
    changes_state=True,
    inputs=("user_id", "deck_id", "topic", "card_type", "count"),
    place=7,
)
