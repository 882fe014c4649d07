"""What hosts are offered of each agent: its tool, as the module `tool` of its folder declares it.

A server reads this when it starts, so nothing of the runtime is imported here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from groundwire.agents.folders import folders, found

if TYPE_CHECKING:
    from pydantic import BaseModel

_LAST = 100


@dataclass(frozen=True, slots=True)
class Offer:
    """An agent as a tool.

    Attributes:
        title: name for people.
        description: what a model is told of it.
        takes: a `question` of a user, whose conversation can go on, or an `instruction` of another
            agent, which hosts may send as well.
        read_only: it changes nothing that its caller can see.
        changes_state: it changes what is kept between calls.
        writes_files: it writes files.
        structured: what stands beside an instruction, `input_structured`; None for nothing.
        place: where it is listed; those without one come last, by name.
    """

    title: str
    description: str
    takes: Literal["question", "instruction"]
    read_only: bool
    changes_state: bool = False
    writes_files: bool = False
    structured: type[BaseModel] | None = None
    place: int = _LAST


def offers() -> dict[str, Offer]:
    """The tools of all agents that have one, by name, in the order in which they are listed."""
    declared = {name: cast("Offer | None", found(name, "tool", "OFFER")) for name in folders()}
    offered = {name: offer for name, offer in declared.items() if offer is not None}
    return dict(sorted(offered.items(), key=lambda one: (one[1].place, one[0])))
