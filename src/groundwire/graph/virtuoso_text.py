"""Free-text expressions, the objects of Virtuoso's `bif:contains`.

Rules: Virtuoso documentation, "Text Expression Syntax" of "Querying Free Text Indexes": words,
phrases in quotes, AND, OR, AND NOT, NEAR, parentheses, and `*` after four letters of a word. Found
out from a Virtuoso 7.2: outside quotes a word has ASCII letters, and begins with one; `*`, numbers
and other scripts stand in quotes only; a phrase of punctuation is an error.
"""

from __future__ import annotations

import re

from groundwire.errors import InputError, LimitError

MOST_TERMS = 60
# A word that begins with fewer letters than this before its `*` is an error of the server (FT370).
LEAST_BEFORE_STAR = 4

_PART = re.compile(
    r"""(?P<space>[ \t]+)|(?P<open>\()|(?P<close>\))|"""
    r"""(?P<phrase>'[^'\\]+'|"[^"\\]+")|(?P<word>[A-Za-z_][A-Za-z0-9_-]*)""",
)
_JOINS = frozenset(("AND", "OR", "NEAR"))
_EXAMPLE = """'knowledge graph' AND sparql"""


def check_text_expression(text: str) -> None:
    """Refuse what Virtuoso's free-text search would not read, or not read as it seems.

    Raises:
        InputError: it is not well formed.
        LimitError: it has more than `MOST_TERMS` words and phrases.
    """
    terms = depth = 0
    expects_term = True
    joined = ""
    for kind, part in _parts(text):
        word = part.upper() if kind == "word" else ""
        if word == "NOT" and expects_term and joined == "AND":
            joined = ""
        elif word in _JOINS or word == "NOT":
            if expects_term:
                raise _malformed(text, f"{part} needs a word or phrase before it")
            if word == "NOT":
                raise _malformed(text, "NOT stands after AND only")
            joined, expects_term = word, True
        elif kind == "close":
            depth -= 1
            if expects_term or depth < 0:
                raise _malformed(text, "its parentheses do not match")
        elif not expects_term:
            raise _malformed(text, f"AND, OR or NEAR is missing before {part}")
        elif kind == "open":
            depth += 1
            joined = ""
        else:
            _check_term(text, part)
            terms += 1
            expects_term = False
    if expects_term or depth:
        raise _malformed(text, "it ends too early" if text.strip() else "it is empty")
    if terms > MOST_TERMS:
        raise LimitError(
            f"The free-text expression has {terms} words and phrases: make do with {MOST_TERMS}."
        )


def _parts(text: str) -> list[tuple[str, str]]:
    """Return kind and text of every part but spaces."""
    parts: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        match = _PART.match(text, position)
        if match is None:
            wrong = text[position]
            quote = wrong in "'\""
            what = "a quote has no other" if quote else f"{wrong!r} stands outside quotes"
            raise _malformed(text, what)
        position = match.end()
        if match.lastgroup != "space":
            parts.append((str(match.lastgroup), match.group()))
    return parts


def _check_term(text: str, part: str) -> None:
    words = part.strip("'\"").split()
    if not any(letter.isalnum() for letter in part):
        raise _malformed(text, f"there is no word in {part}")
    for word in words:
        before, star, _ = word.partition("*")
        if star and len(before) < LEAST_BEFORE_STAR:
            raise _malformed(text, f"{word} needs {LEAST_BEFORE_STAR} letters before its *")


def _malformed(text: str, reason: str) -> InputError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return InputError(
        f"The free-text expression {shown!r} is not well formed, {reason}:"
        f' write it like "{_EXAMPLE}".'
    )
