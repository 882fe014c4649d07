"""Output on a terminal: Markdown as plain text, the trace of an agent, progress bars.

What a tool answered is its own sentence, with its status and its evidence; the whole answers are in
the output as JSON.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import Any, Literal, TextIO, cast

from groundwire.safe_text import safe_characters

_LINK = re.compile(r"(?<!\\)\[(?P<label>(?:\\.|[^\[\]\\])*)\]\((?P<url>[^()\s]*)\)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]<>|~#&$+=.()-])")
_CODE = re.compile(r"(`[^`\n]*`)")
Style = Literal["bold", "faint", "green", "yellow", "cyan"]
# Parameters of SGR, ECMA-48 8.3.117.
_STYLES: dict[Style, int] = {"bold": 1, "faint": 2, "green": 32, "yellow": 33, "cyan": 36}


def plain(markdown: str) -> str:
    """The text of Markdown that this project writes: links, escapes, and code within a line.

    A link is its label with the address in angle brackets; one that repeats the address of the
    link before it in its line is left out.
    """
    return "\n".join(_line(line) for line in markdown.split("\n"))


def _line(line: str) -> str:
    told: set[str] = set()

    def link(found: re.Match[str]) -> str:
        label, url = _unescaped(found["label"]), found["url"]
        if url in told and label == url:
            return ""
        told.add(url)
        return f"<{url}>" if label == url else f"{found['label']} <{url}>"

    parts = _CODE.split(line)
    # Every other part is code, which is shown as it is.
    parts[::2] = [_unescaped(_LINK.sub(link, part)) for part in parts[::2]]
    return "".join(parts).rstrip()


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)


class _SafeStream:
    """A stream that writes text without what would act on a terminal; all else is the stream's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(safe_characters(text))
        return len(text)

    def write_styled(self, text: str, style: Style) -> None:
        """Write text in a style, where the stream is a terminal that shows some."""
        shown = self._stream.isatty() and (os.name == "posix" or "WT_SESSION" in os.environ)
        if not shown or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            self.write(text)
            return
        self._stream.write(f"\x1b[{_STYLES[style]}m")
        self.write(text)
        self._stream.write("\x1b[0m")

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


@contextmanager
def safe_output() -> Generator[None]:
    """Have whatever is printed on stdout go out as safe characters."""
    with redirect_stdout(cast("TextIO", _SafeStream(sys.stdout))):
        yield


def write_styled(text: str, style: Style | None) -> None:
    """Write text on stdout, in a style where one is named and `safe_output` holds."""
    if style is not None and isinstance(sys.stdout, _SafeStream):
        sys.stdout.write_styled(text, style)
    else:
        sys.stdout.write(text)


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


@contextmanager
def bar(what: str) -> Generator[Callable[[int, int], None]]:
    """A bar that is told how much is done and how much there is; silent without a terminal."""
    with labelled_bar() as told:
        yield lambda done, total: told(what, done, total)


@contextmanager
def labelled_bar() -> Generator[Callable[[str, int, int], None]]:
    """A bar that is also told what is being done."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, TaskID] = {}

        def told(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total)

        yield told
