"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Choose the next card",
    description=(
        "The next card of a session, what is due, and what should be learnt before. "
        "Records an answer that `context` holds (card_id, response)."
    ),
    takes="task",
    read_only=False,
    changes_state=True,
    inputs=("user_id", "deck_id", "session_mode", "topic", "count"),
    place=1,
)
