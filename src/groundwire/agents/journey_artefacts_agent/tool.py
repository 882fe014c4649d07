"""The agent as a tool."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from groundwire.agents.offers import Offer


class WhichPlan(BaseModel):
    """A plan that was computed."""

    model_config = ConfigDict(extra="forbid")

    journey_id: Annotated[str, Field(max_length=64)]
    journey_index: Annotated[int, Field(ge=0, le=999)] = 0
    plan_index: Annotated[int, Field(ge=0, le=99)] = 0


OFFER = Offer(
    title="Make a map, calendar or text by an agent",
    description="Make the map, the calendar file or the text of a computed plan.",
    takes="instruction",
    read_only=False,
    writes_files=True,
    structured=WhichPlan,
    place=7,
)
