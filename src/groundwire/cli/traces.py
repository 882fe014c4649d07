"""The trace of an agent as a terminal shows it: a few lines a step, the steps of its agents within.

What a tool answered is its own sentence, with its status and its evidence; the whole answers are in
the output as JSON.
"""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, cast

_NARROWEST, _WIDEST = 60, 110
_MOST_LINES = 4
_INDENT = "   "
# What the runtime writes below an observation for the model.
_HINTS = ("Next: ", "Mind: ", "Source quality: ", "Later calls need: ")
_MOST_HINTS = 6
_DEEPEST = 3
Tree = Mapping[str, Any]


def terminal_width() -> int:
    """Columns to write in."""
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((100, 24)).columns))


def traced(reasoning: Tree, width: int, prefix: str = "") -> Iterator[str]:
    """The lines of a trace.

    Args:
        reasoning: `reasoning` of an output, as JSON.
        width: columns to write in.
        prefix: what stands before the numbers of the steps.
    """
    for step in cast("list[Tree]", reasoning.get("steps", [])):
        number = f"{prefix}{step['step']}."
        yield from _wrapped(str(step["thought"]), width, f"{number} ", " " * (len(number) + 1))
        action = step.get("action")
        if action is not None:
            yield from _called(action, width)
            yield from _answered(step, width, number)
        elif step.get("observation"):
            yield from _wrapped(step["observation"], width, f"{_INDENT}-> ", _INDENT * 2)
    if not prefix:
        yield ""
        yield from _wrapped(str(reasoning["decision"]), width, "Decision: ", _INDENT)
        for other in cast("list[Tree]", reasoning.get("alternatives", [])):
            yield from _wrapped(str(other["approach"]), width, "Not done: ", _INDENT)


def _called(action: Tree, width: int) -> Iterator[str]:
    """The call: on one line where it fits, else an argument a line."""
    sent = action.get("input")
    named = _tree(sent) or ({"input": sent} if sent else {})
    inline = ", ".join(f"{name}={_said(value)}" for name, value in named.items())
    line = f"{_INDENT}{action['tool']} {inline}".rstrip()
    if len(line) <= width and "\n" not in line:
        yield line
        return
    yield f"{_INDENT}{action['tool']}"
    for name, value in named.items():
        yield from _wrapped(_said(value), width, f"{_INDENT * 2}{name}: ", _INDENT * 3)


def _answered(step: Tree, width: int, number: str) -> Iterator[str]:
    """Yield what came of a call: status, evidence, sentence; the steps of an agent; the hints."""
    output = step["action"].get("output")
    answer, within = _tree(output), _tree(_tree(output).get("reasoning"))
    if within.get("steps") and number.count(".") < _DEEPEST:
        below = traced(within, width - len(_INDENT), number)
        yield from (f"{_INDENT}{line}" for line in below)
    yield from _wrapped(_outcome(step, output, answer), width, f"{_INDENT}-> ", _INDENT * 2)
    hints = [one for one in str(step.get("observation", "")).splitlines() if one.startswith(_HINTS)]
    for hint in hints[:_MOST_HINTS]:
        yield from _wrapped(hint, width, _INDENT * 2, _INDENT * 3)


def _outcome(step: Tree, output: object, answer: Tree) -> str:
    """An answer in a line: "found, ev_1: Revenue of ..."."""
    if "error" in answer and "answer" not in answer:
        return f"refused: {_tree(answer['error']).get('message', '')}"
    sentence = answer.get("answer")
    if not isinstance(sentence, str):
        return _said(output) if output is not None else str(step.get("observation", ""))
    marks = [answer.get("status"), answer.get("evidence_id") or _ids(answer)]
    told = ", ".join(str(one) for one in marks if one)
    return f"{told}: {sentence}" if told else sentence


def _tree(value: object) -> Tree:
    return cast("Tree", value) if isinstance(value, Mapping) else {}


def _ids(answer: Tree) -> str:
    return ", ".join(cast("list[str]", answer.get("evidence_ids") or []))


def _said(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    """A text in lines of the terminal; of a long one the first few."""
    return textwrap.wrap(
        " ".join(text.split()),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        max_lines=_MOST_LINES,
        placeholder=" ...",
        break_on_hyphens=False,
        break_long_words=False,
    )
