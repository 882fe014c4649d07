"""Reading what a text-only model writes: Thought, Action, Action Input, Final Answer.

The marks stand at the start of a line, in any case, perhaps in bold. What a model writes after an
action, an observation or a final answer among it, it has made up: nothing was called yet.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from groundwire.agents.runtime.errors import ParseFailure
from groundwire.agents.runtime.sent_json import problem_of

_MARK = re.compile(
    r"^[ \t>*_#]*(thought|action input|action|observation|final answer)[ \t*_]*[::][ \t*_]*",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = "```"
_NAME = re.compile(r"[\w.-]+")


_DECODER = json.JSONDecoder()
FORMAT_HELP = (
    "Write `Thought: ...`, then either `Action: tool_name` and on the next line "
    "`Action Input: {...}` with one JSON object, or `Final Answer: ...`."
)


@dataclass(frozen=True, slots=True)
class ParsedAction:
    """A call that a text asks for."""

    tool: str
    input: JsonValue


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """The parts of one response.

    Attributes:
        thought: what stands before action and answer.
        action: the call that it asks for, or None.
        done: whether it gives a final answer.
        result: the final answer: JSON if it is some, else its text.
    """

    thought: str
    action: ParsedAction | None = None
    done: bool = False
    result: JsonValue = None


def parse_response(content: str) -> ParsedResponse:
    """Read one response.

    Raises:
        ParseFailure: it has neither an action nor a final answer, or an action's input is not JSON;
            the message says what to write instead.
    """
    action = extract_action(content)
    thought = extract_thought(content)
    if action is not None:
        return ParsedResponse(thought, action)
    if any(mark == "final answer" for mark, _ in _sections(content)):
        return ParsedResponse(thought, done=True, result=extract_final_answer(content))
    if not content.strip():
        raise ParseFailure(f"The response is empty. {FORMAT_HELP}")
    raise ParseFailure(f"The response has no action and no final answer. {FORMAT_HELP}")


def extract_thought(content: str) -> str:
    """The text after "Thought:", up to the next mark; without one, what stands before any mark."""
    sections = _sections(content)
    for mark, text in sections:
        if mark == "thought":
            return text.strip()
    first = _MARK.search(content)
    return content[: first.start()].strip() if first else content.strip()


def extract_action(content: str) -> ParsedAction | None:
    """The first call that a text asks for, or None; a final answer before it means none.

    Raises:
        ParseFailure: the action does not name a tool, or its input is not JSON.
    """
    sections = _sections(content)
    for position, (mark, text) in enumerate(sections):
        if mark == "final answer":
            return None
        if mark != "action":
            continue
        name = _NAME.search(text)
        if name is None:
            raise ParseFailure(f"The action names no tool. {FORMAT_HELP}")
        following = sections[position + 1 : position + 2]
        if following and following[0][0] == "action input":
            return ParsedAction(name[0], _input(following[0][1]))
        # Some write the input behind the name: tool_name({"a": 1}) or tool_name {"a": 1}.
        rest = text[name.end() :].strip().removeprefix("(").removesuffix(")").strip(" `")
        return ParsedAction(name[0], _input(rest) if rest.startswith("{") else {})
    return None


def extract_final_answer(content: str) -> JsonValue:
    """Return what follows "Final Answer:": as JSON if it is some, else as text; None without it."""
    for mark in _MARK.finditer(content):
        if mark[1].lower() == "final answer":
            text = content[mark.end() :].strip()
            found = _json(text)
            return text if found is None else found
    return None


def _sections(content: str) -> list[tuple[str, str]]:
    """Marks in lower case with their texts, in order; a final answer runs to the end."""
    marks = list(_MARK.finditer(content))
    found: list[tuple[str, str]] = []
    for position, mark in enumerate(marks):
        name = mark[1].lower()
        last = name == "final answer" or position + 1 == len(marks)
        end = len(content) if last else marks[position + 1].start()
        found.append((name, content[mark.end() : end]))
        if name == "final answer":
            break
    return found


def _input(text: str) -> JsonValue:
    found = _json(text)
    if found is not None:
        return found
    if not text.strip() or text.strip().lower() in ("none", "null", "{}"):
        return {}
    raise ParseFailure(f"The action input is no JSON. {FORMAT_HELP}")


def _json(text: str) -> JsonValue | None:
    """The JSON that a text is, in a code fence or followed by other words; None if it is none."""
    body = _unfenced(text.strip()).strip().strip("`").strip()
    if not body or body[0] not in '{["-0123456789tfn':
        return None
    try:
        value, end = _DECODER.raw_decode(body)
    except (ValueError, RecursionError):
        return None
    if problem_of(value):
        return None
    rest = body[end:].strip()
    # A sentence may begin with a digit or a bracket; only an object may be followed by words.
    return cast("JsonValue", value) if not rest or body[0] == "{" else None


def _unfenced(text: str) -> str:
    """Return the content of the code fence that a text begins with; a text without one as it is."""
    first, line, rest = text.partition("\n")
    word = first.removeprefix(_FENCE).strip()
    opens = first.startswith(_FENCE) and (not word or word.isalpha())
    return rest.partition(_FENCE)[0] if opens and line and _FENCE in rest else text
