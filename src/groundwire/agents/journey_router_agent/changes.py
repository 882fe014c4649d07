"""The changes that the router may have made: those that the user's own words ask for."""

from __future__ import annotations

from groundwire.agents.journey_requests.asides import read_artefacts
from groundwire.agents.journey_requests.model import ArtefactKind, Artefacts
from groundwire.agents.journey_requests.prompts import sentence_of, settings_arguments, values_of
from groundwire.agents.journey_requests.settings_calls import (
    ASK,
    NOTHING_CHANGED,
    SET,
    exceeding,
    settings_call,
)
from groundwire.agents.journey_router_agent.carried_out import ARTEFACTS, PREFERENCES
from groundwire.agents.journey_router_agent.conversation import understood
from groundwire.agents.runtime.contract import Change
from groundwire.agents.runtime.model import Task

_NO_FILES = "The user did not ask for {}, so none was made."


def allows(change: Change) -> str | None:
    """Allow settings and files that the request itself asks for; planning is always allowed."""
    prompt = str(change.arguments.get("input_prompt", ""))
    asked = understood(Task(change.question, turns=tuple(change.turns)))
    if change.tool == PREFERENCES:
        tool, sent = settings_call(prompt)
        wanted = settings_arguments(asked.request.settings)
        beyond = exceeding(sent, wanted) if tool == SET else ()
        return f"{NOTHING_CHANGED.format(', '.join(beyond))} {ASK}" if beyond else None
    if change.tool == ARTEFACTS:
        kinds = (asked.request.artefacts or Artefacts(())).kinds
        beyond = [kind for kind in _kinds(prompt) if kind not in (*kinds, "text")]
        return _NO_FILES.format(" and ".join(beyond)) if beyond else None
    return None


def _kinds(prompt: str) -> tuple[ArtefactKind, ...]:
    """Return the kinds of artefacts that a prompt asks for, by its values and by its words."""
    listed = values_of(prompt).get("kinds")
    sent = {str(one) for one in listed} if isinstance(listed, list) else set[str]()
    said = read_artefacts(sentence_of(prompt)).artefacts or Artefacts(())
    kinds: tuple[ArtefactKind, ...] = ("map", "calendar", "text")
    return tuple(kind for kind in kinds if kind in sent or kind in said.kinds)
