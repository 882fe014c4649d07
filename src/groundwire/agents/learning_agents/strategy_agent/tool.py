"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Adjust the learning strategy",
    description=(
        "The learning policy in force, the work it brings, and the loadout that fits. "
        "Changes it only to what `context` names (loadout, desired_retention, "
        "new_per_day)."
    ),
    takes="task",
    read_only=False,
    changes_state=True,
    inputs=("user_id", "session_mode"),
    place=3,
)
