"""The tool that hosts are offered for each agent, as the table `offer` of its `agent.toml` says.

A server reads this when it starts, so nothing of the runtime is imported here.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from groundwire.agents.folders import AGENTS, FILE, folders, toolset_of
from groundwire.config import read_toml, validated

_LAST = 100


class WhichPlan(BaseModel):
    """A plan that was computed."""

    model_config = ConfigDict(extra="forbid")

    journey_id: Annotated[str, Field(max_length=64)]
    journey_index: Annotated[int, Field(ge=0, le=999)] = 0
    plan_index: Annotated[int, Field(ge=0, le=99)] = 0


STRUCTURED: dict[str, type[BaseModel]] = {"plan": WhichPlan}
"""The models of what may stand beside an instruction, `input_structured`."""


class Offer(BaseModel):
    """An agent as a tool.

    Attributes:
        title: name for people.
        description: what a model is told of it.
        takes: a `question` of a user, whose conversation can go on; an `instruction` of another
            agent, which hosts may send as well; or a `task` of a learner, which has `inputs` beside
            the question and needs none.
        read_only: it changes nothing that its caller can see.
        changes_state: it changes what is kept between calls.
        writes_files: it writes files.
        structured: what stands beside an instruction, a key of `STRUCTURED`; None for nothing.
        inputs: of a task, the names of its arguments beside the question.
        place: where it is listed; those without one come last, by name.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    description: str
    takes: Literal["question", "instruction", "task"]
    read_only: bool
    changes_state: bool = False
    writes_files: bool = False
    structured: Literal["plan"] | None = None
    inputs: tuple[str, ...] = ()
    place: int = _LAST


def offers(toolset: str = AGENTS) -> dict[str, Offer]:
    """The tools of the agents of a toolset, by name, in the order in which they are listed.

    An agent whose file has no table `offer` is none of them.

    Raises:
        ConfigurationError: the file of an agent cannot be read, or its offer is not valid.
    """
    found: dict[str, Offer] = {}
    for name, folder in folders().items():
        if toolset_of(folder) == toolset:
            path = folder / FILE
            tree = read_toml(path, "agent", "reinstall groundwire")
            if "offer" in tree:
                found[name] = validated(Offer, tree["offer"], str(path), "offer")
    return dict(sorted(found.items(), key=lambda one: (one[1].place, one[0])))
