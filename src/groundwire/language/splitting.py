"""Where sentences, items of lists, cells of tables, headings, code and quoted lines stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from groundwire.language.lexicon import LANGUAGES, lexicon

SentenceKind = Literal["sentence", "item", "cell", "heading", "code", "quote"]


class Block(NamedTuple):
    """A part of a text that says something by itself, before its language is known."""

    start: int
    end: int
    kind: SentenceKind
    row: int = 0
    column: int = 0
    is_header: bool = False
    body: int = 0


class _Line(NamedTuple):
    start: int
    end: int
    row: int


_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_FENCE = re.compile(r"[ \t]{0,12}(?:```|~~~)")
_ITEM = re.compile(r"[ \t]{0,40}(?:[-*+•‣◦·–—]|\(?[0-9]{1,4}[.)]|[a-zA-Z][.)])[ \t]+")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_QUOTE = re.compile(r"[ \t]{0,12}>")
_RULE = re.compile(r"[ \t|:+=-]*+$")
_CELL = re.compile(r"(?:\\\||[^|])+")
_TAG_BOUND = re.compile(
    r"</?(?:li|p|div|tr|td|th|h[1-6]|br|hr|ul|ol|table|blockquote|pre|dt|dd)(?: [^<>]{0,500})?/?>",
    re.IGNORECASE,
)
_TAG_KINDS: dict[str, SentenceKind] = {"li": "item", "td": "cell", "th": "cell", "dd": "item"}
_STOP = re.compile(r"[.!?。！？；…][.!?。！？…]*[\"'”’»)\]）」』*_]*")
_FULL = frozenset("。！？；")
_UNIT_BEFORE = re.compile(r"[0-9][ \u00a0]?[a-z]$")
_NUMBER_BEFORE = re.compile(r"(?<![0-9.,])[0-9]{1,2}$")
# A short word before a full stop and a small letter may be an abbreviation that is not listed.
_SHORT_WORD = 4


@cache
def _abbreviations() -> frozenset[str]:
    """The abbreviations of all languages; a sentence's own is known only after it is cut."""
    return frozenset[str]().union(*(lexicon(name).rules.abbreviations for name in LANGUAGES))


@cache
def _ordinal_follows() -> tuple[str, ...]:
    follows = (lexicon(name).rules.ordinal_follows for name in LANGUAGES)
    return tuple(frozenset[str]().union(*follows))


