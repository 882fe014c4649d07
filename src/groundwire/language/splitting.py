"""Where sentences, items of lists, cells of tables, headings, code and quoted lines stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

SentenceKind = Literal["sentence", "item", "cell", "heading", "code", "quote"]


class Block(NamedTuple):
    """A part of a text that says something by itself, before its language is known."""

    start: int
    end: int
    kind: SentenceKind
    row: int = 0
    column: int = 0
    head: bool = False


class _Line(NamedTuple):
    start: int
    end: int
    row: int


_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_FENCE = re.compile(r"[ \t]{0,12}(?:```|~~~)")
_ITEM = re.compile(r"[ \t]{0,40}(?:[-*+•‣◦·–—]|\(?[0-9]{1,4}[.)]|[a-zA-Z][.)])[ \t]+")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_QUOTE = re.compile(r"[ \t]{0,12}>")
_RULE = re.compile(r"[ \t|:+=-]*-[ \t|:+=-]*$")
_CELL = re.compile(r"(?:\\\||[^|])+")
_TAG_BOUND = re.compile(
    r"</?(?:li|p|div|tr|td|th|h[1-6]|br|hr|ul|ol|table|blockquote|pre|dt|dd)(?: [^<>]{0,500})?/?>",
    re.IGNORECASE,
)
_TAG_KINDS: dict[str, SentenceKind] = {"li": "item", "td": "cell", "th": "cell", "dd": "item"}
_STOP = re.compile(r"[.!?。！？；…][.!?。！？…]*[\"'”’»)\]）」』*_]*")
_FULL = frozenset("。！？；")
_WORD_BEFORE = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*$")
_NUMBER_BEFORE = re.compile(r"(?<![0-9.,])[0-9]{1,2}$")
# An end of a sentence never follows these, in English or German.
_ABBREVIATIONS = frozenset(
    (
        "approx ca circa cf dr e.g eg etc fig i.e ie inc jr ltd mr mrs ms no nos nr prof st u.s u.k "
        "vs v z.b zb d.h bzw usw ggf evtl inkl abs art bd hr fr mio mrd tsd max min std jan feb mar "
        "apr jun jul aug sep sept oct okt nov dec dez mt ft u.a o.ä p.a q op vol pp bn mn est a.m p.m"
    ).split()
)
# A short word before a full stop and a small letter may be an abbreviation that is not listed.
_SHORT_WORD = 4
_AFTER_ORDINAL = re.compile(
    r"[ \t]+(?:jan|feb|mär|mae|apr|mai|jun|jul|aug|sep|okt|nov|dez|jahr|quartal|platz|stelle|rang"
    r"|halbjahr|[a-zäöü])",
)


def split_sentences(text: str) -> list[Block]:
    """Return the sentences, items, cells, headings, code and quoted lines of a text, in order.

    Every character that is no space lies in one of them.
    """
    return list(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    in_code = False
    prose: list[_Line] = []
    lines = [_Line(m.start(), m.end(), row) for row, m in enumerate(_LINE.finditer(text))]
    for number, line in enumerate(lines):
        gap = number and text.count("\n", lines[number - 1].end, line.start) > 1
        if _FENCE.match(text, line.start, line.end):
            yield from _prose(text, prose)
            prose = []
            in_code = not in_code
            yield Block(line.start, line.end, "code", line.row)
        elif in_code:
            yield Block(line.start, line.end, "code", line.row)
        elif kind := _line_kind(text, line):
            yield from _prose(text, prose)
            prose = []
            yield from _line_blocks(text, lines, number, kind)
        else:
            if gap:
                yield from _prose(text, prose)
                prose = []
            prose.append(line)
    yield from _prose(text, prose)


def _line_kind(text: str, line: _Line) -> SentenceKind | None:
    if text.count("|", line.start, line.end) > 1:
        return "cell"
    if _HEADING.match(text, line.start, line.end):
        return "heading"
    if _QUOTE.match(text, line.start, line.end):
        return "quote"
    if _ITEM.match(text, line.start, line.end):
        return "item"
    return None


def _line_blocks(text: str, lines: list[_Line], number: int, kind: SentenceKind) -> Iterator[Block]:
    line = lines[number]
    if kind != "cell":
        yield from _split(text, line.start, line.end, kind, line.row)
        return
    after = lines[number + 1] if number + 1 < len(lines) else None
    head = bool(after and _RULE.match(text, after.start, after.end))
    start = line.start
    column = 0
    for match in _CELL.finditer(text, line.start, line.end):
        is_last = text.find("|", match.end(), line.end) < 0
        end = line.end if is_last else match.end()
        if match[0].strip() or is_last:
            yield Block(start, end, "cell", line.row, column, head)
            start = end
        column += 1
    if start < line.end:
        yield Block(start, line.end, "cell", line.row, column, head)


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


def _stops(text: str, start: int, end: int, kind: SentenceKind, row: int) -> Iterator[Block]:
    marker = _ITEM.match(text, start, end)
    search = marker.end() if marker else start
    for match in _STOP.finditer(text, search, end):
        if match.end() < end and not _ends(text, match, start, end):
            continue
        if text[start : match.end()].strip():
            yield Block(start, match.end(), kind, row)
        start = match.end()
    if text[start:end].strip():
        yield Block(start, end, kind, row)


def _ends(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Whether a full stop within a paragraph ends a sentence."""
    if match[0][0] in _FULL:
        return True
    if not text[match.end()].isspace():
        return False
    if match[0][0] not in ".…":
        return True
    before = text[max(start, match.start() - 24) : match.start()]
    word = _WORD_BEFORE.search(before)
    if word and (word[0].lower() in _ABBREVIATIONS or len(word[0]) == 1):
        return False
    after = text[match.end() : match.end() + 24]
    if _NUMBER_BEFORE.search(before) and _AFTER_ORDINAL.match(after.lower()):
        return False
    following = after.lstrip()[:1]
    return not (following.islower() and word and len(word[0]) <= _SHORT_WORD)
