"""Reading a narrative document: text, Markdown, HTML, DOCX or PDF, as paragraphs in order."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from groundwire.documents.blocks import Block, Outline, Progress, Reading, clean, flowing
from groundwire.documents.bounds import decoded, read_bytes
from groundwire.documents.docx import read_docx
from groundwire.documents.html import read_html
from groundwire.documents.pdf import read_pdf
from groundwire.errors import InputError

__all__ = ["Block", "Reading", "read", "read_document"]


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*)|$)")
_HEADING_END = re.compile(r"(?:^|(?<=[ \t]))#+$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"(?<![ \t])[ \t]*(?:[-*+]|(?=\d{1,9}[.)][ \t]))[ \t]*(?=\S)")
_ITEM_START = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_QUOTE = re.compile(r"^(?: {0,3}> ?)++")
_TABLE_RULE = re.compile(
    r"[ \t]*+\|?+(?:[ \t]*+:?-++:?[ \t]*+\|)++(?:[ \t]*+:?-++:?)?+[ \t]*+\|?+[ \t]*+$"
)
# A comment, or a listing in which what looks like one is text.
_COMMENT_OR_CODE = re.compile(
    r"(?P<comment><!--.*?(?:-->|\Z))|^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)|\Z)",
    re.DOTALL | re.MULTILINE,
)
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_ -]{0,60}?)[ \t]{0,9}[:：][ \t]*(.*)$")
_SENSITIVITY = re.compile(r"^\W*sensitivity\b", re.IGNORECASE)

# Marks inside a line, in the order in which they are taken away. What they hold is bounded, so that
# a line of nothing but marks is read in time.
_INLINE = (
    (re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:[ \t]+\"[^\"]{0,400}\")?\)"), r"\1"),
    (re.compile(r"!?\[([^\[\]]+)\]\[[^\[\]]*\]"), r"\1"),
    (re.compile(r"<(https?://[^\s<>]+)>"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (re.compile(r"(?<!`)(`{1,9}+)(.{1,400}?)(?<!`)\1(?!`)"), r"\2"),
    (re.compile(r"(?<![\\*])(\*{1,3})(?![\s*])(.{1,400}?)(?<=[^\s\\])\1(?!\*)"), r"\2"),
    (re.compile(r"(?<![\w\\])(_{1,3})(?=\S)(.{1,400}?)(?<=[^\s\\])\1(?!\w)"), r"\2"),
    (re.compile(r"~~(?=\S)(.{1,400}?)(?<=\S)~~"), r"\1"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


def _read_markdown(path: Path, progress: Progress | None = None) -> Reading:
    """Read a Markdown file with its front matter.

    Raises:
        InputError: the front matter names a sensitivity in a way that cannot be read.
    """
    text = clean(decoded(read_bytes(path), path))
    front, text = _front_matter(text, path)
    reader = _Reader()
    for line in _without_comments(text).split("\n"):
        reader.take(line)
    reader.end()
    if progress is not None:
        progress(path.name, 1, 1)
    return Reading(tuple(reader.outline.blocks), front=front)


class _Reader:
    """Takes the lines in turn; a paragraph ends where another kind of line begins."""

    def __init__(self) -> None:
        self.outline = Outline()
        self._lines: list[str] = []
        self._fence = ""
        self._table = False

    def take(self, line: str) -> None:
        if self._fence:
            self._take_code(line)
        elif fence := _FENCE.match(line):
            self.end()
            self._fence = fence[1]
        elif heading := _HEADING.match(line):
            self.end()
            self.outline.heading(_plain(_HEADING_END.sub("", (heading[1] or "").rstrip())))
        elif self._lines and _UNDERLINE.match(line) and not self._table:
            title, self._lines = flowing(self._lines), []
            self.outline.heading(_plain(title))
        elif not line.strip() or _RULE.match(line):
            self.end()
        else:
            self._take_text(_QUOTE.sub("", line))

    def end(self) -> None:
        """Make a block of the lines that were taken so far."""
        lines, self._lines = self._lines, []
        table, self._table = self._table, False
        if self._fence:
            self._fence = ""
            self.outline.paragraph("\n".join(lines), "listing")
        elif table:
            rows = [_plain(line.strip().strip("|")) for line in lines]
            self.outline.paragraph("\n".join(rows[:1] + rows[2:]), "table")
        elif lines:
            self.outline.paragraph(_plain(flowing(lines)))

    def _take_code(self, line: str) -> None:
        mark = line.strip()
        if mark.startswith(self._fence) and not mark.strip(self._fence[0]):
            self.end()
        else:
            self._lines.append(line)

    def _take_text(self, line: str) -> None:
        if _ITEM_START.match(line):
            self.end()
            line = _ITEM.sub("", line, count=1)
        elif self._table and "|" not in line:
            self.end()
        self._lines.append(line)
        if len(self._lines) == 2 and "|" in self._lines[0] and _TABLE_RULE.match(line):
            self._table = True


def _plain(text: str) -> str:
    for mark, kept in _INLINE:
        text = mark.sub(kept, text)
    return text


def _without_comments(text: str) -> str:
    """Comments are not shown, so that they cannot be quoted; those in code are."""
    return _COMMENT_OR_CODE.sub(lambda found: "" if found["comment"] else found[0], text)


def _front_matter(text: str, path: Path) -> tuple[tuple[tuple[str, str], ...], str]:
    """The fields between two lines of `---` at the very start, and the text after them."""
    lines = text.lstrip("\ufeff").split("\n")
    if lines[0].rstrip() != "---":
        return (), text
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() in ("---", "...")), None)
    fields: dict[str, str] = {}
    for line in lines[1:end]:
        found = _FIELD.match(line)
        name = found[1].lower() if found else ""
        if _SENSITIVITY.match(line) and (end is None or name != "sensitivity" or name in fields):
            raise InputError(
                f"The front matter of {path.name} names its sensitivity in a way that cannot be "
                "read: write one line such as `sensitivity: INTERNAL` between two lines of ---"
            )
        if found:
            value = re.sub(r"(?:^|\s)#.*$", "", found[2]).strip()
            fields[name] = value.strip("'\"")
    if end is None:
        return (), text
    return tuple(fields.items()), "\n".join(lines[end + 1 :])


_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_ENDED = re.compile(r"[.!?:。！？：…]['\"”’」』）)]*$")


def _read_text(path: Path, progress: Progress | None = None) -> Reading:
    """Read a text file."""
    outline = Outline()
    text = clean(decoded(read_bytes(path), path)).strip("\n")
    for lines in _paragraphs(text):
        outline.paragraph(flowing(lines))
    if progress is not None:
        progress(path.name, 1, 1)
    return Reading(tuple(outline.blocks))


def _paragraphs(text: str) -> list[list[str]]:
    if _EMPTY_LINE.search(text):
        return [part.split("\n") for part in _EMPTY_LINE.split(text)]
    paragraphs: list[list[str]] = [[]]
    for line in text.split("\n"):
        paragraphs[-1].append(line)
        if _ENDED.search(line.rstrip()):
            paragraphs.append([])
    return paragraphs


_READERS: dict[str, Callable[[Path, Progress | None], Reading]] = {
    ".txt": _read_text,
    ".md": _read_markdown,
    ".markdown": _read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".docx": read_docx,
    ".pdf": read_pdf,
}


def read(path: Path, progress: Progress | None = None) -> Reading:
    """Read a document with what it says of itself and what could not be read of it.

    Args:
        path: the file; its ending says its format.
        progress: told of the name of the file, pages read, of how many.

    Raises:
        InputError: it is not there, broken, encrypted, without text, or of no known format.
        LimitError: it is too large.
        ConfigurationError: the package that reads its format is not installed.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"The document {path.name} is of no known format: use one of {', '.join(_READERS)}"
        )
    reading = reader(path, progress)
    if not reading.blocks:
        raise InputError(
            f"The document {path.name} holds no text: if its pages are pictures, "
            "run text recognition over them first"
        )
    return reading


def read_document(path: Path) -> list[Block]:
    """The paragraphs of a document in reading order; the errors are those of `read`."""
    return list(read(path).blocks)