def split_sentences(text: str) -> list[Block]:
    """Return the sentences, items, cells, headings, code and quoted lines of a text, in order.

    Every character except spaces lies in one of them.
    """
    return list(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    in_code = False
    prose: list[_Line] = []
    lines = [_Line(m.start(), m.end(), row) for row, m in enumerate(_LINE.finditer(text))]
    before: _Line | None = None
    for number, line in enumerate(lines):
        if before is not None and _is_rule_below(text, before, line, in_code):
            before = line
            continue
        kind: SentenceKind | None
        fence = _FENCE.match(text, line.start, line.end)
        kind = "code" if fence or in_code else _line_kind(text, before, line, bool(prose))
        is_new = before is not None and text.count("\n", before.end, line.start) > 1
        if kind is not None or is_new:
            yield from _prose(text, prose)
            prose = []
        if kind is None:
            prose.append(line)
        elif kind == "code":
            in_code = in_code != bool(fence)
            yield Block(line.start, line.end, "code", line.row, body=line.start)
        elif kind == "cell":
            after = lines[number + 1] if number + 1 < len(lines) else None
            yield from _cells(text, line, after)
        else:
            yield from _split(text, line.start, line.end, kind, line.row)
        before = line
    yield from _prose(text, prose)


def _is_rule_below(text: str, before: _Line, line: _Line, in_code: bool) -> bool:
    """Whether a line is the rule below the first row of a table, which holds it already."""
    return (
        not in_code
        and text.count("|", before.start, before.end) > 1
        and _is_rule(text, line)
        and not _is_rule(text, before)
    )


def _is_rule(text: str, line: _Line) -> bool:
    """Whether a line is made of bars and hyphens only."""
    ruled = _RULE.match(text, line.start, line.end)
    return ruled is not None and text.find("-", line.start, line.end) >= 0


def _line_kind(text: str, before: _Line | None, line: _Line, in_prose: bool) -> SentenceKind | None:
    if text.count("|", line.start, line.end) > 1:
        return "cell"
    if _HEADING.match(text, line.start, line.end):
        return "heading"
    if _QUOTE.match(text, line.start, line.end):
        return "quote"
    item = _ITEM.match(text, line.start, line.end)
    if item is None:
        return None
    # A line of prose may happen to begin with a figure: "the population is\n83. It ...".
    goes_on = (
        in_prose
        and before is not None
        and text.count("\n", before.end, line.start) < 2
        and text[before.end - 1] not in ":：."
        and item[0].strip("( \t.)") not in "1-*+•‣◦·–—"
    )
    return None if goes_on else "item"


def _cells(text: str, line: _Line, after: _Line | None) -> Iterator[Block]:
    """The cells of a row of a table; the last holds the bar, and the rule, that close the row."""
    is_header = after is not None and _is_rule(text, after)
    row_end = after.end if is_header and after is not None else line.end
    cells: list[tuple[int, re.Match[str]]] = []
    column = -1 if text[line.start : line.end].lstrip().startswith("|") else 0
    counted = line.start
    for match in _CELL.finditer(text, line.start, line.end):
        column += text.count("|", counted, match.start())
        counted = match.start()
        if match[0].strip():
            cells.append((column, match))
    start = line.start
    for number, (column, match) in enumerate(cells):
        end = row_end if number + 1 == len(cells) else match.end()
        yield Block(start, end, "cell", line.row, column, is_header, start)
        start = end
    if not cells:
        yield Block(start, row_end, "cell", line.row, 0, is_header, start)


def _prose(text: str, lines: list[_Line]) -> Iterator[Block]:
    if lines:
        yield from _split(text, lines[0].start, lines[-1].end, "sentence", lines[0].row)


def _split(text: str, start: int, end: int, kind: SentenceKind, row: int) -> Iterator[Block]:
    """The sentences of a paragraph, cut at the tags of HTML that begin a part of their own."""
    own = kind
    if "<" in text[start:end]:
        for match in _TAG_BOUND.finditer(text, start, end):
            yield from _stops(text, start, match.start(), own, row)
            start = match.start()
            name = match[0].strip("</>").split()[0].lower()
            closes = match[0].startswith("</")
            own = kind if closes else _TAG_KINDS.get(name, kind)
    yield from _stops(text, start, end, own, row)


_MARKERS: dict[SentenceKind, re.Pattern[str]] = {
    "item": _ITEM,
    "heading": _HEADING,
    "quote": _QUOTE,
}


def _stops(text: str, start: int, end: int, kind: SentenceKind, row: int) -> Iterator[Block]:
    pattern = _MARKERS.get(kind)
    marker = pattern.match(text, start, end) if pattern else None
    body = marker.end() if marker else start
    for match in _STOP.finditer(text, body, end):
        if match.end() < end and not _ends(text, match, start, end):
            continue
        if text[start : match.end()].strip():
            yield Block(start, match.end(), kind, row, body=body)
        start = body = match.end()
    if text[start:end].strip():
        yield Block(start, end, kind, row, body=body)


def _ends(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Whether a full stop within a paragraph ends a sentence."""
    if match[0][0] in _FULL:
        return True
    if not text[match.end()].isspace():
        return False
    if match[0][0] not in ".…":
        return True
    before = text[max(start, match.start() - 24) : match.start()]
    after = text[match.end() : match.end() + 24].lstrip()
    if _NUMBER_BEFORE.search(before) and (
        after[:1].islower() or after.lower().startswith(_ordinal_follows())
    ):
        return False
    return not is_shortened(before, before_small=after[:1].islower())


def is_shortened(before: str, *, before_small: bool) -> bool:
    """Whether the word that a text ends with is an abbreviation if a full stop follows it.

    Args:
        before: the text before the full stop.
        before_small: whether a small letter follows the full stop, as within a sentence.
    """
    word = _last_word(before)
    if _UNIT_BEFORE.search(before):
        return False  # "59 m."
    if word in _abbreviations() or (len(word) == 1 and word.isalpha()):
        return True
    is_code = before[-2:].isalpha() and before[-2:].isupper()
    return before_small and word.isalpha() and len(word) <= _SHORT_WORD and not is_code


def _last_word(text: str) -> str:
    """The word that a text ends with, folded, or "" where it ends with a space."""
    return "" if not text or text[-1].isspace() else text.split()[-1].lstrip("(\"'“„[").lower()
