"""The words of PostgreSQL's SQL, by the rules of its own scanner.

After https://www.postgresql.org/docs/current/sql-syntax-lexical.html, for
`standard_conforming_strings = on`, which the runner sets.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from groundwire.tables.bounds import Refused

Kind = Literal["word", "name", "string", "number", "sign"]


class Token(NamedTuple):
    """A piece of a query.

    Attributes:
        kind: `word` is an identifier or key word without quotes, `name` one in quotes, `sign` one
            character of an operator or a separator.
        text: a word in small letters, a name without its quotes, a sign; of others as written.
        start: its place.
    """

    kind: Kind
    text: str
    start: int

    def is_word(self, *words: str) -> bool:
        """Whether it is one of `words`, without quotes."""
        return self.kind == "word" and self.text in words

    def is_sign(self, sign: str) -> bool:
        """Whether it is this sign."""
        return self.kind == "sign" and self.text == sign


# Letters are ASCII letters and everything that is not ASCII; spaces are ASCII only.
_LETTER = r"[A-Za-z_\x80-\U0010ffff]"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\n\r\f\v]+|--[^\n\r]*)
    |(?P<comment>/\*)
    |(?P<escaped>[eE]'(?:[^'\\]|\\.|'')*')
    |(?P<string>(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*')
    |(?P<coded>[uU]&")
    |(?P<name>"(?:[^"]|"")*")
    |(?P<dollar>\$(?P<tag>(?:{_LETTER}(?:{_LETTER}|[0-9])*)?)\$)
    |(?P<parameter>\$[0-9]+)
    |(?P<word>{_LETTER}(?:{_LETTER}|[0-9$])*)
    |(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<sign>[^\\'"$`])
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")


def fold(name: str) -> str:
    """A name as PostgreSQL folds it: ASCII letters only."""
    return "".join(letter.lower() if letter < "\x80" else letter for letter in name)


def tokens(text: str) -> list[Token]:
    """The words of `text`, without comments.

    Raises:
        Refused: a quote or comment does not end, or something is written in a way not read here.
    """
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise Refused(f"What begins at {text[place : place + 20]!r} is not read: mend it.")
        kind = match.lastgroup
        if kind == "tag":
            kind = "dollar"
        end = match.end()
        if kind == "comment":
            end = _end_of_comment(text, end)
        elif kind == "dollar":
            close = text.find(match[0], end)
            if close < 0:
                raise Refused("A text in dollar quotes does not end: close it.")
            end = close + len(match[0])
            found.append(Token("string", text[place:end], place))
        elif kind == "coded":
            raise Refused('Names of the form U&"..." are not read here: write them plainly.')
        elif kind == "parameter":
            raise Refused("The query holds a parameter: write its value into it.")
        elif kind != "space":
            found.append(_token(kind or "", match[0], place))
        place = end
    return found


def _token(kind: str, text: str, place: int) -> Token:
    if kind == "word":
        return Token("word", fold(text), place)
    if kind == "name":
        return Token("name", text[1:-1].replace('""', '"'), place)
    if kind in ("string", "escaped"):
        return Token("string", text, place)
    return Token("number" if kind == "number" else "sign", text, place)


def _end_of_comment(text: str, place: int) -> int:
    """Where a comment ends that began before `place`; comments may stand in comments."""
    depth = 1
    while depth:
        edge = _COMMENT_EDGE.search(text, place)
        if edge is None:
            raise Refused("A comment does not end: close it.")
        depth += 1 if edge[0] == "/*" else -1
        place = edge.end()
    return place
