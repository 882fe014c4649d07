"""The tool that hosts are offered for each agent, as the module `tool` of its folder declares it.

A server reads this when it starts, so nothing of the runtime is imported here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from groundwire.agents.folders import AGENTS, folders, found, toolset_of

if TYPE_CHECKING:
    from pydantic import BaseModel

_LAST = 100


@dataclass(frozen=True, slots=True)
class Offer:
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
        structured: what stands beside an instruction, `input_structured`; None for nothing.
        inputs: of a task, the names of its arguments beside the question.
        place: where it is listed; those without one come last, by name.
    """

    title: str
    description: str
    takes: Literal["question", "instruction", "task"]
    read_only: bool
    changes_state: bool = False
    writes_files: bool = False
    structured: type[BaseModel] | None = None
    inputs: tuple[str, ...] = ()
    place: int = _LAST


def offers(toolset: str = AGENTS) -> dict[str, Offer]:
    """The tools of the agents of a toolset, by name, in the order in which they are listed."""
    declared = {
        name: cast("Offer | None", found(name, "tool", "OFFER"))
        for name, path in folders().items()
        if toolset_of(path) == toolset
    }
    offered = {name: offer for name, offer in declared.items() if offer is not None}
    return dict(sorted(offered.items(), key=lambda one: (one[1].place, one[0])))
