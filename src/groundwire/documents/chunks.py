"""Paragraphs cut and gathered to chunks of one size, each an exact quotation with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from groundwire.documents.blocks import Block

CHUNK_CHARACTERS = 480
OVERLAP_CHARACTERS = 80

# Where a text may be cut, the best first: ends of sentences, of lines, of clauses, of words. An
# initial or a common abbreviation ends no sentence.
_CUTS = (
    re.compile(
        r"[。！？；…][”’」』）)]*"
        r"|(?<!\b[A-Za-z])(?<!\bNo)(?<!\bMr)(?<!\bDr)(?<!\bvs)(?<!\bMrs)(?<!\bInc)(?<!\bLtd)"
        r"(?<!\bapprox)[.!?][\"')\]”’]*(?=\s)"
    ),
    re.compile(r"\n"),
    re.compile(r"[，、：]|[,;:](?=\s)"),
    re.compile(r"\s"),
)
_LAST_COUNT = re.compile(r"(.*)(paragraph|listing|table) (\d+)")
_JOINT = "\n"


class Chunk(NamedTuple):
    """A passage: the text that a search finds and an answer quotes.

    Attributes:
        text: as it stands in the document; paragraphs that were gathered are lines of it.
        locator: where it stands.
        heading: the heading that it stands under, or "".
        start: where it begins in the paragraphs of the document, joined by line feeds.
    """

    text: str
    locator: str
    heading: str
    start: int


def chunks(blocks: Iterable[Block], longest: int = CHUNK_CHARACTERS) -> Iterator[Chunk]:
    """Cut and gather blocks to chunks, in order.

    Short paragraphs under one heading are gathered; a long one is cut, at the ends of sentences
    where there are any, and each part begins with the end of the one before, up to
    `OVERLAP_CHARACTERS` of it. No chunk goes across a heading.

    Args:
        blocks: the paragraphs, in reading order.
        longest: characters that a chunk may have.
    """
    position = 0
    for heading, section in groupby(blocks, key=_section):
        gathered: list[Block] = []
        start = length = 0
        for block in section:
            begins, position = position, position + len(block.text) + len(_JOINT)
            if gathered and length + len(_JOINT) + len(block.text) > longest:
                yield _gathered(gathered, start)
                gathered, length = [], 0
            if len(block.text) > longest:
                for place, part in _parts(block.text, longest):
                    yield Chunk(part, block.locator, heading[1], begins + place)
                continue
            start = start if gathered else begins
            length += len(block.text) + (len(_JOINT) if gathered else 0)
            gathered.append(block)
        if gathered:
            yield _gathered(gathered, start)


def _section(block: Block) -> tuple[str, str]:
    """Return the key of a section, its place without the last count; two of one heading differ."""
    found = _LAST_COUNT.fullmatch(block.locator)
    return found[1] if found else "", block.heading


def _gathered(blocks: list[Block], start: int) -> Chunk:
    text = _JOINT.join(block.text for block in blocks)
    return Chunk(text, _span(blocks[0].locator, blocks[-1].locator), blocks[0].heading, start)


def _span(first: str, last: str) -> str:
    """The place from one paragraph to another: "page 4, paragraphs 2 to 3"."""
    if first == last:
        return first
    start, end = _LAST_COUNT.fullmatch(first), _LAST_COUNT.fullmatch(last)
    if start and end and start[1] == end[1]:
        if start[2] == end[2]:
            return f"{start[1]}{start[2]}s {start[3]} to {end[3]}"
        return f"{first} to {end[2]} {end[3]}"
    return f"{first} to {last}"


def _parts(text: str, longest: int) -> Iterator[tuple[int, str]]:
    """A long text in parts that overlap, each with where it begins."""
    start = 0
    while len(text) - start > longest:
        end = _cut(text, start + longest // 2, start + longest)
        yield _stripped(text, start, end)
        start = _overlap(text, end)
    yield _stripped(text, start, len(text))


def _stripped(text: str, start: int, end: int) -> tuple[int, str]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), part.strip()


def _cut(text: str, least: int, most: int) -> int:
    """The best place to end a part, as late as possible."""
    for pattern in _CUTS:
        ends = [found.end() for found in pattern.finditer(text, least, most + 1)]
        ends = [end for end in ends if end <= most]
        if ends:
            return ends[-1]
    return most


def _overlap(text: str, end: int) -> int:
    """Where the part after a cut begins: at a sentence, clause or word shortly before the cut."""
    least = end - OVERLAP_CHARACTERS
    for pattern in _CUTS:
        starts = [found.end() for found in pattern.finditer(text, least, end)]
        starts = [start for start in starts if start < end and text[start:end].strip()]
        if starts:
            return starts[0]
    return least
