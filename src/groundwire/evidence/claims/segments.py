"""A draft as passages: sentences, list items and table cells, and what stands over each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.evidence.claims.words import cue_tables, fold_word
from groundwire.language.ordinals import is_ordinal
from groundwire.language.text import is_shortened

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scope:
    """A region that says what a passage is about where the passage itself does not.

    Attributes:
        span: the region.
        hard: whether the passage must be read with it (the row of a cell, the parent of an
            item), or only may be (the sentence before).
        earlier: whether it is only a sentence before, whose properties are its own.
    """

    span: Span
    hard: bool
    earlier: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text that makes its claims together.

    Attributes:
        start: its first character, after any list marker.
        end: after its last.
        kind: sentence, item or cell.
        scopes: what stands over it, the nearest first.
        corner: the head of the first column, where it is a cell of another one.
    """

    start: int
    end: int
    kind: Literal["sentence", "item", "cell"]
    scopes: tuple[Scope, ...]
    corner: Span | None = None


_MARKER = re.compile(
    r"([ \t]*)(?:[-*+•·]|[0-9]{1,3}[.)、]|[(（][0-9]{1,3}[)）])[ \t]+|([ \t]*)[•·]"
)
_HEADING = re.compile(r" {0,3}#{1,6} |\*\*[^*\n]{1,100}\*\*:?\s*$|__[^_\n]{1,100}__:?\s*$")
_NAMING = frozenset[str](map(fold_word, cue_tables()["naming"]))
_FIELDS = frozenset[str](map(fold_word, cue_tables()["fields"]))
_RULE_ROW = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-{2,}+:?[ \t]*+(?:\|[ \t:|-]*+)?$")
_SENTENCE_END = re.compile(
    r"[.!?][\"”’)*_]{0,3}[ \t]+(?=[^a-z\s])|[.!?][)*_]{0,3}[ \t]+(?=[a-z])|[。！？][\"”’）*]{0,3}"
    r"|[.!?][\"”’)*_]{0,3}$"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|approx|ca|vs|etc|inc|ltd|corp|co|no|nr|dr|mr|mrs|st|fig|sec|u\.s|jan|feb|"
    r"mar|apr|jun|jul|aug|sept?|oct|nov|dec)|(?-i:\b[A-Z]))$",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|their|them|this|these|those|the (?:latter|former|same|asset|map|scenario|"
    r"trace|country|company|dataset|file))\b|[该其它此]",
    re.IGNORECASE,
)
_LEADS = (":", "：")
# A line that ends so is a sentence, and not the head of a list.
_CLOSING = frozenset(".!,;。！，；…")
_LONGEST = 1_000
_MOST_CELLS = 40


def split(text: str, kept: Sequence[Span]) -> list[Passage]:
    """Break a draft into passages, in order.

    Args:
        text: the draft.
        kept: spans that no passage may break, sorted: names, quantities, dates, IRIs.
    """
    return _Splitter(text, kept).run()


class _Splitter:
    def __init__(self, text: str, kept: Sequence[Span]) -> None:
        self.text = text
        self.inside = {p for start, end in kept for p in range(start, min(end, start + 200))}
        self.passages: list[Passage] = []
        self.headings: list[Span] = []
        self.lead: Span | None = None
        self.items: list[tuple[int, Span]] = []
        self.before: list[Span] = []

    def run(self) -> list[Passage]:
        lines = self._lines()
        i = 0
        while i < len(lines):
            start, end = lines[i]
            line = self.text[start:end]
            if not line.strip():
                self.before = []
            elif "|" in line and i + 1 < len(lines) and self._is_rule(lines[i + 1]):
                i = self._table(lines, i)
                continue
            elif _HEADING.match(line):
                self._heading(start, end, line)
            else:
                self._line(start, end, line)
                if _MARKER.match(line) is None and self._heads_list(line, lines[i + 1 :]):
                    self.lead = self.passages[-1].start, end
            i += 1
        return [piece for passage in self.passages for piece in self._pieces(passage)]

    def _pieces(self, passage: Passage) -> list[Passage]:
        """A passage cut where it is too long to be one sentence, at spaces where there are any."""
        pieces: list[Passage] = []
        while passage.end - passage.start > _LONGEST:
            cut = passage.start + _LONGEST
            reach = range(cut, max(passage.start + 1, cut - 200), -1)
            free = (p for p in reach if p not in self.inside or p - 1 not in self.inside)
            spaces = (p for p in reach if self.text[p - 1] == " " and p not in self.inside)
            cut = next(spaces, next(free, cut))
            pieces.append(replace(passage, end=cut))
            passage = replace(passage, start=cut)
        return [*pieces, passage]

    def _lines(self) -> list[Span]:
        lines: list[Span] = []
        position = 0
        for line in self.text.split("\n"):
            lines.append((position, position + len(line)))
            position += len(line) + 1
        return lines

    def _is_rule(self, span: Span) -> bool:
        return "-" in self.text[slice(*span)] and bool(_RULE_ROW.match(self.text[slice(*span)]))

    def _heading(self, start: int, end: int, line: str) -> None:
        self.items, self.before, self.lead = [], [], None
        level = len(line) - len(line.lstrip(" #")) if line.lstrip().startswith("#") else 9
        self.headings = [*self.headings[: max(0, level - 2)], (start, end)][-3:]
        self.passages.append(Passage(start, end, "item", ()))

    def _above(self, *, hard: bool) -> list[Scope]:
        above = [Scope(self.lead, hard)] if self.lead else []
        return above + [Scope(span, hard) for span in reversed(self.headings)]

    def _line(self, start: int, end: int, line: str) -> None:
        marker = _MARKER.match(line)
        if marker is None:
            if self.items and line[:1] not in (" ", "\t"):
                self.items = []
            self._sentences(start, end, "sentence", self._above(hard=False))
            return
        indent = len((marker[1] or marker[2] or "").expandtabs(4))
        self.items = [(depth, span) for depth, span in self.items if depth < indent]
        parents = [Scope(span, True) for _, span in reversed(self.items)]
        content = start + marker.end()
        self.items.append((indent, (content, end)))
        self.before = []
        self._sentences(content, end, "item", parents + self._above(hard=True))

    def _heads_list(self, line: str, below: Sequence[Span]) -> bool:
        """Whether a line leads what stands below it: by its colon, or since a list follows."""
        said = line.rstrip(" *_\t")
        if said.endswith(_LEADS):
            return True
        under = self.text[slice(*below[0])] if below else ""
        return said[-1:] not in _CLOSING and _MARKER.match(under) is not None

    def _sentences(
        self, start: int, end: int, kind: Literal["sentence", "item"], above: list[Scope]
    ) -> None:
        for first, last in self._cut(start, end):
            back = _POINTS_BACK.search(self.text, first, last) is not None or kind == "item"
            earlier = [Scope(span, back, True) for span in reversed(self.before[-3:])]
            self.passages.append(Passage(first, last, kind, (*earlier, *above)))
            self.before.append((first, last))

    def _cut(self, start: int, end: int) -> list[Span]:
        cuts: list[Span] = []
        first = start
        for match in _SENTENCE_END.finditer(self.text, start, end):
            if match.start() in self.inside and match.start() + 1 in self.inside:
                continue
            if match[0][0] == "." and match.end() < end and self._goes_on(first, match):
                continue
            cuts.append((first, match.end()))
            first = match.end()
        if self.text[first:end].strip():
            cuts.append((first, end))
        return cuts

    def _goes_on(self, first: int, match: re.Match[str]) -> bool:
        """Whether a full stop only shortens a word, or makes a number an ordinal."""
        before = self.text[max(first, match.start() - 24) : match.start()]
        in_name = match.start() - 1 in self.inside
        if is_ordinal(before, self.text[match.end() : match.end() + 24].lstrip()):
            return True
        is_small = self.text[match.end()].islower() and not in_name
        return bool(_ABBREVIATION.search(before)) or is_shortened(before, before_small=is_small)

    def _table(self, lines: list[Span], i: int) -> int:
        header = self._cells(lines[i])
        of_one = len(header) == len("kv") and self._field(header[0]) in _FIELDS
        named = [Scope((p.start, p.end), True) for p in self.passages[-1:] if of_one]
        above = self._above(hard=of_one)
        earlier = [Scope(span, False, True) for span in reversed(self.before[-2:])]
        for cell in header:
            self.passages.append(Passage(*cell, "cell", tuple(above)))
        i += 2
        while i < len(lines) and "|" in self.text[slice(*lines[i])]:
            cells = self._cells(lines[i])
            for column, cell in enumerate(cells):
                heads = [Scope(header[column], True)] if column < len(header) else []
                others = cells if len(cells) <= _MOST_CELLS else cells[:1]
                row = [Scope(other, True) for other in others if other != cell]
                scopes = (*row[:1], *heads, *row[1:], *named, *earlier, *above)
                corner = header[0] if column else None
                self.passages.append(Passage(*cell, "cell", scopes, corner))
            if len(cells) == len("kv") and self._field(cells[0]) in _NAMING:
                named = [Scope(cells[1], True)]  # the rows below tell of what this one names
            i += 1
        self.before, self.items = [], []
        return i

    def _field(self, cell: Span) -> str:
        return fold_word(self.text[slice(*cell)].strip(" *_:："))

    def _cells(self, line: Span) -> list[Span]:
        start, end = line
        raw = self.text[start:end]
        inner_start = start + len(raw) - len(raw.lstrip())
        inner_end = start + len(raw.rstrip())
        if self.text[inner_start:inner_end].startswith("|"):
            inner_start += 1
        if inner_end > inner_start and self.text[inner_end - 1] == "|":
            inner_end -= 1
        cells: list[Span] = []
        first = inner_start
        for position in range(inner_start, inner_end):
            if self.text[position] == "|" and self.text[position - 1] != "\\":
                cells.append((first, position))
                first = position + 1
        cells.append((first, inner_end))
        return cells
