"""Text as a terminal shows it best: Markdown with links spelled out, nothing that acts, colours."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager, redirect_stdout
from typing import Literal, TextIO, cast

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
