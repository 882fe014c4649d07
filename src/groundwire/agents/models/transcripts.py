"""Conversations as one text, for models that read nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from groundwire.agents.models.turns import as_object, wanted_tool
from groundwire.agents.runtime.model import Message, Part, TextPart, ToolCallPart, ToolChoice


def transcript(messages: Sequence[Message], tool_choice: ToolChoice) -> str:
    """A conversation in turns, and what is to be written now.

    The marks between turns come from the content itself, so that nothing that a tool answered can
    pose as a turn of its own.
    """
    turns = [(message.role, _spoken(message.parts)) for message in messages]
    wanted = wanted_tool(tool_choice)
    end = f"\n\nYour next action has to be {wanted}." if wanted else ""
    if len(turns) == 1:
        return turns[0][1] + end
    mark = hashlib.sha256(json.dumps(turns).encode("utf-8")).hexdigest()[:12]
    told = "\n\n".join(f"--- {mark} {role}\n{text}" for role, text in turns)
    return (
        f"The conversation so far; lines that begin with --- {mark} say whose turn follows.\n\n"
        f"{told}\n\n--- {mark}\n"
        f"Write the next turn of the assistant, without such a line.{end}"
    )


def _spoken(parts: Sequence[Part]) -> str:
    return "\n".join(_text(part) for part in parts)


def _text(part: Part) -> str:
    if isinstance(part, TextPart):
        return part.text
    if isinstance(part, ToolCallPart):
        arguments = json.dumps(as_object(part.arguments), ensure_ascii=False)
        return f"Action: {part.name}\nAction Input: {arguments}"
    return f"Observation: {part.text}"
