"""SQL with SPARQL in it, taken apart: `(SPARQL ...)` blocks, or one query after `SPARQL`.

Both languages are read by their own rules for strings, names and comments, so that no mark inside
one of them opens or closes a block. What is cut out goes through the gate of SPARQL, and what
stays through that of SQL: a text that somebody reads otherwise is a query that is refused.

Rules: the lexical structure of PostgreSQL's SQL, which DuckDB's parser shares; SPARQL 1.1 Query
Language, section 19.8.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.errors import InputError, LimitError

MAX_BLOCKS = 4
"""Blocks of one text."""

# What a query or an update begins with; `(sparql)` and `(sparql + 1)` are a column of that name.
_STARTS = (
    "SELECT|ASK|CONSTRUCT|DESCRIBE|PREFIX|BASE|DEFINE|VERSION"
    "|INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|COPY|MOVE|ADD|WITH|MODIFY"
)
# Comments before it are read so far and no farther, or a text full of them would take for ever.
_OPENING = re.compile(
    rf"SPARQL(?=(?>\s|\#[^\n\r]{{0,500}}+)++(?:{_STARTS})(?![A-Za-z0-9_]))", re.IGNORECASE
)
_SQL_SKIPPED = re.compile(
    r"""
    --[^\n]*
    | (?<![A-Za-z0-9_$])[eE]'(?:[^'\\]|''|\\.)*'
    | '(?:[^']|'')*'
    | "(?:[^"]|"")*"
    """,
    re.VERBOSE | re.DOTALL,
)
_SQL_DOLLARS = re.compile(r"(?<![A-Za-z0-9_$])\$(?:[^\W\d]\w*)?\$")
_SQL_COMMENT_MARK = re.compile(r"/\*|\*/")
_SQL_SPACE = re.compile(r"\s+")
_SPARQL_SKIPPED = re.compile(
    r'''
    \#[^\n\r]*
    | <[^<>"{}|^`\\\x00-\x20]*>
    | """(?:"{0,2}(?:[^"\\]|\\.))*"""
    | \'\'\'(?:'{0,2}(?:[^'\\]|\\.))*\'\'\'
    | "(?:[^"\\\n\r]|\\.)*"
    | '(?:[^'\\\n\r]|\\.)*'
    | \\.
    ''',
    re.VERBOSE | re.DOTALL,
)
_CODEPOINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
# A gate decodes these before it looks for strings and brackets.
_STRUCTURE = frozenset(map(ord, "()<>\"'\\#\r\n"))


class Block(NamedTuple):
    """One block.

    Attributes:
        text: the SPARQL in it.
        relation: the name under which the outer query finds its rows.
    """

    text: str
    relation: str


@dataclass(frozen=True, slots=True)
class Parts:
    """A text taken apart.

    Attributes:
        blocks: the blocks, in order; of a text that is SPARQL after its first word, that one.
        outer: the SQL around them, each block a subquery on its relation; "" where there is none.
    """

    blocks: tuple[Block, ...]
    outer: str


def split(text: str) -> Parts:
    """Take a text apart.

    Raises:
        InputError: a string, comment or block does not end, or none begins.
        LimitError: there are more than MAX_BLOCKS.
    """
    whole = _whole(text)
    if whole is not None:
        return Parts((Block(whole, ""),), "")
    stem = _unused(text)
    blocks: list[Block] = []
    outer: list[str] = []
    position = kept = 0
    while position < len(text):
        skipped = _skipped(text, position)
        if skipped > position:
            position = skipped
            continue
        start = _block_start(text, position) if text[position] == "(" else None
        if start is None:
            position += 1
            continue
        if len(blocks) == MAX_BLOCKS:
            raise LimitError(f"There are more than {MAX_BLOCKS} SPARQL blocks: join them in one.")
        end = _block_end(text, start, len(blocks) + 1)
        relation = f"{stem}_{len(blocks) + 1}"
        blocks.append(Block(_checked(text[start:end].strip(), len(blocks) + 1), relation))
        outer += (text[kept:position], f"(FROM {relation})")
        position = kept = end + 1
    if not blocks:
        raise InputError(
            "There is no SPARQL in this SQL: write (SPARQL SELECT ...) AS name where a table may"
            " stand, or send it as sql."
        )
    return Parts(tuple(blocks), "".join((*outer, text[kept:])))


def _whole(text: str) -> str | None:
    """The query of a text that is SPARQL after that word, which is how Virtuoso's tools send it."""
    start = _without_space(text, 0)
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    query = text[opening.end() :].strip()
    # Command lines end a statement so.
    return _checked(query.removesuffix(";").rstrip(), 1)


def _block_start(text: str, bracket: int) -> int | None:
    """Where the SPARQL of a block begins, if the bracket opens one."""
    opening = _OPENING.match(text, _without_space(text, bracket + 1))
    return None if opening is None else opening.end()


def _without_space(text: str, position: int) -> int:
    """The first place from `position` that is neither space nor a comment of SQL."""
    while position < len(text):
        space = _SQL_SPACE.match(text, position)
        if space is not None:
            position = space.end()
        elif text.startswith(("--", "/*"), position):
            position = _skipped(text, position)
        else:
            break
    return position


def _skipped(text: str, position: int) -> int:
    """The place after the string, quoted name or comment of SQL that begins here, or `position`.

    Raises:
        InputError: it does not end.
    """
    if text.startswith("/*", position):
        return _comment_end(text, position)
    match = _SQL_SKIPPED.match(text, position)
    if match is not None:
        return match.end()
    dollars = _SQL_DOLLARS.match(text, position)
    if dollars is not None:
        closing = text.find(dollars.group(), dollars.end())
        if closing >= 0:
            return closing + len(dollars.group())
    if dollars is not None or text[position] in "'\"":
        raise InputError("A string or quoted name in the SQL does not end: close it.")
    return position


def _comment_end(text: str, position: int) -> int:
    """The place after a comment, which may hold others."""
    depth = 0
    for mark in _SQL_COMMENT_MARK.finditer(text, position):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    raise InputError("A comment in the SQL does not end: close it.")


def _block_end(text: str, position: int, number: int) -> int:
    """The bracket that closes a block, read by the rules of SPARQL."""
    depth = 1
    while position < len(text):
        match = _SPARQL_SKIPPED.match(text, position)
        if match is not None:
            position = match.end()
            continue
        character = text[position]
        if character in "'\"":
            raise InputError(f"A string in SPARQL block {number} does not end: close it.")
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return position
        position += 1
    raise InputError(f"SPARQL block {number} does not end: close its bracket.")


def _checked(query: str, number: int) -> str:
    """A query whose escapes hide none of the marks that it was cut out by."""
    for escape in _CODEPOINT.finditer(query):
        if int(escape.group(1) or escape.group(2), 16) in _STRUCTURE:
            raise InputError(
                f"{escape.group()} in SPARQL block {number} hides a mark: write the mark itself."
            )
    return query


def _unused(text: str) -> str:
    """A stem of names for relations that the text does not hold."""
    folded, stem = text.casefold(), "sparql_block"
    while stem in folded:
        stem += "_x"
    return stem
