"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Ask guided questions",
    description=(
        "Guided questions about a card, with a deeper hint each turn (continue_run_id, "
        "the learner's words as question); never the back."
    ),
    takes="task",
    read_only=True,
    inputs=("user_id", "deck_id", "session_mode", "topic"),
    place=5,
)
