"""The agent as a tool."""

from __future__ import annotations

from groundwire.agents.offers import Offer

OFFER = Offer(
    title="Link concepts",
    description=(
        "Links of concepts that sentences of sources say, checked as one change; made "
        "only with `commit` or scope `shared` (a proposal) in `context`."
    ),
    takes="task",
    read_only=False,
    changes_state=True,
    inputs=("user_id", "topic"),
    place=8,
)
