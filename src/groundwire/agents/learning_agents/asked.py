"""The input of the agents of learning, by the fields of the agent class specification."""

from __future__ import annotations

from typing import Any, Literal, cast

from pydantic import Field, model_validator

from groundwire.agents.runtime.context import AgentInput
from groundwire.agents.runtime.output import Frozen

SessionMode = Literal["exploration", "goal-driven", "exam", "synthesis"]
CardType = Literal["atomic", "cloze", "image_occlusion"]

MOST_CARDS = 50
"""Cards that one task may ask for."""

_CONSTRAINTS = {"max_time": "max_time_ms", "max_cost": "max_cost_usd"}


class TaskFields(Frozen):
    """The inputs that the specification names, each of which a task may do without."""

    user_id: str = Field(default="", max_length=200)
    deck_id: str = Field(default="", max_length=400)
    session_mode: SessionMode | None = None
    topic: str = Field(default="", max_length=400)
    card_type: CardType | None = None
    count: int | None = Field(default=None, ge=1, le=MOST_CARDS)


class Asked(AgentInput, TaskFields):
    """The request to an agent of learning; fields may also stand in `context`, by the same names.

    `constraints` takes `max_time` (milliseconds) and `max_cost` (dollars) as the specification
    calls them. A `user_id` names the run; what is read and kept is always the caller's own.
    """

    @model_validator(mode="before")
    @classmethod
    def _lifted(cls, sent: object) -> object:
        """Take the inputs out of the context, and the limits by their other names."""
        if not isinstance(sent, dict):
            return sent
        tree = dict(cast("dict[str, Any]", sent))
        beside: object = tree.get("context")
        if isinstance(beside, dict):
            context = dict(cast("dict[str, Any]", beside))
            for name in (*TaskFields.model_fields, "constraints"):
                if name in context:
                    tree[name] = tree.get(name) or context.pop(name)
                    context.pop(name, None)
            tree["context"] = context
        limits: object = tree.get("constraints")
        if isinstance(limits, dict):
            named = cast("dict[str, Any]", limits)
            tree["constraints"] = {_CONSTRAINTS.get(key, key): one for key, one in named.items()}
        return tree
