"""Calls that would change something: made only where the user's own words ask for the change.

A tool changes something unless its server says that it is read-only. Between a model's action and
such a call stands the check of the agent, `allows` in the module `changes` of its folder; an agent
without one changes nothing. Evidence that a tool records does not count as a change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from groundwire.agents.runtime.context import Turn
from groundwire.agents.runtime.guards import ToolAnswer

NOT_ALLOWED = "This agent changes nothing, so the call was not made."


@dataclass(frozen=True, slots=True)
class Change:
    """A call that would change something, before it is made.

    Attributes:
        question: what the run was asked, in the user's own words.
        turns: what was said before, oldest first.
        tool: the tool that is to be called.
        arguments: what is to be sent.
        variables: values that came with the question.
        answers: what the tools of this run have answered, refusals among them.
    """

    question: str
    turns: Sequence[Turn]
    tool: str
    arguments: Mapping[str, JsonValue]
    variables: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    answers: Sequence[ToolAnswer] = ()


Allows = Callable[[Change], str | None]
"""None where the change was asked for, else the sentence that tells why the call is not made."""


def nothing_allowed(change: Change) -> str:
    """The check of an agent that brings none."""
    return NOT_ALLOWED
