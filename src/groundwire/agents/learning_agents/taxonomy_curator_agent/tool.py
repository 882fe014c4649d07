"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Put concepts in order",
    description=(
        "Concepts with nearly the same name, checked as merges, names of two concepts as "
        "splits, and numbers about the graph. Changed only with `commit` in `context`."
    ),
    takes="task",
    read_only=False,
    changes_state=True,
    inputs=("user_id", "topic"),
    place=9,
)
