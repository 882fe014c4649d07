"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Write cards that quote a source",
    description=(
        "Cards on a topic, each proven by a quote of an imported document. Kept in "
        "deck_id; without one they are only checked."
    ),
    takes="task",
    read_only=False,
    changes_state=True,
    inputs=("user_id", "deck_id", "topic", "card_type", "count"),
    place=4,
)
