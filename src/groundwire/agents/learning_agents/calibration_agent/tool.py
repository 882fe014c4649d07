"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Judge a learner's forecasts",
    description=(
        "How well a learner's forecasts and the schedule's came true: Brier score, "
        "calibration error, bins; or how much is missing."
    ),
    takes="task",
    read_only=True,
    inputs=("user_id", "deck_id", "topic"),
    place=6,
)
