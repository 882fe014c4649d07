"""Replies that ask the same about something else, or take back what was said.

"and the Victoria?" after a question about lines, "what about Angel?" after one about a stop,
"forget that": none of them says by itself what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.asides import named_services
from groundwire.agents.journey_requests.fillers import content
from groundwire.agents.journey_requests.model import JourneyRequest, Question, Settings
from groundwire.agents.journey_requests.outputs import rows
from groundwire.agents.journey_requests.reading import ASK_WHERE, read_request
from groundwire.agents.journey_router_agent.understanding import Held, Understood
from groundwire.agents.runtime.context import Turn

NOTHING_SAID = f"Nothing was said before that could be forgotten. {ASK_WHERE}"
SET_ASIDE = "It is set aside. Say the next trip as a whole."

_LEAD = (
    r"(?:(?:and|also|ok(?:ay)?|then|so|now|what\s+about|how\s+about|what\s+of|same\s+for|"
    r"the\s+same\s+for|is|are|for|on)\b[\s,]*)+"
)
_TAIL = r"(?:[\s,]+(?:please|then|too|as\s+well|now|today|instead|thanks?))*[\s.!?]*"
_MORE = re.compile(rf"{_LEAD}(?P<what>[^,;.?!]{{1,60}}?){_TAIL}", re.IGNORECASE)
_SEVERAL = re.compile(rf"{_LEAD}(?P<what>[^;.?!]{{1,120}}?){_TAIL}", re.IGNORECASE)
_AT = re.compile(r"^(?:at|from|for|the\s+board\s+(?:at|of))\s+", re.IGNORECASE)
_JOINTS = re.compile(r"\b(?:lines?|the|and|or)\b|[,&/]", re.IGNORECASE)
_FORGET = re.compile(
    r"(?:(?:please|no|ok(?:ay)?|oh|actually|sorry|well|hm+|never\s*mind|can\s+you|could\s+you|just)\b[\s,]*)*"
    r"(?:(?:forget|scrap|drop|ignore|undo|cancel|take\s+back)\s+(?:about\s+)?"
    r"(?:all\s+)?(?:that|it|this|what\s+i\s+(?:just\s+)?said)(?:\s+(?:one|again))?|"
    rf"never\s*mind(?:\s+(?:that|it|about\s+(?:that|it)))?){_TAIL}",
    re.IGNORECASE,
)


def going_on(text: str, turns: Sequence[Turn], held: Held) -> Understood | None:
    """Return a reply's meaning by the turn before it; None where it is a request of its own."""
    said = " ".join(text.split())
    if _FORGET.fullmatch(said):
        return _forgotten(turns, held)
    question = _elsewhere(said, turns[-1].result) if turns else None
    if question is None:
        return None
    return Understood(JourneyRequest(questions=(question,)), held=held)


def _forgotten(turns: Sequence[Turn], held: Held) -> Understood:
    """The settings of the turn before taken back; else its trips are set aside."""
    if not turns:
        return Understood(JourneyRequest(), asks=NOTHING_SAID)
    settings = read_request(turns[-1].question).settings
    names = (*settings.places, *settings.options)
    if names:
        return Understood(JourneyRequest(settings=Settings({}, {}, names)), held=held)
    return Understood(JourneyRequest(), held=Held(), asks=SET_ASIDE, set_aside=True)


def _elsewhere(said: str, before: Mapping[str, JsonValue]) -> Question | None:
    """The question of the turn before, about other lines or another stop."""
    tools = [one.get("tool") for one in rows(before, "outputs")]
    if tools[-1:] == ["get_line_status"]:
        match = _SEVERAL.fullmatch(said)
        return _of_lines(match["what"]) if match else None
    if tools[-1:] == ["get_arrivals"]:
        match = _MORE.fullmatch(said)
        stop = _AT.sub("", match["what"]) if match else ""
        is_name = bool(content(stop)) and not any(named_services(stop))
        return Question("get_arrivals", {"stop": stop}) if is_name else None
    return None


def _of_lines(what: str) -> Question | None:
    """A question about lines and modes; None where other words stand beside them."""
    lines, modes = named_services(what)
    rest = what
    for name in sorted((*lines, *modes), key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", rest, flags=re.IGNORECASE)
    if not (lines or modes) or content(_JOINTS.sub(" ", rest)):
        return None
    named = {"lines": lines, "modes": modes}
    arguments = {key: cast("JsonValue", value) for key, value in named.items() if value}
    return Question("get_line_status", arguments)
