"""The changes that the maker of artefacts may make: the files that its prompt asks for."""

from __future__ import annotations

from groundwire.agents.journey_artefacts_agent.rules import tools_asked
from groundwire.agents.runtime.contract import Change

_NOT_ASKED = "The prompt asks for no such file ({}), so none was written."


def allows(change: Change) -> str | None:
    """Allow a map or a calendar file where the prompt names it."""
    if change.tool in tools_asked(change.question, change.variables):
        return None
    return _NOT_ASKED.format(change.tool)
