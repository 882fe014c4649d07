"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Find why answers fail",
    description=(
        "Why a learner's answers fail, by their reviews, with the step that helps; or "
        "what is missing to tell."
    ),
    takes="task",
    read_only=True,
    inputs=("user_id", "deck_id", "topic"),
    place=2,
)
